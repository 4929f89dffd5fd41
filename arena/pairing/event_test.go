// SPDX-License-Identifier: Apache-2.0

package pairing

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// written returns pairs as tables print them: from 1, the first player first.
func written(pairs []Pair) string {
	var words []string
	for _, p := range pairs {
		if p.Second == Nobody {
			words = append(words, fmt.Sprint(p.First+1))
		} else {
			words = append(words, fmt.Sprintf("%d-%d", p.First+1, p.Second+1))
		}
	}
	return strings.Join(words, " ")
}

// TestBerger: the tables of the FIDE Handbook for 4 and 6 players, and for 5, where the one who meets 6 is free.
func TestBerger(t *testing.T) {
	for players, rounds := range map[int][]string{
		3: {"1 2-3", "3 1-2", "2 3-1"},
		4: {"1-4 2-3", "4-3 1-2", "2-4 3-1"},
		5: {"1 2-5 3-4", "4 5-3 1-2", "2 3-1 4-5", "5 1-4 2-3", "3 4-2 5-1"},
		6: {"1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"},
	} {
		for i, want := range rounds {
			if got := written(berger(players, i+1)); got != want {
				t.Errorf("%d players, round %d: %s, want %s", players, i+1, got, want)
			}
		}
	}
	if got := fmt.Sprint(Bracket(8)); got != "[0 7 3 4 1 6 2 5]" {
		t.Errorf("the bracket of 8 is %s", got)
	}
}

// play plays a tournament to its end: who wins is said by result.
func play(t *testing.T, e *Event, result func(first, second int) Result) {
	t.Helper()
	for range 10_000 {
		if !e.Draw() {
			if !e.Over() {
				t.Fatalf("nothing is drawn, and it is not over: %+v", e)
			}
			return
		}
		for i := range e.Rounds[len(e.Rounds)-1] {
			if p := &e.Rounds[len(e.Rounds)-1][i]; p.Ended() == Open {
				p.Result = result(p.First, p.Second)
			}
		}
	}
	t.Fatal("it does not end")
}

// better lets the better seed win.
func better(first, second int) Result {
	if first < second {
		return FirstWins
	}
	return SecondWins
}

// TestRoundRobin: a table that was computed by hand.
//
//	    1   2   3   4   points   Sonneborn-Berger
//	1   -   1   ½   0   1.5      1 x 1 + ½ x 2 = 2
//	2   0   -   ½   ½   1        ½ x 2 + ½ x 1.5 = 1.75
//	3   ½   ½   -   1   2        ½ x 1.5 + ½ x 1 + 1.5 = 2.75
//	4   1   ½   0   -   1.5      1.5 + ½ x 1 = 2
func TestRoundRobin(t *testing.T) {
	table := [4][4]float64{{0, 1, 0.5, 0}, {0, 0, 0.5, 0.5}, {0.5, 0.5, 0, 1}, {1, 0.5, 0, 0}}
	e := &Event{Kind: RoundRobin, Players: 4}
	play(t, e, func(first, second int) Result {
		return map[float64]Result{1: FirstWins, 0.5: Drawn, 0: SecondWins}[table[first][second]]
	})
	var got []string
	for _, s := range e.Standings() {
		got = append(got, fmt.Sprintf("%d: %d %g %g", s.Rank, s.Player+1, s.Points, s.SonnebornBerger))
	}
	want := "1: 3 2 2.75, 2: 1 1.5 2, 2: 4 1.5 2, 4: 2 1 1.75"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("%s, want %s", s, want)
	}
}

