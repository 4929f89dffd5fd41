// SPDX-License-Identifier: Apache-2.0

package league

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/bot"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/server/match"
	"github.com/krow-lab/krow/server/store"
)

// Options describe how games are played. None of them changes a game, except the players that Open makes, and as
// Queue says.
type Options struct {
	Open  match.Open
	Jobs  int // games at once; 0 means 1
	Games int // number of games after which Run ends; 0: no limit
	// Most, unless 0, ends Run when every member has played this number of games.
	Most int
	// Spare, unless nil, returns when a move may be thought about, or ctx is done. It is called before each move.
	Spare func(ctx context.Context)
	// Queue, unless nil, plays games elsewhere (see arena.Kinds): those between players of which Away returns a spec that is
	// made there. They are stored when all that are played there now are over, without what bots drew.
	Queue work.Queue
	Away  func(g game.Game, spec string, lim search.Limits) (string, error)
	// OnGame, unless nil, is called after each game is stored, one call at a time. An error ends Run.
	OnGame func(PlayedGame) error
	// Watch, unless nil, is called with each position of a game, from the goroutine of that game. It must leave the
	// position as it is.
	Watch func(first, second string, p game.Position)
}

// errEnough ends what is being played when Options.Games are.
var errEnough = errors.New("enough games")

// Run plays rounds until Options.Games or Options.Most games are played, or ctx is done. Another process that plays the league
// gets an atomicfile.ErrBusy.
func (l *League) Run(ctx context.Context, o Options) error {
	release, err := l.db.Claim("league-" + l.Name)
	if err != nil {
		return err
	}
	r := &runner{l: l, o: o}
	e := arena.Event{Jobs: o.Jobs, Next: func() ([]*arena.Match, error) { return r.next(ctx) }}
	if err = e.Run(ctx); err == errEnough {
		err = nil
	}
	return errors.Join(err, release())
}

// runner plays a league.
type runner struct {
	l *League
	o Options

	mu    sync.Mutex
	games int
	later []func() error // keep the games of the round that were played elsewhere
}

// next returns the matches to be played now, or none when every member has played Options.Most games.
func (r *runner) next(ctx context.Context) (all []*arena.Match, err error) {
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
		if todo, done := l.round(); !done {
			missing := 0
			for _, f := range todo {
				if r.o.Games > 0 && missing >= r.o.Games-r.games {
					break // enough for this call
				}
				m, err := r.match(ctx, f)
				if err != nil {
					return nil, err
				}
				missing += f.games - len(f.played)
				all = append(all, m)
			}
			return all, nil
		}
		switch least, n := l.least(); {
		case n < 2:
			return nil, ErrMembers
		case r.o.Most > 0 && least >= r.o.Most:
			return nil, nil
		}
		if err := l.db.BeginRound(l.ID, l.row.Round+1); err != nil {
			return nil, err
		}
	}
}

// least returns the fewest games that a member has played, and how many members play the next round.
func (l *League) least() (games, members int) {
	played := make([]int, len(l.members)+1)
	for _, g := range l.games {
		played[g.A]++
		played[g.B]++
	}
	for _, m := range l.members {
		if m.plays(l.row.Round + 1) {
			if members++; members == 1 || played[m.Number] < games {
				games = played[m.Number]
			}
		}
	}
	return games, members
}

// match returns the match of a fixture, with the games that are played.
func (r *runner) match(ctx context.Context, f fixture) (*arena.Match, error) {
	l := r.l
	var d drawings
	m := &arena.Match{
		Game: l.Game, A: r.factory(f.a, &d), B: r.factory(f.b, &d), Games: f.games, RandomPlies: l.Terms.Plies,
		Limits: search.Limits{Nodes: l.Terms.Nodes, Depth: l.Terms.Depth}, Guard: time.Duration(cmp.Or(l.Terms.Guard, usualGuard)) * time.Second,
		Seed: rng.Mix(l.Terms.Seed, 0, uint64(f.round), uint64(f.a.Number), uint64(f.b.Number)),
	}
	for _, g := range f.played {
		kept, err := l.db.LeagueGames(l.ID, store.LeagueFilter{ID: g.ID})
		if err != nil || len(kept) == 0 {
			return nil, errors.Join(err, ErrNoGame)
		}
		result, err := l.record(f, kept[0])
		if err != nil {
			return nil, err
		}
		m.Played = append(m.Played, result)
	}
	m.Watch = func(result record.Game, p game.Position) {
		if r.o.Spare != nil {
			r.o.Spare(ctx)
		}
		if r.o.Watch != nil {
			r.o.Watch(result.Names[0], result.Names[1], p)
		}
	}
	m.OnGame = func(result record.Game) error { return r.keep(f, result, d.game(l.Game, f, result)) }
	if r.o.Queue == nil {
		return m, nil
	}
	for i, of := range []*Member{f.a, f.b} {
		var err error
		if m.Specs[i], err = r.o.Away(l.Game, of.Spec, m.Limits); err != nil {
			return m, nil // it cannot be made elsewhere
		}
	}
	m.Queue, m.OnGame = r.o.Queue, nil
	before := len(m.Played)
	r.later = append(r.later, func() error {
		for _, result := range m.Played[before:] {
			if err := r.keep(f, result, ""); err != nil {
				return err
			}
		}
		return nil
	})
	return m, nil
}

