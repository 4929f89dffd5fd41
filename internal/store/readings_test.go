// SPDX-License-Identifier: Apache-2.0

package store

import (
	"path/filepath"
	"testing"
)

// TestReadings opens a database of the time when the published texts were read in one way: what it holds keeps that reading.
func TestReadings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "krow.db")
	s, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	statements := append(dropSince(t, 6), "DELETE FROM goose_db_version WHERE version_id >= 3")
	learners := []struct{ learner, game, want string }{
		{"qlearning", "mnk:4,4,3", "qlearning:importance=value,end=zero,gap=least"},
		{"qlearning:20,end=keep", "connect4", "qlearning:20,end=keep,importance=value,gap=least"},
		{"td:lambda=0.5", "mnk:4,4,3", "td:lambda=0.5,importance=value,gap=least"},
		{"spsa", "gomoku:9", "spsa:target=generic(gap=least)"},
		{"spsa:games=300,target=generic(3)", "gomoku:9", "spsa:games=300,target=generic(gap=least,3)"},
		{"cmaes:target=generic", "gomoku:9", "cmaes:target=generic(gap=least)"},
		{"cmaes:target=mics", "gomoku:9", "cmaes:target=mics"},
		{"regression:depth=1", "gomoku:9", "regression:depth=1,gap=least"},
		{"regression", "ultimate", "regression"},
		{"genetic:generations=2", "ultimate", "genetic:generations=2"},
		{"patterns", "gomoku", "patterns"},
	}
	for _, l := range learners {
		key := l.learner + " " + l.game + " seed=7"
		statements = append(statements,
			"INSERT INTO runs (kind, key, spec, step, steps, done, created, updated) VALUES ('learn', '"+key+"', '"+
				`{"learner":"`+l.learner+`","game":"`+l.game+`","seed":7}`+"', 0, 5, 0, 0, 0)",
			"INSERT INTO cells (study, variant, cell, result, updated) VALUES ('state', '"+key+"', '1', '', 0)")
	}
	players := []struct{ player, want string }{
		{"alphabeta:depth=4,eval=generic", "alphabeta:depth=4,eval=brute(gap=least)"},
		{"alphabeta:eval=generic,terminal=exact", "alphabeta:eval=brute(gap=least),terminal=exact"},
		{"alphabeta:eval=generic(weights=w.json)", "alphabeta:eval=generic(weights=w.json)"},
		{"minimax:eval=shevchenko", "minimax:eval=shevchenko(gap=least)"},
		{"minimax:eval=shevchenko(closed=off)", "minimax:eval=shevchenko(gap=least,closed=off)"},
		{"alphabeta:eval=chua", "alphabeta:eval=chua(gap=least)"},
		{"human", "human"},
	}
	for _, p := range players {
		statements = append(statements, "INSERT INTO games (game, first, second, moves, outcome, reason, played) VALUES ('gomoku', '"+
			p.player+"', 'alphabeta:eval=generic', '', '', '', 0)")
	}
	execute(t, file, append(statements, withoutExplorer...)...)
	if s, err = Open(file); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i, l := range learners {
		key := l.want + " " + l.game + " seed=7"
		var got, spec string
		var kept int
		if err := s.writer.QueryRow("SELECT key, spec FROM runs WHERE id = $1", i+1).Scan(&got, &spec); err != nil {
			t.Fatal(err)
		}
		if want := `{"learner":"` + l.want + `","game":"` + l.game + `","seed":7}`; got != key || spec != want {
			t.Errorf("%s: key %s, spec %s, want %s and %s", l.learner, got, spec, key, want)
		}
		if err := s.writer.QueryRow("SELECT count(*) FROM cells WHERE variant = $1", key).Scan(&kept); err != nil || kept != 1 {
			t.Errorf("%s: %d states, %v", l.learner, kept, err)
		}
	}
	for i, p := range players {
		var first, second string
		if err := s.writer.QueryRow("SELECT first, second FROM games WHERE id = $1", i+1).Scan(&first, &second); err != nil {
			t.Fatal(err)
		}
		if first != p.want || second != "alphabeta:eval=brute(gap=least)" {
			t.Errorf("%s is now %s, against %s, want %s", p.player, first, second, p.want)
		}
	}
}
