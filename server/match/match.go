// SPDX-License-Identifier: Apache-2.0

// Package match plays matches and round robins of computer players, and stores their games. A match that was interrupted can
// continue.
//
// # Basics
//
//	m := match.Match{Terms: arena.Match{Game: g, Games: 100, Seed: 1, Jobs: 2}}
//	err := m.Enter("mcts:sims=1000", krow.Player) // once for each player
//	closeFile, err := m.KeepFile("games.jsonl")      // or m.KeepRun(db, run), or neither
//	meetings, err := m.Run(ctx)
//	standings, err := arena.Rank(meetings)
//
// Two players play a match. Three or more players play a round robin: every player meets every other player, in this order of
// pairings:
//
//	       a    b    c    d
//	a           0    1    2       the order of the pairings
//	b                3    4
//	c                     5
//
// All pairings have the same terms, and so the same openings. The random seeds of the players differ from pairing to pairing.
//
// Each game is stored when it ends. An interrupted match continues with the first game that is not stored, and gets the same
// results as an uninterrupted match.
package match

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/opening"
	"github.com/krow-lab/krow/server/store"
)

// Match describes and plays a match of two players or a round robin of more players.
type Match struct {
	// Terms are the terms of each pairing. The caller need not set the players, the played games, Keep, OnGame and Watch in
	// Terms, because Run sets them from the fields of Match.
	Terms   arena.Match
	Players []arena.Factory
	// Away contains the specs from which the machines of Terms.Queue make the players. If Away is empty, the players' names are
	// used as specs.
	Away []string
	// A match of more than two players is a round robin with a table of standings: Check requires distinct names, an even number
	// of games and no sequential test. If RoundRobin is true, this also holds for two players.
	RoundRobin bool
	// If Gauntlet is true, the first player meets each of the others, who do not meet each other.
	Gauntlet bool
	// OnGame, unless nil, is called after each game. If it returns an error, the match ends.
	OnGame func(Event) error
	// Watch, unless nil, is called with each position of a game and its players, from the goroutine of that game. It
	// must leave the position as it is.
	Watch func(first, second string, p game.Position)

	kept   [][]record.Game // games of each pairing that an earlier run has stored; or nil
	keep   arena.Keeper    // stores all games in the order of pairings; or nil
	stored int             // number of games in keep when the match begins
	finish func() error
}

// ErrPerson is returned by Enter if the spec is the spec of a person.
var ErrPerson = fault.New("person-in-match", "a person cannot play a match")

// Open is a function that makes the player of a spec for a game, such as krow.Player.
type Open func(g game.Game, spec string, seed uint64) (player.Player, error)

// Enter adds the player of a spec to the match. It makes the player once, so that an invalid spec is reported at once. If the
// player does not know the opening rule of the match, the error is an opening.ErrUnable.
func (m *Match) Enter(spec string, open Open) error {
	f := arena.Factory{Name: spec, New: func(seed uint64) (player.Player, error) { return open(m.Terms.Game, spec, seed) }}
	p, err := f.New(0)
	if err != nil {
		return err
	}
	defer player.Close(p)
	if player.IsHuman(p) {
		return ErrPerson
	}
	if rule := m.Terms.Opening; rule != "" {
		if _, err := opening.For(p, rule, 0); err != nil {
			return err
		}
	}
	m.Players = append(m.Players, f)
	return nil
}

// Check returns an error when m cannot be played.
func (m *Match) Check() error {
	switch n := len(m.Players); {
	case n < 2:
		return fmt.Errorf("a tournament needs at least two players, not %d", n)
	case !m.roundRobin():
		return m.Terms.Check()
	case m.Terms.Games < 2 || m.Terms.Games%2 != 0:
		return fmt.Errorf("a match must have an even number of games, not %d", m.Terms.Games)
	case m.Terms.SPRT != nil:
		return errors.New("a sequential test needs exactly two players")
	}
	names := map[string]bool{}
	for _, p := range m.Players {
		if names[p.Name] {
			return fmt.Errorf("%s plays twice", p.Name)
		}
		names[p.Name] = true
	}
	return m.Terms.Check()
}

