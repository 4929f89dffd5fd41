// SPDX-License-Identifier: Apache-2.0

package live

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player/opening"
	"github.com/krow-lab/krow/server/store"
)

// Seat is the person who plays a side of a game between people.
type Seat = store.Seat

// Actor is the person who requests a change of a game.
type Actor struct {
	Seat
	// Lag is the time that a move took through the network, as reported by its sender. It is given back to the clock,
	// up to a limit: see mostLag.
	Lag time.Duration
}

// The network time that the sender of a move reports is given back to the clock, within two limits. For one move the limit is
// mostLag. For all moves of a side together the limit is mostLag, plus lagOfMove for each move that the side has made. So a
// false report gains little.
//
// CITE: lichess.org, lag compensation: a quota that each move refills.
const (
	mostLag   = 500 * time.Millisecond
	lagOfMove = 100 * time.Millisecond
)

// A game between people can also end in these ways, which do not follow from the moves.
const (
	aborted       = "aborted" // an outcome: the game has no result
	reasonAborted = "aborted"
	reasonAgreed  = "agreed"
)

// abortPlies is the number of moves after which a game can no longer be aborted.
const abortPlies = 2

// These errors are returned if a requested change of a game between people is not possible. The game is then unchanged.
var (
	errSeat      = fault.New("other-seat", "somebody else plays this side")
	errOffer     = fault.New("no-offer", "there is no such offer")
	errNoAbort   = fault.New("no-offer", "a game is aborted before its second move, or not at all")
	errPhrase    = fault.New("no-offer", "there is no such phrase, or you have said enough")
	errOpening   = fault.New("no-offer", "the opening is not over")
	errNoOpening = fault.New("no-offer", "the game has no opening that asks anything")
	errKept      = fault.New("going-on", "a game between people is kept until it is over, and a rated one for ever")
)

// agreement contains the terms of a game between people, and their pending offers to each other.
type agreement struct {
	Delay int `json:"delay,omitempty"` // number of seconds after which spectators see a move
	// An opening by a rule such as swap2, in which the players choose sides. Until it is over, the first of the Seats is
	// the person who begins the opening.
	Rule    string   `json:"rule,omitempty"`
	Answers []string `json:"answers,omitempty"`
	Opened  bool     `json:"opened,omitempty"` // whether the opening is over
	Stones  int      `json:"stones,omitempty"` // number of moves of the opening, which take no time from a clock and cannot be taken back

	Offers [2]Offers `json:"offers"`
	Next   string    `json:"next,omitempty"` // ID of the rematch
	Said   []Said    `json:"said,omitempty"`
	At     []int64   `json:"at,omitempty"` // times of the moves, in milliseconds since 1970
}

// Offers are the pending offers of one side to the other.
type Offers struct {
	Draw     bool `json:"draw,omitempty"`
	Takeback bool `json:"takeback,omitempty"`
	Rematch  bool `json:"rematch,omitempty"`
}

// Said is a phrase that one side has sent to the other.
type Said struct {
	Side   game.Side `json:"side"`
	Phrase string    `json:"phrase"`
	Ply    int       `json:"ply"`
}

// Phrases are the names of all phrases that people can say to each other. The page shows each in the reader's language.
var Phrases = []string{"hello", "luck", "good-game", "well-played", "thanks", "nice-move", "oops", "thinking", "back-soon", "here-again", "must-go", "again"}

// maxSaid is the maximum number of phrases of each side between two moves.
const maxSaid = 3

// Held reports whether people have seats at the game. If not, everybody who knows the link of the game can move for each side
// that no computer player plays.
func (g *Game) Held() bool { return g.meta.Agreement != nil }

// Offers returns the pending offers of both sides, in the order of the seats.
func (g *Game) Offers() (o [2]Offers) {
	if g.Held() {
		o = g.meta.Agreement.Offers
	}
	return o
}

// Said returns the phrases that were said.
func (g *Game) Said() []Said {
	if !g.Held() {
		return nil
	}
	return g.meta.Agreement.Said
}

// Next returns the ID of the rematch, or "".
func (g *Game) Next() string {
	if !g.Held() {
		return ""
	}
	return g.meta.Agreement.Next
}

// Delay returns the time after which spectators see a move.
func (g *Game) Delay() time.Duration {
	if !g.Held() {
		return 0
	}
	return time.Duration(g.meta.Agreement.Delay) * time.Second
}

// Side returns the side that a person plays, and false for a spectator.
func (g *Game) Side(by Seat) (game.Side, bool) {
	for side, seat := range g.Seats {
		if seat.Same(by) {
			return game.Side(side), true
		}
	}
	return 0, false
}

