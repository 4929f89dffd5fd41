// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/krow-lab/krow/app/analysis"
	"github.com/krow-lab/krow/app/gamefile"
	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// These errors end a game before it is over.
var (
	// errLeft is returned when the input of a person ends before the end of the game.
	errLeft = errors.New("the game was left unfinished")
	// errQuit is returned when a person types quit. The command then ends without an error.
	errQuit = errors.New("quit")
)

// typedGame is a game whose moves are typed line by line, or made by players.
type typedGame struct {
	p            game.Position
	names        [2]string
	seed         uint64
	players      [2]player.Player
	hinter       player.Player
	lim          search.Limits
	json, prompt bool
	keep         gamefile.Keeper
	opening      int    // number of moves that undo does not take back
	said         string // the last answer of the opening, in words; empty if it is a person's
	in           *bufio.Scanner
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

// boardJSON describes a position by its moves. It is printed as the answer to "board" and "undo", and at the end of a
// game.
type boardJSON struct {
	Final   bool   `json:"final,omitempty"`
	Plies   int    `json:"plies"`
	Turn    string `json:"turn,omitempty"` // side to move, while the game is in progress
	Moves   string `json:"moves"`          // moves after the position that was set up, or after the start of the game
	Outcome string `json:"outcome"`
	*startJSON
}

// startJSON contains the arguments of a game, with which it can be played again. It stands in the last object.
type startJSON struct {
	Game    string    `json:"game"`
	Players [2]string `json:"players"`
	Seed    uint64    `json:"seed"`
}

func newBoardJSON(p game.Position, final bool) boardJSON {
	b := boardJSON{Final: final, Plies: p.Ply(), Outcome: p.Outcome().String(), Moves: notation.FormatMoves(p.Game(), p.AppendHistory(nil))}
	if p.Outcome() == game.Ongoing {
		b.Turn = p.Turn().String()
	}
	return b
}

// playToEnd plays until the game is over or a person leaves.
func (t *typedGame) playToEnd(ctx context.Context) error {
	var err error
	if !t.json {
		t.printBoard()
	}
	for err == nil && t.p.Outcome() == game.Ongoing {
		err = t.playTurn(ctx)
	}
	err = unlessQuit(err)
	if err == nil && t.prompt && t.keep.File == "" && len(t.p.AppendHistory(nil)) > t.opening {
		fmt.Fprint(t.out, "save the game? [y/N] ")
		if answer, _ := t.readLine(ctx); strings.HasPrefix(strings.ToLower(answer), "y") {
			_, err = t.keep.Save(t.p)
		}
	}
	if t.json {
		last := newBoardJSON(t.p, true)
		last.startJSON = &startJSON{t.p.Game().String(), t.names, t.seed}
		if e := printJSON(t.out, last); err == nil {
			err = e
		}
	} else if err == nil && t.p.Outcome() != game.Ongoing {
		fmt.Fprintln(t.out, t.p.Outcome())
	}
	return err
}

// unlessQuit returns err, or nil if a person has typed quit.
func unlessQuit(err error) error {
	if errors.Is(err, errQuit) {
		return nil
	}
	return err
}

// playTurn lets the side to move make a move. A person may type another command instead.
func (t *typedGame) playTurn(ctx context.Context) error {
	side := t.p.Turn()
	if player.IsHuman(t.players[side]) {
		return t.readCommand(ctx, side)
	}
	if ctx.Err() != nil {
		return errLeft
	}
	info, err := analysis.Ask(ctx, t.players[side], t.p, t.lim, nil)
	if err != nil {
		return fmt.Errorf("%s (%s): %w", side, t.names[side], err)
	}
	t.p.Play(info.Moves[0])
	return t.printMove(side, info.Best)
}

// printMove shows the move that side has made.
func (t *typedGame) printMove(side game.Side, move string) error {
	if t.json {
		return printJSON(t.out, plyJSON{t.p.Ply(), side.String(), t.names[side], move, t.p.Outcome().String()})
	}
	fmt.Fprintf(t.out, "%d. %s (%s) plays %s\n", t.p.Ply(), side, t.names[side], move)
	if e, ok := t.players[side].(player.Explainer); ok {
		if text := e.Explain(t.p); text != "" {
			fmt.Fprintln(t.out, text)
		}
	}
	t.printBoard()
	return nil
}

// readCommand reads a line that a person types, and performs it: a move or another command.
func (t *typedGame) readCommand(ctx context.Context, side game.Side) error {
	if t.prompt {
		fmt.Fprintf(t.out, "%s to move: ", side)
	}
	text, err := t.readLine(ctx)
	if err != nil {
		if t.prompt {
			fmt.Fprintln(t.out)
		}
		return err
	}
	switch text {
	case "":
		return nil
	case "quit":
		return errQuit
	case "board":
		t.printBoard()
	case "save":
		name, err := t.keep.Save(t.p)
		if err == nil && !t.json {
			fmt.Fprintln(t.out, "saved as", name)
		}
		return err
	case "undo":
		t.undoTurn()
	case "moves":
		if m := newMovesJSON(t.p); t.json {
			return printJSON(t.out, m)
		} else {
			printMoves(t.out, m)
		}
	case "hint":
		return t.printHint(ctx)
	default:
		return t.playTyped(side, text)
	}
	return nil
}

// readLine returns the next line typed. A read cannot be interrupted, so a goroutine reads the line. The goroutine reads
// nothing after this line, because package tui may read standard input next.
func (t *typedGame) readLine(ctx context.Context) (string, error) {
	read := make(chan bool, 1)
	go func() { read <- t.in.Scan() }()
	select {
	case <-ctx.Done():
		return "", errLeft
	case more := <-read:
		if t.in.Err() != nil {
			return "", fmt.Errorf("standard input: %w", t.in.Err())
		}
		if !more {
			return "", errLeft
		}
		return strings.TrimSpace(t.in.Text()), nil
	}
}

// playTyped makes the move that a person typed. If the text is not a legal move, playTyped shows the error.
func (t *typedGame) playTyped(side game.Side, word string) error {
	m, err := t.p.Game().Parse(word)
	if err != nil {
		report(t.err, misusef("also understood: undo, hint, moves, board, save, quit", "%w", err))
		return nil
	}
	if err := game.Play(t.p, m); err != nil {
		report(t.err, err)
		return nil
	}
	return t.printMove(side, t.p.Game().Format(m))
}

// printBoard draws the board or, with --json, prints the moves.
func (t *typedGame) printBoard() {
	if t.json {
		printJSON(t.out, newBoardJSON(t.p, false))
		return
	}
	fmt.Fprint(t.out, notation.FormatPosition(t.p))
}

func (t *typedGame) printHint(ctx context.Context) error {
	info, err := analysis.Ask(ctx, t.hinter, t.p, t.lim, nil)
	if err != nil {
		return fmt.Errorf("hint: %w", err)
	}
	if t.json {
		return printJSON(t.out, hintJSON{info.Best})
	}
	fmt.Fprintf(t.out, "hint: %s\n", info.Best)
	return nil
}

// undoTurn takes moves back until a person is to move again, or only the opening is left.
func (t *typedGame) undoTurn() {
	_ = request.TakeBack(t.p, t.names, t.opening) // an error means that no move is left to take back
	t.printBoard()
}
