// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player/opening"
	"github.com/krow-lab/krow/player/subprocess"
)

// init adds the commands of Yixin-Board that are not supported.
func init() {
	for _, r := range refused {
		for name := range strings.FieldsSeq(r.names) {
			answer := r.answer
			if answer == nil {
				answer = []string{name + " is not supported"}
			}
			commands[name] = order{list: r.lines, do: messages(answer...)}
		}
	}
}

var noDatabase = []string{"there is no database"}

// refused are the commands that are not supported. Their lines are skipped. A query has an empty result.
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

// messages returns a function that answers a command with these messages.
func messages(lines ...string) func(*session, call) error {
	return func(s *session, _ call) error {
		for _, l := range lines {
			s.out.say("MESSAGE %s", l)
		}
		return nil
	}
}

// points reads points on the board.
func (s *session) points(lines []string) (all []point, err error) {
	stones, err := parseStones(lines, len(s.b.Cells()), true)
	for _, st := range stones {
		if _, err := cellAt(s.b, st.point); err != nil {
			return nil, err
		}
		all = append(all, st.point)
	}
	return all, err
}

func (s *session) block(c call) error {
	list, err := s.points(c.lines)
	for _, pt := range list {
		if !slices.Contains(s.blocked, pt) {
			s.blocked = append(s.blocked, pt)
		}
	}
	return err
}

func (s *session) unblock(c call) error {
	list, err := s.points(c.lines)
	s.blocked = slices.DeleteFunc(s.blocked, func(pt point) bool { return slices.Contains(list, pt) })
	return err
}

func (s *session) showInfo(call) error {
	s.out.say("MESSAGE INFO MAX_THREAD_NUM %d", maxThreads)
	s.out.say("MESSAGE INFO MAX_HASH_SIZE %d", maxHashLog)
	return nil
}

// showForbid tells the points that lose for Black, who moves first, when it is to move: FORBID xxyyxxyy.
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
	s.out.say("FORBID %s.", all.String())
	return nil
}

// hashClear makes a new player, so that it is ready before the next move.
func (s *session) hashClear(call) error {
	s.drop()
	if s.b == nil {
		return nil
	}
	return s.ready()
}

func (s *session) nBest(c call) error {
	n, err := strconv.Atoi(c.rest)
	if err != nil || n < 1 || n > maxLines {
		return fmt.Errorf("%q is not a number of moves from 1 to %d", subprocess.Shown(c.rest), maxLines)
	}
	return s.move(c.at, n)
}

// searchDefend asks for the value of every move.
func (s *session) searchDefend(c call) error {
	return s.move(c.at, max(len(s.b.AppendMoves(nil)), 1))
}

// balance returns a command that finds n moves, of either side in turn, after which the game is worth the bias.
func balance(n int) func(*session, call) error {
	return func(s *session, c call) error {
		bias := 0
		if c.rest != "" {
			var err error
			if bias, err = strconv.Atoi(c.rest); err != nil || bias < -maxBias || bias > maxBias {
				return fmt.Errorf("%q is not a bias", subprocess.Shown(c.rest))
			}
		}
		if err := s.able(); err != nil {
			return err
		}
		ways := opening.Ways(s.b, s.rng(), n)
		if len(ways) == 0 {
			return errors.New("no moves after which the game goes on")
		}
		s.contest(c.at, ways, opening.Off(eval.Score(bias)*eval.Unit))
		return nil
	}
}

// maxBias is greater than the score of any open game.
const maxBias = 1 << 30

// swap2Step returns the command of a step of swap2, in which the board has the given number of stones. It is answered
// in the words of Yixin-Board:
//
//	MESSAGE SWAP2 MOVE1 7 7    and so on, up to MOVE3, or MOVE4 and MOVE5
//	MESSAGE SWAP2 SWAP1 YES    with three stones; SWAP2 with five; NO to play White
func swap2Step(stones int) func(*session, call) error {
	return func(s *session, c call) (err error) {
		if stones == 0 {
			if s.b, err = start(s.b.Game()); err != nil {
				return err
			}
		}
		if s.b.Ply() != stones {
			return fmt.Errorf("this step of swap2 has %d stones, not %d", stones, s.b.Ply())
		}
		return s.askSwap2(c.at, func(a opening.Answer) {
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
