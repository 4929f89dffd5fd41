// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
)

// Finding is what became of one check.
type Finding struct {
	Name      string
	Mandatory bool
	Err       error // nil: the brain passed
}

// checkTurn is the time of a move in a check, and checkPatience how long an answer may take that has no such time.
const (
	checkTurn     = time.Second
	checkMargin   = time.Second // GomocupJudge tolerates as much
	checkPatience = 10 * time.Second
)

// examinee is a brain under a check, and the board as it must have it.
type examinee struct {
	ctx context.Context
	p   *process
	b   game.Board
}

// checks are run one after the other, each on a process of its own that has been sent START 15 and answered it.
var checks = []struct {
	name      string
	mandatory bool
	run       func(e *examinee) error
}{
	{"START is answered OK", true, func(*examinee) error { return nil }},
	{"ABOUT is answered name=\"...\"", true, (*examinee).checkAbout},
	{"BEGIN is answered with a move", true, func(e *examinee) error { return e.moves("BEGIN") }},
	{"TURN is answered with a legal move", true, (*examinee).checkTurns},
	{"BOARD is answered with a legal move", true, func(e *examinee) error { return e.board("7,7,2", "8,8,1", "6,6,2") }},
	{"BOARD sets up another position in mid-game", true, func(e *examinee) error {
		return errors.Join(e.moves("BEGIN"), e.board("7,7,2", "8,8,1", "6,6,2"))
	}},
	{"BOARD is understood in any order of stones", true, func(e *examinee) error { return e.board("8,8,1", "9,9,1", "7,7,2", "6,6,2") }},
	{"INFO with an unknown key is passed over", true, func(e *examinee) error {
		return errors.Join(e.p.send("INFO krow_no_such_key 1"), e.moves("BEGIN"))
	}},
	{"a move comes within the turn's time", true, (*examinee).checkTime},
	{"a move comes while little of the match is left", true, func(e *examinee) error {
		err := errors.Join(e.p.send("INFO timeout_match 100000"), e.p.send("INFO time_left 500"))
		return errors.Join(err, e.timed("BEGIN", 500*time.Millisecond))
	}},
	{"END ends the process within a second", true, (*examinee).checkEnd},
	{"END ends a process that thinks", false, func(e *examinee) error {
		return errors.Join(e.p.send("INFO timeout_turn 60000"), e.p.send("BEGIN"), e.checkEnd())
	}},
	{"RESTART is answered OK, and empties the board", false, func(e *examinee) error {
		err := errors.Join(e.moves("TURN 7,7"), e.says("RESTART", "OK"))
		e.b = emptyBoard()
		return errors.Join(err, e.moves("BEGIN"))
	}},
	{"RECTSTART is answered OK", false, func(e *examinee) error { return e.says("RECTSTART 20,15", "OK") }},
	{"TAKEBACK is answered OK", false, func(e *examinee) error {
		return errors.Join(e.board("7,7,2", "8,8,1", "6,6,2"), e.says("TAKEBACK 6,6", "OK"))
	}},
	{"PLAY is answered with its move", false, func(e *examinee) error { return e.says("PLAY 3,4", "3,4") }},
	{"SWAP2BOARD proposes three stones", false, (*examinee).checkSwap2},
	{"SWAP2BOARD with three stones is answered SWAP, a move or two", false, func(e *examinee) error { return e.swap2(2, "7,7", "8,8", "9,7") }},
	{"SWAP2BOARD with five stones is answered SWAP or a move", false, func(e *examinee) error {
		return e.swap2(1, "7,7", "8,8", "9,7", "3,3", "11,4")
	}},
	{"an unknown command is answered UNKNOWN", false, func(e *examinee) error { return e.says("KROWNOSUCHCOMMAND", "UNKNOWN", "ERROR") }},
	{"a move off the board is answered ERROR", false, func(e *examinee) error { return e.says("TURN 99,99", "ERROR", "UNKNOWN") }},
	{"a board too large is answered ERROR", false, func(e *examinee) error { return e.says("START 1000000", "ERROR", "UNKNOWN") }},
	{"exactly five is played (rule 1)", false, func(e *examinee) error { return errors.Join(e.p.send("INFO rule 1"), e.moves("BEGIN")) }},
	{"renju is played (rule 4)", false, func(e *examinee) error { return errors.Join(e.p.send("INFO rule 4"), e.moves("BEGIN")) }},
}

// Check runs a brain through everything that the protocol asks of it, and calls report for each check, in order; for the
// first alone where that one fails, since all others begin like it. The error is that of ctx, or of a program that cannot
// be started at all.
func Check(ctx context.Context, path string, args []string, report func(Finding)) error {
	for i, c := range checks {
		p, err := launch(path, args)
		if err != nil && i == 0 {
			return err
		}
		if err == nil {
			e := &examinee{ctx, p, emptyBoard()}
			if err = e.start(); err == nil {
				err = c.run(e)
			}
			if e.p != nil {
				e.p.end(ending)
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		report(Finding{c.name, c.mandatory, first(err)})
		if i == 0 && err != nil {
			return nil
		}
	}
	return nil
}

// first returns the first of joined errors: the others follow from it.
func first(err error) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return first(joined.Unwrap()[0])
	}
	return err
}

func emptyBoard() game.Board {
	g, err := variant{columns: 15, rows: 15, k: usualK}.game()
	if err != nil {
		panic(err) // a constant
	}
	b, ok := g.Start().(game.Board)
	if !ok {
		panic("gomocup: gomoku has no board")
	}
	return b
}

