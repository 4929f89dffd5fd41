// SPDX-License-Identifier: Apache-2.0

package store

import (
	"strings"
	"testing"
)

// TestLeagueGamesAreFoundByIndex: a league's games are read without looking at the games of others.
func TestLeagueGamesAreFoundByIndex(t *testing.T) {
	s, err := Open(t.TempDir() + "/krow.db")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, query := range []string{
		"SELECT id FROM games WHERE 1 = 1 AND league = $1 AND number > $2 ORDER BY number",
		"SELECT id FROM games WHERE 1 = 1 AND league = $1 AND round = $2 ORDER BY number",
	} {
		type step struct {
			ID, Parent, Unused int
			Detail             string
		}
		steps, err := list[step](s, "EXPLAIN QUERY PLAN "+query, 1, 2)
		if err != nil || len(steps) == 0 || !strings.Contains(steps[0].Detail, "USING INDEX games_by_") {
			t.Errorf("%s: %+v, %v", query, steps, err)
		}
	}
}
