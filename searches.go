// SPDX-License-Identifier: Apache-2.0

package krow

import (
	"fmt"
	"slices"
	"strings"

	c4 "github.com/krow-lab/krow/engine/connect4"
	"github.com/krow-lab/krow/engine/gomoku"
	fivenet "github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/engine/mnk"
	engine "github.com/krow-lab/krow/engine/ultimate"
	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/lines"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/alphabeta"
	"github.com/krow-lab/krow/search/greedy"
	"github.com/krow-lab/krow/search/mcts"
	"github.com/krow-lab/krow/search/mics"
	"github.com/krow-lab/krow/search/minimax"
	"github.com/krow-lab/krow/search/oracle"
	"github.com/krow-lab/krow/search/rules"
	"github.com/krow-lab/krow/search/tt"
)

// newSearch makes the search of a player from its arguments, and the player's own limits of a move.
type newSearch func(g game.Game, s *spec.Spec, seed uint64) (search.Searcher, search.Limits, error)

// searching makes a player of a search; scale is that of its scores, see player.UsualScale.
func searching(scale float64, f newSearch) newPlayer {
	return func(g game.Game, s *spec.Spec, seed uint64) (player.Player, error) {
		made, own, err := f(g, s, seed)
		if err != nil {
			return nil, err
		}
		return player.FromSearcher(s.Name, made, own).Scaled(scale), nil
	}
}

// limits reads the arguments time and nodes; timed says whether defaultTime stands for neither.
func limits(s *spec.Spec, timed bool) search.Limits {
	lim := search.Limits{Time: s.Duration("time", -1, 0), Nodes: s.Uint64("nodes", -1, 0)}
	if timed && lim.Time == 0 && lim.Nodes == 0 {
		lim.Time = defaultTime
	}
	return lim
}

// hash returns the bytes of the transposition table: the argument hash, at least so many.
func hash(s *spec.Spec, def, least int) int {
	n := s.Size("hash", -1, def, least)
	if !tt.Available(n) {
		s.Fail("%s: hash=%dM is more memory than there is", s.Name, n>>20)
		return def
	}
	return n
}

// heuristicFor is the heuristic of a player whose spec names none.
func heuristicFor(g game.Game) string {
	switch g.Start().(type) {
	case game.Lined:
		return "brute"
	case *ultimate.Position:
		return "indicators"
	}
	return "none"
}

// scorerFor is the scorer of a player whose spec names none: of these heuristics, lined values moves in games of rows.
func scorerFor(g game.Game, lined string) string {
	if h := heuristicFor(g); h != "brute" {
		return h
	}
	return lined
}

// published are the heuristics whose experiments value finished games by them too.
var published = []string{"generic", "brute", "shevchenko", "chua"}

// heuristic returns the evaluator of the argument eval, and what a finished game is worth. The experiments of systems A
// and E value finished games by the heuristic, so that is the default where one of theirs is named.
//
// Arguments in usual are given to the indicators where the spec does not give them.
func heuristic(g game.Game, s *spec.Spec, usual ...string) (eval.Evaluator, minimax.Terminal, error) {
	text, stranger := s.Inner("eval", -1, heuristicFor(g))
	terminal := "exact"
	if named, err := spec.Parse(text); err == nil {
		if s.Has("eval") && slices.Contains(published, named.Name) {
			terminal = "eval"
		}
		for _, a := range usual {
			if key, _, _ := strings.Cut(a, "="); named.Name == "indicators" && !named.Has(key) {
				text = spec.With(text, a)
			}
		}
	}
	t := minimax.Exact
	if s.Choice("terminal", -1, terminal, "exact", "eval") == "eval" {
		t = minimax.Eval
	}
	ev, err := makeEvaluator(g, text, stranger)
	return ev, t, err
}

// newMinimax returns the reference search. With the indicators it is the minimax of system B, whose program adds up the scores
// of the moves on the way to a leaf.
func newMinimax(g game.Game, s *spec.Spec, _ uint64) (search.Searcher, search.Limits, error) {
	ev, terminal, err := heuristic(g, s, "path=on")
	return minimax.New(minimax.Options{Depth: s.Int("depth", 0, 4, 1, minimax.MaxDepth), Eval: ev, Terminal: terminal}), search.Limits{}, err
}

