// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/store"
)

// maxSaved is the maximum length, in bytes, of a file that the web page saves when it runs without a server.
const maxSaved = 32 << 20

// maxUnfinished is the maximum number of unfinished games that are taken from a file. The number is limited because the server
// makes the players of each unfinished game.
const maxUnfinished = 100

// TakenIn counts the games and the tries at puzzles in a file that were not stored before.
type TakenIn struct {
	Games int `json:"games"`
	Tries int `json:"tries"`
}

// takeIn stores the games and the tries at puzzles of a file in which a page without a server saves everything. The games are
// private. Games and tries that are stored already are ignored. If the caller may not have that many games, takeIn stores
// nothing.
func (s *Server) takeIn(ctx context.Context, in *struct{ RawBody []byte }) (out TakenIn, err error) {
	games, tries, err := request.ReadSaved(in.RawBody)
	if err != nil {
		return out, err
	}
	fresh, err := s.savedGames(ctx, games)
	if err == nil && len(fresh) > 0 {
		err = s.roomForGames(ctx, len(fresh))
	}
	if err != nil {
		return out, err
	}
	for _, g := range fresh {
		if err := s.db.AddGame(g, ""); err != nil {
			return out, err
		}
		out.Games++
	}
	if len(tries) > 0 {
		var t request.Puzzles
		if t, err = s.puzzlesOf(ctx); err == nil {
			out.Tries, err = t.Training.Take(tries, time.Now())
		}
	}
	return out, err
}

// savedGames returns the games of all that are valid and not stored yet.
func (s *Server) savedGames(ctx context.Context, all []request.Game) (fresh []store.Game, err error) {
	unfinished := 0
	for _, g := range all {
		if _, err := s.db.Game(g.ID); err == nil {
			continue
		} else if !errors.Is(err, store.ErrNoGame) {
			return nil, err
		}
		if g.Outcome == game.Ongoing.String() {
			if unfinished++; unfinished > maxUnfinished {
				continue
			}
		}
		if row, ok := s.savedGame(ctx, g); ok {
			fresh = append(fresh, row)
		}
	}
	return fresh, nil
}

// savedGame converts a game from a file to the type that the store uses. It reports false for a game that is invalid by the
// rules. It also reports false for an unfinished game that has clocks, or that the caller could not begin on this server.
func (s *Server) savedGame(ctx context.Context, g request.Game) (row store.Game, ok bool) {
	b, err := request.PositionOf(g.Game, g.Start, strings.Join(g.Moves, " "))
	if err != nil || max(len(g.First), len(g.Second), len(g.Reason)) > 200 {
		return row, false
	}
	if o := b.Outcome(); o != game.Ongoing {
		g.Outcome = o.String()
	}
	switch {
	case strings.HasSuffix(g.Outcome, " wins"), g.Outcome == game.Draw.String():
	case g.Outcome != game.Ongoing.String() || g.Clock != nil || s.fair(ctx, b) != nil:
		return row, false
	default:
		for _, name := range []*string{&g.First, &g.Second} {
			if *name, err = s.settled(ctx, b.Game(), *name); err != nil {
				return row, false
			}
			p, err := s.player(b.Game(), *name, 1)
			if err != nil {
				return row, false
			}
			player.Close(p)
		}
	}
	return store.Game{
		ID: g.ID, Game: b.Game().String(), Start: g.Start, First: g.First, Second: g.Second, Moves: strings.Join(g.Moves, " "), Plies: len(g.Moves),
		Outcome: g.Outcome, Reason: g.Reason, Extra: json.RawMessage("{}"), Owner: club.From(ctx).Member, Visibility: "private",
	}, true
}
