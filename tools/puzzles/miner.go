// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/puzzles"
	"github.com/krow-lab/krow/engine/connect6"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
)

// The numbers of nodes for a move of a game (moveNodes), for a move in Connect6, whose nodes take longer (pairNodes), and for the
// check that a move does not lose (safeNodes).
const moveNodes, pairNodes, safeNodes = 1000, 300, 50_000

// The number of free cells in puzzles of games with an exact solver: at least leastFree, and at most mostFreeColumns in
// Connect Four or mostFreeUltimate in ultimate tic-tac-toe.
const leastFree, mostFreeColumns, mostFreeUltimate = 6, 26, 36

// miner plays games and makes puzzles from their positions. In games without an exact solver the engine plays against itself,
// with occasional random moves. In games with an exact solver the moves are random, except that a side wins at once, or stops an
// immediate win of the opponent, if it can.
type miner struct {
	seed   uint64
	g      game.Game
	oracle puzzles.Oracle
	engine search.Searcher // engine for games without an exact solver
}

// newMiner returns a miner for the game of a spec, or an error if there are no puzzles for this game.
func newMiner(spec string, seed uint64) (*miner, error) {
	g, err := krow.Game(spec)
	if err != nil {
		return nil, err
	}
	m := &miner{seed: seed, g: g}
	return m, m.fresh()
}

// fresh clears all tables, so that the puzzles from a game do not depend on the games before it.
func (m *miner) fresh() (err error) {
	if m.oracle, err = puzzles.NewOracle(m.g); err != nil || m.oracle.Exact() {
		return err
	}
	m.engine, err = puzzles.Engine(m.g)
	return err
}

// The miner skips a threat whose proof takes more than probeNodes nodes. It makes no defence puzzle from a position in which
// more than probeMoves moves seem to save the game, according to searches with probeNodes nodes.
const probeNodes, probeMoves = 600, 6

// The first strayPlies moves of a game are random moves near the centre. After these moves, one move in strayEvery is a random
// move near the stones.
const (
	strayPlies = 5
	strayEvery = 12
)

// findPuzzles returns the puzzles from game number n, at most one of each theme. If winsOnly is true, it returns no defence
// puzzles, except in games with an exact solver.
func (m *miner) findPuzzles(ctx context.Context, n int, winsOnly bool) (all []puzzles.Puzzle, err error) {
	if err := m.fresh(); err != nil {
		return nil, err
	}
	themes := map[puzzles.Theme]bool{}
	err = m.playGame(ctx, n, func(p game.Position, plies int) error {
		puzzle, ok := m.makePuzzle(ctx, p, plies, winsOnly, themes)
		if ok && !themes[puzzle.Theme] {
			themes[puzzle.Theme] = true
			puzzle.From = fmt.Sprintf("self-play %d/%d", m.seed, n)
			all = append(all, puzzle)
		}
		return ctx.Err()
	})
	return all, err
}

// playGame plays game number n. It calls visit for each position, with the number of plies of the win that the engine has found
// there.
func (m *miner) playGame(ctx context.Context, n int, visit func(p game.Position, plies int) error) error {
	rng := rand.New(rand.NewPCG(m.seed, uint64(n)))
	p := m.g.Start()
	for p.Outcome() == game.Ongoing {
		if m.oracle.Exact() {
			if err := cmp.Or(visit(p, 0), ctx.Err()); err != nil {
				return err
			}
			p.Play(sensible(rng, p))
			continue
		}
		if p.Ply() < strayPlies {
			p.Play(near(rng, p, 2+strayPlies/2))
			continue
		}
		nodes := uint64(moveNodes)
		if connect6.Plays(m.g) {
			nodes = pairNodes
		}
		info, err := m.engine.Search(ctx, p, search.Limits{Nodes: nodes}, nil)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		plies, sign := info.Score.Distance()
		if !info.Solved || sign <= 0 {
			plies = 0
		}
		if err := visit(p, plies); err != nil {
			return err
		}
		turn := info.PV[:1]
		if connect6.Plays(m.g) {
			turn = info.PV[:min(len(info.PV), int(p.(game.Settable).Setup().Memory[0]))]
		}
		for _, move := range turn {
			if rng.IntN(strayEvery) == 0 {
				move = near(rng, p, 2)
			}
			if game.Legal(p, move) {
				p.Play(move)
			}
		}
	}
	return nil
}

