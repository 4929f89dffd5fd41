// SPDX-License-Identifier: Apache-2.0

package diagram_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/notation"
)

func after(t *testing.T, spec, moves string) game.Board {
	t.Helper()
	p := gametest.Must[game.Game](t)(krow.Game(spec)).Start()
	if err := notation.Play(p, moves); err != nil {
		t.Fatal(err)
	}
	return p.(game.Board)
}

// cells names cells as the games of points do.
func cells(b game.Board, list []int) string {
	columns, _ := b.Size()
	var names []string
	for _, c := range list {
		names = append(names, game.FormatCell(c, columns))
	}
	return strings.Join(names, " ")
}

// TestRemoved names the cells from which the last turn captured stones.
func TestRemoved(t *testing.T) {
	for moves, want := range map[string]string{"k10 k11 a1 k12 k13": "k11 k12", "k10 k11 a1 k12 k13 a3": ""} {
		b := after(t, "pente", moves)
		if got := cells(b, diagram.New(b).Removed); got != want {
			t.Errorf("%s: captured on %q, want %q", moves, got, want)
		}
	}
}

// TestBoard says what is drawn, and that nothing is changed by that.
func TestBoard(t *testing.T) {
	tests := []struct {
		name, game, moves string
		look, last, row   string
		reason            string
		left              int
		across            string // the last column
		captured          []int
	}{
		{"start", "gomoku", "", "points", "", "", "", 0, "o", nil},
		{"cells", "mnk:30,3,4", "ad1", "squares", "ad1", "", "", 0, "ad", nil},
		{"a row", "tictactoe", "a1 a3 b1 b3 c1", "squares", "c1", "a1 b1 c1", "", 0, "c", nil},
		{"two rows", "mnk:4,4,3", "a1 d4 a2 d3 b3 a4 c3 c4 a3", "squares", "a3", "a1 a2 a3 b3 c3", "", 0, "d", nil},
		{
			"only the row of the last move", "caro", "b1 a1 c1 g1 d1 a3 e1 a5 f1 a7 b3 a9 c3 a11 d3 a13 e3 a15 f3",
			"points", "f3", "b3 c3 d3 e3 f3", "", 0, "o", nil,
		},
		{"a foul", "renju", "h8 a1 h9 a3 f7 a5 g7 a7 h7", "points", "h7", "", "double three", 0, "o", nil},
		{"falling", "connect4", "44", "falling", "d2", "", "", 0, "7", nil},
		{"one row, not falling", "mnk:7,1,3", "a1", "squares", "a1", "", "", 0, "g", nil},
		{"the first turn", "connect6", "", "points", "", "", "", 1, "s", nil},
		{"a turn of two", "connect6", "j10", "points", "j10", "", "", 2, "s", nil},
		{"half a turn", "connect6", "j10 a1", "points", "a1", "", "", 1, "s", nil},
		{"a whole turn", "connect6", "j10 a1 b1", "points", "b1 a1", "", "", 2, "s", nil},
		{"captures", "pente", "k10 k11 a1 k12 k13", "points", "k13", "", "", 0, "s", []int{1, 0}},
		{"nested", "ultimate", "55 51", "nested", "d6", "", "", 0, "i", nil},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			b := after(t, tc.game, tc.moves)
			before := gametest.Picture(b)
			v := diagram.New(b)
			if gametest.Picture(b) != before {
				t.Error("the position has changed")
			}
			if v.Look != tc.look || cells(b, v.Last) != tc.last || cells(b, v.Row) != tc.row || v.Reason != tc.reason || v.Left != tc.left {
				t.Errorf("look %s, last %s, row %s, reason %q, left %d; want %+v", v.Look, cells(b, v.Last), cells(b, v.Row), v.Reason, v.Left, tc)
			}
			if got := v.Across[len(v.Across)-1]; got != tc.across || len(v.Across) != v.Columns || len(v.Up) != v.Rows {
				t.Errorf("the last of %d columns is %s, want %s", len(v.Across), got, tc.across)
			}
			if diff := cmp.Diff(tc.captured, v.Captured); diff != "" {
				t.Errorf("captured (-want +got)\n%s", diff)
			}
		})
	}
}

func TestForbidden(t *testing.T) {
	v := diagram.New(after(t, "renju", "h8 a1 h9 a3 f7 a5 g7 a7"))
	want := []diagram.Forbidden{{Move: "h7", Cell: 97, Why: "double three"}}
	if diff := cmp.Diff(want, v.Forbidden); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if len(v.Moves) != 225-8 || len(v.Targets) != len(v.Moves) {
		t.Errorf("%d moves and %d targets", len(v.Moves), len(v.Targets))
	}
}

