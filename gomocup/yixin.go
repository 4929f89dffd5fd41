// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/opening"
)

// yixin adds the commands of Yixin-Board.
func yixin() {
	add := map[string]handler{
		"YXSTOP":          (*session).nothing,
		"YXSHOWINFO":      (*session).showInfo,
		"YXSHOWFORBID":    begun((*session).showForbid),
		"YXHASHCLEAR":     (*session).hashClear,
		"YXSHOWHASHUSAGE": messages("the player does not tell how full its table is"),
		"YXNBEST":         begun((*session).nBest),
		"YXSEARCHDEFEND":  begun((*session).searchDefend),
		"YXBALANCEONE":    begun(balance(1)),
		"YXBALANCETWO":    begun(balance(2)),
		"YXBLOCK":         begun(points((*session).block)),
		"YXBLOCKUNDO":     begun(points((*session).unblock)),
		"YXBLOCKRESET":    func(s *session, _ string, _ time.Time) error { s.blocked = nil; return nil },
		"YXSWAP2STEP1":    begun(swap2Step(0)),
		"YXSWAP2STEP2":    begun(swap2Step(3)),
		"YXSWAP2STEP3":    begun(swap2Step(5)),
		"YXDRAW":          messages("DRAW REJECT"),
		"YXRESIGN":        (*session).nothing,
	}
	maps.Copy(commands, add)
	for _, r := range refused {
		for name := range strings.FieldsSeq(r.names) {
			lines := r.answer
			if lines == nil {
				lines = []string{name + " is not supported"}
			}
			commands[name] = messages(lines...)
			if r.lines != 0 {
				commands[name] = over(max(r.lines, 0), lines...)
			}
		}
	}
}

// allLines says that DONE ends the lines that follow a command.
const allLines = -1

var noDatabase = []string{"there is no database"}

// refused are the commands that are not supported. The lines that follow them are skipped, so that they are not taken for
// commands, and the answer says what is missing. A query is answered with an empty result.
var refused = []struct {
	names  string
	lines  int // that follow, or allLines
	answer []string
}{
	{"YXBLOCKPATH YXBLOCKPATHUNDO YXSOOSORVSTEP2 YXSOOSORVSTEP3 YXSOOSORVSTEP4 YXSOOSORVSTEP5 YXSOOSORVSTEP6", allLines, nil},
	{"YXBLOCKPATHRESET YXSOOSORVSTEP1 YXPRINTFEATURE", 0, nil},
	{
		"YXQUERYDATABASEALL YXQUERYDATABASEONE YXQUERYDATABASETEXT YXQUERYDATABASEALLT", allLines,
		[]string{"DATABASE REFRESH", noDatabase[0], "DATABASE DONE"},
	},
	{"YXEDITTVDDATABASE YXEDITTEXTDATABASE YXEDITLABELDATABASE YXDELETEDATABASEONE YXDELETEDATABASEALL", allLines, noDatabase},
	{
		"YXSETDATABASE YXDBTOTXT YXDBTOTXTALL YXTXTTODB YXLIBTODB YXDBTOLIB YXDBTOPOS YXDBSPLIT YXDBMERGE", 1, noDatabase,
	},
	{"YXSAVEDATABASE YXSETBESTMOVEDATABASE YXCLEARBESTMOVEDATABASE YXDBCHECK YXDBFIX", 0, noDatabase},
	{"YXHASHDUMP YXHASHLOAD", 1, []string{"tables are neither written nor read"}},
}

// messages returns a command that is answered with these messages.
func messages(lines ...string) handler {
	return func(s *session, _ string, _ time.Time) error {
		for _, l := range lines {
			s.out.say("MESSAGE %s", l)
		}
		return nil
	}
}

// over returns a command that skips so many lines, or those up to DONE for 0, and is answered with these messages.
func over(count int, lines ...string) handler {
	return func(s *session, _ string, _ time.Time) error {
		s.collect = &block{count: count, then: func(_ []string, at time.Time) error { return messages(lines...)(s, "", at) }}
		return nil
	}
}

