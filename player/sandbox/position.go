// SPDX-License-Identifier: Apache-2.0

package sandbox

import (
	"errors"
	"fmt"
	"time"

	"go.starlark.net/starlark"

	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
)

// position is the Starlark value of a position. A match has one position, which is updated as the game
// proceeds.
type position struct {
	m       *starMatch
	methods map[string]starlark.Value
	p       game.Position
	board   game.Board // p as a game.Board; nil if p is not a Board
	lined   game.Lined // p as a game.Lined; nil if p is not Lined
	me      game.Side
	plays   int // number of moves that the program has made and not taken back

	// Cached results and scratch memory. legal contains the moves that the method sound returns. If known is false, it still
	// contains the moves of an earlier position.
	legal    []game.Move
	known    bool
	moves    []game.Move      // scratch
	values   []starlark.Value // the Starlark values of all moves
	marked   []bool           // scratch, with an element for each cell
	windows  *windows         // windows of the game's board, created when needed
	standing *standing        // counts of the stones in the windows
	threats  threat.Lister
}

func newPosition(m *starMatch) *position {
	p := &position{m: m, methods: map[string]starlark.Value{}}
	for name, f := range positionMethods {
		p.methods[name] = starlark.NewBuiltin(name, func(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if p.p == nil {
				return nil, errors.New("there is no position before the game")
			}
			if len(kwargs) > 0 {
				return nil, fmt.Errorf("%s takes no named arguments", name)
			}
			return f(p, args)
		})
	}
	return p
}

// enter makes q the current position, in which the program plays the side me.
func (p *position) enter(q game.Position, me game.Side) {
	p.p, p.me, p.plays, p.known = q, me, 0, false
	p.board, _ = q.(game.Board)
	p.lined, _ = q.(game.Lined)
}

// leave takes back the moves that the program has made.
func (p *position) leave() {
	for p.plays > 0 {
		p.undo()
	}
}

func (p *position) undo() {
	p.p.Undo()
	p.plays--
	p.known = false
}

func (p *position) ply() int {
	if p.p == nil {
		return 0
	}
	return p.p.Ply() - p.plays
}

// sound returns the moves that do not lose at once by the rules. If all moves lose at once, it returns all moves.
func (p *position) sound() []game.Move {
	if !p.known {
		p.legal, p.known = p.legal[:0], true
		if p.p.Outcome() == game.Ongoing {
			p.legal = game.AppendSound(p.legal, p.p)
		}
	}
	return p.legal
}

// size returns the number of cells.
func (p *position) size() int {
	if p.board == nil {
		return 0
	}
	return len(p.board.Cells())
}

// The methods of a Starlark value.
func (p *position) String() string       { return "position" }
func (p *position) Type() string         { return "position" }
func (p *position) Freeze()              {}
func (p *position) Truth() starlark.Bool { return true }
func (p *position) Hash() (uint32, error) {
	return 0, errors.New("a position cannot be a key: use position.key")
}

// small holds the Starlark values of small numbers.
var small = func() (all [256]starlark.Value) {
	for i := range all {
		all[i] = starlark.MakeInt(i)
	}
	return all
}()

func whole(n int) starlark.Value {
	if n >= 0 && n < len(small) {
		return small[n]
	}
	return starlark.MakeInt(n)
}

func sideValue(s game.Side) starlark.Value { return whole(int(s) + 1) }

// Attr returns an attribute.
func (p *position) Attr(name string) (starlark.Value, error) {
	if f := p.methods[name]; f != nil {
		return f, nil
	}
	f := positionFields[name]
	if f == nil {
		return nil, nil
	}
	if p.p == nil {
		return nil, errors.New("there is no position before the game")
	}
	return f(p), nil
}

// AttrNames returns the names of all attributes.
func (p *position) AttrNames() (names []string) {
	for name := range positionMethods {
		names = append(names, name)
	}
	for name := range positionFields {
		names = append(names, name)
	}
	return names
}

