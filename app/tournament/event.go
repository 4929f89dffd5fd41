// SPDX-License-Identifier: Apache-2.0

package tournament

import (
	"cmp"
	"math/bits"
	"slices"
)

// The kinds of tournaments.
const (
	RoundRobin = "round-robin" // everyone meets everyone
	Swiss      = "swiss"       // those with like points meet, nobody twice
	Knockout   = "knockout"    // who loses is out
	Arena      = "arena"       // who is free is paired again until the time is over
)

// Kinds are the kinds of tournaments.
var Kinds = []string{RoundRobin, Swiss, Knockout, Arena}

// Result is how a pair ended.
type Result int

// The results.
const (
	Open Result = iota // it goes on
	FirstWins
	Drawn
	SecondWins
)

// Nobody is the opponent of a player who is free in a round.
const Nobody = -1

// Pair is a meeting of two players, who are counted from 0 in the order of their seeds.
type Pair struct {
	First  int    `json:"first"`
	Second int    `json:"second"` // Nobody: First is free, which counts as a win in a Swiss tournament
	Given  Result `json:"given,omitempty"`
	Result Result `json:"-"` // of the game; Given stands where there is none
}

// ended returns the result of a pair.
func (p Pair) ended() Result { return cmp.Or(p.Given, p.Result) }

// Event is a tournament as numbers: who met whom in each round, and how that ended. An arena has one round, which grows.
type Event struct {
	Kind    string
	Players int
	Gone    []bool // those who have left; it may be shorter than Players
	Want    int    // rounds of a Swiss tournament
	Rounds  [][]Pair
	Closed  bool // of an arena: its time is over
}

func (e *Event) gone(player int) bool { return player < len(e.Gone) && e.Gone[player] }

// going says whether a pair of the last round has not ended.
func (e *Event) going() bool {
	n := len(e.Rounds)
	return n > 0 && slices.ContainsFunc(e.Rounds[n-1], func(p Pair) bool { return p.ended() == Open })
}

// Draw adds what is to be played next, if all that was drawn has ended, and says whether it has added anything. In an arena
// it pairs those who are free.
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
		pairs = Berger(e.Players, r+1)
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

// walkover decides a pair without a game: where one is free, or has left.
func (e *Event) walkover(p *Pair) {
	switch {
	case p.Second == Nobody || e.gone(p.Second):
		p.Given = FirstWins
	case e.gone(p.First):
		p.Given = SecondWins
	}
}

// Over says whether nothing more is to be played.
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

// Berger returns a round, from 1, of a round robin. The first player of each pair moves first. With an odd number of players
// the one who would meet the last is free.
//
//	4 players   1-4 2-3   4-3 1-2   2-4 3-1
//
// CITE: FIDE Handbook C.05, Berger tables.
func Berger(players, round int) (pairs []Pair) {
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

// Bracket returns the seeds of a knock-out in the order of its first round, so that the best meet last.
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

// maxReplays is how many drawn games of a tie are played again, with the colours exchanged. After these the better seed goes
// on.
const maxReplays = 2

// tie returns the games of two players in the last round of a knock-out, and who goes on, or Nobody where that is open.
func (e *Event) tie(a, b int) (games []Pair, winner int) {
	for _, p := range e.Rounds[len(e.Rounds)-1] {
		if p.First == a && p.Second == b || p.First == b && p.Second == a {
			games = append(games, p)
		}
	}
	last := games[len(games)-1]
	switch last.ended() {
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

// ties returns the ties of the last round of a knock-out, in the order of the bracket.
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

// replays adds a game to each tie of the last round that is drawn, and says whether there was one.
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

// drawKnockout pairs the winners of the last round. The better seed moves first in odd rounds.
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

// SwissRounds is how many rounds a Swiss tournament has that nobody has set: as many as a knock-out would take, and one
// more, but never so many that two must meet twice.
func SwissRounds(players int) int {
	return min(bits.Len(uint(max(players-1, 0)))+1, max(players-1+players%2, 1))
}

// colours is what a player of a Swiss tournament has had.
type colours struct {
	balance int // times first less times second
	last    [2]int
}

// must says which colour a player must have: 1 first, -1 second, 0 either. Nobody has a colour three times in a row, or
// three times more than the other one.
func (c colours) must() int {
	switch {
	case c.balance >= 2 || c.last == [2]int{1, 1}:
		return -1
	case c.balance <= -2 || c.last == [2]int{-1, -1}:
		return 1
	}
	return 0
}

// drawSwiss pairs players with like points who have not met. The upper half of a score group meets the lower half; who is
// left over goes down to the next group. With an odd number the last one who was not free yet is free.
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
				continue // no colour was played
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
	var bye []Pair
	if len(in)%2 == 1 {
		at := len(in) - 1
		for at > 0 && free[in[at]] {
			at--
		}
		bye = []Pair{{First: in[at], Second: Nobody}}
		in = slices.Delete(in, at, at+1)
	}
	var pairs []Pair
	for d.strict = true; ; d.strict = false { // colours give way before anybody meets twice
		d.steps = 0
		if pairs = d.pair(in); pairs != nil || !d.strict {
			break
		}
	}
	if pairs == nil { // late in a small tournament there may be no other way
		for i := 0; i+1 < len(in); i += 2 {
			pairs = append(pairs, d.seat(in[i], in[i+1]))
		}
	}
	return append(pairs, bye...)
}

// swiss draws a round of a Swiss tournament.
type swiss struct {
	met    map[[2]int]bool
	points map[int]float64
	had    []colours
	strict bool // about colours
	steps  int
}

// maxSteps bounds the search for a round.
const maxSteps = 20_000

// pair pairs players, who are sorted by points, or returns nil where that cannot be.
func (d *swiss) pair(in []int) []Pair {
	if len(in) == 0 {
		return []Pair{}
	}
	a := in[0]
	group := 1
	for group < len(in) && d.points[in[group]] == d.points[a] {
		group++
	}
	for _, i := range d.order(len(in), group) {
		b := in[i]
		if d.met[[2]int{a, b}] || d.strict && d.had[a].must()*d.had[b].must() == 1 {
			continue
		}
		if d.steps++; d.steps > maxSteps {
			return nil
		}
		rest := slices.Concat(in[1:i], in[i+1:])
		if more := d.pair(rest); more != nil {
			return append([]Pair{d.seat(a, b)}, more...)
		}
	}
	return nil
}

// order returns the places of the opponents of the first of so many players, the best choice first: the one half a score
// group below, those after it, those before it, and then lower groups.
func (d *swiss) order(players, group int) (places []int) {
	half := max(group/2, 1)
	for i := half; i < group; i++ {
		places = append(places, i)
	}
	for i := half - 1; i > 0; i-- {
		places = append(places, i)
	}
	for i := max(group, 1); i < players; i++ {
		places = append(places, i)
	}
	return places
}

// seat gives two players their colours: who must have one has it, then who has had it less often, then who had the other
// one last, and then the one with more points is first.
func (d *swiss) seat(a, b int) Pair {
	x, y := d.had[a], d.had[b]
	if cmp.Or(cmp.Compare(y.must(), x.must()), cmp.Compare(x.balance, y.balance), cmp.Compare(x.last[1], y.last[1])) > 0 {
		a, b = b, a
	}
	return Pair{First: a, Second: b}
}

// drawArena pairs those who are free: neighbours by points, but nobody twice in a row with the same opponent, unless only
// two are there.
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
		if p.ended() == Open {
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
