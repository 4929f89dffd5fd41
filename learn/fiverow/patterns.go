// SPDX-License-Identifier: Apache-2.0

package fiverow

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"runtime"

	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/internal/wholefile"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// PatternOptions are the settings of the learner of patterns. Where a default is told, zero stands for it.
type PatternOptions struct {
	Generations int             // 1
	Games       int             // for each generation: 6000
	Nodes       uint64          // for each move: 2000
	Rounds      int             // of the descent: 200
	Spread      float64         // of what a pattern has of its own, in hundredths of a unit: 30
	Match       int             // games against the best weights so far: 400
	Prior       *gomoku.Weights // where the descent begins; nil: at 0
	Data        string          // folder for the games; "": they are not kept
	Seed        uint64
	Jobs        int // games at once; 0: the number of processors
}

// Patterns learns the weights of the gomoku engine. A step is a generation: games of the best weights so far against
// themselves, weights fitted to them, and a match of those against the best, which they replace if they win it beyond
// the error. It is a learn.Learner.
type Patterns struct {
	g    game.Game
	o    PatternOptions
	done int
	best *gomoku.Weights // nil: the engine's
}

var _ learn.Learner = (*Patterns)(nil)

// NewPatterns returns a learner for gomoku, standard, caro or renju on a square board, or an error in one line.
func NewPatterns(g game.Game, o PatternOptions) (*Patterns, error) {
	for _, d := range []struct {
		field *int
		value int
	}{{&o.Generations, 1}, {&o.Games, 6000}, {&o.Rounds, 200}, {&o.Match, 400}, {&o.Jobs, runtime.GOMAXPROCS(0)}} {
		if *d.field == 0 {
			*d.field = d.value
		}
		if *d.field < 0 {
			return nil, errors.New("patterns: generations, games, rounds, match and jobs must be positive")
		}
	}
	if o.Nodes == 0 {
		o.Nodes = 2000
	}
	if o.Spread == 0 {
		o.Spread = 30
	}
	if o.Prior == nil {
		o.Prior = new(gomoku.Weights)
	}
	if _, err := (Playing{}).begin(g); err != nil {
		return nil, err
	}
	return &Patterns{g: g, o: o}, nil
}

// Steps returns the generations.
func (l *Patterns) Steps() (done, total int) { return l.done, l.o.Generations }

const (
	chunkGames = 500
	heldOut    = 10      // one game in so many is not learned from
	duelSeed   = 1 << 32 // of the openings of matches, which are others than those of the games learned from
)

// Step makes the next generation. The point of the curve holds, on games that were held out and as measure says,
// result, score and surprise of the weights before and of the new ones; elo and error of the match; and kept, which is
// 1 if the new weights won.
func (l *Patterns) Step(ctx context.Context) (learn.Point, error) {
	if l.done >= l.o.Generations {
		return learn.Point{}, errors.New("all generations are done")
	}
	learned, held, err := l.samples(ctx)
	if err != nil {
		return learn.Point{}, err
	}
	old := l.best
	if old == nil {
		if old, err = gomoku.DefaultWeights(l.g); err != nil {
			return learn.Point{}, err
		}
	}
	f, err := gomoku.NewFeatures(l.g)
	if err != nil {
		return learn.Point{}, err
	}
	w := fit(learned, f, l.o.Prior, l.o.Rounds, l.o.Spread)
	before, after := measure(held, old), measure(held, w)
	scale(w, before.spread/max(after.spread, 1))
	s, err := l.match(ctx, w)
	if err != nil {
		return learn.Point{}, err
	}
	point := learn.Point{Step: l.done + 1, Games: uint64(l.done+1) * uint64(l.o.Games), Values: map[string]float64{
		"result before": before.result, "result": after.result, "score before": before.score, "score": after.score,
		"surprise before": before.surprise, "surprise": after.surprise, "elo": s.Elo, "error": s.EloError, "kept": 0,
	}}
	if s.Elo > s.EloError {
		l.best, point.Values["kept"] = w, 1
	}
	l.done++
	return point, nil
}