// points returns a command that is followed by a list of points on the board.
func points(then func(s *session, list []point)) handler {
	return func(s *session, _ string, _ time.Time) error {
		s.collect = &block{then: func(lines []string, _ time.Time) error {
			stones, err := parseStones(lines, len(s.b.Cells()), true)
			if err != nil {
				return err
			}
			var list []point
			for _, st := range stones {
				if _, err := cellAt(s.b, st.point); err != nil {
					return err
				}
				list = append(list, st.point)
			}
			then(s, list)
			return nil
		}}
		return nil
	}
}

func (s *session) block(list []point) {
	s.unblock(list)
	s.blocked = append(s.blocked, list...)
}

func (s *session) unblock(list []point) {
	s.blocked = slices.DeleteFunc(s.blocked, func(pt point) bool { return slices.Contains(list, pt) })
}

func (s *session) showInfo(string, time.Time) error {
	s.out.say("MESSAGE INFO MAX_THREAD_NUM %d", maxThreads)
	s.out.say("MESSAGE INFO MAX_HASH_SIZE %d", maxHashLog)
	return nil
}

// showForbid tells the points that lose for Black, who moves first, when it is to move: FORBID xxyyxxyy.
func (s *session) showForbid(string, time.Time) error {
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
	s.out.say("FORBID %s.", all.String())
	return nil
}

// hashClear makes a new player, so that it is ready before the next move.
func (s *session) hashClear(string, time.Time) error {
	s.drop()
	if s.b == nil {
		return nil
	}
	return s.ready()
}

func (s *session) nBest(rest string, at time.Time) error {
	n, err := strconv.Atoi(rest)
	if err != nil || n < 1 || n > maxLines {
		return fmt.Errorf("%q is not a number of moves from 1 to %d", shown(rest), maxLines)
	}
	return s.move(at, n)
}

// searchDefend asks for the value of every move.
func (s *session) searchDefend(_ string, at time.Time) error {
	return s.move(at, max(len(s.b.AppendMoves(nil)), 1))
}

// balance returns a command that looks for n moves, of either side in turn, after which the game is worth the bias to the
// side to move.
func balance(n int) handler {
	return func(s *session, rest string, at time.Time) error {
		bias := 0
		if rest != "" {
			var err error
			if bias, err = strconv.Atoi(rest); err != nil || bias < -maxBias || bias > maxBias {
				return fmt.Errorf("%q is not a bias", shown(rest))
			}
		}
		if err := s.able(); err != nil {
			return err
		}
		ways := opening.Ways(s.b, s.rng(), n)
		if len(ways) == 0 {
			return errors.New("no moves after which the game goes on")
		}
		s.contest(at, ways, opening.Off(eval.Score(bias)*eval.Unit))
		return nil
	}
}

// maxBias is greater than the score of any open game.
const maxBias = 1 << 30

// swap2Step returns the command of a step of swap2, which has so many stones on the board. It is answered in the words of
// Yixin-Board:
//
//	MESSAGE SWAP2 MOVE1 7 7    and so on, up to MOVE3, or MOVE4 and MOVE5
//	MESSAGE SWAP2 SWAP1 YES    with three stones; SWAP2 with five; NO to play White
func swap2Step(stones int) handler {
	return func(s *session, _ string, at time.Time) (err error) {
		if stones == 0 {
			if s.b, err = start(s.b.Game()); err != nil {
				return err
			}
		}
		if s.b.Ply() != stones {
			return fmt.Errorf("this step of swap2 has %d stones, not %d", stones, s.b.Ply())
		}
		return s.askSwap2(at, func(a opening.Answer) {
			switch {
			case a.Swap:
				s.out.say("MESSAGE SWAP2 SWAP%d YES", stones/2)
			case len(a.Moves) == 1:
				s.out.say("MESSAGE SWAP2 SWAP%d NO", stones/2)
			default:
				for i, pt := range pointsOf(s.b, a.Moves) {
					s.out.say("MESSAGE SWAP2 MOVE%d %d %d", stones+i+1, pt.x, pt.y)
				}
			}
		})
	}
}
