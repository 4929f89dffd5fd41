// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/gate"
	"github.com/krow-lab/krow/server/match"
	"github.com/krow-lab/krow/server/players"
	"github.com/krow-lab/krow/server/store"
)

// MatchSpec contains the requested settings of a match, in which every player meets every other player. A match is stored as a
// run, and the JSON of its MatchSpec is the key of this run.
type MatchSpec struct {
	Game    string   `json:"game" maxLength:"100" example:"tictactoe"`
	Players []string `json:"players" minItems:"2" maxItems:"8" nullable:"false" doc:"specs of the players"`
	Games   int      `json:"games" minimum:"2" maximum:"2000" doc:"number of games of each pairing; each opening is played twice, with sides exchanged"`
	Plies   int      `json:"plies" minimum:"0" maximum:"20" doc:"random moves at the start of each pair of games"`
	Millis  int      `json:"millis" minimum:"0" maximum:"10000" doc:"limit for each move; 0: the limit of the player's spec"`
	Seed    uint64   `json:"seed" maximum:"1000000"`
}

const matchKind = "web match"

// matchFor returns the match with the settings m. Its players are created when they play.
func (s *Server) matchFor(m MatchSpec) (*match.Match, error) {
	g, err := request.GameOf(m.Game)
	if err != nil {
		return nil, err
	}
	r := &match.Match{RoundRobin: true, Terms: arena.Match{
		Game: g, Games: m.Games, Seed: m.Seed, RandomPlies: m.Plies, Margin: time.Second,
		Limits: search.Limits{Time: time.Duration(m.Millis) * time.Millisecond},
	}}
	for _, text := range m.Players {
		r.Players = append(r.Players, arena.Factory{Name: text, New: func(seed uint64) (player.Player, error) { return s.player(g, text, seed) }})
	}
	return r, nil
}

// checkMatch returns an error for a match that cannot begin. It replaces the specs of the players by the specs to store: see
// settled.
func (s *Server) checkMatch(ctx context.Context, m *MatchSpec) error {
	r, err := s.matchFor(*m)
	if err != nil {
		return err
	}
	for i, text := range m.Players {
		switch {
		case slices.Contains(m.Players[:i], text):
			return twice.with(text+" plays twice", text)
		case text == request.Human:
			return personInMatch.new()
		}
		if m.Players[i], err = s.settled(ctx, r.Terms.Game, text); err != nil {
			return err
		}
		// The player of a learning run is not made here, because that may take long: the learning may have to be repeated.
		if players.Kept(text) != players.Run {
			p, err := s.player(r.Terms.Game, text, 1)
			if err != nil {
				return badPlayer.wrap(err, text)
			}
			player.Close(p)
		}
	}
	return r.Check()
}

// MatchItem is a match in a list. Its progress is counted in games.
type MatchItem struct {
	store.Run
	Spec MatchSpec `json:"spec"`
	Work gate.Work `json:"work"`
}

// MatchView is the current state of a match.
type MatchView struct {
	MatchItem
	Pairs   []arena.Meeting    `json:"pairs" nullable:"false"`
	Ratings []stats.Rating     `json:"ratings" nullable:"false" doc:"the strongest first; the mean is 0"`
	Latest  []match.PlayedGame `json:"latest" nullable:"false" doc:"the last games, the latest first"`
	Live    *match.Live        `json:"live,omitempty" doc:"the game that is being played"`
}

type matchInput struct {
	Body MatchSpec
}

// RunRef names a run in a request.
type RunRef struct {
	ID int64 `path:"id" minimum:"1"`
}

// newMatch begins a match, or continues a stopped one, and returns it.
func (s *Server) newMatch(ctx context.Context, in *matchInput) (MatchView, error) {
	if err := s.room(ctx); err != nil {
		return MatchView{}, err
	}
	m := in.Body
	m.Games += m.Games % 2
	m.Players = slices.Clone(m.Players)
	if err := s.checkMatch(ctx, &m); err != nil {
		return MatchView{}, badMatch.wrap(err, "")
	}
	total := m.Games * len(m.Players) * (len(m.Players) - 1) / 2
	spec, err := json.Marshal(m)
	if err != nil {
		return MatchView{}, err
	}
	id, err := s.beginRun(ctx, matchKind, string(spec), func(own string) (*store.Run, error) {
		return s.db.Run(matchKind, string(spec)+own, spec, total)
	}, func(ctx context.Context, id int64) error { return s.playMatch(ctx, id, m) })
	if err != nil {
		return MatchView{}, err
	}
	return s.matchOf(id)
}

