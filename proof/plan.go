// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"bufio"
	"errors"
)

// FallVersion is the version of certificates of games with falling stones in which steps may be plans.
const FallVersion = 8

// Plan is a list of rules by which the prover plays a game with falling stones to its end. He plays by the first rule that
// applies. If no rule applies, he may play anywhere. If a rule, or the absence of a rule, leaves him several cells, he plays on the
// leftmost one. A completed line, and a cell on which the opponent threatens, come before all rules.
type Plan struct {
	Rules     []Rule `json:"rules" nullable:"false"`
	Rightmost bool   `json:"rightmost" doc:"whether the prover plays on the rightmost of several cells instead of the leftmost one"`
}

// Rule is one rule of a plan. It applies if Cell is playable.
type Rule struct {
	// Cell is the cell on which the prover plays. The constant Even stands for all cells of the second, fourth, sixth and so on
	// row from below.
	Cell int `json:"cell" doc:"cell on which the prover plays, or -1: every cell of the rows 2, 4, 6 and so on from below"`
	// After is a cell, or the constant Always. If it is a cell, the rule only applies after the opponent has played on this cell.
	After int `json:"after" doc:"cell on which the opponent must have a stone, or -1"`
}

// The special values of the fields of a Rule.
const (
	Even   = -1
	Always = -1
)

// planned is a step of a file of FallVersion. The prover's move and a plan follow it.
const planned = 0xfe

// maxFollowed is the maximum number of positions in which the checker follows one plan, and maxRules is the maximum number of
// rules of a plan.
const maxFollowed, maxRules = 1_000_000, 256

var (
	errPlan = errors.New("a plan has a rule that does not exist, or too many rules")
	errLong = errors.New("a plan leads to too many positions")
)

// move returns the cell on which the prover plays by the plan, and the index of the rule that he follows. If no rule applies, the
// index is len(p.Rules). The board must have a free cell.
func (p *Plan) move(b *board) (cell, rule int) {
	for i, r := range p.Rules {
		if r.After != Always && !b.stones[1-b.prover].has(r.After) {
			continue
		}
		if c, ok := b.outermost(r.Cell, p.Rightmost); ok {
			return c, i
		}
	}
	cell, _ = b.outermost(anyColumn, p.Rightmost)
	return cell, len(p.Rules)
}

// anyColumn is an argument of outermost that stands for all cells.
const anyColumn = -2

// outermost returns the leftmost or rightmost playable cell of the cells that a rule names.
func (b *board) outermost(rule int, right bool) (cell int, ok bool) {
	for free := b.free; !free.empty(); {
		c := free.pop()
		named := rule == c || rule == anyColumn || rule == Even && c/b.columns%2 == 1
		if named && (!ok || c%b.columns < cell%b.columns != right) {
			cell, ok = c, true
		}
	}
	return cell, ok
}

// readPlan reads the prover's move and a plan.
func readPlan(body *bufio.Reader, cells int) (cell int, p *Plan, err error) {
	first, err := body.ReadByte()
	if err != nil {
		return 0, nil, err
	}
	n, err := varint(body)
	if err == nil && n/2 > maxRules {
		err = errPlan
	}
	p = &Plan{Rightmost: n%2 == 1}
	for n /= 2; err == nil && n > 0; n-- {
		var x, c uint64
		x, err = varint(body)
		r := Rule{int(x), Always}
		switch {
		case err != nil:
		case x == uint64(cells):
			r.Cell = Even
		case x > uint64(cells):
			if c, err = varint(body); err == nil && (x > 2*uint64(cells) || c >= uint64(cells)) {
				err = errPlan
			}
			r = Rule{int(c), int(x) - cells - 1}
		}
		p.Rules = append(p.Rules, r)
	}
	return int(first), p, err
}
