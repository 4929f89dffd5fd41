// SPDX-License-Identifier: Apache-2.0

package league

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/krow-lab/krow/app/match"
	"github.com/krow-lab/krow/app/pairing"
	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/store"
	"github.com/krow-lab/krow/stats"
)

// cupKinds are the kinds of cups.
var cupKinds = []string{pairing.RoundRobin, pairing.Swiss, pairing.Knockout}

// maxCupGames bounds the games of a pairing.
const maxCupGames = 200

// extra is how many pairs of games a knock-out tie is given before the better seed goes on.
const extra = 3

// CupSpec is a cup as it is asked for.
type CupSpec struct {
	Kind   string `json:"kind" enum:"round-robin,swiss,knockout"`
	Games  int    `json:"games" minimum:"2" maximum:"200" doc:"of each pairing, an even number"`
	Rounds int    `json:"rounds,omitempty" minimum:"0" maximum:"50" doc:"of a Swiss cup; 0: as many as a knock-out would take, and one more"`
	Best   int    `json:"best,omitempty" minimum:"0" maximum:"200" doc:"so many of the table take part; 0: all"`
}

// cup is a cup with its games so far.
type cup struct {
	store.LeagueCup
	l       *League
	seeds   []*Member // the best of the table first
	rounds  [][]tie
	pending []fixture // of the last round
}

// tie is a meeting in a round. B is nil for one who meets nobody.
type tie struct {
	a, b    *Member
	halves  int // of a
	games   int
	winner  *Member // of a knock-out tie that is over, and of one who meets nobody
	summary arena.Summary
}

