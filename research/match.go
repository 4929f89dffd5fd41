// SPDX-License-Identifier: Apache-2.0

package research

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/cpu"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/research/report"
	"github.com/krow-lab/krow/search"
)

// Contender is a player in matches of a study.
type Contender struct {
	// Name identifies the contender in reports and in the keys of the store. Contenders that play differently must have different
	// names.
	Name string
	// Spec is the spec from which the players are created. It may contain details that do not change play, such as the name of
	// a file.
	Spec string
}

// Named returns a contender whose name is its spec.
func Named(spec string) Contender { return Contender{spec, spec} }

// Match is a match of a study. The store keeps each of its games.
type Match struct {
	Game   string // spec of the game
	A, B   Contender
	Games  int
	Seed   uint64
	Suite  Suite // the openings, one for each pair of games
	Plies  int   // random moves at the start of each pair, if there is no suite
	Limits search.Limits
	// If the games depend on the version of the rules or of the players, Reading is the name of this version. Reading is part
	// of the key of the games.
	Reading string
}

// Title names the players and the game.
func (m Match) Title() string { return m.Game + ": " + m.A.Name + " - " + m.B.Name }

// key returns a text that contains everything on which the games depend.
func (m Match) key() string {
	l := m.Limits
	key := fmt.Sprintf("match/1/%s/%s/%s/seed=%d,plies=%d,suite=%s,limits={Depth:%d Nodes:%d Time:%v Lines:%d}",
		m.Game, m.A.Name, m.B.Name, m.Seed, m.Plies, m.Suite, l.Depth, l.Nodes, l.Time, l.Lines)
	if m.Reading != "" {
		key += "," + m.Reading
	}
	return key
}

// gameKey returns the key in the store of game i, from 0.
func (m Match) gameKey(i int) string { return fmt.Sprintf("%s/%d", m.key(), i) }

// Played contains the results of a match.
type Played struct {
	arena.Summary
	Results []record.Game // the games in their order
}

// Match plays the games of a match that are missing from the store, and returns all games of the match. The games must have been
// planned ([Session.Plan]).
func (s *Session) Match(ctx context.Context, m Match) (none Played, err error) {
	am, err := m.arena()
	if err != nil {
		return none, fmt.Errorf("%s: %w", m.Title(), err)
	}
	if am.Played, err = s.played(m, am.Game); err != nil {
		return none, fmt.Errorf("%s: %w", m.Title(), err)
	}
	s.Did(m.Title(), len(am.Played), false)
	if s.ReadOnly && len(am.Played) < m.Games {
		return none, fmt.Errorf("%s: %d of %d games: %w", m.Title(), len(am.Played), m.Games, ErrMissing)
	}
	am.Jobs = max(s.Jobs, 1)
	s.sendAway(m, am)
	am.Keep = &matchKeeper{s, m, len(am.Played)}
	if err := arena.Play(ctx, am.Jobs, am); err != nil {
		return Played{am.Summary(), am.Played}, fmt.Errorf("%s: %w", m.Title(), err)
	}
	return Played{am.Summary(), am.Played}, nil
}

// matchKeeper stores the games of a match in the store of the session.
type matchKeeper struct {
	s *Session
	m Match
	n int // number of stored games
}

// Write stores the next game.
func (k *matchKeeper) Write(g record.Game) error {
	if err := k.s.put(k.m.gameKey(g.Index), g); err != nil {
		return err
	}
	k.n++
	k.s.Did(k.m.Title(), 1, true)
	return nil
}

// Cut deletes the stored games of the match, except the first n.
func (k *matchKeeper) Cut(n int) error {
	for ; k.n > n; k.n-- {
		if err := k.s.put(k.m.gameKey(k.n-1), nil); err != nil {
			return err
		}
	}
	return nil
}

// sendAway lets other machines play the match m if they can create the players of m and if the moves of m have no time limit.
func (s *Session) sendAway(m Match, am *arena.Match) {
	if s.Queue == nil || m.Limits.Time > 0 {
		return
	}
	a, err := s.Spec(am.Game, m.A.Spec, m.Limits)
	if err != nil {
		return
	}
	b, err := s.Spec(am.Game, m.B.Spec, m.Limits)
	if err == nil {
		am.Queue, am.Specs = s.Queue, [2]string{a, b}
	}
}

// Kept returns the stored games of a match. It plays none.
func (s *Session) Kept(m Match) (Played, error) {
	am, err := m.arena()
	if err != nil {
		return Played{}, fmt.Errorf("%s: %w", m.Title(), err)
	}
	var all Played
	if all.Results, err = s.played(m, am.Game); err != nil {
		return all, fmt.Errorf("%s: %w", m.Title(), err)
	}
	var t arena.Tally
	for _, r := range all.Results {
		t.Add(r)
	}
	all.Summary = t.Summary()
	return all, nil
}

// played returns the stored games of m, up to the first that is missing.
func (s *Session) played(m Match, rules game.Game) ([]record.Game, error) {
	var all []record.Game
	for i := range m.Games {
		var line json.RawMessage
		found, err := s.get(m.gameKey(i), &line)
		if err != nil || !found {
			return all, err
		}
		g, err := record.Parse(line, func(string) (game.Game, error) { return rules, nil })
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", i+1, err)
		}
		all = append(all, g)
	}
	return all, nil
}

