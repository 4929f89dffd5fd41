// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"fmt"
	"slices"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/threat"
)

// mark is what a stone of a side on an empty cell would do.
type mark struct {
	side  game.Side
	glyph string
}

const (
	winsHere  = "*" // ends the game
	forbidden = "!" // loses it
)

// findMarks asks the rules about each stone that either side could place. A cell that says something to both
// has the mark of the side to move.
func findMarks(b game.Board, falls bool) map[int]mark {
	marks := map[int]mark{}
	if b.Outcome() != game.Ongoing {
		return marks
	}
	for _, s := range []game.Side{b.Turn().Other(), b.Turn()} {
		if p, ok := withTurn(b, s, falls); ok {
			markSide(marks, p, s)
		}
	}
	return marks
}

func markSide(marks map[int]mark, p game.Board, s game.Side) {
	f, _ := p.(game.Forbidder)
	for _, mv := range p.AppendMoves(nil) {
		cell := p.Cell(mv)
		if f != nil && f.Forbidden(mv) != "" {
			marks[cell] = mark{s, forbidden}
			continue
		}
		p.Play(mv)
		if p.Outcome() == game.WinFor(s) {
			marks[cell] = mark{s, winsHere}
		}
		p.Undo()
	}
}

// withTurn returns the same stones with s to move, where stones are the whole state. Where they fall, cells in
// the air count too: whoever will have to play below them decides many a game.
func withTurn(b game.Board, s game.Side, falls bool) (game.Board, bool) {
	g := b.Game()
	if lined, ok := b.(game.Lined); ok && falls {
		columns, rows := b.Size()
		flying, err := mnk.MNK(columns, rows, lined.K())
		if err != nil {
			return nil, false
		}
		g = flying
	} else if s == b.Turn() {
		return b.Clone().(game.Board), true
	}
	if part, ok := g.(interface{ StonesSuffice() bool }); ok && !part.StonesSuffice() {
		return nil, false
	}
	setter, canSet := g.(game.Setter)
	now, canTell := b.(game.Settable)
	if !canSet || !canTell {
		return nil, false
	}
	state := now.Setup()
	state.Turn = s
	p, err := setter.SetUp(state)
	if err != nil {
		return nil, false
	}
	return p.(game.Board), true
}

// winningRow returns the cells of the rows that won, if rows win here.
func (m *model) winningRow() []int {
	winner, won := m.p.Outcome().Winner()
	if !won {
		return nil
	}
	if m.small != nil {
		return smallRow(m.small, winner)
	}
	var cells []int
	for _, t := range m.threats {
		if t.Class == threat.Complete && t.Side == winner && (len(m.last) == 0 || slices.Contains(t.Cells, m.last[0])) {
			cells = append(cells, t.Cells...)
		}
	}
	return cells
}

// ending says who won, and with what.
func (m *model) ending() string {
	winner, won := m.p.Outcome().Winner()
	if !won {
		return m.p.Outcome().String()
	}
	text := fmt.Sprintf("%s (%s) wins", letter(winner), m.o.Players[winner].Name())
	if m.small != nil {
		return text + smallEnding(m.small, winner)
	}
	if len(m.row) > 0 {
		return text + " with " + m.span(m.row)
	}
	if why := m.foul(); why != "" {
		return text + ": " + why
	}
	if c, ok := m.p.(capturer); ok && c.Captured(winner) > 0 {
		return fmt.Sprintf("%s with %d captured pairs", text, c.Captured(winner))
	}
	return text
}

// capturer is a game in which pairs of stones are taken.
type capturer interface{ Captured(game.Side) int }

// foul says which forbidden move ended the game, if one did.
func (m *model) foul() string {
	why := game.Foul(m.p)
	if why == "" {
		return ""
	}
	return m.cellName(m.last[0]) + " is a " + why
}
