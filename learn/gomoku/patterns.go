// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/atomicfile"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/selfplay"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// PatternOptions are the settings of the learner Patterns. The embedded Options set the number of games in each generation, and
// how they are played.
type PatternOptions struct {
	selfplay.Options
	Generations int
	Rounds      int             // number of rounds of the descent
	Spread      float64         // how far the own part of a pattern may be from 0 (see row in fit.go), in hundredths of a unit
	Match       int             // number of games in the match against the best weights
	Prior       *gomoku.Weights // weights at which the descent begins; nil means all 0
}

// Patterns learns the weights of the gomoku engine. A step is a generation: the engine plays games against itself with the best
// weights, new weights are fitted to these games, and a match is played between the new and the best weights. The new weights
// become the best weights if they win the match by more than the statistical error of its result. Patterns is a learn.Learner.
type Patterns struct {
	g    game.Game
	o    PatternOptions
	done int
	best *gomoku.Weights // nil means the engine's built-in weights
}

var _ learn.Learner = (*Patterns)(nil)

// NewPatterns returns a learner for gomoku, standard, caro or renju on a square board. It returns an error for other
// games.
func NewPatterns(g game.Game, o PatternOptions) (*Patterns, error) {
	if min(o.Generations, o.Rounds, o.Match) < 1 || !(o.Spread > 0) {
		return nil, errors.New("patterns: generations, rounds, match and spread must be positive")
	}
	if o.Prior == nil {
		o.Prior = new(gomoku.Weights)
	}
	if err := o.Check(); err != nil {
		return nil, err
	}
	if _, _, err := (Engine{}).Describe(g); err != nil {
		return nil, err
	}
	return &Patterns{g: g, o: o}, nil
}

// Steps returns the number of completed generations, and of all generations.
func (l *Patterns) Steps() (done, total int) { return l.done, l.o.Generations }

const (
	heldOut  = 10      // one of every heldOut games is held out for the measurement of losses
	duelSeed = 1 << 32 // seed of the openings of matches, which must differ from the openings of self-play
)

// Step plays the games of the next generation and fits new weights to them. The returned point of the learning curve
// contains the losses on held-out games. They are "result", "score" and "surprise" for the new weights, and "result before",
// "score before" and "surprise before" for the previous weights. The point also contains the result of the match, "elo", with
// its "error", and "kept", which is 1 if the new weights became the best weights.
func (l *Patterns) Step(ctx context.Context) (learn.CurvePoint, error) {
	f, err := gomoku.NewFeatures(l.g)
	if err != nil {
		return learn.CurvePoint{}, err
	}
	learned, held, err := l.samples(ctx, f)
	if err != nil {
		return learn.CurvePoint{}, err
	}
	old, err := l.weights()
	if err != nil {
		return learn.CurvePoint{}, err
	}
	w := fit(learned, f, l.o.Prior, l.o.Rounds, l.o.Spread)
	before, after := measure(held, old), measure(held, w)
	w.Scale(before.spread / max(after.spread, 1)) // keep the spread of the previous evaluation, because the margins of the search were tuned to it
	s, err := l.playMatch(ctx, w)
	if err != nil {
		return learn.CurvePoint{}, err
	}
	point := learn.CurvePoint{Step: l.done + 1, Games: uint64(l.done+1) * uint64(l.o.Games), Values: map[string]float64{
		"result before": before.result, "result": after.result, "score before": before.score, "score": after.score,
		"surprise before": before.surprise, "surprise": after.surprise, "elo": s.Elo, "error": s.EloError, "kept": 0,
	}}
	if s.Elo > s.EloError {
		l.best, point.Values["kept"] = w, 1
	}
	l.done++
	return point, nil
}

