// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/gate"
	"github.com/krow-lab/krow/server/league"
	"github.com/krow-lab/krow/server/machines"
	"github.com/krow-lab/krow/server/match"
	"github.com/krow-lab/krow/server/store"
)

func (s *Server) registerLeagues() {
	answerList(s, op(club.Watcher, "leagues", "GET", "/leagues", "leagues", "List leagues"), s.listLeagues)
	answerJSON(s, with(s.beginning, op(club.Organiser, "new-league", "POST", "/leagues", "leagues", "Create a league")), made(s, s.newLeague))
	answerJSON(s, op(club.Watcher, "league", "GET", "/leagues/{id}", "leagues", "The current state of a league"), s.league)
	remove(s, op(club.Organiser, "delete-league", "DELETE", "/leagues/{id}", "leagues", "Delete a league and its games"), s.deleteLeague)
	answerJSON(s, op(club.Member, "join-league", "POST", "/leagues/{id}/members", "leagues", "Add a player, who plays from the next round on; members may add their own bots, organisers every player"), s.joinLeague)
	answerJSON(s, op(club.Member, "leave-league", "DELETE", "/leagues/{id}/members/{name}", "leagues", "Remove a player after the current round; members may remove their own bots, organisers every player"), s.leaveLeague)
	answerJSON(s, op(club.Organiser, "play-league", "POST", "/leagues/{id}/play", "leagues", "Let the server play the league when it has free capacity, also after a restart"), s.playLeague)
	answerJSON(s, op(club.Organiser, "stop-league", "POST", "/leagues/{id}/stop", "leagues", "Stop playing the league"), s.stopLeague)
	answerList(s, op(club.Watcher, "league-games", "GET", "/leagues/{id}/games", "leagues", "Games of a league, the latest first"), s.leagueGames)
	answerList(s, op(club.Watcher, "league-grid", "GET", "/leagues/{id}/grid", "leagues", "The results between each two members"), s.leagueGrid)
	huma.Register(s.api, op(club.Watcher, "export-league", "GET", "/leagues/{id}/export", "leagues", "The table or the games as a file"), s.exportLeague)
	stream(s, club.Watcher, "league-events", "/leagues/{id}/events", "leagues", "Send the league after each game, and the game in progress",
		events{"league": LeagueView{}, "live": Live{}, "gone": Gone{}}, s.leagueEvents)
}

// leagues contains the leagues that the server has opened since its start, to show them or to play their games.
type leagues struct {
	jobs *gate.Jobs

	mu   sync.Mutex
	open map[int64]*openLeague
}

// openLeague is a league with its last view, which is kept because computing it is expensive if there are many
// games.
type openLeague struct {
	*league.League
	mu   sync.Mutex
	view LeagueView
	mark string
	made time.Time
}

const (
	maxLeagues = 100
	// viewTime is the maximum age of the league table that a stream shows.
	viewTime = time.Second
	// The server stops a league when each member has played enoughGames games.
	enoughGames = 1000
	// spareTime is the interval at which a waiting league checks whether the cores are free again.
	spareTime = 50 * time.Millisecond
)

func newLeagues(s *Server) *leagues {
	return &leagues{jobs: s.newJobs(max(s.cores-1, 1)), open: map[int64]*openLeague{}}
}

// leagueOf returns the league with the number id. Only the first call opens it.
func (s *Server) leagueOf(id int64) (*openLeague, error) {
	s.leagues.mu.Lock()
	defer s.leagues.mu.Unlock()
	if l := s.leagues.open[id]; l != nil {
		if _, err := s.db.League(id); err != nil {
			delete(s.leagues.open, id)
			return nil, err
		}
		return l, nil
	}
	l, err := league.ByID(s.db, id)
	if err != nil {
		return nil, err
	}
	s.leagues.open[id] = &openLeague{League: l}
	return s.leagues.open[id], nil
}

// LeagueItem is a league in a list.
type LeagueItem struct {
	store.League
	Work gate.Work `json:"work"`
}

func leagueJob(id int64) string { return fmt.Sprintf("league %d", id) }

