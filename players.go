// SPDX-License-Identifier: Apache-2.0

package krow

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/krow-lab/krow/engine/atarigo"
	c4 "github.com/krow-lab/krow/engine/connect4"
	c6 "github.com/krow-lab/krow/engine/connect6"
	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/engine/pente"
	"github.com/krow-lab/krow/engine/score"
	engine "github.com/krow-lab/krow/engine/ultimate"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/limited"
	"github.com/krow-lab/krow/player/subprocess"
	"github.com/krow-lab/krow/search/minimax"
)

// newPlayer makes a player of a game from the arguments of its spec. A player that uses random numbers is seeded with seed,
// unless its spec gives a seed.
type newPlayer func(g game.Game, s *spec.Spec, seed uint64) (player.Player, error)

// maxThreads is the maximum number of threads of a player.
const maxThreads = 256

// defaultTime is how long a player thinks about a move if neither its spec nor the caller sets a limit.
const defaultTime = time.Second

// gomokuScale is the scale of the gomoku engine's scores: see player.UsualScale. It is measured: docs/measurements/gomoku.md.
const gomokuScale = 2.2

// pairsScale is the scale of the scores of the engines for Connect6 and atari-go. It is an estimate and was not measured. The
// scale of pente was fitted to the results of 2,153 games that the engine played against itself.
const pairsScale, penteScale = 2, 3.5

var players []Entry[newPlayer]

// The table is filled here, because the player best looks up other players in the table, so a direct initialisation would
// depend on itself.
func init() {
	players = []Entry[newPlayer]{
		{"human", "a person at the board", "", nil, func(game.Game, *spec.Spec, uint64) (player.Player, error) { return player.Human{}, nil }},
		{"best", "the strongest there is for the game", "", fixed(spec.Time("time", defaultTime).At(1), threads, hashOption(gomoku.DefaultHash, 1<<20)), newBest},
		{"level", "a level of the game's ladder, from 1; without L the middle one", "", levelOptions, newLevel},
		{"limited", "a strong player that thinks less, and overlooks some moves", "", limitedOptions, newLimited},
		{"system", "a published player, of Abdoulaye, Houndji, Ezin and Aglin (A), Eustache and Genuyt (B), Li, Nguyen, Talasila and Zhang (C), Huang and Spadaccini (D), or Abdoulaye's thesis (E)", "systems A to E", fixed(spec.Choice("name", "A", "B", "C", "D", "E").At(1).Bare("A|B|C|D|E").Required()), newSystem},
		{"random", "any move that no rule forbids", "system B", fixed(spec.Seed("seed", 0).At(1)), func(_ game.Game, s *spec.Spec, seed uint64) (player.Player, error) {
			return player.NewRandom(seedOf(s, seed)), nil
		}},
		{"minimax", "plain minimax", "systems B and E", minimaxOptions, searching(player.UsualScale, newMinimax)},
		{"alphabeta", "alpha-beta; each technique can be switched off", "systems A and E", alphaBetaOptions, searching(player.UsualScale, newAlphaBeta)},
		{"lines", "alpha-beta over lines, as deep as the position allows", "system C", fixed(spec.Whole("depth", 0, 1, minimax.MaxDepth).At(1), empty), searching(player.UsualScale, newLines)},
		{"mics", "alpha-beta over the best cells, with a measured budget", "system D", micsOptions, searching(50, newMICS)},
		{"greedy", "the move that looks best one ply ahead", "systems B and D", greedyOptions, searching(player.UsualScale, newGreedy)},
		{"rules", "win, block, fork, prevent a fork, most lines", "system D", nil, searching(player.UsualScale, newRules)},
		{"widening", "generalized threats: every attacking move threatens a win", "Cazenave 2002", fixed(spec.Whole("order", 4, 1, 99).At(1), timeOption, nodes), searching(player.UsualScale, newWidening)},
		{"mcts", "Monte Carlo tree search (UCT)", "Kocsis and Szepesvári 2006", mctsOptions, searching(player.Share, newMCTS)},
		{"gomoku", "the engine for gomoku, standard, renju, caro and small m,n,k", "", gomokuOptions, searching(gomokuScale, newGomoku)},
		{"connect4", "the exact solver of Connect Four; mcts where it takes too long", "", fixed(timeOption, nodes, threads, hashOption(64<<20, 1<<20)), searching(player.Share, newConnect4)},
		{"connect6", "the engine for Connect6", "", fixed(timeOption, nodes, hashOption(score.DefaultHash, 1<<20)), searching(pairsScale, newConnect6)},
		{"pente", "the engine for pente", "", fixed(timeOption, nodes, hashOption(score.DefaultHash, 1<<20)), searching(penteScale, newPente)},
		{"atarigo", "the engine for atari-go", "", fixed(timeOption, nodes, hashOption(score.DefaultHash, 1<<20)), searching(pairsScale, newAtariGo)},
		{"mnk", "the exact solver of m,n,k games, and gomoku or mcts", "", fixed(timeOption, nodes, hashOption(64<<20, 1<<20)), newMNK},
		{"ultimate", "the engine for ultimate tic-tac-toe", "", fixed(
			timeOption, nodes, threads, hashOption(engine.DefaultHash, 1<<20), spec.File("net", "default", "default", "none"),
			spec.Switch("proof", true).Quiet(), spec.Time("margin", engine.DefaultMargin).Quiet(),
		), searching(player.Share, newUltimate)},
		{"bot", "a program in Starlark or WebAssembly, in a sandbox", "", fixed(append([]spec.Option{programPath}, BotOptions()...)...), newBot},
		{"proof", "follows the moves of a certificate; best where it has none", "", fixed(spec.File("path", "").At(1).Bare("FILE")), newProof},
		{"program", "a Gomocup brain or a UGI engine, and its arguments", "Gomocup, UGI", fixed(
			spec.Text("path", "PATH", "").At(1).Bare("PATH|ugi:PATH").Required(), timeOption, nodes, spec.Time("match", 0),
			spec.Time("margin", subprocess.DefaultMargin), spec.Size("memory", 0, 0), spec.File("log", ""),
		), newProgram},
	}
}