// TestSmall shows small boards: one that is won, one that is full, and those that win the game.
func TestSmall(t *testing.T) {
	const won = "12 21 16 63 34 42 23 35 57 72 25 51 13 32 27 73 31 19 95 52 37 71"
	v := diagram.New(after(t, "ultimate", "55 51"))
	if v.Small.Forced != 0 || v.Blocks != "........." {
		t.Errorf("after two moves: forced %d, blocks %s", v.Small.Forced, v.Blocks)
	}
	v = diagram.New(after(t, "ultimate", won))
	if diff := cmp.Diff([]int{1, 2}, v.Small.Won(game.First)); diff != "" || !v.Small.Closed[1] || v.Small.Closed[0] || v.Blocks[:3] != ".xx" {
		t.Errorf("before the end: %+v, blocks %s", v.Small, v.Blocks)
	}
	v = diagram.New(after(t, "ultimate", won+" 11"))
	if diff := cmp.Diff([]int{0, 1, 2}, v.Small.Row); diff != "" {
		t.Errorf("the row that won (-want +got)\n%s", diff)
	}
	if v.Small.Owner[0] != game.FirstStone || diagram.New(after(t, "gomoku", "")).Small != nil {
		t.Errorf("owners %v", v.Small.Owner)
	}
}

func names(points []diagram.Point) string {
	var all []string
	for _, p := range points {
		all = append(all, p.Side[:1]+" "+p.Move)
	}
	return strings.Join(all, ", ")
}

func TestOverlay(t *testing.T) {
	tests := []struct{ name, game, moves, wins, forks string }{
		{"both sides", "tictactoe", "a1 a3 b1 b3", "f c1, s c3", ""},
		{"a fork", "mnk:5,5,4", "a2 e5 b2 e4 c3 d5 c4", "", "f c2"},
		{"one stone left of a turn", "connect6:13", "g7 a1 b1 h8 i9 d1 e1 j10", "s c1, s f1", ""},
		{"two stones to six", "connect6:13", "g7 a1 b1 h8 i9 d1 e1 j10 m1", "s c1, s f1, f e5, f f6, f k11, f l12", ""},
		{"falling", "connect4", "4 1 5 1", "", "f 3, f 6"},
		{"one side", "ultimate", "55", "", ""},
		{"over", "tictactoe", "a1 a3 b1 b3 c1", "", ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			o := diagram.NewOverlay(after(t, tc.game, tc.moves), nil)
			if names(o.Wins) != tc.wins || names(o.Forks) != tc.forks {
				t.Errorf("wins %s, forks %s; want %s and %s", names(o.Wins), names(o.Forks), tc.wins, tc.forks)
			}
		})
	}
	b := after(t, "gomoku", "h8 a1 h9")
	scorer, err := krow.ScorerBy(spec.Untrusted, b.Game(), "mics")
	if err != nil {
		t.Fatal(err)
	}
	o := diagram.NewOverlay(b, scorer)
	if len(o.Values) != 225-3 || len(o.Threats) != 1 || o.K != 5 {
		t.Errorf("%d values, threats %+v, k %d", len(o.Values), o.Threats, o.K)
	}
}

func TestMarks(t *testing.T) {
	tests := []struct{ name, game, moves, winning, forbidden string }{
		{"both sides", "tictactoe", "a1 a3 b1 b3", "f c1, s c3", ""},
		{"in the air", "connect4", "5 7 6 5 1 6 1 7", "s d2", ""},
		{"forbidden to the side that waits", "renju", "h8 a1 h9 a3 f7 a5 g7", "", "f h7"},
		{"over", "tictactoe", "a1 a3 b1 b3 c1", "", ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			b := after(t, tc.game, tc.moves)
			columns, _ := b.Size()
			marks := diagram.Marks(b)
			named := func(forbidden bool) string {
				var all []string
				for _, cell := range slices.Sorted(maps.Keys(marks)) {
					if m := marks[cell]; m.Forbidden == forbidden {
						all = append(all, m.Side.String()[:1]+" "+game.FormatCell(cell, columns))
					}
				}
				return strings.Join(all, ", ")
			}
			if named(false) != tc.winning || named(true) != tc.forbidden {
				t.Errorf("winning %s, forbidden %s; want %s and %s", named(false), named(true), tc.winning, tc.forbidden)
			}
		})
	}
}

func TestLine(t *testing.T) {
	b := after(t, "gomoku", "e8 a1 f8 c1")
	made := func(ctx context.Context, line string, few int) string {
		steps, err := diagram.Line(ctx, b, line, few)
		if err != nil {
			return err.Error()
		}
		var all []string
		for _, s := range steps {
			all = append(all, strings.TrimSpace(s.Side[:1]+" "+s.Move+" "+s.Makes))
		}
		return strings.Join(all, ", ")
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tc := range []struct {
		ctx  context.Context
		line string
		few  int
		want string
	}{
		{t.Context(), "g8d8h8", 40, "f g8 three, s d8, f h8 four"},
		{t.Context(), "g8 d8 h8", 1, "f g8 three, s d8, f h8"},
		{done, "g8 d8 h8", 40, "context canceled"},
		{t.Context(), "", 40, ""},
		{t.Context(), "g8 z9", 40, `move 2: "z9" is not a cell of this board`},
		{t.Context(), "g8 e8", 40, `move 2: "e8" is illegal here`},
	} {
		if got := made(tc.ctx, tc.line, tc.few); got != tc.want {
			t.Errorf("%s, %d: %s, want %s", tc.line, tc.few, got, tc.want)
		}
	}
	if moves := notation.FormatMoves(b.Game(), b.AppendHistory(nil)); moves != "e8 a1 f8 c1" {
		t.Errorf("the position has changed: %s", moves)
	}
}
