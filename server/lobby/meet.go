// SPDX-License-Identifier: Apache-2.0

// Package lobby lets people find opponents and begin games: it manages challenges by link, the lobby with its open challenges,
// ratings, and lists of games.
//
// # Basics
//
//	m := lobby.New(lobby.Options{Store: db, Games: games, Name: name})
//	c, err := m.Challenge(ann, request.GameTerms{Game: "gomoku", Clock: request.Clock{Seconds: 300}}, true, 0)
//	g, err := m.Accept(bob, c.ID) // the game, which package live plays
//	hall, err := m.Room(ann)      // the challenges and games of interest to ann
//
// # Fair play
//
// While a rated game is in progress, its players and everybody at their network addresses get no analysis of its position. The same
// is true for positions a few moves earlier or later, even if rotated, mirrored, or on a board of another size: see Barred.
// Positions with only a few stones may always be analysed.
//
// # Caveats
//
// A challenge is deleted after a week, a guest's challenge after a day. Package live changes the ratings when a game ends.
package lobby

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/server/live"
	"github.com/krow-lab/krow/server/store"
)

// Options contains the settings of a lobby, and the functions that it calls.
type Options struct {
	Store *store.Store
	Games *live.Games
	// Name returns the name of a member, or "" if the member was removed.
	Name func(member int64) string
	// Members is true if the server has members. Guests are then marked as guests, because a guest may use the name of a
	// member.
	Members bool
}

// Lobby brings people together for games. Use New.
type Lobby struct {
	o Options

	mu      sync.Mutex
	members map[string][]int64  // by address: the members that sent requests from it
	here    map[int64]time.Time // by member: the time of the last request
	ears    map[live.Seat]map[chan struct{}]bool
}

// New returns a lobby.
func New(o Options) *Lobby {
	return &Lobby{o: o, here: map[int64]time.Time{}, ears: map[live.Seat]map[chan struct{}]bool{}}
}

// These errors can be returned by Challenge and Accept.
var (
	ErrNobody  = fault.New("not-allowed", "a challenge is made and taken by somebody")
	errOwn     = fault.New("bad-terms", "nobody plays against themselves")
	errInvited = fault.New("not-allowed", "the challenge is for somebody else")
	ErrMany    = fault.New("too-many", "you have too many challenges, games or tournaments")
	ErrGuests  = fault.New("busy", "guests have too many challenges or tournaments")
)

const (
	maxStanding = 10                 // maximum number of open challenges of one person
	maxOfGuests = 200                // maximum number of open challenges of all guests together, so that members' challenges can be found among them
	maxGoing    = 50                 // maximum number of games in progress of one person
	lifetime    = 7 * 24 * time.Hour // time after which a challenge is deleted
	guestTime   = 24 * time.Hour     // time after which a guest's challenge is deleted
	lobbyTime   = 2 * time.Hour      // time after which the lobby no longer lists a challenge
)

// Challenge is an offer to play a game, as the page shows it.
type Challenge struct {
	ID      string            `json:"id"`
	By      string            `json:"by" doc:"name of the challenger"`
	Rating  float64           `json:"rating,omitempty" doc:"rating of the challenger"`
	Invited string            `json:"invited,omitempty" doc:"name of the only member who may accept it"`
	Mine    bool              `json:"mine" doc:"whether the caller is the challenger"`
	ForMe   bool              `json:"for_me" doc:"only for the caller"`
	Listed  bool              `json:"listed" doc:"whether the lobby lists the challenge"`
	Speed   string            `json:"speed" enum:"bullet,blitz,rapid,classical,correspondence"`
	Terms   request.GameTerms `json:"terms"`
	Game    string            `json:"game,omitempty" doc:"ID of the game that was started from the challenge"`
	Created time.Time         `json:"created"`
}

