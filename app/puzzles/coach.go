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
	"github.com/krow-lab/krow/engine/connect4"
	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/engine/pente"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/search"
)

// ID names the puzzle: the same game and moves have the same name in every collection.
func (p *Puzzle) ID() string {
	sum := sha256.Sum256([]byte(p.Game + "\n" + p.Moves))
	return hex.EncodeToString(sum[:5])
}

// Why is the reason for the judgement of a move.
type Why string

// The reasons for the judgement of a move.
const (
	Solved Why = "solved" // nothing is left to find
	Goes   Why = "goes"   // right, and Reply is the answer to it
	Loses  Why = "loses"  // the other side wins by Line
	Draws  Why = "draws"  // best play, Line, is a draw
	Holds  Why = "holds"  // the other side stops the win with Line; that nothing else wins is not proved
	Other  Why = "other"  // of a puzzle in which nothing is proved: the engine prefers Line
)

// Answer is the reply to a person's move.
type Answer struct {
	Why   Why      `json:"why"`
	Reply string   `json:"reply,omitempty"`
	Line  []string `json:"line" nullable:"false" doc:"after the move and its reply: how it goes on, or how it fails"`
	Plies int      `json:"plies,omitempty" doc:"moves to the end, counted after this one"`
}

// The nodes with which a move is judged, and the most moves that a person must find against an exact solver.
const (
	judgeNodes = 60_000
	mostMoves  = 4
	lineMoves  = 7 // of a line of the engine, which proves nothing
)

// Answer judges a move in the puzzle, after the moves played since its position.
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
	start := pos.Ply()
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
	c := coach{p, o, pos, since, nil}
	if len(line) >= len(since) && slices.Equal(line[:len(since)], since) {
		c.rest = line[len(since):]
	}
	return c.answerMove(ctx)
}

// coach judges the last move of pos.
type coach struct {
	*Puzzle
	oracle Oracle
	pos    game.Position
	since  []game.Move // the moves since the puzzle's position
	rest   []game.Move // the puzzle's line after them, if they are its beginning
}

func (c *coach) answerMove(ctx context.Context) (Answer, error) {
	known := c.rest != nil     // the move is the puzzle's own
	me := c.pos.Turn().Other() // no puzzle is of a game in which a side moves twice
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
			return c.say(Solved, c.rest, 0), nil
		}
		line, err := notation.ParseMoves(c.pos.Game(), c.Line)
		if err != nil {
			return Answer{}, err
		}
		return c.say(Other, line, 0), nil
	}
	if known && c.Theme == Defence {
		return c.say(Solved, c.rest, 0), nil
	}
	v := c.oracle.Value(ctx, c.pos, judgeNodes, Either)
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	switch {
	case c.Theme == Defence && (v.Known && v.Sign <= 0 || !v.Known && !c.oracle.Exact()):
		// Another move that holds, where nothing is proved, is as good as the prover can tell.
		return c.say(Solved, c.oracle.Line(ctx, c.pos, v), 0), nil
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

// right plays the longest defence after a winning move, until nothing is left to find.
func (c *coach) right(ctx context.Context, v Verdict) Answer {
	rest := c.rest
	if len(rest) == 0 {
		rest = c.oracle.Line(ctx, c.pos, v)
	}
	found := (len(c.since) + 1) / 2
	if len(rest) < 2 || c.oracle.Exact() && found >= mostMoves {
		return c.say(Solved, rest, v.Plies)
	}
	a := c.say(Goes, nil, max(v.Plies-1, 0))
	a.Reply = c.pos.Game().Format(rest[0])
	return a
}

func (c *coach) say(why Why, line []game.Move, plies int) Answer {
	a := Answer{Why: why, Line: []string{}, Plies: plies}
	for _, m := range line {
		a.Line = append(a.Line, c.pos.Game().Format(m))
	}
	return a
}

// engineLine returns the engine's line in a position in which nothing is proved.
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

// Hint is a step of help: 1 tells the theme, 2 also where to look, 3 also the move.
type Hint struct {
	Theme Theme  `json:"theme"`
	Cells []int  `json:"cells" nullable:"false" doc:"the part of the board in which the move is; from step 2 on"`
	Move  string `json:"move,omitempty" doc:"in step 3"`
}

// Hint returns help for the next move, after the moves played since the puzzle's position.
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
		if len(line) > len(since) && slices.Equal(line[:len(since)], since) {
			move = line[len(since)]
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

// bestOf returns the first move of a proof that the side to move wins.
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

// region returns the cells of the part of the board in which a move is: a third of the columns and rows each way, or three
// columns where stones fall.
func region(b game.Board, m game.Move) (cells []int) {
	columns, rows := b.Size()
	at := b.Cell(m)
	wide, high := (columns+2)/3, (rows+2)/3
	x, y := at%columns/wide*wide, at/columns/high*high
	if b.Game().Moves() == columns { // stones fall
		y, high = 0, rows
	}
	for c := range columns * rows {
		if c%columns >= x && c%columns < x+wide && c/columns >= y && c/columns < y+high {
			cells = append(cells, c)
		}
	}
	return cells
}

// Of makes a puzzle of the position after moves. The puzzle is proved if exactly one move wins or saves. Otherwise it
// asks for the first move of line, which an engine prefers there.
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

// knows reports whether wins of the game can be proved.
func knows(g game.Game) bool {
	return gomoku.Plays(g) || pente.Plays(g) || connect4.Plays(g) || strings.HasPrefix(g.String(), "ultimate")
}