func (s *Server) listLeagues(context.Context, *struct{}) (out []LeagueItem, err error) {
	all, err := s.db.Leagues()
	for _, l := range all {
		out = append(out, LeagueItem{l, s.leagues.jobs.Look(leagueJob(l.ID))})
	}
	return out, err
}

// LeagueSpec holds the requested settings of a league.
type LeagueSpec struct {
	Name string `json:"name" maxLength:"40" example:"lunch" doc:"name of the league: letters, digits, single spaces, - and _"`
	Game string `json:"game" maxLength:"100" example:"connect4"`
	league.Terms
	Field string `json:"field" enum:"none,levels,all" doc:"members from the start: none, the levels of the game's ladder, or all: the levels and the published players"`
}

type newLeagueInput struct {
	Body LeagueSpec
}

func (s *Server) newLeague(_ context.Context, in *newLeagueInput) (LeagueView, error) {
	if _, err := request.GameOf(in.Body.Game); err != nil {
		return LeagueView{}, err
	}
	all, err := s.db.Leagues()
	if err != nil {
		return LeagueView{}, err
	}
	if len(all) >= maxLeagues {
		return LeagueView{}, badLeague.with(fmt.Sprintf("there are %d leagues, and no more are kept", len(all)), "")
	}
	l, err := league.Create(s.db, in.Body.Name, in.Body.Game, in.Body.Terms)
	if err != nil {
		return LeagueView{}, err
	}
	return s.changed(l.ID, func(l *openLeague) error {
		if in.Body.Field == "none" {
			return nil
		}
		_, err := l.AddField(in.Body.Field == "all", s.player)
		return err
	})
}

// LeagueView is the current state of a league.
type LeagueView struct {
	ID      int64              `json:"id"`
	Name    string             `json:"name"`
	Game    string             `json:"game"`
	Terms   league.Terms       `json:"terms"`
	Work    gate.Work          `json:"work"`
	Playing bool               `json:"playing" doc:"the server plays the league, or will continue as soon as it has free cores"`
	Table   league.Standings   `json:"table"`
	Latest  []match.PlayedGame `json:"latest" nullable:"false" doc:"the latest games"`
	Live    *Live              `json:"live,omitempty" doc:"a game in progress"`
}

func (s *Server) league(_ context.Context, in *RunRef) (LeagueView, error) {
	l, err := s.leagueOf(in.ID)
	if err != nil {
		return LeagueView{}, err
	}
	return s.viewLeague(l)
}

const leagueLatest = 30

// viewLeague returns the current state of a league.
func (s *Server) viewLeague(l *openLeague) (LeagueView, error) {
	v := LeagueView{ID: l.ID, Name: l.Name, Game: l.Game.String(), Terms: l.Terms, Work: s.leagues.jobs.Look(leagueJob(l.ID)), Live: s.liveOf(leagueJob(l.ID))}
	v.Playing = v.Work.Going()
	var err error
	if v.Table, err = l.Table(); err != nil {
		return v, err
	}
	v.Table.Met = []league.Met{}
	v.Latest, err = l.Games(league.Filter{Count: leagueLatest})
	return v, err
}

func (s *Server) deleteLeague(ctx context.Context, in *RunRef) error {
	l, err := s.leagueOf(in.ID)
	if err != nil {
		return err
	}
	s.leagues.jobs.Stop(ctx, leagueJob(in.ID))
	return l.Delete()
}

// Joining is a player who joins a league.
type Joining struct {
	Name   string `json:"name" maxLength:"40" doc:"name of the player in the league; if it is empty, the name is derived from the spec"`
	Spec   string `json:"spec" maxLength:"200"`
	Author string `json:"author" maxLength:"40"`
}

type joinInput struct {
	RunRef
	Body Joining
}

func (s *Server) joinLeague(ctx context.Context, in *joinInput) (LeagueView, error) {
	return s.changed(in.ID, func(l *openLeague) error {
		l.mu.Lock() // locked, so that two simultaneous entries by one member cannot exceed the limit
		defer l.mu.Unlock()
		m := league.Member{Name: in.Body.Name, Spec: in.Body.Spec, Author: in.Body.Author}
		var err error
		if who := club.From(ctx); who.Role < club.Organiser {
			m.Author, err = who.Name, s.mayEnter(ctx, l, m)
		}
		if err == nil {
			m.Spec, err = s.settled(ctx, l.Game, m.Spec)
		}
		if err != nil {
			return err
		}
		return l.Add(m, s.player)
	})
}

