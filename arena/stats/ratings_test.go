// SPDX-License-Identifier: Apache-2.0

package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func rate(t testing.TB, pairings []Pairing, anchor string) []Rating {
	t.Helper()
	r, err := Rate(pairings, anchor)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// difference returns how much stronger a is than b, and the half-width of its interval.
func difference(t testing.TB, pairings []Pairing, a, b string) (elo, half float64) {
	t.Helper()
	all := rate(t, pairings, b)
	r := all[slices.IndexFunc(all, func(r Rating) bool { return r.Name == a })]
	return r.Elo, r.Error
}

// Two players have the Elo of their score with the prior's quarter points, and about the error of a match.
func TestRateTwo(t *testing.T) {
	tests := []Counts{
		{Singles: [3]int{80, 50, 100}},
		{Pairs: Pentanomial{3, 10, 30, 14, 5}},
		{Pairs: Pentanomial{20, 80, 200, 100, 30}, Singles: [3]int{0, 1, 0}},
		{Pairs: Pentanomial{200, 50, 20, 0, 0}},
	}
	for _, c := range tests {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			elo, half := difference(t, []Pairing{{A: "a", B: "b", Counts: c}}, "a", "b")
			n, s, e := float64(c.Games()), float64(c.halves())/2, c.Estimate()
			if want := Elo((s + 0.25) / (n + 0.5)); !near(elo, want, 1e-9) {
				t.Errorf("%v, want %v", elo, want)
			}
			// The slope of Elo at the score, times the error of the score.
			want := eloUnit / (e.Score * (1 - e.Score)) * z95 * c.deviation(e.Score)
			if !near(elo, e.Elo, 0.1*e.Error) || !near(half, want, 0.02*want) {
				t.Errorf("%v ± %v, want about %v ± %v", elo, half, e.Elo, want)
			}
		})
	}
}

func TestRatePerfect(t *testing.T) {
	r := rate(t, []Pairing{{A: "a", B: "b", Counts: Counts{Pairs: Pentanomial{4: 10}}}, {A: "b", B: "c", Counts: Counts{Pairs: Pentanomial{4: 10}}}, {A: "c", B: "a", Counts: Counts{Pairs: Pentanomial{0: 10}}}}, "b")
	for i, want := range []struct {
		name  string
		score float64
	}{{"a", 1}, {"b", 0.5}, {"c", 0}} {
		got := r[i]
		if got.Name != want.name || got.Score != want.score || got.Games != 40 || math.IsInf(got.Elo, 0) || math.IsNaN(got.Error) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if a, b, c := r[0], r[1], r[2]; !near(a.Elo, -c.Elo, 1e-9) || a.Elo < 500 || a.Error < 100 || b != (Rating{Name: "b", Games: 40, Score: 0.5}) {
		t.Errorf("%+v", r)
	}
}

// A chain in which each beats the next is rated link by link: who met nobody else's opponents learns nothing
// from them.
func TestRateChain(t *testing.T) {
	const n, players = 1000, 40
	var ps []Pairing
	name := func(i int) string { return fmt.Sprintf("p%02d", i) }
	for i := range players - 1 {
		ps = append(ps, Pairing{A: name(i), B: name(i + 1), Counts: Counts{Singles: [3]int{0, 0, n}}})
	}
	r := rate(t, ps, name(0))
	for i := range players - 1 {
		prior := 1.0 / 4 // both have met two
		if i == 0 || i == players-2 {
			prior = 1.0 / 3
		}
		elo := r[i].Elo - r[i+1].Elo // each has won against the next
		if want := Elo((n + prior/2) / (n + prior)); r[i].Name != name(i) || !near(elo, want, 1e-6) {
			t.Errorf("%s is %v stronger than the next, want %v", r[i].Name, elo, want)
		}
	}
}

// drawPairings has every two neighbours in a row of names meet, and some more.
func drawPairings(t *rapid.T) []Pairing {
	n := rapid.IntRange(2, 7).Draw(t, "players")
	var ps []Pairing
	name := func(i int) string { return string(rune('a' + i%n)) }
	for i := range n - 1 {
		c := drawCounts(t)
		c.Singles[1]++
		ps = append(ps, Pairing{A: name(i), B: name(i + 1), Counts: c})
	}
	for range rapid.IntRange(0, 8).Draw(t, "more") {
		i, k := rapid.IntRange(0, n-1).Draw(t, "i"), rapid.IntRange(1, n-1).Draw(t, "k")
		shared := rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "shared")
		ps = append(ps, Pairing{A: name(i), B: name(i + k), Counts: drawCounts(t), Shared: shared})
	}
	return ps
}