func (l *Patterns) samples(ctx context.Context, f *gomoku.Features) (learned, held []sample, err error) {
	s, o := newSampler(l.g, f), l.o.Options
	o.First = l.done * ((o.Games + o.Chunk - 1) / o.Chunk)
	err = selfplay.Generate(ctx, Engine{Weights: l.best}, []game.Game{l.g}, o, func(f *selfplay.File) error {
		games, err := Games(f)
		for i := range games {
			to := &learned
			if i%heldOut == heldOut-1 {
				to = &held
			}
			if err == nil {
				*to, err = s.add(*to, &games[i])
			}
		}
		return err
	})
	if err == nil && (len(learned) == 0 || len(held) == 0) {
		err = errors.New("too few games to learn from")
	}
	return learned, held, err
}

func (l *Patterns) playMatch(ctx context.Context, w *gomoku.Weights) (arena.Summary, error) {
	pairs := (l.o.Match + 1) / 2
	openings, err := randomOpenings(ctx, l.g, pairs, rng.Mix(duelSeed, l.o.Seed, uint64(l.done)))
	if err != nil {
		return arena.Summary{}, err
	}
	factory := func(name string, w *gomoku.Weights) arena.Factory {
		return arena.Factory{Name: name, New: func(uint64) (player.Player, error) {
			s, err := gomoku.New(l.g, gomoku.Options{Hash: hash, Weights: w})
			if err != nil {
				return nil, err
			}
			return player.FromSearcher(name, s, search.Limits{}), nil
		}}
	}
	m := arena.Match{
		Game: l.g, A: factory("new", w), B: factory("best", l.best), Games: 2 * pairs, Openings: openings,
		Limits: search.Limits{Nodes: l.o.Nodes}, Jobs: l.o.Jobs, Seed: l.o.Seed,
	}
	s, err := m.Run(ctx)
	if err == nil && s.Forfeits > 0 {
		err = errors.New("a game of the match was forfeited")
	}
	return s, err
}

func (l *Patterns) weights() (*gomoku.Weights, error) {
	if l.best == nil {
		return gomoku.DefaultWeights(l.g)
	}
	return l.best, nil
}

func checksum(w *gomoku.Weights) string {
	if w == nil {
		return ""
	}
	return sumOf(w.Append(nil))
}

func sumOf(file []byte) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE(file)) }

// patternState is the saved state of a Patterns, without its game and options.
type patternState struct {
	Done int    `json:"done"`
	Best []byte `json:"best,omitempty"` // the file of the best weights; empty for the engine's built-in weights
}

func (l *Patterns) origin() weights.Origin {
	o := l.o
	return weights.Origin{Game: l.g.String(), Learner: "patterns", Seed: o.Seed, Settings: map[string]any{
		"generations": o.Generations, "games": o.Games, "nodes": o.Nodes, "rounds": o.Rounds, "spread": o.Spread, "match": o.Match,
		"prior": checksum(o.Prior),
	}}
}

// State returns the best weights.
func (l *Patterns) State() ([]byte, error) {
	s := patternState{Done: l.done}
	if l.best != nil {
		s.Best = l.best.Append(nil)
	}
	return learn.Encode(l.origin(), s)
}

// Restore continues from a state of a learner of the same game and options; Jobs and Dir may differ.
func (l *Patterns) Restore(state []byte) error {
	var s patternState
	err := learn.Decode(state, l.origin(), &s)
	if err == nil && (s.Done < 0 || s.Done > l.o.Generations) {
		err = fmt.Errorf("state of the learner: it has %d of %d generations", s.Done, l.o.Generations)
	}
	var best *gomoku.Weights
	if err == nil && s.Best != nil {
		best, err = gomoku.ParseWeights(s.Best)
	}
	if err == nil {
		l.done, l.best = s.Done, best
	}
	return err
}

// Save writes the best weights. If no new weights have won a match, these are the engine's built-in weights.
func (l *Patterns) Save(name string) error {
	w, err := l.weights()
	if err != nil {
		return err
	}
	return atomicfile.Write(name, w.Append(nil))
}
