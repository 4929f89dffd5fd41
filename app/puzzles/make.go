// SPDX-License-Identifier: Apache-2.0

package puzzles

import (
	"cmp"
	"context"
	"slices"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
)

func abs(n int) int { return max(n, -n) }

// LosesAtOnce reports whether the other side has won after m, or can win by its next move.
func LosesAtOnce(p game.Position, m game.Move) bool {
	foe := game.WinFor(p.Turn().Other())
	p.Play(m)
	defer p.Undo()
	if p.Outcome() != game.Ongoing {
		return p.Outcome() == foe
	}
	return slices.ContainsFunc(p.AppendMoves(nil), func(a game.Move) bool { return game.After(p, a) == foe })
}

// proofNodes is the maximum number of nodes for the proof that the right move wins. OtherNodes is the maximum number of
// nodes for the search after each other move; this search must find no win. pairNodes takes the place of OtherNodes in games
// with two stones a turn.
const proofNodes, OtherNodes, pairNodes = 20_000, 8000, 400

// ShortestWin is the minimum number of plies of a win in a puzzle, and ShortestThreat the minimum for a threat that must be
// stopped. Shorter wins and threats are too easy.
const ShortestWin, ShortestThreat = 5, 3

const (
	Longest      = 25 // maximum number of plies of a win
	longestExact = 17 // maximum number of plies of a win in games with an exact solver
	LongestPairs = 14 // maximum number of plies of a win in Connect6: seven turns, of which four are the winner's
	// The minimum number of wrong moves that look good, as Tempting counts them, in games with an exact solver. A puzzle with
	// fewer such moves would be trivial.
	leastTempting = 2
)

// Make makes a puzzle of p, which must be ongoing with at least two moves. It returns true if exactly one move wins, or if
// exactly one move does not lose, as far as the oracle can prove this.
func Make(ctx context.Context, o Oracle, p game.Position) (Puzzle, bool) {
	moves := p.AppendMoves(nil)
	if len(moves) < 2 {
		return Puzzle{}, false
	}
	v := o.Value(ctx, p, proofNodes, Win)
	switch {
	case !v.Known || v.Sign < 0 || v.Sign > 0 && v.Plies == 1:
		return Puzzle{}, false
	case v.Sign == 0:
		return onlySaving(ctx, o, p, moves)
	}
	v.Line = o.Line(ctx, p, v)
	if v.Plies == 0 {
		v.Plies = len(v.Line)
	}
	if len(v.Line) == 0 || v.Plies < ShortestWin || v.Plies > Longest || o.Exact() && v.Plies > longestExact {
		return Puzzle{}, false
	}
	byDistance(p, moves, v.Line[0])
	lures := Tempting(p, o, moves, nil)
	if o.Exact() && lures < leastTempting {
		return Puzzle{}, false
	}
	if !onlyWins(ctx, o, p, v.Line) {
		return Puzzle{}, false
	}
	// A new oracle counts the nodes, because the table of o already contains the proof, so o would count too few nodes.
	if fresh, err := NewOracle(p.Game()); err == nil {
		v.Nodes = fresh.Value(ctx, p, proofNodes, Win).Nodes
	}
	return New(p, theme(p, o, v), v, lures), ctx.Err() == nil
}

// onlyWins reports whether only the first move of line wins, as far as the oracle can prove. If the first two moves of line
// belong to one turn, their order does not matter. Then onlyWins reports whether only this pair of moves wins.
func onlyWins(ctx context.Context, o Oracle, p game.Position, line []game.Move) bool {
	right, nodes := line[:1], uint64(OtherNodes)
	if inPairs(o) {
		nodes = pairNodes
	}
	me := p.Turn()
	p.Play(line[0])
	if p.Outcome() == game.Ongoing && p.Turn() == me {
		right = line[:2]
	}
	p.Undo()
	moves := p.AppendMoves(nil)
	byDistance(p, moves, line[0])
	for _, m := range moves {
		if slices.Contains(right, m) {
			continue
		}
		if x := ValueAfter(ctx, o, p, m, nodes, Win); x.Sign > 0 || o.Exact() && !x.Known {
			return false
		}
	}
	if len(right) == 1 {
		return true
	}
	for i, first := range right {
		p.Play(first)
		only := onlyWins(ctx, o, p, right[1-i:2-i])
		p.Undo()
		if !only {
			return false
		}
	}
	return true
}

// Forced reports whether there is at most one legal move that does not lose at once, for example because a four must be
// blocked. Such a position is no puzzle. If the forced move is part of a win, the side still has this win when it is to move
// again, and that later position may become a puzzle.
func Forced(p game.Position) bool {
	free := 0
	for _, m := range p.AppendMoves(nil) {
		if free += b2i(!LosesAtOnce(p, m)); free > 1 {
			return false
		}
	}
	return true
}

// byDistance sorts moves by the distance of their cells from the cell of first, because a second winning move is usually near
// the first.
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

// onlySaving makes a puzzle of a drawn position in which every move except one loses. At least one of the losing moves must
// lose only after several plies.
func onlySaving(ctx context.Context, o Oracle, p game.Position, moves []game.Move) (Puzzle, bool) {
	saving := game.NoMove
	hard := Verdict{Sign: -1}
	for _, m := range moves {
		v := ValueAfter(ctx, o, p, m, OtherNodes, Either)
		switch {
		case !v.Known || v.Sign >= 0 && saving != game.NoMove:
			return Puzzle{}, false
		case v.Sign >= 0:
			saving = m
		default:
			hard.Plies, hard.Nodes = max(hard.Plies, v.Plies), hard.Nodes+v.Nodes
		}
	}
	if saving == game.NoMove || hard.Plies < ShortestThreat || hard.Plies > longestExact {
		return Puzzle{}, false
	}
	i := slices.Index(moves, saving)
	moves[0], moves[i] = moves[i], moves[0]
	lures := Tempting(p, o, moves, nil)
	if lures < leastTempting {
		return Puzzle{}, false
	}
	p.Play(saving)
	hard.Line = []game.Move{saving}
	if p.Outcome() == game.Ongoing {
		hard.Line = append(hard.Line, o.Line(ctx, p, Verdict{})...)
	}
	p.Undo()
	return New(p, Defence, hard, lures), ctx.Err() == nil
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// New returns a puzzle of p with the winning or saving line of v. It also sets the grade of the puzzle.
func New(p game.Position, t Theme, v Verdict, tempting int) Puzzle {
	g := p.Game()
	puzzle := Puzzle{
		Game: g.String(), Moves: notation.FormatMoves(g, p.AppendHistory(nil)), Theme: t, Plies: v.Plies,
		Line: notation.FormatMoves(g, v.Line), Fours: v.Fours, Tempting: tempting, Nodes: v.Nodes,
	}
	puzzle.Grade = puzzle.grade()
	return puzzle
}
