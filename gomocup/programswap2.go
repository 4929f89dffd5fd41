// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/opening"
	"github.com/krow-lab/krow/search"
)

var _ opening.Player = (*Program)(nil)

// Swap2 asks the program by SWAP2BOARD. Its next move is asked for by BOARD, whatever came of the opening.
func (p *Program) Swap2(ctx context.Context, b game.Board, lim search.Limits) (a opening.Answer, err error) {
	err = p.question(ctx, b, lim, func(ctx context.Context, b game.Board, turn time.Duration) error {
		a, err = p.askSwap2(ctx, b, lim, turn)
		return err
	})
	return a, err
}

// askSwap2 sends the stones as the protocol has them, x,y. A program that passes such lines over proposes three stones
// again (Rapfi 0.43 does), and is told whose each stone is besides, as in BOARD.
func (p *Program) askSwap2(ctx context.Context, b game.Board, lim search.Limits, turn time.Duration) (opening.Answer, error) {
	if err := p.tellLimits(lim, turn); err != nil {
		return opening.Answer{}, err
	}
	p.known = nil
	stones := playedStones(b, b.AppendHistory(nil))
	a, err := p.sendSwap2(ctx, b, stones, false)
	if err == nil && len(stones) > 0 && len(a.Moves) == 3 {
		return p.sendSwap2(ctx, b, stones, true)
	}
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
	if err := p.process.send("%sDONE", text); err != nil {
		return a, err
	}
	line, err := p.answer(ctx)
	if err != nil {
		return a, err
	}
	if word, _ := cut(line); word == "SWAP" {
		return opening.Answer{Swap: true}, nil
	}
	for _, word := range strings.Fields(line) {
		pt, err := parsePoint(word)
		if err != nil {
			return a, fmt.Errorf("answered %q, which is neither SWAP nor moves", shown(line))
		}
		m, err := moveTo(b, pt)
		if err != nil {
			return a, &game.IllegalMoveError{Move: pt.String(), Ply: b.Ply(), Reason: err.Error()}
		}
		a.Moves = append(a.Moves, m)
	}
	return a, nil
}
