// SPDX-License-Identifier: Apache-2.0

package opening

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/symmetry"
	"github.com/krow-lab/krow/notation"
)

// The opening rules of a Session.
const (
	// Swap: the first player places three stones, Black's and White's in turn. The other player takes Black, or takes White and
	// moves.
	Swap = "swap"
	// Swap2: as Swap, but the other player may instead place two more stones and let the first player choose.
	Swap2 = "swap2"
	// Taraguchi10: the first stone is in the middle. The next three stones must be in the central square of 3 x 3, 5 x 5 and 7 x 7
	// cells; before each of them the player may swap. Then the player of Black may offer ten fifth stones anywhere, of which the
	// player of White takes one. If he does not, he may swap; the player who then has Black places the fifth stone in the square
	// of 9 x 9 cells, and the other player may swap once more.
	Taraguchi10 = "taraguchi10"
	// Soosyrv8: the first player places three stones, one of the 26 openings. The other player may swap. The player of White
	// places the fourth stone and declares the number of fifth stones, 1 to 8. The player of Black may swap. Then the player of
	// Black offers the declared number of fifth stones, and the player of White takes one.
	Soosyrv8 = "soosyrv8"
)

// tenOffers is the 10 in the name Taraguchi-10, and mostOffers the 8 in Soosyrv-8.
const (
	tenOffers  = 10
	mostOffers = 8
)

// The side lengths of the central squares in which Taraguchi-10 allows the fourth and the fifth stone.
const (
	fourthTaraguchi = 7
	fifthTaraguchi  = 9
)

// Question is a decision of a player in a Session. If Swap is true, the player may swap. A player who does not swap does what the
// other fields describe.
type Question struct {
	Who    int  // the player who must answer: 0 is the player who began, 1 the other
	Stones int  // number of stones on the board
	Swap   bool // whether the player may take the other colour
	Place  int  // number of stones to place; 0 if none may be placed
	// Two reports whether the player may instead place two stones. The other player then chooses a colour.
	Two bool
	// Within is the side length of the central square in which the player must place the last stone; 0 means anywhere.
	Within int
	// Declare is the greatest number of fifth stones that the player may declare together with his stone. It is 0 if he declares
	// none.
	Declare int
	Offers  int         // number of fifth stones to offer, no two of them equal up to symmetry
	Choose  []game.Move // the moves of which the player must take one
}

// Session performs an opening by a rule in which the players make choices. The caller repeatedly gets the current Question, lets
// the player answer it, and passes the answer to Answer, until there is no question.
type Session struct {
	rule    string
	b       game.Board
	black   int // the player who has Black at present
	stones  int // number of stones of the opening; set when the opening is over
	swapped bool
	fives   int
	offers  []game.Move
	done    bool
}

// ErrRule is returned for an unknown opening rule.
var ErrRule = errors.New("the opening rules are swap, swap2, taraguchi10 and soosyrv8")

// Rules lists the names of the opening rules.
var Rules = []string{Swap, Swap2, Taraguchi10, Soosyrv8}

// NewSession begins an opening on an empty board b, on which the session plays the answers. Every rule requires a game in which the
// sides place one stone each in turn. Taraguchi10 and Soosyrv8, the two rules from renju, also require a square board with a middle
// cell.
//
// CITE: Renju International Federation, opening rules Taraguchi-N and Soosyrv-N, 2011; renju.net/rule.
func NewSession(rule string, b game.Board) (*Session, error) {
	switch {
	case !slices.Contains(Rules, rule):
		return nil, ErrRule
	case !inTurn(b.Game()):
		return nil, fmt.Errorf("%s needs a game in which sides take turns of one stone", rule)
	case isSwap(rule) && b.Ply() != 0:
		return nil, fmt.Errorf("%s must begin with an empty board", rule)
	case isSwap(rule):
		return &Session{rule: rule, b: b}, nil
	}
	columns, rows := b.Size()
	if columns != rows || columns%2 == 0 || columns < 11 || b.Ply() != 0 || !game.CellMoves(b) {
		return nil, fmt.Errorf("%s needs an empty square board with a central cell, of at least 11 x 11 cells", rule)
	}
	s := &Session{rule: rule, b: b}
	if rule == Taraguchi10 {
		b.Play(game.Move(columns * rows / 2))
	}
	return s, nil
}

// isSwap reports whether the rule is one in which a player places three stones anywhere.
func isSwap(rule string) bool { return rule == Swap || rule == Swap2 }

// inTurn reports whether each of the first two turns of g has one stone.
func inTurn(g game.Game) bool {
	turns, ok := g.(game.TurnSharer)
	if !ok {
		return true
	}
	_, one := turns.StonesLeft(0)
	_, two := turns.StonesLeft(1)
	return one == 1 && two == 1
}

// Black returns the player who has Black at present.
func (s *Session) Black() int { return s.black }

