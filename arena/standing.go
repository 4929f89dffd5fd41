// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/krow-lab/krow/arena/stats"
)

// Standing contains the results of a player in an event.
type Standing struct {
	Rank     int     `json:"rank" doc:"rank from 1; 0 if the player has none"`
	Points   float64 `json:"points" doc:"a draw is half a point"`
	Won      int     `json:"won"`
	Drawn    int     `json:"drawn"`
	Lost     int     `json:"lost"`
	Forfeits int     `json:"forfeits,omitempty" doc:"games that the player forfeited"`
}

// Add counts a game of the player: half, in half points, is 2 for a win, 1 for a draw, 0 for a loss.
func (s *Standing) Add(half int) {
	s.Points += float64(half) / 2
	switch half {
	case 2:
		s.Won++
	case 1:
		s.Drawn++
	default:
		s.Lost++
	}
}

// Rated is a standing with a rating.
type Rated struct {
	// The Elo is relative to the mean of all players. The 95 % interval of the Elo is computed as if all results were
	// independent.
	stats.Rating
	Standing
}

// Meeting contains the results of the games between two players.
type Meeting struct {
	A string `json:"a"`
	B string `json:"b"`
	Summary
}

// Standings returns the results of each player of meetings, without ranks.
func Standings(meetings []Meeting) map[string]Standing {
	of := map[string]Standing{}
	add := func(name string, won, drawn, lost, forfeits int) {
		s := of[name]
		s.Won, s.Drawn, s.Lost, s.Forfeits = s.Won+won, s.Drawn+drawn, s.Lost+lost, s.Forfeits+forfeits
		s.Points = float64(s.Won) + float64(s.Drawn)/2
		of[name] = s
	}
	for _, m := range meetings {
		add(m.A, m.AWins, m.Draws, m.BWins, m.AForfeits)
		add(m.B, m.BWins, m.Draws, m.AWins, m.BForfeits)
	}
	return of
}

// Leaders returns one line with the points of each player, the leader first: "60/120 games   best 38/40   mics 15.5/40 ...". total is
// the number of games of the event.
func Leaders(meetings []Meeting, total int) string {
	of, done := Standings(meetings), 0
	for _, m := range meetings {
		done += m.Games
	}
	text := fmt.Sprintf("%d/%d games", done, total)
	for _, name := range slices.SortedFunc(maps.Keys(of), func(a, b string) int {
		return cmp.Or(cmp.Compare(of[b].Points, of[a].Points), cmp.Compare(a, b))
	}) {
		s := of[name]
		text += fmt.Sprintf("   %s %g/%d", name, s.Points, s.Won+s.Drawn+s.Lost)
	}
	return text
}

// Rank returns the players of meetings, the strongest first. It returns an error if there are two players whom no chain of
// meetings connects.
func Rank(meetings []Meeting) (all []Rated, err error) {
	of := Standings(meetings)
	var pairings []stats.Pairing
	for _, m := range meetings {
		pairings = append(pairings, stats.Pairing{A: m.A, B: m.B, Counts: stats.Counts{Pairs: m.Pentanomial}})
	}
	rated, err := stats.Rate(pairings, "")
	for i, r := range rated {
		s := of[r.Name]
		s.Rank = i + 1
		all = append(all, Rated{r, s})
	}
	return all, err
}
