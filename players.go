// SPDX-License-Identifier: Apache-2.0

package krow

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	c4 "github.com/krow-lab/krow/engine/connect4"
	"github.com/krow-lab/krow/engine/gomoku"
	engine "github.com/krow-lab/krow/engine/ultimate"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/limited"
)

// newPlayer makes a player of a game from its arguments; seed is for one that draws lots and names no seed.
type newPlayer func(g game.Game, s *spec.Spec, seed uint64) (player.Player, error)

// maxThreads is the most threads of a player.
const maxThreads = 256

// defaultTime is how long a player thinks about a move when neither it nor anyone else sets a limit.
const defaultTime = time.Second

// gomokuScale is the scale of the gomoku engine's scores: see player.UsualScale. It is measured: docs/measurements/gomoku.md.
const gomokuScale = 2.2

var players []Entry[newPlayer]

// The table is filled here, since best looks up other players in it.
func init() {
	players = []Entry[newPlayer]{
		{"human", "", "a person at the board", "", func(game.Game, *spec.Spec, uint64) (player.Player, error) { return player.Human{}, nil }},
		{"best", "[:time=D][,threads=N][,hash=SIZE]", "the strongest there is for the game", "", newBest},
		{"level", "[:L]", "a level of the game's ladder, from 1; without L the middle one", "", newLevel},
		{"limited", "[:of=PLAYER][,nodes=N][,overlook=P][,noise=X]", "a strong player that thinks less, and overlooks some moves", "", newLimited},
		{"system", ":A|B|C|D|E", "the published player of Abdoulaye (A, E), Eustache, Li or Huang", "systems A to E", newSystem},
		{"random", "[:seed=N]", "any move that no rule forbids", "system B", func(_ game.Game, s *spec.Spec, seed uint64) (player.Player, error) {
			return player.NewRandom(s.Seed("seed", 0, seed)), nil
		}},
		{"minimax", "[:depth=D][,eval=H][,terminal=exact|eval]", "plain minimax", "systems B and E", searching(player.UsualScale, newMinimax)},
		{"alphabeta", "[:depth=D|time=D|nodes=N][,eval=H][,terminal=exact|eval][,order=H][,hash=SIZE][,killer,refutation,history,pvs,deepening=on|off][,aspiration=X]", "alpha-beta, each technique a switch", "systems A and E", searching(player.UsualScale, newAlphaBeta)},
		{"lines", "[:depth=D][,empty=zero|literal]", "alpha-beta over lines, as deep as the position allows", "system C", searching(player.UsualScale, newLines)},
		{"mics", "[:time=D|nodes=N][,branching=Q][,depth=D][,deepening=on|off][,weights=FILE][,multipliers=FILE][,threads=N]", "alpha-beta over the best cells, with a measured budget", "system D", searching(50, newMICS)},
		{"greedy", "[:eval=H]", "the move that looks best one ply ahead", "systems B and D", searching(player.UsualScale, newGreedy)},
		{"rules", "", "win, block, fork, prevent a fork, most lines", "system D", searching(player.UsualScale, newRules)},
		{"mcts", "[:sims=N|time=D][,c=X][,seed=N][,solver,decisive=on|off]", "Monte Carlo tree search (UCT)", "Kocsis and Szepesvári 2006", searching(player.Share, newMCTS)},
		{"gomoku", "[:time=D|nodes=N|depth=D][,threads=N][,hash=SIZE][,weights=FILE][,net=default|none|FILE][,proof,null,...=on|off]", "the engine for gomoku, standard, renju, caro and small m,n,k", "", searching(gomokuScale, newGomoku)},
		{"connect4", "[:time=D|nodes=N][,threads=N][,hash=SIZE]", "the exact solver of Connect Four; mcts where it takes too long", "", searching(player.Share, newConnect4)},
		{"mnk", "[:time=D|nodes=N][,hash=SIZE]", "the exact solver of m,n,k games, and gomoku or mcts", "", newMNK},
		{"ultimate", "[:time=D|nodes=N][,level=1..10][,threads=N][,hash=SIZE][,net=FILE|none]", "the engine for ultimate tic-tac-toe", "", searching(player.Share, newUltimate)},
		{"oracle", "[:positions=N]", "the whole game tree, for small games", "", searching(player.UsualScale, newOracle)},
		{"bot", ":FILE[,seed=N][,steps=N][,weights=FILE][,PARAMETER=X]", "a program in Starlark or WebAssembly, in a cage", "", newBot},
		{"proof", ":FILE", "follows the moves of a certificate; best where it has none", "", newProof},
		{"program", ":PATH|ugi:PATH[,time=D|nodes=N][,match=D][,margin=D][,memory=SIZE]", "a Gomocup brain or a UGI engine, and its arguments", "Gomocup, UGI", newProgram},
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

// newLimited returns a player with limits. Without another one it is the strongest player there is for the game.
func newLimited(g game.Game, s *spec.Spec, seed uint64) (player.Player, error) {
	if _, ok := g.Start().(game.Board); !ok {
		return nil, fmt.Errorf("limited needs a board, and %s has none", g)
	}
	o := limited.Options{
		Nodes: s.Uint64("nodes", -1, 100), Overlook: s.Float("overlook", -1, 0, 0, 1), Noise: s.Float("noise", -1, 1, 0, 10), Seed: seed,
	}
	name := strings.TrimSuffix(bestFor(g), ":")
	if hashed := []string{"alphabeta", "gomoku", "connect4", "ultimate"}; slices.Contains(hashed, name) {
		name += ":hash=1M" // a table for so few nodes, quick to make
	}
	if strings.HasPrefix(name, "gomoku:") {
		name += ",net=none" // as the ladder was measured
	}
	text, stranger := s.Inner("of", -1, name)
	of, err := makePlayer(g, text, rng.Mix(seed, 1), stranger)
	if err != nil {
		return nil, err
	}
	if a, ok := of.(player.Analyst); ok {
		return limited.New(a, o), nil
	}
	player.Close(of)
	return nil, fmt.Errorf("%s does not say what it thinks, and cannot be limited", text)
}

// newLevel returns the player of a level.
func newLevel(g game.Game, s *spec.Spec, seed uint64) (player.Player, error) {
	all := Levels(g)
	if len(all) == 0 {
		s.Fail("%s has no levels, since no ladder of it was measured", g)
		return nil, errors.New("no level")
	}
	n := s.Int("level", 0, Middle(g), 1, len(all))
	return Player(g, all[n-1].Player, seed)
}

// newSystem returns the player of a published system.
func newSystem(g game.Game, s *spec.Spec, seed uint64) (player.Player, error) {
	letter := s.Choice("name", 0, "", "A", "B", "C", "D", "E")
	if letter == "" {
		return nil, errors.New("which system? A, B, C, D or E, as in system:A")
	}
	for _, o := range opponents {
		if strings.Contains(o.System, letter) {
			return Player(g, o.Player, seed)
		}
	}
	return nil, fmt.Errorf("%s has no player of %s", letter, g)
}

// newBest returns the strongest player there is for the game, as docs/methods.md measures them.
func newBest(g game.Game, s *spec.Spec, seed uint64) (player.Player, error) {
	text := bestFor(g) + fmt.Sprintf("time=%s", s.Duration("time", 0, defaultTime))
	if strings.HasPrefix(text, "gomoku:") || strings.HasPrefix(text, "connect4:") || strings.HasPrefix(text, "ultimate:") {
		text += fmt.Sprintf(",threads=%d,hash=%dK", s.Threads("threads", 1, maxThreads), s.Size("hash", -1, gomoku.DefaultHash, 1<<20)>>10)
	}
	return Player(g, text, seed)
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