// TestSwissByHand: three rounds of five players, drawn and counted by hand. The better seed wins.
//
//	round 1   1-3 2-4 5      1, 2 and 5, who is free, have a point
//	round 2   1-2 3-5 4      4 is the last who was not free; 5 goes down and meets 3, who moved second before
//	round 3   4-1 5-2 3      1 has 2 points and goes down to those with one: 4 and 5, as 2 and 3 were met; 5 was free
//
//	    points   Buchholz        Sonneborn-Berger
//	1   3        2 + 2 + 1 = 5   2 + 2 + 1 = 5
//	2   2        1 + 3 + 1 = 5   1 + 1 = 2
//	3   2        3 + 1 = 4       1
//	4   1        2 + 3 = 5       0
//	5   1        2 + 2 = 4       0
func TestSwissByHand(t *testing.T) {
	e := &Event{Kind: Swiss, Players: 5, Want: 3}
	play(t, e, better)
	for i, want := range []string{"1-3 2-4 5", "1-2 3-5 4", "4-1 5-2 3"} {
		if got := written(e.Rounds[i]); got != want {
			t.Errorf("round %d: %s, want %s", i+1, got, want)
		}
	}
	var got []string
	for _, s := range e.Standings() {
		got = append(got, fmt.Sprintf("%d: %d %g %g %g", s.Rank, s.Player+1, s.Points, s.Buchholz, s.SonnebornBerger))
	}
	want := "1: 1 3 5 5, 2: 2 2 5 2, 3: 3 2 4 1, 4: 4 1 5 0, 5: 5 1 4 0"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("%s, want %s", s, want)
	}
}

// TestSwiss: in tournaments of all sizes nobody meets anybody twice, nobody is free twice, and nobody has a colour three
// times in a row where there is another way.
func TestSwiss(t *testing.T) {
	for seed := range uint64(40) {
		players := 8 + int(seed)*57%58
		rng := rand.New(rand.NewPCG(seed, 1))
		e := &Event{Kind: Swiss, Players: players, Want: SwissRounds(players)}
		play(t, e, func(int, int) Result { return Result(1 + rng.IntN(3)) })
		if len(e.Rounds) != e.Want {
			t.Errorf("seed %d, %d players: %d rounds, want %d", seed, players, len(e.Rounds), e.Want)
		}
		met, free, balance := map[[2]int]bool{}, map[int]bool{}, make([]int, players)
		for r, round := range e.Rounds {
			seen := map[int]bool{}
			for _, p := range round {
				if seen[p.First] || p.Second != Nobody && seen[p.Second] {
					t.Fatalf("seed %d: somebody plays twice in round %d", seed, r+1)
				}
				seen[p.First], seen[p.Second] = true, true
				if p.Second == Nobody {
					if free[p.First] {
						t.Errorf("seed %d: %d is free twice", seed, p.First)
					}
					free[p.First] = true
					continue
				}
				k := [2]int{min(p.First, p.Second), max(p.First, p.Second)}
				if met[k] {
					t.Errorf("seed %d, %d players, round %d: %v meet twice", seed, players, r+1, k)
				}
				met[k] = true
				balance[p.First]++
				balance[p.Second]--
			}
			delete(seen, Nobody)
			if len(seen) != players {
				t.Errorf("seed %d: %d of %d players are paired", seed, len(seen), players)
			}
		}
		if slices.Max(balance) > 2 || slices.Min(balance) < -2 {
			t.Errorf("seed %d, %d players: colours %v", seed, players, balance)
		}
	}
}

