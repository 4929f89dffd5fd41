// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player/subprocess"
)

// Finding is the result of one check.
type Finding struct {
	Name      string
	Mandatory bool
	Err       error // nil if the program passed the check
}

// checks run one after the other. Each check starts a new process, which must first answer the script checkOpening. A script is
// a list of commands and the required answers:
//
//	OK|ERROR      a line that begins with one of these
//	move          a legal move; in 1s: within a turn's time of one second plus the margin
//	SWAP or 2     SWAP, or up to two legal moves; 3 moves: three
//
// BOARD and SWAP2BOARD are followed by their stones. TURN * plays the first free cell, and END must end the process.
var checks = []struct {
	name      string
	mandatory bool
	script    string
}{
	{"START is answered OK", true, ""},
	{"ABOUT is answered name=\"...\"", true, "ABOUT => NAME"},
	{"BEGIN is answered with a move", true, "BEGIN => move"},
	{"TURN is answered with a legal move", true, strings.Repeat("TURN * => move; ", 10)},
	{"BOARD is answered with a legal move", true, "BOARD 7,7,2 8,8,1 6,6,2 => move"},
	{"BOARD sets up another position in mid-game", true, "BEGIN => move; BOARD 7,7,2 8,8,1 6,6,2 => move"},
	{"BOARD is understood in any order of stones", true, "BOARD 8,8,1 9,9,1 7,7,2 6,6,2 => move"},
	{"INFO with an unknown key is passed over", true, "INFO krow_no_such_key 1; BEGIN => move"},
	// The answer to ABOUT shows that the brain has processed the INFO commands of checkOpening. Only then does the measured time
	// begin.
	{"a move comes within the turn's time", true, "ABOUT => NAME; " + strings.Repeat("TURN * => move in 1s; ", 3)},
	{"a move comes while little of the match is left", true, "INFO timeout_match 100000; INFO time_left 500; BEGIN => move in 500ms"},
	{"END ends the process within a second", true, "END"},
	{"END ends a process that thinks", false, "INFO timeout_turn 60000; BEGIN; END"},
	{"RESTART is answered OK, and empties the board", false, "TURN 7,7 => move; RESTART => OK; BEGIN => move"},
	{"RECTSTART is answered OK", false, "RECTSTART 20,15 => OK"},
	{"TAKEBACK is answered OK", false, "BOARD 7,7,2 8,8,1 6,6,2 => move; TAKEBACK 6,6 => OK"},
	{"PLAY is answered with its move", false, "PLAY 3,4 => 3,4"},
	{"SWAP2BOARD proposes three stones", false, "SWAP2BOARD => 3 moves"},
	{"SWAP2BOARD with three stones is answered SWAP, a move or two", false, "SWAP2BOARD 7,7 8,8 9,7 => SWAP or 2"},
	{"SWAP2BOARD with five stones is answered SWAP or a move", false, "SWAP2BOARD 7,7 8,8 9,7 3,3 11,4 => SWAP or 1"},
	{"an unknown command is answered UNKNOWN", false, "KROWNOSUCHCOMMAND => UNKNOWN|ERROR"},
	{"a move off the board is answered ERROR", false, "TURN 99,99 => ERROR|UNKNOWN"},
	{"a board too large is answered ERROR", false, "START 1000000 => ERROR|UNKNOWN"},
	{"exactly five is played (rule 1)", false, "INFO rule 1; BEGIN => move"},
	{"renju is played (rule 4)", false, "INFO rule 4; BEGIN => move"},
}

// checkOpening is the script with which every check begins.
const checkOpening = "START 15 => OK; INFO timeout_match 0; INFO max_memory 0; INFO game_type 1; INFO rule 0; " +
	"INFO timeout_turn 1000; INFO time_left 2147483647; "

// CheckMargin is the time by which the manager GomocupJudge lets an answer be late.
const CheckMargin = time.Second

// checkPatience is the time limit for an answer if the check sets no other limit.
const checkPatience = 10 * time.Second

