// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/clock"
	"github.com/krow-lab/krow/player/opening"
	"github.com/krow-lab/krow/player/subprocess"
	"github.com/krow-lab/krow/search"
)

// tellLimits sends the limits that have changed since the last move, and the remaining time.
func (p *Program) tellLimits(lim search.Limits, turn time.Duration) error {
	now := telling{turn: min(max(turn.Milliseconds(), 1), unlimitedMS), nodes: lim.Nodes, depth: lim.Depth}
	left := int64(unlimitedMS)
	if l := p.Clock.Left(); l != clock.Unlimited {
		left = l.Milliseconds()
	}
	text := ""
	if now.turn != p.told.turn {
		text += fmt.Sprintf("INFO timeout_turn %d\r\n", now.turn)
	}
	if now.nodes != p.told.nodes {
		text += fmt.Sprintf("INFO max_node %d\r\n", now.nodes)
	}
	if now.depth != p.told.depth {
		text += fmt.Sprintf("INFO max_depth %d\r\n", now.depth)
	}
	p.told = now
	return p.Send("%sINFO time_left %d", text, left)
}

// tellPosition sends the shortest command that brings the brain's board to position b and asks for a move.
func (p *Program) tellPosition(b game.Board) error {
	moves := b.AppendHistory(nil)
	switch {
	case len(moves) != b.Ply():
		return p.tellStones(stonesOf(b))
	case len(moves) == 0 && len(p.known) == 0:
		return p.Send("BEGIN")
	}
	stones := playedStones(b, moves)
	if n := len(moves) - 1; n == len(p.known) && slices.Equal(moves[:n], p.known) {
		return p.Send("TURN %v", stones[n].point)
	}
	return p.tellStones(stones)
}

// playedStones returns the stones of a game in the order in which they were played.
func playedStones(b game.Board, moves []game.Move) []placed {
	c := clone(b)
	for range moves {
		c.Undo()
	}
	var stones []placed
	for _, m := range moves {
		stones = append(stones, placed{pointOf(c, m), c.Turn() == b.Turn()})
		c.Play(m)
	}
	return stones
}

// stonesOf returns the stones of a position that has no history. The stones of both sides alternate in the list, because some
// brains take the list for the moves of a game.
func stonesOf(b game.Board) []placed {
	var of [2][]placed
	for cell, stone := range b.Cells() {
		if stone != game.Empty {
			side := game.Side(stone - game.FirstStone)
			of[side] = append(of[side], placed{pointAt(b, cell), side == b.Turn()})
		}
	}
	var all []placed
	for i := range max(len(of[0]), len(of[1])) {
		for _, list := range of {
			if i < len(list) {
				all = append(all, list[i])
			}
		}
	}
	return all
}

func (p *Program) tellStones(stones []placed) error {
	text := "BOARD\r\n"
	for _, st := range stones {
		text += st.String() + "\r\n"
	}
	return p.Send("%sDONE", text)
}

var _ opening.Player = (*Program)(nil)

// Swap2 asks the program with the command SWAP2BOARD and the stones as x,y. A program that ignores such lines, such as Rapfi
// 0.43, proposes three stones again. Then Swap2 repeats the question and adds the owner of each stone, as in BOARD.
func (p *Program) Swap2(ctx context.Context, b game.Board, lim search.Limits) (a opening.Answer, err error) {
	err = p.question(ctx, b, lim, func(ctx context.Context, b game.Board) error {
		p.known = nil
		stones := playedStones(b, b.AppendHistory(nil))
		a, err = p.sendSwap2(ctx, b, stones, false)
		if err == nil && len(stones) > 0 && len(a.Moves) == 3 {
			a, err = p.sendSwap2(ctx, b, stones, true)
		}
		return err
	})
	return a, err
}

func (p *Program) sendSwap2(ctx context.Context, b game.Board, stones []placed, whose bool) (a opening.Answer, err error) {
	text := "SWAP2BOARD\r\n"
	for _, st := range stones {
		if whose {
			text += st.String() + "\r\n"
		} else {
			text += st.point.String() + "\r\n"
		}
	}
	if err := p.Send("%sDONE", text); err != nil {
		return a, err
	}
	line, err := p.awaitAnswer(ctx)
	if err != nil {
		return a, err
	}
	if word, _ := cut(line); word == "SWAP" {
		return opening.Answer{Swap: true}, nil
	}
	for _, word := range strings.Fields(line) {
		pt, err := parsePoint(word)
		if err != nil {
			return a, fmt.Errorf("answered %q, which is neither SWAP nor moves", subprocess.Shown(line))
		}
		m, err := ruled(b, pt)
		if err != nil {
			return a, err
		}
		a.Moves = append(a.Moves, m)
	}
	return a, nil
}
