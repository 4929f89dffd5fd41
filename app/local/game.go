// SPDX-License-Identifier: Apache-2.0

package local

import (
	"context"
	"fmt"
	"hash/fnv"
	"strings"
	"time"

	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// Game is a game between a person and a player, in the form in which the page stores it. Its clock contains the times at the last
// update of the game. The clock runs from the second move on.
type Game struct {
	request.Game
	board game.Board
}

func (g *Game) open() (err error) {
	g.board, err = request.PositionOf(g.Game.Game, g.Start, strings.Join(g.Moves, " "))
	if err == nil {
		g.Board = diagram.New(g.board)
	}
	return err
}

// players returns the specs of both sides.
func (g *Game) players() [2]string { return [2]string{g.First, g.Second} }

func (g *Game) person() bool { return g.players()[g.board.Turn()] == request.Human }

func (g *Game) ongoing() bool { return g.Outcome == game.Ongoing.String() }

// write copies the state of g.board to the exported fields.
func (g *Game) write() {
	moves := g.board.AppendHistory(nil)
	g.Moves, g.Plies, g.Board = strings.Fields(notation.FormatMoves(g.board.Game(), moves)), len(moves), diagram.New(g.board)
	g.end(g.board.Outcome().String(), record.Ending(g.board))
}

// end sets the outcome of the game and the reason.
func (g *Game) end(outcome, reason string) {
	g.Outcome, g.Reason, g.Updated = outcome, reason, time.Now().UTC()
	g.Thinking = g.ongoing() && !g.person()
	if g.Clock != nil {
		g.Clock.Running = g.ongoing() && g.Plies > 0
	}
}

// press stops the clock of the side to move and reports whether the side had time left. If the side had no time left, it loses
// the game on time.
func (g *Game) press(increment int) bool {
	if g.Clock == nil || !g.Clock.Running {
		return true
	}
	side := g.board.Turn()
	left := &g.Clock.Left[side]
	if *left -= time.Since(g.Updated).Milliseconds(); *left <= 0 {
		g.end(game.WinFor(side.Other()).String(), record.ReasonTime)
		return false
	}
	*left += int64(increment) * 1000
	return true
}

func (g *Game) move(m game.Move) error {
	if !game.Legal(g.board, m) || g.press(g.increment()) {
		if err := game.Play(g.board, m); err != nil {
			return err
		}
		g.write()
	}
	return nil
}

func (g *Game) increment() int {
	if g.Clock == nil {
		return 0
	}
	return g.Clock.Increment
}

type changeInput struct {
	Body struct {
		Game Game   `json:"game"`
		Do   string `json:"do"` // begin, move, takeback, resign or flag
		Move string `json:"move"`
		Ply  int    `json:"ply"`
	}
}

// change performs the action Body.Do on a person's game, and returns the changed game.
func change(_ context.Context, in *changeInput) (*Game, error) {
	g := &in.Body.Game
	if err := g.open(); err != nil {
		return nil, err
	}
	if in.Body.Do != "begin" && in.Body.Ply != g.Plies {
		return nil, request.ErrChanged
	}
	switch in.Body.Do {
	case "begin":
		for _, name := range []string{g.First, g.Second} {
			p, err := playerOf(g.board.Game(), name, 1)
			if err != nil {
				return nil, err
			}
			player.Close(p)
		}
		g.Created, g.Visibility = time.Now().UTC(), "private"
		if g.Clock != nil {
			ms := int64(g.Clock.Seconds) * 1000
			g.Clock.Left = []int64{ms, ms}
		}
		g.write()
	case "move":
		if !g.ongoing() || !g.person() {
			return nil, request.ErrTurn
		}
		moves, err := notation.ParseMoves(g.board.Game(), in.Body.Move)
		if err == nil && len(moves) != 1 {
			err = fmt.Errorf("move %q: expected a single move", in.Body.Move)
		}
		if err != nil {
			return nil, fault.As("bad-move", err)
		}
		return g, g.move(moves[0])
	case "takeback":
		if g.Clock != nil {
			return nil, request.ErrClocked
		}
		if err := request.TakeBack(g.board, g.players(), 0); err != nil {
			return nil, err
		}
		g.write()
	case "resign":
		loser, err := request.Resigning(g.board, g.players(), g.ongoing())
		if err != nil {
			return nil, err
		}
		g.end(game.WinFor(loser.Other()).String(), request.ReasonResigned)
	case "flag":
		if g.ongoing() && g.press(0) {
			return nil, request.ErrInTime
		}
	}
	return g, nil
}

// longest is the time limit for a move of a player whose spec sets no limit.
const longest = 10 * time.Second

type replyInput struct{ Body Game }

// reply lets the computer player make its move, and returns the game.
func reply(_ context.Context, in *replyInput) (*Game, error) {
	g := &in.Body
	if err := g.open(); err != nil {
		return nil, err
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d", g.ID, g.Plies)
	side := g.board.Turn()
	p, err := playerOf(g.board.Game(), g.players()[side], h.Sum64())
	if err != nil {
		return nil, err
	}
	defer player.Close(p)
	limit := longest
	if g.Clock != nil {
		limit = min(limit, time.Duration(g.Clock.Left[side]/20+int64(g.Clock.Increment)*800)*time.Millisecond)
	}
	ctx, cancel := patient(limit)
	defer cancel()
	m, err := p.Move(ctx, g.board.Clone(), search.Limits{})
	if err == nil {
		err = g.move(m)
	}
	return g, fault.As("no-move", err)
}
