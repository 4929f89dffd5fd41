// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/puzzles"
	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/search"
)

// row counts the puzzles of one game whose solutions have a length between plies and plies+3. The row of the game "all" counts
// all puzzles.
type row struct {
	game    string
	plies   int // the smallest of these lengths
	puzzles int
	right   int // number of puzzles answered with a winning move
	solved  int // number of puzzles whose win the engine proved
}

// measure prints the number of wins among the puzzles that the engine for five in a row solves.
func measure(ctx context.Context, o options, all []puzzles.Puzzle) error {
	rows, err := solveAll(ctx, all, search.Limits{Nodes: o.nodes, Time: o.time})
	if err != nil {
		return err
	}
	fmt.Println("game\tplies\tpuzzles\tright move\tsolved")
	for _, r := range rows {
		share := func(n int) string { return fmt.Sprintf("%d  %.1f %%", n, 100*float64(n)/float64(r.puzzles)) }
		length := "all"
		if r.plies > 0 {
			length = fmt.Sprintf("%d to %d", r.plies, r.plies+3)
		}
		fmt.Printf("%s\t%s\t%d\t%s\t%s\n", r.game, length, r.puzzles, share(r.right), share(r.solved))
	}
	return nil
}

// solveAll lets the engine for five in a row solve the wins among the puzzles, each with a fresh table in one thread. A puzzle
// without a theme counts as a win. The last row is the sum. It returns an error if there are no wins.
func solveAll(ctx context.Context, all []puzzles.Puzzle, lim search.Limits) ([]row, error) {
	all = slices.DeleteFunc(slices.Clone(all), func(p puzzles.Puzzle) bool { return p.Theme != "" && !p.Theme.Rows() })
	if len(all) == 0 {
		return nil, errors.New("the file contains no win in five in a row")
	}
	var rows []row
	total := row{game: "all"}
	for i, p := range all {
		right, solved, err := solve(ctx, &p, lim)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return nil, fmt.Errorf("puzzle %d: %w", i+1, err)
		}
		key := row{game: p.Game, plies: 5 + (p.Plies-5)/4*4}
		at, ok := slices.BinarySearchFunc(rows, key, func(a, b row) int {
			return cmp.Or(cmp.Compare(a.game, b.game), cmp.Compare(a.plies, b.plies))
		})
		if !ok {
			rows = slices.Insert(rows, at, key)
		}
		for _, r := range []*row{&rows[at], &total} {
			r.puzzles, r.right, r.solved = r.puzzles+1, r.right+right, r.solved+solved
		}
	}
	return append(rows, total), nil
}

// solve lets the engine answer a puzzle. right is 1 if the engine finds the winning move, and solved is 1 if the engine proves
// a win.
func solve(ctx context.Context, p *puzzles.Puzzle, lim search.Limits) (right, solved int, err error) {
	g, err := krow.Game(p.Game)
	if err != nil {
		return 0, 0, err
	}
	s, err := gomoku.New(g, gomoku.Options{Net: gomoku.DefaultNet(g)})
	if err != nil {
		return 0, 0, err
	}
	pos, move, err := p.Position(g)
	if err != nil {
		return 0, 0, err
	}
	info, err := s.Search(ctx, pos, lim, nil)
	if err != nil {
		return 0, 0, err
	}
	if info.PV[0] == move {
		right = 1
	}
	if _, sign := info.Score.Distance(); info.Solved && sign > 0 {
		solved = 1
	}
	return right, solved, nil
}
