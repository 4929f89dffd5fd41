// SPDX-License-Identifier: Apache-2.0

package puzzles

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/search"
)

// Miner plays games and takes puzzles from them. In five in a row the engine plays against itself with stray moves; in the
// games with an exact solver the moves are drawn, but a win at hand is taken and a loss at hand is stopped.
type Miner struct {
	seed   uint64
	g      game.Game
	oracle oracle
	engine *gomoku.Searcher // of five in a row
}

// NewMiner returns a miner of the game that a spec names, or an error when there are no puzzles of this game.
func NewMiner(spec string, seed uint64) (*Miner, error) {
	g, err := krow.Game(spec)
	if err != nil {
		return nil, err
	}
	m := &Miner{seed: seed, g: g}
	return m, m.fresh()
}

// fresh forgets all that was found, so that what a game yields depends on its number alone.
func (m *Miner) fresh() (err error) {
	if m.oracle, err = newOracle(m.g); err != nil || m.oracle.exact() {
		return err
	}
	m.engine, err = gomoku.New(m.g, gomoku.Options{Hash: 4 << 20})
	return err
}

// The nodes for a move of a game, for the proof of a win, for each other move, which must not win, and for a move that
// must not lose.
const moveNodes, proofNodes, otherNodes, safeNodes = 1000, 20_000, 8000, 40_000

// The miner skips a threat whose proof takes more than probeNodes. It also skips a defence if more than probeMoves
// moves seem to hold after probeNodes.
const probeNodes, probeMoves = 600, 6

// The first strayPlies moves of a game are drawn near the middle, and then one in strayEvery near the stones.
const (
	strayPlies = 5
	strayEvery = 12
)

var errEnough = errors.New("enough")

// barrenGames is how many games may go by without what is looked for: on a small board it may never come.
const barrenGames = 500

// Puzzles returns the puzzles of game number n, at most one of each theme. With winsOnly, the puzzles in five in a
// row are wins.
func (m *Miner) Puzzles(ctx context.Context, n int, winsOnly bool) (all []Puzzle, err error) {
	if err := m.fresh(); err != nil {
		return nil, err
	}
	themes := map[Theme]bool{}
	err = m.game(ctx, n, func(p game.Position, plies int) error {
		puzzle, ok := m.look(ctx, p, plies, winsOnly, themes)
		if ok && !themes[puzzle.Theme] {
			themes[puzzle.Theme] = true
			puzzle.From = fmt.Sprintf("self-play %d/%d", m.seed, n)
			all = append(all, puzzle)
		}
		return ctx.Err()
	})
	return all, err
}