// keep stores a game, and counts it.
func (r *runner) keep(f fixture, result record.Game, drawn string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.o.Games > 0 && r.games >= r.o.Games {
		return errEnough
	}
	g := store.LeagueGame{
		League: r.l.ID, Round: f.round, A: f.a.Number, B: f.b.Number, Leg: result.Index, Points: 1,
		Opening: notation.FormatMoves(r.l.Game, result.Moves[:result.Opening]), Moves: notation.FormatMoves(r.l.Game, result.Moves),
		Outcome: result.Outcome.String(), Reason: result.Reason, Forfeit: result.Forfeited(), Drawn: drawn,
	}
	if w, won := result.Outcome.Winner(); won && w == result.A {
		g.Points = 2
	} else if won {
		g.Points = 0
	}
	if err := r.l.db.AddLeagueGame(g); err != nil {
		return err
	}
	r.games++
	if r.o.OnGame != nil {
		if err := r.o.OnGame(view(g, f.a.Name, f.b.Name)); err != nil {
			return err
		}
	}
	if r.games == r.o.Games {
		return errEnough
	}
	return nil
}

// record returns a stored game as memory has it.
func (l *League) record(f fixture, g store.LeagueGame) (record.Game, error) {
	row := store.Game{First: f.a.Name, Second: f.b.Name, Moves: g.Moves, Outcome: g.Outcome, Reason: g.Reason, Opening: len(strings.Fields(g.Opening))}
	if g.Leg%2 == 1 {
		row.First, row.Second = row.Second, row.First
	}
	played, err := row.Played(l.Game)
	played.Index, played.A = g.Leg, game.Side(g.Leg%2)
	return played, err
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

// broken is a player that could not be made. It forfeits, and the league continues.
type broken struct{ err error }

// Name returns "broken".
func (broken) Name() string { return "broken" }

// Move returns the error.
func (b broken) Move(context.Context, game.Position, search.Limits) (game.Move, error) {
	return game.NoMove, b.err
}

// PlayedGame is a game of a league.
type PlayedGame struct {
	ID      int64     `json:"id"`
	Round   int       `json:"round"`
	First   string    `json:"first" doc:"who moved first"`
	Second  string    `json:"second"`
	Opening int       `json:"opening" doc:"how many of the moves were given"`
	Moves   string    `json:"moves"`
	Outcome string    `json:"outcome"`
	Winner  string    `json:"winner,omitempty"`
	Reason  string    `json:"reason" doc:"win, draw, or why somebody forfeited"`
	Forfeit bool      `json:"forfeit,omitempty"`
	Played  time.Time `json:"played,omitzero"`
	Drawn   []Drawn   `json:"drawn,omitempty" doc:"what bots drew, in the latest games"`
}

func view(g store.LeagueGame, a, b string) PlayedGame {
	v := PlayedGame{
		ID: g.ID, Round: g.Round, First: a, Second: b, Opening: len(strings.Fields(g.Opening)), Moves: g.Moves,
		Outcome: g.Outcome, Reason: g.Reason, Forfeit: g.Forfeit, Played: g.Played.UTC(), Drawn: readDrawn(g.Drawn),
	}
	if g.Leg%2 == 1 {
		v.First, v.Second = b, a
	}
	switch g.Points {
	case 2:
		v.Winner = a
	case 0:
		v.Winner = b
	}
	return v
}

// Filter says which games are asked for. What is empty asks for all.
type Filter struct {
	ID              int64
	Member, Against string
	Before          int64 // games with a smaller ID
	Count           int   // of the latest
}

// Games returns games, the latest first.
func (l *League) Games(f Filter) ([]PlayedGame, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.refresh(); err != nil {
		return nil, err
	}
	q := store.LeagueFilter{ID: f.ID, Before: f.Before, Count: f.Count, Latest: true}
	for name, n := range map[string]*int{f.Member: &q.Member, f.Against: &q.Against} {
		if name == "" {
			continue
		}
		m, err := l.member(name)
		if err != nil {
			return nil, err
		}
		*n = m.Number
	}
	rows, err := l.db.LeagueGames(l.ID, q)
	all := make([]PlayedGame, 0, len(rows))
	for _, g := range rows {
		all = append(all, view(g, l.members[g.A-1].Name, l.members[g.B-1].Name))
	}
	if err == nil && f.ID > 0 && len(all) == 0 {
		err = ErrNoGame
	}
	return slices.Clip(all), err
}