// near returns a random move that does not lose at once, at most far columns and rows from the last stone or the centre.
func near(rng *rand.Rand, p game.Position, far int) game.Move {
	b := p.(game.Board)
	columns, rows := b.Size()
	x, y := columns/2, rows/2
	if history := p.AppendHistory(nil); p.Ply() >= strayPlies {
		last := b.Cell(history[len(history)-1])
		x, y = last%columns, last/columns
	}
	sound := game.AppendSound(nil, p)
	var close []game.Move
	for _, m := range sound {
		if max(abs(int(m)%columns-x), abs(int(m)/columns-y)) <= far {
			close = append(close, m)
		}
	}
	if len(close) > 0 {
		sound = close
	}
	return sound[rng.IntN(len(sound))]
}

// sensible returns a move that wins at once. If there is none, it returns a move that stops an immediate win of the opponent,
// otherwise a random move.
func sensible(rng *rand.Rand, p game.Position) game.Move {
	moves := p.AppendMoves(nil)
	rng.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
	me := p.Turn()
	for _, m := range moves {
		if game.After(p, m) == game.WinFor(me) {
			return m
		}
	}
	for _, m := range moves {
		if !puzzles.LosesAtOnce(p, m) {
			return m
		}
	}
	return moves[0]
}

// makePuzzle makes a puzzle from p, if p is suitable and had does not contain the theme of the puzzle.
func (m *miner) makePuzzle(ctx context.Context, p game.Position, plies int, winsOnly bool, had map[puzzles.Theme]bool) (puzzles.Puzzle, bool) {
	if m.oracle.Exact() {
		free, most := game.FreeCells(p), mostFreeColumns
		if strings.HasPrefix(m.g.String(), "ultimate") {
			most = mostFreeUltimate
		}
		if free < leastFree || free > most {
			return puzzles.Puzzle{}, false
		}
		return puzzles.Make(ctx, m.oracle, p)
	}
	switch {
	case connect6.Plays(m.g) && p.(game.Settable).Setup().Memory[0] < 2: // the turn has already begun
		return puzzles.Puzzle{}, false
	case connect6.Plays(m.g) && plies == 0 && !had[puzzles.Defence] && !winsOnly:
		return m.defencePair(ctx, p)
	case connect6.Plays(m.g) && (plies < puzzles.ShortestWin || plies > puzzles.LongestPairs || had[puzzles.VCF]):
		return puzzles.Puzzle{}, false
	case plies >= puzzles.ShortestWin && !(had[puzzles.VCF] && had[puzzles.VCT]) && !puzzles.Forced(p):
		return puzzles.Make(ctx, m.oracle, p)
	case plies == 0 && !had[puzzles.Defence] && !winsOnly:
		return m.defence(ctx, p)
	}
	return puzzles.Puzzle{}, false
}

