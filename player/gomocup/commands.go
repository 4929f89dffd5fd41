// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player/subprocess"
)

type call struct {
	rest  string    // the text after the command's name
	lines []string  // the list that follows the command
	at    time.Time // when the last line of the command arrived
}

// order describes a command: its function, and the conditions for the command.
type order struct {
	board bool // whether a game must have begun
	list  bool // whether a list follows, up to DONE
	do    func(s *session, c call) error
}

// commands contains the commands that a brain executes in the order of their arrival. END, and STOP during a search, are not
// included because they take effect at once.
var commands = map[string]order{
	"START":      {do: (*session).start},
	"RECTSTART":  {do: (*session).rectStart},
	"RESTART":    {board: true, do: (*session).restart},
	"ABOUT":      {do: (*session).about},
	"INFO":       {do: (*session).info},
	"BEGIN":      {board: true, do: (*session).obeyBegin},
	"TURN":       {board: true, do: (*session).turn},
	"PLAY":       {board: true, do: (*session).playOrdered},
	"TAKEBACK":   {board: true, do: (*session).takeBack},
	"STOP":       {do: nothing},
	"BOARD":      {board: true, list: true, do: (*session).board},
	"SWAP2BOARD": {board: true, list: true, do: (*session).swap2},

	"YXBOARD":      {board: true, list: true, do: (*session).place},
	"YXSHOWFORBID": {board: true, do: (*session).showForbid},
	"YXSTOP":       {do: nothing},
}

func nothing(*session, call) error { return nil }

// list is a command whose list of lines has not arrived completely. The field lines contains the lines that have arrived. An
// example is the list of stones between BOARD and DONE:
//
//	BOARD
//	7,7,1       x,y,whose: 1 the brain's, 2 the other side's
//	8,7,2
//	DONE
type list struct {
	order
	lines []string
}

// longestList is the maximum number of lines of a list that are kept: one more than the largest board has cells.
const longestList = game.MaxSide*game.MaxSide + 1

// obey executes a command. If the command has a list, obey executes it when the list is complete. If DONE is missing, the next
// known command ends the list.
func (s *session) obey(c subprocess.Line) {
	if c.Err != nil {
		s.reportError(c.Err)
		return
	}
	word, rest := cut(c.Text)
	o, known := commands[word]
	if l := s.list; l != nil && !known {
		if word != "DONE" {
			if len(l.lines) < longestList {
				l.lines = append(l.lines, c.Text)
			}
			return
		}
		s.list = nil
		s.reportError(l.do(s, call{lines: l.lines, at: c.At}))
		return
	}
	s.list = nil
	switch {
	case !known:
		s.out.Say("UNKNOWN %s", subprocess.Shown(c.Text))
	case o.board && s.b == nil:
		s.reportError(errors.New("there is no game: send START first"))
	case o.list:
		s.list = &list{order: o}
	default:
		s.reportError(o.do(s, call{rest: rest, at: c.At}))
	}
}

func (s *session) start(c call) error {
	n, err := strconv.Atoi(c.rest)
	if err != nil {
		return fmt.Errorf("%q is not the size of a board", subprocess.Shown(c.rest))
	}
	return s.startOn(n, n)
}

func (s *session) rectStart(c call) error {
	n, err := parseInts(c.rest, 2)
	if err != nil {
		return err
	}
	return s.startOn(n[0], n[1])
}

// startOn begins a game on an empty board of the given size. After an error the game is unchanged.
func (s *session) startOn(columns, rows int) error {
	before := s.set
	s.set.columns, s.set.rows = columns, rows
	if err := s.reset(); err != nil {
		s.set = before
		return err
	}
	s.out.Say("OK")
	return nil
}

func (s *session) restart(call) error {
	if err := s.reset(); err != nil {
		return err
	}
	s.out.Say("OK")
	return nil
}

func (s *session) about(call) error {
	s.out.Say("%s", s.About)
	return nil
}

func (s *session) obeyBegin(c call) error {
	if s.b.Ply() > 0 {
		return errors.New("BEGIN on a board with stones")
	}
	return s.thinkMove(c.at)
}

func (s *session) turn(c call) error {
	if _, err := s.put(c.rest); err != nil {
		return err
	}
	return s.thinkMove(c.at)
}

// put plays a stone on the point that text names.
func (s *session) put(text string) (point, error) {
	pt, err := parsePoint(text)
	if err == nil {
		err = playPoint(s.b, pt)
	}
	return pt, err
}

