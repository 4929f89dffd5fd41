// SPDX-License-Identifier: Apache-2.0

package puzzles

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/engine/atarigo"
	"github.com/krow-lab/krow/engine/connect4"
	"github.com/krow-lab/krow/engine/connect6"
	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/engine/pente"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/search"
)

// ID returns a name of the puzzle that depends only on its game and moves, so it is the same in every collection.
func (p *Puzzle) ID() string {
	sum := sha256.Sum256([]byte(p.Game + "\n" + p.Moves))
	return hex.EncodeToString(sum[:5])
}

// Why is the judgement of a move in a puzzle.
type Why string

// The judgements of a move.
const (
	Solved Why = "solved" // the move is right, and the puzzle is solved
	Goes   Why = "goes"   // the move is right, and the puzzle continues after the opponent's Reply
	Loses  Why = "loses"  // the move is wrong: the opponent wins with the moves of Line
	Draws  Why = "draws"  // the move is wrong: best play, which Line contains, leads to a draw
	Holds  Why = "holds"  // the move is probably wrong: the engine finds the defence in Line, which is no proof
	Other  Why = "other"  // the puzzle has no proof, and the engine prefers the moves of Line
)

// Answer is the judgement of a person's move, with the moves that follow.
type Answer struct {
	Why   Why      `json:"why"`
	Reply string   `json:"reply,omitempty" doc:"moves of the opponent's reply: two if a turn has two stones; none after the first stone of a turn"`
	Line  []string `json:"line" nullable:"false" doc:"moves after the reply: the rest of the solution, or the refutation of a wrong move"`
	Plies int      `json:"plies,omitempty" doc:"number of moves to the end of the game after this move"`
}

// judgeNodes is the maximum number of nodes of a search that judges a move. mostMoves is the maximum number of moves that a
// person must find in a game with an exact solver.
const (
	judgeNodes = 60_000
	mostMoves  = 4
	lineMoves  = 7 // maximum number of moves in a line of the engine
)

// Answer judges the next move of a person in a puzzle. The parameter played contains the moves made so far from the puzzle's
// position.
func (p *Puzzle) Answer(ctx context.Context, played, move string) (a Answer, err error) {
	a.Line = []string{}
	g, err := krow.Game(p.Game)
	if err != nil {
		return a, err
	}
	pos, _, err := p.Position(g)
	if err != nil {
		return a, err
	}
	line, err := notation.ParseMoves(g, p.Line)
	if err != nil {
		return a, err
	}
	start, me := pos.Ply(), pos.Turn()
	if err = notation.Play(pos, played); err != nil {
		return a, err
	}
	m, err := g.Parse(move)
	if err != nil {
		return a, &notation.MoveError{Word: move, Err: err}
	}
	if err = game.Play(pos, m); err != nil {
		return a, err
	}
	since := pos.AppendHistory(nil)[start:]
	o, err := NewOracle(g)
	if err != nil {
		return a, err
	}
	c := coach{p, o, pos, me, since, follow(pos, since, line)}
	return c.answerMove(ctx)
}

// follow returns the moves of line that come after the moves since, the last moves of pos. It returns nil if since is not the
// beginning of line. The order of two stones of one turn does not matter.
func follow(pos game.Position, since, line []game.Move) []game.Move {
	line, p := slices.Clone(line), pos.Clone()
	for range since {
		p.Undo()
	}
	for i, m := range since {
		side := p.Turn()
		p.Play(m)
		if i+1 < len(line) && m == line[i+1] && p.Turn() == side {
			line[i], line[i+1] = line[i+1], line[i]
		}
		if i >= len(line) || line[i] != m {
			return nil
		}
	}
	return line[len(since):]
}

// coach judges the last move that led to pos.
type coach struct {
	*Puzzle
	oracle Oracle
	pos    game.Position
	me     game.Side   // side of the person who solves the puzzle
	since  []game.Move // the moves played after the puzzle's position
	rest   []game.Move // the puzzle's line after the moves in since, or nil if the line does not begin with them
}

