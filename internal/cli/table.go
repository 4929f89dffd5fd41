// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// These end a game before it is over.
var (
	// errLeft is told when the moves of a person end before the game does.
	errLeft = errors.New("the game was left unfinished")
	// errQuit is what a person who says so leaves by, which is no failure.
	errQuit = errors.New("quit")
)

// table is a game typed line by line.
type table struct {
	p            game.Position
	names        [2]string
	players      [2]player.Player
	hinter       player.Player
	lim          search.Limits
	json, prompt bool
	opening      int         // moves that are not taken back
	in           <-chan line // nil where nobody types
	out, err     io.Writer
}

type plyJSON struct {
	Ply     int    `json:"ply"`
	Side    string `json:"side"`
	Player  string `json:"player"`
	Move    string `json:"move"`
	Outcome string `json:"outcome"`
}

type hintJSON struct {
	Hint string `json:"hint"`
}

// boardJSON is a position by its moves. It is the answer to "board" and "undo", and ends a game.
type boardJSON struct {
	Final   bool   `json:"final,omitempty"`
	Plies   int    `json:"plies"`
	Turn    string `json:"turn,omitempty"` // while the game goes on
	Moves   string `json:"moves"`          // since the position that was set up, if one was
	Outcome string `json:"outcome"`
}

func newBoardJSON(p game.Position) boardJSON {
	b := boardJSON{
		Plies: p.Ply(), Outcome: p.Outcome().String(),
		Moves: notation.FormatMoves(p.Game(), p.AppendHistory(nil)),
	}
	if p.Outcome() == game.Ongoing {
		b.Turn = p.Turn().String()
	}
	return b
}

// play plays to the end, or until a person leaves.
func (t *table) play(ctx context.Context) error {
	var err error
	if !t.json {
		t.show()
	}
	for err == nil && t.p.Outcome() == game.Ongoing {
		err = t.turn(ctx)
	}
	err = unlessQuit(err)
	if t.json {
		final := newBoardJSON(t.p)
		final.Final = true
		if e := printJSON(t.out, final); err == nil {
			err = e
		}
	} else if err == nil && t.p.Outcome() != game.Ongoing {
		fmt.Fprintln(t.out, t.p.Outcome())
	}
	return err
}

// unlessQuit returns err, or nil where a person has said to leave.
func unlessQuit(err error) error {
	if errors.Is(err, errQuit) {
		return nil
	}
	return err
}

// turn has whoever is to move make a move, or say something else.
func (t *table) turn(ctx context.Context) error {
	side := t.p.Turn()
	pl := t.players[side]
	if player.IsHuman(pl) {
		return t.ask(ctx, side)
	}
	if ctx.Err() != nil {
		return errLeft
	}
	m, err := pl.Move(ctx, t.p, t.lim)
	if err == nil {
		err = game.Play(t.p, m)
	}
	if err != nil {
		return fmt.Errorf("%s (%s): %w", side, t.names[side], err)
	}
	return t.tell(side, m)
}

// tell shows that side played m.
func (t *table) tell(side game.Side, m game.Move) error {
	name := t.p.Game().Format(m)
	if t.json {
		return printJSON(t.out, plyJSON{t.p.Ply(), side.String(), t.names[side], name, t.p.Outcome().String()})
	}
	fmt.Fprintf(t.out, "%d. %s (%s) plays %s\n", t.p.Ply(), side, t.names[side], name)
	t.show()
	return nil
}

// ask reads what a person types, and does it.
func (t *table) ask(ctx context.Context, side game.Side) error {
	if t.prompt {
		fmt.Fprintf(t.out, "%s to move: ", side)
	}
	var l line
	select {
	case l = <-t.in:
	case <-ctx.Done():
		l.err = errLeft
	}
	if l.err != nil {
		if t.prompt {
			fmt.Fprintln(t.out)
		}
		return l.err
	}
	switch l.text {
	case "":
		return nil
	case "quit":
		return errQuit
	case "board":
		t.show()
	case "undo":
		t.undo()
	case "moves":
		t.moves()
	case "hint":
		return t.hint(ctx)
	default:
		return t.typed(side, l.text)
	}
	return nil
}

// typed makes the move that a person typed, or says what is wrong with it.
func (t *table) typed(side game.Side, word string) error {
	m, err := t.p.Game().Parse(word)
	if err != nil {
		report(t.err, misusef("also understood: undo, hint, moves, board, quit", "%w", err))
		return nil
	}
	if err := game.Play(t.p, m); err != nil {
		report(t.err, err)
		return nil
	}
	return t.tell(side, m)
}

// show draws the board for people, and names the moves for programs.
func (t *table) show() {
	if t.json {
		printJSON(t.out, newBoardJSON(t.p))
		return
	}
	fmt.Fprint(t.out, notation.FormatPosition(t.p))
}

func (t *table) moves() {
	m := newMovesJSON(t.p)
	if t.json {
		printJSON(t.out, m)
		return
	}
	printMoves(t.out, m)
}

func (t *table) hint(ctx context.Context) error {
	m, err := t.hinter.Move(ctx, t.p, t.lim)
	if err != nil {
		return fmt.Errorf("hint: %w", err)
	}
	name := t.p.Game().Format(m)
	if t.json {
		return printJSON(t.out, hintJSON{name})
	}
	fmt.Fprintf(t.out, "hint: %s\n", name)
	return nil
}

// undo takes moves back until a person is to move again, or only the opening is left.
func (t *table) undo() {
	for n := len(t.p.AppendHistory(nil)); n > t.opening; n-- {
		t.p.Undo()
		if player.IsHuman(t.players[t.p.Turn()]) {
			break
		}
	}
	t.show()
}

// line is one that a person typed, or why there is none.
type line struct {
	text string
	err  error
}

// readLines reads lines on a goroutine of its own, since a read cannot be interrupted. The goroutine ends
// with the lines, or with ctx and one line more.
func readLines(ctx context.Context, r io.Reader) <-chan line {
	lines := make(chan line)
	go func() {
		in := bufio.NewScanner(r)
		for more := true; more; {
			var l line
			if more = in.Scan(); more {
				l.text = strings.TrimSpace(in.Text())
			} else if l.err = errLeft; in.Err() != nil {
				l.err = fmt.Errorf("standard input: %w", in.Err())
			}
			select {
			case lines <- l:
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}
