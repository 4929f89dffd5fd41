// SPDX-License-Identifier: Apache-2.0

package experiments

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/qlearning"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/research"
	"github.com/krow-lab/krow/research/published"
	"github.com/krow-lab/krow/research/report"
)

// empty is a store that has nothing and takes nothing.
type empty struct{}

var errTaken = errors.New("something was put")

func (empty) Piece(string) ([]byte, error)  { return nil, nil }
func (empty) PutPiece(string, []byte) error { return errTaken }

// A report is made of what is kept and of nothing else: with nothing kept there is none, of any study.
func TestReportsComputeNothing(t *testing.T) {
	names := map[string]bool{}
	for _, s := range All() {
		if names[s.Name] || s.Name == "" || s.Doc == "" {
			t.Errorf("%q: a name comes once and says what it is", s.Name)
		}
		names[s.Name] = true
		for _, reading := range append(s.Readings, research.Reading{}) {
			for _, quick := range []bool{false, true} {
				session := &research.Session{Store: empty{}, ReadOnly: true, Quick: quick, Reading: reading.Name}
				if _, err := s.Report(t.Context(), session); !errors.Is(err, research.ErrMissing) {
					t.Errorf("%s, %s, quick=%t: %v, want %v", s.Name, reading.Name, quick, err, research.ErrMissing)
				}
			}
		}
		if got, err := Find(s.Name); err != nil || got.Doc != s.Doc {
			t.Errorf("%s is not found", s.Name)
		}
	}
	if _, err := Find("nothing"); err == nil {
		t.Error("a study that does not exist is found")
	}
}

func TestPairs(t *testing.T) {
	a, b, c := research.Named("a"), research.Named("b"), research.Named("c")
	var got []string
	for _, m := range pairs([]research.Contender{a, b, c}, research.Match{Game: "connect4", Games: 6}) {
		got = append(got, m.Title())
		if m.Games != 6 {
			t.Errorf("%s: %d games, want 6", m.Title(), m.Games)
		}
	}
	want := []string{"connect4: a - b", "connect4: a - c", "connect4: b - c"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("pairs (-want +got):\n%s", d)
	}
}

func TestScore(t *testing.T) {
	tests := []struct {
		outcome game.Outcome
		a       game.Side
		wantA   int
		wantB   int
	}{
		{game.FirstWins, game.First, 2, 0},
		{game.FirstWins, game.Second, 0, 2},
		{game.SecondWins, game.First, 0, 3},
		{game.SecondWins, game.Second, 3, 0},
		{game.Draw, game.First, 1, 1},
	}
	for _, tc := range tests {
		if a, b := score(record.Game{Outcome: tc.outcome, A: tc.a}); a != tc.wantA || b != tc.wantB {
			t.Errorf("%v, A as %v: %d and %d points, want %d and %d", tc.outcome, tc.a, a, b, tc.wantA, tc.wantB)
		}
	}
}

func TestAnswerOfInterval(t *testing.T) {
	for want, e := range map[string]stats.Estimate{
		"yes": {Lo: 1, Hi: 30}, "no": {Lo: -30, Hi: -1}, "not significant": {Lo: -1, Hi: 1},
	} {
		if got := formatAnswer(e); got != want {
			t.Errorf("%+v: %s, want %s", e, got, want)
		}
	}
}

// TestPairings: every published pairing is asked, on boards of more than k columns, tables that repeat others not.
func TestPairings(t *testing.T) {
	order, boards := pairings(&research.Session{})
	if len(order) != 12 {
		t.Errorf("%d questions, want 12", len(order))
	}
	for _, q := range order {
		if len(boards[q]) != 11-q.k {
			t.Errorf("%+v: %d boards, want %d", q, len(boards[q]), 11-q.k)
		}
		for _, c := range boards[q] {
			if c.K != q.k || c.Family != q.family || c.Opponent != q.opponent || c.Size <= c.K {
				t.Errorf("%+v: not %s", q, c.Game)
			}
		}
	}
}