// Challenge makes a challenge to the invited member or, if invited is 0, to everybody who knows its link. A listed challenge also
// appears in the lobby.
func (m *Lobby) Challenge(by live.Seat, t request.GameTerms, listed bool, invited int64) (Challenge, error) {
	if !by.Taken() {
		return Challenge{}, ErrNobody
	}
	if err := t.Check(); err != nil {
		return Challenge{}, err
	}
	switch {
	case t.Rated && by.Member == 0:
		return Challenge{}, live.ErrRated
	case invited != 0 && invited == by.Member:
		return Challenge{}, errOwn
	case invited != 0 && m.o.Name(invited) == "":
		return Challenge{}, store.ErrNoPerson
	}
	if err := m.o.Store.ForgetChallenges(time.Now().Add(-lifetime), time.Now().Add(-guestTime)); err != nil {
		return Challenge{}, err
	}
	standing, err := m.standingChallenges()
	if err != nil {
		return Challenge{}, err
	}
	mine, guests := 0, 0
	for _, c := range standing {
		if c.By.Same(by) {
			mine++
		}
		if c.By.Member == 0 {
			guests++
		}
	}
	switch {
	case mine >= maxStanding:
		return Challenge{}, ErrMany
	case by.Member == 0 && guests >= maxOfGuests:
		return Challenge{}, ErrGuests
	}
	terms, err := json.Marshal(t)
	if err != nil {
		return Challenge{}, err
	}
	c := store.Challenge{ID: strings.ToLower(rand.Text()[:16]), By: by, Invited: invited, Listed: listed && invited == 0, Terms: terms}
	if err := m.o.Store.AddChallenge(c); err != nil {
		return Challenge{}, err
	}
	m.Ring(live.Seat{Member: invited})
	return m.Find(by, c.ID)
}

func (m *Lobby) standingChallenges() ([]store.Challenge, error) {
	return m.o.Store.Challenges(time.Now().Add(-lifetime))
}

// Find returns a challenge in the form in which the given person sees it, even if the challenge was already accepted. The error
// is store.ErrNoChallenge if there is none.
func (m *Lobby) Find(by live.Seat, id string) (Challenge, error) {
	c, err := m.o.Store.Challenge(id)
	if err != nil {
		return Challenge{}, err
	}
	return m.showChallenge(by, c)
}

func (m *Lobby) showChallenge(by live.Seat, c store.Challenge) (v Challenge, err error) {
	v = Challenge{
		ID: c.ID, By: m.Called(c.By), Mine: c.By.Same(by), ForMe: c.Invited != 0 && c.Invited == by.Member, Listed: c.Listed, Game: c.Game, Created: c.Created,
	}
	if err := json.Unmarshal(c.Terms, &v.Terms); err != nil {
		return v, err
	}
	v.Speed = v.Terms.Clock.Speed()
	if c.Invited != 0 {
		v.Invited = m.o.Name(c.Invited)
	}
	if c.By.Member != 0 {
		r, err := m.o.Store.Rating(c.By.Member, live.Pool(v.Terms.Game, v.Speed))
		if err != nil {
			return v, err
		}
		if r.Games > 0 {
			v.Rating = r.Rating
		}
	}
	return v, nil
}

// Called returns the name that other people see for a person.
func (m *Lobby) Called(s live.Seat) string {
	if s.Member != 0 {
		return m.o.Name(s.Member)
	}
	if m.o.Members && s.Name != "" && s.Name != "guest" {
		return s.Name + " (guest)" // members' names contain no parentheses, so no member has this name
	}
	return s.Name
}

// Gone reports whether a member was removed.
func (m *Lobby) Gone(member int64) bool { return m.o.Name(member) == "" }

// Withdraw deletes a challenge: its maker withdraws it, or the invited member declines it.
func (m *Lobby) Withdraw(by live.Seat, id string) error {
	c, err := m.o.Store.Challenge(id)
	if err != nil {
		return err
	}
	if !c.By.Same(by) && (c.Invited == 0 || c.Invited != by.Member) {
		return errInvited
	}
	return m.o.Store.DeleteChallenge(id)
}

