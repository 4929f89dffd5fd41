// SPDX-License-Identifier: Apache-2.0

package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestTelling(t *testing.T) {
	won := func(a, b string, n int) Pairing { return Pairing{A: a, B: b, Counts: Counts{Singles: [3]int{2: n}}} }
	drawn := func(a, b string, n int) Pairing {
		return Pairing{A: a, B: b, Counts: Counts{Singles: [3]int{1: n}}}
	}
	tests := []struct {
		name     string
		players  []string
		pairings []Pairing
		n        int
		want     [][2]string
	}{
		{"nobody", nil, nil, 3, nil},
		{"one", []string{"a"}, nil, 3, nil},
		{"all pairs once", []string{"c", "a", "b"}, nil, 9, [][2]string{{"a", "b"}, {"a", "c"}, {"b", "c"}}},
		{"everybody first", []string{"a", "b", "c", "d"}, nil, 2, [][2]string{{"a", "b"}, {"c", "d"}}},
		{"new ones", []string{"a", "b", "c", "d"}, []Pairing{drawn("a", "b", 100)}, 1, [][2]string{{"c", "d"}}},
		{"near ratings", []string{"a", "b", "c"}, []Pairing{won("a", "b", 50), won("a", "c", 50), drawn("b", "c", 50)}, 1, [][2]string{{"b", "c"}}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if got := Telling(tc.players, tc.pairings, tc.n); !slices.Equal(got, tc.want) {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}

// The covariance after a meeting is the inverse of the information with that meeting added.
func TestTellingCovariance(t *testing.T) {
	ps := []Pairing{{A: "a", B: "b", Counts: Counts{Singles: [3]int{3, 2, 9}}}, {A: "c", B: "b", Counts: Counts{Pairs: Pentanomial{1, 2, 3, 4, 5}}}}
	d := newDesign([]string{"a", "b", "c", "d"}, ps)
	_, information := d.slope(d.theta)
	for _, m := range []meeting{{i: 1, j: 4}, {i: 2, j: 3}, {i: 3, j: 4}} {
		w, _ := d.tells(m.i, m.j)
		d.addGame(m.i, m.j)
		addEdge(information, m, w)
	}
	want := invert(information)
	for i := range want {
		for j := range want {
			if !near(d.covariance[i][j], want[i][j], 1e-9) {
				t.Fatalf("covariance %d, %d is %v, want %v", i, j, d.covariance[i][j], want[i][j])
			}
		}
	}
}

// Games chosen where they tell most tell neighbours apart better than as many games of round robins.
func TestTellingTells(t *testing.T) {
	const players, rounds, tournaments, step = 12, 10, 40, 120.0
	rng := rand.New(rand.NewPCG(1, 0))
	var names []string
	strength := map[string]float64{}
	for i := range players {
		name := fmt.Sprintf("p%02d", i)
		names, strength[name] = append(names, name), step*float64(i)
	}
	meet := func(a, b string) Pairing {
		win := Score(strength[a] - strength[b])
		won := bernoulli(rng, win) + bernoulli(rng, win)
		return Pairing{A: a, B: b, Counts: Counts{Singles: [3]int{0: 2 - won, 2: won}}}
	}
	wrong := func(ps []Pairing) (sum float64) {
		elo := map[string]float64{}
		for _, r := range rate(t, ps, "") {
			elo[r.Name] = r.Elo
		}
		for i := range names[1:] {
			sum += math.Abs(elo[names[i+1]]-elo[names[i]]-step) / (players - 1)
		}
		return sum
	}
	chosenWrong, robinWrong := 0.0, 0.0
	for range tournaments {
		var chosen, robin []Pairing
		for range rounds {
			for _, m := range Telling(names, chosen, players) {
				chosen = append(chosen, meet(m[0], m[1]))
			}
		}
		for i := 0; len(robin) < len(chosen); i++ {
			if a, b := i/players%players, i%players; a < b {
				robin = append(robin, meet(names[a], names[b]))
			}
		}
		chosenWrong += wrong(chosen) / tournaments
		robinWrong += wrong(robin) / tournaments
	}
	t.Logf("neighbours are wrong by %.1f with chosen games, %.1f in round robins", chosenWrong, robinWrong)
	if !(chosenWrong < 0.9*robinWrong) {
		t.Errorf("neighbours are wrong by %.1f with chosen games, %.1f in round robins", chosenWrong, robinWrong)
	}
}
