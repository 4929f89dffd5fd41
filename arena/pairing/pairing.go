// SPDX-License-Identifier: Apache-2.0

// Package pairing draws the pairs of a tournament and computes its standings.
//
//	e := pairing.Event{Kind: pairing.Swiss, Players: 8, Want: 3}
//	for e.Draw() {
//		// play the pairs of the last of e.Rounds, and set the Result of each
//	}
//	standings := e.Standings()
//
// Players are numbers from 0, in the order of their seeds. In an [Event] each pair plays one game; only a drawn game of a
// knock-out is replayed. For a tournament in which each pair plays several games, callers use [Bracket], [SwissRounds], [Bye]
// and [Neighbours] directly.
package pairing

import (
	"math/bits"
	"slices"
)

// The kinds of tournaments.
const (
	RoundRobin = "round-robin" // each player meets every other player
	Swiss      = "swiss"       // players with similar points meet, but no two players meet twice
	Knockout   = "knockout"    // a player who loses is eliminated
	Arena      = "arena"       // players whose games have ended are paired again, until the time is over
)

// Kinds are the kinds of tournaments.
var Kinds = []string{RoundRobin, Swiss, Knockout, Arena}

// berger returns the pairs of a round of a round robin. round counts from 1. The first player of each pair moves first. If the
// number of players is odd, one player of each round is free, in a pair whose Second is Nobody.
//
//	4 players   1-4 2-3   4-3 1-2   2-4 3-1
//
// CITE: FIDE Handbook C.05, Berger tables.
func berger(players, round int) (pairs []Pair) {
	n := players + players%2
	turn := func(i int) int { return (i + (round-1)*n/2) % (n - 1) }
	if n < 2 {
		return nil
	}
	for i := range n / 2 {
		p := Pair{First: turn(i), Second: turn(n - 1 - i)}
		if i == 0 {
			p.Second = n - 1
			if round%2 == 0 {
				p.First, p.Second = p.Second, p.First
			}
		}
		if players%2 == 1 && (p.First == n-1 || p.Second == n-1) {
			p = Pair{First: min(p.First, p.Second), Second: Nobody}
		}
		pairs = append(pairs, p)
	}
	return pairs
}

// Bracket returns the seeds in the order of the first round of a knock-out: neighbours in this order meet, and the best seeds
// can meet only in the last rounds.
//
//	8 players   1-8 4-5 2-7 3-6
func Bracket(players int) []int {
	slots := []int{0}
	for len(slots) < players {
		next := make([]int, 0, 2*len(slots))
		for _, s := range slots {
			next = append(next, s, 2*len(slots)-1-s)
		}
		slots = next
	}
	return slots
}

// SwissRounds returns the default number of rounds of a Swiss tournament: one more than a knock-out needs, but at most the
// number of rounds in which every player can meet a new opponent each time.
func SwissRounds(players int) int {
	return min(bits.Len(uint(max(players-1, 0)))+1, max(players-1+players%2, 1))
}

// Bye chooses the player who is free in a round, if the number of players is odd: the last player in the list who was not free
// in an earlier round. Bye returns this player, or Nobody if the number is even, and the remaining players.
func Bye(in []int, free func(player int) bool) (bye int, others []int) {
	if len(in)%2 == 0 {
		return Nobody, in
	}
	at := len(in) - 1
	for at > 0 && free(in[at]) {
		at--
	}
	return in[at], slices.Concat(in[:at], in[at+1:])
}

// maxSteps is the maximum number of pairs that Neighbours tries.
const maxSteps = 20_000

// Neighbours pairs all players of in. It pairs the first player with the best possible opponent, and then the remaining players
// in the same way. If the remaining players cannot be paired, it tries the next opponent of the first player. Neighbours
// returns nil if it finds no pairing.
func Neighbours(in []int, choices func(in []int) []int, may func(a, b int) bool) [][2]int {
	steps := 0
	var pair func(in []int) [][2]int
	pair = func(in []int) [][2]int {
		if len(in) == 0 {
			return [][2]int{}
		}
		for _, i := range choices(in) {
			if !may(in[0], in[i]) {
				continue
			}
			if steps++; steps > maxSteps {
				return nil
			}
			if more := pair(slices.Concat(in[1:i], in[i+1:])); more != nil {
				return append([][2]int{{in[0], in[i]}}, more...)
			}
		}
		return nil
	}
	return pair(in)
}
