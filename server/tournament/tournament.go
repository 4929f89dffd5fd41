// SPDX-License-Identifier: Apache-2.0

// Package tournament runs tournaments of people. Package pairing decides the pairings, and package live plays the games.
//
// # Basics
//
//	ts := tournament.New(tournament.Options{Store: db, Games: games, Meet: m})
//	id, err := ts.Make(ann, tournament.Spec{Name: "friday", Kind: pairing.Swiss, Terms: request.GameTerms{Game: "gomoku"}})
//	err = ts.Join(bob, id)
//	err = ts.Begin(ann, id)
//	v, err := ts.View(ann, id)
//
// # Caveats
//
// A round is stored before its games begin, and each game begins only once: after a crash, Resume continues where the server
// stopped. Every game has a clock, which runs from the first move on, so that each game ends. A tournament with a start time
// begins at that time. If fewer than two players have joined by then, it begins as soon as there are two.
package tournament

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/arena/pairing"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/live"
	"github.com/krow-lab/krow/server/lobby"
	"github.com/krow-lab/krow/server/store"
)

// Options contains the settings of Tournaments, and the functions that it calls.
type Options struct {
	Life  context.Context // after it is done, no more tournaments begin automatically
	Store *store.Store
	Games *live.Games
	Meet  *lobby.Lobby
	// Failed is called with the error if a tournament cannot continue.
	Failed func(id int64, err error)
}

// Tournaments manages the tournaments in a store. Use New.
type Tournaments struct {
	o     Options
	mu    sync.Mutex // held during each change
	tasks sync.WaitGroup
}

// New returns the manager of the tournaments in a store.
func New(o Options) *Tournaments { return &Tournaments{o: o} }

// Close waits until all work in progress has ended. It is called after Options.Life is done.
func (ts *Tournaments) Close() { ts.tasks.Wait() }

// Spec contains the settings of a tournament.
type Spec struct {
	Name    string            `json:"name" maxLength:"40" example:"friday"`
	Kind    string            `json:"kind" enum:"round-robin,swiss,knockout,arena"`
	Rounds  int               `json:"rounds,omitempty" minimum:"0" maximum:"30" doc:"rounds of a Swiss tournament; 0: one more than a knock-out would take"`
	Minutes int               `json:"minutes,omitempty" minimum:"0" maximum:"1440" doc:"duration of an arena"`
	Start   time.Time         `json:"start,omitzero" doc:"time at which the tournament begins by itself; without it the creator begins it"`
	Terms   request.GameTerms `json:"terms"`
}

// left returns the time until the tournament begins by itself: 0 if it is due, and -1 if it has no start time.
func (t *Spec) left() time.Duration {
	if t.Start.IsZero() {
		return -1
	}
	return max(time.Until(t.Start), 0)
}

// maxPlayers is the maximum number of players. In a round robin it is maxRobin, because every player meets every other.
const (
	maxPlayers = 256
	maxRobin   = 64

	// maxMine is the maximum number of unfinished tournaments that one person has made, and maxOfGuests the maximum number for
	// all guests together. A guest's tournament is deleted if nobody has begun it within a day.
	maxMine     = 10
	maxOfGuests = 50
	guestTime   = 24 * time.Hour
	maxAhead    = 31 * 24 * time.Hour // maximum time until the start of a member's tournament
)

// These errors can be returned by methods of Tournaments.
var (
	errTerms  = fault.New("bad-terms", "no tournament is played by these terms")
	ErrBegun  = fault.New("bad-tournament", "the tournament has begun")
	errFew    = fault.New("bad-tournament", "a tournament needs two players")
	errFull   = fault.New("bad-tournament", "the tournament is full")
	ErrNotYou = fault.New("not-allowed", "the tournament is somebody else's")
)

