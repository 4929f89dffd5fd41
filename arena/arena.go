// SPDX-License-Identifier: Apache-2.0

// Package arena lets two players meet in a match of many games.
//
// # Basics
//
//	m := arena.Match{
//		Game:  g,
//		A:     arena.Factory{Name: "random", New: func(seed uint64) (player.Player, error) { return player.NewRandom(seed), nil }},
//		B:     strong,
//		Games: 100,
//		Seed:  1,
//	}
//	summary, err := m.Run(ctx)
//
// Games come in pairs: 0 and 1, 2 and 3, ... A pair plays the same opening twice. A moves first in the even game, B in
// the odd one; where players open the game by a rule, A begins in the even game, B in the odd one. Each game has players
// of its own. Their seed follows from the match, the game and the seat. After the game they are closed if they are an
// io.Closer.
//
// Each game is a unit of package work. Games are counted in their order, however many are played at once. Games that a
// finished sequential test no longer needs are thrown away. So a Match whose players follow from seed and position gives the same Summary and the same
// results whatever its Jobs.
//
// # Time
//
// Limits.Time bounds each move. Clock gives each player a clock for the whole game, of which package clock plans a
// budget for each move; both together are possible. A [player.Clocked] gets its clock and plans its time by itself.
//
// # Forfeits
//
// A player loses the game, and the match continues, if it returns an error, panics, plays an illegal move, or is late
// by more than Margin. Its context is done when its time is over. At the end of the margin the arena waits no longer. A
// player that still does not return is given one more margin, and then keeps its goroutine, since nothing can take that
// away; it is closed when it returns.
//
// # Caveats
//
// Only Move is watched: New and Close are waited for. A player sees a clone of the position, so it can spoil nothing.
// Time is the clock on the wall: players that run at once share the machine, and more Jobs than cores take their
// time away.
package arena

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"strings"
	"time"

	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/clock"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// Factory makes players of one kind.
type Factory struct {
	Name string
	// New returns a player for one game. It is called from several goroutines at once.
	New func(seed uint64) (player.Player, error)
}

// DefaultMargin is how late a move may be, unless the match says otherwise.
const DefaultMargin = 100 * time.Millisecond

// Match is a number of games between two kinds of player.
type Match struct {
	Game  game.Game
	A, B  Factory
	Games int
	Seed  uint64
	// Pairing numbers the matches of a round robin from 0. They have the same Seed and so the same openings, and their
	// players have random numbers of their own.
	Pairing int
	// Openings are played in turn, one for each pair of games, and from the first again after the last. Without them
	// each pair begins with RandomPlies random moves, different ones as long as there are any.
	Openings    [][]game.Move
	RandomPlies int
	// Opening has the players open each game by a rule of package opening: A begins in even games, B in odd ones. They
	// must be able to: see opening.For.
	Opening string
	Limits  search.Limits // of each move
	// Clock is the time of each player for a game. Its Turn, Margin and Reserve are not looked at: see Limits and
	// Margin.
	Clock  clock.Control
	Margin time.Duration // how late a move may be; 0 means DefaultMargin
	Guard  time.Duration // unless 0, a player whose move without a limit takes longer forfeits the game
	Jobs   int           // games played at once; 0 means 1
	// Queue, unless nil, plays the games elsewhere: see Kinds. Then there is no Jobs and no Watch. Specs make the
	// players there; an empty one is the name. All times are for a machine of this Speed, in nodes of
	// krow bench per second; on another machine they are scaled.
	Queue work.Queue
	Specs [2]string
	Speed float64
	scale float64 // of the times of this machine, where they are scaled
	// SPRT, unless nil, ends the match after the first pair that decides the test.
	SPRT *stats.SPRT
	// Played are the finished games of this match. Games that exist at the beginning are counted and not played again.
	Played []record.Game
	// Keep, unless nil, keeps each game as it ends, before OnGame.
	Keep  Keeper
	Times bool // games say how long each move took; games on the clock always do
	// OnGame, unless nil, is called for each game in order, from the goroutine of Run. An error ends the match.
	OnGame func(record.Game) error
	// Watch, unless nil, is called with each position that a player is asked about, from the goroutine of its game. It
	// must leave the position and the game so far as they are.
	Watch func(g record.Game, p game.Position)

	tally  *Tally // of Played
	before int    // games played before this call of a queue
}