// Options that players share.
var (
	timeOption = spec.Time("time", 0)
	nodes      = spec.Count("nodes", 0)
	threads    = spec.Threads("threads", 1, maxThreads)
)

// hashOption is the option for the size of a transposition table. The minimum is the parameter least.
func hashOption(usual, least int) spec.Option { return spec.Size("hash", usual, least) }

// Player makes the player that a spec names, for one game of g. It is seeded with seed if it uses random numbers and its spec
// gives no seed.
func Player(g game.Game, text string, seed uint64) (player.Player, error) {
	return PlayerBy(spec.Trusted, g, text, seed)
}

// PlayerBy does what Player does for a spec that may be untrusted.
func PlayerBy(by spec.Trust, g game.Game, text string, seed uint64) (player.Player, error) {
	return build(request{kind: "player", text: text, by: by, game: g}, players, func(f newPlayer, s *spec.Spec) (player.Player, error) { return f(g, s, seed) })
}

// limitedOptions returns the options of the player named limited. By default it limits the strongest player of the game, with a
// small transposition table, because the ladders were measured with these settings.
func limitedOptions(g game.Game, _ *spec.Spec) []spec.Option {
	name := ""
	if g != nil {
		name = Best(g)
	}
	if hashed := []string{"alphabeta", "atarigo", "connect4", "connect6", "gomoku", "pente", "ultimate"}; slices.Contains(hashed, name) {
		name += ":hash=1M" // a small table is enough for few nodes, and is allocated quickly
	}
	if strings.HasPrefix(name, "gomoku:") {
		name += ",net=none,window=off"
	}
	return []spec.Option{
		spec.Inner("of", "PLAYER", name), spec.Count("nodes", 100), spec.Number("overlook", 0, 0, 1), spec.Number("noise", 1, 0, 10),
	}
}

// newLimited makes a player that limits another player.
func newLimited(g game.Game, s *spec.Spec, seed uint64) (player.Player, error) {
	if _, ok := g.Start().(game.Board); !ok {
		return nil, fmt.Errorf("limited needs a game with a board, and %s has none", g)
	}
	text, by := s.Inner("of")
	of, err := PlayerBy(by, g, text, rng.Mix(seed, 1))
	if err != nil {
		return nil, err
	}
	if a, ok := of.(player.Analyst); ok {
		return limited.New(a, limited.Options{
			Nodes: s.Uint64("nodes"), Overlook: s.Float("overlook"), Noise: s.Float("noise"), Seed: seed,
		}), nil
	}
	player.Close(of)
	return nil, fmt.Errorf("%s does not report its analysis, so it cannot be limited", text)
}

func levelOptions(g game.Game, _ *spec.Spec) []spec.Option {
	usual, low, high := 0, 0, 100
	if g != nil && len(Levels(g)) > 0 {
		usual, low, high = Middle(g), 1, len(Levels(g))
	}
	return []spec.Option{spec.Whole("level", usual, low, high).At(1).Bare("L")}
}

// newLevel returns the player of a level.
func newLevel(g game.Game, s *spec.Spec, seed uint64) (player.Player, error) {
	all := Levels(g)
	if len(all) == 0 {
		return nil, &spec.Error{Msg: fmt.Sprintf("%s has no levels, since no ladder of it was measured", g)}
	}
	return Player(g, all[s.Int("level")-1].Player, seed)
}

// newSystem returns the player of a published system.
func newSystem(g game.Game, s *spec.Spec, seed uint64) (player.Player, error) {
	letter := s.String("name")
	if !s.Given("name") {
		return nil, errors.New("the system is missing: A, B, C, D or E, as in system:A")
	}
	for _, o := range opponents {
		if strings.Contains(o.System, letter) {
			return Player(g, o.Player, seed)
		}
	}
	return nil, fmt.Errorf("%s has no player for %s", letter, g)
}

// newBest makes the strongest player for the game. docs/methods.md has the measurements.
func newBest(g game.Game, s *spec.Spec, seed uint64) (player.Player, error) {
	text := Best(g) + fmt.Sprintf(":time=%s", s.Duration("time"))
	if strings.HasPrefix(text, "gomoku:") || strings.HasPrefix(text, "connect4:") || strings.HasPrefix(text, "ultimate:") {
		text += fmt.Sprintf(",threads=%d,hash=%dK", s.Int("threads"), s.Int("hash")>>10)
	}
	return Player(g, text, seed)
}

// smallBoard is the number of cells that alpha-beta can search to the end in about a second.
const smallBoard = 16

// Best returns the name of the strongest player of a game, for which the spec "best" stands. See docs/methods.md for the
// matches.
func Best(g game.Game) string {
	b, lined := g.Start().(game.Lined)
	switch {
	case lined && len(b.Cells()) <= smallBoard:
		return "alphabeta"
	case gomoku.Plays(g):
		return "gomoku"
	case c4.Plays(g):
		return "connect4"
	case c6.Plays(g):
		return "connect6"
	case pente.Plays(g):
		return "pente"
	case engine.Plays(g):
		return "ultimate"
	case atarigo.Plays(g):
		return "atarigo"
	case lined && len(b.Cells()) == g.Moves():
		return "mics"
	}
	return "mcts"
}