// game plays game number n and calls visit at each position, with the plies of the win that the engine announces there.
func (m *Miner) game(ctx context.Context, n int, visit func(p game.Position, plies int) error) error {
	rng := rand.New(rand.NewPCG(m.seed, uint64(n)))
	p := m.g.Start()
	for p.Outcome() == game.Ongoing {
		if m.oracle.exact() {
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
		info, err := m.engine.Search(ctx, p, search.Limits{Nodes: moveNodes}, nil)
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
		move := info.PV[0]
		if rng.IntN(strayEvery) == 0 {
			move = near(rng, p, 2)
		}
		p.Play(move)
	}
	return nil
}

// near returns a random move that is sound, and at most far columns and rows from the last stone or the centre.
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

func abs(n int) int { return max(n, -n) }

// sensible draws a move, but wins at once and stops a win at once where it can.
func sensible(rng *rand.Rand, p game.Position) game.Move {
	moves := p.AppendMoves(nil)
	rng.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
	me := p.Turn()
	for _, m := range moves {
		if after(p, m) == game.WinFor(me) {
			return m
		}
	}
	for _, m := range moves {
		if !losesAtOnce(p, m) {
			return m
		}
	}
	return moves[0]
}

// losesAtOnce reports whether the answer to m, or m itself, can end the game for the other side.
func losesAtOnce(p game.Position, m game.Move) bool {
	foe := game.WinFor(p.Turn().Other())
	p.Play(m)
	defer p.Undo()
	if p.Outcome() != game.Ongoing {
		return p.Outcome() == foe
	}
	return slices.ContainsFunc(p.AppendMoves(nil), func(a game.Move) bool { return after(p, a) == foe })
}

const (
	shortest, longest = 5, 25 // plies of a win
	longestExact      = 17    // and of one that an exact solver proves
	leastTempting     = 2     // with an exact solver: a move that is forced is no puzzle
	threatPlies       = 3     // the least of a threat that must be stopped: what is shorter is seen by everybody
	// Positions of the exact solvers have at least leastFree free cells, and at most one of the other two numbers.
	leastFree, mostFreeColumns, mostFreeUltimate = 6, 26, 36
)

// look makes a puzzle of p, if it is one and of a theme that is not had yet.
func (m *Miner) look(ctx context.Context, p game.Position, plies int, winsOnly bool, had map[Theme]bool) (Puzzle, bool) {
	if m.oracle.exact() {
		free, most := game.FreeCells(p), mostFreeColumns
		if _, drawn := m.oracle.(*ultimateOracle); drawn {
			most = mostFreeUltimate
		}
		if free < leastFree || free > most {
			return Puzzle{}, false
		}
		return makePuzzle(ctx, m.oracle, p)
	}
	switch {
	case plies >= shortest && !(had[VCF] && had[VCT]) && !forced(p):
		return makePuzzle(ctx, m.oracle, p)
	case plies == 0 && !had[Defence] && !winsOnly:
		return m.defence(ctx, p)
	}
	return Puzzle{}, false
}

// makePuzzle makes a puzzle of p, which is ongoing, if one move of several wins there and no other does, or if one move saves the
// game and every other loses, as far as the oracle can tell.
func makePuzzle(ctx context.Context, o oracle, p game.Position) (Puzzle, bool) {
	moves := p.AppendMoves(nil)
	if len(moves) < 2 {
		return Puzzle{}, false
	}
	v := o.value(ctx, p, proofNodes, win)
	switch {
	case !v.known || v.sign < 0 || v.sign > 0 && v.plies == 1:
		return Puzzle{}, false
	case v.sign == 0:
		return onlySaving(ctx, o, p, moves)
	}
	v.line = o.line(ctx, p, v)
	if v.plies == 0 {
		v.plies = len(v.line)
	}
	if len(v.line) == 0 || v.plies < shortest || v.plies > longest || o.exact() && v.plies > longestExact {
		return Puzzle{}, false
	}
	byDistance(p, moves, v.line[0])
	lures := tempting(p, o, moves, nil)
	if o.exact() && lures < leastTempting {
		return Puzzle{}, false
	}
	for _, other := range moves[1:] {
		if x := valueAfter(ctx, o, p, other, otherNodes, win); x.sign > 0 || o.exact() && !x.known {
			return Puzzle{}, false
		}
	}
	if fresh, err := newOracle(p.Game()); err == nil { // o remembers too much of the proof to tell how long it is
		v.nodes = fresh.value(ctx, p, proofNodes, win).nodes
	}
	return newPuzzle(p, theme(p, o, v), v, lures), ctx.Err() == nil
}

// forced reports whether all moves except at most one lose at once. A block of a four plays itself and is no puzzle.
// In a game that the miner plays, the same win appears again a move later.
func forced(p game.Position) bool {
	free := 0
	for _, m := range p.AppendMoves(nil) {
		if free += b2i(!losesAtOnce(p, m)); free > 1 {
			return false
		}
	}
	return true
}

// byDistance sorts moves by the distance of their cells from the cell of first, because a second winning move is
// mostly near.
func byDistance(p game.Position, moves []game.Move, first game.Move) {
	b, ok := p.(game.Board)
	if !ok {
		panic("puzzles: a game without a board")
	}
	columns, _ := b.Size()
	at := b.Cell(first)
	slices.SortStableFunc(moves, func(x, y game.Move) int {
		far := func(m game.Move) int {
			c := b.Cell(m)
			return max(abs(c%columns-at%columns), abs(c/columns-at/columns))
		}
		return cmp.Or(cmp.Compare(far(x), far(y)), cmp.Compare(x, y))
	})
	i := slices.Index(moves, first)
	copy(moves[1:i+1], moves[:i])
	moves[0] = first
}

// onlySaving makes a puzzle of a drawn position in which all moves but one lose, and not all of them at once.
func onlySaving(ctx context.Context, o oracle, p game.Position, moves []game.Move) (Puzzle, bool) {
	saving := game.NoMove
	hard := verdict{sign: -1}
	for _, m := range moves {
		v := valueAfter(ctx, o, p, m, otherNodes, either)
		switch {
		case !v.known || v.sign >= 0 && saving != game.NoMove:
			return Puzzle{}, false
		case v.sign >= 0:
			saving = m
		default:
			hard.plies, hard.nodes = max(hard.plies, v.plies), hard.nodes+v.nodes
		}
	}
	if saving == game.NoMove || hard.plies < threatPlies || hard.plies > longestExact {
		return Puzzle{}, false
	}
	i := slices.Index(moves, saving)
	moves[0], moves[i] = moves[i], moves[0]
	lures := tempting(p, o, moves, nil)
	if lures < leastTempting {
		return Puzzle{}, false
	}
	p.Play(saving)
	hard.line = []game.Move{saving}
	if p.Outcome() == game.Ongoing {
		hard.line = append(hard.line, o.line(ctx, p, verdict{})...)
	}
	p.Undo()
	return newPuzzle(p, Defence, hard, lures), ctx.Err() == nil
}

// defence makes a puzzle of p, in five in a row, if the other side threatens to win and one move alone stops that: after
// every other the prover finds the win, and after that one neither the prover nor the engine does.
func (m *Miner) defence(ctx context.Context, p game.Position) (Puzzle, bool) {
	threat := m.threat(ctx, p)
	if threat.plies < threatPlies {
		return Puzzle{}, false
	}
	moves := p.AppendMoves(nil)
	onLine := map[game.Move]bool{}
	for _, c := range threat.line {
		onLine[c] = true
	}
	slices.SortStableFunc(moves, func(x, y game.Move) int { return cmp.Compare(b2i(onLine[y]), b2i(onLine[x])) })
	var doubtful []game.Move
	for _, move := range moves {
		if v := valueAfter(ctx, m.oracle, p, move, probeNodes, loss); v.sign >= 0 {
			doubtful = append(doubtful, move)
		}
		if len(doubtful) > probeMoves {
			return Puzzle{}, false
		}
	}
	saving, hard := game.NoMove, threat
	for _, move := range doubtful {
		v := valueAfter(ctx, m.oracle, p, move, otherNodes, loss)
		if v.sign < 0 {
			hard.nodes = max(hard.nodes, v.nodes)
			continue
		}
		if saving != game.NoMove {
			return Puzzle{}, false
		}
		saving = move
	}
	if saving == game.NoMove || !m.holds(ctx, p, saving) {
		return Puzzle{}, false
	}
	i := slices.Index(moves, saving)
	moves[0], moves[i] = moves[i], moves[0]
	hard.line = []game.Move{saving}
	hard.fours = false
	return newPuzzle(p, Defence, hard, tempting(p, m.oracle, moves, onLine)), ctx.Err() == nil
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// threat returns the win that the other side would have if the side to move passed, with its own stone far from all others.
func (m *Miner) threat(ctx context.Context, p game.Position) verdict {
	b := p.(game.Board)
	columns, _ := b.Size()
	const far = 4
	pass := game.NoMove
	for _, move := range p.AppendMoves(nil) {
		at, alone := b.Cell(move), true
		for c, s := range b.Cells() {
			if s != game.Empty && max(abs(c%columns-at%columns), abs(c/columns-at/columns)) <= far {
				alone = false
				break
			}
		}
		if alone {
			pass = move
			break
		}
	}
	if pass == game.NoMove {
		return verdict{}
	}
	p.Play(pass)
	defer p.Undo()
	return m.oracle.value(ctx, p, probeNodes, win)
}

// holds reports whether neither the prover nor the engine finds a win of either side after a move.
func (m *Miner) holds(ctx context.Context, p game.Position, move game.Move) bool {
	if v := valueAfter(ctx, m.oracle, p, move, safeNodes, either); v.known {
		return false
	}
	p.Play(move)
	defer p.Undo()
	info, err := m.engine.Search(ctx, p, search.Limits{Nodes: safeNodes}, nil)
	return err == nil && !info.Solved
}

// newPuzzle returns the puzzle of p with the winning or saving line of v, and its grade.
func newPuzzle(p game.Position, t Theme, v verdict, tempting int) Puzzle {
	g := p.Game()
	puzzle := Puzzle{
		Game: g.String(), Moves: notation.FormatMoves(g, p.AppendHistory(nil)), Theme: t, Plies: v.plies,
		Line: notation.FormatMoves(g, v.line), Fours: v.fours, Tempting: tempting, Nodes: v.nodes,
	}
	puzzle.Grade = puzzle.grade()
	return puzzle
}
