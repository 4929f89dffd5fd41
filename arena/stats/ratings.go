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
	// Shared names a common cause of these results and of others with the same name, such as an opening; "" means none.
	Shared string
}

// Rating is the strength of one of several players.
type Rating struct {
	Name  string  `json:"name"`
	Games int     `json:"games"`
	Score float64 `json:"score" doc:"points per game"`
	Elo   float64 `json:"elo"`
	Lo    float64 `json:"low" doc:"the 95 % interval"`
	Hi    float64 `json:"high"`
	Error float64 `json:"-"` // half-width of the interval; 0 for the anchor
}

// eloUnit is the Elo of one unit of log odds.
var eloUnit = 400 / math.Ln10

// Rate returns the Elo of every player, the strongest first and equals by name, in the model of Bradley and Terry:
// a player stronger by d scores 1/(1+10^(-d/400)). The likeliest strengths are those at which everyone's expected
// points are the points made; a draw is half a point. The anchor has Elo 0, or the mean has where anchor is "".
//
// So that perfect scores stay finite, two players who met are given 1/(k+l) of a drawn game more, where k and l are
// the numbers of opponents they have met. In a round robin that is half a game for everyone: winning all n games
// rates like n + 1/4 points in n + 1/2.
//
// The intervals are robust. They follow from how the points of pairs and of single games vary around the points
// expected, so they are right where the games of a pair depend on each other and where draws are frequent. They hold
// for the Elo against the anchor or the mean. With few pairs they are a little too narrow: in round robins of five
// players they held the truth in 93 % at 3 pairs a meeting, 94.5 % at 10 and 95 % at 30.
//
// Players who draw no lots and are much alike play nearly the same games from the same opening, which tell less than their
// number. If several pairings have the same non-empty Shared, two intervals are computed and the wider one is returned: one
// treats their results as independent, the other treats all results with the same Shared as one cluster.
//
// The order of pairings, and which player is A, change nothing. An error says which players no games connect.
//
// CITE: Bradley and Terry, Rank Analysis of Incomplete Block Designs, 1952, for the model; Hunter, MM Algorithms
// for Generalized Bradley-Terry Models, 2004, for when a maximum exists; White, Maximum Likelihood Estimation of
// Misspecified Models, 1982, for the robust intervals.
func Rate(pairings []Pairing, anchor string) ([]Rating, error) {
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
	theta := t.solve()
	apart, tied := t.covariance(theta)
	var all []Rating
	for i, name := range t.names {
		contrast := make([]float64, len(t.names)) // the Elo is the sum of these shares of the strengths
		if anchor != "" {
			contrast[zero]--
		} else {
			for j := range contrast {
				contrast[j] = -1 / float64(len(contrast))
			}
		}
		contrast[i]++
		value, a, b := 0.0, 0.0, 0.0
		for i, c := range contrast {
			value += c * theta[i]
			for j, d := range contrast {
				a += c * d * apart[i][j]
				b += c * d * tied[i][j]
			}
		}
		elo, half := eloUnit*value, eloUnit*z95*math.Sqrt(max(0, a, b))
		games, halves := t.played(i)
		all = append(all, Rating{name, games, float64(halves) / float64(2*games), elo, elo - half, elo + half, half})
	}
	slices.SortStableFunc(all, func(a, b Rating) int { return cmp.Compare(b.Elo, a.Elo) })
	return all, nil
}

// meeting is results of two players, the lower number first, from its view.
//
//	names     a   b   c        edges   a-b  a-c  b-c
//	numbers   0   1   2                0-1  0-2  1-2
type meeting struct {
	i, j   int
	counts Counts
	prior  float64 // drawn games besides
	shared string  // as in Pairing
}

func (m meeting) compare(o meeting) int { return cmp.Or(cmp.Compare(m.i, o.i), cmp.Compare(m.j, o.j)) }

// table holds the results of each pair of players, in an order independent of the order of the pairings, so that sums
// are independent of it.
type table struct {
	names    []string  // sorted
	meetings []meeting // all results of two players as one
	ties     []meeting // results with a Shared name
}

func newTable(pairings []Pairing) (*table, error) {
	t := &table{}
	for _, p := range pairings {
		if p.A == p.B {
			return nil, fmt.Errorf("ratings: %q against itself", p.A)
		}
		if p.Counts.Games() > 0 {
			t.names = append(t.names, p.A, p.B)
		}
	}
	slices.Sort(t.names)
	t.names = slices.Compact(t.names)
	if len(t.names) == 0 {
		return nil, fmt.Errorf("ratings: no games")
	}
	for _, p := range pairings {
		if p.Counts.Games() > 0 {
			t.add(p)
		}
	}
	opponents := make([]float64, len(t.names))
	for _, m := range t.meetings {
		opponents[m.i]++
		opponents[m.j]++
	}
	for k, m := range t.meetings {
		t.meetings[k].prior = 1 / (opponents[m.i] + opponents[m.j])
	}
	slices.SortFunc(t.ties, func(a, b meeting) int {
		return cmp.Or(
			cmp.Compare(a.shared, b.shared), a.compare(b),
			cmp.Compare(a.counts.Games(), b.counts.Games()), cmp.Compare(a.counts.halves(), b.counts.halves()),
		)
	})
	return t, nil
}

func (t *table) add(p Pairing) {
	i, _ := slices.BinarySearch(t.names, p.A)
	j, _ := slices.BinarySearch(t.names, p.B)
	m := meeting{i: i, j: j, counts: p.Counts, shared: p.Shared}
	if i > j {
		m.i, m.j, m.counts = j, i, p.Counts.exchanged()
	}
	if p.Shared != "" {
		t.ties = append(t.ties, m)
	}
	k, found := slices.BinarySearchFunc(t.meetings, m, meeting.compare)
	if !found {
		t.meetings = slices.Insert(t.meetings, k, m)
		return
	}
	sum := &t.meetings[k].counts
	for i, n := range m.counts.Pairs {
		sum.Pairs[i] += n
	}
	for i, n := range m.counts.Singles {
		sum.Singles[i] += n
	}
}

// exchanged returns c from the other side's view.
func (c Counts) exchanged() Counts {
	slices.Reverse(c.Pairs[:])
	slices.Reverse(c.Singles[:])
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
