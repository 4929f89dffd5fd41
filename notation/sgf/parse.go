// SPDX-License-Identifier: Apache-2.0

package sgf

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/humanize"
)

// parser reads a collection from left to right.
type parser struct {
	text []byte
	at   int
	line int
}

// All yields each game of a collection. In place of a damaged game it yields an error whose message is a single line. Then it
// continues with the next game.
func All(data []byte) iter.Seq2[Game, error] {
	return func(yield func(Game, error) bool) {
		p := &parser{text: bytes.TrimPrefix(data, []byte("\ufeff")), line: 1}
		for n := 0; ; n++ {
			c, err := p.next()
			if err != nil {
				if n == 0 {
					yield(Game{}, p.errorf("there is no game"))
				}
				return
			}
			start := p.at
			var g Game
			if c != '(' {
				err = fmt.Errorf("a game must begin with (, not %q", c)
			} else if g, err = p.tree(); err == nil && !utf8.Valid(p.text[start:p.at]) {
				err = errors.New("the game is not UTF-8")
			}
			if err != nil {
				err = p.errorf("%v", err)
			}
			if !yield(g, err) {
				return
			}
			if err != nil {
				p.skip(start)
			}
		}
	}
}

// root matches the beginning of a line at which a game certainly begins: the first property is FF or GM, which only the root
// node of a game has.
var root = regexp.MustCompile(`(?m)^[ \t]*\(\s*;\s*(FF|GM)\s*\[`)

// skip moves p to the end of a damaged game; start is the place after its first parenthesis. The game ends at the matching
// closing parenthesis or before the next match of root, whichever comes first.
func (p *parser) skip(start int) {
	end := len(p.text)
	if found := root.FindIndex(p.text[start:]); found != nil {
		end = start + found[0]
	}
	depth, value := 1, false
	at := start
	for ; at < end && depth > 0; at++ {
		switch c := p.text[at]; {
		case c == '\\':
			at++
		case value:
			value = c != ']'
		case c == '[':
			value = true
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
	}
	p.at = min(at, end)
	p.line = 1 + bytes.Count(p.text[:p.at], []byte("\n"))
}

// longestError is the maximum number of characters of an error message after its line number.
const longestError = 200

func (p *parser) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: %s", p.line, humanize.OneLine(fmt.Sprintf(format, args...), longestError))
}

// errEnd is the error for a truncated file.
var errEnd = errors.New("the game is truncated")

// next returns the next character that is not white space.
func (p *parser) next() (byte, error) {
	for p.at < len(p.text) {
		c := p.text[p.at]
		p.at++
		switch {
		case c == '\n':
			p.line++
		case c > ' ':
			return c, nil
		}
	}
	return 0, errEnd
}

// tree reads a game up to its closing parenthesis, and returns its main line. The main line ends at the first closing
// parenthesis, because at each branch the first variation continues the main line.
func (p *parser) tree() (Game, error) {
	var g Game
	main, root := true, true
	depth, before := 1, byte('(')
	for depth > 0 {
		c, err := p.next()
		if err != nil {
			return g, err
		}
		switch {
		case c == ';' && before != ')':
			n, err := p.node()
			if err == nil && main {
				err = g.takeNode(n, root)
			}
			if err != nil {
				return g, err
			}
			root = false
		case c == '(' && before != '(':
			depth++
		case c == ')' && before != '(':
			depth--
			main = false
		default:
			return g, fmt.Errorf("%q after %q", c, before)
		}
		before = c
	}
	return g, nil
}

// property is the identifier of a property and its values.
type property struct {
	id     string
	values []string
}

// node reads the properties of a node, whose semicolon has already been read.
func (p *parser) node() ([]property, error) {
	var n []property
	for {
		c, err := p.next()
		switch {
		case err != nil:
			return nil, err
		case c == '[':
			return nil, errors.New("a value without a property")
		case c < 'A' || c > 'Z':
			p.at--
			return n, nil
		}
		start := p.at - 1
		for p.at < len(p.text) && p.text[p.at] >= 'A' && p.text[p.at] <= 'Z' {
			p.at++
		}
		q := property{id: string(p.text[start:p.at])}
		for c, err = p.next(); err == nil && c == '['; c, err = p.next() {
			v, err := p.value()
			if err != nil {
				return nil, err
			}
			q.values = append(q.values, v)
		}
		switch {
		case err != nil:
			return nil, err
		case len(q.values) == 0:
			return nil, fmt.Errorf("%s has no value", q.id)
		}
		p.at--
		n = append(n, q)
	}
}

