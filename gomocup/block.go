// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
)

// block is a list of stones between BOARD, or a command like it, and DONE:
//
//	BOARD
//	7,7,1       x,y,whose: 1 the brain's, 2 the other side's
//	8,7,2
//	DONE
//
// SWAP2BOARD has no third number; where it has, it is passed over.
type block struct {
	bare  bool // no third number is needed
	any   bool // nobody looks at the lines
	lines int  // how many belong to the list, which has no DONE then; 0 where DONE ends it
	limit int  // stones
	stone []placed
	done  bool
	err   error // the first line that is no stone
	then  func(l *block, at time.Time) error
}

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

// list returns the command that reads a block, sets the board up, and then does something.
func list(then func(s *session, l *block, at time.Time) error) func(*session, string, time.Time) error {
	return func(s *session, _ string, _ time.Time) error {
		if s.b == nil {
			return errNoGame
		}
		s.collect = &block{limit: len(s.b.Cells()), then: func(l *block, at time.Time) error {
			if err := s.setBoard(l.stone); err != nil {
				return err
			}
			return then(s, l, at)
		}}
		return nil
	}
}

// add takes a line that belongs to the block. Another command does not: it ends a block that is half there.
func (l *block) add(line string) bool {
	if l.lines > 0 {
		l.lines--
		l.done = l.lines == 0
		return true
	}
	word, _ := cut(line)
	if word == "DONE" {
		l.done = true
		return true
	}
	if _, isCommand := commands[word]; isCommand {
		return false
	}
	if l.any {
		return true
	}
	st, err := l.parse(line)
	switch {
	case l.err != nil:
	case err != nil:
		l.err = err
	case len(l.stone) == l.limit:
		l.err = errors.New("more stones than cells")
	default:
		l.stone = append(l.stone, st)
	}
	return true
}

func (l *block) parse(line string) (placed, error) {
	fields := strings.Count(line, ",") + 1
	if l.bare && fields != 3 {
		pt, err := parsePoint(line)
		return placed{point: pt}, err
	}
	n, err := parseInts(line, 3)
	if err != nil {
		return placed{}, err
	}
	switch {
	case l.bare || n[2] == 1 || n[2] == 2:
		return placed{point{n[0], n[1]}, n[2] == 1}, nil
	case n[2] == 3:
		return placed{}, errors.New("the continuous game is not supported")
	}
	return placed{}, fmt.Errorf("%q does not say whose stone it is, 1 or 2", shown(line))
}

// end does what the block is for. at is when DONE came.
func (l *block) end(at time.Time) error {
	if l.err != nil {
		return l.err
	}
	return l.then(l, at)
}

// setBoard sets up the stones of a block, with the brain to move: played in their order where that is a game, and
// otherwise placed at once. The brain is the first side if it has as many stones as the other, or more.
func (s *session) setBoard(stones []placed) error {
	me := game.First
	if own, others := count(stones); others > own {
		me = game.Second
	}
	if b, ok := s.replay(stones, me); ok {
		s.b = b
		return nil
	}
	cells := make([]game.Stone, len(s.b.Cells()))
	for _, st := range stones {
		cell, err := cellAt(s.b, st.point)
		if err != nil {
			return err
		}
		if cells[cell] != game.Empty {
			return fmt.Errorf("two stones on %v", st.point)
		}
		cells[cell] = st.side(me).Stone()
	}
	b, err := setUp(s.b.Game(), cells, me)
	if err != nil {
		return err
	}
	s.b = b
	return nil
}

// side returns whose stone it is, if the brain is me.
func (st placed) side(me game.Side) game.Side {
	if st.own {
		return me
	}
	return me.Other()
}

func count(stones []placed) (own, others int) {
	for _, st := range stones {
		if st.own {
			own++
		}
	}
	return own, len(stones) - own
}

// replay plays the stones in their order from the start, if that is a game that me is to move in.
func (s *session) replay(stones []placed, me game.Side) (game.Board, bool) {
	b, ok := s.b.Game().Start().(game.Board)
	if !ok {
		return nil, false
	}
	for _, st := range stones {
		if st.side(me) != b.Turn() || playPoint(b, st.point) != nil {
			return nil, false
		}
	}
	return b, b.Turn() == me
}