// Accept accepts a challenge and begins the game, which it returns. If several people accept a challenge at once, the first gets
// the game and the others get store.ErrNoChallenge.
func (m *Lobby) Accept(by live.Seat, id string) (live.Game, error) {
	c, err := m.o.Store.Challenge(id)
	var t request.GameTerms
	switch {
	case err != nil:
		return live.Game{}, err
	case c.Game != "":
		return live.Game{}, store.ErrNoChallenge
	case !by.Taken():
		return live.Game{}, ErrNobody
	case c.By.Same(by):
		return live.Game{}, errOwn
	case c.Invited != 0 && c.Invited != by.Member:
		return live.Game{}, errInvited
	}
	if err := json.Unmarshal(c.Terms, &t); err != nil {
		return live.Game{}, err
	}
	going, err := m.o.Store.Games(store.GameFilter{By: by, Going: true, Count: maxGoing})
	if err != nil {
		return live.Game{}, err
	}
	if len(going) >= maxGoing {
		return live.Game{}, ErrMany
	}
	start := live.Start{GameTerms: t, First: request.Human, Second: request.Human, Challenge: id, Seats: [2]live.Seat{c.By, by}}
	if t.Colour == "second" || cmp.Or(t.Colour, "random") == "random" && t.Rule == "" && rand.Text()[0]&1 == 0 {
		start.Seats = [2]live.Seat{by, c.By}
	}
	return m.o.Games.Begin(start)
}

// People are the persons in a game, as a person or a spectator sees them. In a game without seats nobody has a name.
type People struct {
	Names      [2]string `json:"names" doc:"names of both sides; empty for a removed member or a program"`
	Members    [2]int64  `json:"members" doc:"numbers of the members on both sides; 0: no member"`
	You        int       `json:"you" doc:"side of the caller in a game between people: 0 or 1; otherwise -1"`
	Rated      bool      `json:"rated"`
	Tournament int64     `json:"tournament,omitempty"`
}

// PeopleOf returns the persons in a game as the person in the seat by sees them.
func (m *Lobby) PeopleOf(by live.Seat, g *store.Game) People {
	p := People{You: -1, Rated: g.Rated, Tournament: g.Tournament}
	for side, seat := range g.Seats {
		if seat.Taken() {
			p.Names[side], p.Members[side] = m.Called(seat), seat.Member
		}
		if p.You < 0 && seat.Same(by) {
			p.You = side
		}
	}
	return p
}

// Listed is a game in a list.
type Listed struct {
	request.Summary
	People
	Speed string         `json:"speed,omitempty" doc:"class of speed, only of a game between people"`
	Turn  bool           `json:"turn,omitempty" doc:"whether the caller is to move; only in lists of games in progress between people"`
	Gain  [2]float64     `json:"gain" doc:"change of the ratings of both sides"`
	Board *diagram.Board `json:"board,omitempty" doc:"the board without legal moves, only in the list of the caller's games; missing if this version of krow cannot read the game"`
}

// List returns stored games as lists show them to the person in the seat by, without their boards. The side You is the side of the
// person of.
func (m *Lobby) List(by, of live.Seat, all []store.Game) []Listed {
	list := []Listed{}
	for _, g := range all {
		_, speed, _ := cutLast(g.Pool)
		l := Listed{Summary: SummaryOf(&g), People: m.PeopleOf(of, &g), Speed: speed, Gain: g.Gain}
		if g.Pool != "" && g.Ended.IsZero() && !g.Seats[0].Same(by) && !g.Seats[1].Same(by) {
			l.Plies, l.Updated = 0, l.Created // spectators may see moves only after a delay, so a list does not count them
		}
		list = append(list, l)
	}
	return list
}

// SummaryOf returns the summary of a stored game.
func SummaryOf(g *store.Game) request.Summary {
	return request.Summary{
		ID: g.ID, Game: g.Game, First: g.First, Second: g.Second, Plies: g.Plies, Outcome: g.Outcome, Reason: g.Reason, Created: g.Created, Updated: g.Updated, Visibility: g.Visibility,
	}
}

