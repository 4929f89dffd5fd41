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
// Games come in pairs: 0 and 1, 2 and 3, ... A pair plays the same opening twice. A moves first in the even game, and B in the
// odd game. If Match.Opening names an opening rule, A begins the opening in the even game, and B in the odd game. Every game
// gets new players, with seeds computed from the match, the game and the side. If a player is an io.Closer, it is closed after
// its game.
//
// Each game is one unit of work: see package work. Results are counted in the order of the games, even if several games run at
// once. If a sequential test ends the match, later games are discarded. Therefore the number of games at once (Jobs) does not
// change the Summary and the results of a Match, if the moves of its players depend only on the seed and the position.
//
// # Time
//
// Limits.Time limits each move. Clock gives each player a clock for the whole game. Package clock plans a budget for each
// move from this clock. Limits.Time and Clock can be set together. A player that is a [player.Clocked] receives its clock,
// and plans the time of each move itself.
//
// # Forfeits
//
// A player loses the game, and the match continues, if it returns an error, panics, plays an illegal move, or exceeds its time
// by more than Margin. The context passed to the player is done when its time is over. A player that exceeds its time by more
// than twice Margin is abandoned: its goroutine continues, since Go cannot stop it, and the player is closed when it returns.
//
// # Caveats
//
// Only Move has a time limit: the arena waits for New and Close however long they take. A player gets a clone of the position,
// so it cannot change the game. Time is wall-clock time: players that run at once share the machine, and with more Jobs than
// cores each gets less computing time for a move.
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

// Factory makes the players of one side of a match, one for each game.
type Factory struct {
	Name string
	// New returns a player for one game. It is called from several goroutines at once.
	New func(seed uint64) (player.Player, error)
}

// DefaultMargin is used if Match.Margin is 0.
const DefaultMargin = 100 * time.Millisecond

// Match is a series of games between the players of two factories, A and B.
type Match struct {
	Game  game.Game
	A, B  Factory
	Games int
	Seed  uint64
	// Pairing is the number of the match in a round robin, from 0. All matches of a round robin have the same Seed, and
	// therefore the same openings. The seeds of the players differ from match to match.
	Pairing int
	// Openings are played in turn, one for each pair of games; after the last opening the first follows again. If Openings is
	// empty, each pair begins with RandomPlies random moves. If possible, they lead to a position that no earlier pair has had.
	Openings    [][]game.Move
	RandomPlies int
	// Opening is the name of a rule in package opening by which the players open each game: A begins in even games, B in odd
	// games. Both players must be able to answer the questions that the rule asks: see opening.For.
	Opening string
	Limits  search.Limits // limits of each move
	// Clock is the time that each player has for a game. Its fields Turn, Margin and Reserve are ignored: Limits.Time and
	// Match.Margin replace them.
	Clock clock.Control
	Adjudication
	Margin time.Duration // the time by which a move may exceed its limit; 0 means DefaultMargin
	Guard  time.Duration // in a match without time limits: the time of a move after which the player forfeits the game; 0 means no such limit
	Jobs   int           // number of games that are played at the same time; 0 means 1
	// Queue, unless nil, plays the games in other processes: see Kinds. Jobs and Watch are then ignored. Those processes make
	// the players from Specs; an empty spec means that the name of the factory is the spec. The machines differ in speed, so the
	// times of the match are defined for a machine on which the command krow bench measures Speed nodes per second. A slower
	// machine multiplies all times by a factor above 1, and a faster machine by a factor below 1.
	Queue work.Queue
	Specs [2]string
	Speed float64
	scale float64 // factor by which this machine has multiplied the times; 0 if the times are not scaled
	// SPRT, unless nil, ends the match after the first pair that decides the test.
	SPRT *stats.SPRT
	// Played contains the finished games of this match. Games that are in Played when the match begins are counted and not
	// played again.
	Played []record.Game
	// Keep, unless nil, stores each game, in order, before OnGame is called.
	Keep  Keeper
	Times bool // record the time of each move; matches with a Clock always record it
	// OnGame, unless nil, is called for each finished game in order, from the goroutine of Run. An error that it returns ends
	// the match.
	OnGame func(record.Game) error
	// Watch, unless nil, is called before each move, with the moves played and the position, from the goroutine of the game. It
	// must change neither g nor p.
	Watch func(g record.Game, p game.Position)

	tally  *Tally // counts the games in Played
	before int    // number of games in Played before the current call of Queue.Run
}

// Check returns an error if the settings of m are not valid.
func (m Match) Check() error {
	switch {
	case m.Games < 0:
		return fmt.Errorf("match: %d games", m.Games)
	case m.Jobs < 0:
		return fmt.Errorf("match: invalid number of simultaneous games: %d", m.Jobs)
	case min(m.Limits.Time, m.Margin, m.Clock.Match, m.Clock.Increment) < 0:
		return fmt.Errorf("match: negative time")
	case m.RandomPlies < 0:
		return fmt.Errorf("match: invalid number of random plies: %d", m.RandomPlies)
	case m.RandomPlies > 0 && len(m.Openings) > 0:
		return fmt.Errorf("match: either openings or random plies, not both")
	case m.Queue != nil && m.timed() && m.Speed <= 0:
		return errors.New("match: the speed of this machine is unknown, so other machines cannot scale their times")
	case m.Opening != "" && (m.RandomPlies > 0 || len(m.Openings) > 0):
		return fmt.Errorf("match: either %s or openings, not both", m.Opening)
	case len(m.Played) > m.Games:
		return fmt.Errorf("match: %d games have already been played, but the match has only %d", len(m.Played), m.Games)
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

// String returns a line with all settings that the results depend on. A file of an interrupted match contains this line: a
// match may continue the file only if its String is the same.
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
	add(m.MaxPlies > 0, " max-plies=%d", m.MaxPlies)
	add(m.Resign.Moves > 0, " resign=%v", m.Resign)
	add(m.Draw.Moves > 0, " draw=%v", m.Draw)
	if m.SPRT != nil {
		add(true, " sprt=%g,%g bounds=%.3f,%.3f", m.SPRT.Elo0, m.SPRT.Elo1, -stats.SPRTBound, stats.SPRTBound)
	}
	return s.String()
}

func (m Match) margin() time.Duration { return cmp.Or(m.Margin, DefaultMargin) }

// Run plays the match. The error is nil if all games were played or the sequential test has ended. Otherwise the error comes
// from ctx, OnGame, Keep or Check, or from New if New could not make a player for the first game. The Summary then contains the
// games that ended before the error. A player that cannot be made for a later game forfeits.
func (m Match) Run(ctx context.Context) (Summary, error) {
	err := Play(ctx, m.Jobs, &m)
	return m.Summary(), err
}

// Summary returns the results of the games in Played if an Event has played the match, and otherwise the zero Summary.
func (m *Match) Summary() Summary {
	if m.tally == nil {
		return Summary{}
	}
	return m.tally.Summary()
}
