// SPDX-License-Identifier: Apache-2.0

// Package fiverow learns to play five in a row from games of the gomoku engine against itself.
//
// # Basics
//
//	o := fiverow.Options{Playing: fiverow.Playing{Nodes: 700}, Dir: "games", Games: 6000, Chunk: 500, Seed: 1, Jobs: 2}
//	err := fiverow.Generate(ctx, []game.Game{g}, o, nil)
//	c, err := fiverow.Open("games/gomoku-seed-1-00000.games.gz")
//	err = fiverow.Each(g, &c.Plays[0], 0.9, func(p game.Position, l fiverow.Label) { ... })
//
// # Games
//
// A game begins with 0 to 12 random stones near the middle that a short search takes for even. Then the engine moves,
// with a fixed number of nodes. To show learners more than good play,
//
//   - a third of the games, and all with a short opening, have stray moves: now and then one of the moves that look
//     good is played in place of the engine's choice;
//   - every other position has a move beside the game: one of the moves that look good is searched, but not played;
//   - one game in eight goes on after a win is proved, to the last stone.
//
// # Caveats
//
// The same seed, nodes and build give the same games, whatever Jobs is. Another build may play otherwise, since the
// engine does.
package fiverow

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/wholefile"
)

// Options say which games are generated.
type Options struct {
	Playing
	Dir   string // for the files; "": none are written
	Games int    // in all
	Chunk int    // games in a file; the last one may have fewer
	First int    // number of the first file of each kind
	Seed  uint64
	Jobs  int // games at once; 0: the number of processors
}

// check refuses options that make no sense, and a game that is not played. It fills in Jobs.
func (o *Options) check(g game.Game) error {
	if o.Jobs == 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	if min(o.Games, o.Chunk, o.Jobs) < 1 || o.Nodes < 1 {
		return errors.New("games for learning: games, nodes and jobs must be positive")
	}
	_, err := o.begin(g)
	return err
}

// chunks is how many files there will be.
func (o *Options) chunks() int { return (o.Games + o.Chunk - 1) / o.Chunk }

// Generate plays games of several kinds, one chunk of each in turn, until there are as many as o asks for. Each chunk is
// written to a file as soon as it is complete; one that is there already is read instead. told, if it is not nil, is
// called with each chunk. It ends with the first error, which may be that of ctx.
//
//	gomoku-seed-1-00000.games.gz   gomoku-20-seed-1-00000.games.gz   gomoku-seed-1-00001.games.gz   ...
func Generate(ctx context.Context, kinds []game.Game, o Options, told func(*Chunk)) error {
	for _, g := range kinds {
		if err := o.check(g); err != nil {
			return err
		}
	}
	numbers := map[string]int{}
	for n := range o.chunks() {
		g := kinds[n%len(kinds)]
		from := Origin{
			Game: g.String(), Seed: o.Seed, Number: o.First + numbers[g.String()], Games: min(o.Chunk, o.Games-n*o.Chunk),
			Nodes: o.Nodes, Weights: checksum(o.Weights),
		}
		if n := o.net(g); n != nil {
			from.Net = sumOf(n.Append(nil))
		}
		numbers[g.String()]++
		c, err := o.chunk(ctx, g, from)
		if err != nil {
			return err
		}
		if told != nil {
			told(c)
		}
	}
	return nil
}

func (o *Options) chunk(ctx context.Context, g game.Game, from Origin) (*Chunk, error) {
	if o.Dir == "" {
		return o.play(ctx, g, from, o.Jobs)
	}
	name := filepath.Join(o.Dir, fmt.Sprintf("%s-seed-%d-%05d.games.gz", strings.ReplaceAll(from.Game, ":", "-"), from.Seed, from.Number))
	c, err := Open(name)
	switch {
	case err == nil && c.Origin != from:
		return nil, fmt.Errorf("%s has other games: %d at %d nodes; name another folder or seed", name, c.Games, c.Nodes)
	case err == nil || !errors.Is(err, fs.ErrNotExist):
		return c, err
	}
	if c, err = o.play(ctx, g, from, o.Jobs); err != nil {
		return nil, err
	}
	data, err := c.Pack()
	if err == nil {
		err = os.MkdirAll(o.Dir, 0o755)
	}
	if err == nil {
		err = wholefile.Write(name, data)
	}
	return c, err
}
