// SPDX-License-Identifier: Apache-2.0

package krow

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/krow-lab/krow/engine/atarigo"
	c4 "github.com/krow-lab/krow/engine/connect4"
	c6 "github.com/krow-lab/krow/engine/connect6"
	"github.com/krow-lab/krow/engine/gomoku"
	gomokunet "github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/engine/mnk"
	"github.com/krow-lab/krow/engine/pente"
	engine "github.com/krow-lab/krow/engine/ultimate"
	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/eval"
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
	"github.com/krow-lab/krow/search/rules"
	"github.com/krow-lab/krow/search/tt"
	"github.com/krow-lab/krow/search/widening"
)

// newSearch makes the search of a player from the arguments of its spec, and returns the limits that the spec sets for each move.
type newSearch func(g game.Game, s *spec.Spec, seed uint64) (search.Searcher, search.Limits, error)

// searching makes a player from a search; scale is the scale of the search's scores, see player.UsualScale.
func searching(scale float64, f newSearch) newPlayer {
	return func(g game.Game, s *spec.Spec, seed uint64) (player.Player, error) {
		made, own, err := f(g, s, seed)
		if err != nil {
			return nil, err
		}
		return player.FromSearcher(s.Name, made, own).Scaled(scale), nil
	}
}

// limits reads the arguments time and nodes. If timed is set and the spec gives neither, the default time is the limit.
func limits(s *spec.Spec, timed bool) search.Limits {
	lim := search.Limits{Time: s.Duration("time"), Nodes: s.Uint64("nodes")}
	if timed && lim.Time == 0 && lim.Nodes == 0 {
		lim.Time = defaultTime
	}
	return lim
}

// hash returns the size of the transposition table in bytes.
func hash(s *spec.Spec) int {
	n := s.Int("hash")
	if !tt.Available(n) {
		s.Fail("%s: hash=%dM is more memory than there is", s.Name, n>>20)
		return 1 << 20
	}
	return n
}

// startOf returns the start position of g, or nil if g is nil, as in a list of players without a game.
func startOf(g game.Game) game.Position {
	if g == nil {
		return nil
	}
	return g.Start()
}

// heuristicFor returns the name of the heuristic of a player whose spec names none.
func heuristicFor(g game.Game) string {
	switch startOf(g).(type) {
	case game.Lined:
		return "brute"
	case *ultimate.Position:
		return "indicators"
	}
	return "none"
}

// scorerFor returns the name of the default heuristic for move ordering. In games that are won by a row, this is the parameter
// lined.
func scorerFor(g game.Game, lined string) string {
	if h := heuristicFor(g); h != "brute" {
		return h
	}
	return lined
}

// published are the published heuristics that also value finished games in the experiments of their authors.
var published = []string{"generic", "brute", "shevchenko", "chua"}

// evalOption is the option for the heuristic of a search. terminalOption chooses how finished games are valued: by their result,
// or by the heuristic.
func evalOption(g game.Game) spec.Option { return spec.Inner("eval", "H", heuristicFor(g)) }

var terminalOption = spec.Choice("terminal", "exact", "eval")

// heuristic returns the evaluator that the argument eval names, and how finished games are valued. The experiments of systems A
// and E (docs/systems.md) value finished games by the heuristic, so this is the default if eval names a heuristic of these
// systems.
//
// If eval names the heuristic "indicators", the arguments in usual are added to its spec, unless the spec already contains
// them.
func heuristic(g game.Game, s *spec.Spec, usual ...string) (eval.Evaluator, minimax.Terminal, error) {
	text, by := s.Inner("eval")
	terminal := s.String("terminal")
	if named, err := spec.Parse(text); err == nil {
		if s.Given("eval") && !s.Given("terminal") && slices.Contains(published, named.Name) {
			terminal = "eval"
		}
		for _, a := range usual {
			key, _, _ := strings.Cut(a, "=")
			if _, given := named.Raw(key); named.Name == "indicators" && !given {
				text = spec.With(text, a)
			}
		}
	}
	t := minimax.Exact
	if terminal == "eval" {
		t = minimax.Eval
	}
	ev, err := EvaluatorBy(by, g, text)
	return ev, t, err
}

func minimaxOptions(g game.Game, _ *spec.Spec) []spec.Option {
	return []spec.Option{spec.Whole("depth", 4, 1, minimax.MaxDepth).At(1), evalOption(g), terminalOption}
}

// newMinimax returns the reference search. With the heuristic "indicators" it is the minimax of system B (Eustache and Genuyt
// 2018), a program that adds up the scores of the moves from the root to a leaf.
func newMinimax(g game.Game, s *spec.Spec, _ uint64) (search.Searcher, search.Limits, error) {
	ev, terminal, err := heuristic(g, s, "path=on")
	return minimax.New(minimax.Options{Depth: s.Int("depth"), Eval: ev, Terminal: terminal}), search.Limits{}, err
}

