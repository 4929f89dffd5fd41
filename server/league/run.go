// SPDX-License-Identifier: Apache-2.0

package league

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/bot"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/server/match"
	"github.com/krow-lab/krow/server/store"
)

// Options control a call of Run. The content of a stored game does not depend on the options, with two exceptions: Open makes
// the players, and a game that Queue plays is stored without the drawings of bots.
type Options struct {
	Open  match.Open
	Jobs  int // number of games that are played at the same time; 0 means 1
	Games int // number of games after which Run ends; 0 means no limit
	// Most, unless 0, ends Run when every member has played this number of games.
	Most int
	// Spare, unless nil, is called before each move. It waits until the server has capacity for the move, or ctx is done.
	Spare func(ctx context.Context)
	// Queue, unless nil, plays games on other machines: see arena.Kinds. It plays a game if Away returns specs from which those
	// machines can make both players. Such games are stored only after all games in progress on other machines have ended, and
	// without the drawings of bots.
	Queue work.Queue
	Away  func(g game.Game, spec string, lim search.Limits) (string, error)
	// OnGame, unless nil, is called after each game is stored, one call at a time. An error ends Run.
	OnGame func(match.PlayedGame) error
	// Watch, unless nil, is called with each position of a game, from the goroutine of that game. It must leave the
	// position as it is.
	Watch func(first, second string, p game.Position)
}

// errEnough stops the games in progress when Options.Games games are stored.
var errEnough = errors.New("enough games")

// Run plays rounds until Options.Games or Options.Most games are played, or ctx is done. If another process plays the league, the
// error is an atomicfile.ErrBusy.
func (l *League) Run(ctx context.Context, o Options) error {
	release, err := l.db.Claim("league-" + l.Name)
	if err != nil {
		return err
	}
	r := &runner{l: l, o: o}
	e := arena.Event{Jobs: o.Jobs, Next: func() ([]*arena.Match, error) { return r.nextMatches(ctx) }}
	if err = e.Run(ctx); err == errEnough {
		err = nil
	}
	return errors.Join(err, release())
}

// runner is a call of Run in progress.
type runner struct {
	l *League
	o Options

	mu    sync.Mutex
	games int
	later []func() error // functions that store the games of the round that were played on other machines
}

// nextMatches returns the matches to play now: the open fixtures of the current round or, if there are none, of a new round. It
// returns none when every member has played Options.Most games.
func (r *runner) nextMatches(ctx context.Context) (all []*arena.Match, err error) {
	for _, keep := range r.later {
		if err := keep(); err != nil {
			return nil, err
		}
	}
	r.later = nil
	l := r.l
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		if err := l.refresh(); err != nil {
			return nil, err
		}
		if todo := l.openFixtures(); len(todo) > 0 {
			missing := 0
			for _, f := range todo {
				if r.o.Games > 0 && missing >= r.o.Games-r.games {
					break // these matches have enough games to reach Options.Games
				}
				m, err := r.matchOf(ctx, f)
				if err != nil {
					return nil, err
				}
				missing += gamesOfFixture - f.played
				all = append(all, m)
			}
			return all, nil
		}
		switch least, n := l.least(); {
		case n < 2:
			return nil, errMembers
		case r.o.Most > 0 && least >= r.o.Most:
			return nil, nil
		}
		if err := l.db.BeginRound(l.ID, l.row.Round+1); err != nil {
			return nil, err
		}
	}
}

// least considers the members who play in the next round. It returns the smallest number of games that one of these members has
// played, and the number of members in the next round.
func (l *League) least() (games, members int) {
	played := make([]int, len(l.members)+1)
	for _, g := range l.games {
		played[g.sides[0]]++
		played[g.sides[1]]++
	}
	for _, m := range l.members {
		if m.Plays(l.row.Round + 1) {
			if members++; members == 1 || played[m.Number] < games {
				games = played[m.Number]
			}
		}
	}
	return games, members
}

