// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/clock"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/subprocess"
	"github.com/krow-lab/krow/search"
)

// Options name the program to run, with its arguments and limits.
type Options = subprocess.Options

var (
	_ player.Starter = (*Program)(nil)
	_ player.Clocked = (*Program)(nil)
)

// Program is a player whose moves come from a brain in another process. The process is started by Start or the first Move. The
// process is killed, with its children, after an error, when it exceeds its time, and when the player is closed.
type Program struct {
	*subprocess.Program
	g     game.Game
	set   variant
	known []game.Move // all moves that the brain has on its board
	told  telling     // the limits last sent to the brain
	// silent is true if the brain accepted the INFO commands without a complaint, and then answered ABOUT.
	silent bool
}

// telling contains the limits of a move in the form in which INFO commands send them to the program.
type telling struct {
	turn  int64
	nodes uint64
	depth int
}

// NewProgram returns a player of g. The protocol must support g. NewProgram does not start the process.
func NewProgram(g game.Game, o Options) (*Program, error) {
	set, err := variantOf(g)
	if err != nil {
		return nil, err
	}
	p := &Program{g: g, set: set}
	p.Program = subprocess.NewProgram(lineStyle, o, p.beginGame)
	p.Clock = clock.New(clock.Control{Match: o.Match, Margin: p.Margin})
	return p, nil
}

// Move asks the program for its move. Errors wrap player.ErrTimeout or player.ErrCrashed, or are a
// *game.IllegalMoveError.
func (p *Program) Move(ctx context.Context, pos game.Position, lim search.Limits) (m game.Move, err error) {
	err = p.question(ctx, pos, lim, func(ctx context.Context, b game.Board) error {
		m, err = p.askMove(ctx, b)
		return err
	})
	if err != nil {
		return game.NoMove, err
	}
	return m, nil
}

// lineStyle describes the lines of the Gomocup protocol. Breath, the pause before a line that is sent, is needed for Rapfi
// 0.43: this program loses a command that arrives at the moment when the program stops thinking.
var lineStyle = subprocess.Style{End: "\r\n", Bye: "END", MaxLine: maxLine, Breath: 5 * time.Millisecond}

// nextAnswer returns the next line that is not a message or debug output for people.
func nextAnswer(ctx context.Context, p *subprocess.Process) (string, error) {
	for {
		line, err := p.Next(ctx)
		if err != nil {
			return "", err
		}
		if word, _ := cut(line); word != "MESSAGE" && word != "DEBUG" && word != "INFO" {
			return line, nil
		}
	}
}

// question starts the program if necessary, sends it the limits, and calls ask, which asks the program about pos. It subtracts
// the time of these steps from the remaining time.
func (p *Program) question(ctx context.Context, pos game.Position, lim search.Limits, ask func(context.Context, game.Board) error) error {
	p.Lock()
	defer p.Unlock()
	if err := p.Ready(ctx); err != nil {
		return err
	}
	start := time.Now()
	err := p.inTime(ctx, pos, lim, start, ask)
	if inTime := p.Clock.Spend(time.Since(start)); err == nil && !inTime {
		err = player.ErrTimeout
	}
	if err != nil {
		return p.Fail(err)
	}
	return nil
}

func (p *Program) inTime(
	ctx context.Context, pos game.Position, lim search.Limits, start time.Time, ask func(context.Context, game.Board) error,
) error {
	b, ok := pos.(game.Board)
	if !ok || pos.Game().String() != p.g.String() {
		return fmt.Errorf("asked to play %s, but made for %s", pos.Game(), p.g)
	}
	turn := lim.Time
	switch {
	case p.Clocked:
		turn = p.Clock.Control().Turn
	case turn == 0:
		turn = p.Turn
	}
	most := min(turn, p.Clock.Most())
	// ctx may be done when the time of the move is over. Even then the program may still answer within the time Margin.
	within, cancel := p.within(ctx, start.Add(most))
	defer cancel()
	err := p.tellLimits(lim, turn)
	if err == nil {
		err = ask(within, b)
	}
	if err != nil && within.Err() != nil {
		if ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return ctx.Err()
		}
		return p.Late(most)
	}
	return err
}

// within returns a context that gives the program p.Margin more time. The context is done p.Margin after the time until, or
// p.Margin after ctx is done, whichever comes first.
func (p *Program) within(ctx context.Context, until time.Time) (context.Context, context.CancelFunc) {
	c, cancel := context.WithDeadline(context.WithoutCancel(ctx), until.Add(p.Margin))
	stop := context.AfterFunc(ctx, func() {
		t := time.AfterFunc(p.Margin, cancel)
		context.AfterFunc(c, func() { t.Stop() })
	})
	return c, func() { stop(); cancel() }
}

