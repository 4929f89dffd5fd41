// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"time"

	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/clock"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player"
)

// gameKind is the kind of a unit of work that plays one game of a match.
const gameKind = "game"

// gameArgs are the arguments of a unit of gameKind. Together with the seed of the players they determine the result of the
// game, unless time limits a move or a side.
type gameArgs struct {
	Game    string      `json:"game"`
	A       string      `json:"a"` // specs of the players A and B
	B       string      `json:"b"`
	Index   int         `json:"index"`
	Opening []game.Move `json:"opening,omitempty"`
	Rule    string      `json:"rule,omitempty"`
	Depth   int         `json:"depth,omitempty"`
	Nodes   uint64      `json:"nodes,omitempty"`
	Guard   int64       `json:"guard,omitempty"` // in seconds
	Adjudication
	Match int `json:"match,omitempty"` // index of the match in its round; used only for games that this process plays

	// The following fields are set only for games with time limits: the times of the Match, and the speed of the machine for which
	// they are meant.
	Time   time.Duration `json:"time,omitempty"`
	Clock  string        `json:"clock,omitempty"`
	Margin time.Duration `json:"margin,omitempty"`
	Speed  float64       `json:"speed,omitempty"`
}

// timed reports whether moves have a time limit or players have clocks.
func (m Match) timed() bool { return m.Limits.Time > 0 || m.Clock.Match > 0 }

// gameUnits yields a unit for each missing game of the match. number is the index of the match in its round.
func (m Match) gameUnits(number int, b *book) iter.Seq2[work.Unit, error] {
	if m.tally.decided() {
		m.Games = m.before
	}
	return func(yield func(work.Unit, error) bool) {
		args := gameArgs{
			Game: m.Game.String(), A: cmp.Or(m.Specs[0], m.A.Name), B: cmp.Or(m.Specs[1], m.B.Name),
			Rule: m.Opening, Depth: m.Limits.Depth, Nodes: m.Limits.Nodes, Guard: int64(m.Guard.Seconds()),
			Adjudication: m.Adjudication,
		}
		if m.Queue == nil {
			args.Match = number
		}
		if m.timed() {
			args.Time, args.Margin, args.Speed = m.Limits.Time, m.margin(), m.Speed
		}
		if m.Clock.Match > 0 {
			args.Clock = m.Clock.String()
		}
		for i := m.before; i < m.Games; i++ {
			opening, err := b.opening(i)
			if err != nil {
				yield(work.Unit{}, err)
				return
			}
			args.Index, args.Opening = i, opening
			u, err := work.New(gameKind, args, m.playersSeed())
			u.Clock = m.timed()
			if !yield(u, err) || err != nil {
				return
			}
		}
	}
}

// doUnit plays the game that a unit of this match describes.
func (m Match) doUnit(ctx context.Context, u work.Unit) ([]byte, error) {
	var args gameArgs
	if err := json.Unmarshal(u.Args, &args); err != nil {
		return nil, err
	}
	g, err := m.playGame(ctx, args.Index, args.Opening)
	if err != nil {
		return nil, err
	}
	if m.Queue != nil && m.Guard > 0 && g.Reason == record.ReasonTime {
		return nil, fmt.Errorf("a move took longer than %v", m.Guard) // this is an error and no forfeit, because results must not depend on the machine
	}
	if m.Queue != nil && !m.timed() {
		g.Times = nil // times depend on the machine that played the game
	}
	g.Scale = m.scale
	return json.Marshal(g)
}

// Kinds returns the work that a process can do for the matches of other processes. There is only one kind of this work, to
// play a game. rules returns the game of a spec. maker makes a player from its spec. speed returns the speed of this
// machine, as in [Match.Speed]. If speed is nil or returns 0, games with time limits or clocks fail.
func Kinds(rules func(spec string) (game.Game, error), maker func(g game.Game, spec string, seed uint64) (player.Player, error), speed func() float64) work.Kinds {
	return work.Kinds{gameKind: func(ctx context.Context, u work.Unit) ([]byte, error) {
		var args gameArgs
		if err := json.Unmarshal(u.Args, &args); err != nil {
			return nil, err
		}
		g, err := rules(args.Game)
		if err != nil {
			return nil, err
		}
		factory := func(spec string) Factory {
			return Factory{Name: spec, New: func(seed uint64) (player.Player, error) { return maker(g, spec, seed) }}
		}
		m := Match{Game: g, A: factory(args.A), B: factory(args.B), Seed: u.Seed, Opening: args.Rule, Queue: work.Pool{}, Adjudication: args.Adjudication}
		m.Limits.Depth, m.Limits.Nodes, m.Guard = args.Depth, args.Nodes, time.Duration(args.Guard)*time.Second
		if args.Time == 0 && args.Clock == "" {
			return m.doUnit(ctx, u)
		}
		if speed == nil || speed() <= 0 {
			return nil, errors.New("a game with a clock cannot be played on a machine whose speed is unknown")
		}
		return m.onClock(ctx, u, args, args.Speed/speed())
	}}
}

