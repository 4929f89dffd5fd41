// SPDX-License-Identifier: Apache-2.0

package ultimate_test

import (
	"context"
	"fmt"
	"testing"

	engine "github.com/krow-lab/krow/engine/ultimate"
	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/search"
)

// midgame is a position of 16 plies from a game of the engine with itself.
func midgame(b *testing.B, g game.Game) game.Position {
	p := g.Start()
	s, err := engine.New(g, engine.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for range 16 {
		info, err := s.Search(context.Background(), p, search.Limits{Nodes: 10_000}, nil)
		if err != nil {
			b.Fatal(err)
		}
		p.Play(info.PV[0])
	}
	return p
}

// BenchmarkSearch searches a position with half a million nodes, with a new tree each time.
func BenchmarkSearch(b *testing.B) {
	g := ultimate.New(ultimate.Rules{})
	p := midgame(b, g)
	for _, n := range []*network.Network{nil, network.Default()} {
		b.Run(fmt.Sprintf("net=%t", n != nil), func(b *testing.B) {
			nodes := uint64(0)
			s, err := engine.New(g, engine.Options{Net: n})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				// The search of another position makes it forget the tree.
				if _, err := s.Search(context.Background(), g.Start(), search.Limits{Nodes: 1}, nil); err != nil {
					b.Fatal(err)
				}
				info, err := s.Search(context.Background(), p, search.Limits{Nodes: 500_000}, nil)
				if err != nil {
					b.Fatal(err)
				}
				nodes += info.Nodes
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
		})
	}
}