// samples returns the positions of a generation's games.
func (l *Patterns) samples(ctx context.Context) (learned, held []sample, err error) {
	s, err := newSampler(l.g)
	if err != nil {
		return nil, nil, err
	}
	o := Options{Playing: Playing{Nodes: l.o.Nodes, Weights: l.best}, Dir: l.o.Data, Jobs: l.o.Jobs}
	chunks := (l.o.Games + chunkGames - 1) / chunkGames
	for i, left := 0, l.o.Games; left > 0; i, left = i+1, left-chunkGames {
		from := Origin{
			Game: l.g.String(), Seed: l.o.Seed, Number: l.done*chunks + i, Games: min(chunkGames, left), Nodes: l.o.Nodes,
			Weights: checksum(l.best),
		}
		c, err := o.chunk(ctx, l.g, from)
		if err != nil {
			return nil, nil, err
		}
		n := len(c.Plays) - len(c.Plays)/heldOut
		check := *c
		c.Plays, check.Plays = c.Plays[:n], c.Plays[n:]
		if learned, err = s.add(learned, c); err == nil {
			held, err = s.add(held, &check)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if len(learned) == 0 || len(held) == 0 {
		return nil, nil, errors.New("too few games to learn from")
	}
	return learned, held, nil
}

// checksum names weights, the engine's by nothing.
func checksum(w *gomoku.Weights) string {
	if w == nil {
		return ""
	}
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE(w.Append(nil)))
}

// scale multiplies the evaluation, since the margins of the search are made for a certain spread of it.
func scale(w *gomoku.Weights, factor float64) {
	for s := range w {
		for _, part := range gomoku.EvaluationParts(&w[s]) {
			for i, v := range part {
				part[i] = rounded(float64(v) * factor)
			}
		}
	}
}

// match lets the engine with the new weights meet the one with the best.
func (l *Patterns) match(ctx context.Context, w *gomoku.Weights) (arena.Summary, error) {
	pairs := (l.o.Match + 1) / 2
	openings, err := Openings(ctx, l.g, pairs, rng.Mix(duelSeed, l.o.Seed, uint64(l.done)))
	if err != nil {
		return arena.Summary{}, err
	}
	m := arena.Match{
		Game: l.g, A: l.player("new", w), B: l.player("best", l.best), Games: 2 * pairs, Openings: openings,
		Limits: search.Limits{Nodes: l.o.Nodes}, Jobs: l.o.Jobs, Seed: l.o.Seed,
	}
	s, err := m.Run(ctx)
	if err == nil && s.Forfeits > 0 {
		err = errors.New("a game of the match was forfeited")
	}
	return s, err
}

func (l *Patterns) player(name string, w *gomoku.Weights) arena.Factory {
	return arena.Factory{Name: name, New: func(uint64) (player.Player, error) {
		s, err := gomoku.New(l.g, gomoku.Options{Hash: hash, Weights: w})
		if err != nil {
			return nil, err
		}
		return player.FromSearcher(name, s, search.Limits{}), nil
	}}
}

// patternState is what a Patterns does not know from its game and options.
type patternState struct {
	Done int    `json:"done"`
	Best []byte `json:"best,omitempty"` // the file of the best weights, if they are not the engine's
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

// Restore continues from a state of a learner of the same game and options; Jobs and Data may differ.
func (l *Patterns) Restore(state []byte) error {
	var s patternState
	if err := learn.Decode(state, l.origin(), &s); err != nil {
		return err
	}
	if s.Done < 0 || s.Done > l.o.Generations {
		return fmt.Errorf("state of the learner: %d of %d generations", s.Done, l.o.Generations)
	}
	var best *gomoku.Weights
	if s.Best != nil {
		var err error
		if best, err = gomoku.ParseWeights(s.Best); err != nil {
			return fmt.Errorf("state of the learner: %w", err)
		}
	}
	l.done, l.best = s.Done, best
	return nil
}

// Save writes the best weights: the engine's own, if no others have won.
func (l *Patterns) Save(name string) error {
	w := l.best
	if w == nil {
		var err error
		if w, err = gomoku.DefaultWeights(l.g); err != nil {
			return err
		}
	}
	return wholefile.Write(name, w.Append(nil))
}