func (m *Match) roundRobin() bool { return m.RoundRobin || len(m.Players) > 2 }

// Games returns the number of games of the match, if no sequential test ends it early.
func (m *Match) Games() int { return len(m.pairings()) * m.Terms.Games }

// Played returns the number of games stored by an earlier run.
func (m *Match) Played() (n int) {
	for _, games := range m.kept {
		n += len(games)
	}
	return n
}

// split divides games by pairing. games contains the first games of a match in which each pairing plays per games.
func (m *Match) split(games []record.Game, per int) (of [][]record.Game) {
	for range m.pairings() {
		n := min(per, len(games))
		of = append(of, games[:n])
		games = games[n:]
	}
	return of
}

// pairings returns the pairings of the round robin, each with its games that are already kept.
func (m *Match) pairings() (all []arena.Match) {
	for i, a := range m.Players {
		if m.Gauntlet && i > 0 {
			break
		}
		for j, b := range m.Players[i+1:] {
			pair := m.Terms
			pair.Pairing = len(all)
			pair.A, pair.B = a, b
			if m.kept != nil {
				pair.Played = m.kept[len(all)]
			}
			if len(m.Away) > 0 {
				pair.Specs = [2]string{m.Away[i], m.Away[i+1+j]}
			}
			all = append(all, pair)
		}
	}
	return all
}

// Meetings returns the current result of each pairing, counted from the kept games.
func (m *Match) Meetings() (all []arena.Meeting) {
	for _, pair := range m.pairings() {
		t := arena.Tally{SPRT: pair.SPRT}
		for _, r := range pair.Played {
			t.Add(r)
		}
		all = append(all, arena.Meeting{A: pair.A.Name, B: pair.B.Name, Summary: t.Summary()})
	}
	return all
}

// Event reports that a game has ended.
type Event struct {
	Game    record.Game
	Meeting arena.Meeting // the current results of the pairing
	Pairing int           // number of the pairing, from 1
}

// part stores the games of one pairing in Keeper, after the games of the previous pairings. before is the number of games of
// the previous pairings.
type part struct {
	arena.Keeper
	before int
}

// Cut deletes all games of the pairing except the first n.
func (p part) Cut(n int) error { return p.Keeper.Cut(p.before + n) }

// Run plays the games that are not kept yet. It returns the results of all pairings or, if an error ended the match, of the
// pairings until then.
func (m *Match) Run(ctx context.Context) (all []arena.Meeting, err error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	for i, pair := range m.pairings() {
		meeting := func() arena.Meeting { return arena.Meeting{A: pair.A.Name, B: pair.B.Name, Summary: pair.Summary()} }
		if m.Watch != nil {
			pair.Watch = func(g record.Game, p game.Position) { m.Watch(g.Names[0], g.Names[1], p) }
		}
		if m.keep != nil {
			before := i * m.Terms.Games
			pair.Keep = part{m.keep, before}
			for _, g := range pair.Played[min(max(m.stored-before, 0), len(pair.Played)):] {
				if err := m.keep.Write(g); err != nil {
					return all, err
				}
			}
		}
		if m.OnGame != nil {
			pair.OnGame = func(g record.Game) error { return m.OnGame(Event{g, meeting(), i + 1}) }
		}
		err := arena.Play(ctx, pair.Jobs, &pair)
		all = append(all, meeting())
		if err != nil && m.roundRobin() {
			err = fmt.Errorf("%s against %s: %w", pair.A.Name, pair.B.Name, err)
		}
		if err != nil {
			return all, err
		}
	}
	if m.finish != nil {
		err = m.finish()
	}
	return all, err
}

