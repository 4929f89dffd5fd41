// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/record"
)

// Record returns r, a result of m, as a file of games has it; with the times of moves only if asked, since
// those are never the same twice.
func (m Match) Record(r Result, times bool) record.Game {
	g := record.Game{
		Index: r.Index, Game: m.Game.String(), A: m.A.Name, B: m.B.Name, Seed: m.Seed,
		First: [...]string{"a", "b"}[r.A], Opening: r.Opening, Moves: format(m.Game, r.Moves),
		Outcome: r.Outcome.String(), Result: record.Result(r.Outcome, r.A), Reason: r.Reason, Plies: len(r.Moves),
	}
	if times {
		for _, t := range r.Times {
			g.TimesUS = append(g.TimesUS, t.Microseconds())
		}
	}
	return g
}

func format(rules game.Game, moves []game.Move) string {
	words := make([]string, len(moves))
	for i, m := range moves {
		words[i] = rules.Format(m)
	}
	return strings.Join(words, " ")
}

// FromRecord returns the result of a game of rules that a file has. Its error says what in the record does
// not fit.
func FromRecord(rules game.Game, g record.Game) (Result, error) {
	p, err := g.Replay(rules)
	if err != nil {
		return Result{}, err
	}
	a, err := g.Side()
	if err != nil {
		return Result{}, err
	}
	o, err := record.ParseOutcome(g.Outcome)
	if err != nil {
		return Result{}, err
	}
	r := Result{
		Index: g.Index, A: a, Opening: g.Opening, Moves: p.AppendHistory(nil),
		Outcome: o, Reason: g.Reason, Forfeit: g.Forfeited(),
	}
	for _, us := range g.TimesUS {
		r.Times = append(r.Times, time.Duration(us)*time.Microsecond)
	}
	return r, nil
}
