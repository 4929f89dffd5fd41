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

func (p *Program) askSwap2(ctx context.Context, b game.Board, lim search.Limits, turn time.Duration) (a opening.Answer, err error) {
	if err := p.tellLimits(lim, turn); err != nil {
		return a, err
	}
	var text strings.Builder
	for _, st := range playedStones(b, b.AppendHistory(nil)) {
		fmt.Fprintf(&text, "%v\r\n", st.point)
	}
	if err := p.process.send("SWAP2BOARD\r\n%sDONE", text.String()); err != nil {
		return a, err
	}
	p.known = nil
	line, err := p.answer(ctx)
	if err != nil {
		return a, err
	}
	if word, _ := cut(line); word == "SWAP" {
		return opening.Answer{Swap: true}, nil
	}
	for _, text := range strings.Fields(line) {
		pt, err := parsePoint(text)
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
