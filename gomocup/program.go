// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/krow-lab/krow/clock"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/child"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// Options say which program to run, and what it is given.
type Options struct {
	Path   string // of the program, or its name, which is looked for as a shell does
	Args   []string
	Turn   time.Duration // for each move where Move sets no time; 0 means DefaultTurn
	Match  time.Duration // for all moves; 0 means no limit
	Margin time.Duration // how much longer than its time it may take; 0 means DefaultMargin
	Start  time.Duration // until it has a board; 0 means defaultStart, or Margin if that is more
	Memory int64         // bytes, as the program is told; 0 means no limit
}

const (
	DefaultTurn   = time.Second
	DefaultMargin = 100 * time.Millisecond
	defaultStart  = 30 * time.Second
)

var (
	_ player.Starter = (*Program)(nil)
	_ player.Clocked = (*Program)(nil)
)

// Program is a player that is a brain in a process of its own, which starts with Start or the first move. It is killed,
// with its children, after an error, when it overruns its time, and when it is closed.
type Program struct {
	mu      sync.Mutex // one question at a time, and none while it ends
	o       Options
	g       game.Game
	set     variant
	clock   *clock.Clock
	clocked bool           // somebody else keeps the clock
	process *child.Process // nil before the first move
	known   []game.Move    // played as the brain knows it, from the start
	told    telling        // the limits that the brain has been told
	err     error          // the first one
}

// telling is the limits of a move in the numbers of INFO.
type telling struct {
	turn  int64
	nodes uint64
	depth int
}

// NewProgram returns a player of g, which must be a game that the protocol can say. No process is started yet.
func NewProgram(g game.Game, o Options) (*Program, error) {
	set, err := variantOf(g)
	if err != nil {
		return nil, err
	}
	if o.Turn == 0 {
		o.Turn = DefaultTurn
	}
	if o.Margin == 0 {
		o.Margin = DefaultMargin
	}
	if o.Start == 0 {
		o.Start = max(defaultStart, o.Margin)
	}
	c := clock.New(clock.Control{Match: o.Match, Margin: o.Margin})
	return &Program{o: o, g: g, set: set, clock: c}, nil
}

// Name returns the program's file name.
func (p *Program) Name() string { return filepath.Base(p.o.Path) }

// SetClock takes the clock of a game with clocks: the program is told what is left, and plans by itself.
func (p *Program) SetClock(c clock.Clock) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clock, p.clocked = &c, true
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

// lineStyle is how the Gomocup protocol talks. Rapfi 0.43 loses a command that comes in the instant it stops thinking.
var lineStyle = child.Style{End: "\r\n", Bye: "END", MaxLine: maxLine, Breath: 5 * time.Millisecond}

// answer returns the next line that is not for people.
func answer(ctx context.Context, p *child.Process) (string, error) {
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

// question starts the program if need be, tells it the limits, calls ask to put a question about pos, and spends the time.
func (p *Program) question(ctx context.Context, pos game.Position, lim search.Limits, ask func(context.Context, game.Board) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.startIn(ctx); err != nil {
		return err
	}
	start := time.Now()
	err := p.inTime(ctx, pos, lim, start, ask)
	if inTime := p.clock.Spend(time.Since(start)); err == nil && !inTime {
		err = player.ErrTimeout
	}
	if err != nil {
		return p.fail(err)
	}
	return nil
}

// fail ends the program for an error, and returns it with the program's name.
func (p *Program) fail(err error) error {
	p.err = fmt.Errorf("%s: %w", p.Name(), err)
	p.stop(0)
	return p.err
}

// Start starts the process and its game. Some programs need seconds for that, and their time does not run yet.
func (p *Program) Start() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.startIn(context.Background())
}

func (p *Program) startIn(ctx context.Context) error {
	if p.err != nil || p.process != nil {
		return p.err
	}
	within, cancel := context.WithTimeout(ctx, p.o.Start)
	defer cancel()
	err := p.begin(within)
	if err == nil {
		return nil
	}
	if within.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w after %v%s", player.ErrTimeout, p.o.Start, p.context())
	}
	return p.fail(err)
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
	case p.clocked:
		turn = p.clock.Control().Turn
	case turn == 0:
		turn = p.o.Turn
	}
	most := min(turn, p.clock.Most())
	// ctx may be done when the time is over. The program has its margin all the same.
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
		return fmt.Errorf("%w after %v%s", player.ErrTimeout, most, p.context())
	}
	return err
}