func (c *coach) answerMove(ctx context.Context) (Answer, error) {
	known := c.rest != nil // whether the person has followed the puzzle's line
	me := c.me
	if o := c.pos.Outcome(); o != game.Ongoing {
		switch {
		case o == game.WinFor(me), o == game.Draw && c.Theme == Defence:
			return c.say(Solved, nil, 0), nil
		case o == game.Draw:
			return c.say(Draws, nil, 0), nil
		}
		return c.say(Loses, nil, 0), nil
	}
	if c.Theme == Best {
		if known {
			return c.found(c.rest), nil
		}
		line, err := notation.ParseMoves(c.pos.Game(), c.Line)
		if err != nil {
			return Answer{}, err
		}
		return c.say(Other, line, 0), nil
	}
	if known && c.Theme == Defence {
		return c.found(c.rest), nil
	}
	v := c.oracle.Value(ctx, c.pos, judgeNodes, Either)
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	// The code below needs the value for the opponent, but v is the value for the side to move. Usually the opponent is to move.
	// In a game with two stones in a turn it can also be the person, who still has to place the second stone.
	if c.pos.Turn() == me {
		v.Sign = -v.Sign
	}
	switch {
	case c.Theme == Defence && (v.Known && v.Sign <= 0 || !v.Known && !c.oracle.Exact()):
		// If the oracle cannot prove every value, a move counts as right unless the oracle proves that it loses.
		return c.found(c.oracle.Line(ctx, c.pos, v)), nil
	case c.Theme != Defence && (known || v.Sign < 0):
		return c.right(ctx, v), nil
	case v.Sign > 0:
		return c.say(Loses, c.oracle.Line(ctx, c.pos, v), v.Plies), nil
	case v.Known:
		return c.say(Draws, c.oracle.Line(ctx, c.pos, v), 0), nil
	}
	line, err := c.engineLine(ctx)
	return c.say(Holds, line, 0), err
}

// right returns the answer to a winning move. The answer contains the opponent's reply that delays the loss longest, or it is
// Solved if the person has nothing left to find. After the first of the two stones of a turn there is no reply. In a game with
// two stones a turn, the person need not find the last turn of the win.
func (c *coach) right(ctx context.Context, v Verdict) Answer {
	rest := c.rest
	if len(rest) == 0 {
		rest = c.oracle.Line(ctx, c.pos, v)
	}
	found := (len(c.since) + 1) / 2
	pairs := inPairs(c.oracle)
	if pairs && c.pos.Turn() == c.me {
		return c.say(Goes, nil, v.Plies)
	}
	if len(rest) < 2 || pairs && len(rest) <= 4 || c.oracle.Exact() && found >= mostMoves {
		return c.say(Solved, rest, v.Plies)
	}
	a := c.say(Goes, nil, max(v.Plies-1, 0))
	a.Reply = c.pos.Game().Format(rest[0])
	if pairs {
		a.Reply += " " + c.pos.Game().Format(rest[1])
	}
	return a
}

// found returns the answer to a move after which nothing is left to find, except the second stone of a turn.
func (c *coach) found(line []game.Move) Answer {
	if c.pos.Turn() == c.me {
		return c.say(Goes, nil, 0)
	}
	return c.say(Solved, line, 0)
}

func (c *coach) say(why Why, line []game.Move, plies int) Answer {
	a := Answer{Why: why, Line: []string{}, Plies: plies}
	for _, m := range line {
		a.Line = append(a.Line, c.pos.Game().Format(m))
	}
	return a
}

// engineLine returns the best line of the engine, for a position in which nothing is proved.
func (c *coach) engineLine(ctx context.Context) ([]game.Move, error) {
	e, err := Engine(c.pos.Game())
	if err != nil {
		return nil, err
	}
	info, err := e.Search(ctx, c.pos, search.Limits{Nodes: judgeNodes}, nil)
	if err != nil {
		return nil, err
	}
	return info.PV[:min(len(info.PV), lineMoves)], ctx.Err()
}

