// SPDX-License-Identifier: Apache-2.0

package bot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/sandbox"
	"github.com/krow-lab/krow/player/ugi"
	"github.com/krow-lab/krow/search"
)

// Options are the settings with which a program plays.
type Options struct {
	Seed   uint64             // seed of the program's random choices
	Params map[string]float64 // values of parameters that the program declares
	Limits Limits
	// Log is called with each text and drawing that the program outputs while it chooses a move. Log may be nil.
	Log func(Line)
}

// Failure is the error of a program that forfeits its game.
type Failure struct {
	Name string
	Fault
}

// Error returns the name of the bot, the line of its program, and the fault.
func (f *Failure) Error() string { return f.Name + ": " + f.Fault.String() }

// Unwrap returns player.ErrTimeout if the program was too slow, player.ErrCrashed if its process ended or used too much memory, and
// nil for other faults.
func (f *Failure) Unwrap() error {
	switch f.Reason {
	case sandbox.CPU:
		return player.ErrTimeout
	case sandbox.Crash, sandbox.Memory:
		return player.ErrCrashed
	}
	return nil
}

// Bot is a player that is a program in a sandbox.
type Bot struct {
	g        game.Game
	p        Program
	o        Options
	hash     string
	child    *sandbox.Process
	declared Declared
	err      error // the first error, after which the bot no longer plays
}

var _ player.Analyst = (*Bot)(nil)

// wall is added to the program's limit of processor time. The sum is the time for which the parent waits for an answer. It
// exceeds the limit because on a busy machine the program does not get the processor all the time.
const wall = 30 * time.Second

// goodbye is the processor time that a WebAssembly module may use to end after its input has ended.
const goodbye = 200 * time.Millisecond

// Open begins a game of g for a program, and runs the top-level code of the program. The caller must close the player.
func Open(g game.Game, p Program, o Options) (player.Player, error) {
	b, err := open(g, p, o)
	if err != nil {
		return nil, err
	}
	return b, nil
}

// Declare runs the top-level code of a program, and returns the program's declarations.
func Declare(g game.Game, p Program) (Declared, error) {
	b, err := open(g, p, Options{})
	if err != nil {
		return Declared{}, err
	}
	defer b.Close()
	return b.declared, nil
}

func open(g game.Game, p Program, o Options) (*Bot, error) {
	if _, err := New(p.Name, p.Text); err != nil {
		return nil, err
	}
	req := p.request(sandbox.OpLoad)
	req.Game, req.Seed, req.Params, req.Limits = g.String(), o.Seed, o.Params, o.Limits
	b := &Bot{g: g, p: p, o: o, hash: req.Hash}
	var reply sandbox.Reply
	var err error
	for {
		if b.child, err = sandbox.Take(req.Kind, req.Hash); err != nil {
			return nil, err
		}
		reply, err = b.child.Ask(context.Background(), o.Limits.Or().CPU+wall, req, p.Text)
		if err != nil || reply.Fault == nil || reply.Fault.Reason != sandbox.Crash || !b.child.Used {
			break
		}
	}
	if err := b.failure(reply, err); err != nil {
		b.Close()
		return nil, err
	}
	b.declared = Declared{reply.Way, reply.Params, reply.Tests}
	return b, nil
}

// failure returns a *Failure if the child was too late or if its reply contains a fault, and otherwise err.
func (b *Bot) failure(reply sandbox.Reply, err error) error {
	switch {
	case errors.Is(err, sandbox.ErrLate):
		return &Failure{b.p.Name, Fault{Text: "it takes too long", Reason: sandbox.CPU}}
	case err != nil:
		return err
	case reply.Fault != nil:
		return &Failure{b.p.Name, *reply.Fault}
	}
	return nil
}

// Name returns the name of the program.
func (b *Bot) Name() string { return b.p.Name }

// Remembers returns true, because a program keeps its memory for a whole game.
func (b *Bot) Remembers() bool { return true }

// Move returns the program's move. An error is a *Failure or the error of ctx.
func (b *Bot) Move(ctx context.Context, p game.Position, lim search.Limits) (game.Move, error) {
	i, err := b.Analyze(ctx, p, lim, nil)
	if err != nil {
		return game.NoMove, err
	}
	return i.PV[0], nil
}

// Analyze asks the program for a move as Move does. It also returns the score if the program gives one. If the program only
// evaluates positions and krow's search chooses the move, Analyze also returns the expected line.
func (b *Bot) Analyze(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	if b.err != nil {
		return search.Info{}, b.err
	}
	info, err := b.askProgram(ctx, p, lim)
	if err != nil {
		b.err = err
		return info, err
	}
	if report != nil {
		report(info)
	}
	return info, nil
}

func (b *Bot) askProgram(ctx context.Context, p game.Position, lim search.Limits) (info search.Info, err error) {
	if p.Game().String() != b.g.String() {
		return info, fmt.Errorf("%s: asked to play %s, but the bot was opened for %s", b.p.Name, p.Game(), b.g)
	}
	req := sandbox.Request{
		Op: sandbox.OpMove, Kind: b.p.Kind.String(), Hash: b.hash, Limits: b.o.Limits, Position: ugi.FormatPosition(p)[len("position "):],
		Depth: lim.Depth, Nodes: lim.Nodes, Time: lim.Time, Log: b.o.Log != nil,
	}
	if req.Limits.CPU == 0 { // no limit is set: allow a second more than the time limit of the move, but at least the default
		req.Limits.CPU = max(lim.Time+time.Second, req.Limits.Or().CPU)
	}
	start := time.Now()
	reply, err := b.child.Ask(ctx, req.Limits.CPU+wall, req, nil)
	if b.o.Log != nil {
		b.log(p, reply)
	}
	if err := b.failure(reply, err); err != nil {
		return info, err
	}
	info = search.Info{
		Line: 1, Depth: reply.Depth, Score: eval.Score(reply.Score), Nodes: max(reply.Nodes, 1), Time: time.Since(start),
		Solved: reply.Solved,
	}
	// The child is not trusted, so its moves are checked.
	q := p.Clone()
	for _, m := range reply.PV {
		if m < 0 || m >= b.g.Moves() || game.Play(q, game.Move(m)) != nil {
			break
		}
		info.PV = append(info.PV, game.Move(m))
	}
	if len(info.PV) == 0 || reply.Move != int(info.PV[0]) {
		return info, &Failure{b.p.Name, Fault{Text: "it answers with no legal move", Reason: sandbox.Illegal}}
	}
	return info, nil
}

// Listen replaces Options.Log, the function that receives the texts and drawings of the program.
func (b *Bot) Listen(log func(Line)) { b.o.Log = log }

// log reports the program's output and drawings.
func (b *Bot) log(p game.Position, reply sandbox.Reply) {
	for _, line := range reply.Lines {
		b.o.Log(line)
	}
	if len(reply.Lines) == 0 && reply.Fault != nil {
		b.o.Log(Line{Ply: p.Ply(), Fault: reply.Fault})
	}
}

// Close ends the program's game and makes the child process available for another game. It may be called twice.
func (b *Bot) Close() error {
	if b.child != nil {
		if b.p.Kind == WASM {
			// The answer and the error are ignored: either the module ends by itself, or Ask kills its process.
			_, _ = b.child.Ask(context.Background(), wall, sandbox.Request{Op: sandbox.OpEnd, Kind: sandbox.KindWASM, Hash: b.hash, Limits: Limits{CPU: goodbye}}, nil)
		}
		b.child.Give()
		b.child = nil
		if b.err == nil {
			b.err = errors.New("the bot is closed")
		}
	}
	return nil
}