// Check runs all checks on a program and reports each result in order. If the first check fails, Check runs no others, because all
// begin in the same way. An answer may be late by margin. The returned error is from ctx, or from starting the program.
func Check(ctx context.Context, path string, args []string, margin time.Duration, report func(Finding)) error {
	for i, c := range checks {
		p, err := subprocess.Launch(lineStyle, path, args, nil)
		if err != nil && i == 0 {
			return err
		}
		if err == nil {
			e := &examinee{ctx, p, emptyBoard(), margin}
			err = e.runScript(checkOpening + c.script)
			if e.p != nil {
				e.p.End(subprocess.Goodbye)
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		report(Finding{c.name, c.mandatory, err})
		if i == 0 && err != nil {
			return nil
		}
	}
	return nil
}

func emptyBoard() game.Board {
	g, err := variant{columns: 15, rows: 15}.game()
	if err != nil {
		panic(err) // cannot happen, because the game is a constant
	}
	return start(g)
}

// examinee contains a brain that is being checked, and the position that the brain must have on its board.
type examinee struct {
	ctx context.Context
	p   *subprocess.Process // nil after the process has ended
	b   game.Board

	margin time.Duration
}

// runScript runs a script and returns the first fault of the brain, or nil.
func (e *examinee) runScript(script string) error {
	for step := range strings.SplitSeq(strings.TrimSuffix(script, "; "), "; ") {
		command, want, _ := strings.Cut(step, " => ")
		word, rest := cut(command)
		if word == "END" {
			p := e.p
			e.p = nil
			if !p.End(subprocess.Goodbye + e.margin) {
				return errors.New("the program did not end, and was killed")
			}
			return nil
		}
		if strings.HasSuffix(rest, "*") {
			moves := e.b.AppendMoves(nil)
			if len(moves) == 0 {
				return nil // the game is over
			}
			command = fmt.Sprintf("%s %v", word, pointOf(e.b, moves[0]))
		}
		if err := e.do(command, want); err != nil {
			return err
		}
	}
	return nil
}

// do sends a command and checks the answer, unless want is empty.
func (e *examinee) do(command, want string) (err error) {
	text := command
	switch word, rest := cut(command); word {
	case "RESTART":
		e.b = emptyBoard()
	case "TURN":
		if strings.HasPrefix(want, "move") {
			err = e.playAll([]string{rest})
		}
	case "BOARD", "SWAP2BOARD":
		lines := strings.Fields(rest)
		text = strings.Join(append(append([]string{word}, lines...), "DONE"), "\r\n")
		if word == "SWAP2BOARD" {
			err = e.playAll(lines)
			break
		}
		var stones []placed
		if stones, err = parseStones(lines, len(e.b.Cells()), false); err == nil {
			e.b, err = setBoard(emptyBoard(), stones)
		}
	}
	if err == nil {
		err = e.p.Send("%s", text)
	}
	if err != nil || want == "" {
		return err
	}
	within := checkPatience
	if _, in, ok := strings.Cut(want, " in "); ok {
		if within, err = time.ParseDuration(in); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(e.ctx, within+e.margin)
	defer cancel()
	line, err := nextAnswer(ctx, e.p)
	if errors.Is(err, context.DeadlineExceeded) && e.ctx.Err() == nil {
		return fmt.Errorf("no answer in %v%s", within+e.margin, e.p.Context())
	}
	if err != nil {
		return err
	}
	return e.judge(command, line, want)
}

// judge returns an error if the line is not the wanted answer. If the answer consists of moves, judge plays them on the board.
func (e *examinee) judge(command, line, want string) error {
	least, most := 1, 1
	switch {
	case strings.HasPrefix(want, "move"):
	case strings.HasSuffix(want, " moves"):
		least, most = 3, 3
	case strings.HasPrefix(want, "SWAP or "):
		if word, _ := cut(line); word == "SWAP" {
			return nil
		}
		most = int(want[len(want)-1] - '0')
	default:
		if !slices.ContainsFunc(strings.Split(want, "|"), func(w string) bool { return strings.HasPrefix(strings.ToUpper(line), w) }) {
			return fmt.Errorf("%q answered %q", command, subprocess.Shown(line))
		}
		return nil
	}
	moves := strings.Fields(line)
	if len(moves) < least || len(moves) > most {
		return fmt.Errorf("the answer to %q was %q, not %s", command, subprocess.Shown(line), want)
	}
	if err := e.playAll(moves); err != nil {
		return fmt.Errorf("the answer to %q was %q: %w", command, subprocess.Shown(line), err)
	}
	return nil
}

func (e *examinee) playAll(points []string) error {
	for _, text := range points {
		pt, err := parsePoint(text)
		if err == nil {
			err = playPoint(e.b, pt)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
