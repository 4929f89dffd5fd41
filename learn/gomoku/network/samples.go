// SPDX-License-Identifier: Apache-2.0

package network

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/learn"
	games "github.com/krow-lab/krow/learn/gomoku"
	"github.com/krow-lab/krow/learn/nnue"
	"github.com/krow-lab/krow/learn/selfplay"
)

// cells describes a group of n empty cells of a position, between which the network does not distinguish, because they have
// the same patterns of the side to move and of its enemy. A position may have several groups with the same patterns, for
// example if their cells differ in place.
type cells struct {
	own, enemy uint16
	n          uint8
	// place is 1 + the place of the cell relative to the last stones (see engine.Network) if the cell is a candidate move, and 0
	// otherwise.
	place uint8
}

// position holds the labels of a position, and the network's input except the cells.
type position struct {
	mask   uint16
	static int16
	final  bool  // whether the result is known
	side   uint8 // the side to move
	// moves is the number of groups of cells that are candidate moves; these groups come first. It is 0 if the best move is not
	// known.
	moves  uint16
	best   uint16  // index of the group of cells that contains the best move
	stones uint16  // number of stones on the board
	free   uint16  // number of free cells
	score  float32 // the winning chance that the search found
	shown  float32 // the label: the winning chance from the search and the later game together
	result float32
}

// samples holds positions and their cells. The slice cells contains the cells of all positions, one position after another;
// ends[i] is the index after the last cell of position i.
type samples struct {
	positions []position
	cells     []cells
	ends      []int
	looks     looks
}

// looks holds the engine's ratings of patterns, for the moves of each side: own for the pattern that a move makes, and enemy
// for the enemy's pattern that a move destroys. A rating is the logarithm of the factor by which the pattern multiplies the
// chance of a move.
type looks [2]struct{ own, enemy [network.Patterns + 1]float32 }

func newLooks(g game.Game) (l looks, err error) {
	f, err := gomoku.NewFeatures(g)
	if err != nil {
		return l, err
	}
	for side := range game.Side(2) {
		for p := range uint16(network.Patterns + 1) {
			none := network.Cell{}
			l[side].own[p] = float32(f.Looking(side, network.Cell{First: p})) / network.LooksUnit
			l[side].enemy[p] = float32(f.Looking(side, network.Cell{Second: p})-f.Looking(side, none)) / network.LooksUnit
		}
	}
	return l, nil
}

func (s *samples) len() int { return len(s.positions) }

func (s *samples) cellsOf(i int) []cells {
	from := 0
	if i > 0 {
		from = s.ends[i-1]
	}
	return s.cells[from:s.ends[i]]
}

func (s *samples) join(o *samples) {
	at := len(s.cells)
	s.positions, s.cells = append(s.positions, o.positions...), append(s.cells, o.cells...)
	for _, end := range o.ends {
		s.ends = append(s.ends, at+end)
	}
}

// reserve allocates the memory for the samples of all files at once; parts holds the samples of each file. If half is 0,
// reserve allocates for the positions to train on, and if half is 1, for the held-out positions. Growing slices would need
// twice the memory.
func (s *samples) reserve(parts [][2]samples, half int) {
	positions, all := 0, 0
	for i := range parts {
		positions, all = positions+parts[i][half].len(), all+len(parts[i][half].cells)
	}
	s.positions, s.cells, s.ends = make([]position, 0, positions), make([]cells, 0, all), make([]int, 0, positions)
}

// reader makes samples from games with the same rules and board.
type reader struct {
	g    game.Game
	f    *gomoku.Features
	seen []network.Cell
	at   []uint8
	keys []uint64
}

func newReader(g game.Game) (*reader, error) {
	f, err := gomoku.NewFeatures(g)
	return &reader{g: g, f: f}, err
}