var positionFields = map[string]func(*position) starlark.Value{
	"game":     func(p *position) starlark.Value { return starlark.String(p.p.Game().String()) },
	"me":       func(p *position) starlark.Value { return sideValue(p.me) },
	"opponent": func(p *position) starlark.Value { return sideValue(p.me.Other()) },
	"turn":     func(p *position) starlark.Value { return sideValue(p.p.Turn()) },
	"ply":      func(p *position) starlark.Value { return whole(p.p.Ply()) },
	"key":      func(p *position) starlark.Value { return starlark.MakeUint64(p.p.Key()) },
	"cells":    func(p *position) starlark.Value { return &cells{p} },
	"width": func(p *position) starlark.Value {
		if p.board == nil {
			return whole(0)
		}
		w, _ := p.board.Size()
		return whole(w)
	},
	"height": func(p *position) starlark.Value {
		if p.board == nil {
			return whole(0)
		}
		_, h := p.board.Size()
		return whole(h)
	},
	"k": func(p *position) starlark.Value {
		if p.lined == nil {
			return whole(0)
		}
		return whole(p.lined.K())
	},
	"boards": (*position).boards,
	"forced": func(p *position) starlark.Value {
		b, ok := p.nine()
		if !ok || b.Forced == ultimate.Any {
			return starlark.None
		}
		return whole(int(b.Forced))
	},
	"history": func(p *position) starlark.Value {
		p.moves = p.p.AppendHistory(p.moves[:0])
		return p.list(p.moves)
	},
	"state": func(p *position) starlark.Value {
		s, ok := p.p.(game.Settable)
		if !ok {
			return starlark.NewList(nil)
		}
		p.charge(p.size() / 8)
		var list []int
		for _, n := range s.Setup().Memory {
			list = append(list, int(n))
		}
		return ints(list)
	},
	"last": func(p *position) starlark.Value {
		p.moves = p.p.AppendHistory(p.moves[:0])
		if len(p.moves) == 0 {
			return starlark.None
		}
		return whole(int(p.moves[len(p.moves)-1]))
	},
	"result": func(p *position) starlark.Value {
		switch o := p.p.Outcome(); o {
		case game.Ongoing:
			return starlark.None
		case game.Draw:
			return whole(0)
		default:
			side, _ := o.Winner()
			return sideValue(side)
		}
	},
}

var positionMethods = map[string]func(*position, starlark.Tuple) (starlark.Value, error){
	"windows":   (*position).countWindows,
	"nested":    (*position).countNested,
	"lines":     (*position).listLines,
	"wins":      (*position).listWins,
	"near":      (*position).listNear,
	"threats":   (*position).listThreats,
	"forbidden": (*position).listForbidden,
	"at": func(p *position, args starlark.Tuple) (starlark.Value, error) {
		if err := takes(args, 2); err != nil {
			return nil, err
		}
		x, err := starlark.AsInt32(args[0])
		y, err2 := starlark.AsInt32(args[1])
		if err != nil || err2 != nil {
			return nil, errors.New("at: the column and the row must be integers")
		}
		if p.board != nil {
			if w, h := p.board.Size(); x >= 0 && x < w && y >= 0 && y < h {
				return small[p.board.Cells()[x+y*w]], nil
			}
		}
		return starlark.None, nil
	},
	"cell": func(p *position, args starlark.Tuple) (starlark.Value, error) {
		if err := takes(args, 1); err != nil {
			return nil, err
		}
		m, err := moveOf(p.p.Game(), args[0])
		if err != nil || p.board == nil {
			return starlark.None, err
		}
		if cell := p.board.Cell(m); cell < p.size() {
			return whole(cell), nil
		}
		return starlark.None, nil
	},
	"moves": func(p *position, args starlark.Tuple) (starlark.Value, error) {
		if err := takes(args, 0); err != nil {
			return nil, err
		}
		return p.list(p.sound()), nil
	},
	"play": func(p *position, args starlark.Tuple) (starlark.Value, error) {
		if err := takes(args, 1); err != nil {
			return nil, err
		}
		m, err := moveOf(p.p.Game(), args[0])
		if err == nil {
			err = game.Play(p.p, m)
		}
		if err != nil {
			return nil, err
		}
		p.plays++
		p.known = false
		return starlark.None, nil
	},
	"undo": func(p *position, args starlark.Tuple) (starlark.Value, error) {
		if p.plays == 0 {
			return nil, errors.New("undo can take back only moves that play has played")
		}
		p.undo()
		return starlark.None, takes(args, 0)
	},
	"name": func(p *position, args starlark.Tuple) (starlark.Value, error) {
		if err := takes(args, 1); err != nil {
			return nil, err
		}
		m, err := moveOf(p.p.Game(), args[0])
		if err != nil {
			return nil, err
		}
		return starlark.String(p.p.Game().Format(m)), nil
	},
	"move": func(p *position, args starlark.Tuple) (starlark.Value, error) {
		if err := takes(args, 1); err != nil {
			return nil, err
		}
		m, err := moveOf(p.p.Game(), args[0])
		return whole(int(m)), err
	},
}