func TestVerdict(t *testing.T) {
	fixed, a, b, c := research.Named("fixed"), research.Named("a"), research.Named("b"), research.Named("c")
	matches := []research.Match{{A: fixed, B: a}, {A: fixed, B: b}, {A: fixed, B: c}, {A: a, B: b}}
	played := make([]research.Played, 4)
	played[0].Pentanomial = stats.Pentanomial{90, 5, 5, 0, 0} // a beats fixed
	played[1].Pentanomial = stats.Pentanomial{0, 0, 5, 5, 90}
	played[2].Pentanomial = stats.Pentanomial{10, 0, 80, 0, 10}
	played[3].Pentanomial = stats.Pentanomial{100, 0, 0, 0, 0} // not fixed's
	got := verdict("fixed", matches, played)
	better, worse, _ := strings.Cut(got, "Weaker")
	if !strings.Contains(better, "`a` +") || strings.Contains(better, "`b`") || !strings.Contains(worse, "`b` -") || strings.Contains(got, "`c`") {
		t.Errorf("%s", got)
	}
	if got := verdict("a", matches[:3], played); !strings.HasSuffix(got, "above 0: none. Weaker: none.") {
		t.Errorf("%s", got)
	}
}

// TestPairedGames: the same pair of two matches alike is named alike, and no other.
func TestPairedGames(t *testing.T) {
	played := research.Played{Results: []record.Game{
		{Outcome: game.FirstWins, A: game.First},
		{Outcome: game.Draw, A: game.Second},
		{Outcome: game.FirstWins, A: game.First},
		{Outcome: game.SecondWins, A: game.Second},
	}}
	one := pairedGames(research.Match{Game: "connect4", A: research.Named("a"), B: research.Named("b"), Seed: 7, Plies: 4}, played)
	if len(one) != 2 || one[0].Counts.Pairs != (stats.Pentanomial{3: 1}) || one[1].Counts.Pairs != (stats.Pentanomial{4: 1}) {
		t.Errorf("%+v, want 1.5 points and 2", one)
	}
	same := pairedGames(research.Match{Game: "connect4", A: research.Named("c"), B: research.Named("b"), Seed: 7, Plies: 4}, played)
	other := pairedGames(research.Match{Game: "connect4", A: research.Named("a"), B: research.Named("b"), Seed: 7, Plies: 6}, played)
	if one[0].Shared != same[0].Shared || one[0].Shared == one[1].Shared || one[0].Shared == other[0].Shared {
		t.Errorf("%+v, %+v and %+v", one, same, other)
	}
}

func TestLearningCurves(t *testing.T) {
	point := func(step int, v map[string]float64) learn.CurvePoint { return learn.CurvePoint{Step: step, Values: v} }
	c := learningCurves("", "step", map[string][]learn.CurvePoint{
		"b": {point(1, map[string]float64{"best": 0.5}), point(2, nil), point(3, map[string]float64{"best": 0.75})},
		"a": {point(1, map[string]float64{"mean": 1})},
	}, []string{"best"})
	want := []report.Series{{Name: "b", X: []float64{1, 3}, Y: []float64{0.5, 0.75}}}
	if d := cmp.Diff(want, c.Series); d != "" {
		t.Errorf("curves (-want +got):\n%s", d)
	}
}

func TestAgreementGrid(t *testing.T) {
	var rows []published.Row
	for _, c := range published.Cells() {
		if c.Table == "4.1" && c.Size <= 4 {
			rows = append(rows, published.Row{Cell: c, Result: published.Result{Verdict: published.Draw}})
		}
	}
	g := agreementGrid(rows)
	want := [][]report.Cell{{{Text: "D", Tone: report.Agree}, {Text: "D (L)", Tone: report.Differ}}}
	if d := cmp.Diff(want, g.Cells); d != "" {
		t.Errorf("grid (-want +got):\n%s", d)
	}
}

// full is a store that has room for so many pieces.
type full struct {
	pieces map[string][]byte
	room   int
}

func (f *full) Piece(key string) ([]byte, error) { return f.pieces[key], nil }