// Opening reports whether an opening by a rule is in progress.
func (g *Game) Opening() bool {
	return g.Held() && g.meta.Agreement.Rule != "" && !g.meta.Agreement.Opened && g.Ongoing()
}

// Rule returns the rule of the opening, and the answers that the players have given to the questions of the opening.
func (g *Game) Rule() (rule string, answers []string) {
	if g.meta.Agreement == nil {
		return "", nil
	}
	return g.meta.Agreement.Rule, g.meta.Agreement.Answers
}

// may returns the side of the game for which the given person may act, or an error. In a game without seats, everybody with the
// link may act for the side to move.
func (g *Game) may(by Seat) (game.Side, error) {
	if !g.Held() {
		return g.Board.Turn(), nil
	}
	side, ok := g.Side(by)
	if !ok {
		return 0, errSeat
	}
	return side, nil
}

// two reports whether both sides are people with seats.
func (g *Game) two() bool { return g.Held() && g.Seats[0].Taken() && g.Seats[1].Taken() }

// Action is an action of a person other than a move.
type Action string

// The actions of a person. Some actions are only offers: they take effect when the other side has offered the same.
const (
	DoResign   Action = "resign"
	DoDraw     Action = "draw"     // offers a draw, or accepts one
	DoTakeback Action = "takeback" // asks to take a move back, or allows it
	DoDecline  Action = "decline"  // declines what the other side offers
	DoAbort    Action = "abort"    // ends the game before its second move, without a result
	DoRematch  Action = "rematch"  // offers another game with the colours exchanged, or accepts it
	DoFlag     Action = "flag"     // claims that the side to move is out of time
	DoClaim    Action = "claim"    // claims the win because the opponent has left
)

// Act performs an action in a game. plies must be the number of moves that the game has.
func (gs *Games) Act(by Actor, id string, plies int, do Action) (Game, error) {
	if do == DoRematch {
		return gs.rematch(by, id, plies)
	}
	came := time.Now()
	return gs.change(by, id, plies, func(g *Game) error {
		if do == DoClaim {
			return gs.claim(g, by, came)
		}
		return g.doAction(by, do, came)
	})
}

// Leave ends the games of a person whose account is removed: it resigns these games, or aborts them if they have not
// begun.
func (gs *Games) Leave(by Seat) error {
	going, err := gs.o.Store.Games(store.GameFilter{By: by, Going: true, Count: manyGames})
	for _, m := range going {
		err = errors.Join(err, gs.leaveGame(by, m.ID))
	}
	return err
}

func (gs *Games) leaveGame(by Seat, id string) error {
	for {
		g, err := gs.loadGame(id)
		if err != nil {
			return err
		}
		_, err = gs.Act(Actor{Seat: by}, id, g.Plies, DoAbort)
		if errors.Is(err, errNoAbort) {
			_, err = gs.Act(Actor{Seat: by}, id, g.Plies, DoResign)
		}
		switch {
		case err == nil, errors.Is(err, game.ErrOver), errors.Is(err, store.ErrNoGame):
			return nil
		// A concurrent move causes request.ErrChanged. After this error the loop tries again.
		case !errors.Is(err, request.ErrChanged):
			return err
		}
	}
}

func (g *Game) doAction(by Actor, do Action, now time.Time) error {
	side, err := g.may(by.Seat)
	if do == DoFlag { // spectators may also claim that the time is over, because only the clock decides
		return g.flag(now)
	}
	if err != nil {
		return err
	}
	if !g.two() {
		switch do {
		case DoResign:
			return g.resign()
		case DoTakeback:
			return g.takeBack()
		}
		return errOffer
	}
	if !g.Ongoing() {
		return game.ErrOver
	}
	mine, theirs := &g.meta.Agreement.Offers[side], &g.meta.Agreement.Offers[side.Other()]
	switch do {
	case DoResign:
		g.endGame(game.WinFor(side.Other()).String(), request.ReasonResigned, now)
	case DoDraw:
		if mine.Draw = true; theirs.Draw {
			g.endGame(game.Draw.String(), reasonAgreed, now)
		}
	case DoTakeback:
		return g.giveBack(side, now)
	case DoDecline:
		if !theirs.Draw && !theirs.Takeback {
			return errOffer
		}
		theirs.Draw, theirs.Takeback = false, false
	case DoAbort:
		if g.Plies >= abortPlies && !g.Opening() || g.Tournament != 0 {
			return errNoAbort
		}
		g.endGame(aborted, reasonAborted, now)
	default:
		return errOffer
	}
	return nil
}