// within returns a context that is done a margin after the time is over, or after ctx is.
func (p *Program) within(ctx context.Context, until time.Time) (context.Context, context.CancelFunc) {
	c, cancel := context.WithDeadline(context.WithoutCancel(ctx), until.Add(p.o.Margin))
	stop := context.AfterFunc(ctx, func() {
		t := time.AfterFunc(p.o.Margin, cancel)
		context.AfterFunc(c, func() { t.Stop() })
	})
	return c, func() { stop(); cancel() }
}

func (p *Program) context() string {
	if p.process == nil {
		return ""
	}
	return p.process.Context()
}

func (p *Program) askMove(ctx context.Context, b game.Board) (game.Move, error) {
	if err := p.tellPosition(b); err != nil {
		return game.NoMove, err
	}
	line, err := p.answer(ctx)
	if err != nil {
		return game.NoMove, err
	}
	pt, err := parsePoint(line)
	if err != nil {
		return game.NoMove, fmt.Errorf("answered %q, which is no move", child.Shown(line))
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

// ruled returns the move to a point, or a *game.IllegalMoveError if there is none.
func ruled(b game.Board, pt point) (game.Move, error) {
	m, err := moveTo(b, pt)
	if err != nil {
		return m, &game.IllegalMoveError{Move: pt.String(), Ply: b.Ply(), Reason: err.Error()}
	}
	return m, nil
}

// begin starts the process and the game, and waits until the program has done what INFO asked for, such as to make a
// large table: it answers ABOUT after that, if it knows ABOUT.
func (p *Program) begin(ctx context.Context) error {
	var err error
	if p.process, err = child.Launch(lineStyle, p.o.Path, p.o.Args); err != nil {
		return err
	}
	size := fmt.Sprintf("START %d", p.set.columns)
	if p.set.columns != p.set.rows {
		size = fmt.Sprintf("RECTSTART %d,%d", p.set.columns, p.set.rows)
	}
	if err := p.expect(ctx, size, func(word string) bool { return strings.HasPrefix(word, "OK") }); err != nil {
		return err
	}
	match, control := int64(0), p.clock.Control()
	if control.Match != clock.Unlimited {
		match = control.Match.Milliseconds()
	}
	info := fmt.Sprintf("INFO timeout_match %d\r\nINFO max_memory %d\r\nINFO game_type 1\r\nINFO rule %d", match, p.o.Memory, p.set.rule)
	if control.Increment > 0 {
		info += fmt.Sprintf("\r\nINFO time_increment %d", control.Increment.Milliseconds())
	}
	if p.set.k != usualK {
		info += fmt.Sprintf("\r\nINFO krow_k %d", p.set.k)
	}
	if p.set.gravity {
		info += "\r\nINFO krow_gravity 1"
	}
	if err := p.process.Send("%s", info); err != nil {
		return err
	}
	within, cancel := context.WithTimeout(ctx, settling)
	defer cancel()
	if err := p.expect(within, "ABOUT", isAbout); err != nil && within.Err() == nil {
		return err
	}
	return nil
}

// settling is how long a program may take to answer ABOUT.
const settling = 3 * time.Second

// isAbout says whether a line that begins so answers ABOUT; some programs do not know it.
func isAbout(word string) bool {
	return strings.HasPrefix(word, "NAME") || word == "UNKNOWN" || word == "ERROR"
}

// expect sends a command that must be answered with a line whose first word fits.
func (p *Program) expect(ctx context.Context, command string, fits func(word string) bool) error {
	if err := p.process.Send("%s", command); err != nil {
		return err
	}
	line, err := answer(ctx, p.process)
	if err != nil {
		return err
	}
	if word, _ := cut(line); !fits(word) {
		return fmt.Errorf("%q answered %q", command, child.Shown(line))
	}
	return nil
}

// answer waits for the answer to a question. A brain that suggests a move is told to play it.
func (p *Program) answer(ctx context.Context) (string, error) {
	for {
		line, err := answer(ctx, p.process)
		if err != nil {
			return "", err
		}
		switch word, rest := cut(line); {
		case isAbout(word): // also a complaint, after which a move may come all the same
		case word == "SUGGEST":
			if err := p.process.Send("PLAY %s", child.Shown(rest)); err != nil {
				return "", err
			}
		default:
			return line, nil
		}
	}
}

const ending = time.Second

// Close ends the program, after the move that it is thinking about. It may be called again.
func (p *Program) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stop(ending)
	if p.err == nil {
		p.err = errors.New("the program is closed")
	}
	return nil
}

// stop ends the process, if there is one, and gives it so long to end by itself.
func (p *Program) stop(wait time.Duration) {
	if p.process != nil {
		p.process.End(wait)
		p.process = nil
	}
}
