// SPDX-License-Identifier: Apache-2.0

// Package proven plays the winning side in positions whose value is proved. Its moves come from certificates, the files of
// package proof. They contain zones, or for Connect Four plans. A zone is the set of cells on which a stone of the loser could
// spoil the win. In a position for which no certificate has a move, it plays like another player.
//
//	game went through the position of a certificate,
//	whose winner is to move and has followed it since ── yes ──> the move of the certificate
//	     │ no
//	     └─────────────────────────────────────────────────────> the other player
//
// # Basics
//
//	s, err := proof.ReadStrategy(ctx, file, proof.Limits{})
//	p, err := proven.New(g, best, s)
//	m, err := p.Move(ctx, position, search.Limits{})
//
// # Caveats
//
// The moves of a certificate win, but not always quickly. After the winner has played a move that is not the move of the
// certificate, the other player chooses all later moves, even in positions of the certificate.
package proven

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/search"
)

// Player follows certificates.
type Player struct {
	all []*proof.Strategy
	of  player.Analyst
}

// New returns a player of g. It plays the move of the first certificate in the list all that has a move for the position. If no
// certificate has a move, it plays the move of another player, which is passed as the parameter of. Close also closes this
// other player.
func New(g game.Game, of player.Analyst, all ...*proof.Strategy) (*Player, error) {
	for _, s := range all {
		if err := Fits(g, s.Result().Claim); err != nil {
			return nil, err
		}
	}
	return &Player{all, of}, nil
}

// Fits returns nil if the claim of a certificate concerns a position of g, and otherwise an error with the reason.
func Fits(g game.Game, c proof.Claim) error {
	m, ok := g.(*mnk.Game)
	if ok {
		r, exact, forbids := m.Rules(), c.Rule == proof.Exact, c.Rule == proof.Renju
		ok = r.Columns == c.Columns && r.Rows == c.Rows && r.K == c.K && r.Exact == [2]bool{exact || forbids, exact} && r.Blocked == (c.Rule == proof.Caro) &&
			r.Gravity == c.Gravity && r.Opening == 1 && r.Turn == 1 && r.Captures == 0 && (r.Foul != nil) == forbids
	}
	if !ok {
		return fmt.Errorf("the certificate is for %d x %d cells, %d in a row and the rule %s, not for %s", c.Columns, c.Rows, c.K, c.Rule, g)
	}
	return nil
}

// Name returns "proof".
func (*Player) Name() string { return "proof" }

// Close closes the other player.
func (f *Player) Close() error {
	player.Close(f.of)
	return nil
}

// Scale returns the scale of the other player's scores: see player.UsualScale.
func (f *Player) Scale() float64 { return player.Scale(f.of) }

// Timed reports whether, under lim, the other player stops by time and not at a number of nodes or a depth.
func (f *Player) Timed(lim search.Limits) bool { return player.Timed(f.of, lim) }

// Move returns the move of a certificate, or the move of the other player.
func (f *Player) Move(ctx context.Context, p game.Position, lim search.Limits) (game.Move, error) {
	if m, ok := f.proved(p); ok {
		return m, nil
	}
	return f.of.Move(ctx, p, lim)
}

// Analyze returns a proved win if a certificate has a move for p. If no certificate has a move, or if lim asks for several
// lines, it returns the analysis of the other player.
func (f *Player) Analyze(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	m, ok := f.proved(p)
	if !ok || lim.Lines > 1 {
		return f.of.Analyze(ctx, p, lim, report)
	}
	info := search.Info{Depth: 1, Score: eval.Won, PV: []game.Move{m}, Nodes: 1, Solved: true}
	if report != nil {
		report(info)
	}
	return info, nil
}

// proved returns the move of the first certificate that has a move for p.
func (f *Player) proved(p game.Position) (game.Move, bool) {
	b := p.(game.Board) // p is a game.Board, because New has checked the game
	for _, s := range f.all {
		moves, ok := since(b, s.Result().Claim)
		if !ok || b.Turn().String() != s.Winner() {
			continue
		}
		c, ok := s.Move(moves)
		if !ok {
			continue
		}
		for _, m := range p.AppendMoves(nil) {
			if b.Cell(m) == c {
				return m, true
			}
		}
	}
	return game.NoMove, false
}

// PlannedMove returns the reason for the last move of a game, if this move is a move of s and s has reasons.
func PlannedMove(b game.Board, s *proof.Strategy) (r proof.PlannedMove, ok bool) {
	moves, ok := since(b, s.Result().Claim)
	if !ok || len(moves) == 0 {
		return r, false
	}
	last := len(moves) - 1
	r, ok = s.Planned(moves[:last])
	return r, ok && r.Cell == moves[last]
}

// Explain implements player.Explainer.
func (f *Player) Explain(p game.Position) string {
	b := p.(game.Board)
	for _, s := range f.all {
		if r, ok := PlannedMove(b, s); ok {
			columns, _ := b.Size()
			return explain(r, columns)
		}
	}
	return ""
}

// explain returns the reason for a move that was just played, as a sentence for the opponent. columns is the number of columns.
func explain(r proof.PlannedMove, columns int) string {
	name := func(cell int) string { return fmt.Sprintf("row %d of column %d", cell/columns+1, cell%columns+1) }
	number, err := strconv.Atoi(r.Why)
	switch {
	case r.Why == "block":
		return "I stop your row."
	case r.Why == "move":
		return "This move is in the certificate; a plan begins later."
	case r.Why == "first":
		return fmt.Sprintf("Here I begin a plan of %d rules.", len(r.Plan.Rules))
	case r.Why == "none" && r.Plan.Rightmost:
		return "No rule of my plan applies, so I play in the rightmost free column."
	case r.Why == "none":
		return "No rule of my plan applies, so I play in the leftmost free column."
	case err != nil:
		return ""
	}
	text := ""
	switch rule := r.Plan.Rules[number-1]; {
	case rule.Cell == proof.Even:
		text = "play on an even row. Above your stones, these are mine"
	case rule.After == proof.Always:
		text = fmt.Sprintf("play on %s as soon as possible", name(rule.Cell))
	case rule.After+columns == rule.Cell:
		text = fmt.Sprintf("when you play on %s, play above your stone", name(rule.After))
	default:
		text = fmt.Sprintf("if you have %s, play on %s", name(rule.After), name(rule.Cell))
	}
	return fmt.Sprintf("Rule %d of my plan: %s.", number, text)
}

// since returns the cells that were played after the position of claim c. ok is false if the game did not pass through that
// position.
func since(b game.Board, c proof.Claim) (cells []int, ok bool) {
	history := b.AppendHistory(nil)
	after := len(b.Cells()) - game.FreeCells(b) - (len(c.Cells) - strings.Count(c.Cells, "."))
	if after < 0 || after > len(history) {
		return nil, false
	}
	begin := b.Clone().(game.Board)
	for range after {
		begin.Undo()
	}
	for i, stone := range begin.Cells() {
		if ".XO"[stone] != c.Cells[i] {
			return nil, false
		}
	}
	ok = begin.Turn().String() == c.Turn
	for _, m := range history[len(history)-after:] {
		cells = append(cells, begin.Cell(m)) // where stones fall, the cell depends on the stones before the move
		begin.Play(m)
	}
	return cells, ok
}