func newAlphaBeta(g game.Game, s *spec.Spec, _ uint64) (made search.Searcher, own search.Limits, err error) {
	o := alphabeta.Options{
		Depth: s.Int("depth", 0, 0, 1, minimax.MaxDepth),
		TT:    hash(s, 4<<20, 0), Killer: s.Bool("killer", -1, true), Refutation: s.Bool("refutation", -1, true),
		History: s.Bool("history", -1, true), PVS: s.Bool("pvs", -1, true), Deepening: s.Bool("deepening", -1, true),
		Aspiration: eval.Score(s.Float("aspiration", -1, 0, 0, 1e9) * float64(eval.Unit)),
	}
	if o.Eval, o.Terminal, err = heuristic(g, s); err != nil {
		return nil, own, err
	}
	if order, stranger := s.Inner("order", -1, scorerFor(g, "lines")); order != "none" {
		if o.Order, err = makeScorer(g, order, stranger); err != nil {
			return nil, own, err
		}
	}
	made, err = alphabeta.New(g, o)
	return made, limits(s, o.Depth == 0), err
}

func newLines(g game.Game, s *spec.Spec, _ uint64) (search.Searcher, search.Limits, error) {
	ev, err := lines.New(g, lines.Options{Literal: s.Choice("empty", -1, "zero", "zero", "literal") == "literal"})
	if err != nil {
		return nil, search.Limits{}, err
	}
	a, err := alphabeta.New(g, alphabeta.Options{AdaptiveDepth: true, Depth: s.Int("depth", 0, 0, 1, minimax.MaxDepth), Eval: ev, Order: ev})
	return a, search.Limits{}, err
}

func newMICS(g game.Game, s *spec.Spec, _ uint64) (search.Searcher, search.Limits, error) {
	var learned mics.Weights // what is 0 the player chooses by itself
	if name := s.Path("weights", -1, ""); name != "" {
		var err error
		if learned, _, err = mics.Load(name, g); err != nil {
			return nil, search.Limits{}, &fileError{"weights", err}
		}
	}
	mult, err := multipliers(s, mics.Multipliers(g))
	if err != nil {
		return nil, search.Limits{}, err
	}
	m, err := mics.New(g, mics.Options{
		Eval: mult,
		Time: s.Duration("time", 0, defaultTime), Nodes: s.Uint64("nodes", -1, 0),
		Branching: s.Int("branching", -1, learned.Branching, 1, 1<<14), Depth: s.Int("depth", -1, learned.Depth, 1, 100),
		Threads: s.Threads("threads", 1, maxThreads), Once: !s.Bool("deepening", -1, true),
		// For measurements: see mics.Options.
		Sort: s.Choice("order", -1, "heap", "heap", "sort") == "sort", List: s.Choice("cells", -1, "array", "array", "list") == "list",
	})
	return m, search.Limits{}, err
}

func newGreedy(g game.Game, s *spec.Spec, _ uint64) (search.Searcher, search.Limits, error) {
	text, stranger := s.Inner("eval", 0, scorerFor(g, "mics"))
	ev, err := makeEvaluator(g, text, stranger)
	if scorer, ok := ev.(eval.MoveScorer); ok {
		return greedy.New(scorer), search.Limits{}, err
	}
	return greedy.NewEval(ev), search.Limits{}, err
}

func newRules(game.Game, *spec.Spec, uint64) (search.Searcher, search.Limits, error) {
	return rules.New(), search.Limits{}, nil
}

func newMCTS(_ game.Game, s *spec.Spec, seed uint64) (search.Searcher, search.Limits, error) {
	d := mcts.Defaults()
	return mcts.New(mcts.Options{
		Sims: s.Uint64("sims", 0, d.Sims), C: s.Float("c", -1, d.C, 0, 100), Seed: s.Seed("seed", -1, seed),
		Solver: s.Bool("solver", -1, d.Solver), Decisive: s.Bool("decisive", -1, d.Decisive),
	}), search.Limits{Time: s.Duration("time", -1, 0)}, nil
}

func newOracle(_ game.Game, s *spec.Spec, _ uint64) (search.Searcher, search.Limits, error) {
	return oracle.New(s.Int("positions", 0, 1_000_000, 1, 100_000_000)), search.Limits{}, nil
}

