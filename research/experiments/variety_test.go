// SPDX-License-Identifier: Apache-2.0

package experiments

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/research"
	"github.com/krow-lab/krow/research/report"
)

// pieces is a store in memory, for one goroutine at a time.
type pieces map[string][]byte

func (p pieces) Piece(key string) ([]byte, error) { return p[key], nil }

func (p pieces) PutPiece(key string, value []byte) error {
	p[key] = value
	return nil
}

// TestVarietyQuick computes the small grid twice. The report of what the first store has is that of the second.
func TestVarietyQuick(t *testing.T) {
	st, err := Find("variety")
	if err != nil {
		t.Fatal(err)
	}
	store := pieces{}
	want, err := st.Report(t.Context(), &research.Session{Store: store, Quick: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*research.Session{{Store: store, Quick: true, ReadOnly: true}, {Store: pieces{}, Quick: true}} {
		got, err := st.Report(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("read only %t (-want +got):\n%s", s.ReadOnly, d)
		}
	}
	if err := report.Write(t.TempDir(), want); err != nil {
		t.Error(err)
	}
}

// TestVarietyBoards: every player of the full grid can be made, and every match has whole pairs of games.
func TestVarietyBoards(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	for _, b := range varietyBoards {
		g, err := krow.Game(b.game)
		if err != nil {
			t.Fatal(err)
		}
		for _, depth := range varietyDepths {
			for _, m := range b.matches(depth) {
				for _, c := range []research.Contender{m.A, m.B} {
					if _, err := krow.Player(g, c.Spec, 1); err != nil || m.Games%2 != 0 {
						t.Errorf("%s, %d games: %s: %v", b.game, m.Games, c.Spec, err)
					}
				}
			}
		}
	}
	if len(varietyBoards) < 12 {
		t.Errorf("%d boards, want 12 or more", len(varietyBoards))
	}
}

// TestVarietyLeaders rates a cell in which lines beats mics or draws with it.
func TestVarietyLeaders(t *testing.T) {
	b := varied{"connect4", []research.Contender{research.Named("mics"), research.Named("lines")}, 4, 40, 0}
	tests := []struct {
		name string
		wins int // of 20 pairs that lines wins twice; the others it wins once and loses once
		want []string
	}{
		{"all", 20, []string{"lines"}},
		{"most", 12, []string{"lines"}},
		{"one", 1, []string{"lines", "mics"}},
		{"none", 0, []string{"lines", "mics"}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			c := varietyCell{board: b, depth: 2, matches: b.matches(2), played: []research.Played{{}}}
			c.matches[0].A.Name, c.matches[0].B.Name = heuristicOf(c.matches[0].A.Name), heuristicOf(c.matches[0].B.Name)
			for i := range 20 {
				second := game.SecondWins // of A, who is first in the first game of a pair
				if i >= tc.wins {
					second = game.FirstWins
				}
				c.played[0].Results = append(c.played[0].Results,
					record.Game{Outcome: second, A: game.First}, record.Game{Outcome: game.FirstWins, A: game.Second})
			}
			table := report.Table{Columns: []string{"heuristic"}, Rows: [][]string{{"mics"}, {"lines"}}}
			got, err := c.rate(&table)
			if d := cmp.Diff(tc.want, got); d != "" || err != nil {
				t.Errorf("leaders, %v (-want +got):\n%s", err, d)
			}
			if len(table.Columns) != 3 || len(table.Rows[0]) != 3 || len(table.Rows[1]) != 3 {
				t.Errorf("table %+v", table)
			}
		})
	}
}
