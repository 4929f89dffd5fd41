// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"fmt"
	"slices"
	"strings"
	"time"

	c4 "github.com/krow-lab/krow/engine/connect4"
	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/engine/mnk"
	engine "github.com/krow-lab/krow/engine/ultimate"
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
	"github.com/krow-lab/krow/search/oracle"
	"github.com/krow-lab/krow/search/rules"
	"github.com/krow-lab/krow/tt"
)

// newPlayer makes a player of a game from its arguments; seed is for one that draws lots and names no seed.
type newPlayer func(g game.Game, s *spec.Spec, seed uint64) (player.Player, error)

// maxThreads is the most threads of a player.
const maxThreads = 256

// DefaultTime is how long a player thinks about a move when neither it nor anyone else sets a limit.
const DefaultTime = time.Second

// The scales of the players whose units are not the published heuristics': see player.UsualScale.
const (
	gomokuScale = 3.0
	micsScale   = 50.0
)

var players []Entry[newPlayer]

// The table is filled here, since best looks up other players in it.
func init() {
	players = []Entry[newPlayer]{
		{"human", "", "a person at the board", "", func(game.Game, *spec.Spec, uint64) (player.Player, error) { return player.Human{}, nil }},
		{"best", "[:time=D][,threads=N][,hash=SIZE]", "the strongest there is for the game", "", newBest},
		{"random", "[:seed=N]", "any move that no rule forbids", "system B", func(_ game.Game, s *spec.Spec, seed uint64) (player.Player, error) {
			return player.NewRandom(s.Seed("seed", 0, seed)), nil
		}},
		{"minimax", "[:depth=D][,eval=H][,terminal=exact|eval]", "plain minimax", "systems B and E", newMinimax},
		{"alphabeta", "[:depth=D|time=D|nodes=N][,eval=H][,terminal=exact|eval][,order=H][,hash=SIZE][,killer,refutation,history,pvs,deepening=on|off][,aspiration=X]", "alpha-beta, each technique a switch", "systems A and E", newAlphaBeta},
		{"lines", "[:depth=D][,empty=zero|literal]", "alpha-beta over lines, as deep as the position allows", "system C", newLines},
		{"mics", "[:time=D|nodes=N][,branching=Q][,depth=D][,weights=FILE][,threads=N]", "alpha-beta over the best cells, with a measured budget", "system D", newMICS},
		{"greedy", "[:eval=H]", "the move that looks best one ply ahead", "systems B and D", newGreedy},
		{"rules", "", "win, block, fork, prevent a fork, most lines", "system D", newRules},
		{"mcts", "[:sims=N|time=D][,c=X][,seed=N][,solver,decisive=on|off]", "Monte Carlo tree search (UCT)", "Kocsis and Szepesvári 2006", newMCTS},
		{"gomoku", "[:time=D|nodes=N|depth=D][,threads=N][,hash=SIZE][,weights=FILE][,proof,null,...=on|off]", "the engine for gomoku, standard, renju, caro and small m,n,k", "", newGomoku},
		{"connect4", "[:time=D|nodes=N][,threads=N][,hash=SIZE]", "the exact solver of Connect Four; mcts where it takes too long", "", newConnect4},
		{"mnk", "[:time=D|nodes=N][,hash=SIZE]", "the exact solver of m,n,k games, and gomoku or mcts", "", newMNK},
		{"ultimate", "[:time=D|nodes=N][,level=1..10][,threads=N][,hash=SIZE][,net=FILE|none]", "the engine for ultimate tic-tac-toe", "", newUltimate},
		{"oracle", "[:positions=N]", "the whole game tree, for small games", "", newOracle},
		{"program", ":PATH[,time=D][,match=D][,margin=D][,memory=SIZE]", "a brain of the Gomocup protocol, and its arguments", "Gomocup", newProgram},
	}
}

// Player returns the player that a spec names, for one game of g. seed is for a player that draws lots and
// whose spec names no seed.
func Player(g game.Game, text string, seed uint64) (player.Player, error) {
	return makePlayer(g, text, seed, false)
}

// PublicPlayer is Player for strangers.
func PublicPlayer(g game.Game, text string, seed uint64) (player.Player, error) {
	return makePlayer(g, text, seed, true)
}

func makePlayer(g game.Game, text string, seed uint64, stranger bool) (player.Player, error) {
	return build("player", text, stranger, players, func(f newPlayer, s *spec.Spec) (player.Player, error) { return f(g, s, seed) })
}

// heuristicFor is the heuristic of a player whose spec names none.
func heuristicFor(g game.Game) string {
	switch g.Start().(type) {
	case game.Lined:
		return "generic"
	case *ultimate.Position:
		return "indicators"
	}
	return "none"
}

// orderFor is the scorer that orders the moves of an alpha-beta whose spec names none.
func orderFor(g game.Game) string {
	if h := heuristicFor(g); h != "generic" {
		return h
	}
	return "lines"
}

// published are the heuristics whose experiments value finished games by them too.
var published = []string{"generic", "shevchenko", "chua"}

