// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
)

// handler obeys a command: rest is what follows its name, and at when it came.
type handler = func(s *session, rest string, at time.Time) error

// commands are all that a brain obeys, but for END and STOP, which do not wait for their turn.
var commands map[string]handler

// The table is filled here, since a list of stones looks commands up in it.
func init() {
	commands = map[string]handler{
		"START":     (*session).start,
		"RECTSTART": (*session).rectStart,
		"RESTART":   begun((*session).restart),
		"ABOUT":     (*session).about,
		"INFO":      (*session).info,
		"BEGIN":     begun((*session).begin),
		"TURN":      begun((*session).turn),
		"PLAY":      begun((*session).playOrdered),
		"TAKEBACK":  begun((*session).takeBack),
		"STOP":      (*session).nothing,

		"BOARD":      begun(list(func(s *session, at time.Time) error { return s.move(at, 1) })),
		"YXBOARD":    begun(list(func(*session, time.Time) error { return nil })),
		"SWAP2BOARD": begun((*session).swap2Board),
	}
	yixin()
}

// begun returns a command that needs a board.
func begun(do handler) handler {
	return func(s *session, rest string, at time.Time) error {
		if s.b == nil {
			return errNoGame
		}
		return do(s, rest, at)
	}
}

func (s *session) nothing(string, time.Time) error { return nil }

func (s *session) start(rest string, _ time.Time) error {
	n, err := strconv.Atoi(rest)
	if err != nil {
		return fmt.Errorf("%q is not the size of a board", shown(rest))
	}
	return s.startOn(n, n)
}

func (s *session) rectStart(rest string, _ time.Time) error {
	n, err := parseInts(rest, 2)
	if err != nil {
		return err
	}
	return s.startOn(n[0], n[1])
}

// startOn begins a game on an empty board of that size. An error leaves the game as it was.
func (s *session) startOn(columns, rows int) error {
	before := s.set
	s.set.columns, s.set.rows = columns, rows
	if err := s.reset(); err != nil {
		s.set = before
		return err
	}
	s.out.say("OK")
	return nil
}

func (s *session) restart(string, time.Time) error {
	if err := s.reset(); err != nil {
		return err
	}
	s.out.say("OK")
	return nil
}

func (s *session) about(string, time.Time) error {
	s.out.say("%s", s.About)
	return nil
}

func (s *session) begin(_ string, at time.Time) error {
	if s.b.Ply() > 0 {
		return errors.New("BEGIN on a board with stones")
	}
	return s.move(at, 1)
}

func (s *session) turn(rest string, at time.Time) error {
	if err := s.put(rest); err != nil {
		return err
	}
	return s.move(at, 1)
}

// put plays the move that rest names.
func (s *session) put(rest string) error {
	pt, err := parsePoint(rest)
	if err != nil {
		return err
	}
	return playPoint(s.b, pt)
}

// playOrdered plays the move that the manager has chosen for the brain, and repeats it.
func (s *session) playOrdered(rest string, _ time.Time) error {
	if err := s.put(rest); err != nil {
		return err
	}
	pt, err := parsePoint(rest)
	if err == nil {
		s.out.say("%v", pt)
	}
	return err
}

// takeBack removes a stone. The last one is undone; after any other the position has no history.
func (s *session) takeBack(rest string, _ time.Time) error {
	pt, err := parsePoint(rest)
	if err != nil {
		return err
	}
	cell, err := cellAt(s.b, pt)
	if err != nil {
		return err
	}
	if s.b.Cells()[cell] == game.Empty {
		return fmt.Errorf("no stone stands on %v", pt)
	}
	if err := s.lift(cell); err != nil {
		return err
	}
	s.out.say("OK")
	return nil
}

func (s *session) lift(cell int) error {
	if moves := s.b.AppendHistory(nil); len(moves) > 0 {
		last := moves[len(moves)-1]
		s.b.Undo()
		if s.b.Cells()[cell] == game.Empty {
			return nil
		}
		s.b.Play(last)
	}
	cells := append([]game.Stone(nil), s.b.Cells()...)
	cells[cell] = game.Empty
	b, err := setUp(s.b.Game(), cells, s.b.Turn().Other())
	if err == nil {
		s.b = b
	}
	return err
}

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