func newGomoku(g game.Game, s *spec.Spec, _ uint64) (search.Searcher, search.Limits, error) {
	lim := limits(s, false)
	lim.Depth = s.Int("depth", -1, 0, 1, 100)
	o := gomoku.Options{
		Threads: s.Threads("threads", 1, maxThreads), Hash: hash(s, gomoku.DefaultHash, 1<<20), Time: defaultTime,
	}
	var err error
	if o.Weights, err = gomokuWeights(s); err != nil {
		return nil, lim, err
	}
	net, err := FiveNet(s.Path("net", -1, "default"))
	if err != nil {
		return nil, lim, &fileError{"net", fmt.Errorf("%w; net=none plays by the static evaluation", err)}
	}
	o.Net = net(g)
	for _, technique := range gomoku.Techniques() {
		o.Switch(technique, s.Bool(technique, -1, true))
	}
	e, err := gomoku.New(g, o)
	return e, lim, err
}

// FiveNet returns the networks for games of five in a row that the argument net names: those that the engine comes with
// (default), none, or a file's.
func FiveNet(name string) (func(game.Game) *fivenet.Network, error) {
	switch name {
	case "default":
		return gomoku.DefaultNet, nil
	case "none":
		return func(game.Game) *fivenet.Network { return nil }, nil
	}
	n, err := fivenet.Load(name)
	if err != nil {
		return nil, err
	}
	return func(game.Game) *fivenet.Network { return n }, nil
}

// unsure returns Monte Carlo for what a solver cannot solve in time.
func unsure(seed uint64) search.Searcher {
	o := mcts.Defaults()
	o.Seed = seed
	return mcts.New(o)
}

func newConnect4(g game.Game, s *spec.Spec, seed uint64) (search.Searcher, search.Limits, error) {
	o := c4.Options{Threads: s.Threads("threads", 1, maxThreads), Hash: hash(s, 64<<20, 1<<20)}
	e, err := c4.NewSearcher(g, o, unsure(seed))
	return e, limits(s, true), err
}

// newMNK returns the solver, with the gomoku engine for what it cannot solve in time, or Monte Carlo where that does not
// play.
func newMNK(g game.Game, s *spec.Spec, seed uint64) (player.Player, error) {
	other, scale := unsure(seed), player.Share
	if gomoku.Plays(g) {
		e, err := gomoku.New(g, gomoku.Options{Hash: gomoku.DefaultHash, Time: defaultTime})
		if err != nil {
			return nil, err
		}
		other, scale = e, gomokuScale
	}
	return searching(scale, func(game.Game, *spec.Spec, uint64) (search.Searcher, search.Limits, error) {
		e, err := mnk.NewSearcher(g, mnk.Options{Hash: hash(s, 64<<20, 1<<20)}, other)
		return e, limits(s, true), err
	})(g, s, seed)
}

func newUltimate(g game.Game, s *spec.Spec, seed uint64) (search.Searcher, search.Limits, error) {
	o := engine.Options{
		Seed: seed, NoProof: !s.Bool("proof", -1, true),
		Threads: s.Threads("threads", 1, maxThreads), Hash: hash(s, engine.DefaultHash, 1<<20), Time: defaultTime,
		Margin:  s.Duration("margin", -1, engine.DefaultMargin),
		Explore: float32(s.Float("explore", -1, 0, 0.0001, 100)), Blend: float32(s.Float("blend", -1, 0, 0.0001, 1)),
		Settle: float32(s.Float("settle", -1, 0, 0.0001, 1)), Stay: s.Int("stay", -1, 0, 1, 1<<30),
	}
	if level := s.Int("level", -1, 0, 1, engine.Levels); level > 0 {
		o.Nodes, o.Noise = engine.Level(level)
	}
	lim := limits(s, false)
	var err error
	if o.Net, err = UltimateNet(s.Path("net", -1, "default")); err != nil {
		return nil, lim, &fileError{"net", fmt.Errorf("%w; net=none plays by the heuristic", err)}
	}
	e, err := engine.New(g, o)
	return e, lim, err
}

// UltimateNet returns the network of a name: default for the one that the engine comes with, none for none, or a file.
func UltimateNet(name string) (*network.Network, error) {
	switch name {
	case "default":
		return network.Default(), nil
	case "none":
		return nil, nil
	}
	return network.Load(name)
}