// value reads a value up to its closing bracket. A character after a backslash is taken literally, except that a line break is
// dropped.
func (p *parser) value() (string, error) {
	var v []byte
	for p.at < len(p.text) {
		c := p.text[p.at]
		p.at++
		if c == '\n' {
			p.line++
		}
		switch {
		case c == ']':
			return string(v), nil
		case c == '\\' && p.at < len(p.text):
			c = p.text[p.at]
			p.at++
			if c == '\n' {
				p.line++
				continue
			}
			v = append(v, c)
		default:
			v = append(v, c)
		}
	}
	return "", errEnd
}

// takeNode stores the properties of a node of the main line in g. It reads the size first, because points depend on it.
func (g *Game) takeNode(n []property, root bool) error {
	if root {
		g.Columns, g.Rows = 15, 15
		for _, p := range n {
			if p.id == "SZ" {
				if err := g.takeSize(p.values[0]); err != nil {
					return err
				}
			}
		}
	}
	moved := false
	for _, p := range n {
		v := p.values[0]
		switch p.id {
		case "B", "W":
			if len(p.values) > 1 || moved {
				return errors.New("a node has several moves")
			}
			cell, err := g.cell(v)
			if err != nil {
				return err
			}
			moved = true
			g.Moves = append(g.Moves, Move{game.Side(strings.Index("BW", p.id)), cell})
		case "AE":
			return errors.New("AE, which removes stones, is not supported")
		case "AB", "AW", "PL":
			if !root {
				return fmt.Errorf("%s is allowed only in the first node", p.id)
			}
		}
		if !root {
			continue
		}
		var err error
		switch p.id {
		case "FF":
			if version, e := strconv.Atoi(v); e != nil || version < 1 || version > 4 {
				err = fmt.Errorf("FF[%s] is not a version from 1 to 4", v)
			}
		case "GM":
			if v != "4" {
				err = fmt.Errorf("GM[%s] is an unsupported game: gomoku and renju are GM[4]", v)
			}
		case "PB":
			g.Names[game.First] = v
		case "PW":
			g.Names[game.Second] = v
		case "RE":
			g.Result = v
		case "EV":
			g.Event = v
		case "DT":
			g.Date = v
		case "RU":
			g.Rules = v
		case "AB", "AW":
			err = g.takeStones(p)
		case "PL":
			side := strings.Index("BbWw", v)
			if len(v) != 1 || side < 0 {
				return fmt.Errorf("PL[%s] is neither B nor W", v)
			}
			g.Turn = game.Side(side / 2).String()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (g *Game) takeStones(p property) error {
	for _, v := range p.values {
		cell, err := g.cell(v)
		if err != nil {
			return err
		}
		if slices.Contains(g.Setup[0], cell) || slices.Contains(g.Setup[1], cell) {
			return fmt.Errorf("%s has two stones", v)
		}
		side := strings.Index("BW", p.id[1:])
		g.Setup[side] = append(g.Setup[side], cell)
	}
	return nil
}

// takeSize reads a size such as 15, or 15:10 for columns and rows.
func (g *Game) takeSize(v string) error {
	first, second, two := strings.Cut(v, ":")
	if !two {
		second = first
	}
	var errs [2]error
	g.Columns, errs[0] = strconv.Atoi(first)
	g.Rows, errs[1] = strconv.Atoi(second)
	if errs != [2]error{} || g.Columns < 1 || g.Rows < 1 || g.Columns > MaxSide || g.Rows > MaxSide {
		return fmt.Errorf("SZ[%s] is not a size from 1 to %d", v, MaxSide)
	}
	return nil
}