// cutLast splits the name of a pool at its last space into the game and the speed.
func cutLast(pool string) (before, after string, ok bool) {
	i := strings.LastIndexByte(pool, ' ')
	if i < 0 {
		return pool, "", false
	}
	return pool[:i], pool[i+1:], true
}

// Room contains the challenges and games that concern a person.
type Room struct {
	Challenges []Challenge `json:"challenges" nullable:"false" doc:"open challenges: the caller's own, those to the caller, and those in the lobby"`
	Mine       []Listed    `json:"mine" nullable:"false" doc:"games in progress of the caller"`
	Watch      []Listed    `json:"watch" nullable:"false" doc:"games in progress of others"`
	Results    []Listed    `json:"results" nullable:"false" doc:"the games of members that ended last, the latest first; empty without members"`
	Here       []Present   `json:"here" nullable:"false" doc:"members who use the server now, in the order of their names; empty for guests"`
}

// Present is a member who uses the server now.
type Present struct {
	Member int64  `json:"member"`
	Name   string `json:"name"`
}

const (
	mostWatched = 30 // maximum number of other people's games that Room returns
	mostResults = 8  // maximum number of results that Room returns
	// A member counts as present for the time hereTime after a request. An open page sends a request every 15 seconds.
	hereTime = time.Minute
)

// Room returns the challenges and games that concern a person.
func (m *Lobby) Room(by live.Seat) (h Room, err error) {
	h = Room{Challenges: []Challenge{}, Mine: []Listed{}, Watch: []Listed{}, Results: []Listed{}, Here: []Present{}}
	standing, err := m.standingChallenges()
	if err != nil {
		return h, err
	}
	for _, c := range standing {
		v, err := m.showChallenge(by, c)
		if err != nil {
			return h, err
		}
		if v.Mine || v.ForMe || c.Listed && time.Since(c.Created) < lobbyTime {
			h.Challenges = append(h.Challenges, v)
		}
	}
	if by.Taken() {
		if h.Mine, err = m.ongoingGames(by); err != nil {
			return h, err
		}
	}
	others, err := m.o.Store.Games(store.GameFilter{Going: true, Shown: true, Count: mostWatched})
	if err != nil {
		return h, err
	}
	h.Watch = slices.DeleteFunc(m.List(by, by, others), func(p Listed) bool { return p.You >= 0 })
	if !m.o.Members {
		return h, nil
	}
	if by.Member != 0 {
		h.Here = m.present(time.Now())
	}
	over, err := m.o.Store.Games(store.GameFilter{Over: true, Shown: true, Count: mostResults})
	h.Results = m.List(by, by, over)
	return h, err
}

// present returns the members who have sent a request recently, in the order of their names.
func (m *Lobby) present(now time.Time) []Present {
	m.mu.Lock()
	maps.DeleteFunc(m.here, func(_ int64, last time.Time) bool { return now.Sub(last) > hereTime })
	members := slices.Collect(maps.Keys(m.here))
	m.mu.Unlock()
	here := []Present{}
	for _, member := range members {
		if name := m.o.Name(member); name != "" {
			here = append(here, Present{member, name})
		}
	}
	slices.SortFunc(here, func(a, b Present) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return here
}

// isTurn reports whether a person is to move in a game.
func (m *Lobby) isTurn(by live.Seat, id string) (bool, error) {
	g, err := m.o.Games.Game(id)
	if errors.Is(err, store.ErrNoGame) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	side, plays := g.Side(by)
	return plays && g.Ongoing() && m.o.Games.Mover(g) == int(side), nil
}

// Rank is a member's rating in a pool.
type Rank struct {
	store.PoolRating
	Name string `json:"name"`
}

// Ranks returns the members' ratings in the pool of a game and a speed, the highest first.
func (m *Lobby) Ranks(game, speed string) ([]Rank, error) {
	all, err := m.o.Store.Ratings(0, live.Pool(game, speed))
	ranks := []Rank{}
	for _, r := range all {
		ranks = append(ranks, Rank{r, m.o.Name(r.Member)})
	}
	return ranks, err
}
