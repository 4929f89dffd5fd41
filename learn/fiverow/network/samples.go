// SPDX-License-Identifier: Apache-2.0

package network

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/fiverow"
)

// cells are n empty cells of a position that are the same to the network: patterns of the side to move and its enemy.
type cells struct {
	own, enemy uint16
	n          float32 // in units of engine.SumUnit
}

// position is what the network sees of a position, apart from its cells, and the truth about it.
type position struct {
	mask   uint16
	final  bool // result is known
	static int16
	score  float32 // the chance to win that the search saw
	shown  float32 // and that the search and the rest of the game showed
	result float32
}

// samples are positions, one after the other. The cells of sample i end at ends[i].
type samples struct {
	positions []position
	cells     []cells
	ends      []int
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

// reserve makes room for one half of all parts at once: growing step by step would hold them twice.
func (s *samples) reserve(parts [][2]samples, half int) {
	positions, all := 0, 0
	for i := range parts {
		positions, all = positions+parts[i][half].len(), all+len(parts[i][half].cells)
	}
	s.positions, s.cells, s.ends = make([]position, 0, positions), make([]cells, 0, all), make([]int, 0, positions)
}

// reader makes samples of the games of one kind.
type reader struct {
	g    game.Game
	f    *gomoku.Features
	seen []network.Cell
}

func newReader(g game.Game) (*reader, error) {
	f, err := gomoku.NewFeatures(g)
	return &reader{g: g, f: f}, err
}

func (r *reader) add(dst *samples, p game.Position, l fiverow.Label) {
	if r.f.Load(p); !r.f.Evaluated() {
		return
	}
	all, mask, static := r.f.Cells(r.seen[:0])
	r.seen = all
	dst.positions = append(dst.positions, position{
		uint16(mask), l.Final, int16(static), float32(fiverow.Chance(l.Score)), float32(l.Shown), float32(l.Result),
	})
	slices.SortFunc(all, func(a, b network.Cell) int {
		return cmp.Compare(int(a.First)<<16+int(a.Second), int(b.First)<<16+int(b.Second))
	})
	for i, c := range all {
		if i > 0 && c == all[i-1] {
			dst.cells[len(dst.cells)-1].n += 1. / network.SumUnit
			continue
		}
		dst.cells = append(dst.cells, cells{c.First, c.Second, 1. / network.SumUnit})
	}
	dst.ends = append(dst.ends, len(dst.cells))
}

// heldOut: one game in so many is not trained on.
const heldOut = 10

// family returns the name of the game without its size.
func family(g game.Game) string {
	name, _, _ := strings.Cut(g.String(), ":")
	return name
}

// files returns the names of the files of games of g, on boards of any size.
func files(dir string, g game.Game) (names []string, err error) {
	all, err := filepath.Glob(filepath.Join(dir, family(g)+"-*.games.gz"))
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("no files of games of %s: %s", family(g), filepath.Join(dir, family(g)+"-*.games.gz"))
	}
	return all, err
}

// read reads the positions of the files of a folder that the network may be asked about.
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
	for half, all := range [2]*samples{&learned, &held} {
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
	c, err := fiverow.Open(name)
	if err != nil {
		return parts, err
	}
	g, err := gameOf(c.Game)
	if err != nil || family(g) != want {
		return parts, errors.Join(err, fmt.Errorf("%s holds games of %s, not %s", name, c.Game, want))
	}
	r, err := newReader(g)
	for i := range c.Plays {
		if err != nil {
			return parts, fmt.Errorf("%s: %w", name, err)
		}
		dst := &parts[0]
		if i%heldOut == heldOut-1 {
			dst = &parts[1]
		}
		err = fiverow.Each(g, &c.Plays[i], lambda, func(p game.Position, l fiverow.Label) { r.add(dst, p, l) })
	}
	return parts, err
}

// gameOf returns the game of a file.
func gameOf(name string) (*mnk.Game, error) {
	side := 15
	family, size, sized := strings.Cut(name, ":")
	if sized {
		if _, err := fmt.Sscanf(size, "%d", &side); err != nil {
			return nil, fmt.Errorf("games of %s: no size of a square board", name)
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
	return nil, fmt.Errorf("games of %s: not one of five in a row", name)
}