// start begins the game of the checks.
func (e *examinee) start() error {
	if err := e.says("START 15", "OK"); err != nil {
		return err
	}
	for _, s := range []string{"timeout_match 0", "max_memory 0", "game_type 1", "rule 0", "timeout_turn 1000", "time_left 2147483647"} {
		if err := e.p.send("INFO %s", s); err != nil {
			return err
		}
	}
	return nil
}

// line sends a command and returns the first line that is not for people.
func (e *examinee) line(command string, within time.Duration) (string, error) {
	if err := e.p.send("%s", command); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(e.ctx, within)
	defer cancel()
	for {
		line, err := e.p.next(ctx)
		if errors.Is(err, context.DeadlineExceeded) && e.ctx.Err() == nil {
			return "", fmt.Errorf("no answer in %v%s", within, e.p.context())
		}
		if err != nil {
			return "", err
		}
		if word, _ := cut(line); !isTalk(word) {
			return line, nil
		}
	}
}

// says sends a command that must be answered with a line that begins with one of these.
func (e *examinee) says(command string, want ...string) error {
	line, err := e.line(command, checkPatience)
	if err != nil {
		return err
	}
	for _, w := range want {
		if strings.HasPrefix(strings.ToUpper(line), w) {
			return nil
		}
	}
	return fmt.Errorf("%q answered %q", command, shown(line))
}

// moves sends a command that must be answered with a legal move, and plays that.
func (e *examinee) moves(command string) error { return e.timed(command, checkPatience) }

func (e *examinee) timed(command string, turn time.Duration) error {
	if word, rest := cut(command); word == "TURN" {
		pt, err := parsePoint(rest)
		if err == nil {
			err = playPoint(e.b, pt)
		}
		if err != nil {
			return err
		}
	}
	line, err := e.line(command, turn+checkMargin)
	if err != nil {
		return err
	}
	pt, err := parsePoint(line)
	if err != nil {
		return fmt.Errorf("%q answered %q, which is no move", command, shown(line))
	}
	return playPoint(e.b, pt)
}

// board sends a position that must be answered with a legal move.
func (e *examinee) board(stones ...string) error {
	e.b = emptyBoard()
	l := block{limit: len(e.b.Cells())}
	for _, s := range stones {
		l.add(s)
	}
	s := session{b: e.b}
	if err := s.setBoard(l.stone); err != nil {
		return err
	}
	e.b = s.b
	return e.moves("BOARD\r\n" + strings.Join(stones, "\r\n") + "\r\nDONE")
}

func (e *examinee) checkAbout() error { return e.says("ABOUT", "NAME") }

// checkTurns plays ten moves against the brain, each the first free cell.
func (e *examinee) checkTurns() error {
	for range 10 {
		moves := e.b.AppendMoves(nil)
		if len(moves) == 0 {
			return nil // it has won, or lost
		}
		if err := e.moves("TURN " + pointOf(e.b, moves[0]).String()); err != nil {
			return err
		}
	}
	return nil
}

// checkTime asks for ABOUT first, so that what INFO asked for is done when the time begins.
func (e *examinee) checkTime() error {
	if err := e.checkAbout(); err != nil {
		return err
	}
	for _, command := range []string{"TURN 7,7", "TURN 0,0", "TURN 14,14"} {
		pt, err := parsePoint(strings.TrimPrefix(command, "TURN "))
		if err != nil {
			return err
		}
		if cell, err := cellAt(e.b, pt); err != nil || e.b.Cells()[cell] != game.Empty {
			continue
		}
		if err := e.timed(command, checkTurn); err != nil {
			return err
		}
	}
	return nil
}

// checkEnd ends the process, which is then no more.
func (e *examinee) checkEnd() error {
	p := e.p
	e.p = nil
	if !p.end(ending + checkMargin) {
		return errors.New("it goes on, and was killed")
	}
	return nil
}

func (e *examinee) checkSwap2() error {
	line, err := e.line("SWAP2BOARD\r\nDONE", checkPatience)
	if err != nil {
		return err
	}
	if n := len(strings.Fields(line)); n != 3 {
		return fmt.Errorf("an empty board answered %q, which is not three stones", shown(line))
	}
	return e.playAll(line)
}

// swap2 sends these stones, which must be answered with SWAP or with up to so many legal moves.
func (e *examinee) swap2(most int, stones ...string) error {
	if err := e.playAll(strings.Join(stones, " ")); err != nil {
		return err
	}
	line, err := e.line("SWAP2BOARD\r\n"+strings.Join(stones, "\r\n")+"\r\nDONE", checkPatience)
	if err != nil {
		return err
	}
	if word, _ := cut(line); word == "SWAP" {
		return nil
	}
	if n := len(strings.Fields(line)); n < 1 || n > most {
		return fmt.Errorf("answered %q, which is neither SWAP nor up to %d moves", shown(line), most)
	}
	return e.playAll(line)
}

// playAll plays the points of a line.
func (e *examinee) playAll(line string) error {
	for _, text := range strings.Fields(line) {
		pt, err := parsePoint(text)
		if err == nil {
			err = playPoint(e.b, pt)
		}
		if err != nil {
			return fmt.Errorf("answered %q: %w", shown(line), err)
		}
	}
	return nil
}