func jobOf(run int64) string { return fmt.Sprintf("run %d", run) }

func (s *Server) playMatch(ctx context.Context, id int64, m MatchSpec) error {
	r, err := s.db.Load(id) // the state may have changed while the job waited for its turn
	if err != nil {
		return err
	}
	round, err := s.matchFor(m)
	if err != nil {
		return err
	}
	if _, err := round.KeepRun(s.db, r); err != nil {
		return err
	}
	defer s.shown.Delete(jobOf(r.ID))
	round.Watch = s.shown.Watch(jobOf(r.ID))
	s.handOut(round, strings.Join(m.Players, " - "), r.Key)
	_, err = round.Run(ctx)
	return err
}

const latestGames = 60

func (s *Server) matchOf(id int64) (MatchView, error) {
	r, err := s.runOf(id, matchKind)
	if err != nil {
		return MatchView{}, err
	}
	v := MatchView{MatchItem: MatchItem{Run: *r, Work: s.jobs.Look(jobOf(id))}, Ratings: []stats.Rating{}, Latest: []match.PlayedGame{}}
	if err := json.Unmarshal(r.Spec, &v.Spec); err != nil {
		return MatchView{}, err
	}
	round, err := s.matchFor(v.Spec)
	if err != nil {
		return MatchView{}, err
	}
	games, err := round.KeepRun(s.db, r)
	if err != nil {
		return MatchView{}, err
	}
	v.Step, v.Pairs = len(games), round.Meetings()
	// Rank returns an error as long as the games do not connect all players, directly or through other players: ratings need a
	// common scale.
	if standings, err := arena.Rank(v.Pairs); err == nil {
		for _, p := range standings {
			v.Ratings = append(v.Ratings, p.Rating)
		}
	}
	for i := len(games) - 1; i >= max(0, len(games)-latestGames); i-- {
		g := match.View(games[i])
		g.ID = int64(i) + 1
		v.Latest = append(v.Latest, g)
	}
	v.Live = s.shown.Game(jobOf(id))
	return v, nil
}

// runOf returns the run with this number, or store.ErrNoRun if the run is not of this kind.
func (s *Server) runOf(id int64, kind string) (*store.Run, error) {
	r, err := s.db.Load(id)
	if err == nil && r.Kind != kind {
		err = store.ErrNoRun
	}
	return r, err
}

func (s *Server) matches(ctx context.Context, _ *struct{}) (out []MatchItem, err error) {
	runs, err := s.db.Runs(matchKind)
	if err != nil {
		return out, err
	}
	for _, r := range slices.Backward(runs) {
		m := MatchItem{Run: r, Work: s.jobs.Look(jobOf(r.ID))}
		if listed(ctx, r) && json.Unmarshal(r.Spec, &m.Spec) == nil {
			out = append(out, m)
		}
	}
	return out, nil
}

// matchEvents sends a match now and after each of its games; in between it sends the moves of the game in progress.
func (s *Server) matchEvents(ctx context.Context, in *RunRef, send sse.Sender) {
	var told MatchView
	s.poll(ctx, func() (any, string, bool) {
		r, err := s.runOf(in.ID, matchKind)
		if err != nil || !club.May(club.From(ctx), club.Look, runThing(*r)) { // the match may have become private since the stream began
			return Gone{}, "gone", true
		}
		work, live := s.jobs.Look(jobOf(in.ID)), s.shown.Game(jobOf(in.ID))
		mark := fmt.Sprint(r.Step, r.Done, work)
		if live != nil {
			mark += fmt.Sprint(live.First, live.Moves)
		}
		if live != nil && told.ID != 0 && r.Step == told.Step && r.Done == told.Done && work == told.Work {
			return *live, mark, false
		}
		if told, err = s.matchOf(in.ID); err != nil {
			return Gone{}, "gone", true
		}
		return told, mark, told.Done
	}, send)
}

// glance is the interval at which a stream polls the store, because other processes may change it without a notice.
const glance = 400 * time.Millisecond

// poll calls look again and again, and sends v whenever mark has changed, until last is true or the client leaves.
func (s *Server) poll(ctx context.Context, look func() (v any, mark string, last bool), send sse.Sender) {
	ctx, cancel := s.linked(ctx)
	defer cancel()
	tick, alive := time.NewTicker(glance), time.NewTicker(pulse)
	defer tick.Stop()
	defer alive.Stop()
	told := ""
	for {
		v, mark, last := look()
		if mark != told && send.Data(v) != nil || last {
			return
		}
		told = mark
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-alive.C:
			if send.Data(Pulse{}) != nil {
				return
			}
		}
	}
}
