// SPDX-License-Identifier: Apache-2.0

// Package arena lets two players meet: one game with [Play], a match of many with [Match.Run].
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
// Games come in pairs: 0 and 1, 2 and 3, ... play the same opening, A first in the even one, B first in the
// odd one; under Swap2 A proposes in the even one, and B in the odd one. Each game has players of its own, made for it with a seed that follows from the match, the game
// and the seat, and closed after it if they are an io.Closer.
//
// Games are counted in their order, however many are played at once, and those that a finished sequential
// test no longer needs are thrown away. So with players whose moves follow from seed and position the
// same Match gives the same Summary and the same results, whatever its Concurrency.
//
// # Forfeits
//
// A player loses the game, and the match goes on, if it returns an error, panics, plays an illegal move, or
// takes longer than Limits.Time and Margin. Its context is done after Limits.Time; at the end of the margin it
// is waited for no longer. One that does not even leave then is given one more margin, and after that keeps
// its goroutine, since nothing can take that away; it is closed should it ever return.
//
// # Caveats
//
// Only Move is watched over: New and Close are waited for. A player sees a clone of the position, so that it
// can spoil nothing; what it does to itself when it is run out of time is its own affair. Time is the clock on the
// wall: players that run at once share the machine, and a Concurrency beyond its cores takes their time away.
package arena

import (
	"context"
	"fmt"
	"hash/fnv"
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/stats"
)

// Factory makes players of one kind.
type Factory struct {
	Name string
	// New returns a player for one game. It is called from several goroutines at once.
	New func(seed uint64) (player.Player, error)
}

// DefaultMargin is how much longer than its time a player may take, unless the match says otherwise.
const DefaultMargin = 100 * time.Millisecond

// Match is a number of games between two kinds of player.
type Match struct {
	Game  game.Game
	A, B  Factory
	Games int
	Seed  uint64
	// Openings are played in turn, one for each pair of games, again from the first after the last. Without
	// them games begin with RandomPlies random moves, other ones for each pair as long as there are
	// others. Of neither, or of an empty opening, the start of the game is left.
	Openings    [][]game.Move
	RandomPlies int
	// Swap2 has the players open each game by the rule of swap2: A proposes in even games, and B in odd ones. Players
	// must be able to, see opening.For.
	Swap2       bool
	Limits      search.Limits // of each move
	Margin      time.Duration // 0 means DefaultMargin
	Concurrency int           // games played at once; 0 means 1
	// SPRT, unless nil, ends the match after the first pair that decides the test.
	SPRT *stats.SPRTParams
	// Played are the first games of this same match, from an earlier run of it, to be counted and not
	// played again.
	Played []Result
	// OnGame, unless nil, is called for each game played, in the order of games, from the goroutine of
	// Run. An error ends the match.
	OnGame func(Result) error
}

// Check returns an error in one line when m cannot be played.
func (m Match) Check() error {
	switch {
	case m.Games < 0:
		return fmt.Errorf("match: %d games", m.Games)
	case m.Concurrency < 0:
		return fmt.Errorf("match: %d games at once", m.Concurrency)
	case m.Limits.Time < 0 || m.Margin < 0:
		return fmt.Errorf("match: negative time")
	case m.RandomPlies < 0:
		return fmt.Errorf("match: %d random plies", m.RandomPlies)
	case m.RandomPlies > 0 && len(m.Openings) > 0:
		return fmt.Errorf("match: either openings or random plies, not both")
	case m.Swap2 && (m.RandomPlies > 0 || len(m.Openings) > 0):
		return fmt.Errorf("match: either swap2 or openings, not both")
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

// String returns one line with everything that the results of m follow from. It is how an interrupted
// file of games knows its match again.
func (m Match) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s a=%s b=%s games=%d seed=%d", m.Game, m.A.Name, m.B.Name, m.Games, m.Seed)
	if len(m.Openings) > 0 {
		h := fnv.New64a()
		fmt.Fprint(h, m.Openings)
		fmt.Fprintf(&s, " openings=%d/%016x", len(m.Openings), h.Sum64())
	}
	if m.RandomPlies > 0 {
		fmt.Fprintf(&s, " random-plies=%d", m.RandomPlies)
	}
	if m.Swap2 {
		s.WriteString(" swap2")
	}
	if m.Limits.Depth > 0 {
		fmt.Fprintf(&s, " depth=%d", m.Limits.Depth)
	}
	if m.Limits.Nodes > 0 {
		fmt.Fprintf(&s, " nodes=%d", m.Limits.Nodes)
	}
	if m.Limits.Time > 0 {
		fmt.Fprintf(&s, " time=%v margin=%v", m.Limits.Time, m.terms().margin())
	}
	if m.SPRT != nil {
		lower, upper := m.SPRT.Bounds()
		fmt.Fprintf(&s, " sprt=%g,%g bounds=%.3f,%.3f", m.SPRT.Elo0, m.SPRT.Elo1, lower, upper)
	}
	return s.String()
}

func (m Match) terms() Terms { return Terms{Limits: m.Limits, Margin: m.Margin} }

// Run plays the match and returns what came of it. The error is nil when all games were played or the
// sequential test decided; otherwise the Summary is of the games counted until then, and the error is that of ctx, of
// OnGame, of Check, or of a player that could not be made for the very first game, since then the match makes
// no sense. Later such a player forfeits the game.
func (m Match) Run(ctx context.Context) (Summary, error) {
	if err := m.Check(); err != nil {
		return Summary{}, err
	}
	t := Tally{SPRT: m.SPRT}
	b := newBook(m)
	decided, err := m.recount(&t, b)
	if err != nil || decided {
		return t.Summary(), err
	}
	ctx, cancel := context.WithCancel(ctx)
	queue := m.start(ctx, b)
	err = m.deliver(ctx, queue, &t)
	cancel()
	for f := range queue {
		<-f // a game that nobody needs any more
	}
	return t.Summary(), err
}