// endGame ends a game between people.
func (g *Game) endGame(outcome, reason string, now time.Time) {
	if k := g.meta.Clock; k != nil && g.Running() {
		k.Spent[g.Board.Turn()] += g.thought(now).Milliseconds()
		k.Since = 0
	}
	g.Outcome, g.Reason = outcome, reason
}

// giveBack requests to take back the last move of side. If the other side has already requested to take back its own move,
// giveBack takes that move back instead. The time used for the move is not given back.
func (g *Game) giveBack(side game.Side, now time.Time) error {
	t := g.meta.Agreement
	if !t.Offers[side.Other()].Takeback {
		if g.made(side) == 0 || g.Opening() {
			return request.ErrNoTakeback
		}
		t.Offers[side].Takeback = true
		return nil
	}
	asked := side.Other()
	for undone := false; len(g.Board.AppendHistory(nil)) > t.Stones && !(undone && g.Board.Turn() == asked); undone = true {
		if k := g.meta.Clock; k != nil && !undone && g.Running() {
			k.Spent[g.Board.Turn()] += g.thought(now).Milliseconds()
		}
		g.Board.Undo()
		// The clock computes the increments from the number of moves, so the side would lose the increment of the move that is
		// taken back. This line gives it back.
		if k := g.meta.Clock; k != nil && k.Turn == 0 {
			k.Spent[g.Board.Turn()] -= int64(k.Increment) * 1000
		}
	}
	if k := g.meta.Clock; k != nil {
		k.Since = 0
	}
	g.write()
	t.At = t.At[:min(g.Plies, len(t.At))]
	t.Offers = [2]Offers{}
	return nil
}

// made returns the number of moves that a side has made after the opening.
func (g *Game) made(side game.Side) (n int) {
	p, opened := g.Board.Clone(), 0
	if g.Held() {
		opened = g.meta.Agreement.Stones
	}
	for range len(g.Board.AppendHistory(nil)) - opened {
		if p.Undo(); p.Turn() == side {
			n++
		}
	}
	return n
}

// moved updates the agreement after a move in a game between people: it clears the offers, and records the time of the
// move, from which the delay for spectators is counted.
func (g *Game) moved(now time.Time) {
	t := g.meta.Agreement
	if t == nil {
		return
	}
	for len(t.At) < g.Plies {
		t.At = append(t.At, now.UnixMilli())
	}
	t.Offers = [2]Offers{}
}

// Say sends one of the Phrases from a player to the opponent.
func (gs *Games) Say(by Actor, id string, plies int, phrase string) (Game, error) {
	return gs.change(by, id, plies, func(g *Game) error {
		side, err := g.may(by.Seat)
		if err != nil || !g.Held() {
			return errSeat
		}
		t, said := g.meta.Agreement, 0
		for _, s := range t.Said {
			if s.Side == side && s.Ply == g.Plies {
				said++
			}
		}
		if said >= maxSaid || !slices.Contains(Phrases, phrase) {
			return errPhrase
		}
		t.Said = append(t.Said[max(len(t.Said)-19, 0):], Said{side, phrase, g.Plies})
		return nil
	})
}

// Answer answers the current question of the opening. answered must be the number of questions answered before.
func (gs *Games) Answer(by Actor, id string, answered int, text string) (Game, error) {
	g, err := gs.loadGame(id)
	if err != nil {
		return g, err
	}
	return gs.change(by, id, g.Plies, func(g *Game) error { return gs.answerQuestion(g, by, answered, text) })
}

func (gs *Games) answerQuestion(g *Game, by Actor, answered int, text string) error {
	side, err := g.may(by.Seat)
	if err != nil {
		return err
	}
	if !g.Opening() {
		return errNoOpening
	}
	t := g.meta.Agreement
	if len(t.Answers) != answered {
		return fault.Errorf("%w: it has %d answers, not %d", request.ErrChanged, len(t.Answers), answered)
	}
	s, err := gs.session(g)
	if err != nil {
		return err
	}
	if q, _ := s.Question(); q.Who != int(side) {
		return request.ErrTurn
	}
	a, err := opening.ParseAnswer(s.Board().Game(), text)
	if err == nil {
		err = s.Answer(a)
	}
	if err != nil {
		return fault.As("bad-opening", err)
	}
	t.Answers = append(t.Answers, strings.TrimSpace(text))
	g.Board = s.Board()
	g.write()
	if _, more := s.Question(); !more {
		t.Opened, t.Stones = true, g.Plies
		if s.Black() == 1 {
			g.Seats[0], g.Seats[1] = g.Seats[1], g.Seats[0]
		}
	}
	g.moved(time.Now())
	return nil
}