// matchOf returns the match of a fixture, including the games of the fixture that are already stored.
func (r *runner) matchOf(ctx context.Context, f fixture) (*arena.Match, error) {
	l := r.l
	var d drawings
	m := &arena.Match{
		Game: l.Game, A: r.factory(f.a, &d), B: r.factory(f.b, &d), Games: gamesOfFixture, RandomPlies: l.Terms.Plies,
		Limits: search.Limits{Nodes: l.Terms.Nodes, Depth: l.Terms.Depth}, Guard: time.Duration(cmp.Or(l.Terms.Guard, usualGuard)) * time.Second,
		Seed: rng.Mix(l.Terms.Seed, 0, uint64(f.round), uint64(f.a.Number), uint64(f.b.Number)),
	}
	if f.played > 0 {
		rows, err := l.db.Games(store.GameFilter{League: l.ID, Round: f.round, Players: []string{f.a.Name, f.b.Name}})
		if err != nil {
			return nil, err
		}
		for i, row := range rows {
			g, err := row.Played(l.Game)
			if err != nil {
				return nil, err
			}
			g.Index, g.A = i, game.Side(i%2)
			m.Played = append(m.Played, g)
		}
	}
	m.Watch = func(g record.Game, p game.Position) {
		if r.o.Spare != nil {
			r.o.Spare(ctx)
		}
		if r.o.Watch != nil {
			r.o.Watch(g.Names[0], g.Names[1], p)
		}
	}
	m.OnGame = func(g record.Game) error { return r.keepGame(f.round, g, d.ofGame(g)) }
	if r.o.Queue == nil {
		return m, nil
	}
	for i, of := range []*Member{f.a, f.b} {
		var err error
		if m.Specs[i], err = r.o.Away(l.Game, of.Spec, m.Limits); err != nil {
			return m, nil // this player cannot be made on other machines, so the match is played here
		}
	}
	m.Queue, m.OnGame = r.o.Queue, nil
	before := len(m.Played)
	r.later = append(r.later, func() error {
		for _, g := range m.Played[before:] {
			if err := r.keepGame(f.round, g, nil); err != nil {
				return err
			}
		}
		return nil
	})
	return m, nil
}

// keepGame stores a game, counts it and calls OnGame. It returns errEnough when Options.Games games are stored.
func (r *runner) keepGame(round int, g record.Game, drawn json.RawMessage) (err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.o.Games > 0 && r.games >= r.o.Games {
		return errEnough
	}
	row := store.RowOf(g)
	row.League, row.Round, row.Extra = r.l.ID, round, drawn
	if row.Number, err = r.l.db.AddLeagueGame(row); err != nil {
		return err
	}
	r.games++
	if r.o.OnGame != nil {
		if err := r.o.OnGame(match.View(row)); err != nil {
			return err
		}
	}
	if r.games == r.o.Games {
		return errEnough
	}
	return nil
}

func (r *runner) factory(m *Member, d *drawings) arena.Factory {
	return arena.Factory{Name: m.Name, New: func(seed uint64) (player.Player, error) {
		p, err := r.o.Open(r.l.Game, m.Spec, seed)
		if err != nil {
			return broken{err}, nil
		}
		if b, is := p.(*bot.Bot); is {
			drawing := &drawingBot{Bot: b, of: d, member: m.Name}
			b.Listen(func(l bot.Line) { drawing.marks = append(drawing.marks, l.Marks...) })
			return drawing, nil
		}
		return p, nil
	}}
}

// broken replaces a player that could not be made. It forfeits its games, so that the league continues.
type broken struct{ err error }

// Name returns "broken".
func (broken) Name() string { return "broken" }

// Move returns the error that prevented the player from being made.
func (b broken) Move(context.Context, game.Position, search.Limits) (game.Move, error) {
	return game.NoMove, b.err
}

// Filter selects games. A field that is empty or 0 excludes no games.
type Filter struct {
	ID              int64
	Member, Against string
	Before          int64 // only games with a smaller number are returned; 0 means no limit
	Count           int   // the number of games to return, the latest ones
}

// Games returns the games that pass a filter, the latest first.
func (l *League) Games(f Filter) ([]match.PlayedGame, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.refresh(); err != nil {
		return nil, err
	}
	q := store.GameFilter{League: l.ID, Number: f.ID, Before: f.Before, Count: f.Count, Latest: true}
	for _, name := range []string{f.Member, f.Against} {
		if name == "" {
			continue
		}
		if _, err := l.member(name); err != nil {
			return nil, err
		}
		q.Players = append(q.Players, name)
	}
	rows, err := l.db.Games(q)
	all := make([]match.PlayedGame, 0, len(rows))
	for _, g := range rows {
		all = append(all, match.View(g))
	}
	if err == nil && f.ID > 0 && len(all) == 0 {
		err = ErrNoGame
	}
	return all, err
}
