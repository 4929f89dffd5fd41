// SPDX-License-Identifier: Apache-2.0

package opening_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/opening"
	"github.com/krow-lab/krow/search"
)

// The rule of swap2, answer by answer: who plays Black, and how many stones are the opening.
func TestSwap2Rule(t *testing.T) {
	tests := []struct {
		name          string
		answers       []string // moves, or "swap"
		black, stones int
		fault         int
		wrong         string
	}{
		{"plays White", []string{"h8 h9 i9", "g7"}, 0, 3, 0, ""},
		{"plays Black", []string{"h8 h9 i9", "swap"}, 1, 3, 0, ""},
		{"places two, and White is chosen", []string{"h8 h9 i9", "a1 b2", "g7"}, 1, 5, 0, ""},
		{"places two, and Black is chosen", []string{"h8 h9 i9", "a1 b2", "swap"}, 0, 5, 0, ""},
		{"proposes two", []string{"h8 h9"}, 0, 0, 0, "swap2: with 0 stones on the board 2 moves is not a valid answer"},
		{"swaps nothing", []string{"swap"}, 0, 0, 0, "swap2: with 0 stones on the board a swap is not a valid answer"},
		{"answers three", []string{"h8 h9 i9", "a1 a2 a3"}, 0, 0, 1, "swap2: with 3 stones on the board 3 moves is not a valid answer"},
		{"answers nothing", []string{"h8 h9 i9", ""}, 0, 0, 1, "swap2: with 3 stones on the board 0 moves is not a valid answer"},
		{"places two again", []string{"h8 h9 i9", "a1 b2", "c1 d2"}, 0, 0, 0, "swap2: with 5 stones on the board 2 moves is not a valid answer"},
		{"a cell that is taken", []string{"h8 h9 i9", "h8"}, 0, 0, 1, "illegal move h8 at ply 4: the cell is taken"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			b := start(t, "gomoku", "")
			n := 0
			s := session(t, opening.Swap2, b)
			var err error
			n, who := 0, 0
			for q, ok := s.Question(); ok && err == nil && n < len(tc.answers); q, ok = s.Question() {
				if who = q.Who; who != n%2 {
					t.Errorf("question %d is for %d", n, who)
				}
				var a opening.Answer
				if a, err = opening.ParseAnswer(b.Game(), tc.answers[n]); err == nil {
					err = s.Answer(a)
				}
				n++
			}
			if tc.wrong == "" {
				if _, more := s.Question(); more || err != nil || s.Black() != tc.black || s.Stones() != tc.stones || n != len(tc.answers) {
					t.Errorf("Black is %d, %d stones, %v after %d answers, want %d, %d", s.Black(), s.Stones(), err, n, tc.black, tc.stones)
				}
				return
			}
			if err == nil || who != tc.fault || err.Error() != tc.wrong {
				t.Errorf("%v, want %q of player %d", err, tc.wrong, tc.fault)
			}
		})
	}
	// Under swap nobody may place two more stones.
	b := start(t, "pente", "")
	s := session(t, opening.Swap, b)
	if err := s.Answer(opening.Answer{Moves: []game.Move{0, 1, 20}}); err != nil {
		t.Fatal(err)
	}
	err := s.Answer(opening.Answer{Moves: []game.Move{2, 3}})
	if err == nil || err.Error() != "swap: with 3 stones on the board 2 moves is not a valid answer" {
		t.Errorf("two more stones: %v", err)
	}
	if err := s.Answer(opening.Answer{Swap: true}); err != nil || s.Black() != 1 || s.Stones() != 3 {
		t.Errorf("a swap: %v, Black is %d after %d stones", err, s.Black(), s.Stones())
	}
	// In Connect6 the second side places two stones, so no rule fits.
	for _, rule := range opening.Rules {
		if _, err := opening.NewSession(rule, start(t, "connect6", "")); err == nil {
			t.Errorf("connect6 opens by %s", rule)
		}
	}
	// Three stones in a row of three win: no opening.
	b = start(t, "mnk:3,3,2", "")
	err = session(t, opening.Swap2, b).Answer(opening.Answer{Moves: []game.Move{0, 8, 1}})
	if err == nil || err.Error() != "swap2: the stones end the game: first wins" {
		t.Errorf("a won opening: %v", err)
	}
}

// Who knows swap2 by itself is asked, and who values positions is asked for those.
func TestFor(t *testing.T) {
	if _, err := opening.For(player.NewRandom(1), opening.Swap2, 1); err == nil || err.Error() != "random does not know swap2" {
		t.Errorf("random: %v", err)
	}
	p, err := krow.Player(newGame(t, "gomoku"), "greedy", 1)
	if err != nil {
		t.Fatal(err)
	}
	s, err := opening.For(p, opening.Swap2, 7)
	if swapper, ok := s.(opening.Swapper); err != nil || !ok || swapper.Seed != 7 {
		t.Errorf("greedy: %#v, %v", s, err)
	}
	own, err := opening.For(knower{p}, opening.Swap2, 8)
	if err != nil {
		t.Fatal(err)
	}
	if a, err := own.Open(t.Context(), session(t, opening.Swap2, start(t, "gomoku", "")), search.Limits{}); err != nil || !a.Swap {
		t.Errorf("one that knows it: %v, %v", a, err)
	}
}

// knower is a player.Player that is an opening.Player.
type knower struct{ player.Player }

func (knower) Swap2(context.Context, game.Board, search.Limits) (opening.Answer, error) {
	return opening.Answer{Swap: true}, nil
}

