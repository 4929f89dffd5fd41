// SPDX-License-Identifier: Apache-2.0

// Package league manages leagues. A league is a table of computer players who play one game against each other without end, and
// are rated by the results.
//
// # Basics
//
//	l, err := league.Create(db, "lunch", "tictactoe", league.Terms{Plies: 2, Seed: 1})
//	err = l.Add(league.Member{Name: "eye", Spec: "greedy"}, krow.Player) // and others
//	err = l.Run(ctx, league.Options{Open: krow.Player, Jobs: 2, Games: 1000})
//	table, err := l.Table()
//
// # Rounds
//
// Games are played in rounds. The pairings of a round depend only on the members and on the games of previous rounds:
//
//	games of rounds 1 .. r-1 ──> stats.Telling ──> meetings of round r ──> two games each, seats exchanged
//
// Each game is stored in a separate transaction, and its key is its place in the plan of the round. So a league that was killed
// at any moment loses only the games in progress, and continues with the missing games of the round. If the moves of players
// depend only on seed and position, the games are the same as in a league that was never killed, for any number of Jobs.
//
// Members join and leave only between rounds.
//
// # Caveats
//
// The terms limit each move by nodes or depth. If the spec of a player contains a time limit, its strength depends on the speed
// of the machine. A player whose move takes longer than Terms.Guard forfeits the game; this ends games of players that hang.
package league

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/server/bots"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/match"
	"github.com/krow-lab/krow/server/store"
)

// Terms are the limits and settings of every game of a league.
type Terms struct {
	Nodes uint64 `json:"nodes,omitempty" maximum:"1000000" doc:"limit of each move; 0: the limit of the player's spec"`
	Depth int    `json:"depth,omitempty" minimum:"0" maximum:"100" doc:"limit of each move in plies; 0: the limit of the player's spec"`
	Plies int    `json:"plies" minimum:"0" maximum:"20" doc:"random moves at the start of each pair of games"`
	Seed  uint64 `json:"seed" maximum:"1000000"`
	Guard int    `json:"guard,omitempty" minimum:"0" maximum:"600" doc:"seconds after which a player that has not moved forfeits; 0 means 30"`
}

// usualGuard is the time limit of a move, in seconds, if the terms do not set one.
const usualGuard = 30

// These constants limit the random moves of a game and the members of a league.
const (
	maxPlies   = 20
	maxMembers = 200
)

// Member is a player of a league.
type Member = store.LeagueMember

// These errors are returned for invalid input of a user.
var (
	ErrName    = fault.New("bad-league", "a name must consist of at most 40 letters, digits, - and _; names of leagues and authors may also contain single spaces")
	errTerms   = fault.New("bad-league", "the terms make no sense")
	errTwice   = fault.New("bad-league", "the player is a member already")
	errFull    = fault.New("bad-league", fmt.Sprintf("a league has at most %d members", maxMembers))
	errMembers = fault.New("bad-league", "a league needs two members to play")
	ErrNoGame  = fault.New("no-league", "there is no such game")
)

// checkLeague returns an error if a league cannot have this name. The name of a league may contain single spaces.
func checkLeague(name string) error {
	if len(name) > 40 || name != strings.Join(strings.Fields(name), " ") {
		return fault.Errorf("%w: %q", ErrName, name)
	}
	return checkName(strings.ReplaceAll(name, " ", "_"))
}

func checkName(name string) error {
	if !humanize.Name(name) {
		return fault.Errorf("%w: %q", ErrName, name)
	}
	return nil
}

var noName = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// nameOf derives the name of a member from its spec: each run of characters that a name cannot have becomes a hyphen.
func nameOf(spec string) string {
	name := strings.Trim(noName.ReplaceAllString(spec, "-"), "-")
	return strings.TrimRight(name[:min(len(name), 40)], "-")
}