// Hint is the help of one step. Step 1 shows the theme, step 2 also the part of the board that contains the move, and step 3
// also the move.
type Hint struct {
	Theme Theme  `json:"theme"`
	Cells []int  `json:"cells" nullable:"false" doc:"cells of the part of the board that contains the move; from step 2 on"`
	Move  string `json:"move,omitempty" doc:"the move to play; only in step 3"`
}

// Hint returns the help of the given step for the next move. The parameter played contains the moves made so far from the
// puzzle's position.
func (p *Puzzle) Hint(ctx context.Context, played string, step int) (h Hint, err error) {
	h = Hint{Theme: p.Theme, Cells: []int{}}
	g, err := krow.Game(p.Game)
	if err != nil {
		return h, err
	}
	pos, move, err := p.Position(g)
	if err != nil {
		return h, err
	}
	line, _ := notation.ParseMoves(g, p.Line)
	since, err := notation.ParseMoves(g, played)
	if err == nil {
		err = notation.Play(pos, played)
	}
	if err != nil {
		return h, err
	}
	if len(since) > 0 {
		if rest := follow(pos, since, line); len(rest) > 0 {
			move = rest[0]
		} else if move, err = bestOf(ctx, pos); err != nil {
			return h, err
		}
	}
	if step >= 2 {
		h.Cells = region(pos.(game.Board), move)
	}
	if step >= 3 {
		h.Move = g.Format(move)
	}
	return h, nil
}

// bestOf returns the first move of a proved win of the side to move, or an error if no win is proved.
func bestOf(ctx context.Context, p game.Position) (game.Move, error) {
	o, err := NewOracle(p.Game())
	if err != nil {
		return game.NoMove, err
	}
	v := o.Value(ctx, p, judgeNodes, Win)
	if v.Line = o.Line(ctx, p, v); len(v.Line) == 0 {
		return game.NoMove, fmt.Errorf("puzzle: no move is proved to win")
	}
	return v.Line[0], nil
}

// region returns the cells of the part of the board that contains the move. The part is a third of the columns wide and a third
// of the rows high, or in games with falling stones as high as the board.
func region(b game.Board, m game.Move) (cells []int) {
	columns, rows := b.Size()
	at := b.Cell(m)
	wide, high := (columns+2)/3, (rows+2)/3
	x, y := at%columns/wide*wide, at/columns/high*high
	if b.Game().Moves() == columns { // stones fall, so each move is a column
		y, high = 0, rows
	}
	for c := range columns * rows {
		if c%columns >= x && c%columns < x+wide && c/columns >= y && c/columns < y+high {
			cells = append(cells, c)
		}
	}
	return cells
}

// Of makes a puzzle of the position after moves. If Of can prove that exactly one move wins or saves the game, that move is
// the solution. Otherwise the solution is the first move of line, which must be the line that an engine prefers in the
// position.
func Of(ctx context.Context, spec, moves, line string) (Puzzle, error) {
	g, err := krow.Game(spec)
	if err != nil {
		return Puzzle{}, err
	}
	asked := Puzzle{Game: g.String(), Moves: moves, Line: line, Theme: Best}
	pos, _, err := asked.Position(g)
	if err != nil {
		return asked, err
	}
	asked.Moves = notation.FormatMoves(g, pos.AppendHistory(nil))
	if !knows(g) {
		return asked, nil
	}
	o, err := NewOracle(g)
	if err != nil {
		return asked, err
	}
	if made, ok := Make(ctx, o, pos); ok {
		return made, nil
	}
	return asked, ctx.Err()
}

// knows reports whether there is a prover of wins for the game.
func knows(g game.Game) bool {
	return gomoku.Plays(g) || pente.Plays(g) || connect6.Plays(g) || atarigo.Plays(g) || connect4.Plays(g) || strings.HasPrefix(g.String(), "ultimate")
}
