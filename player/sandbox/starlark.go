// SPDX-License-Identifier: Apache-2.0

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	starmath "go.starlark.net/lib/math"
	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/internal/rng"
)

// dialect enables all optional features of Starlark. Loops and recursion are safe, because the number of steps is limited.
var dialect = syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true}

// globals are the predeclared names of a program, in addition to Starlark's own.
var globals = []string{"draw", "math", "memory", "param", "random", "search", "sum"}

// ways are the functions of which a program must define at least one. If a program defines several of them, the first in this
// list chooses its moves.
var ways = []string{"choose", "evaluate", "score"}

// starProgram is a program in Starlark.
type starProgram struct {
	name     string
	compiled *starlark.Program
}

// readStarlark compiles a program. It does not run the program.
func readStarlark(name string, text []byte) (program, []Fault) {
	file, compiled, err := starlark.SourceProgramOptions(&dialect, name, text, func(s string) bool { return slices.Contains(globals, s) })
	if err != nil {
		return nil, faultsOf(err)
	}
	for _, s := range file.Stmts {
		if load, ok := s.(*syntax.LoadStmt); ok {
			return nil, []Fault{{int(load.Load.Line), int(load.Load.Col), "a bot is one file: load finds nothing", Error}}
		}
		if def, ok := s.(*syntax.DefStmt); ok && slices.Contains(ways, def.Name.Name) {
			return &starProgram{name, compiled}, nil
		}
	}
	return nil, []Fault{{1, 1, "no function choose(position, clock), evaluate(position) or score(position, move) is defined", Error}}
}

// faultsOf returns the faults that an error of the parser or the resolver lists.
func faultsOf(err error) []Fault {
	if list, ok := errors.AsType[resolve.ErrorList](err); ok {
		var all []Fault
		for _, e := range list {
			all = append(all, Fault{int(e.Pos.Line), int(e.Pos.Col), e.Msg, Error})
		}
		return all
	}
	if e, ok := errors.AsType[syntax.Error](err); ok {
		return []Fault{{int(e.Pos.Line), int(e.Pos.Col), e.Msg, Error}}
	}
	return []Fault{{0, 0, err.Error(), Error}}
}

// starMatch is a Starlark program that plays a game.
type starMatch struct {
	beginning
	name     string
	thread   *starlark.Thread
	globals  starlark.StringDict
	way      string
	function starlark.Callable
	scorer   starlark.Callable // the program's function score, if the program also has the function evaluate; otherwise nil
	position *position
	declared []Param
	search   searchOptions
	searcher *searching
	rng      rng.Rand

	// State of the current move.
	started time.Time
	base    uint64 // number of steps of the thread before this move
	written int    // number of bytes printed and drawn
	keep    bool   // whether the caller wants the printed lines and the drawings
	lines   []Line
	marks   []Mark
	fault   *Fault // why the program was stopped
}

func (sp *starProgram) close() {}

func (sp *starProgram) begin(b beginning) (match, *Fault) {
	m := &starMatch{beginning: b, name: sp.name, search: searchOptions{by: alphaBeta, near: usualNear}, rng: rng.Rand(rng.Mix(b.seed, 0xb07))}
	m.thread = &starlark.Thread{
		Name:       sp.name,
		Print:      func(_ *starlark.Thread, text string) { m.print(text) },
		OnMaxSteps: func(*starlark.Thread) { m.tick() },
	}
	m.position = newPosition(m)
	m.start()
	var err error
	m.globals, err = sp.compiled.Init(m.thread, m.predeclared())
	if err != nil {
		return nil, m.faultOf(err)
	}
	for _, way := range ways {
		f, ok := m.globals[way].(starlark.Callable)
		if ok && m.function == nil {
			m.way, m.function = way, f
		} else if ok && way == "score" {
			m.scorer = f
		}
	}
	if m.function == nil {
		return nil, &Fault{Text: "no function choose, evaluate or score is left", Reason: Error}
	}
	for name := range b.params {
		if !slices.ContainsFunc(m.declared, func(p Param) bool { return p.Name == name }) {
			return nil, &Fault{Text: fmt.Sprintf("it declares no parameter %q", name), Reason: Error}
		}
	}
	return m, nil
}

