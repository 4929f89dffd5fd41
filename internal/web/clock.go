// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"encoding/json"
	"time"

	"github.com/krow-lab/krow/app/gamefile"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/store"
)

// The clock of a game is what its sides have used so far, and when the game last changed: since then the side to move
// uses up its own. It begins with the second move.
//
//	base + increment * moves made - spent - (now - updated, of the side to move)

// Control is what each side has for its moves.
type Control struct {
	Seconds   int `json:"seconds" minimum:"10" maximum:"36000" doc:"for the whole game"`
	Increment int `json:"increment" minimum:"0" maximum:"600" doc:"seconds given back for each move"`
}

// ClockView is a clock as it stood when the game was asked for.
type ClockView struct {
	Control
	Left    []int64 `json:"left" nullable:"false" doc:"milliseconds of the first side and of the second"`
	Running bool    `json:"running" doc:"that of the side to move runs"`
}

// kept is what the store keeps of a clock, among the extras of a game.
type kept struct {
	Control
	Spent [2]int64 `json:"spent"` // milliseconds
}

type extras struct {
	Clock *kept `json:"clock,omitempty"`
}

const outOfTime = "time"

func (c *Control) extra() json.RawMessage {
	e := extras{}
	if c != nil {
		e.Clock = &kept{Control: *c}
	}
	data, _ := json.Marshal(e) // numbers only
	return data
}

func clockOf(g store.WebGame) *kept {
	var e extras
	if json.Unmarshal(g.Extra, &e) != nil {
		return nil
	}
	return e.Clock
}

// clock returns the clock of a game of which b is the position, or nil.
func clock(g store.WebGame, b game.Board, now time.Time) *ClockView {
	k := clockOf(g)
	if k == nil {
		return nil
	}
	v := &ClockView{Control: k.Control, Running: g.Outcome == ongoing && g.Plies > 0}
	made := movesMade(b)
	for side, spent := range k.Spent {
		left := int64(k.Seconds)*1000 + int64(k.Increment)*1000*int64(made[side]) - spent
		if v.Running && int(b.Turn()) == side {
			left -= now.Sub(g.Updated).Milliseconds()
		}
		v.Left = append(v.Left, max(left, 0))
	}
	return v
}

// movesMade counts the moves of each side.
func movesMade(b game.Board) (made [2]int) {
	p := gamefile.Start(b)
	for _, m := range b.AppendHistory(nil) {
		made[p.Turn()]++
		p.Play(m)
	}
	return made
}

// press stops the clock of the side that has just thought about b, before its move is played. It says whether the side
// had time left; if not, the game is over.
func press(g *store.WebGame, b game.Board, now time.Time) bool {
	k, v := clockOf(*g), clock(*g, b, now)
	if v == nil || !v.Running {
		return true
	}
	side := b.Turn()
	k.Spent[side] += now.Sub(g.Updated).Milliseconds()
	data, _ := json.Marshal(extras{k})
	g.Extra = data
	if v.Left[side] > 0 {
		return true
	}
	g.Outcome, g.Reason = game.WinFor(side.Other()).String(), outOfTime
	return false
}

// budget bounds the next move of a player by its clock; 0 is no bound.
func budget(g store.WebGame, b game.Board) time.Duration {
	v := clock(g, b, time.Now())
	if v == nil {
		return 0
	}
	const moves, margin = 20, 100 // of the moves to come; milliseconds for the way
	ms := v.Left[b.Turn()]/moves + int64(v.Increment)*800
	return max(time.Duration(min(ms, v.Left[b.Turn()]-margin))*time.Millisecond, 10*time.Millisecond)
}

// flag ends a game whose side to move is out of time.
func (s *Server) flag(_ context.Context, in *plyInput) (*gameOutput, error) {
	return s.change(in.ID, in.Body.Ply, func(g *store.WebGame, b game.Board) error {
		if g.Outcome != ongoing || press(g, b, time.Now()) {
			return inTime.plain()
		}
		s.tables.stop(g.ID)
		return nil
	})
}