func alphaBetaOptions(g game.Game, _ *spec.Spec) []spec.Option {
	return []spec.Option{
		spec.Whole("depth", 0, 1, minimax.MaxDepth).At(1), timeOption, nodes, evalOption(g), terminalOption, spec.Inner("order", "H", scorerFor(g, "lines")),
		hashOption(4<<20, 0), spec.Switch("killer", true), spec.Switch("refutation", true), spec.Switch("history", true),
		spec.Switch("pvs", true), spec.Switch("deepening", true), spec.Number("aspiration", 0, 0, 1e9),
	}
}

func newAlphaBeta(g game.Game, s *spec.Spec, _ uint64) (made search.Searcher, own search.Limits, err error) {
	o := alphabeta.Options{
		Depth: s.Int("depth"), TT: hash(s), Killer: s.Bool("killer"), Refutation: s.Bool("refutation"), History: s.Bool("history"),
		PVS: s.Bool("pvs"), Deepening: s.Bool("deepening"), Aspiration: eval.Score(s.Float("aspiration") * float64(eval.Unit)),
	}
	if o.Eval, o.Terminal, err = heuristic(g, s); err != nil {
		return nil, own, err
	}
	if order, by := s.Inner("order"); order != "none" {
		if o.Order, err = ScorerBy(by, g, order); err != nil {
			return nil, own, err
		}
	}
	made, err = alphabeta.New(g, o)
	return made, limits(s, o.Depth == 0), err
}

func newLines(g game.Game, s *spec.Spec, _ uint64) (search.Searcher, search.Limits, error) {
	ev, err := newLinesEvaluator(g, s)
	if err != nil {
		return nil, search.Limits{}, err
	}
	a, err := alphabeta.New(g, alphabeta.Options{AdaptiveDepth: true, Depth: s.Int("depth"), Eval: ev, Order: ev})
	return a, search.Limits{}, err
}

func micsOptions(game.Game, *spec.Spec) []spec.Option {
	return []spec.Option{
		spec.Time("time", defaultTime).At(1), nodes, spec.Whole("branching", 0, 1, 1<<14), spec.Whole("depth", 0, 1, 100), spec.Switch("deepening", true),
		spec.File("weights", "", "authors"), multipliersFile, threads,
	}
}

func newMICS(g game.Game, s *spec.Spec, _ uint64) (search.Searcher, search.Limits, error) {
	var learned mics.Weights // for each field that is 0, the player chooses the value
	authors := s.String("weights") == "authors"
	if name := s.String("weights"); name != "" && !authors {
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
		Time: s.Duration("time"), Nodes: s.Uint64("nodes"), Threads: s.Int("threads"), Once: !s.Bool("deepening"),
		Branching: cmp.Or(s.Int("branching"), learned.Branching), Depth: cmp.Or(s.Int("depth"), learned.Depth),
		Authors: authors,
	})
	return m, search.Limits{}, err
}

func greedyOptions(g game.Game, _ *spec.Spec) []spec.Option {
	return []spec.Option{spec.Inner("eval", "H", scorerFor(g, "mics")).At(1)}
}

func newGreedy(g game.Game, s *spec.Spec, _ uint64) (search.Searcher, search.Limits, error) {
	text, by := s.Inner("eval")
	ev, err := EvaluatorBy(by, g, text)
	if scorer, ok := ev.(eval.MoveScorer); ok {
		return greedy.New(scorer), search.Limits{}, err
	}
	return greedy.NewEval(ev), search.Limits{}, err
}

func newRules(game.Game, *spec.Spec, uint64) (search.Searcher, search.Limits, error) {
	return rules.New(), search.Limits{}, nil
}

func newWidening(g game.Game, s *spec.Spec, _ uint64) (search.Searcher, search.Limits, error) {
	w, err := widening.New(g, s.Int("order"))
	return w, limits(s, true), err
}

func mctsOptions(game.Game, *spec.Spec) []spec.Option {
	d := mcts.Defaults()
	return []spec.Option{
		spec.Count("sims", d.Sims).At(1), timeOption, spec.Number("c", d.C, 0, 100), spec.Seed("seed", 0), spec.Switch("solver", d.Solver),
		spec.Switch("decisive", d.Decisive),
	}
}

