// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"

	"github.com/krow-lab/krow/app/puzzles"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// A position with at least quietPly stones is quiet if a search of quietNodes nodes finds no win of either side and considers at
// least quietMoves moves. The search's move counts as the best one. It has 100 times the nodes of the usual 5,000 for a move.
const quietNodes, quietMoves, quietPly = 500_000, 8, 8

// quiet appends quiet positions of o.game to the file, at most one from each game of self-play, until it has o.count of this game.
func quiet(ctx context.Context, o options, have []puzzles.Puzzle) error {
	m, err := newMiner(o.game, o.seed)
	if err != nil {
		return err
	}
	out, err := os.OpenFile(o.file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer out.Close()
	n, found := 0, 0
	for _, p := range have {
		var seed uint64
		var number int
		if _, err := fmt.Sscanf(p.From, "quiet %d/%d", &seed, &number); err == nil && seed == o.seed && p.Game == m.g.String() {
			n, found = number+1, found+1
		}
	}
	for ; found < o.count; n++ {
		p, ok, err := m.quiet(ctx, n)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		line, err := p.Append(nil)
		if err == nil {
			_, err = out.Write(line)
		}
		if err != nil {
			return err
		}
		found++
	}
	return out.Close()
}

// quiet returns a random position of game number n with its best move, or false if the position is not quiet.
func (m *miner) quiet(ctx context.Context, n int) (puzzle puzzles.Puzzle, ok bool, err error) {
	if err := m.fresh(); err != nil {
		return puzzle, false, err
	}
	var all [][]game.Move
	err = m.playGame(ctx, n, func(p game.Position, win int) error {
		if win == 0 && p.Ply() >= quietPly {
			all = append(all, p.AppendHistory(nil))
		}
		return ctx.Err()
	})
	if err != nil || len(all) == 0 {
		return puzzle, false, err
	}
	p := m.g.Start()
	for _, move := range all[rand.New(rand.NewPCG(m.seed, uint64(n))).IntN(len(all))] {
		p.Play(move)
	}
	engine, err := analyst(m.g)
	if err != nil {
		return puzzle, false, err
	}
	defer player.Close(engine)
	moves := 0
	info, err := engine.Analyze(ctx, p, search.Limits{Nodes: quietNodes}, func(i search.Info) { moves = max(moves, len(i.Root)) })
	if err == nil {
		err = ctx.Err()
	}
	if err != nil || info.Solved || moves < quietMoves {
		return puzzle, false, err
	}
	return puzzles.Puzzle{
		Game: m.g.String(), Moves: notation.FormatMoves(m.g, p.AppendHistory(nil)), Theme: puzzles.Best,
		Line: notation.FormatMoves(m.g, info.PV[:1]), Nodes: info.Nodes, From: fmt.Sprintf("quiet %d/%d", m.seed, n),
	}, true, nil
}
