// SPDX-License-Identifier: Apache-2.0

package opening_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player/opening"
	"github.com/krow-lab/krow/search"
)

const ten = "a1 b1 c1 d1 e1 f1 g1 h1 a3 b4"

// Each branch of the rules: who is asked what, and who plays Black in the end.
func TestSession(t *testing.T) {
	tests := []struct {
		name, rule, answers string
		asked               string // who was asked before each answer
		black, stones       int
		moves               string
	}{
		{"no swap at all", opening.Taraguchi10, "h9; i9; j9; j8; a1", "10101", 0, 6, "h8 h9 i9 j9 j8 a1"},
		{"a swap before the second stone", opening.Taraguchi10, "swap; h9; i9; j9; j8; a1", "101010", 1, 6, "h8 h9 i9 j9 j8 a1"},
		{"swaps before every stone", opening.Taraguchi10, "swap; h9; swap; i9; swap; j9; swap; j8; swap", "101010101", 1, 5, "h8 h9 i9 j9 j8"},
		{"ten fifth stones", opening.Taraguchi10, "h9; i9; j9; " + ten + "; c1", "10101", 0, 5, "h8 h9 i9 j9 c1"},
		{"ten fifth stones after a swap", opening.Taraguchi10, "h9; swap; i9; j9; " + ten + "; b4", "101010", 1, 5, "h8 h9 i9 j9 b4"},
		{"a swap at the end", opening.Taraguchi10, "h9; i9; j9; j8; swap", "10101", 1, 5, "h8 h9 i9 j9 j8"},
		{"one fifth stone", opening.Soosyrv8, "h8 h9 i9; a1 1; b2", "010", 0, 5, "h8 h9 i9 a1 b2"},
		{"a swap at once", opening.Soosyrv8, "h8 h9 i9; swap; a1 2; b2 d4; d4", "01010", 1, 5, "h8 h9 i9 a1 d4"},
		{"a swap after the number", opening.Soosyrv8, "h8 h9 i9; a1 3; swap; b2 d4 e4; e4", "01010", 1, 5, "h8 h9 i9 a1 e4"},
		{"both swaps", opening.Soosyrv8, "h8 i9 f6; swap; a1 8; swap; b1 c1 d1 e1 f1 g1 i1 j1; j1", "010101", 0, 5, "h8 i9 f6 a1 j1"},
	}
	for _, tc := range tests {
		t.Run(tc.rule+"/"+tc.name, func(t *testing.T) {
			b := start(t, "renju", "")
			s, err := opening.NewSession(tc.rule, b)
			if err != nil {
				t.Fatal(err)
			}
			asked := ""
			for text := range strings.SplitSeq(tc.answers, "; ") {
				q, ok := s.Question()
				if !ok {
					t.Fatalf("the opening is over before %s", text)
				}
				asked += fmt.Sprint(q.Who)
				a, err := opening.ParseAnswer(b.Game(), text)
				if err != nil {
					t.Fatal(err)
				}
				if a.Format(b.Game()) != text {
					t.Errorf("%q is written %q", text, a.Format(b.Game()))
				}
				if err := s.Answer(a); err != nil {
					t.Fatal(err)
				}
			}
			if q, ok := s.Question(); ok {
				t.Errorf("asked for more: %s", q)
			}
			if moves := notation.FormatMoves(b.Game(), b.AppendHistory(nil)); asked != tc.asked || s.Black() != tc.black || b.Ply() != tc.stones || moves != tc.moves {
				t.Errorf("asked %s, Black is %d after %s", asked, s.Black(), moves)
			}
		})
	}
}