func newMCTS(_ game.Game, s *spec.Spec, seed uint64) (search.Searcher, search.Limits, error) {
	return mcts.New(mcts.Options{
		Sims: s.Uint64("sims"), C: s.Float("c"), Seed: seedOf(s, seed), Solver: s.Bool("solver"), Decisive: s.Bool("decisive"),
	}), search.Limits{Time: s.Duration("time")}, nil
}

// gomokuOptions returns the options of the engine, with a switch for each technique; a usage line shows only two of the switches.
func gomokuOptions(game.Game, *spec.Spec) []spec.Option {
	all := []spec.Option{
		timeOption, nodes, spec.Whole("depth", 0, 1, 100), threads, hashOption(gomoku.DefaultHash, 1<<20),
		spec.Text("weights", "FILE", ""), spec.File("net", "default", "default", "none"),
	}
	for _, technique := range gomoku.Techniques() {
		o := spec.Switch(technique, true)
		if technique != "proof" && technique != "null" {
			o = o.Quiet()
		}
		all = append(all, o)
	}
	return all
}

func newGomoku(g game.Game, s *spec.Spec, _ uint64) (search.Searcher, search.Limits, error) {
	lim := limits(s, false)
	lim.Depth = s.Int("depth")
	o := gomoku.Options{Threads: s.Int("threads"), Hash: hash(s), Time: defaultTime}
	var err error
	if o.Weights, err = gomokuWeights(s); err != nil {
		return nil, lim, err
	}
	net, err := GomokuNet(s.String("net"))
	if err != nil {
		return nil, lim, &fileError{"net", fmt.Errorf("%w; net=none plays by the static evaluation", err)}
	}
	o.Net = net(g)
	for _, technique := range gomoku.Techniques() {
		o.Switch(technique, s.Bool(technique))
	}
	e, err := gomoku.New(g, o)
	return e, lim, err
}

func newConnect6(g game.Game, s *spec.Spec, _ uint64) (search.Searcher, search.Limits, error) {
	e, err := c6.New(g, c6.Options{Hash: hash(s)})
	return e, limits(s, true), err
}

func newPente(g game.Game, s *spec.Spec, _ uint64) (search.Searcher, search.Limits, error) {
	e, err := pente.New(g, pente.Options{Hash: hash(s)})
	return e, limits(s, true), err
}

func newAtariGo(g game.Game, s *spec.Spec, _ uint64) (search.Searcher, search.Limits, error) {
	e, err := atarigo.New(g, atarigo.Options{Hash: hash(s)})
	return e, limits(s, true), err
}

// GomokuNet returns the networks for games of five in a row that the argument net names: the networks in the program (default),
// none, or the network of a file.
func GomokuNet(name string) (func(game.Game) *gomokunet.Network, error) {
	switch name {
	case "default":
		return gomoku.DefaultNet, nil
	case "none":
		return func(game.Game) *gomokunet.Network { return nil }, nil
	}
	n, err := gomokunet.Load(name)
	if err != nil {
		return nil, err
	}
	return func(game.Game) *gomokunet.Network { return n }, nil
}

// unsure returns Monte Carlo tree search, for positions that a solver cannot solve in time.
func unsure(seed uint64) search.Searcher {
	o := mcts.Defaults()
	o.Seed = seed
	return mcts.New(o)
}

func newConnect4(g game.Game, s *spec.Spec, seed uint64) (search.Searcher, search.Limits, error) {
	o := c4.Options{Threads: s.Int("threads"), Hash: hash(s)}
	e, err := c4.NewSearcher(g, o, unsure(seed))
	return e, limits(s, true), err
}

// newMNK returns a player that uses the solver. For positions that the solver cannot solve in time, it uses the gomoku engine, or
// Monte Carlo tree search in games that this engine does not play.
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
		e, err := mnk.NewSearcher(g, mnk.Options{Hash: hash(s)}, other)
		return e, limits(s, true), err
	})(g, s, seed)
}

func newUltimate(g game.Game, s *spec.Spec, seed uint64) (search.Searcher, search.Limits, error) {
	o := engine.Options{
		NoProof: !s.Bool("proof"), Threads: s.Int("threads"), Hash: hash(s), Time: defaultTime, Margin: s.Duration("margin"),
	}
	lim := limits(s, false)
	var err error
	if o.Net, err = UltimateNet(s.String("net")); err != nil {
		return nil, lim, &fileError{"net", fmt.Errorf("%w; net=none plays by the heuristic", err)}
	}
	e, err := engine.New(g, o)
	return e, lim, err
}

// UltimateNet returns the network with this name: "default" is the network in the program, "none" means no network, and any
// other name is the name of a file.
func UltimateNet(name string) (*network.Network, error) {
	switch name {
	case "default":
		return network.Default(), nil
	case "none":
		return nil, nil
	}
	return network.Load(name)
}
