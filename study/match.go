// SPDX-License-Identifier: Apache-2.0

package study

import (
	"context"
	"fmt"
	"strings"

	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/record"
	"github.com/krow-lab/krow/search"
)

// Contender takes part in matches.
type Contender struct {
	// Name tells contenders apart, in reports and in the keys of the store: what plays otherwise has
	// another name.
	Name string
	// Spec makes its players, when New is nil. It may hold what does not change play, such as a file's place.
	Spec string
}

// Named returns a contender whose name is its spec.
func Named(spec string) Contender { return Contender{spec, spec} }

// Match is a match that is kept game by game.
type Match struct {
	Game   string // its spec
	A, B   Contender
	Games  int
	Seed   uint64
	Suite  Suite // of openings, one for each pair
	Plies  int   // random moves at the start of each pair, where there is no suite
	Limits search.Limits
}

// Title says who plays what.
func (m Match) Title() string { return m.Game + ": " + m.A.Name + " - " + m.B.Name }

// key tells everything that the games follow from.
func (m Match) key() string {
	return fmt.Sprintf("match/1/%s/%s/%s/seed=%d,plies=%d,suite=%s,limits=%+v", m.Game, m.A.Name, m.B.Name, m.Seed, m.Plies, m.Suite, m.Limits)
}

// gameKey is that of game i, from 0.
func (m Match) gameKey(i int) string { return fmt.Sprintf("%s/%d", m.key(), i) }

// Played is a match that was played.
type Played struct {
	arena.Summary
	Results []arena.Result // in the order of the games
}

// Match plays what is left of a match. Its games must have been planned ([Lab.Plan]).
func (l *Lab) Match(ctx context.Context, m Match) (none Played, err error) {
	am, err := m.arena()
	if err != nil {
		return none, fmt.Errorf("%s: %w", m.Title(), err)
	}
	if am.Played, err = l.played(m, am.Game); err != nil {
		return none, fmt.Errorf("%s: %w", m.Title(), err)
	}
	l.Did(m.Title(), len(am.Played), false)
	if l.ReadOnly && len(am.Played) < m.Games {
		return none, fmt.Errorf("%s: %d of %d games: %w", m.Title(), len(am.Played), m.Games, ErrMissing)
	}
	all := Played{Results: am.Played}
	am.Jobs = max(l.Jobs, 1)
	am.OnGame = func(r arena.Result) error {
		if err := l.put(m.gameKey(r.Index), am.Record(r, false)); err != nil {
			return err
		}
		all.Results = append(all.Results, r)
		l.Did(m.Title(), 1, true)
		return nil
	}
	if all.Summary, err = am.Run(ctx); err != nil {
		return none, fmt.Errorf("%s: %w", m.Title(), err)
	}
	return all, nil
}

// played returns the games of m that are kept, up to the first that is not.
func (l *Lab) played(m Match, rules game.Game) ([]arena.Result, error) {
	var all []arena.Result
	for i := range m.Games {
		var g record.Game
		found, err := l.get(m.gameKey(i), &g)
		if err != nil || !found {
			return all, err
		}
		r, err := arena.FromRecord(rules, g)
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", i+1, err)
		}
		all = append(all, r)
	}
	return all, nil
}

// arena returns m as the arena has it.
func (m Match) arena() (*arena.Match, error) {
	g, err := catalog.Game(m.Game)
	if err != nil {
		return nil, err
	}
	am := &arena.Match{Game: g, Games: m.Games, Seed: m.Seed, RandomPlies: m.Plies, Limits: m.Limits}
	am.A, am.B = m.A.factory(g), m.B.factory(g)
	for _, text := range m.Suite.Openings {
		moves, err := parse(g, text)
		if err != nil {
			return nil, fmt.Errorf("opening %q: %w", text, err)
		}
		am.Openings = append(am.Openings, moves)
	}
	return am, nil
}

func (c Contender) factory(g game.Game) arena.Factory {
	return arena.Factory{Name: c.Name, New: func(seed uint64) (player.Player, error) { return catalog.Player(g, c.Spec, seed) }}
}

// parse reads moves from the start of a game.
func parse(g game.Game, text string) ([]game.Move, error) {
	p := g.Start()
	var moves []game.Move
	for word := range strings.FieldsSeq(text) {
		m, err := g.Parse(word)
		if err != nil {
			return nil, err
		}
		if err := game.Play(p, m); err != nil {
			return nil, err
		}
		moves = append(moves, m)
	}
	return moves, nil
}