// onClock plays a game with all times multiplied by scale.
func (m Match) onClock(ctx context.Context, u work.Unit, args gameArgs, scale float64) ([]byte, error) {
	if args.Clock != "" {
		var err error
		if m.Clock, err = clock.Parse(args.Clock); err != nil {
			return nil, err
		}
	}
	scale = math.Round(1000*scale) / 1000
	scaled := func(d time.Duration) time.Duration { return time.Duration(float64(d) * scale) }
	m.scale, m.Margin, m.Limits.Time = scale, args.Margin, scaled(args.Time)
	m.Clock.Match, m.Clock.Increment = scaled(m.Clock.Match), scaled(m.Clock.Increment)
	return m.doUnit(ctx, u)
}

// errDecided is the error that ends the work on a queue after the sequential test has ended.
var errDecided = errors.New("decided")

// addGame reads a finished game from data, counts it, stores it with Keep and passes it to OnGame. It returns errDecided if the
// sequential test has ended.
func (m *Match) addGame(data []byte) error {
	g, err := record.Parse(data, func(string) (game.Game, error) { return m.Game, nil })
	if err != nil {
		return err
	}
	m.sign(&g)
	if !m.Times && m.Clock.Match == 0 {
		g.Times = nil
	}
	m.tally.Add(g)
	m.Played = append(m.Played, g)
	if m.Keep != nil {
		if err := m.Keep.Write(g); err != nil {
			return err
		}
	}
	if m.OnGame != nil {
		if err := m.OnGame(g); err != nil {
			return err
		}
	}
	if m.tally.decided() {
		return errDecided
	}
	return nil
}

// sign copies the rules, the seed, the names of the players and the clock of the match into g.
func (m Match) sign(g *record.Game) {
	g.Rules, g.Seed = m.Game, m.Seed
	g.Names[g.A], g.Names[g.A.Other()] = m.A.Name, m.B.Name
	if m.Clock.Match > 0 {
		g.Clock = m.Clock.String()
	}
}

func seatOfA(i int) game.Side { return game.Side(i % 2) }

// playGame plays game i. If it returns an error, the match ends. The reason is an illegal or unsupported opening, a cancelled
// ctx or, in game 0 only, a player that New cannot make or that cannot start. In later games such a player loses the game.
func (m Match) playGame(ctx context.Context, i int, opening []game.Move) (g record.Game, err error) {
	if err := context.Cause(ctx); err != nil {
		return g, err
	}
	p, err := replay(m.Game, opening)
	if err != nil {
		return g, err
	}
	g = record.Game{Index: i, A: seatOfA(i), Opening: len(opening), Moves: opening}
	m.sign(&g)
	var seats [2]*seat
	defer func() {
		for _, s := range seats {
			if s != nil {
				s.close()
			}
		}
	}()
	for side := range game.Side(2) {
		if seats[side], err = m.newSeat(i, side); err != nil {
			if i == 0 {
				return g, err
			}
			forfeit(&g, side, err)
			g.Reason = "error: " + oneLine(err)
			return g, nil
		}
	}
	if m.Opening != "" {
		g, err = m.playByRule(ctx, p, &seats, g)
	} else {
		g = m.playMoves(ctx, p, seats, g)
	}
	if err == nil && g.Outcome == game.Ongoing {
		err = context.Cause(ctx)
	}
	return g, err
}

func (m Match) newSeat(i int, side game.Side) (*seat, error) {
	f := m.A
	if side != seatOfA(i) {
		f = m.B
	}
	pl, err := guarded(func() (player.Player, error) { return f.New(playerSeed(m.playersSeed(), i, side)) })
	if err == nil && pl == nil {
		err = errors.New("there is none")
	}
	c := m.clock()
	if p, ok := pl.(player.Clocked); ok && c.Left() != clock.Unlimited {
		p.SetClock(*c)
	}
	if p, ok := pl.(player.Starter); ok && err == nil {
		_, err = guarded(func() (struct{}, error) { return struct{}{}, p.Start() })
	}
	if err != nil {
		return nil, fmt.Errorf("player %s: %w", f.Name, err)
	}
	return &seat{player: pl, clock: c}, nil
}

func (m Match) clock() *clock.Clock {
	return clock.New(clock.Control{Turn: m.Limits.Time, Match: m.Clock.Match, Increment: m.Clock.Increment, Margin: m.margin()})
}
