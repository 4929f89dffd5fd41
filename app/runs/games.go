// SPDX-License-Identifier: Apache-2.0

package runs

import (
	"context"
	"errors"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/engine/ultimate"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn/fiverow"
	"github.com/krow-lab/krow/learn/network"
	"github.com/krow-lab/krow/work"
)

// Games are games to learn from, of five in a row or of ultimate tic-tac-toe: one file of each kind in turn. A kind named twice has
// twice as many.
type Games struct {
	Kinds []string // specs of games
	Dir   string   // for the files
	Games int      // in all
	Nodes uint64   // for each move
	Net   string   // default, none or a file
	Seed  uint64
	Jobs  int // games at once
	// Queue, unless nil, plays them elsewhere, where the network is called NetThere.
	Queue    work.Queue
	NetThere string
}

// Played says what there is so far.
type Played struct {
	Games     int `json:"games"`
	Positions int `json:"positions"`
	Files     int `json:"files"`
}

const chunkGames = 500

// Play plays the games that are not there yet, and calls told, unless it is nil, after each file.
func (o Games) Play(ctx context.Context, told func(Played)) (p Played, err error) {
	if o.Dir == "" {
		return p, errors.New("games for learning need a folder")
	}
	var kinds []game.Game
	for _, text := range o.Kinds {
		g, err := catalog.Game(text)
		if err != nil {
			return p, err
		}
		kinds = append(kinds, g)
	}
	add := func(games, positions int) {
		p.Games, p.Positions, p.Files = p.Games+games, p.Positions+positions, p.Files+1
		if told != nil {
			told(p)
		}
	}
	if len(kinds) > 0 && ultimate.Plays(kinds[0]) {
		err = o.ultimate(ctx, kinds, add)
		return p, err
	}
	net, err := catalog.FiveNet(o.Net)
	if err != nil {
		return p, err
	}
	all := fiverow.Options{
		Playing: fiverow.Playing{Nodes: o.Nodes, Net: net, Queue: o.Queue, NetName: o.NetThere}, Dir: o.Dir, Games: o.Games, Chunk: chunkGames, Seed: o.Seed, Jobs: o.Jobs,
	}
	err = fiverow.Generate(ctx, kinds, all, func(c *fiverow.Chunk) { add(c.Games, c.Positions()) })
	return p, err
}

func (o Games) ultimate(ctx context.Context, kinds []game.Game, add func(games, positions int)) error {
	net, err := catalog.UltimateNet(o.Net)
	if err != nil {
		return err
	}
	all := network.Playing{
		Dir: o.Dir, Games: o.Games, Nodes: int(o.Nodes), Net: net, Seed: o.Seed, Jobs: o.Jobs, Queue: o.Queue, NetName: o.NetThere,
	}
	return network.Generate(ctx, kinds, all, func(f network.File) { add(f.Games, f.Positions) })
}