// defence makes a puzzle of a position p, if the other side threatens to win and exactly one move stops it.
// After every other move the prover finds the win; after the saving move neither the prover nor the engine finds a win for either
// side.
func (m *miner) defence(ctx context.Context, p game.Position) (puzzles.Puzzle, bool) {
	threat := m.threat(ctx, p)
	if threat.Plies < puzzles.ShortestThreat {
		return puzzles.Puzzle{}, false
	}
	moves := p.AppendMoves(nil)
	onLine := map[game.Move]bool{}
	for _, c := range threat.Line {
		onLine[c] = true
	}
	slices.SortStableFunc(moves, func(x, y game.Move) int { return cmp.Compare(b2i(onLine[y]), b2i(onLine[x])) })
	var doubtful []game.Move
	for _, move := range moves {
		if v := puzzles.ValueAfter(ctx, m.oracle, p, move, probeNodes, puzzles.Loss); v.Sign >= 0 {
			doubtful = append(doubtful, move)
		}
		if len(doubtful) > probeMoves {
			return puzzles.Puzzle{}, false
		}
	}
	saving, hard := game.NoMove, threat
	for _, move := range doubtful {
		v := puzzles.ValueAfter(ctx, m.oracle, p, move, puzzles.OtherNodes, puzzles.Loss)
		if v.Sign < 0 {
			hard.Nodes = max(hard.Nodes, v.Nodes)
			continue
		}
		if saving != game.NoMove {
			return puzzles.Puzzle{}, false
		}
		saving = move
	}
	if saving == game.NoMove || !m.holds(ctx, p, []game.Move{saving}) {
		return puzzles.Puzzle{}, false
	}
	i := slices.Index(moves, saving)
	moves[0], moves[i] = moves[i], moves[0]
	hard.Line = []game.Move{saving}
	hard.Fours = false
	return puzzles.New(p, puzzles.Defence, hard, puzzles.Tempting(p, m.oracle, moves, onLine)), ctx.Err() == nil
}

// threat returns the win that the opponent would have if the side to move could pass.
func (m *miner) threat(ctx context.Context, p game.Position) puzzles.Verdict {
	q, ok := puzzles.Passed(p)
	if !ok {
		return puzzles.Verdict{}
	}
	return m.oracle.Value(ctx, q, probeNodes, puzzles.Win)
}

// holds reports whether neither the prover nor the engine finds a win for either side after the moves of a turn.
func (m *miner) holds(ctx context.Context, p game.Position, turn []game.Move) bool {
	for _, move := range turn {
		p.Play(move)
		defer p.Undo()
	}
	if p.Outcome() != game.Ongoing || m.oracle.Value(ctx, p, safeNodes, puzzles.Either).Known {
		return false
	}
	info, err := m.engine.Search(ctx, p, search.Limits{Nodes: safeNodes}, nil)
	return err == nil && !info.Solved
}

// mostTurns is the maximum number of turns that stop the threats in a defence puzzle of Connect6. If one stone stops all threats,
// the other stone is free, and there are more turns than this.
const mostTurns = 40

// defencePair makes a puzzle of a position p of Connect6, if the other side threatens to win and exactly one turn stops it. After
// every other turn that stops the threats the prover finds a win of the other side.
func (m *miner) defencePair(ctx context.Context, p game.Position) (puzzles.Puzzle, bool) {
	me := p.Turn()
	ends := puzzles.Sixes(p, me.Other())
	if len(ends) == 0 || len(puzzles.Sixes(p, me)) > 0 {
		return puzzles.Puzzle{}, false
	}
	turns := stops(p, ends)
	if len(turns) < 2 || len(turns) > mostTurns {
		return puzzles.Puzzle{}, false
	}
	wrong := len(turns) - 1
	var hard puzzles.Verdict
	for _, nodes := range []uint64{probeNodes, puzzles.OtherNodes} {
		turns = slices.DeleteFunc(turns, func(turn [2]game.Move) bool {
			p.Play(turn[0])
			v := puzzles.ValueAfter(ctx, m.oracle, p, turn[1], nodes, puzzles.Loss)
			p.Undo()
			if v.Sign < 0 {
				hard.Plies, hard.Nodes = max(hard.Plies, v.Plies+1), max(hard.Nodes, v.Nodes)
			}
			return v.Sign < 0
		})
		if len(turns) == 0 || len(turns) > probeMoves {
			return puzzles.Puzzle{}, false
		}
	}
	if len(turns) != 1 || hard.Plies < puzzles.ShortestWin || hard.Plies > puzzles.Longest || !m.holds(ctx, p, turns[0][:]) {
		return puzzles.Puzzle{}, false
	}
	hard.Line = turns[0][:]
	return puzzles.New(p, puzzles.Defence, hard, wrong), ctx.Err() == nil
}

func abs(n int) int { return max(n, -n) }

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