func (m Match) arena() (*arena.Match, error) {
	g, err := krow.Game(m.Game)
	if err != nil {
		return nil, err
	}
	am := &arena.Match{Game: g, Games: m.Games, Seed: m.Seed, RandomPlies: m.Plies, Limits: m.Limits}
	am.A, am.B = m.A.factory(g), m.B.factory(g)
	for _, text := range m.Suite.Openings {
		p := g.Start()
		if err := notation.Play(p, text); err != nil {
			return nil, fmt.Errorf("opening %q: %w", text, err)
		}
		am.Openings = append(am.Openings, p.AppendHistory(nil))
	}
	return am, nil
}

func (c Contender) factory(g game.Game) arena.Factory {
	return arena.Factory{Name: c.Name, New: func(seed uint64) (player.Player, error) { return krow.Player(g, c.Spec, seed) }}
}

// Suite describes a set of openings: either a given list, or random openings in which a player, the judge, finds no forced
// result. The zero Suite has no openings.
type Suite struct {
	Game  string
	Count int // wanted number of openings
	Plies int // random moves of each opening
	// Judge is the spec of a player. An opening is used only if this player finds no forced result in it. The player must score
	// finished games as won, drawn or lost, and not by a heuristic.
	Judge string
	Seed  uint64
	// Openings are the openings found by [Session.Openings], each as its moves in the game's notation.
	Openings []string
}

// String returns the name of the suite in keys.
func (u Suite) String() string {
	switch {
	case u.Judge == "" && u.Openings != nil:
		return fmt.Sprintf("list %x", hash(strings.Join(u.Openings, "\n")))
	case u.Judge == "":
		return "none"
	}
	return fmt.Sprintf("%d,plies=%d,judge=%s,seed=%d", u.Count, u.Plies, u.Judge, u.Seed)
}

// Openings returns random openings in which the judge finds no forced result, and stores them. There may be fewer than u.Count.
func (s *Session) Openings(ctx context.Context, u Suite) ([]string, error) {
	return Piece(s, fmt.Sprintf("openings/1/%s/%s", u.Game, u), func() ([]string, error) { return u.find(ctx) })
}

// tries is the maximum number of random positions that are tried for each wanted opening.
const tries = 200

func (u Suite) find(ctx context.Context) ([]string, error) {
	g, err := krow.Game(u.Game)
	if err != nil {
		return nil, err
	}
	p, err := krow.Player(g, u.Judge, u.Seed)
	if err != nil {
		return nil, err
	}
	judge, ok := p.(player.Analyst)
	if !ok {
		return nil, fmt.Errorf("%s cannot judge openings", u.Judge)
	}
	random := rand.New(rand.NewPCG(u.Seed, hash(u.Game)))
	var found []string
	known := map[uint64]bool{}
	for range tries * u.Count {
		if len(found) == u.Count {
			break
		}
		p := g.Start()
		if game.PlayRandom(p, u.Plies, random.IntN); p.Outcome() != game.Ongoing || known[p.Key()] {
			continue
		}
		known[p.Key()] = true
		text := notation.FormatMoves(g, p.AppendHistory(nil))
		info, err := judge.Analyze(ctx, p, search.Limits{}, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: opening %q: %w", u.Game, text, err)
		}
		if !info.Solved {
			found = append(found, text)
		}
	}
	return found, nil
}

func hash(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}

// meter measures the processor time of a study. The time is stored at intervals, so that the time before an interruption of the
// study is also counted.
type meter struct {
	sync.Mutex
	key    string // key in the store; if it is empty, nothing is measured
	before time.Duration
	from   time.Duration // processor time of the process when the study began
	last   time.Duration // processor time of the process when the time of the study was last stored
}

// costEvery is the processor time after which the cost is stored again.
const costEvery = 10 * time.Second

// costKey returns the key under which the cost of a study is stored.
func (s *Session) costKey(study string) string { return "cost/1/" + study + s.Choice() }

// cost returns the stored cost of a study, or the zero Cost if it was not measured.
func (s *Session) cost(study string) (c report.Cost, err error) {
	if s.Store == nil {
		return c, nil
	}
	if _, err = s.get(s.costKey(study), &c); err == nil && !s.Quick {
		var small report.Cost
		_, err = s.get((&Session{Quick: true, Reading: s.Reading, Players: s.Players, Time: s.Time}).costKey(study), &small)
		c.Small = small.Seconds
	}
	return c, err
}

// count starts to measure the processor time of a study.
func (s *Session) count(study string) error {
	c, err := s.cost(study)
	m := &s.meter
	m.key, m.before, m.from = s.costKey(study), time.Duration(c.Seconds*float64(time.Second)), cpu.Time()
	m.last = m.from
	return err
}

// keepCost stores the cost at the end, or if costEvery has passed. It may be called by several goroutines.
func (s *Session) keepCost(end bool) error {
	m := &s.meter
	m.Lock()
	defer m.Unlock()
	now := cpu.Time()
	if m.key == "" || !end && now-m.last < costEvery {
		return nil
	}
	m.last = now
	return s.putPiece(m.key, report.Cost{Seconds: (m.before + now - m.from).Seconds(), Machine: cpu.Model()})
}
