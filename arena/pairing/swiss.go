// SPDX-License-Identifier: Apache-2.0

package pairing

import (
	"cmp"
	"slices"
)

// colours summarizes the sides that a player of a Swiss tournament has played.
type colours struct {
	balance int // number of games as first player minus number of games as second player
	last    [2]int
}

// must returns the side that the player must have next: 1 is first, -1 second, 0 either. The aim is that nobody plays one side
// three times in a row, and that the numbers of a player's games on both sides differ by at most two.
func (c colours) must() int {
	switch {
	case c.balance >= 2 || c.last == [2]int{1, 1}:
		return -1
	case c.balance <= -2 || c.last == [2]int{-1, -1}:
		return 1
	}
	return 0
}

// drawSwiss pairs players with similar points who have not met. In each group of players with equal points, each player of the
// upper half meets a player of the lower half. If a player of the group is left over, this player meets a player of the next
// group. If the number of players is odd, Bye chooses the player who is free.
//
// CITE: FIDE Handbook C.04.1, Basic rules for Swiss systems: no two meet twice, nobody is free twice, colours are balanced.
func (e *Event) drawSwiss() []Pair {
	d := swiss{met: map[[2]int]bool{}, points: map[int]float64{}, had: make([]colours, e.Players)}
	free := map[int]bool{}
	for _, round := range e.Rounds {
		for _, p := range round {
			if p.Second == Nobody {
				free[p.First] = true
				continue
			}
			d.met[[2]int{p.First, p.Second}], d.met[[2]int{p.Second, p.First}] = true, true
			if p.Given != Open {
				continue // the result was given without a game, so nobody had a side
			}
			for player, colour := range map[int]int{p.First: 1, p.Second: -1} {
				h := &d.had[player]
				h.balance += colour
				h.last = [2]int{h.last[1], colour}
			}
		}
	}
	var in []int
	for _, s := range e.Standings() {
		d.points[s.Player] = s.Points
		if !e.gone(s.Player) {
			in = append(in, s.Player)
		}
	}
	slices.SortStableFunc(in, func(a, b int) int { return cmp.Or(cmp.Compare(d.points[b], d.points[a]), cmp.Compare(a, b)) })
	bye, in := Bye(in, func(player int) bool { return free[player] })
	pairs := d.pairs(in)
	if bye != Nobody {
		pairs = append(pairs, Pair{First: bye, Second: Nobody})
	}
	return pairs
}

// swiss holds the data for drawing a round of a Swiss tournament.
type swiss struct {
	met    map[[2]int]bool
	points map[int]float64
	had    []colours
}

// pairs pairs the players of in, who are sorted by points. If no pairing satisfies all rules, pairs tries again without the
// rule about colours. If that also fails, players may meet twice, because late in a small tournament a player may have met all
// others.
func (d *swiss) pairs(in []int) (pairs []Pair) {
	fresh := func(a, b int) bool { return !d.met[[2]int{a, b}] }
	strict := func(a, b int) bool { return fresh(a, b) && d.had[a].must()*d.had[b].must() != 1 }
	met := Neighbours(in, d.choices, strict)
	if met == nil {
		met = Neighbours(in, d.choices, fresh)
	}
	if met == nil {
		for two := range slices.Chunk(in, 2) {
			met = append(met, [2]int(two))
		}
	}
	for _, m := range met {
		pairs = append(pairs, d.seat(m[0], m[1]))
	}
	return pairs
}

// choices returns the indices of possible opponents of in[0], the best first. The players with the same points as in[0] come
// first: the player half a group below in[0], the players below this player, and then the players between in[0] and this
// player. The players with fewer points come last.
func (d *swiss) choices(in []int) (places []int) {
	group := 1
	for group < len(in) && d.points[in[group]] == d.points[in[0]] {
		group++
	}
	half := max(group/2, 1)
	for i := half; i < group; i++ {
		places = append(places, i)
	}
	for i := half - 1; i > 0; i-- {
		places = append(places, i)
	}
	for i := group; i < len(in); i++ {
		places = append(places, i)
	}
	return places
}

// seat decides whether a or b moves first. It applies these rules in turn until one of them distinguishes the two players.
// First, a player who must move first, or whose opponent must move second, moves first (see colours.must). Second, the
// player who has moved first less often moves first. Third, the player who moved second in the last game moves first. If no
// rule decides, a moves first, because a has at least as many points as b.
func (d *swiss) seat(a, b int) Pair {
	x, y := d.had[a], d.had[b]
	if cmp.Or(cmp.Compare(y.must(), x.must()), cmp.Compare(x.balance, y.balance), cmp.Compare(x.last[1], y.last[1])) > 0 {
		a, b = b, a
	}
	return Pair{First: a, Second: b}
}
