// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
)

// block is a list of lines after a command, such as the stones between BOARD and DONE:
//
//	BOARD
//	7,7,1       x,y,whose: 1 the brain's, 2 the other side's
//	8,7,2
//	DONE
type block struct {
	count int // of lines; 0: DONE ends the list
	lines []string
	done  bool
	then  func(lines []string, at time.Time) error // at is when the last line came
}

// longestBlock is how many lines of a block are kept: one more than there are cells.
const longestBlock = game.MaxSide*game.MaxSide + 1

// add takes a line that belongs to the block. Another command does not: it ends a block that is half there.
func (l *block) add(line string) bool {
	word, _ := cut(line)
	if l.count == 0 && word == "DONE" {
		l.done = true
		return true
	}
	if _, isCommand := commands[word]; isCommand && l.count == 0 {
		return false
	}
	if len(l.lines) < longestBlock {
		l.lines = append(l.lines, line)
	}
	l.done = l.count > 0 && len(l.lines) == l.count
	return true
}

// list returns the command that reads a block, sets the board up, and then does something.
func list(then func(s *session, at time.Time) error) handler {
	return func(s *session, _ string, _ time.Time) error {
		s.collect = &block{then: func(lines []string, at time.Time) error {
			stones, err := parseStones(lines, len(s.b.Cells()), false)
			if err != nil {
				return err
			}
			if s.b, err = setBoard(s.b, stones); err != nil {
				return err
			}
			return then(s, at)
		}}
		return nil
	}
}

// placed is a stone and whether it is the brain's.
type placed struct {
	point
	own bool
}

// String returns the line of a list that says the stone: x,y,whose.
func (st placed) String() string {
	whose := 2
	if st.own {
		whose = 1
	}
	return fmt.Sprintf("%v,%d", st.point, whose)
}

// side returns whose stone it is, if the brain is me.
func (st placed) side(me game.Side) game.Side {
	if st.own {
		return me
	}
	return me.Other()
}

// parseStones reads the lines of a list. With bare it takes lines without a third number, and passes over what that says.
func parseStones(lines []string, most int, bare bool) (stones []placed, err error) {
	for _, line := range lines {
		n, err := parseInts(line, 3)
		if bare && strings.Count(line, ",") != 2 {
			if n, err = parseInts(line, 2); err == nil {
				n = append(n, 2)
			}
		}
		switch {
		case err != nil:
			return nil, err
		case len(stones) == most:
			return nil, errors.New("more stones than cells")
		case !bare && n[2] == 3:
			return nil, errors.New("the continuous game is not supported")
		case !bare && n[2] != 1 && n[2] != 2:
			return nil, fmt.Errorf("%q does not say whose stone it is, 1 or 2", shown(line))
		}
		stones = append(stones, placed{point{n[0], n[1]}, n[2] == 1})
	}
	return stones, nil
}

// setBoard returns the position of the stones in b's game, with the brain to move: played in their order where that is a
// game, and otherwise placed at once. The brain is the first side if it has as many stones as the other, or more.
func setBoard(b game.Board, stones []placed) (game.Board, error) {
	own := 0
	for _, st := range stones {
		if st.own {
			own++
		}
	}
	me := game.First
	if 2*own < len(stones) {
		me = game.Second
	}
	if b, ok := replay(b.Game(), stones, me); ok {
		return b, nil
	}
	cells := make([]game.Stone, len(b.Cells()))
	for _, st := range stones {
		cell, err := cellAt(b, st.point)
		if err != nil {
			return b, err
		}
		if cells[cell] != game.Empty {
			return b, fmt.Errorf("two stones on %v", st.point)
		}
		cells[cell] = st.side(me).Stone()
	}
	set, err := setUp(b.Game(), cells, me)
	if err != nil {
		return b, err
	}
	return set, nil
}

// replay plays the stones in their order from the start, if that is a game that me is to move in.
func replay(g game.Game, stones []placed, me game.Side) (game.Board, bool) {
	b, err := start(g)
	if err != nil {
		return nil, false
	}
	for _, st := range stones {
		if st.side(me) != b.Turn() || playPoint(b, st.point) != nil {
			return nil, false
		}
	}
	return b, b.Turn() == me
}

// start returns the empty board of a game.
func start(g game.Game) (game.Board, error) { return board(g, g.Start()) }

func board(g game.Game, p game.Position) (game.Board, error) {
	b, ok := p.(game.Board)
	if !ok {
		return nil, fmt.Errorf("%s has no board", g)
	}
	return b, nil
}

// setUp returns the position of these stones.
func setUp(g game.Game, cells []game.Stone, turn game.Side) (game.Board, error) {
	setter, ok := g.(game.Setter)
	if !ok {
		return nil, fmt.Errorf("positions of %s cannot be set up", g)
	}
	ply := 0
	for _, stone := range cells {
		if stone != game.Empty {
			ply++
		}
	}
	p, err := setter.SetUp(game.Setup{Cells: cells, Turn: turn, Ply: ply})
	if err != nil {
		return nil, err
	}
	return board(g, p)
}
