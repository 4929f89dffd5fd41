// SPDX-License-Identifier: Apache-2.0

package match

import (
	"strings"

	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/store"
	"github.com/krow-lab/krow/record"
)

// KeepFile keeps the games of a match of two players in a file, which is FILE.part until the match is over. Games that
// an interrupted run has left there are not played again. The file must be closed after Run.
func (m *Match) KeepFile(path string) (closeFile func() error, err error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	w, games, err := record.Open(path, m.pairings()[0].String(), catalog.Game)
	if err != nil {
		return nil, err
	}
	m.keep, m.finish = w.Write, w.Commit
	return w.Close, m.resume(games)
}

// resume takes in the games of an earlier run.
func (m *Match) resume(games []record.Game) error {
	for _, g := range games {
		r, err := arena.FromRecord(m.Terms.Game, g)
		if err != nil {
			return err
		}
		m.kept = append(m.kept, r)
	}
	return nil
}

// KeepRun keeps the games of a round robin as those of a run of the store, whose steps are games. It returns those that
// the run has, which are not played again. Each game is in the store before the next one is counted.
func (m *Match) KeepRun(db *store.Store, r *store.Run) ([]store.Game, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	games, err := db.Games(r.ID)
	if err != nil {
		return nil, err
	}
	pairs, kept := m.pairings(), make([]record.Game, len(games))
	for i, g := range games {
		pair := pairs[min(i/m.Terms.Games, len(pairs)-1)]
		k := record.Game{
			Index: i % m.Terms.Games, Game: g.Game, A: pair.A.Name, B: pair.B.Name, First: "a", Moves: g.Moves,
			Outcome: g.Outcome, Reason: g.Reason, Plies: len(strings.Fields(g.Moves)),
		}
		a := game.First
		if g.First != k.A {
			a, k.First = game.Second, "b"
		}
		o, err := record.ParseOutcome(g.Outcome)
		if err != nil {
			return nil, err
		}
		k.Opening, k.Result = min(pair.RandomPlies, k.Plies), record.Result(o, a)
		kept[i] = k
	}
	m.keep = func(g record.Game) error {
		first, second := g.A, g.B
		if g.First == "b" {
			first, second = second, first
		}
		if err := db.AddGame(store.Game{Run: r.ID, Game: g.Game, First: first, Second: second, Moves: g.Moves, Outcome: g.Outcome, Reason: g.Reason}); err != nil {
			return err
		}
		return db.SaveStep(r, []byte("{}"), store.Point{Step: r.Step + 1, Games: uint64(r.Step) + 1, Values: map[string]float64{}})
	}
	m.finish = func() error { return db.Finish(r) }
	return games, m.resume(kept)
}
