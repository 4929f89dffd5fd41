// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"time"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/app/training"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/store"
)

// maxSaved is the maximum length of a file of a page without a server, in bytes.
const maxSaved = 32 << 20

// TakenIn is the number of games and of tries at puzzles that were new.
type TakenIn struct {
	Games int `json:"games"`
	Tries int `json:"tries"`
}

// savedID matches the IDs that a page without a server gives its games.
var savedID = regexp.MustCompile(`^[0-9a-f-]{13}$`)

// takeIn stores the finished games and the tries at puzzles of a file in which a page without a server saves everything. The games
// are private. What is stored already is ignored.
func (s *Server) takeIn(ctx context.Context, in *struct{ RawBody []byte }) (out TakenIn, err error) {
	var file struct {
		Format string
		Kept   map[string]json.RawMessage
	}
	if json.Unmarshal(in.RawBody, &file) != nil || file.Format != "krow site 1" {
		return out, badText.with("the file was not saved by a page without a server", "")
	}
	owner := club.From(ctx).Member
	for key, data := range file.Kept {
		var g request.Game
		if !strings.HasPrefix(key, "game/") || json.Unmarshal(data, &g) != nil {
			continue
		}
		if added, err := s.takeGame(owner, g); err != nil {
			return out, err
		} else if added {
			out.Games++
		}
	}
	var text string
	var m training.Memory
	if json.Unmarshal(file.Kept["training"], &text) == nil && json.Unmarshal([]byte(text), &m.Kept) == nil {
		var t request.Puzzles
		if t, err = s.puzzlesOf(ctx); err == nil {
			out.Tries, err = t.Training.Take(m.Kept.Tries, time.Now())
		}
	}
	return out, err
}

// takeGame stores a finished game. It ignores an invalid game, and a game that is stored already.
func (s *Server) takeGame(owner int64, g request.Game) (added bool, err error) {
	b, err := request.PositionOf(g.Game, g.Start, strings.Join(g.Moves, " "))
	if err != nil || !savedID.MatchString(g.ID) || max(len(g.First), len(g.Second), len(g.Reason)) > 200 {
		return false, nil
	}
	if o := b.Outcome(); o != game.Ongoing {
		g.Outcome = o.String()
	}
	if !strings.HasSuffix(g.Outcome, " wins") && g.Outcome != game.Draw.String() {
		return false, nil
	}
	if _, err := s.db.Game(g.ID); !errors.Is(err, store.ErrNoGame) {
		return false, err
	}
	return true, s.db.AddGame(store.Game{
		ID: g.ID, Game: b.Game().String(), Start: g.Start, First: g.First, Second: g.Second, Moves: strings.Join(g.Moves, " "), Plies: len(g.Moves),
		Outcome: g.Outcome, Reason: g.Reason, Extra: json.RawMessage("{}"), Owner: owner, Visibility: "private",
	}, "")
}