// At the maximum everyone is expected to make the points made, the prior's included.
func TestRateExpectsPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ps := drawPairings(t)
		r, err := Rate(ps, "")
		if err != nil {
			t.Fatal(err)
		}
		elo, mean := map[string]float64{}, 0.0
		for _, p := range r {
			elo[p.Name] = p.Elo
			mean += p.Elo
			if !(p.Error > 0) || math.IsInf(p.Error, 0) || !near(p.Hi-p.Elo, p.Elo-p.Lo, 1e-6) {
				t.Fatalf("%+v: no interval", p)
			}
		}
		if !near(mean, 0, 1e-6) {
			t.Fatalf("the mean is %v in %+v", mean, r)
		}
		met, points := map[string]map[string]bool{}, map[string]float64{}
		for _, p := range ps {
			if p.Counts.Games() == 0 {
				continue
			}
			over := float64(p.Counts.halves())/2 - float64(p.Counts.Games())*Score(elo[p.A]-elo[p.B])
			points[p.A] += over
			points[p.B] -= over
			for _, side := range [][2]string{{p.A, p.B}, {p.B, p.A}} {
				if met[side[0]] == nil {
					met[side[0]] = map[string]bool{}
				}
				met[side[0]][side[1]] = true
			}
		}
		for a, others := range met {
			for b := range others {
				points[a] += (0.5 - Score(elo[a]-elo[b])) / float64(len(met[a])+len(met[b]))
			}
			if !near(points[a], 0, 1e-6) {
				t.Fatalf("%s makes %v points more than expected: %+v", a, points[a], r)
			}
		}
	})
}

// Not the last bit depends on the order of pairings or of the two sides, nor on how results are divided.
func TestRateOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ps := drawPairings(t)
		anchor := rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "anchor")
		want, err := Rate(ps, anchor)
		if err != nil {
			t.Fatal(err)
		}
		other := rapid.Permutation(ps).Draw(t, "order")
		for i, p := range other {
			if rapid.Bool().Draw(t, "exchange") {
				other[i] = Pairing{A: p.B, B: p.A, Counts: p.Counts.reversed(), Shared: p.Shared}
			}
		}
		other = append(other, Pairing{A: "a", B: "nobody"})
		if got, err := Rate(other, anchor); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("got %+v, %v, want %+v", got, err, want)
		}
	})
}

// An anchor moves all strengths alike, and no difference.
func TestRateAnchor(t *testing.T) {
	ps := []Pairing{{A: "a", B: "b", Counts: Counts{Pairs: Pentanomial{3, 10, 30, 14, 5}}}, {A: "c", B: "b", Counts: Counts{Singles: [3]int{80, 50, 100}}}, {A: "c", B: "d", Counts: Counts{Singles: [3]int{1, 0, 9}}}}
	free, anchored := rate(t, ps, ""), rate(t, ps, "c")
	shift := free[0].Elo - anchored[0].Elo
	for i, p := range free {
		q := anchored[i]
		if q.Name != p.Name || !near(p.Elo-q.Elo, shift, 1e-9) {
			t.Errorf("%+v and %+v", p, q)
		}
		back, same := difference(t, ps, "c", p.Name)
		if !near(back, -q.Elo, 1e-9) || !near(same, q.Error, 1e-9) {
			t.Errorf("%v ± %v turned around is %v ± %v", q.Elo, q.Error, back, same)
		}
	}
}

func TestRateErrors(t *testing.T) {
	one := Counts{Singles: [3]int{0, 0, 1}}
	tests := []struct {
		name     string
		pairings []Pairing
		anchor   string
		want     string
	}{
		{"nothing", nil, "", "ratings: no games"},
		{"no games", []Pairing{{A: "a", B: "b", Counts: Counts{}}}, "", "ratings: no games"},
		{"itself", []Pairing{{A: "a", B: "a", Counts: one}}, "", `ratings: "a" plays against itself`},
		{"two groups", []Pairing{{A: "d", B: "b", Counts: one}, {A: "c", B: "a", Counts: one}, {A: "a", B: "e", Counts: one}, {A: "a", B: "b", Counts: Counts{}}}, "", `ratings: no games connect "a" with "b", "d"`},
		{"anchor", []Pairing{{A: "a", B: "b", Counts: one}}, "c", `ratings: the anchor "c" has not played`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := Rate(tc.pairings, tc.anchor); err == nil || err.Error() != tc.want {
				t.Errorf("got %v, want %s", err, tc.want)
			}
		})
	}
}

