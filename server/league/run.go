// SPDX-License-Identifier: Apache-2.0

package league

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rescue"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/bot"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/server/match"
	"github.com/krow-lab/krow/server/store"
)

// Options say how games are played. None of them changes a game, but for the players that Open makes, and for what Queue says.
type Options struct {
	Open  match.Open
	Jobs  int // games at once; 0 means 1
	Games int // after which Run ends; 0: it goes on
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

// Run plays rounds until Options.Games or Options.Most games are played, or ctx is done. Another process that plays the league gets a atomicfile.ErrBusy.
func (l *League) Run(ctx context.Context, o Options) error {
	return l.claimed(func() error {
		r := &runner{l: l, o: o}
		for {
			todo, err := l.next(o.Most)
			if err != nil || todo == nil {
				return err
			}
			if err := r.play(ctx, todo); err == errEnough {
				return nil
			} else if err != nil {
				return err
			}
		}
	})
}

// claimed calls f while this process alone plays the league.
func (l *League) claimed(f func() error) error {
	release, err := l.db.Claim("league-" + l.Name)
	if err != nil {
		return err
	}
	return errors.Join(f(), release())
}

// next returns what is to be played now, or nil when every member has played so many games.
func (l *League) next(most int) ([]fixture, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		if err := l.refresh(); err != nil {
			return nil, err
		}
		todo, done := l.round()
		if !done {
			return todo, nil
		}
		switch least, n := l.least(); {
		case n < 2:
			return nil, ErrMembers
		case most > 0 && least >= most:
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

// runner plays fixtures.
type runner struct {
	l *League
	o Options

	mu    sync.Mutex
	games int
}

// play plays what is missing of fixtures, some at once, and others elsewhere.
func (r *runner) play(ctx context.Context, todo []fixture) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	here, away := r.divide(todo)
	queue := make(chan fixture)
	var workers sync.WaitGroup
	workers.Go(func() {
		err := rescue.Call(func() error { return r.elsewhere(ctx, away) })
		if err != nil {
			stop(err)
		}
	})
	for range max(r.o.Jobs, 1) {
		workers.Go(func() {
			for f := range queue {
				if err := rescue.Call(func() error { return r.meet(ctx, f) }); err != nil {
					stop(err)
				}
			}
		})
	}
	for _, f := range here {
		select {
		case queue <- f:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(queue)
	workers.Wait()
	return context.Cause(ctx)
}

// elsewhere hands out fixtures. Where a player fails there, or takes far too long, they are played here, and it forfeits.
func (r *runner) elsewhere(ctx context.Context, todo []awayFixture) error {
	err := r.handOut(ctx, todo)
	if !errors.As(err, new(*work.DeadError)) {
		return err
	}
	for _, f := range todo {
		if err := r.meet(ctx, f.fixture); err != nil {
			return err
		}
	}
	return nil
}

// awayFixture is a fixture that is played elsewhere, with the specs of its players there.
type awayFixture struct {
	fixture
	specs [2]string
}

// divide returns the fixtures that are played here, and those whose players can be made elsewhere.
func (r *runner) divide(todo []fixture) (here []fixture, away []awayFixture) {
	if r.o.Queue == nil {
		return todo, nil
	}
	of := map[*Member]string{}
	for _, f := range todo {
		for _, m := range []*Member{f.a, f.b} {
			if _, known := of[m]; !known {
				of[m], _ = r.o.Away(r.l.Game, m.Spec, r.limits()) // one that cannot be made there has none
			}
		}
		if of[f.a] == "" || of[f.b] == "" {
			here = append(here, f)
			continue
		}
		away = append(away, awayFixture{f, [2]string{of[f.a], of[f.b]}})
	}
	return here, away
}

// handOut has games played elsewhere. Results can be withdrawn as long as the queue is at them, so it stores them in the end.
func (r *runner) handOut(ctx context.Context, todo []awayFixture) error {
	var units []work.Unit
	var of []fixture
	for _, f := range todo {
		m, err := r.match(f.fixture)
		if err != nil {
			return err
		}
		m.Specs, m.Guard = f.specs, r.l.guard()
		games, err := m.Units()
		if err != nil {
			return err
		}
		for _, u := range games {
			units, of = append(units, u), append(of, f.fixture)
		}
	}
	if r.o.Games > 0 {
		units = units[:min(len(units), r.o.Games)]
	}
	if len(units) == 0 {
		return nil
	}
	var results []arena.Result
	_, err := work.Each(ctx, r.o.Queue, len(units), func(i int) (work.Unit, error) { return units[i], nil }, func(i int, data []byte) error {
		var result arena.Result
		err := json.Unmarshal(data, &result)
		results = append(results[:i], result)
		return err
	})
	for i := 0; i < len(results) && err == nil; i++ {
		err = r.keep(of[i], results[i], "")
	}
	return err
}

func (r *runner) limits() search.Limits {
	return search.Limits{Nodes: r.l.Terms.Nodes, Depth: r.l.Terms.Depth}
}

// match returns the games of a fixture, with those that are played.
func (r *runner) match(f fixture) (m arena.Match, err error) {
	l := r.l
	m = arena.Match{
		Game: l.Game, Games: f.games, RandomPlies: l.Terms.Plies, Limits: r.limits(),
		Seed: rng.Mix(l.Terms.Seed, 0, uint64(f.round), uint64(f.a.Number), uint64(f.b.Number)),
	}
	for _, g := range f.played {
		kept, err := l.db.LeagueGames(l.ID, store.LeagueFilter{ID: g.ID})
		if err != nil || len(kept) == 0 {
			return m, errors.Join(err, ErrNoGame)
		}
		result, err := arena.FromRecord(l.Game, l.record(f, kept[0]))
		if err != nil {
			return m, err
		}
		m.Played = append(m.Played, result)
	}
	return m, nil
}

// meet plays the games of a fixture that are missing.
func (r *runner) meet(ctx context.Context, f fixture) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	m, err := r.match(f)
	if err != nil {
		return err
	}
	var d drawings
	m.A, m.B = r.factory(f.a, &d), r.factory(f.b, &d)
	m.OnGame = func(result arena.Result) error { return r.keep(f, result, d.game(r.l.Game, f, result)) }
	if r.o.Watch != nil {
		m.Watch = func(result arena.Result, p game.Position) {
			first, second := f.a.Name, f.b.Name
			if result.A == game.Second {
				first, second = second, first
			}
			r.o.Watch(first, second, p)
		}
	}
	_, err = m.Run(ctx)
	return err
}

// keep stores a game, and counts it.
func (r *runner) keep(f fixture, result arena.Result, drawn string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.o.Games > 0 && r.games >= r.o.Games {
		return errEnough
	}
	g := store.LeagueGame{
		League: r.l.ID, Round: f.round, A: f.a.Number, B: f.b.Number, Leg: result.Index, Points: 1,
		Opening: notation.FormatMoves(r.l.Game, result.Moves[:result.Opening]), Moves: notation.FormatMoves(r.l.Game, result.Moves),
		Outcome: result.Outcome.String(), Reason: result.Reason, Forfeit: result.Forfeit, Drawn: drawn,
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

// record returns a stored game as files have it.
func (l *League) record(f fixture, g store.LeagueGame) record.Game {
	k := record.Game{
		Index: g.Leg, Game: l.Game.String(), A: f.a.Name, B: f.b.Name, First: "a", Moves: g.Moves, Outcome: g.Outcome, Reason: g.Reason,
		Result: [...]string{"loss", "draw", "win"}[g.Points], Plies: len(strings.Fields(g.Moves)), Opening: len(strings.Fields(g.Opening)),
	}
	if g.Leg%2 == 1 {
		k.First = "b"
	}
	return k
}

func (r *runner) factory(m *Member, d *drawings) arena.Factory {
	return arena.Factory{Name: m.Name, New: func(seed uint64) (player.Player, error) {
		p, err := r.o.Open(r.l.Game, m.Spec, seed)
		if err != nil {
			return broken{err}, nil
		}
		own := &guarded{of: p, guard: r.l.guard(), spare: r.o.Spare, drew: func(p game.Position, marks []bot.Mark) { d.add(m.Name, p, marks) }}
		if b, is := p.(*bot.Bot); is {
			b.Listen(func(l bot.Line) { own.marks = append(own.marks, l.Marks...) })
		}
		return own, nil
	}}
}

// guard is how long a move may take at most.
func (l *League) guard() time.Duration {
	return time.Duration(cmp.Or(l.Terms.Guard, usualGuard)) * time.Second
}

// broken is a player that could not be made. It forfeits, and the league goes on.
type broken struct{ err error }

// Name returns "broken".
func (broken) Name() string { return "broken" }

// Move returns the error.
func (b broken) Move(context.Context, game.Position, search.Limits) (game.Move, error) {
	return game.NoMove, b.err
}

// guarded is a player that waits until there is spare time, and forfeits if a move takes far too long. It does not know
// of that limit, so that it plays the same moves on any machine.
type guarded struct {
	of    player.Player
	guard time.Duration
	spare func(context.Context)
	hangs chan struct{} // closed when a move that was given up returns; nil while there is none
	marks []bot.Mark    // that it drew for this move
	drew  func(game.Position, []bot.Mark)
}

// Name returns the player's.
func (g *guarded) Name() string { return g.of.Name() }

// Start starts the player.
func (g *guarded) Start() error {
	if s, ok := g.of.(player.Starter); ok {
		return s.Start()
	}
	return nil
}

// Close closes the player, when it has returned.
func (g *guarded) Close() error {
	if g.hangs == nil {
		player.Close(g.of)
		return nil
	}
	go func() {
		<-g.hangs
		player.Close(g.of)
	}()
	return nil
}

// errLeft is the error of a player that ended its goroutine instead of returning.
var errLeft = errors.New("the player's goroutine ended")

// Move asks the player.
func (g *guarded) Move(ctx context.Context, p game.Position, lim search.Limits) (game.Move, error) {
	if g.spare != nil {
		g.spare(ctx)
	}
	if ctx.Err() != nil {
		return game.NoMove, ctx.Err()
	}
	type answer struct {
		move  game.Move
		err   error
		panic any
	}
	within, cancel := context.WithTimeout(ctx, g.guard)
	defer cancel()
	answers, gone := make(chan answer, 1), make(chan struct{})
	go func() {
		a := answer{err: errLeft}
		defer func() {
			a.panic = recover()
			answers <- a
			close(gone)
		}()
		a.move, a.err = g.of.Move(within, p, lim)
	}()
	select {
	case a := <-answers:
		if a.panic != nil {
			panic(a.panic) // the arena makes the reason of it
		}
		g.drew(p, g.marks)
		g.marks = nil
		return a.move, a.err
	case <-within.Done():
	}
	select { // one that listens to its context is about to return
	case <-answers:
	case <-time.After(arena.DefaultMargin):
		g.hangs = gone
	}
	if ctx.Err() != nil {
		return game.NoMove, ctx.Err()
	}
	return game.NoMove, player.ErrTimeout
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