// League is an open league. It may be used by several goroutines.
type League struct {
	ID      int64
	Name    string
	Game    game.Game
	Terms   Terms
	Created time.Time

	db *store.Store

	entering sync.Mutex // held while a member's bot is entered, so that two simultaneous entries cannot exceed maxEntries

	mu      sync.Mutex
	row     store.League // Round and Playing have the values of the last refresh
	members []Member     // sorted by their numbers
	games   []result     // results of all games
}

// Create makes a league.
func Create(db *store.Store, name, spec string, t Terms) (*League, error) {
	if err := checkLeague(name); err != nil {
		return nil, err
	}
	g, err := krow.Game(spec)
	if err != nil {
		return nil, err
	}
	if t.Plies < 0 || t.Plies > maxPlies || t.Depth < 0 || t.Guard < 0 {
		return nil, fault.Errorf("%w: random plies must be from 0 to %d, and no value may be negative", errTerms, maxPlies)
	}
	data, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	id, err := db.AddLeague(name, g.String(), data)
	if err != nil {
		return nil, err
	}
	return byID(db, id)
}

// byID opens the league with this number. The error is an error if there is none.
func byID(db *store.Store, id int64) (*League, error) {
	row, err := db.League(id)
	if err != nil {
		return nil, err
	}
	return open(db, row)
}

func open(db *store.Store, row store.League) (*League, error) {
	l := &League{ID: row.ID, Name: row.Name, Created: row.Created, db: db, row: row}
	var err error
	if l.Game, err = krow.Game(row.Game); err != nil {
		return nil, fmt.Errorf("league %s: %w", l.Name, err)
	}
	if err := json.Unmarshal(row.Terms, &l.Terms); err != nil {
		return nil, fmt.Errorf("league %s: %w", l.Name, err)
	}
	return l, nil
}

// Delete deletes the league and its games.
func (l *League) Delete() error { return l.db.DeleteLeague(l.ID) }

// setPlaying sets whether a server continues the league when it starts. It refuses a league with fewer than two
// active members.
func (l *League) setPlaying(on bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.refresh(); err != nil {
		return err
	}
	if _, n := l.least(); on && n < 2 {
		return errMembers
	}
	return l.db.SetPlaying(l.ID, on)
}

// refresh reads the changes that the store has received since the last refresh. The caller holds the lock.
func (l *League) refresh() error {
	row, err := l.db.League(l.ID)
	if err != nil {
		return err
	}
	members, err := l.db.Members(l.ID)
	if err != nil {
		return err
	}
	l.row, l.members = row, members
	last := int64(0)
	if n := len(l.games); n > 0 {
		last = l.games[n-1].number
	}
	news, err := l.db.Games(store.GameFilter{League: l.ID, After: last})
	for _, g := range news {
		r, err := l.resultOf(g)
		if err != nil {
			return err
		}
		l.games = append(l.games, r)
	}
	return err
}

// Members returns the members, including members that have left.
func (l *League) Members() ([]Member, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.refresh()
	return slices.Clone(l.members), err
}

// member returns the member with this name, or a store.ErrNoMember. The caller holds the lock, and has called refresh.
func (l *League) member(name string) (*Member, error) {
	for i := range l.members {
		if l.members[i].Name == name {
			return &l.members[i], nil
		}
	}
	return nil, fmt.Errorf("member %q: %w", name, store.ErrNoMember)
}

// Add adds a member, who plays from the next round on. It makes the player once, so that an invalid spec is reported at once. If
// m.Name is empty, the name is derived from the spec (see nameOf).
func (l *League) Add(m Member, open match.Open) error {
	if m.Name == "" {
		m.Name = nameOf(m.Spec)
	}
	if err := checkName(m.Name); err != nil {
		return err
	}
	if m.Author != "" {
		if club.CheckName(m.Author) != nil {
			return fault.Errorf("%w: %q", ErrName, m.Author)
		}
	}
	all, err := l.Members()
	if err != nil {
		return err
	}
	staying := 0
	for _, o := range all {
		switch {
		case o.Left:
		case o.Spec == m.Spec:
			return fault.Errorf("%w: %s is %s", errTwice, m.Spec, o.Name)
		default:
			staying++
		}
	}
	if staying >= maxMembers {
		return errFull
	}
	p, err := open(l.Game, m.Spec, 1)
	if err != nil {
		return err
	}
	defer player.Close(p)
	if player.IsHuman(p) {
		return match.ErrPerson
	}
	m.League = l.ID
	_, err = l.db.AddMember(m)
	return err
}

