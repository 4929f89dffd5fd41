// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"errors"
	"fmt"
	"strconv"
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