func session(t *testing.T, rule string, b game.Board) *opening.Session {
	t.Helper()
	s, err := opening.NewSession(rule, b)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A Swapper takes the better side, and places two stones only where there is nothing to choose.
func TestSwapper(t *testing.T) {
	value := func(score eval.Score) opening.Swapper {
		return opening.Swapper{Analyze: likes(func(game.Board) eval.Score { return score }, nil), Seed: 3}
	}
	for _, tc := range []struct {
		moves string
		score eval.Score
		swap  bool
		n     int
	}{
		{"", 5, false, 3},
		{"h8 h9 i9", -1, true, 0},
		{"h8 h9 i9", 1, false, 1},
		{"h8 h9 i9", 0, false, 2},
		{"h8 h9 i9 a1 b2", 0, false, 1},
		{"h8 h9 i9 a1 b2", -1, true, 0},
	} {
		a, err := value(tc.score).Swap2(t.Context(), start(t, "gomoku", tc.moves), search.Limits{Nodes: 10})
		if err != nil || a.Swap != tc.swap || len(a.Moves) != tc.n {
			t.Errorf("%q at %d: %v, %v, want a swap: %v, or %d moves", tc.moves, tc.score, a, err, tc.swap, tc.n)
		}
	}
	for score, swap := range map[eval.Score]bool{-1: true, 0: false, 1: false} {
		s := session(t, opening.Swap, start(t, "gomoku", ""))
		if err := s.Answer(opening.Answer{Moves: []game.Move{0, 1, 20}}); err != nil {
			t.Fatal(err)
		}
		a, err := value(score).Open(t.Context(), s, search.Limits{Nodes: 10})
		if err != nil || a.Swap != swap || len(a.Moves) > 1 {
			t.Errorf("swap at %d: %v, %v, want a swap: %v", score, a, err, swap)
		}
	}
	if _, err := value(0).Swap2(t.Context(), start(t, "gomoku", "h8"), search.Limits{}); err == nil || err.Error() != "swap2 expects 0, 3 or 5 stones, not 1" {
		t.Errorf("one stone: %v", err)
	}
	if _, err := value(0).Swap2(t.Context(), start(t, "mnk:2,2,2", ""), search.Limits{}); err == nil {
		t.Error("a board on which every second stone wins has a proposal")
	}
	broken := opening.Swapper{Analyze: func(context.Context, game.Board, search.Limits) (search.Info, error) {
		return search.Info{}, errors.New("no idea")
	}}
	if _, err := broken.Swap2(t.Context(), start(t, "gomoku", "h8 h9 i9"), search.Limits{}); err == nil || err.Error() != "no idea" {
		t.Errorf("a search that fails: %v", err)
	}
}

// All searches for an answer take the time of the limits together, whatever one of them alone might take.
func TestSwapperTime(t *testing.T) {
	for _, tc := range []struct {
		moves string
		most  bool // there is one search alone
	}{{"", false}, {"h8 h9 i9", false}, {"h8 h9 i9 a1 b2", true}} {
		lim := search.Limits{Time: time.Second, Most: 4 * time.Second}
		var planned time.Duration
		s := opening.Swapper{Analyze: func(_ context.Context, b game.Board, l search.Limits) (search.Info, error) {
			if planned += l.Time; l.Most > l.Time && !tc.most {
				t.Errorf("%q: a search of %v may take %v", tc.moves, l.Time, l.Most)
			}
			return search.Info{PV: game.AppendSound(nil, b)[:1]}, nil
		}}
		if _, err := s.Swap2(t.Context(), start(t, "gomoku", tc.moves), lim); err != nil || planned > lim.Time {
			t.Errorf("%q: %v planned of %v, %v", tc.moves, planned, lim.Time, err)
		}
	}
}

// What the engine proposes is legal, differs by seed, and is even by a search longer than its own: nearer by far than
// openings that are drawn as proposals are, and not chosen.
func TestProposalsAreEven(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	const seeds, drawn = 5, 4
	var proposed, others eval.Score
	proposals := map[string]bool{}
	for seed := range uint64(seeds) {
		b := start(t, "gomoku", "")
		a, err := opening.Swapper{Analyze: engine(t, "gomoku"), Seed: seed}.Swap2(t.Context(), b, search.Limits{Nodes: 50_000})
		if err != nil || len(a.Moves) != 3 {
			t.Fatalf("seed %d: %v, %v", seed, a, err)
		}
		proposals[notation.FormatMoves(b.Game(), a.Moves)] = true
		long := engine(t, "gomoku")
		off := func(moves []game.Move) eval.Score {
			c := start(t, "gomoku", notation.FormatMoves(b.Game(), moves))
			info, err := long(t.Context(), c, search.Limits{Nodes: 10_000})
			if err != nil {
				t.Fatal(err)
			}
			return min(opening.Off(0)(info.Score), 4*eval.Unit)
		}
		proposed += drawn * off(a.Moves)
		for _, w := range opening.Ways(b, rand.New(rand.NewPCG(seed, 99)), 3)[:drawn] {
			others += off(w)
		}
	}
	t.Logf("proposals are off by %.2f, and openings drawn by %.2f", proposed.Units()/(seeds*drawn), others.Units()/(seeds*drawn))
	if 2*proposed > others || len(proposals) < seeds-1 {
		t.Errorf("%d proposals are off by %v, and openings drawn by %v", len(proposals), proposed, others)
	}
}