func (m *starMatch) end() {}

func (m *starMatch) describe(r *Reply) {
	r.Way, r.Params = m.way, m.declared
	r.Tests = testsOf(m.globals["tests"])
	r.Lines = m.lines // the lines that the program printed while it was being loaded
}

// start resets the counters at the beginning of a move.
func (m *starMatch) start() {
	m.started, m.base, m.written, m.fault = time.Now(), m.thread.Steps, 0, nil
	m.lines, m.marks = nil, nil
	m.thread.Uncancel()
	m.thread.SetMaxExecutionSteps(m.thread.Steps + slice)
}

// slice is the number of steps between two checks of the limits.
const slice = 1000

// tick checks the limits and lets the program continue, or stops it.
func (m *starMatch) tick() {
	switch {
	case m.steps() >= m.limits.Steps:
		m.stop(Steps, fmt.Sprintf("it takes more than %d steps for a move", m.limits.Steps))
	case m.thread.CallStackDepth() > m.limits.Depth:
		m.stop(Depth, fmt.Sprintf("its calls nest more than %d deep", m.limits.Depth))
	}
	m.thread.SetMaxExecutionSteps(min(m.thread.Steps+slice, max(m.base+m.limits.Steps, m.thread.Steps+1)))
}

// steps returns the number of steps that this move has taken so far.
func (m *starMatch) steps() uint64 { return m.thread.Steps - m.base }

// stop stops the program and records the reason. If it is called again, the first reason stays.
func (m *starMatch) stop(reason, text string) {
	if m.fault == nil {
		m.fault = &Fault{Text: text, Reason: reason}
	}
	m.thread.Cancel(text)
}

// faultOf converts an error of the program to a Fault. Its place is the innermost line of the call stack that belongs to the
// program.
func (m *starMatch) faultOf(err error) *Fault {
	f := Fault{Text: oneLine(err.Error()), Reason: Error}
	if m.fault != nil {
		f = *m.fault
	}
	if e, ok := errors.AsType[*starlark.EvalError](err); ok {
		if m.fault == nil {
			f.Text = oneLine(e.Msg)
		}
		for i := range len(e.CallStack) {
			if pos := e.CallStack.At(i).Pos; pos.Filename() == m.name && pos.Line > 0 {
				f.Line, f.Column = int(pos.Line), int(pos.Col)
				break
			}
		}
	}
	return &f
}

// oneLine shortens a program's text to one line.
func oneLine(text string) string { return humanize.OneLine(text, 300) }

// output counts the printed and drawn bytes, and reports whether they are within the limit.
func (m *starMatch) output(bytes int) bool {
	if m.written += bytes; m.written > m.limits.Output {
		m.stop(Output, fmt.Sprintf("it prints and draws more than %d kB for a move", m.limits.Output>>10))
		return false
	}
	return true
}

func (m *starMatch) print(text string) {
	const most = 2000
	if !m.output(len(text)+16) || !m.keep {
		return
	}
	for line := range strings.Lines(text) {
		line = strings.ToValidUTF8(strings.TrimRight(line, "\r\n"), "?")
		if len(line) > most {
			line = strings.ToValidUTF8(line[:most], "") + "..."
		}
		m.lines = append(m.lines, Line{Ply: m.position.ply(), Text: line, Steps: m.steps()})
	}
}

// move lets the program choose a move in p.
func (m *starMatch) move(ctx context.Context, p game.Position, req Request, r *Reply) (f *Fault) {
	m.keep = req.Log
	m.start()
	ply := p.Ply()
	m.position.enter(p, p.Turn())
	switch m.way {
	case "choose":
		f = m.choose(p, req, r)
	default:
		f = m.think(ctx, p, req, r)
	}
	m.position.leave()
	r.Steps = m.steps()
	if m.keep {
		end := Line{Ply: ply, Marks: m.marks, Steps: r.Steps, Time: time.Since(m.started), Fault: f}
		if f == nil {
			end.Move = p.Game().Format(game.Move(r.Move))
		}
		r.Lines = append(m.lines, end)
	}
	return f
}