// KeepFile stores the games of a match in a file, which has the name path.part until the match is over. Games that this file
// contains already are not played again. Unless replace is true, KeepFile also reads a finished file at path. If the finished
// file belongs to the same match, or to the same match with fewer games, its games are not played again. If it belongs to
// another match, the error wraps ErrAnother. The returned function must be called after Run.
func (m *Match) KeepFile(path string, replace bool) (closeFile func() error, err error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	if !replace {
		if _, err := m.Load(path); err != nil {
			return nil, err
		}
	}
	w, games, err := record.Open(path, m.Identity(), krow.Game)
	if err != nil {
		return nil, err
	}
	m.keep, m.finish, m.stored = w, w.Commit, len(games)
	for i, begun := range m.split(games, m.Terms.Games) {
		if m.kept == nil {
			m.kept = make([][]record.Game, len(m.pairings()))
		}
		if len(begun) > len(m.kept[i]) {
			m.kept[i] = begun
		}
	}
	return w.Close, nil
}

// ErrAnother is wrapped by the error for a file that belongs to another match.
var ErrAnother = errors.New("is not of this match")

// ofMatch reports whether identity is the Identity of this match, or of the same match with only n games in each pairing.
func (m *Match) ofMatch(identity string, n int) bool {
	shorter := *m
	shorter.Terms.Games = min(n, m.Terms.Games)
	return identity == m.Identity() || identity == shorter.Identity()
}

// Load reads the games of a finished file of this match, or of the same match with fewer games, and reports whether the file
// exists. Run does not play these games again.
func (m *Match) Load(path string) (found bool, err error) {
	if err := m.Check(); err != nil {
		return false, err
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	h, games, err := record.Read(data, "", krow.Game)
	per := len(games) / len(m.pairings())
	switch {
	case err != nil:
		return false, fmt.Errorf("%s %w: %w", path, ErrAnother, err)
	case !m.ofMatch(h.Match, per):
		return false, fmt.Errorf("%s %w (%s)", path, ErrAnother, h.Match)
	}
	m.kept = m.split(games, per)
	return true, nil
}

// Identity returns a text that contains everything on which the games of the match depend.
func (m *Match) Identity() string {
	text := m.pairings()[0].String()
	if len(m.Players) > 2 {
		text += fmt.Sprintf(" gauntlet=%t players=%s", m.Gauntlet, strings.Join(m.names(), " "))
	}
	return text
}

// Title returns the names of the players.
func (m *Match) Title() string { return strings.Join(m.names(), " - ") }

func (m *Match) names() (all []string) {
	for _, p := range m.Players {
		all = append(all, p.Name)
	}
	return all
}

// KeepRun makes Run store each game of a round robin as a step of the run r, before the game is counted. KeepRun returns the
// games that the run already has, which are not played again.
func (m *Match) KeepRun(db *store.Store, r *store.Run) ([]store.Game, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	games, err := db.Games(store.GameFilter{Run: r.ID})
	if err != nil {
		return nil, err
	}
	pairs := m.pairings()
	played := make([]record.Game, len(games))
	for i, row := range games {
		g, err := row.Played(m.Terms.Game)
		if err != nil {
			return nil, err
		}
		if g.Index = i % m.Terms.Games; g.Names[0] != pairs[min(i/m.Terms.Games, len(pairs)-1)].A.Name {
			g.A = game.Second
		}
		played[i] = g
	}
	m.kept, m.stored = m.split(played, m.Terms.Games), len(games)
	m.keep, m.finish = &runKeeper{db, r}, func() error { return db.Finish(r) }
	return games, nil
}

// runKeeper stores games as the steps of a run.
type runKeeper struct {
	db  *store.Store
	run *store.Run
}

// Write stores the next game.
func (k *runKeeper) Write(g record.Game) error {
	r, row := k.run, store.RowOf(g)
	row.Run = r.ID
	if err := k.db.AddGame(row, ""); err != nil {
		return err
	}
	return k.db.SaveStep(r, []byte("{}"), learn.CurvePoint{Step: r.Step + 1, Games: uint64(r.Step) + 1, Values: map[string]float64{}})
}

// Cut deletes all games except the first n.
func (k *runKeeper) Cut(n int) error { return k.db.CutGames(k.run, n) }