// heuristic returns the evaluator of the argument eval, and what a finished game is worth. The experiments
// of systems A and E value finished games by the heuristic, so that is the default where one of theirs is
// named; everywhere else a finished game is what it is.
func heuristic(g game.Game, s *spec.Spec, def string) (eval.Evaluator, minimax.Terminal, error) {
	text, stranger := s.Inner("eval", -1, def)
	terminal := "exact"
	if named, err := spec.Parse(text); err == nil && s.Has("eval") && slices.Contains(published, named.Name) {
		terminal = "eval"
	}
	t := minimax.Exact
	if s.Choice("terminal", -1, terminal, "exact", "eval") == "eval" {
		t = minimax.Eval
	}
	ev, err := makeEvaluator(g, text, stranger)
	return ev, t, err
}

func newMinimax(g game.Game, s *spec.Spec, _ uint64) (player.Player, error) {
	ev, terminal, err := heuristic(g, s, heuristicFor(g))
	depth := s.Int("depth", 0, 4, 1, minimax.MaxDepth)
	if err != nil {
		return nil, err
	}
	m := minimax.New(minimax.Options{Depth: depth, Eval: ev, Terminal: terminal})
	return player.FromSearcher("minimax", m, search.Limits{}), nil
}

func newAlphaBeta(g game.Game, s *spec.Spec, _ uint64) (player.Player, error) {
	ev, terminal, err := heuristic(g, s, heuristicFor(g))
	if err != nil {
		return nil, err
	}
	s.Renamed("tt", "hash")
	o := alphabeta.Options{
		Depth: s.Int("depth", 0, 0, 1, minimax.MaxDepth), Eval: ev, Terminal: terminal,
		TT: hash(s, 4<<20, 0), Killer: s.Bool("killer", -1, true), Refutation: s.Bool("refutation", -1, true),
		History: s.Bool("history", -1, true), PVS: s.Bool("pvs", -1, true), Deepening: s.Bool("deepening", -1, true),
		Aspiration: eval.Score(s.Float("aspiration", -1, 0, 0, 1e9) * float64(eval.Unit)),
	}
	if order, stranger := s.Inner("order", -1, orderFor(g)); order != "none" {
		if o.Order, err = makeScorer(g, order, stranger); err != nil {
			return nil, err
		}
	}
	own := limits(s, o.Depth == 0)
	a, err := alphabeta.New(g, o)
	if err != nil {
		return nil, err
	}
	return player.FromSearcher("alphabeta", a, own), nil
}

// limits reads the arguments time and nodes; timed says whether DefaultTime stands for neither.
func limits(s *spec.Spec, timed bool) search.Limits {
	lim := search.Limits{Time: s.Duration("time", -1, 0), Nodes: s.Uint64("nodes", -1, 0)}
	if timed && lim.Time == 0 && lim.Nodes == 0 {
		lim.Time = DefaultTime
	}
	return lim
}

func newLines(g game.Game, s *spec.Spec, _ uint64) (player.Player, error) {
	text := "lines"
	if empty := s.Choice("empty", -1, "zero", "zero", "literal"); empty != "zero" {
		text = "lines(empty=" + empty + ")"
	}
	ev, err := Evaluator(g, text)
	if err != nil {
		return nil, err
	}
	order, err := makeScorer(g, text, false)
	if err != nil {
		return nil, err
	}
	a, err := alphabeta.New(g, alphabeta.Options{AdaptiveDepth: true, Depth: s.Int("depth", 0, 0, 1, minimax.MaxDepth), Eval: ev, Order: order})
	if err != nil {
		return nil, err
	}
	return player.FromSearcher("lines", a, search.Limits{}), nil
}

func newMICS(g game.Game, s *spec.Spec, _ uint64) (player.Player, error) {
	var learned mics.Weights // what is 0 the player chooses by itself
	if name := s.String("weights", -1, ""); name != "" {
		var err error
		if learned, _, err = mics.Load(name, g); err != nil {
			return nil, &fileError{"weights", err}
		}
	}
	o := mics.Options{
		Time: s.Duration("time", 0, DefaultTime), Nodes: s.Uint64("nodes", -1, 0),
		Branching: s.Int("branching", -1, learned.Branching, 1, 1<<14), Depth: s.Int("depth", -1, learned.Depth, 1, 100),
		Threads: s.Threads("threads", 1, maxThreads),
		// For measurements: see mics.Options.
		Sort: s.Choice("order", -1, "heap", "heap", "sort") == "sort", List: s.Choice("cells", -1, "array", "array", "list") == "list",
	}
	m, err := mics.New(g, o)
	if err != nil {
		return nil, err
	}
	return player.FromSearcher("mics", m, search.Limits{}).Scaled(micsScale), nil
}