// takes returns an error unless a method was called with n arguments.
func takes(args starlark.Tuple, n int) error {
	if len(args) != n {
		return fmt.Errorf("expected %d arguments, not %d", n, len(args))
	}
	return nil
}

// charge adds n to the program's steps, for work that krow does on its behalf.
func (p *position) charge(n int) { p.m.thread.Steps += uint64(n) }

// list returns moves as a Starlark list of their numbers.
func (p *position) list(moves []game.Move) *starlark.List {
	p.charge(len(moves) / 4)
	for n := len(p.values); n < p.p.Game().Moves(); n++ {
		p.values = append(p.values, whole(n))
	}
	all := make([]starlark.Value, len(moves))
	for i, m := range moves {
		all[i] = p.values[m]
	}
	return starlark.NewList(all)
}

// cells is the Starlark sequence of the contents of the cells. It changes with the position.
type cells struct{ p *position }

func (c *cells) String() string       { return "cells" }
func (c *cells) Type() string         { return "cells" }
func (c *cells) Freeze()              {}
func (c *cells) Truth() starlark.Bool { return c.Len() > 0 }
func (c *cells) Hash() (uint32, error) {
	return 0, errors.New("cells cannot be a key: use position.key")
}
func (c *cells) Len() int                   { return c.p.size() }
func (c *cells) Index(i int) starlark.Value { return small[c.p.board.Cells()[i]] }
func (c *cells) Iterate() starlark.Iterator { return &cellIterator{c.p, 0} }

type cellIterator struct {
	p *position
	i int
}

// Next sets *v to the next cell's content.
func (it *cellIterator) Next(v *starlark.Value) bool {
	if it.i >= it.p.size() {
		return false
	}
	*v = small[it.p.board.Cells()[it.i]]
	it.i++
	return true
}

// Done does nothing.
func (it *cellIterator) Done() {}

// clock is the Starlark value that contains the limits of a program's move.
type clock struct {
	m    *starMatch
	time time.Duration
}

func (c *clock) String() string        { return "clock" }
func (c *clock) Type() string          { return "clock" }
func (c *clock) Freeze()               {}
func (c *clock) Truth() starlark.Bool  { return true }
func (c *clock) Hash() (uint32, error) { return 0, errors.New("a clock cannot be a key") }

// Attr returns an attribute.
func (c *clock) Attr(name string) (starlark.Value, error) {
	switch name {
	case "steps":
		return starlark.MakeUint64(c.m.limits.Steps - min(c.m.steps(), c.m.limits.Steps)), nil
	case "time":
		if c.time == 0 {
			return starlark.None, nil
		}
		return starlark.Float(c.time.Seconds()), nil
	}
	return nil, nil
}

// AttrNames returns the names of all attributes.
func (c *clock) AttrNames() []string { return []string{"steps", "time"} }