func (p *Program) askMove(ctx context.Context, b game.Board) (game.Move, error) {
	if err := p.tellPosition(b); err != nil {
		return game.NoMove, err
	}
	line, err := p.awaitAnswer(ctx)
	if err != nil {
		return game.NoMove, err
	}
	pt, err := parsePoint(line)
	if err != nil {
		return game.NoMove, fmt.Errorf("answered %q, which is not a move", subprocess.Shown(line))
	}
	m, err := ruled(b, pt)
	if err != nil {
		return game.NoMove, err
	}
	c := clone(b)
	if err := game.Play(c, m); err != nil {
		return game.NoMove, err
	}
	p.known = c.AppendHistory(nil)
	return m, nil
}

// ruled returns the move on a point, or a *game.IllegalMoveError if the point is not on the board. It does not check the
// rules of the game.
func ruled(b game.Board, pt point) (game.Move, error) {
	cell, err := cellAt(b, pt)
	if err != nil {
		return game.NoMove, &game.IllegalMoveError{Move: pt.String(), Ply: b.Ply(), Reason: err.Error()}
	}
	return game.Move(cell), nil
}

// beginGame starts a game in a new process. It waits until the program has processed the INFO commands, because they may make
// the program allocate a large table. Programs answer commands in order. Therefore the answer to ABOUT, which beginGame sends
// last, shows that the INFO commands have been processed.
func (p *Program) beginGame(ctx context.Context) error {
	size := fmt.Sprintf("START %d", p.set.columns)
	if p.set.columns != p.set.rows {
		size = fmt.Sprintf("RECTSTART %d,%d", p.set.columns, p.set.rows)
	}
	if err := p.expect(ctx, size, func(word string) bool { return strings.HasPrefix(word, "OK") }); err != nil {
		return err
	}
	match, control := int64(0), p.Clock.Control()
	if control.Match != clock.Unlimited {
		match = control.Match.Milliseconds()
	}
	info := fmt.Sprintf("INFO timeout_match %d\r\nINFO max_memory %d\r\nINFO game_type 1\r\nINFO rule %d", match, p.Memory, p.set.rule)
	if control.Increment > 0 {
		info += fmt.Sprintf("\r\nINFO time_increment %d", control.Increment.Milliseconds())
	}
	if err := p.Send("%s", info); err != nil {
		return err
	}
	within, cancel := context.WithTimeout(ctx, settling)
	defer cancel()
	p.silent = false
	err := p.expect(within, "ABOUT", func(word string) bool {
		p.silent = strings.HasPrefix(word, "NAME")
		return isAbout(word)
	})
	if err != nil && within.Err() == nil {
		return err
	}
	return nil
}

// settling is the time limit for the answer to ABOUT.
const settling = 3 * time.Second

// isAbout reports whether a line with this first word answers ABOUT. A complaint also counts as an answer, because some programs do
// not know ABOUT.
func isAbout(word string) bool {
	return strings.HasPrefix(word, "NAME") || word == "UNKNOWN" || word == "ERROR"
}

// expect sends a command and waits for a line. If fits returns false for the first word of the line, expect returns an error.
func (p *Program) expect(ctx context.Context, command string, fits func(word string) bool) error {
	if err := p.Send("%s", command); err != nil {
		return err
	}
	line, err := nextAnswer(ctx, p.Process)
	if err != nil {
		return err
	}
	if word, _ := cut(line); !fits(word) {
		return fmt.Errorf("%q answered %q", command, subprocess.Shown(line))
	}
	return nil
}

// awaitAnswer waits for the answer to a question. If the brain only suggests a move, awaitAnswer orders the brain to play that
// move.
func (p *Program) awaitAnswer(ctx context.Context) (string, error) {
	for {
		line, err := nextAnswer(ctx, p.Process)
		if err != nil {
			return "", err
		}
		switch word, rest := cut(line); {
		case word == "UNKNOWN" && p.silent && !strings.Contains(rest, "INFO"):
			return "", fmt.Errorf("refused the request: %q", subprocess.Shown(line))
		case isAbout(word): // a late answer to ABOUT, or a line with UNKNOWN or ERROR: a move can still follow
		case word == "SUGGEST":
			if err := p.Send("PLAY %s", subprocess.Shown(rest)); err != nil {
				return "", err
			}
		default:
			return line, nil
		}
	}
}