// choose calls the program's function choose, and checks that it returns a legal move.
func (m *starMatch) choose(p game.Position, req Request, r *Reply) *Fault {
	value, err := m.call(m.function, m.position, &clock{m, req.Time})
	if err != nil {
		return m.faultOf(err)
	}
	for m.position.plays > 0 { // take back the moves that the program itself has not taken back
		m.position.undo()
	}
	move, err := moveOf(p.Game(), value)
	if err == nil && !game.Legal(p, move) {
		err = fmt.Errorf("%s is not a legal move", p.Game().Format(move))
	}
	if err != nil {
		return &Fault{Text: "choose returns " + oneLine(value.String()) + ": " + err.Error(), Reason: Illegal}
	}
	r.Move, r.PV = int(move), []int{int(move)}
	return nil
}

func (m *starMatch) call(f starlark.Callable, args ...starlark.Value) (starlark.Value, error) {
	value, err := starlark.Call(m.thread, f, args, nil)
	if err == nil && m.fault != nil { // the program's last action exceeded a limit
		return nil, errors.New(m.fault.Text)
	}
	return value, err
}

// moveOf converts a value that a program returned, the number or the name of a move, to the move.
func moveOf(g game.Game, v starlark.Value) (game.Move, error) {
	switch v := v.(type) {
	case starlark.Int:
		if n, ok := v.Int64(); ok && n >= 0 && n < int64(g.Moves()) {
			return game.Move(n), nil
		}
		return game.NoMove, fmt.Errorf("moves must be numbers from 0 to %d", g.Moves()-1)
	case starlark.String:
		return g.Parse(string(v))
	}
	return game.NoMove, errors.New("a move must be a number or a name")
}

// number converts a value that a program returned to a number.
func number(v starlark.Value) (float64, error) {
	f, ok := starlark.AsFloat(v)
	if !ok || math.IsNaN(f) {
		return 0, fmt.Errorf("expected a number, not %s", oneLine(v.String()))
	}
	return f, nil
}

// testsOf reads the list of tests of a program. Elements that are not tests are left out.
func testsOf(v starlark.Value) (tests []Test) {
	list, ok := v.(starlark.Indexable)
	if !ok {
		return nil
	}
	for i := range min(list.Len(), 1000) {
		row, ok := list.Index(i).(starlark.Indexable)
		if !ok || row.Len() != 3 {
			continue
		}
		var words [3]string
		for j := range words {
			words[j], _ = starlark.AsString(row.Index(j))
		}
		tests = append(tests, Test{Game: words[0], Moves: words[1], Want: strings.FieldsFunc(words[2], func(r rune) bool { return r == '|' || r == ' ' })})
	}
	return tests
}

// predeclared returns the values of globals.
func (m *starMatch) predeclared() starlark.StringDict {
	return starlark.StringDict{
		"draw":   starlark.NewBuiltin("draw", m.draw),
		"math":   starmath.Module,
		"memory": starlark.NewDict(0),
		"param":  starlark.NewBuiltin("param", m.param),
		"random": starlark.NewBuiltin("random", m.random),
		"search": starlark.NewBuiltin("search", m.setSearch),
		"sum":    starlark.NewBuiltin("sum", m.sum),
	}
}