func (ts *Tournaments) checkSpec(t *Spec) error {
	t.Terms.Colour = ""
	if err := t.Terms.Check(); err != nil {
		return err
	}
	c := t.Terms.Clock
	switch {
	case slices.ContainsFunc(strings.Split(t.Name, " "), func(word string) bool { return club.CheckName(word) != nil }):
		return fault.Errorf("%w: %w", errTerms, club.ErrName)
	case !slices.Contains(pairing.Kinds, t.Kind):
		return fault.Errorf("%w: the kind must be round-robin, swiss, knockout or arena", errTerms)
	case c == request.Clock{}:
		return fault.Errorf("%w: its games need clocks", errTerms)
	case t.Terms.Rule != "" || t.Terms.Start != "":
		return fault.Errorf("%w: its games must begin with an empty board", errTerms)
	case t.Kind == pairing.Arena && t.Minutes < 1, t.Kind != pairing.Arena && t.Minutes != 0:
		return fault.Errorf("%w: an arena needs a number of minutes, and other tournaments cannot have one", errTerms)
	case t.Kind != pairing.Swiss && t.Rounds != 0:
		return fault.Errorf("%w: only a Swiss tournament can have a number of rounds", errTerms)
	case t.Kind == pairing.Arena && c.Turn >= 24*60*60:
		return fault.Errorf("%w: an arena cannot have clocks of days", errTerms)
	}
	return nil
}

// Make creates a tournament, and returns its number. Others can join until it begins.
func (ts *Tournaments) Make(by live.Seat, t Spec) (int64, error) {
	if err := ts.checkSpec(&t); err != nil {
		return 0, err
	}
	if !by.Taken() {
		return 0, lobby.ErrNobody
	}
	ahead := maxAhead
	if by.Member == 0 {
		ahead = guestTime
	}
	if left := t.left(); left == 0 || left > ahead {
		return 0, fault.Errorf("%w: a tournament must begin within a month, or within a day if a guest makes it", errTerms)
	}
	if err := ts.checkRoom(by); err != nil {
		return 0, err
	}
	terms, err := json.Marshal(t)
	if err != nil {
		return 0, err
	}
	id, err := ts.o.Store.AddTournament(store.Tournament{Terms: terms, By: by, Rounds: json.RawMessage("[]")})
	if err == nil {
		ts.await(id, t.Start)
	}
	return id, err
}

// await continues a tournament at the given time. It does nothing if the time is zero.
func (ts *Tournaments) await(id int64, at time.Time) {
	if at.IsZero() {
		return
	}
	ts.tasks.Go(func() {
		select {
		case <-ts.o.Life.Done():
		case <-time.After(time.Until(at)):
			ts.advance(id)
		}
	})
}

// checkRoom returns an error if a person may not make another tournament.
func (ts *Tournaments) checkRoom(by live.Seat) error {
	if err := ts.o.Store.ForgetTournaments(time.Now().Add(-guestTime)); err != nil {
		return err
	}
	all, err := ts.o.Store.Tournaments()
	if err != nil {
		return err
	}
	mine, guests := 0, 0
	for _, t := range all {
		switch {
		case !t.Ended.IsZero():
		case t.By.Same(by):
			mine++
		case t.By.Member == 0:
			guests++
		}
	}
	switch {
	case mine >= maxMine:
		return lobby.ErrMany
	case by.Member == 0 && mine+guests >= maxOfGuests:
		return lobby.ErrGuests
	}
	return nil
}

// Join adds a person to a tournament that has not begun, or to an arena that has not ended.
func (ts *Tournaments) Join(by live.Seat, id int64) error {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	t, err := ts.loadTournament(id)
	full := maxPlayers
	if err == nil && t.terms.Kind == pairing.RoundRobin {
		full = maxRobin
	}
	switch {
	case err != nil:
		return err
	case !by.Taken():
		return lobby.ErrNobody
	case t.terms.Terms.Rated && by.Member == 0:
		return live.ErrRated
	case !t.Begun.IsZero() && (t.terms.Kind != pairing.Arena || !t.Ended.IsZero()):
		return ErrBegun
	case len(t.Players) >= full:
		return errFull
	}
	if err := ts.o.Store.JoinTournament(id, t.Version, by); err != nil {
		return err
	}
	return ts.proceed(id)
}

// Leave removes a person from a tournament. The person's games in progress continue.
func (ts *Tournaments) Leave(by live.Seat, id int64) error {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	t, err := ts.loadTournament(id)
	if err != nil {
		return err
	}
	if err := ts.o.Store.LeaveTournament(id, t.Version, by); err != nil || t.Begun.IsZero() {
		return err
	}
	return ts.proceed(id)
}