// NewCup begins a cup of the members, seeded by the table, and returns its number. Run plays it.
func (l *League) NewCup(c CupSpec) (int, error) {
	switch {
	case !slices.Contains(cupKinds, c.Kind):
		return 0, fmt.Errorf("%w: a cup is a round-robin, a swiss or a knockout, not %q", ErrTerms, c.Kind)
	case c.Games < 2 || c.Games > maxCupGames || c.Games%2 != 0:
		return 0, fmt.Errorf("%w: a pairing has an even number of games from 2 to %d, not %d", ErrTerms, maxCupGames, c.Games)
	case c.Rounds < 0 || c.Rounds > 0 && c.Kind != pairing.Swiss:
		return 0, fmt.Errorf("%w: only a swiss cup has a number of rounds", ErrTerms)
	}
	t, err := l.Table(0)
	if err != nil {
		return 0, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var seeds []int
	for _, r := range t.Rows {
		if m, err := l.member(r.Name); err == nil && !m.Left && (c.Best == 0 || len(seeds) < c.Best) {
			seeds = append(seeds, m.Number)
		}
	}
	if len(seeds) < 2 {
		return 0, ErrMembers
	}
	if c.Kind == pairing.Swiss {
		if c.Rounds == 0 {
			c.Rounds = pairing.SwissRounds(len(seeds))
		}
		c.Rounds = min(c.Rounds, len(seeds)-1+len(seeds)%2) // then everyone has met everyone
	}
	return l.db.AddCup(l.ID, store.LeagueCup{Kind: c.Kind, Games: c.Games, Rounds: c.Rounds, Members: seeds})
}

// PlayCup plays a cup to its end. Another process that plays the league gets a wholefile.ErrBusy.
func (l *League) PlayCup(ctx context.Context, number int, o Options) error {
	return l.claimed(func() error {
		r := &runner{l: l, o: o}
		for {
			l.mu.Lock()
			c, err := l.cupOf(number)
			l.mu.Unlock()
			if err != nil || len(c.pending) == 0 {
				return err
			}
			if err := r.play(ctx, c.pending); err == errEnough {
				return nil
			} else if err != nil {
				return err
			}
		}
	})
}

// cupOf reads what is new and returns a cup. The caller holds the lock.
func (l *League) cupOf(number int) (*cup, error) {
	if err := l.refresh(); err != nil {
		return nil, err
	}
	if number < 1 || number > len(l.cups) {
		return nil, fmt.Errorf("%w: %d", ErrCup, number)
	}
	return l.cup(l.cups[number-1]), nil
}

// cup puts a cup together from its games: round after round, until one is not over.
func (l *League) cup(kept store.LeagueCup) *cup {
	c := &cup{LeagueCup: kept, l: l}
	for _, n := range kept.Members {
		c.seeds = append(c.seeds, &l.members[n-1])
	}
	played := map[pair][]store.LeagueGame{}
	for _, g := range l.games {
		if g.Cup == c.Number {
			k := pair{g.Cup, g.Round, g.A, g.B}
			played[k] = append(played[k], g)
		}
	}
	for {
		ties := c.draw()
		if ties == nil {
			return c
		}
		r := len(c.rounds) + 1
		for i := range ties {
			t := &ties[i]
			if t.b == nil {
				t.winner = t.a
				continue
			}
			games := played[pair{c.Number, r, t.a.Number, t.b.Number}]
			slices.SortFunc(games, func(a, b store.LeagueGame) int { return cmp.Compare(a.Leg, b.Leg) })
			if want := c.count(t, games); want > len(games) {
				c.pending = append(c.pending, fixture{c.Number, r, t.a, t.b, want, games})
			}
		}
		c.rounds = append(c.rounds, ties)
		if c.pending != nil {
			return c
		}
	}
}

// count adds the games of a tie, and returns how many it takes.
func (c *cup) count(t *tie, games []store.LeagueGame) (want int) {
	tally := arena.Tally{}
	for i, g := range games {
		t.halves += g.Points
		t.games++
		r := arena.Result{Index: i, Forfeit: g.Forfeit, A: game.Side(g.Leg % 2), Outcome: game.Draw}
		if g.Points != 1 {
			r.Outcome = game.WinFor(game.Side((g.Leg + 1 - g.Points/2) % 2))
		}
		tally.Add(r)
	}
	t.summary = tally.Summary()
	want = c.Games
	if c.Kind != pairing.Knockout || t.games < want {
		return want
	}
	if t.games%2 == 1 {
		return t.games + 1
	}
	for k := 0; k < extra && t.games >= want && t.halves == t.games; k++ {
		want += 2
	}
	switch {
	case want > t.games && t.halves == t.games:
		return want
	case t.halves >= t.games: // a is the better seed
		t.winner = t.a
	default:
		t.winner = t.b
	}
	return t.games
}

// draw returns the meetings of the next round, or nil when the cup is over.
func (c *cup) draw() []tie {
	switch c.Kind {
	case pairing.Knockout:
		return c.drawKnockout()
	case pairing.Swiss:
		if len(c.rounds) == c.Rounds {
			return nil
		}
		return c.drawSwiss()
	}
	return c.drawRoundRobin()
}

// drawRoundRobin turns a circle in which one place stands still; with an odd number nobody sits there.
//
//	round 1   1 2 3      round 2   1 6 2      those above each other meet
//	          6 5 4                5 4 3
func (c *cup) drawRoundRobin() []tie {
	n := len(c.seeds) + len(c.seeds)%2
	r := len(c.rounds)
	if r == n-1 {
		return nil
	}
	at := func(i int) int {
		if i > 0 {
			i = (i-1+(n-1)-r)%(n-1) + 1
		}
		return i
	}
	var ties []tie
	for i := range n / 2 {
		ties = append(ties, c.meeting(at(i), at(n-1-i)))
	}
	return ties
}

// meeting returns the tie of two seeds, the better one first. One may be a seed that nobody has.
func (c *cup) meeting(i, j int) tie {
	t := tie{a: c.seeds[min(i, j)]}
	if last := max(i, j); last < len(c.seeds) {
		t.b = c.seeds[last]
	}
	return t
}

// drawKnockout pairs the winners of the round before. In the first round the best meet the last, and those without an
// opponent go on.
//
//	1-8   4-5   2-7   3-6
//	  1-4         2-3
//	       1-2
func (c *cup) drawKnockout() []tie {
	in := pairing.Bracket(len(c.seeds))
	if n := len(c.rounds); n > 0 {
		in = in[:0]
		for _, t := range c.rounds[n-1] {
			in = append(in, slices.Index(c.seeds, t.winner))
		}
	}
	if len(in) == 1 {
		return nil
	}
	var ties []tie
	for two := range slices.Chunk(in, 2) {
		ties = append(ties, c.meeting(two[0], two[1]))
	}
	return ties
}

// drawSwiss pairs those with like points who have not met, from the top of the standings. With an odd number the last who
// has not had a free round has one, which counts as a win. Late in a small cup neighbours meet again.
func (c *cup) drawSwiss() []tie {
	met := map[tie]bool{}
	for _, ties := range c.rounds {
		for _, t := range ties {
			met[tie{a: t.a, b: t.b}] = true
		}
	}
	var in []int
	for _, s := range c.standings() {
		in = append(in, slices.Index(c.seeds, s.member))
	}
	bye, in := pairing.Bye(in, func(i int) bool { return met[tie{a: c.seeds[i]}] })
	below := func(in []int) (places []int) {
		for i := range in[1:] {
			places = append(places, i+1)
		}
		return places
	}
	pairs := pairing.Neighbours(in, below, func(i, j int) bool { return !met[c.meeting(i, j)] })
	if pairs == nil {
		for two := range slices.Chunk(in, 2) {
			pairs = append(pairs, [2]int(two))
		}
	}
	var ties []tie
	for _, p := range pairs {
		ties = append(ties, c.meeting(p[0], p[1]))
	}
	if bye != pairing.Nobody {
		ties = append(ties, tie{a: c.seeds[bye]})
	}
	return ties
}

// standing is a member's place in a cup.
type standing struct {
	member                  *Member
	points, buchholz        float64
	won, drawn, lost, round int // round: the last one that it reached
	champion                bool
}

// standings returns the members by how far they came in a knock-out, and else by points, the points of their opponents,
// and their seeds.
func (c *cup) standings() []standing {
	all := make([]standing, len(c.seeds))
	at := map[*Member]*standing{}
	for i, m := range c.seeds {
		all[i].member = m
		at[m] = &all[i]
	}
	for r, ties := range c.rounds {
		for _, t := range ties {
			a := at[t.a]
			a.round = r + 1
			if t.b == nil {
				if c.Kind == pairing.Swiss {
					a.points += float64(c.Games)
				}
				continue
			}
			b := at[t.b]
			b.round = r + 1
			a.points += float64(t.halves) / 2
			b.points += float64(2*t.games-t.halves) / 2
			s := t.summary
			a.won, a.drawn, a.lost = a.won+s.AWins, a.drawn+s.Draws, a.lost+s.BWins
			b.won, b.drawn, b.lost = b.won+s.BWins, b.drawn+s.Draws, b.lost+s.AWins
		}
	}
	for _, ties := range c.rounds {
		for _, t := range ties {
			if t.b != nil {
				at[t.a].buchholz += at[t.b].points
				at[t.b].buchholz += at[t.a].points
			}
		}
	}
	if n := len(c.rounds); c.Kind == pairing.Knockout && n > 0 && len(c.rounds[n-1]) == 1 && c.pending == nil {
		at[c.rounds[n-1][0].winner].champion = true
	}
	slices.SortStableFunc(all, func(a, b standing) int {
		if c.Kind == pairing.Knockout {
			return cmp.Or(order(b.champion, a.champion), cmp.Compare(b.round, a.round))
		}
		return cmp.Or(cmp.Compare(b.points, a.points), cmp.Compare(b.buchholz, a.buchholz))
	})
	return all
}

// CupRow is a member in the standings of a cup.
type CupRow struct {
	Name     string  `json:"name"`
	Points   float64 `json:"points" doc:"a draw is half a point"`
	Won      int     `json:"won"`
	Drawn    int     `json:"drawn"`
	Lost     int     `json:"lost"`
	Buchholz float64 `json:"buchholz,omitempty" doc:"points of the opponents"`
	Round    int     `json:"round,omitempty" doc:"of a knock-out: the last that it reached"`
}

// CupTie is a meeting in a cup.
type CupTie struct {
	A      string  `json:"a"`
	B      string  `json:"b,omitempty" doc:"empty: A meets nobody"`
	Points float64 `json:"points" doc:"of A"`
	Games  int     `json:"games"`
	Winner string  `json:"winner,omitempty" doc:"who goes on"`
}

// Cup is a cup as it stands.
type Cup struct {
	Number  int             `json:"number"`
	Kind    string          `json:"kind"`
	Games   int             `json:"games" doc:"of each pairing"`
	Over    bool            `json:"over"`
	Winner  string          `json:"winner,omitempty"`
	Rows    []CupRow        `json:"rows" nullable:"false"`
	Rounds  [][]CupTie      `json:"rounds" nullable:"false"`
	Ratings []stats.Rating  `json:"ratings,omitempty" doc:"of the games of this cup alone, where they connect everybody"`
	Pairs   []match.Meeting `json:"-"`
}

// Cup returns a cup as it stands.
func (l *League) Cup(number int) (Cup, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, err := l.cupOf(number)
	if err != nil {
		return Cup{}, err
	}
	return c.view(), nil
}

// Cups returns all cups, the latest first.
func (l *League) Cups() (all []Cup, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.refresh(); err != nil {
		return nil, err
	}
	for _, c := range slices.Backward(l.cups) {
		all = append(all, l.cup(c).view())
	}
	return all, nil
}

func (c *cup) view() Cup {
	v := Cup{Number: c.Number, Kind: c.Kind, Games: c.LeagueCup.Games, Over: c.pending == nil, Rows: []CupRow{}, Rounds: [][]CupTie{}}
	for _, s := range c.standings() {
		r := CupRow{s.member.Name, s.points, s.won, s.drawn, s.lost, s.buchholz, 0}
		if c.Kind == pairing.Knockout {
			r.Round, r.Buchholz = s.round, 0
		}
		v.Rows = append(v.Rows, r)
	}
	if v.Over {
		v.Winner = v.Rows[0].Name
	}
	for _, ties := range c.rounds {
		round := []CupTie{}
		for _, t := range ties {
			k := CupTie{A: t.a.Name, Points: float64(t.halves) / 2, Games: t.games}
			if t.b != nil {
				k.B = t.b.Name
				if t.games > 0 {
					v.Pairs = append(v.Pairs, match.Meeting{A: t.a.Name, B: t.b.Name, Summary: t.summary})
				}
			}
			if t.winner != nil {
				k.Winner = t.winner.Name
			}
			round = append(round, k)
		}
		v.Rounds = append(v.Rounds, round)
	}
	if standings, err := match.Standings(v.Pairs); err == nil {
		for _, s := range standings {
			v.Ratings = append(v.Ratings, s.Rating)
		}
	}
	return v
}