// playOrdered plays the move that the manager has chosen for the brain, and answers with the same move.
func (s *session) playOrdered(c call) error {
	pt, err := s.put(c.rest)
	if err == nil {
		s.out.Say("%v", pt)
	}
	return err
}

// takeBack removes a stone. If it is the stone of the last move, the move is undone. If it is another stone, the position
// loses its history of moves.
func (s *session) takeBack(c call) error {
	pt, err := parsePoint(c.rest)
	if err != nil {
		return err
	}
	cell, err := cellAt(s.b, pt)
	if err != nil {
		return err
	}
	if s.b.Cells()[cell] == game.Empty {
		return fmt.Errorf("there is no stone on %v", pt)
	}
	if err := s.lift(cell); err != nil {
		return err
	}
	s.out.Say("OK")
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

func (s *session) board(c call) error {
	if err := s.place(c); err != nil {
		return err
	}
	return s.thinkMove(c.at)
}

// place sets up the stones of a list, without an answer.
func (s *session) place(c call) error {
	stones, err := parseStones(c.lines, len(s.b.Cells()), false)
	if err == nil {
		s.b, err = setBoard(s.b, stones)
	}
	return err
}

// showForbid prints the points that are forbidden for Black, the first side. It prints none if Black is not to move. Each
// point is four digits, two for x and two for y, as in "FORBID 07080810.".
func (s *session) showForbid(call) error {
	var all strings.Builder
	f, ok := s.b.(game.Forbidder)
	if ok && s.b.Turn() == game.First && s.b.Outcome() == game.Ongoing {
		for _, m := range s.b.AppendMoves(nil) {
			if f.Forbidden(m) != "" {
				pt := pointOf(s.b, m)
				fmt.Fprintf(&all, "%02d%02d", pt.x, pt.y)
			}
		}
	}
	s.out.Say("FORBID %s.", all.String())
	return nil
}

// placed is a stone on a point, and whether it belongs to the brain.
type placed struct {
	point
	own bool
}

// String returns the line for the stone in a list: x,y,whose.
func (st placed) String() string {
	whose := 2
	if st.own {
		whose = 1
	}
	return fmt.Sprintf("%v,%d", st.point, whose)
}

// side returns the owner of the stone if the brain plays side me.
func (st placed) side(me game.Side) game.Side {
	if st.own {
		return me
	}
	return me.Other()
}

// parseStones reads the lines of a list. If bare is true, it also accepts lines without a third number, and ignores the third
// number of the other lines.
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
			return nil, errors.New("the position has more stones than cells")
		case !bare && n[2] == 3:
			return nil, errors.New("the continuous game is not supported")
		case !bare && n[2] != 1 && n[2] != 2:
			return nil, fmt.Errorf("%q does not say whose stone it is, 1 or 2", subprocess.Shown(line))
		}
		stones = append(stones, placed{point{n[0], n[1]}, n[2] == 1})
	}
	return stones, nil
}

// setBoard returns the position of the stones, with the brain to move. If the stones in their order are the moves of a legal
// game, it plays them; otherwise it sets them up. The brain is to move, so it is the first side if it has at least as many
// stones as the other side.
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
			return b, fmt.Errorf("%v has two stones", st.point)
		}
		cells[cell] = st.side(me).Stone()
	}
	set, err := setUp(b.Game(), cells, me)
	if err != nil {
		return b, err
	}
	return set, nil
}

// replay plays the stones in their order from the start of g. It reports whether they are the moves of a legal game after
// which the side me is to move.
func replay(g game.Game, stones []placed, me game.Side) (game.Board, bool) {
	b := start(g)
	for _, st := range stones {
		if st.side(me) != b.Turn() || playPoint(b, st.point) != nil {
			return nil, false
		}
	}
	return b, b.Turn() == me
}

// start returns the empty board of g. The conversion cannot fail, because the protocol supports only games with a game.Board.
func start(g game.Game) game.Board { return g.Start().(game.Board) }

func setUp(g game.Game, cells []game.Stone, turn game.Side) (game.Board, error) {
	stones := len(cells)
	for _, stone := range cells {
		if stone == game.Empty {
			stones--
		}
	}
	p, err := game.SetUp(g, game.Setup{Cells: cells, Turn: turn, Ply: stones})
	if err != nil {
		return nil, err
	}
	return p.(game.Board), nil
}
