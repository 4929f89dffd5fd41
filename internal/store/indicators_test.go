// SPDX-License-Identifier: Apache-2.0

package store

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestIndicators opens a database of the time when the indicators had hand-set weights: what it holds names them.
func TestIndicators(t *testing.T) {
	file := filepath.Join(t.TempDir(), "krow.db")
	s, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	const hand = "eval=indicators(weights=hand,path=off)"
	players := []struct{ old, want string }{
		{"minimax:depth=4,eval=indicators", "minimax:depth=4," + hand},
		{"minimax", "minimax:" + hand},
		{"minimax:depth=2", "minimax:depth=2," + hand},
		{"greedy:eval=indicators(block=on)", "greedy:eval=indicators(weights=hand,path=off,block=on)"},
		{"minimax:eval=indicators(weights=bred.json)", "minimax:eval=indicators(path=off,weights=bred.json)"},
		{"alphabeta:eval=indicators(path=on),hash=0", "alphabeta:eval=indicators(weights=hand,path=on),hash=0"},
		{"minimax:eval=none", "minimax:eval=none"},
		{"ultimate:level=3", "ultimate:level=3"},
	}
	statements := append(dropSince(t, 6), "DELETE FROM goose_db_version WHERE version_id >= 4")
	match := func(game string, name func(i int) string) string {
		var all []string
		for i := range players {
			all = append(all, `"`+name(i)+`"`)
		}
		return `{"game":"` + game + `","players":[` + strings.Join(all, ",") + `],"games":2}`
	}
	old := func(i int) string { return players[i].old }
	for _, p := range players {
		for _, game := range []string{"ultimate:won=open", "gomoku"} {
			statements = append(statements, "INSERT INTO games (game, first, second, moves, outcome, reason, played) VALUES ('"+game+"', '"+p.old+"', '"+p.old+"', '', '', '', 0)")
		}
	}
	for _, game := range []string{"ultimate", "gomoku"} {
		spec := match(game, old)
		statements = append(statements, "INSERT INTO runs (kind, key, spec, step, steps, done, created, updated) VALUES ('web match', '"+spec+"', '"+spec+"', 0, 5, 0, 0, 0)")
	}
	execute(t, file, append(statements, withoutExplorer...)...)
	if s, err = Open(file); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i, p := range players {
		for j, want := range []string{p.want, p.old} {
			var first, second string
			if err := s.writer.QueryRow("SELECT first, second FROM games WHERE id = $1", 2*i+j+1).Scan(&first, &second); err != nil {
				t.Fatal(err)
			}
			if first != want || second != want {
				t.Errorf("%s, game %d: %s and %s, want %s", p.old, 2*i+j+1, first, second, want)
			}
		}
	}
	for i, want := range []string{match("ultimate", func(i int) string { return players[i].want }), match("gomoku", old)} {
		var key, spec string
		if err := s.writer.QueryRow("SELECT key, spec FROM runs WHERE id = $1", i+1).Scan(&key, &spec); err != nil {
			t.Fatal(err)
		}
		if key != want || spec != want {
			t.Errorf("match %d: key %s, spec %s, want %s", i+1, key, spec, want)
		}
	}
}
