// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/player/subprocess"
)

// The bits of the number in the command INFO rule: exactly five win, the fouls of renju, and in caro a row blocked at both
// ends does not win.
const (
	ruleExact = 1
	ruleRenju = 4
	ruleCaro  = 8
)

// variant describes a game by the settings of the protocol: the size from START or RECTSTART, the rules from INFO.
type variant struct {
	columns, rows int
	rule          int
}

// game returns the game of the variant. The game's name is a spec, which means that package krow can make the same game from
// it.
func (v variant) game() (game.Game, error) {
	r, kind := mnk.Rules{Columns: v.columns, Rows: v.rows, K: 5}, "gomoku"
	switch v.rule {
	case 0:
	case ruleExact:
		kind, r.Exact = "standard", [2]bool{true, true}
	case ruleRenju:
		return made(renju.NewRect(v.columns, v.rows))
	case ruleCaro:
		kind, r.Blocked = "caro", true
	case ruleCaro | ruleExact:
		kind, r.Blocked, r.Exact = "caro", true, [2]bool{true, true}
	default:
		return nil, fmt.Errorf("rule %d is not supported", v.rule)
	}
	return made(mnk.Family(kind, r))
}

// made converts g to a game.Game. If there is an error, it returns a nil interface and not a nil *mnk.Game.
func made(g *mnk.Game, err error) (game.Game, error) {
	if err != nil {
		return nil, err
	}
	return g, nil
}

// variantOf returns the settings of the protocol for a game, or an error if the protocol does not support the game.
func variantOf(g game.Game) (variant, error) {
	m, ok := g.(*mnk.Game)
	if !ok || m.Rules().Captures > 0 || m.Rules().Turn > 1 || m.Rules().K != 5 || m.Rules().Gravity {
		return variant{}, fmt.Errorf("%s cannot be played through the Gomocup protocol", g)
	}
	r := m.Rules()
	v := variant{columns: r.Columns, rows: r.Rows}
	switch {
	case r.Foul != nil:
		v.rule = ruleRenju
	case r.Blocked:
		v.rule = ruleCaro
	}
	if r.Foul == nil && r.Exact[game.First] {
		v.rule |= ruleExact
	}
	return v, nil
}

// pointAt returns the point of a cell of b.
func pointAt(b game.Board, cell int) point {
	columns, rows := b.Size()
	return point{cell % columns, rows - 1 - cell/columns}
}

// pointOf returns the point on which the legal move m places its stone.
func pointOf(b game.Board, m game.Move) point { return pointAt(b, b.Cell(m)) }

// cellAt returns the cell of a point, or an error for a point outside the board.
func cellAt(b game.Board, pt point) (int, error) {
	columns, rows := b.Size()
	if pt.x < 0 || pt.y < 0 || pt.x >= columns || pt.y >= rows {
		return 0, fmt.Errorf("%v is not on the board", pt)
	}
	return (rows-1-pt.y)*columns + pt.x, nil
}

// playPoint plays a stone on a point.
func playPoint(b game.Board, pt point) error {
	cell, err := cellAt(b, pt)
	if err != nil {
		return err
	}
	err = game.Play(b, game.Move(cell))
	if e, ok := errors.AsType[*game.IllegalMoveError](err); ok && e.Reason != "" {
		return fmt.Errorf("%v is illegal: %s", pt, e.Reason)
	}
	return err
}

// maxLine is the greatest length of a line in bytes, in both directions. No command is longer. The limit protects against a
// hostile program at the other end.
const maxLine = 4096

// cut returns the first word of a line, converted to capitals, and the rest of the line.
func cut(line string) (word, rest string) {
	word, rest = subprocess.Split(line)
	return strings.ToUpper(word), rest
}

// parseInts reads n integers between commas, with or without spaces.
func parseInts(s string, n int) ([]int, error) {
	fields := strings.Split(s, ",")
	if len(fields) != n {
		return nil, fmt.Errorf("%q is not %d numbers between commas", subprocess.Shown(s), n)
	}
	numbers := make([]int, n)
	for i, f := range fields {
		v, err := strconv.Atoi(strings.TrimSpace(f))
		if err != nil {
			return nil, fmt.Errorf("%q is not a number", subprocess.Shown(f))
		}
		numbers[i] = v
	}
	return numbers, nil
}

// point is a cell in the protocol's coordinates.
type point struct{ x, y int }

func (p point) String() string { return fmt.Sprintf("%d,%d", p.x, p.y) }

func parsePoint(s string) (point, error) {
	n, err := parseInts(s, 2)
	if err != nil {
		return point{}, err
	}
	return point{n[0], n[1]}, nil
}
