// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/record"
)

// results makes games of a word for each: who won, first or second, or draw; a "!" says by forfeit.
func results(words string) []record.Game {
	var rs []record.Game
	for i, w := range strings.Fields(words) {
		r := record.Game{Index: i, A: seatOfA(i), Outcome: game.Draw, Reason: record.ReasonWin}
		if strings.HasSuffix(w, "!") {
			r.Reason = record.ReasonTime
		}
		switch strings.TrimSuffix(w, "!") {
		case "first":
			r.Outcome = game.FirstWins
		case "second":
			r.Outcome = game.SecondWins
		}
		rs = append(rs, r)
	}
	return rs
}

// A is first in the even games, so A wins games 0, 3 and 4, the last of them half a pair.
func TestTally(t *testing.T) {
	tally := Tally{SPRT: &stats.SPRT{Elo1: 10}}
	for _, r := range results("first draw second! second first!") {
		tally.Add(r)
	}
	got, err := json.Marshal(tally.Summary())
	if err != nil {
		t.Fatal(err)
	}
	var s map[string]any
	if err := json.Unmarshal(got, &s); err != nil {
		t.Fatal(err)
	}
	// Pairs of 3/2 and 1 point and a single won: 7/2 points of 5.
	want := map[string]float64{
		"games": 5, "a_wins": 3, "draws": 1, "b_wins": 1, "first_wins": 2, "second_wins": 2,
		"forfeits": 2, "a_forfeits": 1, "b_forfeits": 1, "elo": stats.Elo(0.7),
	}
	for name, n := range want {
		if got, ok := s[name].(float64); !ok || math.Abs(got-n) > 1e-9 {
			t.Errorf("%s is %v, want %v", name, s[name], n)
		}
	}
	for _, name := range []string{"elo_error", "los", "llr", "pentanomial"} {
		if s[name] == nil {
			t.Errorf("there is no %s in %s", name, got)
		}
	}
	if s["sprt"] != nil {
		t.Errorf("sprt is %v before there is a decision", s["sprt"])
	}
	if p := tally.Summary().Pentanomial; p != (stats.Pentanomial{0, 0, 1, 1, 0}) {
		t.Errorf("pentanomial %v, want a pair of 1 and one of 3/2", p)
	}
}

// The test decides between pairs only, and the summary says what.
func TestTallyDecides(t *testing.T) {
	tally := Tally{SPRT: &stats.SPRT{Elo1: 200}}
	n := 0
	for !tally.decided() {
		tally.Add(record.Game{Index: n, A: seatOfA(n), Outcome: game.WinFor(seatOfA(n))})
		n++
	}
	if s := tally.Summary(); n%2 != 0 || s.SPRT != "accepted H1" || *s.LLR < 2.944 {
		t.Errorf("after %d wins of A: %+v", n, s)
	}
}
