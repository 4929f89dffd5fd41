// SPDX-License-Identifier: Apache-2.0

package local

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"net/url"
	"strings"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// Game is a game as the page shows and keeps it.
type Game struct {
	ID         string        `json:"id"`
	Game       string        `json:"game"`
	Start      string        `json:"start,omitempty"`
	Moves      []string      `json:"moves"`
	First      string        `json:"first"`
	Second     string        `json:"second"`
	Plies      int           `json:"plies"`
	Outcome    string        `json:"outcome"`
	Reason     string        `json:"reason,omitempty"`
	Created    time.Time     `json:"created"`
	Updated    time.Time     `json:"updated"`
	Visibility string        `json:"visibility"`
	Thinking   bool          `json:"thinking"`
	Board      diagram.Board `json:"board"`

	board game.Board
}

const human = "human"

var (
	errChanged     = fault.New("changed", "the game has changed meanwhile")
	errTurn        = fault.New("not-your-turn", "it is not a person's turn")
	errNoTakeback  = fault.New("no-takeback", "there is no move to take back")
	errNoResigning = fault.New("no-resigning", "the game is over, or no person plays it")
)

// toMove returns the spec of the player to move.
func (g *Game) toMove() string {
	if g.board.Turn() == game.First {
		return g.First
	}
	return g.Second
}

// write copies the state of the board to the fields.
func (g *Game) write() {
	moves := g.board.AppendHistory(nil)
	g.Moves, g.Plies, g.Board = strings.Fields(notation.FormatMoves(g.board.Game(), moves)), len(moves), diagram.New(g.board)
	g.Outcome, g.Reason, g.Updated = g.board.Outcome().String(), record.Ending(g.board), time.Now().UTC()
	g.think()
}

// think notes whether a program is to move.
func (g *Game) think() { g.Thinking = g.Outcome == game.Ongoing.String() && g.toMove() != human }

// playRequest is a change of a game by a person; without one the game is only shown.
type playRequest struct {
	Game Game   `json:"game"`
	Do   string `json:"do"` // begin, move, takeback, resign
	Move string `json:"move"`
	Ply  int    `json:"ply"`
}

func (g *Game) open() (err error) {
	g.board, err = boardOf(url.Values{"game": {g.Game}, "start": {g.Start}, "moves": {strings.Join(g.Moves, " ")}})
	if err == nil {
		g.Board = diagram.New(g.board)
	}
	return err
}

// playGame changes a game as a person asks, and returns it.
func playGame(_ url.Values, body []byte) (any, error) {
	var in playRequest
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, fault.As("bad-body", err)
	}
	g := &in.Game
	if err := g.open(); err != nil {
		return nil, err
	}
	if in.Do != "" && in.Do != "begin" && in.Ply != g.Plies {
		return nil, errChanged
	}
	switch in.Do {
	case "begin":
		for _, name := range []string{g.First, g.Second} {
			p, err := krow.PlayerBy(spec.Untrusted, g.board.Game(), name, 1)
			if err != nil {
				return nil, fault.As("bad-player", err)
			}
			player.Close(p)
		}
		g.Created, g.Visibility = time.Now().UTC(), "private"
		g.write()
	case "move":
		if g.toMove() != human || g.Outcome != game.Ongoing.String() {
			return nil, errTurn
		}
		if err := notation.Play(g.board, in.Move); err != nil {
			return nil, fault.As("bad-move", err)
		}
		g.write()
	case "takeback":
		if g.Plies == 0 {
			return nil, errNoTakeback
		}
		for undone := false; len(g.board.AppendHistory(nil)) > 0 && !(undone && g.toMove() == human); undone = true {
			g.board.Undo()
		}
		g.write()
	case "resign":
		loser, seats := g.board.Turn(), [2]string{g.First, g.Second}
		if seats[loser] != human {
			loser = loser.Other()
		}
		if g.Outcome != game.Ongoing.String() || seats[loser] != human {
			return nil, errNoResigning
		}
		g.Outcome, g.Reason, g.Updated = game.WinFor(loser.Other()).String(), "resigned", time.Now().UTC()
	}
	g.think()
	return g, nil
}

// longest bounds a move of a player who has no limits of its own.
const longest = 10 * time.Second

// reply lets the player to move play, and returns the game.
func reply(_ url.Values, body []byte) (any, error) {
	g := &Game{}
	if err := json.Unmarshal(body, g); err != nil {
		return nil, fault.As("bad-body", err)
	}
	if err := g.open(); err != nil {
		return nil, err
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(g.ID)) // never fails
	p, err := krow.PlayerBy(spec.Untrusted, g.board.Game(), g.toMove(), h.Sum64()+uint64(g.Plies))
	if err != nil {
		return nil, fault.As("bad-player", err)
	}
	defer player.Close(p)
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	m, err := p.Move(ctx, g.board.Clone(), search.Limits{})
	if err == nil {
		err = game.Play(g.board, m)
	}
	if err != nil {
		return nil, fault.As("no-move", err)
	}
	g.write()
	return g, nil
}