func newGreedy(g game.Game, s *spec.Spec, _ uint64) (player.Player, error) {
	def := "mics"
	if h := heuristicFor(g); h != "generic" {
		def = h
	}
	text, stranger := s.Inner("eval", 0, def)
	ev, err := makeEvaluator(g, text, stranger)
	if err != nil {
		return nil, err
	}
	if scorer, ok := ev.(eval.MoveScorer); ok {
		return player.FromSearcher("greedy", greedy.New(scorer), search.Limits{}), nil
	}
	return player.FromSearcher("greedy", greedy.NewEval(ev), search.Limits{}), nil
}

func newRules(_ game.Game, _ *spec.Spec, _ uint64) (player.Player, error) {
	return player.FromSearcher("rules", rules.New(), search.Limits{}), nil
}

func newMCTS(_ game.Game, s *spec.Spec, seed uint64) (player.Player, error) {
	o := mcts.Defaults()
	o.Sims = s.Uint64("sims", 0, o.Sims)
	o.C = s.Float("c", -1, o.C, 0, 100)
	o.Seed = s.Seed("seed", -1, seed)
	o.Solver = s.Bool("solver", -1, o.Solver)
	o.Decisive = s.Bool("decisive", -1, o.Decisive)
	return player.FromSearcher("mcts", mcts.New(o), search.Limits{Time: s.Duration("time", -1, 0)}).Scaled(player.Share), nil
}

func newGomoku(g game.Game, s *spec.Spec, _ uint64) (player.Player, error) {
	lim := limits(s, false)
	lim.Depth = s.Int("depth", -1, 0, 1, 100)
	o := gomoku.Options{
		Threads: s.Threads("threads", 1, maxThreads), Hash: hash(s, gomoku.DefaultHash, 1<<20), Time: DefaultTime,
	}
	var err error
	if o.Weights, err = gomokuWeights(s); err != nil {
		return nil, err
	}
	for _, technique := range gomoku.Techniques() {
		o.Switch(technique, s.Bool(technique, -1, true))
	}
	e, err := gomoku.New(g, o)
	if err != nil {
		return nil, err
	}
	return player.FromSearcher("gomoku", e, lim).Scaled(gomokuScale), nil
}

func newOracle(_ game.Game, s *spec.Spec, _ uint64) (player.Player, error) {
	return player.FromSearcher("oracle", oracle.New(s.Int("positions", 0, 1_000_000, 1, 100_000_000)), search.Limits{}), nil
}

// newConnect4 returns the solver, with Monte Carlo for what it cannot solve in time.
func newConnect4(g game.Game, s *spec.Spec, seed uint64) (player.Player, error) {
	o := c4.Options{Threads: s.Threads("threads", 1, maxThreads), Hash: hash(s, 64<<20, 1<<20)}
	own := mcts.Defaults()
	own.Seed = seed
	lim := limits(s, true)
	e, err := c4.NewSearcher(g, o, mcts.New(own))
	if err != nil {
		return nil, err
	}
	return player.FromSearcher("connect4", e, lim).Scaled(player.Share), nil
}

// newMNK returns the solver, with the engine for what it cannot solve in time, or Monte Carlo where that does not play.
func newMNK(g game.Game, s *spec.Spec, seed uint64) (player.Player, error) {
	o := mnk.Options{Hash: hash(s, 64<<20, 1<<20)}
	lim := limits(s, true)
	own := mcts.Defaults()
	own.Seed = seed
	var unsure search.Searcher = mcts.New(own)
	scale := player.Share
	if gomoku.Plays(g) {
		e, err := gomoku.New(g, gomoku.Options{Hash: gomoku.DefaultHash, Time: DefaultTime})
		if err != nil {
			return nil, err
		}
		unsure, scale = e, gomokuScale
	}
	e, err := mnk.NewSearcher(g, o, unsure)
	if err != nil {
		return nil, err
	}
	return player.FromSearcher("mnk", e, lim).Scaled(scale), nil
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

// newBest returns the strongest player there is for the game, as docs/methods.md measures them.
func newBest(g game.Game, s *spec.Spec, seed uint64) (player.Player, error) {
	text := bestFor(g) + fmt.Sprintf("time=%s", s.Duration("time", 0, DefaultTime))
	if strings.HasPrefix(text, "gomoku:") || strings.HasPrefix(text, "connect4:") || strings.HasPrefix(text, "ultimate:") {
		text += fmt.Sprintf(",threads=%d,hash=%dK", s.Threads("threads", 1, maxThreads), s.Size("hash", -1, gomoku.DefaultHash, 1<<20)>>10)
	}
	p, err := Player(g, text, seed)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// smallBoard is how many cells alpha-beta can look through to the end in a second or so.
const smallBoard = 16

// bestFor names the strongest player of a game, less its time. See docs/methods.md for the matches.
func bestFor(g game.Game) string {
	b, lined := g.Start().(game.Lined)
	switch {
	case lined && len(b.Cells()) <= smallBoard:
		return "alphabeta:"
	case gomoku.Plays(g):
		return "gomoku:"
	case c4.Plays(g):
		return "connect4:"
	case engine.Plays(g):
		return "ultimate:"
	case lined && len(b.Cells()) == g.Moves():
		return "mics:"
	}
	return "mcts:"
}