// maxEntries is the maximum number of bots of one member in a league.
const maxEntries = 3

// mayEnter returns nil if the caller, a member who is not an organiser, may enter the player m in the league; otherwise it
// returns an error.
func (s *Server) mayEnter(ctx context.Context, l *openLeague, m league.Member) error {
	mine := s.mine(ctx)
	own, err := mine.Owns(m.Spec)
	switch {
	case err != nil:
		return err
	case !own:
		return notAllowed.with("a member enters bots of their own; an organiser enters other players", m.Spec)
	}
	all, err := l.Members()
	if err != nil {
		return err
	}
	entries := 0
	for _, o := range all {
		if own, err := mine.Owns(o.Spec); !o.Left && own && err == nil {
			entries++
		}
	}
	if entries >= maxEntries {
		return badLeague.with(fmt.Sprintf("a member has at most %d bots in a league: take one out first", maxEntries), m.Spec)
	}
	return nil
}

// changed applies a change to a league, and returns its new state.
func (s *Server) changed(id int64, do func(*openLeague) error) (LeagueView, error) {
	l, err := s.leagueOf(id)
	if err == nil {
		err = do(l)
	}
	if err != nil {
		return LeagueView{}, err
	}
	return s.viewLeague(l)
}

type leaveInput struct {
	RunRef
	Name string `path:"name" maxLength:"40"`
}

// leaveLeague removes a player from a league. A member may remove the member's own bots, an organiser every
// player.
func (s *Server) leaveLeague(ctx context.Context, in *leaveInput) (LeagueView, error) {
	return s.changed(in.ID, func(l *openLeague) error {
		if club.From(ctx).Role >= club.Organiser {
			return l.Drop(in.Name)
		}
		all, err := l.Members()
		if err != nil {
			return err
		}
		for _, m := range all {
			if own, err := s.mine(ctx).Owns(m.Spec); m.Name == in.Name && own && err == nil {
				return l.Drop(in.Name)
			}
		}
		return notAllowed.new()
	})
}

func (s *Server) playLeague(_ context.Context, in *RunRef) (LeagueView, error) {
	return s.changed(in.ID, s.startLeague)
}

func (s *Server) startLeague(l *openLeague) error {
	if err := l.SetPlaying(true); err != nil {
		return err
	}
	// In the queue of jobs, each league counts as a separate client with the quota of a member.
	job := leagueJob(l.ID)
	return s.leagues.jobs.Start(gate.Client{Name: job, Trusted: true}, func() (string, error) { return job, nil },
		func(ctx context.Context, _ func(string)) error { return s.runLeague(ctx, l) })
}

func (s *Server) stopLeague(ctx context.Context, in *RunRef) (LeagueView, error) {
	return s.changed(in.ID, func(l *openLeague) error {
		if err := l.SetPlaying(false); err != nil {
			return err
		}
		s.leagues.jobs.Stop(ctx, leagueJob(l.ID))
		return nil
	})
}

// resumeLeagues restarts the leagues that were in progress when the server ended.
func (s *Server) resumeLeagues() {
	all, err := s.db.Leagues()
	for _, row := range all {
		if !row.Playing {
			continue
		}
		l, failed := s.leagueOf(row.ID)
		if failed == nil {
			failed = s.startLeague(l)
		}
		err = errors.Join(err, failed)
	}
	if err != nil {
		s.log.Warn("leagues do not go on", "error", err)
	}
}

func (s *Server) runLeague(ctx context.Context, l *openLeague) error {
	key := leagueJob(l.ID)
	defer s.shown.Delete(key)
	o := league.Options{Open: s.player, Most: enoughGames, Spare: s.spare, Watch: s.watch(key)}
	if s.o.Machines != nil {
		o.Queue, o.Away = s.o.Machines.Queue(machines.OfLeague(l.ID, l.Name)), s.awaySpec
	}
	err := l.Run(ctx, o)
	if err == nil {
		return l.SetPlaying(false) // Run has ended because every member has played enoughGames games, so the league stops
	}
	return err
}