func (f *full) PutPiece(key string, value []byte) error {
	if len(f.pieces) == f.room {
		return errTaken
	}
	f.pieces[key] = value
	return nil
}

// TestChallengeCut: what was played before the study was cut counts, is not played again, and is told.
func TestChallengeCut(t *testing.T) {
	store, text := &full{map[string][]byte{}, 5}, func(d *report.Document) string { return fmt.Sprint(d.Blocks) }
	session := func(readOnly bool) *research.Session {
		return &research.Session{Store: store, ReadOnly: readOnly, Quick: true, Players: []string{"rules", "random"}}
	}
	if _, err := challenge(t.Context(), session(false)); !errors.Is(err, errTaken) {
		t.Fatalf("%v, want %v", err, errTaken)
	}
	d, err := challenge(t.Context(), session(true))
	if err != nil || !strings.Contains(text(d), "5 of 14 games were played so far") || !strings.Contains(text(d), "missing on: `mnk:4,4,3`, `mnk:4,4,4`, `mnk:5,4,4`") {
		t.Fatalf("%v: %v", err, d)
	}
	first := maps.Clone(store.pieces)
	store.room = 14
	if _, err := challenge(t.Context(), session(false)); err != nil {
		t.Fatal(err)
	}
	for key, value := range first {
		if !bytes.Equal(store.pieces[key], value) {
			t.Errorf("%s was played again", key)
		}
	}
	if d, err := challenge(t.Context(), session(true)); err != nil || !strings.Contains(text(d), "All 14 games were played.") {
		t.Fatalf("%v: %v", err, d)
	}
}

func TestChanges(t *testing.T) {
	point := func(open float64) learn.CurvePoint {
		v := qlearning.Values(generic.Fixed(3))
		v["own-open-1"], v["plies"] = open, 9
		return learn.CurvePoint{Values: v}
	}
	changed, never, all, err := changes("mnk:3,3,3", []learn.CurvePoint{point(80), point(80), point(100)})
	if d := cmp.Diff([]int{1, 0, 1}, changed); err != nil || d != "" || never != 7 || all != 8 {
		t.Errorf("%v: %d of %d never changed, want 7 of 8, and changes (-want +got):\n%s", err, never, all, d)
	}
}

// TestPairingsOfRobust plays two pairings, forgets a game, and does not report what is left.
func TestPairingsOfRobust(t *testing.T) {
	cells := func(games ...string) (all []published.Cell) {
		for _, c := range published.Cells() {
			if c.Opponent == published.Brute && c.MovesFirst && c.Family != "tictactoe" && slices.Contains(games, c.Game) {
				all = append(all, c)
			}
		}
		return all
	}
	falls, lies := pairing{"connect4", published.Brute, 3}, pairing{"gomoku", published.Brute, 3}
	boards := map[pairing][]published.Cell{falls: cells("connect4:4x4,k=3", "connect4:5x5,k=3"), lies: cells("mnk:4,4,3")}
	store := pieces{}
	play := func(readOnly bool) (string, error) {
		s := &research.Session{Store: store, Quick: true, ReadOnly: readOnly, Dir: t.TempDir()}
		matches, played, err := playPairings(t.Context(), s, []pairing{lies, falls}, boards)
		text := ""
		for i, m := range matches {
			text += fmt.Sprintf("%s %d ", m.Game, played[i].Games)
		}
		return text, err
	}
	if _, err := play(true); !errors.Is(err, research.ErrMissing) {
		t.Errorf("nothing is there: %v", err)
	}
	if got, err := play(false); got != "connect4:4x4,k=3 8 connect4:5x5,k=3 8 mnk:4,4,3 8 " || err != nil {
		t.Errorf("played: %s, %v", got, err)
	}
	for key := range store {
		if strings.HasPrefix(key, "match/1/connect4:5x5") && strings.HasSuffix(key, "/7") {
			delete(store, key)
		}
	}
	if got, err := play(true); !errors.Is(err, research.ErrMissing) {
		t.Errorf("less a game: %s, %v", got, err)
	}
}
