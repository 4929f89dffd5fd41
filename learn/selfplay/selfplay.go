// SPDX-License-Identifier: Apache-2.0

// Package selfplay lets an engine play games against itself, and stores them in files for learners.
//
// # Basics
//
//	o := selfplay.Options{Dir: "games", Games: 6000, Nodes: 700, Seed: 1, Jobs: 2}
//	err := selfplay.Generate(ctx, gomoku.Engine{}, []game.Game{g}, o, nil)
//	f, err := selfplay.Open("games/gomoku-seed-1-00000.games.gz", gomoku.Format)
//
// An [Engine] plays and encodes the games of one family, such as five in a row. This package implements the parts that all
// engines share: it plays the games of each file, names the files and writes their headers, and distributes games to other
// machines.
//
// # Caveats
//
// The same seed, number of nodes and build of krow give the same games, independent of Jobs. In another build the engine may play
// other games.
package selfplay

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/game"
)

// Engine plays games of one family, such as five in a row, against itself.
type Engine interface {
	Format() Format
	// Describe returns the checksums of the weights and of the network with which the engine plays g, or an error if it does not
	// play g. A checksum is empty for the built-in weights or without a network.
	Describe(g game.Game) (weights, net string, err error)
	// Play plays the game that the seed determines. It returns the game in the engine's encoding, and the number of searched
	// positions.
	Play(ctx context.Context, g game.Game, nodes, seed uint64) (text []byte, positions int, err error)
}

// Options choose the games that are played.
type Options struct {
	Dir   string // folder for the files; "" means that no files are written
	Games int    // total number of games
	Chunk int    // number of games in a file (the last file may have fewer); 0 means Format.Games
	First int    // number of the first file of each kind of game, if Format.EachKind is true
	Nodes uint64 // nodes searched for each move
	Seed  uint64
	Jobs  int // number of games played at the same time; 0 means the number of processors
	// Queue, unless nil, distributes the games to other processes: see Kinds. NetName is the name by which these processes know
	// the network.
	Queue   work.Queue
	NetName string
}

// Check returns an error for invalid options. If Jobs is 0, Check sets it to the number of processors.
func (o *Options) Check() error {
	if o.Jobs == 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	if min(o.Games, o.Jobs) < 1 || o.Chunk < 0 || o.Nodes < 1 {
		return errors.New("games for learning: games, nodes and jobs must be positive")
	}
	return nil
}

// Generate plays o.Games games of several kinds. A file contains games of one kind. Generate writes a file of the first kind,
// then a file of the second kind, and so on; after the last kind it continues with the first one. Each file is written as soon
// as it is complete. If a file already exists, Generate reads it and does not play its games again. Unless report is nil, it is
// called with each file. Generate stops at the first error.
//
//	gomoku-seed-1-00000.games.gz   gomoku-20-seed-1-00000.games.gz   gomoku-seed-1-00001.games.gz   ...
func Generate(ctx context.Context, e Engine, kinds []game.Game, o Options, report func(*File) error) error {
	if err := o.Check(); err != nil {
		return err
	}
	of := make([]Header, len(kinds))
	for i, g := range kinds {
		weights, net, err := e.Describe(g)
		if err != nil {
			return err
		}
		of[i] = Header{Game: g.String(), Seed: o.Seed, Nodes: o.Nodes, Weights: weights, Net: net}
	}
	format, numbers := e.Format(), map[string]int{}
	chunk := cmp.Or(o.Chunk, format.Games)
	for n := range (o.Games + chunk - 1) / chunk {
		h := of[n%len(kinds)]
		h.Number, h.Games = n, min(chunk, o.Games-n*chunk)
		if format.EachKind {
			h.Number = o.First + numbers[h.Game]
			numbers[h.Game]++
		}
		f, err := o.readOrPlay(ctx, e, kinds[n%len(kinds)], h)
		if err == nil && report != nil {
			err = report(f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readOrPlay returns the file with the header h. If the file does not exist, it plays the games.
func (o *Options) readOrPlay(ctx context.Context, e Engine, g game.Game, h Header) (*File, error) {
	if o.Dir == "" {
		return o.playFile(ctx, e, g, h)
	}
	name := filepath.Join(o.Dir, fmt.Sprintf("%s-seed-%d-%05d.games.gz", strings.ReplaceAll(h.Game, ":", "-"), h.Seed, h.Number))
	f, err := Open(name, e.Format())
	if errors.Is(err, fs.ErrNotExist) {
		if f, err = o.playFile(ctx, e, g, h); err == nil {
			err = f.write(name, e.Format())
		}
		return f, err
	}
	if err != nil {
		return nil, err
	}
	if h.Positions = f.Positions; f.Header != h {
		return nil, fmt.Errorf("%s contains other games: %d at %d nodes; choose another folder or seed", name, f.Games, f.Nodes)
	}
	return f, nil
}

// unitKind is the kind of a unit of work that consists of one game of self-play.
const unitKind = "game to learn from"

// unitArgs are the arguments of a unit of this kind. The seed of the unit is the seed of the game. The result of the unit is the
// number of searched positions, in 4 bytes, and then the game in the engine's encoding.
type unitArgs struct {
	Game  string `json:"game"`
	Nodes uint64 `json:"nodes"`
	Net   string `json:"net"`
}

// Kinds returns the kinds of units of work that a process must know to play games for the self-play of another process.
// engine returns the engine for a game, with the network whose name is net.
func Kinds(rules func(spec string) (game.Game, error), engine func(g game.Game, net string) (Engine, error)) work.Kinds {
	return work.Kinds{unitKind: func(ctx context.Context, u work.Unit) ([]byte, error) {
		var args unitArgs
		if err := json.Unmarshal(u.Args, &args); err != nil {
			return nil, err
		}
		g, err := rules(args.Game)
		if err != nil {
			return nil, err
		}
		e, err := engine(g, args.Net)
		if err != nil {
			return nil, err
		}
		return playUnit(ctx, e, g, args.Nodes, u.Seed)
	}}
}

func playUnit(ctx context.Context, e Engine, g game.Game, nodes, seed uint64) ([]byte, error) {
	text, positions, err := e.Play(ctx, g, nodes, seed)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return append(binary.LittleEndian.AppendUint32(nil, uint32(positions)), text...), err
}

// playFile plays the games of the file with the header h.
func (o *Options) playFile(ctx context.Context, e Engine, g game.Game, h Header) (*File, error) {
	queue := o.Queue
	if queue == nil {
		queue = work.Pool{Jobs: o.Jobs, Kinds: work.Kinds{unitKind: func(ctx context.Context, u work.Unit) ([]byte, error) {
			return playUnit(ctx, e, g, o.Nodes, u.Seed)
		}}}
	}
	f, games := &File{Header: h}, make([][]byte, h.Games)
	args, seed := unitArgs{h.Game, o.Nodes, o.NetName}, e.Format().Seed
	unit := func(i int) (work.Unit, error) { return work.New(unitKind, args, seed(&h, i)) }
	searched := make([]int, h.Games)
	_, err := work.Each(ctx, queue, h.Games, unit, func(i int, data []byte) error {
		if len(data) < 4 {
			return errors.New("the result contains no game to learn from")
		}
		searched[i], games[i] = int(binary.LittleEndian.Uint32(data)), data[4:]
		return nil
	})
	for _, n := range searched {
		f.Positions += n
	}
	f.Body = slices.Concat(games...)
	return f, err
}
