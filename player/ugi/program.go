// SPDX-License-Identifier: Apache-2.0

package ugi

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
	_ player.Analyst = (*Program)(nil)
	_ player.Scorer  = (*Program)(nil)
)

// Program is a player whose moves come from an engine in another process. The process is started by Start or the first Move. The
// process is killed, with its children, after an error, when it exceeds its time, and when the player is closed.
type Program struct {
	*subprocess.Program
	g     game.Game
	lines bool // whether the engine has the option MultiPV
	last  search.Info
}

// NewProgram returns a player of g. No process is started yet.
func NewProgram(g game.Game, o Options) *Program {
	p := &Program{g: g}
	p.Program = subprocess.NewProgram(lineStyle, o, p.beginGame)
	return p
}

// Move asks the program for its move. Errors wrap player.ErrTimeout or player.ErrCrashed, or are a
// *game.IllegalMoveError.
func (p *Program) Move(ctx context.Context, pos game.Position, lim search.Limits) (game.Move, error) {
	i, err := p.Analyze(ctx, pos, lim, nil)
	if err != nil {
		return game.NoMove, err
	}
	p.last = i
	return i.PV[0], nil
}

// Last returns the analysis of the last move, if the program has reported a score.
func (p *Program) Last() (search.Info, bool) { return p.last, p.last.Depth > 0 || p.last.Nodes > 0 }

// Scale returns the scale of the scores of all programs: see docs/reference/ugi.md.
func (p *Program) Scale() float64 { return scale }

// Analyze asks the program for a move as Move does, and reports the program's output while it thinks. It returns the same errors as
// Move.
func (p *Program) Analyze(
	ctx context.Context, pos game.Position, lim search.Limits, report func(search.Info),
) (best search.Info, err error) {
	p.Lock()
	defer p.Unlock()
	if err := p.Ready(ctx); err != nil {
		return best, err
	}
	if pos.Game().String() != p.g.String() {
		return best, p.Fail(fmt.Errorf("asked to play %s, but made for %s", pos.Game(), p.g))
	}
	text, most := p.goCommand(lim)
	start := time.Now()
	within, cancel := context.WithDeadline(context.WithoutCancel(ctx), start.Add(most+p.Margin))
	defer cancel()
	if best, err = p.askMove(ctx, within, pos, lim, text, report); err == nil {
		return best, nil
	}
	return best, p.Fail(err)
}

// goCommand returns the command that begins a search, and the maximum time that the search may take.
func (p *Program) goCommand(lim search.Limits) (text string, most time.Duration) {
	if p.Clocked && p.Clock.Left() != clock.Unlimited {
		left, increment := max(p.Clock.Left().Milliseconds(), 1), p.Clock.Control().Increment.Milliseconds()
		// The clock of the other side is not known here, so the command contains the same times for both sides.
		return fmt.Sprintf("go p1time %d p2time %d p1inc %d p2inc %d", left, left, increment, increment), p.Clock.Most()
	}
	if lim.Time == 0 && lim.Nodes == 0 && lim.Depth == 0 {
		lim.Time, lim.Nodes = p.Turn, p.Nodes
	}
	text = "go"
	if lim.Depth > 0 {
		text += fmt.Sprintf(" depth %d", lim.Depth)
	}
	if lim.Nodes > 0 {
		text += fmt.Sprintf(" nodes %d", lim.Nodes)
	}
	if lim.Time == 0 {
		return text, forever
	}
	return text + fmt.Sprintf(" movetime %d", max(lim.Time.Milliseconds(), 1)), lim.Time
}

// askMove lets the program search pos. If ctx is done, askMove sends the command stop, and the program still has the time
// p.Margin for its move.
func (p *Program) askMove(
	ctx, within context.Context, pos game.Position, lim search.Limits, text string, report func(search.Info),
) (best search.Info, err error) {
	if p.lines {
		text = fmt.Sprintf("setoption name MultiPV value %d\n%s", max(lim.Lines, 1), text)
	}
	if err := p.Send("%s", FormatPosition(pos)+"\n"+text); err != nil {
		return best, err
	}
	wait, cancel := context.WithCancel(within)
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	for stopped := false; ; {
		line, err := p.Next(wait)
		if err != nil && !stopped && ctx.Err() != nil && within.Err() == nil {
			stopped = true
			late, cancel := context.WithTimeout(within, p.Margin)
			defer cancel()
			if wait, err = late, p.Send("stop"); err == nil {
				continue
			}
		}
		if err != nil && wait.Err() != nil {
			err = fmt.Errorf("%w%s", player.ErrTimeout, p.Context())
		}
		if err != nil {
			return best, err
		}
		word, rest := subprocess.Split(line)
		if word == "bestmove" {
			return p.readAnswer(pos, rest, best)
		}
		if i, ok := parseInfo(pos, rest); word == "info" && ok {
			if i.Line <= 1 {
				best = i
			}
			if report != nil {
				report(i)
			}
		}
	}
}

// readAnswer returns the analysis with the move that the program plays, which may differ from the first move of its last reported
// line.
func (p *Program) readAnswer(pos game.Position, text string, best search.Info) (search.Info, error) {
	name, _ := subprocess.Split(text)
	m, err := p.g.Parse(name)
	if err == nil {
		err = game.Play(pos.Clone(), m)
	}
	if err != nil {
		return best, &game.IllegalMoveError{Move: subprocess.Shown(name), Ply: pos.Ply(), Reason: err.Error()}
	}
	if len(best.PV) == 0 || best.PV[0] != m {
		best.PV = []game.Move{m}
	}
	return best, nil
}

// beginGame sends the game to a new process, and waits until the process is ready.
func (p *Program) beginGame(ctx context.Context) error {
	said, err := p.until(ctx, "ugi", "ugiok")
	if err != nil {
		return err
	}
	options := ""
	for _, line := range said {
		name, ok := strings.CutPrefix(line, "option name ")
		if !ok {
			continue
		}
		name, _, _ = strings.Cut(name, " type ")
		switch strings.ToLower(name) {
		case "game":
			options += fmt.Sprintf("setoption name %s value %s\n", name, p.g)
		case "hash":
			if p.Memory > 0 {
				options += fmt.Sprintf("setoption name %s value %d\n", name, max(p.Memory>>20, 1))
			}
		case "multipv":
			p.lines = true
		}
	}
	complaints, err := p.until(ctx, options+"uginewgame\nisready", "readyok")
	for _, line := range complaints {
		if text, ok := strings.CutPrefix(line, "info string error: "); ok && err == nil {
			err = errors.New(subprocess.Shown(text))
		}
	}
	return err
}

// until sends a command and reads lines until the first word of a line is last. It returns the lines before that line.
func (p *Program) until(ctx context.Context, command, last string) (said []string, err error) {
	if err := p.Send("%s", command); err != nil {
		return nil, err
	}
	for {
		line, err := p.Next(ctx)
		if err != nil {
			return nil, err
		}
		if word, _ := subprocess.Split(line); word == last {
			return said, nil
		}
		if len(said) < maxSaid {
			said = append(said, line)
		}
	}
}

// maxSaid is the maximum number of lines of an answer, such as the list of options, that are kept.
const maxSaid = 1000