// TestSixtyFour: 64 players, the better of whom always wins, end in the order that each kind can tell.
func TestSixtyFour(t *testing.T) {
	e := &Event{Kind: Swiss, Players: 64, Want: 6}
	play(t, e, better)
	s := e.Standings()
	if s[0].Player != 0 || s[0].Points != 6 || s[1].Points != 5 || s[63].Points != 0 || s[63].Player != 63 {
		t.Errorf("swiss: %+v ... %+v", s[:2], s[63])
	}
	counts := map[float64]int{} // 64 players after 6 rounds without draws: 1 6 15 20 15 6 1
	for _, x := range s {
		counts[x.Points]++
	}
	if fmt.Sprint(counts) != "map[0:1 1:6 2:15 3:20 4:15 5:6 6:1]" {
		t.Errorf("swiss: points %v", counts)
	}

	e = &Event{Kind: Knockout, Players: 64}
	play(t, e, better)
	s = e.Standings()
	for i, want := range map[int]int{0: 7, 1: 6, 2: 5, 3: 5, 4: 4, 7: 4, 8: 3, 31: 2, 32: 1, 63: 1} {
		if s[i].Player != i || s[i].Round != want {
			t.Errorf("knock-out: place %d is %+v, want round %d", i+1, s[i], want)
		}
	}

	e = &Event{Kind: RoundRobin, Players: 64}
	play(t, e, better)
	for i, x := range e.Standings() {
		if x.Player != i || x.Points != float64(63-i) || x.Rank != i+1 {
			t.Errorf("round robin: place %d is %+v", i+1, x)
		}
	}

	e = &Event{Kind: Arena, Players: 64}
	for range 20 {
		if !e.Draw() {
			t.Fatal("an arena draws nothing")
		}
		for i := range e.Rounds[0] {
			if p := &e.Rounds[0][i]; p.Result == Open {
				p.Result = better(p.First, p.Second)
			}
		}
	}
	e.Closed = true
	// 20 wins: 2 of 2 points, and 18 of 4.
	if s := e.Standings(); !e.Over() || s[0].Player != 0 || s[0].Points != 76 || s[0].Streak != 20 {
		t.Errorf("arena: %+v", s[0])
	}
}

// TestKnockoutDraws: a drawn game is played again with the colours exchanged, and after three of them the better seed goes
// on. Three players: the first one is free in the first round.
func TestKnockoutDraws(t *testing.T) {
	e := &Event{Kind: Knockout, Players: 3}
	play(t, e, func(int, int) Result { return Drawn })
	if got := written(e.Rounds[0]); got != "1 2-3 3-2 2-3" {
		t.Errorf("round 1: %s", got)
	}
	if got := written(e.Rounds[1]); got != "2-1 1-2 2-1" {
		t.Errorf("round 2: %s", got)
	}
	if s := e.Standings(); s[0].Player != 0 || s[0].Round != 3 || s[1].Player != 1 || s[2].Player != 2 {
		t.Errorf("%+v", s)
	}
}

// TestGone: who leaves loses what is still to come, and a tournament ends all the same.
func TestGone(t *testing.T) {
	for _, kind := range []string{RoundRobin, Swiss, Knockout} {
		e := &Event{Kind: kind, Players: 6, Want: 3, Gone: []bool{true}}
		play(t, e, better)
		for _, s := range e.Standings() {
			if s.Player == 0 && (s.Points > 0 || s.Won > 0) {
				t.Errorf("%s: %+v is gone", kind, s)
			}
		}
		if s := e.Standings(); s[0].Player == 0 {
			t.Errorf("%s: who is gone has won: %+v", kind, s)
		}
	}
	e := &Event{Kind: Arena, Players: 3, Gone: []bool{false, true}}
	if !e.Draw() || written(e.Rounds[0]) != "1-3" {
		t.Errorf("arena: %v", e.Rounds)
	}
}

// TestArena: nobody meets the same opponent twice in a row where there are others, and a streak ends with what is no win.
func TestArena(t *testing.T) {
	e := &Event{Kind: Arena, Players: 4}
	for i, results := range [][]Result{{FirstWins, FirstWins}, {FirstWins, FirstWins}, {Drawn, Drawn}} {
		if !e.Draw() || len(e.Rounds[0]) != 2*i+2 {
			t.Fatalf("wave %d: %v", i, e.Rounds)
		}
		a, b := e.Rounds[0][2*i], e.Rounds[0][2*i+1]
		if i > 0 {
			for _, p := range e.Rounds[0][2*i-2 : 2*i] {
				for _, now := range []Pair{a, b} {
					if min(p.First, p.Second) == min(now.First, now.Second) && max(p.First, p.Second) == max(now.First, now.Second) {
						t.Errorf("wave %d: %v again", i, now)
					}
				}
			}
		}
		e.Rounds[0][2*i].Result, e.Rounds[0][2*i+1].Result = results[0], results[1]
	}
	if e.Over() || e.Draw() && e.Closed {
		t.Error("it is over before its time")
	}
}