// Enter adds a bot of a member, who is not an organiser. The function owns reports whether the bot of a spec is the member's, and
// settle returns the spec to store for a player. A member has at most maxEntries bots in a league.
func (l *League) Enter(m Member, owns func(spec string) (bool, error), settle func(spec string) (string, error), open match.Open) error {
	l.entering.Lock()
	defer l.entering.Unlock()
	own, err := owns(m.Spec)
	if err != nil {
		return err
	}
	if !own {
		return fault.About("not-allowed", m.Spec, errors.New("a member enters bots of their own; an organiser enters other players"))
	}
	all, err := l.Members()
	if err != nil {
		return err
	}
	entries := 0
	for _, o := range all {
		if own, err := owns(o.Spec); !o.Left && own && err == nil {
			entries++
		}
	}
	if entries >= maxEntries {
		return fault.About("bad-league", m.Spec, fmt.Errorf("a member has at most %d bots in a league: take one out first", maxEntries))
	}
	if m.Spec, err = settle(m.Spec); err != nil {
		return err
	}
	return l.Add(m, open)
}

// FollowBot enters the published version of a bot in every league, in place of the version that plays there. The games of the
// previous version stay. If a league does not accept the new version, FollowBot calls refused with the name of the league, and the
// previous version continues to play.
func FollowBot(db *store.Store, b store.Bot, open match.Open, refused func(league string, err error)) error {
	all, err := db.Leagues()
	for _, x := range all {
		l, failed := byID(db, x.ID)
		if failed != nil {
			continue // this version of krow cannot play the league
		}
		members, failed := l.Members()
		err = errors.Join(err, failed)
		for _, m := range members {
			ref, is, failed := bots.ParseRef(m.Spec)
			if m.Left || !is || failed != nil || ref.Name != b.Name || ref.Version == 0 || ref.Version == b.Published {
				continue
			}
			name := strings.TrimSuffix(m.Name, fmt.Sprintf("-%d", ref.Version))
			next := Member{Name: fmt.Sprintf("%s-%d", name, b.Published), Spec: ref.At(b.Published).String(), Author: m.Author}
			if failed := l.Add(next, open); failed != nil && !errors.Is(failed, errTwice) { // it may have joined already
				refused(l.Name, failed)
				continue
			}
			err = errors.Join(err, l.Drop(m.Name))
		}
	}
	return err
}

// AddField adds the usual first members of a league: krow's numbered levels of the game and, if others is true, krow's other
// players of the game. It returns the number of members added.
func (l *League) AddField(others bool, open match.Open) (int, error) {
	all := field(l.Game, others)
	for _, m := range all {
		if err := l.Add(m, open); err != nil {
			return 0, err
		}
	}
	return len(all), nil
}

func field(g game.Game, others bool) (all []Member) {
	for _, v := range krow.Levels(g) {
		all = append(all, Member{Name: fmt.Sprintf("level-%d", v.Level), Spec: fmt.Sprintf("level:%d", v.Level), Author: "krow"})
	}
	if !others {
		return all
	}
	for _, o := range krow.Opponents(g) {
		if o.Level == 0 && o.Player != "human" {
			all = append(all, Member{Name: nameOf(o.Player), Spec: o.Player, Author: "krow"})
		}
	}
	return all
}

// Drop lets the member with this name leave after the round in progress. The member's games stay.
func (l *League) Drop(name string) error { return l.db.EndMember(l.ID, name) }