// Board returns the board of the session. The caller must not change it.
func (s *Session) Board() game.Board { return s.b }

// Stones returns the number of stones that the opening has placed. Under swap2 a player who chooses White may also answer with
// White's first move. The board then contains this move, but Stones does not count it.
func (s *Session) Stones() int {
	if s.stones > 0 {
		return s.stones
	}
	return s.b.Ply()
}

// Question returns the current question. ok is false if the opening is over.
func (s *Session) Question() (q Question, ok bool) {
	if s.done {
		return q, false
	}
	stones := s.b.Ply()
	q = Question{Who: s.black, Stones: stones}
	if stones%2 == 1 {
		q.Who = 1 - s.black
	}
	switch {
	case isSwap(s.rule):
		q.Place, q.Swap, q.Two = 1, stones > 0, stones == 3 && s.rule == Swap2
		if stones == 0 {
			q.Place = 3
		}
		return q, true
	case s.offers != nil:
		q.Who, q.Choose = 1-s.black, s.offers
		return q, true
	case stones == 0:
		q.Place, q.Within = 3, 5
		return q, true
	case s.rule == Taraguchi10:
		q.Place, q.Within = 1, [...]int{0, 3, 5, fourthTaraguchi, fifthTaraguchi, 0}[stones]
		if stones == 4 && !s.swapped {
			q.Offers = tenOffers
		}
	case stones == 3:
		q.Place, q.Declare = 1, mostOffers
	default:
		q.Offers = s.fives
	}
	q.Swap = !s.swapped
	return q, true
}

// Answer plays the answer to the current question. After an error the session is unchanged.
func (s *Session) Answer(a Answer) error {
	q, ok := s.Question()
	if !ok {
		return errors.New("the opening is over")
	}
	switch n := len(a.Moves); {
	case isSwap(s.rule):
		return s.answerSwap(q, a)
	case a.Swap && n == 0 && a.Fives == 0:
		if !q.Swap {
			return s.wrong(q, "no swap is allowed now")
		}
		s.black, s.swapped = 1-s.black, true
		s.done = s.rule == Taraguchi10 && q.Stones == 5
		return nil
	case a.Swap || n == 0:
		return s.wrong(q, "that is no answer")
	case q.Choose != nil:
		return s.choose(q, a)
	case q.Place > 0 && n == q.Place:
		return s.place(q, a)
	case q.Offers > 0 && n == q.Offers:
		return s.offer(q, a)
	default:
		return s.wrong(q, fmt.Sprintf("%d stones are too many or too few", n))
	}
}

// answerSwap plays the answer a to the question q of Swap or Swap2.
func (s *Session) answerSwap(q Question, a Answer) error {
	if err := s.checkAnswer(q, a); err != nil {
		return err
	}
	for _, m := range a.Moves {
		s.b.Play(m)
	}
	switch {
	case a.Swap:
		s.black, s.done = q.Who, true
	case len(a.Moves) == 2:
		s.black = 1 - s.black // the next question is for the player who began, who now has White
	default:
		s.done = q.Stones > 0
	}
	if s.done {
		s.stones = q.Stones
	}
	return nil
}

// checkAnswer returns an error if Swap or Swap2 does not allow the answer a to the question q.
func (s *Session) checkAnswer(q Question, a Answer) error {
	n := len(a.Moves)
	ok := !a.Swap && (n == q.Place || n == 2 && q.Two) || a.Swap && q.Swap && n == 0
	if !ok || a.Fives != 0 {
		return fmt.Errorf("%s: with %d stones on the board %s is not a valid answer", s.rule, q.Stones, a)
	}
	c := clone(s.b)
	for _, m := range a.Moves {
		if err := game.Play(c, m); err != nil {
			return err
		}
	}
	if n > 1 && c.Outcome() != game.Ongoing {
		return fmt.Errorf("%s: the stones end the game: %s", s.rule, c.Outcome())
	}
	return nil
}

// String returns the answer in words.
func (a Answer) String() string {
	if a.Swap {
		return "a swap"
	}
	return fmt.Sprintf("%d moves", len(a.Moves))
}

func (s *Session) wrong(q Question, why string) error {
	return fmt.Errorf("%s: %s: %s", s.rule, why, q)
}

func (s *Session) place(q Question, a Answer) error {
	if a.Fives < 0 || a.Fives > q.Declare || q.Declare > 0 && a.Fives == 0 {
		if q.Declare == 0 {
			return s.wrong(q, "no number is asked for")
		}
		return s.wrong(q, fmt.Sprintf("the number of fifth stones is 1 to %d", q.Declare))
	}
	side, _ := s.b.Size()
	played := 0
	back := func(err error) error {
		for range played {
			s.b.Undo()
		}
		return err
	}
	for i, m := range a.Moves {
		within := q.Within
		if q.Place == 3 {
			within = 2*i + 1
		}
		if m >= 0 && int(m) < side*side && within > 0 && !inMiddle(int(m), side, within) {
			return back(s.wrong(q, fmt.Sprintf("%s is not in the square of %d x %d in the middle", game.FormatCell(int(m), side), within, within)))
		}
		if err := game.Play(s.b, m); err != nil {
			return back(err)
		}
		played++
	}
	s.swapped, s.fives = false, a.Fives
	s.done = s.b.Ply() == 6
	return nil
}