// What the rules do not allow is refused in one line, and changes nothing.
func TestSessionRefuses(t *testing.T) {
	tests := []struct{ name, rule, before, answer, want string }{
		{"the second stone outside", opening.Taraguchi10, "", "h10", "h10 is not in the square of 3 x 3"},
		{"the third stone outside", opening.Taraguchi10, "h9", "k8", "k8 is not in the square of 5 x 5"},
		{"the fifth stone outside", opening.Taraguchi10, "h9; i9; j9", "a1", "a1 is not in the square of 9 x 9"},
		{"two swaps", opening.Taraguchi10, "swap", "swap", "no swap is allowed now"},
		{"ten after a swap", opening.Taraguchi10, "h9; i9; j9; swap", ten, "10 stones are too many or too few"},
		{"nine", opening.Taraguchi10, "h9; i9; j9", "a1 b1 c1 d1 e1 f1 g1 h1 a3", "9 stones are too many or too few"},
		{"equal ones", opening.Taraguchi10, "h9; h10; h11", "a1 b1 c1 d1 e1 f1 g1 h1 a3 o1", "a1 and o1 are the same up to symmetry"},
		{"another than the ten", opening.Taraguchi10, "h9; i9; j9; " + ten, "o15", "one of those that were offered"},
		{"a taken cell", opening.Taraguchi10, "", "h8", "illegal move h8"},
		{"a number", opening.Taraguchi10, "", "h9 3", "no number is asked for"},
		{"no opening", opening.Soosyrv8, "", "h8 h10 i9", "h10 is not in the square of 3 x 3"},
		{"an edge", opening.Soosyrv8, "", "a1 h9 i9", "a1 is not in the square of 1 x 1"},
		{"two stones", opening.Soosyrv8, "", "h8 h9", "2 stones are too many or too few"},
		{"no number", opening.Soosyrv8, "h8 h9 i9", "a1", "the number of fifth stones is 1 to 8"},
		{"nine fifths", opening.Soosyrv8, "h8 h9 i9", "a1 9", "the number of fifth stones is 1 to 8"},
		{"too few offers", opening.Soosyrv8, "h8 h9 i9; a1 3", "b2 c3", "2 stones are too many or too few"},
	}
	for _, tc := range tests {
		t.Run(tc.rule+"/"+tc.name, func(t *testing.T) {
			b := start(t, "renju", "")
			s, err := opening.NewSession(tc.rule, b)
			if err != nil {
				t.Fatal(err)
			}
			give := func(text string) error {
				a, err := opening.ParseAnswer(b.Game(), text)
				if err != nil {
					t.Fatal(err)
				}
				return s.Answer(a)
			}
			for text := range strings.SplitSeq(tc.before, "; ") {
				if text == "" {
					continue
				}
				if err := give(text); err != nil {
					t.Fatal(err)
				}
			}
			q, _ := s.Question()
			stones := b.Ply()
			if err := give(tc.answer); err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want %s", err, tc.want)
			}
			if after, ok := s.Question(); !ok || after.String() != q.String() || b.Ply() != stones {
				t.Error("the refused answer has changed something")
			}
		})
	}
	for _, spec := range []string{"renju:9", "gomoku:20", "gomoku:15x13", "connect4"} {
		if _, err := opening.NewSession(opening.Soosyrv8, start(t, spec, "")); err == nil {
			t.Errorf("%s has an opening", spec)
		}
	}
	if _, err := opening.NewSession("yamaguchi", start(t, "renju", "")); err != opening.ErrRule {
		t.Errorf("an unknown rule: %v", err)
	}
}

// A search that values positions by whim answers every question by the rules, through every branch.
func TestOpen(t *testing.T) {
	branches := map[string]bool{}
	for seed := range uint64(40) {
		rule := []string{opening.Taraguchi10, opening.Soosyrv8}[seed%2]
		b := start(t, "renju", "")
		s, err := opening.NewSession(rule, b)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(seed, 7))
		lean := eval.Score(rng.IntN(3)-1) * 200
		whim := func(_ context.Context, b game.Board, _ search.Limits) (search.Info, error) {
			return search.Info{Score: lean + eval.Score(rng.IntN(101)-50), PV: game.AppendSound(nil, b)[:1]}, nil
		}
		w := opening.Swapper{Analyze: whim, Seed: seed}
		for q, ok := s.Question(); ok; q, ok = s.Question() {
			a, err := w.Open(t.Context(), s, search.Limits{Nodes: 1000})
			if err != nil {
				t.Fatalf("%s: %v", q, err)
			}
			if err := s.Answer(a); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			branches[fmt.Sprintf("%s %d swap=%v moves=%d", rule, q.Stones, a.Swap, len(a.Moves))] = true
		}
		if b.Ply() < 5 || b.Ply() > 6 {
			t.Errorf("the opening ends after %d stones", b.Ply())
		}
	}
	for _, want := range []string{"taraguchi10 4 swap=false moves=10", "taraguchi10 5 swap=true moves=0", "taraguchi10 4 swap=false moves=1", "soosyrv8 4 swap=true moves=0", "soosyrv8 4 swap=false moves=1"} {
		if !branches[want] {
			t.Errorf("no %s in %v", want, branches)
		}
	}
}
