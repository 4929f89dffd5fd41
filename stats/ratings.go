// SPDX-License-Identifier: Apache-2.0

package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Pairing is the results of A against B, from A's view.
type Pairing struct {
	A, B   string
	Counts Counts
	// Shared names what these results have in common with other pairings of that name, such as the opening of
	// one pair of games that many played. Empty, they have nothing in common with any.
	Shared string
}

// Rating is the strength of one of several players.
type Rating struct {
	Name  string
	Games int
	Score float64 // points per game
	Elo   float64
	Lo    float64 // the 95 % interval of Elo
	Hi    float64
	Error float64 // its half-width; 0 for the anchor
}

// Ratings are the strengths of players who met in any arrangement that connects them all.
type Ratings struct {
	List []Rating // the strongest first, equals by name

	names []string  // sorted
	theta []float64 // strength of names[i] in units of 400/log 10 Elo
	// Covariances of theta, with that of the first player zero: all clusters independent, and those of the same
	// Shared as one.
	apart, tied [][]float64
}

// eloUnit is the Elo of one unit of log odds.
var eloUnit = 400 / math.Ln10

// Rate finds the Elo of every player in the model of Bradley and Terry, in which the stronger by d scores
// 1/(1+10^(-d/400)) whoever they are. The likeliest strengths are those at which everyone's expected points
// are the points made; a draw is half a point. The anchor has Elo 0, or the mean has where anchor is "".
//
// So that perfect scores stay finite, two who met are given 1/(k+l) of a drawn game more, where k and l are how
// many opponents each has met. That is half a game for two players, and for everyone in a round robin: winning
// all n games rates like n + 1/4 points in n + 1/2.
//
// The intervals are robust: what varies is the points of a pair, or of a single game, around the points
// expected, and not a game by itself, so they are right where the games of a pair hang together and
// where draws are frequent. They hold for the Elo against the anchor or the mean; for two players see
// [Ratings.Difference]. With few pairs they are a little too narrow: in round robins of five players they held
// the truth in 93 % at 3 pairs a meeting, 94.5 % at 10 and 95 % at 30.
//
// Players who draw no lots and are much alike play much the same games from the same opening, which then tell
// less than their number. Where pairings have the same Shared the interval is the wider of two: as if they were
// independent, and with all of one name as a single result.
//
// The order of pairings, and who is A, change nothing. An error says which players never met, by whatever way
// round.
//
// CITE: Bradley and Terry, Rank Analysis of Incomplete Block Designs, 1952, for the model; Hunter, MM Algorithms
// for Generalized Bradley-Terry Models, 2004, for when a maximum exists; White, Maximum Likelihood Estimation of
// Misspecified Models, 1982, for the robust intervals.
func Rate(pairings []Pairing, anchor string) (*Ratings, error) {
	t, err := newTable(pairings)
	if err != nil {
		return nil, err
	}
	if err := t.connected(); err != nil {
		return nil, err
	}
	zero, found := slices.BinarySearch(t.names, anchor)
	if anchor != "" && !found {
		return nil, fmt.Errorf("ratings: the anchor %q has not played", anchor)
	}
	r := &Ratings{names: t.names, theta: t.solve()}
	r.apart, r.tied = t.covariance(r.theta)
	for i, name := range t.names {
		contrast := make([]float64, len(t.names))
		if anchor != "" {
			contrast[zero]--
		} else {
			for j := range contrast {
				contrast[j] = -1 / float64(len(contrast))
			}
		}
		contrast[i]++
		elo, half := r.estimate(contrast)
		games, halves := t.played(i)
		r.List = append(r.List, Rating{name, games, float64(halves) / float64(2*games), elo, elo - half, elo + half, half})
	}
	slices.SortStableFunc(r.List, func(a, b Rating) int { return cmp.Compare(b.Elo, a.Elo) })
	return r, nil
}

// Difference returns how much stronger a is than b, and the half-width of its 95 % interval, which is not the
// sum of theirs. An error names a player who is not rated.
func (r *Ratings) Difference(a, b string) (elo, half float64, err error) {
	contrast := make([]float64, len(r.names))
	for _, side := range []struct {
		name string
		sign float64
	}{{a, 1}, {b, -1}} {
		i, found := slices.BinarySearch(r.names, side.name)
		if !found {
			return 0, 0, fmt.Errorf("ratings: %q has not played", side.name)
		}
		contrast[i] += side.sign
	}
	elo, half = r.estimate(contrast)
	return elo, half, nil
}

