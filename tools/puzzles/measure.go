// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/puzzles"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// row counts the puzzles of one game and theme, or all puzzles for the game "all". Puzzles without a theme are counted by the
// lengths of their wins.
type row struct {
	game  string
	theme puzzles.Theme
	// A row of puzzles without a theme counts the puzzles whose wins take plies, plies+1, plies+2 or plies+3 plies. With a theme,
	// plies is 0.
	plies   int
	puzzles int
	// rooted is the number of puzzles whose solution is among the moves that the engine considers at the root, or whose win the
	// engine proved.
	rooted int
	right  int // number of puzzles answered with the solution
	solved int // number of puzzles whose win the engine proved
}

// measure lets the engine solve a sample of the puzzles, one in every o.every. It prints each puzzle that the engine does
// not answer with the solution, and then the counts.
func measure(ctx context.Context, o options, all []puzzles.Puzzle) error {
	n := max(o.every, 1)
	rand.New(rand.NewPCG(o.seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	rows, err := solveAll(ctx, all[:(len(all)+n-1)/n], search.Limits{Nodes: o.nodes, Time: o.time})
	if err != nil {
		return err
	}
	fmt.Println("game\ttheme\tplies\tpuzzles\tat the root\tright move\tproved")
	for _, r := range rows {
		share := func(n int) string { return fmt.Sprintf("%d  %.1f %%", n, 100*float64(n)/float64(r.puzzles)) }
		fmt.Printf("%s\t%s\t%d\t%d\t%s\t%s\t%s\n", r.game, r.theme, r.plies, r.puzzles, share(r.rooted), share(r.right), share(r.solved))
	}
	return nil
}

// solveAll lets the best player of each game solve the puzzles. For each puzzle, the player begins with an empty table and
// uses one thread. The last returned row is the sum of the other rows.
func solveAll(ctx context.Context, all []puzzles.Puzzle, lim search.Limits) ([]row, error) {
	var rows []row
	total := row{game: "all"}
	for i, p := range all {
		one, err := solve(ctx, &p, lim)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return nil, fmt.Errorf("puzzle %d: %w", i+1, err)
		}
		at, ok := slices.BinarySearchFunc(rows, one, func(a, b row) int {
			return cmp.Or(cmp.Compare(a.game, b.game), cmp.Compare(a.theme, b.theme), cmp.Compare(a.plies, b.plies))
		})
		if !ok {
			rows = slices.Insert(rows, at, row{game: one.game, theme: one.theme, plies: one.plies})
		}
		for _, r := range []*row{&rows[at], &total} {
			r.puzzles, r.rooted, r.right, r.solved = r.puzzles+1, r.rooted+one.rooted, r.right+one.right, r.solved+one.solved
		}
	}
	return append(rows, total), nil
}

// analyst opens the best player of g, with an empty table.
func analyst(g game.Game) (player.Analyst, error) {
	p, err := krow.Player(g, krow.Best(g), 1)
	if err != nil {
		return nil, err
	}
	a, ok := p.(player.Analyst)
	if !ok {
		player.Close(p)
		return nil, errors.New("the player does not analyse")
	}
	return a, nil
}

// solve lets the best player answer a puzzle, and returns its row.
func solve(ctx context.Context, p *puzzles.Puzzle, lim search.Limits) (row, error) {
	r := row{game: p.Game, theme: p.Theme, puzzles: 1}
	if p.Theme == "" {
		r.plies = 5 + (p.Plies-5)/4*4
	}
	g, err := krow.Game(p.Game)
	if err != nil {
		return r, err
	}
	pos, move, err := p.Position(g)
	if err != nil {
		return r, err
	}
	engine, err := analyst(g)
	if err != nil {
		return r, err
	}
	defer player.Close(engine)
	var root []search.Candidate
	info, err := engine.Analyze(ctx, pos, lim, func(i search.Info) {
		if len(i.Root) > 0 {
			root = slices.Clone(i.Root)
		}
	})
	if err != nil {
		return r, err
	}
	_, sign := info.Score.Distance()
	line, err := notation.ParseMoves(g, p.Line)
	if err != nil {
		return r, err
	}
	right := firstTurn(g, line) // the order of its stones does not matter
	r.right = b2i(!slices.ContainsFunc(firstTurn(g, info.PV), func(m game.Move) bool { return !slices.Contains(right, m) }))
	r.solved = b2i(info.Solved && sign > 0)
	r.rooted = max(r.right, r.solved, b2i(len(root) == 0 || slices.ContainsFunc(root, func(c search.Candidate) bool { return c.Move == move })))
	if r.right == 0 || r.rooted == 0 {
		fmt.Printf("%s\t%s\t%d plies\t%s\tmoves %s\tsolution %s\tanswer %s %v solved %v root %d\n", p.Game, p.Theme, p.Plies, p.ID(), p.Moves, g.Format(move), notation.FormatMoves(g, info.PV), info.Score, info.Solved, len(root))
	}
	return r, nil
}
