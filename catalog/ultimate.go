// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"fmt"

	engine "github.com/krow-lab/krow/engine/ultimate"
	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
)

// newUltimate returns the engine of ultimate tic-tac-toe.
func newUltimate(g game.Game, s *spec.Spec, seed uint64) (player.Player, error) {
	o := engine.Options{
		Seed: seed, NoProof: !s.Bool("proof", -1, true),
		Threads: s.Threads("threads", 1, maxThreads), Hash: hash(s, engine.DefaultHash, 1<<20), Time: DefaultTime,
		Explore: float32(s.Float("explore", -1, 0, 0.0001, 100)), Blend: float32(s.Float("blend", -1, 0, 0.0001, 1)),
		Settle: float32(s.Float("settle", -1, 0, 0.0001, 1)), Stay: s.Int("stay", -1, 0, 1, 1<<30),
	}
	if level := s.Int("level", -1, 0, 1, engine.Levels); level > 0 {
		o.Nodes, o.Noise = engine.Level(level)
	}
	lim := limits(s, false)
	var err error
	if o.Net, err = ultimateNet(s.String("net", -1, "")); err != nil {
		return nil, err
	}
	e, err := engine.New(g, o)
	if err != nil {
		return nil, err
	}
	return player.FromSearcher("ultimate", e, lim).Scaled(player.Share), nil
}

// ultimateNet returns the network that the argument net names: the one that the engine comes with, none, or a file.
func ultimateNet(name string) (*network.Network, error) {
	switch name {
	case "":
		return network.Default(), nil
	case "none":
		return nil, nil
	}
	n, err := network.Load(name)
	if err != nil {
		return nil, &fileError{"net", fmt.Errorf("%w; net=none plays by the heuristic", err)}
	}
	return n, nil
}