// estimate returns the Elo of a sum of strengths and the half-width of its 95 % interval.
func (r *Ratings) estimate(contrast []float64) (elo, half float64) {
	value, apart, tied := 0.0, 0.0, 0.0
	for i, c := range contrast {
		value += c * r.theta[i]
		for j, d := range contrast {
			apart += c * d * r.apart[i][j]
			tied += c * d * r.tied[i][j]
		}
	}
	return eloUnit * value, eloUnit * z95 * math.Sqrt(max(0, apart, tied))
}

// meeting is all results of two players, the lower number first, from its view.
//
//	names     a   b   c        edges   a-b  a-c  b-c
//	numbers   0   1   2                0-1  0-2  1-2
type meeting struct {
	i, j   int
	counts Counts
	prior  float64 // drawn games besides
}

// tie is the part of a meeting that has something in common with other ties of the same name.
type tie struct {
	shared string
	meeting
}

// table is who met whom. Meetings are in the order of the numbers and ties in that of their names, so that sums do
// not depend on the order of the pairings.
type table struct {
	names    []string
	meetings []meeting
	ties     []tie
}

func newTable(pairings []Pairing) (*table, error) {
	merged := map[[2]string]Counts{}
	t := &table{}
	for _, p := range pairings {
		if p.A == p.B {
			return nil, fmt.Errorf("ratings: %q against itself", p.A)
		}
		if p.Counts.Games() == 0 {
			continue
		}
		t.names = append(t.names, p.A, p.B)
		if p.A > p.B {
			p.A, p.B, p.Counts = p.B, p.A, p.Counts.exchanged()
		}
		merged[[2]string{p.A, p.B}] = merged[[2]string{p.A, p.B}].plus(p.Counts)
	}
	slices.Sort(t.names)
	t.names = slices.Compact(t.names)
	if len(t.names) == 0 {
		return nil, fmt.Errorf("ratings: no games")
	}
	opponents := make([]float64, len(t.names))
	for i, a := range t.names {
		for j, b := range t.names {
			if c, ok := merged[[2]string{a, b}]; ok {
				t.meetings = append(t.meetings, meeting{i: i, j: j, counts: c})
				opponents[i]++
				opponents[j]++
			}
		}
	}
	for k, m := range t.meetings {
		t.meetings[k].prior = 1 / (opponents[m.i] + opponents[m.j])
	}
	t.tie(pairings)
	return t, nil
}

// tie takes in what pairings have in common.
func (t *table) tie(pairings []Pairing) {
	for _, p := range pairings {
		if p.Shared == "" || p.Counts.Games() == 0 {
			continue
		}
		if p.A > p.B {
			p.A, p.B, p.Counts = p.B, p.A, p.Counts.exchanged()
		}
		i, _ := slices.BinarySearch(t.names, p.A)
		j, _ := slices.BinarySearch(t.names, p.B)
		t.ties = append(t.ties, tie{p.Shared, meeting{i: i, j: j, counts: p.Counts}})
	}
	slices.SortFunc(t.ties, func(a, b tie) int {
		return cmp.Or(
			cmp.Compare(a.shared, b.shared), cmp.Compare(a.i, b.i), cmp.Compare(a.j, b.j),
			cmp.Compare(a.counts.Games(), b.counts.Games()), cmp.Compare(a.counts.halves(), b.counts.halves()),
		)
	})
}

// exchanged returns c from the other side's view.
func (c Counts) exchanged() Counts {
	slices.Reverse(c.Pairs[:])
	slices.Reverse(c.Singles[:])
	return c
}

func (c Counts) plus(d Counts) Counts {
	for i, k := range d.Pairs {
		c.Pairs[i] += k
	}
	for i, k := range d.Singles {
		c.Singles[i] += k
	}
	return c
}

// connected returns an error that names the players who are cut off from the first.
func (t *table) connected() error {
	reached := make([]bool, len(t.names))
	reached[0] = true
	for range t.names { // a path is no longer than there are players
		for _, m := range t.meetings {
			if reached[m.i] || reached[m.j] {
				reached[m.i], reached[m.j] = true, true
			}
		}
	}
	var off []string
	for i, ok := range reached {
		if !ok {
			off = append(off, fmt.Sprintf("%q", t.names[i]))
		}
	}
	if len(off) > 0 {
		return fmt.Errorf("ratings: no games connect %q with %s", t.names[0], strings.Join(off, ", "))
	}
	return nil
}

// played returns a player's games and twice its points.
func (t *table) played(i int) (games, halves int) {
	for _, m := range t.meetings {
		n := m.counts.Games()
		switch i {
		case m.i:
			games, halves = games+n, halves+m.counts.halves()
		case m.j:
			games, halves = games+n, halves+2*n-m.counts.halves()
		}
	}
	return games, halves
}
