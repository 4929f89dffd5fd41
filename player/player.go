// SPDX-License-Identifier: Apache-2.0

// Package player defines the interface of players, and implements simple ones: players that search, random players, and the
// placeholder for a person.
//
// # Basics
//
//	p := player.FromSearcher("minimax", minimax.New(minimax.Options{}), search.Limits{})
//	m, err := p.Move(ctx, position, search.Limits{Time: time.Second})
package player

import (
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// These errors can be returned by Player.Move; each forfeits the game.
var (
	// ErrTimeout is returned if the player's time ended before its move.
	ErrTimeout = errors.New("out of time")
	// ErrCrashed is returned when the engine's process ended.
	ErrCrashed = errors.New("engine stopped")
)

// Player plays one side of one game. It belongs to one goroutine. If it is an io.Closer, the caller closes it after the game.
type Player interface {
	Name() string
	// Move returns the move to play in p, which is ongoing, and leaves p unchanged. lim limits the search; if lim is zero, the
	// player's own limits apply. An error forfeits the game.
	Move(ctx context.Context, p game.Position, lim search.Limits) (game.Move, error)
}

// Explainer is a Player that knows reasons for its moves. Explain returns a sentence with the reason for the last move of a game,
// which must be a move of the player, or "" if it knows no reason.
type Explainer interface {
	Explain(p game.Position) string
}

// Close closes p if it is an io.Closer. It ignores errors, because p is no longer needed.
func Close(p Player) {
	if c, ok := p.(io.Closer); ok {
		_ = c.Close()
	}
}

// Timed reports whether time, and not a number of nodes or a depth, limits the thinking of p if Move gets lim. If so, the games
// of p depend on the speed of the machine.
func Timed(p Player, lim search.Limits) bool {
	t, ok := p.(search.Timed)
	return ok && t.Timed(lim)
}

// The scale of a player's scores is the score with which a side is expected to win three of four games. It is used to show
// scores as chances.
const (
	UsualScale = 150.0 // scale of the heuristics from publications, such as eval/generic and eval/shevchenko
	Share      = 0.0   // special value: the score itself is an expected result, from -1 to 1
)

// Scale returns the scale of p's scores, UsualScale if p does not name one.
func Scale(p Player) float64 {
	if s, ok := p.(Scaler); ok {
		return s.Scale()
	}
	return UsualScale
}

// Chance converts the score of i, which is on the given scale, to a chance to win, a number from 0 to 1.
func Chance(scale float64, i search.Info) float64 {
	if _, sign := i.Score.Distance(); sign != 0 {
		return float64(1+sign) / 2
	}
	switch u := i.Score.Units(); {
	case i.Solved:
		return 0.5
	case scale == Share:
		return min(max((1+u)/2, 0), 1)
	default:
		return math.Round(1e4/(1+math.Exp(-u*math.Log(3)/scale))) / 1e4
	}
}

// Rescale returns the number of units that means, on the scale to, the same chance to win as u units on the scale from. The scale to
// is not Share.
func Rescale(u, from, to float64) float64 {
	if from == Share {
		u = min(max(u, -0.9999), 0.9999)
		return to * math.Log((1+u)/(1-u)) / math.Log(3)
	}
	return to * u / from
}

// Searching is a player, and an Analyst, that chooses its moves by a search.
type Searching struct {
	name     string
	searcher search.Searcher
	own      search.Limits
	scale    float64
	last     search.Info
}

// FromSearcher returns a player with UsualScale that plays the best move of s. own are the limits that apply if Move gets no
// limits.
func FromSearcher(name string, s search.Searcher, own search.Limits) *Searching {
	return &Searching{name: name, searcher: s, own: own, scale: UsualScale}
}

// Scaled sets the scale of the player's scores and returns the player.
func (s *Searching) Scaled(units float64) *Searching {
	s.scale = units
	return s
}

// Timed reports whether time, and not a number of nodes or a depth, limits the player if Move gets lim.
func (s *Searching) Timed(lim search.Limits) bool {
	if lim == (search.Limits{}) {
		lim = s.own
	}
	t, ok := s.searcher.(search.Timed)
	return lim.Time > 0 || ok && t.Timed(lim)
}

// Name returns the name that FromSearcher was given.
func (s *Searching) Name() string { return s.name }

// Close closes the search, if it can be closed.
func (s *Searching) Close() error {
	if c, ok := s.searcher.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Scale returns the scale of the player's scores.
func (s *Searching) Scale() float64 { return s.scale }

// Analyze searches p within lim, or within the player's own limits if lim contains no limit.
func (s *Searching) Analyze(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	if lim.Time == 0 && lim.Nodes == 0 && lim.Depth == 0 {
		lines := lim.Lines
		lim = s.own
		lim.Lines = lines
	}
	info, err := s.searcher.Search(ctx, p, lim, report)
	if err == nil && len(info.PV) == 0 {
		err = errors.New("the search found no move")
	}
	return info, err
}

// Move searches p and returns the best move.
func (s *Searching) Move(ctx context.Context, p game.Position, lim search.Limits) (game.Move, error) {
	info, err := s.Analyze(ctx, p, lim, nil)
	if err != nil {
		return game.NoMove, err
	}
	s.last = info
	return info.PV[0], nil
}

// Last returns the analysis of the last move.
func (s *Searching) Last() (search.Info, bool) { return s.last, true }

// Human represents a person. The user interface asks the person for moves and never calls Move.
type Human struct{}

// Name returns "human".
func (Human) Name() string { return "human" }

// Move returns an error, because no person can be asked here.
func (Human) Move(context.Context, game.Position, search.Limits) (game.Move, error) {
	return game.NoMove, errors.New("a person cannot play here")
}

// IsHuman reports whether p is a person.
func IsHuman(p Player) bool {
	_, ok := p.(Human)
	return ok
}

// Random plays random moves. All moves that no rule forbids are equally probable.
type Random struct {
	rng   *rand.Rand
	moves []game.Move
}

// NewRandom returns a Random whose choices depend only on seed.
func NewRandom(seed uint64) *Random { return &Random{rng: rand.New(rand.NewPCG(seed, 0x6b726f77))} }

// Name returns "random".
func (*Random) Name() string { return "random" }

// Move returns a random move.
func (r *Random) Move(_ context.Context, p game.Position, _ search.Limits) (game.Move, error) {
	r.moves = game.AppendSound(r.moves[:0], p)
	return r.moves[r.rng.IntN(len(r.moves))], nil
}