// spare waits until no player thinks, no analysis runs or waits, and the other jobs leave a core free.
func (s *Server) spare(ctx context.Context) {
	tick := time.NewTicker(spareTime)
	defer tick.Stop()
	for s.occupied() {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (s *Server) occupied() bool {
	running, waiting := s.queue.Lengths()
	return s.live.Thinking() > 0 || running+waiting > 0 || s.jobs.Running() > 0 && s.cores < 3
}

type leagueGamesInput struct {
	RunRef
	Of      string `query:"of" maxLength:"40" doc:"name of a player: only games of this player"`
	Against string `query:"against" maxLength:"40" doc:"name of another player: only games of these two"`
	Before  int64  `query:"before" minimum:"0" doc:"only games with smaller numbers"`
	Game    int64  `query:"game" minimum:"0" doc:"only the game with this number"`
}

func (s *Server) leagueGames(_ context.Context, in *leagueGamesInput) ([]match.PlayedGame, error) {
	l, err := s.leagueOf(in.ID)
	if err != nil {
		return nil, err
	}
	return l.Games(league.Filter{ID: in.Game, Member: in.Of, Against: in.Against, Before: in.Before, Count: leagueLatest})
}

func (s *Server) leagueGrid(_ context.Context, in *RunRef) ([]league.Met, error) {
	l, err := s.leagueOf(in.ID)
	if err != nil {
		return nil, err
	}
	t, err := l.Table()
	return t.Met, err
}

type exportLeagueInput struct {
	RunRef
	Format string `query:"format" enum:"json,csv,games-csv,games,sgf" default:"json"`
}

func (s *Server) exportLeague(_ context.Context, in *exportLeagueInput) (*request.File, error) {
	l, err := s.leagueOf(in.ID)
	if err != nil {
		return nil, s.fault(err)
	}
	data, err := l.Export(in.Format)
	if err != nil {
		return nil, s.fault(err)
	}
	end := map[string]string{"json": ".json", "csv": ".csv", "games-csv": "-games.csv", "games": ".jsonl", "sgf": ".sgf"}[in.Format]
	return &request.File{Type: "text/plain; charset=utf-8", Disposition: `attachment; filename="` + l.Name + end + `"`, Body: data}, nil
}

// leagueEvents sends a league now and after each change; between changes it sends the moves of a game in progress.
func (s *Server) leagueEvents(ctx context.Context, in *RunRef, send sse.Sender) {
	told := ""
	s.poll(ctx, func() (any, string, bool) {
		l, err := s.leagueOf(in.ID)
		if err != nil {
			return Gone{}, "gone", true
		}
		v, mark, err := s.recent(l)
		if err != nil {
			return Gone{}, "gone", true
		}
		live := s.liveOf(leagueJob(in.ID))
		playing := mark
		if live != nil {
			playing += fmt.Sprint(live.First, live.Moves)
		}
		if live != nil && mark == told {
			return *live, playing, false
		}
		told = mark
		v.Live = live
		return v, playing, false
	}, send)
}

// recent returns a view of a league that is at most viewTime old, and a text that changes whenever the view
// changes.
func (s *Server) recent(l *openLeague) (LeagueView, string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	work := s.leagues.jobs.Look(leagueJob(l.ID))
	if l.mark != "" && time.Since(l.made) < viewTime && work == l.view.Work {
		return l.view, l.mark, nil
	}
	v, err := s.viewLeague(l)
	if err != nil {
		return v, "", err
	}
	latest := int64(0)
	if len(v.Latest) > 0 {
		latest = v.Latest[0].ID
	}
	l.view, l.made = v, time.Now()
	l.mark = fmt.Sprint(v.Work, latest, len(v.Table.Rows), slices.ContainsFunc(v.Table.Rows, func(r league.Row) bool { return r.Left }))
	return v, l.mark, nil
}