// param implements the function param: it declares a parameter and returns its value.
func (m *starMatch) param(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var name string
	var start, low, high starlark.Value
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "name", &name, "default", &start, "low", &low, "high", &high); err != nil {
		return nil, err
	}
	p := Param{Name: name}
	for i, v := range []starlark.Value{start, low, high} {
		f, err := number(v)
		if err != nil || math.IsInf(f, 0) {
			return nil, fmt.Errorf("param %q: %s is not a number", oneLine(name), oneLine(v.String()))
		}
		*[]*float64{&p.Default, &p.Low, &p.High}[i] = f
	}
	switch {
	case m.function != nil:
		return nil, errors.New("param can be called only outside functions")
	case !isName(name):
		return nil, fmt.Errorf("param: a name must consist of at most 40 letters, digits and _: %q", oneLine(name))
	case !(p.Low <= p.Default && p.Default <= p.High):
		return nil, fmt.Errorf("param %q: %v is not between %v and %v", name, p.Default, p.Low, p.High)
	case len(m.declared) >= 256:
		return nil, errors.New("a program can have at most 256 parameters")
	case slices.ContainsFunc(m.declared, func(q Param) bool { return q.Name == name }):
		return nil, fmt.Errorf("param %q is declared twice", name)
	}
	m.declared = append(m.declared, p)
	if v, ok := m.params[name]; ok {
		if !(p.Low <= v && v <= p.High) {
			return nil, fmt.Errorf("param %q: %v is not between %v and %v", name, v, p.Low, p.High)
		}
		return starlark.Float(v), nil
	}
	return starlark.Float(p.Default), nil
}

// sum implements the function sum, which adds numbers.
func (m *starMatch) sum(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (total starlark.Value, err error) {
	var list starlark.Iterable
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "numbers", &list); err != nil {
		return nil, err
	}
	total = whole(0)
	it := list.Iterate()
	defer it.Done()
	var x starlark.Value
	for it.Next(&x) {
		if _, err := number(x); err != nil {
			return nil, fmt.Errorf("sum: %w", err)
		}
		if total, err = starlark.Binary(syntax.PLUS, total, x); err != nil {
			return nil, err
		}
		if t.Steps++; m.steps() >= m.limits.Steps {
			m.tick()
			return nil, errors.New("sum: too many numbers")
		}
	}
	return total, nil
}

func isName(s string) bool {
	return s != "" && len(s) <= 40 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

// random implements the function random. It returns a random number from 0 up to, but not including, 1, or with an
// argument n a random integer from 0 to n-1.
func (m *starMatch) random(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	n := 0
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "n?", &n); err != nil {
		return nil, err
	}
	switch {
	case len(args)+len(kwargs) == 0:
		return starlark.Float(float64(m.rng.Next()>>11) / (1 << 53)), nil
	case n < 1 || n > 1<<31:
		return nil, fmt.Errorf("random: n must be 1 to %d, not %d", 1<<31, n)
	}
	return starlark.MakeInt(m.rng.Below(n)), nil
}

// draw implements the function draw, which shows a number, a short text or a colour on a cell.
func (m *starMatch) draw(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	cell, text, colour := 0, starlark.Value(starlark.String("")), ""
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "cell", &cell, "text?", &text, "colour?", &colour); err != nil {
		return nil, err
	}
	mark := Mark{Cell: cell, Colour: colour}
	switch text := text.(type) {
	case starlark.String:
		mark.Text = oneLine(string(text))
	case starlark.Int, starlark.Float:
		f, _ := starlark.AsFloat(text)
		mark.Text = fmt.Sprintf("%.4g", f)
	default:
		return nil, errors.New("draw: expected a text or a number")
	}
	const most = 8
	if r := []rune(mark.Text); len(r) > most {
		mark.Text = string(r[:most])
	}
	if cell < 0 || cell >= m.position.size() {
		return nil, fmt.Errorf("draw: cells must be numbers from 0 to %d, not %d", m.position.size()-1, cell)
	}
	if colour != "" && !slices.Contains(colours, colour) {
		return nil, fmt.Errorf("draw: valid colours are %s", strings.Join(colours, ", "))
	}
	if !m.output(16) || !m.keep {
		return starlark.None, nil
	}
	if i := slices.IndexFunc(m.marks, func(k Mark) bool { return k.Cell == cell }); i >= 0 {
		m.marks[i] = mark
	} else {
		m.marks = append(m.marks, mark)
	}
	return starlark.None, nil
}

// colours are the names of colours that draw accepts.
var colours = []string{"red", "orange", "yellow", "green", "blue", "purple", "grey"}