// LeaveAll removes a person from all tournaments, before the person's account is deleted.
func (ts *Tournaments) LeaveAll(by live.Seat) error {
	all, err := ts.o.Store.TournamentsOf(by)
	for _, id := range all {
		err = errors.Join(err, ts.Leave(by, id))
	}
	return err
}

// Begin begins a tournament. Only the person who made the tournament can begin it.
func (ts *Tournaments) Begin(by live.Seat, id int64) error {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	t, err := ts.loadTournament(id)
	switch {
	case err != nil:
		return err
	case !t.By.Same(by):
		return ErrNotYou
	case !t.Begun.IsZero():
		return ErrBegun
	}
	if err := ts.storeBegin(t); err != nil {
		return err
	}
	return ts.proceed(id)
}

// storeBegin stores that a tournament has begun. Players are seeded by their ratings; players without a rating follow in the order in
// which they joined.
func (ts *Tournaments) storeBegin(t kept) error {
	players := slices.DeleteFunc(slices.Clone(t.Players), func(p store.TournamentPlayer) bool { return p.Gone })
	if len(players) < 2 {
		return errFew
	}
	ranks, err := ts.o.Meet.Ranks(t.terms.Terms.Game, t.terms.Terms.Clock.Speed())
	if err != nil {
		return err
	}
	strength := map[int64]float64{}
	for _, r := range ranks {
		strength[r.Member] = r.Rating
	}
	slices.SortStableFunc(players, func(a, b store.TournamentPlayer) int {
		switch x, y := strength[a.Member], strength[b.Member]; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	t.Begun = time.Now()
	return ts.o.Store.SaveTournament(t.Tournament, players)
}

// Changed continues the tournament of g if g is over. Package live calls it after each change of a game.
func (ts *Tournaments) Changed(g live.Game) {
	if id := g.Tournament; id != 0 && !g.Ongoing() {
		ts.advance(id)
	}
}

func (ts *Tournaments) advance(id int64) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if err := ts.proceed(id); err != nil && !errors.Is(err, store.ErrNoTournament) {
		ts.o.Failed(id, err)
	}
}

// Resume continues all unfinished tournaments after a restart.
func (ts *Tournaments) Resume() error {
	all, err := ts.List()
	for _, t := range all {
		if t.State == "going" {
			ts.advance(t.ID)
		}
		if t.State == "open" {
			ts.await(t.ID, t.Terms.Start)
		}
	}
	return err
}

// kept is a tournament as loaded from the store, with its pairings and games.
type kept struct {
	store.Tournament
	terms Spec
	event pairing.Event
	games map[[2]int]store.Game // the key is the round, from 1, and the place of the game in the round
}

func (ts *Tournaments) loadTournament(id int64) (k kept, err error) {
	if k.Tournament, err = ts.o.Store.Tournament(id); err != nil {
		return k, err
	}
	if err := errors.Join(json.Unmarshal(k.Terms, &k.terms), json.Unmarshal(k.Rounds, &k.event.Rounds)); err != nil {
		return k, err
	}
	for i := range k.Players { // a removed member no longer takes part
		p := &k.Players[i]
		p.Gone = p.Gone || p.Member != 0 && ts.o.Meet.Gone(p.Member)
	}
	e := &k.event
	e.Kind, e.Players, e.Want = k.terms.Kind, len(k.Players), k.terms.Rounds
	if e.Want == 0 {
		e.Want = pairing.SwissRounds(e.Players)
	}
	e.Closed = !k.Begun.IsZero() && e.Kind == pairing.Arena && time.Since(k.Begun) >= time.Duration(k.terms.Minutes)*time.Minute
	for _, p := range k.Players {
		e.Gone = append(e.Gone, p.Gone)
	}
	played, err := ts.o.Store.Games(store.GameFilter{Tournament: id})
	if err != nil {
		return k, err
	}
	k.games = map[[2]int]store.Game{}
	for _, m := range played {
		k.games[[2]int{m.Round, m.Place}] = m
		if m.Round <= len(e.Rounds) && m.Place < len(e.Rounds[m.Round-1]) {
			e.Rounds[m.Round-1][m.Place].Result = results[m.Outcome]
		}
	}
	return k, nil
}

var results = map[string]pairing.Result{
	game.WinFor(game.First).String(): pairing.FirstWins, game.WinFor(game.Second).String(): pairing.SecondWins, game.Draw.String(): pairing.Drawn,
}

// proceed begins a tournament whose start time has come, begins the games of the stored pairings, and computes the next pairings,
// until it must wait for results or the tournament is over. The caller holds the lock.
func (ts *Tournaments) proceed(id int64) error {
	for {
		t, err := ts.loadTournament(id)
		if err == nil && t.Begun.IsZero() && t.terms.left() == 0 {
			if err = ts.storeBegin(t); err == nil {
				continue
			}
			if errors.Is(err, errFew) {
				return nil
			}
		}
		if err != nil || t.Begun.IsZero() || !t.Ended.IsZero() {
			return err
		}
		if err := ts.beginGames(t); err != nil {
			return err
		}
		drawn := t.event.Draw()
		if !drawn && !t.event.Over() {
			return nil
		}
		if !drawn {
			t.Ended = time.Now()
		}
		if t.Rounds, err = json.Marshal(t.event.Rounds); err != nil {
			return err
		}
		if err := ts.o.Store.SaveTournament(t.Tournament, nil); err != nil || !drawn {
			return err
		}
	}
}

// beginGames begins those games of the latest stored round that have not begun yet.
func (ts *Tournaments) beginGames(t kept) error {
	round := len(t.event.Rounds)
	if round == 0 {
		return nil
	}
	for place, p := range t.event.Rounds[round-1] {
		if _, there := t.games[[2]int{round, place}]; there || p.Given != pairing.Open {
			continue
		}
		start := live.Start{
			GameTerms: t.terms.Terms, First: request.Human, Second: request.Human, Seats: [2]live.Seat{t.Players[p.First].Seat, t.Players[p.Second].Seat},
			Tournament: t.ID, Round: round, Place: place,
		}
		if _, err := ts.o.Games.Begin(start); err != nil {
			return err
		}
	}
	return nil
}

// Tournament describes the current state of a tournament.
type Tournament struct {
	ID      int64              `json:"id"`
	Terms   Spec               `json:"terms"`
	By      string             `json:"by"`
	Mine    bool               `json:"mine" doc:"whether the caller has made the tournament"`
	In      bool               `json:"in" doc:"whether the caller takes part"`
	State   string             `json:"state" enum:"open,going,over"`
	Begun   time.Time          `json:"begun,omitzero"`
	Players []string           `json:"players" nullable:"false" doc:"names of the players, by their number"`
	Gone    []bool             `json:"gone" nullable:"false" doc:"whether each player has left"`
	Rows    []pairing.Standing `json:"rows" nullable:"false"`
	Rounds  [][]Pairing        `json:"rounds" nullable:"false"`
	Left    int                `json:"left,omitempty" doc:"seconds until an open tournament begins by itself, or until an arena ends"`
	Game    string             `json:"game,omitempty" doc:"ID of the caller's game in progress"`
	Bye     bool               `json:"bye,omitempty" doc:"whether the caller has no opponent in this round"`
}

// Pairing is a pair of players in a round.
type Pairing struct {
	First  string `json:"first"`
	Second string `json:"second,omitempty" doc:"name of the second player; empty if First has a bye"`
	Result string `json:"result,omitempty" enum:"1-0,draw,0-1"`
	Given  bool   `json:"given,omitempty" doc:"whether the result was given without a game"`
	Game   string `json:"game,omitempty"`
}

// View returns a tournament in the form in which the given person sees it.
func (ts *Tournaments) View(by live.Seat, id int64) (Tournament, error) {
	t, err := ts.loadTournament(id)
	// An arena, a tournament without rounds, lasts a given number of minutes. Here they are over, but the end is not stored yet.
	if err == nil && t.event.Closed && t.Ended.IsZero() && t.event.Over() {
		ts.advance(id)
		t, err = ts.loadTournament(id)
	}
	if err != nil {
		return Tournament{}, err
	}
	v := Tournament{
		ID: id, Terms: t.terms, By: ts.o.Meet.Called(t.By), Mine: t.By.Same(by), State: "open", Begun: t.Begun, Players: []string{}, Gone: []bool{}, Rows: []pairing.Standing{},
		Rounds: [][]Pairing{},
	}
	for _, p := range t.Players {
		v.Players, v.Gone = append(v.Players, ts.o.Meet.Called(p.Seat)), append(v.Gone, p.Gone)
		v.In = v.In || p.Same(by) && !p.Gone
	}
	switch {
	case !t.Ended.IsZero():
		v.State = "over"
	case !t.Begun.IsZero():
		v.State = "going"
		if t.terms.Kind == pairing.Arena {
			v.Left = int(max(time.Until(t.Begun.Add(time.Duration(t.terms.Minutes)*time.Minute)), 0).Seconds())
		}
	}
	if t.Begun.IsZero() {
		v.Left = secondsLeft(t.terms)
		return v, nil
	}
	for _, s := range t.event.Standings() {
		s.Name = v.Players[s.Player]
		v.Rows = append(v.Rows, s)
	}
	for r, round := range t.event.Rounds {
		met := []Pairing{}
		for place, p := range round {
			m := Pairing{First: v.Players[p.First], Game: t.games[[2]int{r + 1, place}].ID, Given: p.Given != pairing.Open, Result: [...]string{"", "1-0", "draw", "0-1"}[p.Ended()]}
			switch {
			case p.Second != pairing.Nobody:
				m.Second = v.Players[p.Second]
			case t.terms.Kind == pairing.RoundRobin:
				m.Result = "" // in a round robin a bye brings no point, so no result is shown
			}
			if p.Second == pairing.Nobody && r == len(t.event.Rounds)-1 && t.Players[p.First].Same(by) {
				v.Bye = v.State == "going"
			}
			if m.Game != "" && m.Result == "" && (t.Players[p.First].Same(by) || t.Players[p.Second].Same(by)) {
				v.Game = m.Game
			}
			met = append(met, m)
		}
		v.Rounds = append(v.Rounds, met)
	}
	return v, nil
}

// Entry is a tournament as lists show it.
type Entry struct {
	ID    int64  `json:"id"`
	Terms Spec   `json:"terms"`
	State string `json:"state" enum:"open,going,over"`
	Left  int    `json:"left,omitempty" doc:"seconds until an open tournament begins by itself"`
}

func secondsLeft(t Spec) int { return int(math.Ceil(max(t.left(), 0).Seconds())) }

func entryOf(t store.Tournament) (e Entry, err error) {
	e = Entry{ID: t.ID, State: "open"}
	err = json.Unmarshal(t.Terms, &e.Terms)
	switch {
	case !t.Ended.IsZero():
		e.State = "over"
	case !t.Begun.IsZero():
		e.State = "going"
	default:
		e.Left = secondsLeft(e.Terms)
	}
	return e, err
}

// List returns the tournaments, the latest first.
func (ts *Tournaments) List() ([]Entry, error) {
	all, err := ts.o.Store.Tournaments()
	list := []Entry{}
	for _, t := range all {
		e, err := entryOf(t)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, err
}

// soon is how long before its start a tournament is announced to its players.
const soon = 10 * time.Minute

// Next returns a tournament in which a person takes part: preferably a tournament in progress, otherwise a tournament that
// begins soon or that its maker can begin at any time. If there is no such tournament, Next returns nil. Correspondence
// tournaments are left out.
func (ts *Tournaments) Next(by live.Seat) (next *Entry, err error) {
	if !by.Taken() {
		return nil, nil
	}
	ids, err := ts.o.Store.TournamentsOf(by)
	for _, id := range ids {
		t, err := ts.o.Store.Tournament(id)
		if err != nil {
			return nil, err
		}
		e, err := entryOf(t)
		if err != nil {
			return nil, err
		}
		near := e.State == "going" || e.Terms.left() < soon
		if near && e.Terms.Terms.Clock.Speed() != request.Correspondence && (next == nil || e.Left < next.Left) {
			next = &e
		}
	}
	return next, err
}
