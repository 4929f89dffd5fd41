// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
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
		events{"league": LeagueView{}, "live": match.Live{}, "gone": Gone{}}, s.leagueEvents)
}

// recentLeague is the last view of a league, which is kept because computing it is expensive if there are many games.
type recentLeague struct {
	mu   sync.Mutex
	view LeagueView
	mark string
	made time.Time
}

// viewTime is the maximum age of the league table that a stream shows.
const viewTime = time.Second

func newLeagues(s *Server) *league.Host {
	return league.NewHost(s.db, s.newJobs(max(s.cores-1, 1)), s.occupied, func(l *league.League) (league.Options, func()) {
		key := league.Job(l.ID)
		o := league.Options{Open: s.player, Watch: s.shown.Watch(key)}
		if s.o.Machines != nil {
			o.Queue, o.Away = s.o.Machines.Queue(machines.OfLeague(l.ID, l.Name)), s.awaySpec
		}
		return o, func() { s.shown.Delete(key) }
	})
}

// occupied reports whether a player thinks, an analysis runs or waits, or the other jobs leave no core free.
func (s *Server) occupied() bool {
	running, waiting := s.queue.Lengths()
	return s.live.Thinking() > 0 || running+waiting > 0 || s.jobs.Running() > 0 && s.cores < 3
}

// LeagueItem is a league in a list.
type LeagueItem struct {
	store.League
	Work gate.Work `json:"work"`
}

func (s *Server) listLeagues(context.Context, *struct{}) (out []LeagueItem, err error) {
	all, err := s.db.Leagues()
	for _, l := range all {
		out = append(out, LeagueItem{l, s.leagues.Work(l.ID)})
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
	l, err := s.leagues.Create(in.Body.Name, in.Body.Game, in.Body.Terms)
	if err != nil {
		return LeagueView{}, err
	}
	return s.changed(l.ID, func(l *league.League) error {
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
	Live    *match.Live        `json:"live,omitempty" doc:"a game in progress"`
}

func (s *Server) league(_ context.Context, in *RunRef) (LeagueView, error) {
	l, err := s.leagues.League(in.ID)
	if err != nil {
		return LeagueView{}, err
	}
	return s.viewLeague(l)
}

const leagueLatest = 30

// viewLeague returns the current state of a league.
func (s *Server) viewLeague(l *league.League) (LeagueView, error) {
	v := LeagueView{ID: l.ID, Name: l.Name, Game: l.Game.String(), Terms: l.Terms, Work: s.leagues.Work(l.ID), Live: s.shown.Game(league.Job(l.ID))}
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
	l, err := s.leagues.League(in.ID)
	if err != nil {
		return err
	}
	s.recent.Delete(in.ID)
	return s.leagues.Delete(ctx, l)
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
	return s.changed(in.ID, func(l *league.League) error {
		m := league.Member{Name: in.Body.Name, Spec: in.Body.Spec, Author: in.Body.Author}
		settle := func(spec string) (string, error) { return s.settled(ctx, l.Game, spec) }
		if who := club.From(ctx); who.Role < club.Organiser {
			m.Author = who.Name
			return l.Enter(m, s.mine(ctx).Owns, settle, s.player)
		}
		spec, err := settle(m.Spec)
		if err != nil {
			return err
		}
		m.Spec = spec
		return l.Add(m, s.player)
	})
}

// changed applies a change to a league, and returns its new state.
func (s *Server) changed(id int64, do func(*league.League) error) (LeagueView, error) {
	l, err := s.leagues.League(id)
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
	return s.changed(in.ID, func(l *league.League) error {
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
	return s.changed(in.ID, s.leagues.Play)
}

func (s *Server) stopLeague(ctx context.Context, in *RunRef) (LeagueView, error) {
	return s.changed(in.ID, func(l *league.League) error { return s.leagues.Stop(ctx, l) })
}

type leagueGamesInput struct {
	RunRef
	Of      string `query:"of" maxLength:"40" doc:"name of a player: only games of this player"`
	Against string `query:"against" maxLength:"40" doc:"name of another player: only games of these two"`
	Before  int64  `query:"before" minimum:"0" doc:"only games with smaller numbers"`
	Game    int64  `query:"game" minimum:"0" doc:"only the game with this number"`
}

func (s *Server) leagueGames(_ context.Context, in *leagueGamesInput) ([]match.PlayedGame, error) {
	l, err := s.leagues.League(in.ID)
	if err != nil {
		return nil, err
	}
	return l.Games(league.Filter{ID: in.Game, Member: in.Of, Against: in.Against, Before: in.Before, Count: leagueLatest})
}

func (s *Server) leagueGrid(_ context.Context, in *RunRef) ([]league.Met, error) {
	l, err := s.leagues.League(in.ID)
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
	l, err := s.leagues.League(in.ID)
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
		l, err := s.leagues.League(in.ID)
		if err != nil {
			return Gone{}, "gone", true
		}
		v, mark, err := s.recentView(l)
		if err != nil {
			return Gone{}, "gone", true
		}
		live := s.shown.Game(league.Job(in.ID))
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

// recentView returns a view of a league that is at most viewTime old, and a text that changes whenever the view
// changes.
func (s *Server) recentView(l *league.League) (LeagueView, string, error) {
	kept, _ := s.recent.LoadOrStore(l.ID, &recentLeague{})
	r := kept.(*recentLeague)
	r.mu.Lock()
	defer r.mu.Unlock()
	work := s.leagues.Work(l.ID)
	if r.mark != "" && time.Since(r.made) < viewTime && work == r.view.Work {
		return r.view, r.mark, nil
	}
	v, err := s.viewLeague(l)
	if err != nil {
		return v, "", err
	}
	latest := int64(0)
	if len(v.Latest) > 0 {
		latest = v.Latest[0].ID
	}
	r.view, r.made = v, time.Now()
	r.mark = fmt.Sprint(v.Work, latest, len(v.Table.Rows), slices.ContainsFunc(v.Table.Rows, func(row league.Row) bool { return row.Left }))
	return v, r.mark, nil
}