// Check returns an error if m cannot be played.
func (m Match) Check() error {
	switch {
	case m.Games < 0:
		return fmt.Errorf("match: %d games", m.Games)
	case m.Jobs < 0:
		return fmt.Errorf("match: %d games at once", m.Jobs)
	case min(m.Limits.Time, m.Margin, m.Clock.Match, m.Clock.Increment) < 0:
		return fmt.Errorf("match: negative time")
	case m.RandomPlies < 0:
		return fmt.Errorf("match: %d random plies", m.RandomPlies)
	case m.RandomPlies > 0 && len(m.Openings) > 0:
		return fmt.Errorf("match: either openings or random plies, not both")
	case m.Queue != nil && m.timed() && m.Speed <= 0:
		return errors.New("match: it is not known how quick this machine is, so no other can scale its times")
	case m.Opening != "" && (m.RandomPlies > 0 || len(m.Openings) > 0):
		return fmt.Errorf("match: either %s or openings, not both", m.Opening)
	case len(m.Played) > m.Games:
		return fmt.Errorf("match: %d games are played already, of %d", len(m.Played), m.Games)
	}
	if m.SPRT != nil {
		if err := m.SPRT.Check(); err != nil {
			return err
		}
	}
	for i, o := range m.Openings {
		if _, err := replay(m.Game, o); err != nil {
			return fmt.Errorf("opening %d: %w", i+1, err)
		}
	}
	return nil
}

// String returns a line with everything that the results depend on. An interrupted file is matched to its match by this
// line.
func (m Match) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s a=%s b=%s games=%d seed=%d", m.Game, m.A.Name, m.B.Name, m.Games, m.Seed)
	if len(m.Openings) > 0 {
		h := fnv.New64a()
		fmt.Fprint(h, m.Openings)
		fmt.Fprintf(&s, " openings=%d/%016x", len(m.Openings), h.Sum64())
	}
	add := func(on bool, format string, args ...any) {
		if on {
			fmt.Fprintf(&s, format, args...)
		}
	}
	timed, clocked := m.Limits.Time > 0, m.Clock.Match > 0
	add(m.Pairing > 0, " pairing=%d", m.Pairing)
	add(m.RandomPlies > 0, " random-plies=%d", m.RandomPlies)
	add(m.Opening != "", " %s", m.Opening)
	add(m.Limits.Depth > 0, " depth=%d", m.Limits.Depth)
	add(m.Limits.Nodes > 0, " nodes=%d", m.Limits.Nodes)
	add(timed, " time=%v", m.Limits.Time)
	add(clocked, " clock=%v", m.Clock)
	add(timed || clocked, " margin=%v", m.margin())
	if m.SPRT != nil {
		add(true, " sprt=%g,%g bounds=%.3f,%.3f", m.SPRT.Elo0, m.SPRT.Elo1, -stats.SPRTBound, stats.SPRTBound)
	}
	return s.String()
}

func (m Match) margin() time.Duration { return cmp.Or(m.Margin, DefaultMargin) }

// Run plays the match. The error is nil if all games were played or the test decided. Otherwise it is the error of ctx,
// of OnGame, of Check, or of a player that could not be made for the first game, and the Summary is of the games until
// then. A player that cannot be made for a later game forfeits.
func (m Match) Run(ctx context.Context) (Summary, error) {
	err := Play(ctx, m.Jobs, &m)
	return m.Summary(), err
}

// Summary returns the results of the games in Played, which the match must have counted: see Event.
func (m *Match) Summary() Summary {
	if m.tally == nil {
		return Summary{}
	}
	return m.tally.Summary()
}
