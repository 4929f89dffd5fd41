// SPDX-License-Identifier: Apache-2.0

package pairing

import (
	"cmp"
	"slices"
)

// Result is the result of a Pair.
type Result int

// The results.
const (
	Open Result = iota // the pair has no result yet
	FirstWins
	Drawn
	SecondWins
)

// Nobody represents the missing opponent of a player who is free in a round.
const Nobody = -1

// Pair is a game between two players. A player is represented by a number, the index of the player in the order of the
// seeds, from 0.
type Pair struct {
	First  int    `json:"first"`
	Second int    `json:"second"` // Nobody means that First has no opponent, which counts as a win in a Swiss tournament
	Given  Result `json:"given,omitempty"`
	Result Result `json:"-"` // result of the game; the field Given, unless it is Open, is used instead
}

// Ended returns the result of the pair, whether it was played or given without a game, or Open if there is no result yet.
func (p Pair) Ended() Result { return cmp.Or(p.Given, p.Result) }

// Event holds the pairs of each round of a tournament and their results. A tournament of the kind Arena has one round, to which
// pairs are added.
type Event struct {
	Kind    string
	Players int
	Gone    []bool // by player: whether the player has left; players from len(Gone) on have not left
	Want    int    // wanted number of rounds of a Swiss tournament
	Rounds  [][]Pair
	Closed  bool // whether the time of an arena tournament is over
}

func (e *Event) gone(player int) bool { return player < len(e.Gone) && e.Gone[player] }

// going reports whether a pair of the last round has no result yet.
func (e *Event) going() bool {
	n := len(e.Rounds)
	return n > 0 && slices.ContainsFunc(e.Rounds[n-1], func(p Pair) bool { return p.Ended() == Open })
}

// Draw adds the next pairs if all previous pairs have results, and reports whether it has added any. In an arena it pairs the
// free players while other pairs still play.
func (e *Event) Draw() bool {
	if e.Kind == Arena {
		return e.drawArena()
	}
	if e.going() {
		return false
	}
	r := len(e.Rounds)
	var pairs []Pair
	switch {
	case e.Kind == Knockout && r > 0 && e.replays():
		return true
	case e.Kind == Knockout:
		pairs = e.drawKnockout()
	case e.Kind == Swiss && r < e.Want:
		pairs = e.drawSwiss()
	case e.Kind == RoundRobin && r < (e.Players+e.Players%2-1):
		pairs = berger(e.Players, r+1)
	}
	if len(pairs) == 0 {
		return false
	}
	for i := range pairs {
		e.walkover(&pairs[i])
	}
	e.Rounds = append(e.Rounds, pairs)
	return true
}

// walkover sets the result of a pair that needs no game, because Second is Nobody or a player has left.
func (e *Event) walkover(p *Pair) {
	switch {
	case p.Second == Nobody || e.gone(p.Second):
		p.Given = FirstWins
	case e.gone(p.First):
		p.Given = SecondWins
	}
}

// Over reports whether the tournament has ended.
func (e *Event) Over() bool {
	if e.going() {
		return false
	}
	next := *e
	next.Rounds = slices.Clone(e.Rounds)
	if len(next.Rounds) > 0 {
		last := len(next.Rounds) - 1
		next.Rounds[last] = slices.Clone(next.Rounds[last])
	}
	if e.Kind == Arena {
		return e.Closed
	}
	return !next.Draw()
}

// maxReplays is the maximum number of replays after a drawn game of a knock-out; each replay exchanges the colours. If all are
// drawn, the better seed advances.
const maxReplays = 2

// tie returns the games between a and b in the last round of a knock-out. winner is the player who advances, or Nobody if no
// game has decided it yet.
func (e *Event) tie(a, b int) (games []Pair, winner int) {
	for _, p := range e.Rounds[len(e.Rounds)-1] {
		if p.First == a && p.Second == b || p.First == b && p.Second == a {
			games = append(games, p)
		}
	}
	last := games[len(games)-1]
	switch last.Ended() {
	case FirstWins:
		return games, last.First
	case SecondWins:
		return games, last.Second
	case Drawn:
		if len(games) > maxReplays {
			return games, min(a, b)
		}
	}
	return games, Nobody
}

// ties returns the ties (two players each) of the last round of a knock-out, in the order of the bracket.
func (e *Event) ties() (all [][2]int) {
	seen := map[[2]int]bool{}
	for _, p := range e.Rounds[len(e.Rounds)-1] {
		k := [2]int{min(p.First, p.Second), max(p.First, p.Second)}
		if !seen[k] {
			seen[k] = true
			all = append(all, [2]int{p.First, p.Second})
		}
	}
	return all
}

// replays adds a game to each undecided tie of the last round, and reports whether it has added one.
func (e *Event) replays() (added bool) {
	last := len(e.Rounds) - 1
	for _, t := range e.ties() {
		games, winner := e.tie(t[0], t[1])
		if winner == Nobody {
			g := games[len(games)-1]
			p := Pair{First: g.Second, Second: g.First}
			e.walkover(&p)
			e.Rounds[last] = append(e.Rounds[last], p)
			added = true
		}
	}
	return added
}

// drawKnockout pairs the winners of the last round, or all players in the order of Bracket if there was no round yet. The
// better seed moves first in odd rounds.
func (e *Event) drawKnockout() (pairs []Pair) {
	var in []int
	if len(e.Rounds) == 0 {
		in = Bracket(e.Players)
	} else {
		for _, t := range e.ties() {
			_, winner := e.tie(t[0], t[1])
			in = append(in, winner)
		}
	}
	for i := 0; i+1 < len(in); i += 2 {
		a, b := min(in[i], in[i+1]), max(in[i], in[i+1])
		switch {
		case b >= e.Players:
			b = Nobody
		case len(e.Rounds)%2 == 1:
			a, b = b, a
		}
		pairs = append(pairs, Pair{First: a, Second: b})
	}
	return pairs
}

// drawArena sorts the players who are not playing by their points, and pairs players who are next to each other in this order.
// Nobody gets the same opponent twice in a row, unless the arena has only two players left.
func (e *Event) drawArena() bool {
	if e.Closed {
		return false
	}
	if len(e.Rounds) == 0 {
		e.Rounds = [][]Pair{nil}
	}
	busy, last, firsts := map[int]bool{}, map[int]int{}, map[int]int{}
	for _, p := range e.Rounds[0] {
		last[p.First], last[p.Second] = p.Second+1, p.First+1
		firsts[p.First]++
		firsts[p.Second]--
		if p.Ended() == Open {
			busy[p.First], busy[p.Second] = true, true
		}
	}
	var free []int
	there := 0
	for _, s := range e.Standings() {
		if e.gone(s.Player) {
			continue
		}
		if there++; !busy[s.Player] {
			free = append(free, s.Player)
		}
	}
	added := false
	for len(free) > 1 {
		a := free[0]
		i := slices.IndexFunc(free[1:], func(b int) bool { return there == 2 || last[a] != b+1 }) + 1
		if i == 0 {
			free = free[1:]
			continue
		}
		b := free[i]
		free = slices.Delete(slices.Delete(free, i, i+1), 0, 1)
		if firsts[a] > firsts[b] {
			a, b = b, a
		}
		e.Rounds[0] = append(e.Rounds[0], Pair{First: a, Second: b})
		added = true
	}
	return added
}
