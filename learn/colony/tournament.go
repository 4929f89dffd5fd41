// SPDX-License-Identifier: Apache-2.0

package colony

import (
	"context"
	"fmt"

	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/stats"
)

// Tournament is a round robin: everyone meets everyone in a match.
//
//	       a    b    c    d
//	a           0    1    2       the matches, in the order they are played
//	b                3    4
//	c                     5
type Tournament struct {
	Game    game.Game
	Players []arena.Factory // of different names
	Games   int             // of each match: even, so that both move first equally often
	Seed    uint64          // of every match: all begin with the same openings
	// RandomPlies begin each pair of games.
	RandomPlies int
	Concurrency int // games played at once; the result does not depend on it
	// OnMatch, unless nil, is called after each match. An error ends the tournament.
	OnMatch func(Meeting) error
}

// Meeting is a match that was played.
type Meeting struct {
	A, B          string
	Number, Total int // of matches, from 1
	Summary       arena.Summary
}

// Standing is what came of it for a player.
type Standing struct {
	Name             string
	Won, Drawn, Lost int
	Points           float64 // a draw is half a point
	Elo, Error       float64 // against the mean of all; Error is the half-width of the 95 % interval, matches being independent
	Forfeits         int     // games lost by an error or an illegal move
}

// Check returns an error in one line when t cannot be played.
func (t Tournament) Check() error {
	if len(t.Players) < 2 {
		return fmt.Errorf("a tournament needs two players or more, not %d", len(t.Players))
	}
	if t.Games < 2 || t.Games%2 != 0 {
		return fmt.Errorf("a match has an even number of games, not %d", t.Games)
	}
	names := map[string]bool{}
	for _, p := range t.Players {
		if names[p.Name] {
			return fmt.Errorf("%s plays twice", p.Name)
		}
		names[p.Name] = true
	}
	return nil
}

// Run plays all matches and returns the standings, the strongest first. It ends at the first error, which may be
// that of ctx.
func (t Tournament) Run(ctx context.Context) ([]Standing, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	table := map[string]*Standing{}
	for _, p := range t.Players {
		table[p.Name] = &Standing{Name: p.Name}
	}
	var pairings []stats.Pairing
	for i, a := range t.Players {
		for _, b := range t.Players[i+1:] {
			s, err := t.match(a, b).Run(ctx)
			if err != nil {
				return nil, fmt.Errorf("%s against %s: %w", a.Name, b.Name, err)
			}
			table[a.Name].add(s.AWins, s.Draws, s.BWins, s.AForfeits)
			table[b.Name].add(s.BWins, s.Draws, s.AWins, s.BForfeits)
			pairings = append(pairings, stats.Pairing{A: a.Name, B: b.Name, Counts: stats.Counts{Pairs: s.Pentanomial}})
			if t.OnMatch == nil {
				continue
			}
			n := len(t.Players)
			if err := t.OnMatch(Meeting{a.Name, b.Name, len(pairings), n * (n - 1) / 2, s}); err != nil {
				return nil, err
			}
		}
	}
	return ranked(table, pairings)
}

func (t Tournament) match(a, b arena.Factory) arena.Match {
	return arena.Match{
		Game: t.Game, A: a, B: b, Games: t.Games, Seed: t.Seed, RandomPlies: t.RandomPlies, Jobs: t.Concurrency,
	}
}

func (s *Standing) add(won, drawn, lost, forfeits int) {
	s.Won, s.Drawn, s.Lost, s.Forfeits = s.Won+won, s.Drawn+drawn, s.Lost+lost, s.Forfeits+forfeits
	s.Points += float64(won) + float64(drawn)/2
}

// ranked returns the standings by Elo.
func ranked(table map[string]*Standing, pairings []stats.Pairing) ([]Standing, error) {
	ratings, err := stats.Rate(pairings, "")
	if err != nil {
		return nil, err
	}
	var all []Standing
	for _, r := range ratings.List {
		s := *table[r.Name]
		s.Elo, s.Error = r.Elo, r.Error
		all = append(all, s)
	}
	return all, nil
}