// session returns the current state of the opening of a game.
func (gs *Games) session(g *Game) (*opening.Session, error) {
	b, err := gs.o.Position(g.Game.Game, g.Start, "")
	if err != nil {
		return nil, err
	}
	s, err := opening.NewSession(g.meta.Agreement.Rule, b)
	if err != nil {
		return nil, err
	}
	for _, text := range g.meta.Agreement.Answers {
		a, err := opening.ParseAnswer(b.Game(), text)
		if err == nil {
			err = s.Answer(a)
		}
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// questionOf returns the current question of the opening of a game. The question contains the seat that must answer (Who). ok is
// false if there is no question.
func (gs *Games) questionOf(g Game) (q opening.Question, ok bool) {
	if !g.Opening() {
		return q, false
	}
	s, err := gs.session(&g)
	if err != nil {
		return q, false
	}
	return s.Question()
}

// Mover returns the index of the seat that is to move in a game, or to answer the question of its opening.
func (gs *Games) Mover(g Game) int {
	if q, ok := gs.questionOf(g); ok {
		return q.Who
	}
	return int(g.Board.Turn())
}

// rematch offers another game, or begins the game that the other side has offered. A game has at most one rematch.
func (gs *Games) rematch(by Actor, id string, plies int) (Game, error) {
	g, err := gs.loadGame(id)
	if err != nil {
		return g, err
	}
	side, err := g.may(by.Seat)
	switch {
	case err != nil:
		return g, err
	case g.Ongoing() || !g.two() || g.Tournament != 0 || g.Next() != "":
		return g, errOffer
	}
	t := g.meta.Agreement
	if !t.Offers[side.Other()].Rematch {
		both := false
		after, err := gs.change(by, id, plies, func(g *Game) error {
			both = g.meta.Agreement.Offers[side.Other()].Rematch // the opponent may have offered it since the check above
			g.meta.Agreement.Offers[side].Rematch = true
			return nil
		})
		if err != nil || !both {
			return after, err
		}
		t = after.meta.Agreement
	}
	// The ID of the rematch is derived from the ID of the game, so that a second rematch cannot begin.
	sum := sha256.Sum256([]byte("rematch " + g.ID))
	next := Start{
		GameTerms: request.GameTerms{Game: g.Game.Game, Start: g.Start, Clock: g.Limit(), Rated: g.Rated, Delay: t.Delay, Rule: t.Rule},
		ID:        hex.EncodeToString(sum[:8]), First: request.Human, Second: request.Human, Seats: [2]Seat{g.Seats[1], g.Seats[0]},
	}
	if _, err := gs.Begin(next); err != nil {
		if _, there := gs.Game(next.ID); there != nil {
			return g, err
		}
	}
	return gs.change(by, id, plies, func(g *Game) error {
		g.meta.Agreement.Next, g.meta.Agreement.Offers = next.ID, [2]Offers{}
		return nil
	})
}

// newID returns a random ID for a game.
func newID() string { return strings.ToLower(rand.Text()[:16]) }

// As returns the game in the state that the given person may see. In a game with a delay, spectators see an earlier state, and
// next is the time until they see the next move, or 0.
func (gs *Games) As(by Seat, g Game, now time.Time) (seen Game, next time.Duration, err error) {
	if _, plays := g.Side(by); plays || g.Delay() == 0 {
		return g, 0, nil
	}
	limit, t := now.Add(-g.Delay()).UnixMilli(), g.meta.Agreement
	shown := 0
	for shown < len(t.At) && t.At[shown] <= limit {
		shown++
	}
	over := !g.Ongoing()
	switch {
	case shown < len(t.At):
		next = time.Duration(t.At[shown]-limit) * time.Millisecond
	case over && g.Ended.UnixMilli() > limit:
		next = time.Duration(g.Ended.UnixMilli()-limit) * time.Millisecond
	default:
		return g, 0, nil
	}
	words := strings.Fields(notation.FormatMoves(g.Board.Game(), g.Board.AppendHistory(nil)))
	g.Moves = strings.Join(words[:min(shown, len(words))], " ")
	if g.Board, err = gs.o.Position(g.Game.Game, g.Start, g.Moves); err != nil {
		return g, 0, err
	}
	table := *t
	table.Offers, table.Said, table.Next, table.Answers = [2]Offers{}, nil, "", nil
	g.meta = meta{Agreement: &table} // without clocks, which would reveal later moves
	g.write()
	return g, next, nil
}