func (r *reader) add(dst *samples, p game.Position, l games.Label) {
	if r.f.Load(p); !r.f.Evaluated() {
		return
	}
	all, mask, static := r.f.Cells(r.seen[:0])
	r.seen = all
	at := position{
		mask: uint16(mask), static: int16(static), final: l.Final, side: uint8(p.Turn()),
		score: float32(games.Chance(l.Score)), shown: float32(l.Shown), result: float32(l.Result),
	}
	at.stones, at.free = uint16(p.Ply()), uint16(p.Game().Moves()-p.Ply())
	places, best := r.places(p, l.Best)
	r.keys = r.keys[:0]
	for i, c := range all {
		key := uint64(c.First)<<32 | uint64(c.Second)<<16
		if places == nil || places[i] == 0 {
			key |= 1 << 63
		} else {
			key |= uint64(places[i]) << 8
		}
		if i == best {
			key |= 1
		}
		r.keys = append(r.keys, key)
	}
	slices.Sort(r.keys)
	from := len(dst.cells)
	for i, key := range r.keys {
		if last := len(dst.cells) - 1; i > 0 && key&^1 == r.keys[i-1]&^1 && dst.cells[last].n < math.MaxUint8 {
			dst.cells[last].n++
		} else {
			dst.cells = append(dst.cells, cells{uint16(key >> 32 & 0x7fff), uint16(key >> 16), 1, uint8(key >> 8)})
			if key>>63 == 0 {
				at.moves++
			}
		}
		if key&1 == 1 {
			at.best = uint16(len(dst.cells) - 1 - from)
		}
	}
	dst.positions, dst.ends = append(dst.positions, at), append(dst.ends, len(dst.cells))
}

// places returns the value of cells.place for each empty cell, and the index of the best move m among the empty cells. If the
// best move is not known or is not a candidate move, it returns nil and -1.
func (r *reader) places(p game.Position, m game.Move) (places []uint8, best int) {
	if m == game.NoMove {
		return nil, -1
	}
	for _, stone := range p.(game.Board).Cells()[:m] {
		if stone == game.Empty {
			best++
		}
	}
	if r.at = r.f.Places(r.at[:0]); r.at[best] == 0 {
		return nil, -1
	}
	return r.at, best
}

// One of every heldOut games is held out: the network is not trained on it.
const heldOut = 10

// family returns the name of the game without its size.
func family(g game.Game) string {
	name, _, _ := strings.Cut(g.String(), ":")
	return name
}

// files returns the names of the files that contain games of g, on boards of any size.
func files(dir string, g game.Game) ([]string, error) {
	return nnue.Files(dir, family(g)+"-*.games.gz")
}

// read reads the files of a folder. It returns the positions for which a search would call the network: the positions to train
// on, and the positions of the held-out games.
func read(ctx context.Context, dir string, g game.Game, lambda float64, jobs int) (learned, held samples, err error) {
	names, err := files(dir, g)
	if err != nil {
		return samples{}, samples{}, err
	}
	parts := make([][2]samples, len(names))
	err = learn.Parallel(ctx, len(names), jobs, func(context.Context) (func(int) error, error) {
		return func(i int) (err error) {
			parts[i], err = readFile(names[i], family(g), lambda)
			return err
		}, nil
	})
	if err != nil {
		return samples{}, samples{}, err
	}
	l, err := newLooks(g)
	if err != nil {
		return samples{}, samples{}, err
	}
	for half, all := range [2]*samples{&learned, &held} {
		all.looks = l
		all.reserve(parts, half)
		for i := range parts {
			all.join(&parts[i][half])
			parts[i][half] = samples{}
		}
	}
	if learned.len() == 0 || held.len() == 0 {
		return samples{}, samples{}, errors.New("too few games to learn from")
	}
	return learned, held, nil
}

func readFile(name, want string, lambda float64) (parts [2]samples, err error) {
	f, err := selfplay.Open(name, games.Format)
	if err != nil {
		return parts, err
	}
	g, err := gameOf(f.Game)
	if err != nil || family(g) != want {
		return parts, errors.Join(err, fmt.Errorf("%s holds games of %s, not %s", name, f.Game, want))
	}
	played, err := games.Games(f)
	if err != nil {
		return parts, fmt.Errorf("%s: %w", name, err)
	}
	r, err := newReader(g)
	for i := range played {
		if err != nil {
			return parts, fmt.Errorf("%s: %w", name, err)
		}
		dst := &parts[0]
		if i%heldOut == heldOut-1 {
			dst = &parts[1]
		}
		err = games.Each(g, &played[i], lambda, func(p game.Position, l games.Label) { r.add(dst, p, l) })
	}
	return parts, err
}

// gameOf returns the game with the given name, such as gomoku or gomoku:20. The name comes from the header of a file of
// games.
func gameOf(name string) (*mnk.Game, error) {
	side := 15
	family, size, sized := strings.Cut(name, ":")
	if sized {
		if _, err := fmt.Sscanf(size, "%d", &side); err != nil {
			return nil, fmt.Errorf("games of %s: the size of a square board is missing", name)
		}
	}
	switch family {
	case "gomoku":
		return mnk.Gomoku(side)
	case "standard":
		return mnk.Standard(side)
	case "caro":
		return mnk.Caro(side)
	case "renju":
		return renju.New(side)
	}
	return nil, fmt.Errorf("games of %s: not a game of five in a row", name)
}