func inMiddle(cell, side, within int) bool {
	x, y := cell%side-side/2, cell/side-side/2
	return max(x, -x, y, -y) <= within/2
}

func (s *Session) offer(q Question, a Answer) error {
	if a.Fives != 0 {
		return s.wrong(q, "no number is asked for")
	}
	l := symmetry.NewLine(s.b.Game())
	for _, m := range s.b.AppendHistory(nil) {
		if err := l.Play(m); err != nil {
			return err
		}
	}
	seen := map[uint64]game.Move{}
	for _, m := range a.Moves {
		if err := l.Play(m); err != nil {
			return err
		}
		key := l.Key()
		l.Undo()
		if other, is := seen[key]; is {
			g := s.b.Game()
			return s.wrong(q, fmt.Sprintf("%s and %s are the same up to symmetry", g.Format(other), g.Format(m)))
		}
		seen[key] = m
	}
	s.offers = a.Moves
	if len(a.Moves) == 1 {
		s.b.Play(a.Moves[0])
		s.done = true
	}
	return nil
}

func (s *Session) choose(q Question, a Answer) error {
	if len(a.Moves) == 1 && a.Fives == 0 {
		for _, m := range q.Choose {
			if m == a.Moves[0] {
				s.b.Play(m)
				s.done = true
				return nil
			}
		}
	}
	return s.wrong(q, "one of those that were offered is to be taken")
}

// String returns the question in words.
func (q Question) String() string {
	var ways []string
	if q.Swap {
		ways = append(ways, "swap to take the other colour")
	}
	switch {
	case q.Choose != nil:
		ways = append(ways, fmt.Sprintf("choose one of the %d fifth stones", len(q.Choose)))
	case q.Place == 3 && q.Within == 0:
		ways = append(ways, "place three stones, of the first side and the second in turn")
	case q.Place == 3:
		ways = append(ways, "place three stones: in the middle, in 3 x 3 and in 5 x 5 around it")
	case q.Declare > 0:
		ways = append(ways, fmt.Sprintf("place a stone anywhere and say how many fifth stones there will be, 1 to %d", q.Declare))
	case q.Place == 1 && q.Within > 0:
		ways = append(ways, fmt.Sprintf("place a stone in the square of %d x %d in the middle", q.Within, q.Within))
	case q.Place == 1:
		ways = append(ways, "place a stone")
	}
	if q.Two {
		ways = append(ways, "place two stones and leave the choice")
	}
	if q.Offers > 0 {
		ways = append(ways, fmt.Sprintf("offer %d fifth stones", q.Offers))
	}
	return strings.Join(ways, ", or ")
}

// Describe returns a sentence about the answer a, which the player with the name who has just given to the question q.
func (s *Session) Describe(q Question, a Answer, who string) string {
	colour := "White (O)"
	if s.black == q.Who {
		colour = "Black (X)"
	}
	text := a.Format(s.b.Game())
	switch {
	case a.Swap:
		return fmt.Sprintf("%s takes %s", who, colour)
	case isSwap(s.rule) && len(a.Moves) == 2:
		return fmt.Sprintf("%s places %s; the other player chooses a colour", who, text)
	case isSwap(s.rule) && len(a.Moves) == 1:
		return fmt.Sprintf("%s takes White (O) and places %s", who, text)
	case q.Choose != nil:
		return fmt.Sprintf("%s chooses %s", who, text)
	case q.Offers > 0 && len(a.Moves) == q.Offers:
		return fmt.Sprintf("%s offers %s", who, text)
	}
	return fmt.Sprintf("%s places %s", who, text)
}

// ParseAnswer reads swap, moves, or a move and a number of fifth stones, as in "j9 4".
func ParseAnswer(g game.Game, text string) (a Answer, err error) {
	text = strings.TrimSpace(text)
	if strings.EqualFold(text, "swap") {
		return Answer{Swap: true}, nil
	}
	if at := strings.LastIndexByte(text, ' '); at >= 0 {
		if n, err := strconv.Atoi(text[at+1:]); err == nil {
			a.Fives, text = n, text[:at]
		}
	}
	a.Moves, err = notation.ParseMoves(g, text)
	return a, err
}

// Format writes an answer as ParseAnswer reads it.
func (a Answer) Format(g game.Game) string {
	text := notation.FormatMoves(g, a.Moves)
	switch {
	case a.Swap:
		return "swap"
	case a.Fives > 0:
		text += " " + strconv.Itoa(a.Fives)
	}
	return text
}