// In round robins between players of known strength, whose games in pairs hang together or not, the 95 %
// intervals hold the truth in about 95 % of tournaments, for the Elo and for every difference.
func TestRateCoverage(t *testing.T) {
	truth := []float64{100, 30, 0, -40, -90} // mean 0
	const tournaments, pairs = 1000, 30
	for _, opening := range []float64{0, 0.4} {
		t.Run(fmt.Sprintf("opening=%v/seed=3", opening), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(3, 0))
			alone, between, n := 0, 0, 0
			for range tournaments {
				results := roundRobin(rng, truth, pairs, opening)
				for _, p := range rate(t, results, "") {
					want := truth[p.Name[0]-'a']
					if p.Lo <= want && want <= p.Hi {
						alone++
					}
				}
				for i, a := range truth {
					for j, b := range truth[:i] {
						elo, half := difference(t, results, string(rune('a'+i)), string(rune('a'+j)))
						if math.Abs(elo-(a-b)) <= half {
							between++
						}
						n++
					}
				}
			}
			a, b := float64(alone)/float64(tournaments*len(truth)), float64(between)/float64(n)
			t.Logf("coverage: alone %.4f, differences %.4f", a, b)
			if !near(a, 0.95, 0.015) || !near(b, 0.95, 0.015) {
				t.Errorf("coverage %.4f and %.4f, want 0.95", a, b)
			}
		})
	}
}

// roundRobin plays pairs without draws. A share of the pairs is decided by the opening: the same side wins both
// games. In the others strength decides, and decides the more, so that everyone's mean score is that of the Elo.
func roundRobin(rng *rand.Rand, elo []float64, pairs int, opening float64) []Pairing {
	var ps []Pairing
	for i := range elo {
		for j := range i {
			var c Counts
			win := 0.5 + (Score(elo[i]-elo[j])-0.5)/(1-opening)
			for range pairs {
				points := 2
				if rng.Float64() >= opening {
					points = 2*bernoulli(rng, win) + 2*bernoulli(rng, win)
				}
				c.Pairs[points]++
			}
			ps = append(ps, Pairing{A: string(rune('a' + i)), B: string(rune('a' + j)), Counts: c})
		}
	}
	return ps
}

func bernoulli(rng *rand.Rand, p float64) int {
	if rng.Float64() < p {
		return 1
	}
	return 0
}

// TestRateShared rates players who are all the same but for a: each plays a in the same games, and 1-1 against the
// others. They tell no more of a than one of them would, which only the names of the openings reveal.
func TestRateShared(t *testing.T) {
	results := Pentanomial{10, 20, 40, 25, 15}
	meet := func(x, y string, shared bool) (all []Pairing) {
		for points, k := range results {
			for n := range k {
				p := Pairing{A: x, B: y}
				if shared {
					p.Shared = fmt.Sprintf("opening %d of %d", n, points)
				}
				if x == "a" {
					p.Counts.Pairs[points]++
				} else {
					p.Counts.Pairs[2]++
				}
				all = append(all, p)
			}
		}
		return all
	}
	everybody := func(shared bool) (all []Pairing) {
		for i, x := range []string{"a", "b", "c", "d"} {
			for _, y := range []string{"b", "c", "d"}[i:] {
				all = append(all, meet(x, y, shared)...)
			}
		}
		return all
	}
	one := rate(t, meet("a", "b", false), "a")[1] // b, the weaker
	shared := rate(t, everybody(true), "a")
	for _, r := range shared[1:] {
		if !near(r.Elo, one.Elo, 0.1) || !near(r.Error, one.Error, 0.01*one.Error) {
			t.Errorf("%s %.1f ± %.2f, want as for two %.1f ± %.2f", r.Name, r.Elo, r.Error, one.Elo, one.Error)
		}
	}
	for _, r := range rate(t, everybody(false), "a")[1:] {
		if r.Error > 0.8*one.Error {
			t.Errorf("without names %s has ± %.2f: the test shows nothing", r.Name, r.Error)
		}
	}
	turned := everybody(true)
	slices.Reverse(turned)
	for i, p := range turned {
		turned[i] = Pairing{p.B, p.A, p.Counts.exchanged(), p.Shared}
	}
	if got := rate(t, turned, "a"); !reflect.DeepEqual(got, shared) {
		t.Errorf("in another order %+v, want %+v", got, shared)
	}
}

func BenchmarkRate(b *testing.B) {
	elo := make([]float64, 16)
	for i := range elo {
		elo[i] = 40 * float64(i)
	}
	ps := roundRobin(rand.New(rand.NewPCG(1, 0)), elo, 20, 0)
	for b.Loop() {
		rate(b, ps, "")
	}
}
