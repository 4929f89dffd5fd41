// SPDX-License-Identifier: Apache-2.0

// Package classroom keeps the boards of live studies. A study is live while its owner shows a board to everybody who has the study
// open.
//
// # Basics
//
//	rooms := classroom.New()
//	rooms.Show(id, board, version)     // by the owner of the study
//	err := rooms.Play(id, member, moves, "h8", check)
//	board, readers, changed := rooms.Look(id)
//
// # Caveats
//
// The boards are lost when the server stops: the page of the study's owner then sends the board again.
package classroom

import (
	"maps"
	"slices"
	"sync"

	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/server/lobby"
	"github.com/krow-lab/krow/server/store"
)

// StudyBoard is the board of a live study. Everybody who has the study open sees the board that its owner shows.
type StudyBoard struct {
	Live    bool            `json:"live"`
	Player  int64           `json:"player" minimum:"-1" doc:"number of the member who may play moves on the board besides the owner of the study; 0: nobody; -1: everybody"`
	Chapter int             `json:"chapter" minimum:"0" maximum:"63" doc:"number of the chapter, from 0"`
	Game    string          `json:"game" maxLength:"100"`
	Start   string          `json:"start,omitempty" maxLength:"4000"`
	Moves   []string        `json:"moves" maxItems:"2000" nullable:"false" doc:"the moves on the board"`
	Drawn   []string        `json:"drawn" maxItems:"400" nullable:"false" doc:"the marks and arrows on the board, as in a chapter"`
	By      string          `json:"by" maxLength:"40" doc:"the page that showed the board; empty after a move of somebody else"`
	Version int64           `json:"version" doc:"version of the study; the server sets it"`
	Here    []lobby.Present `json:"here,omitempty" doc:"members who have the study open, except the caller; the server sets it, for the owner of the study alone"`
}

// everybody is the value of StudyBoard.Player with which everybody may play moves on the board.
const everybody = -1

// lets reports whether the member with this number may play moves on the board. The number 0 stands for a visitor.
func (b *StudyBoard) lets(member int64) bool {
	return b.Live && (b.Player == everybody || b.Player != 0 && b.Player == member)
}

// room is the state of a study that is live or that somebody has open.
type room struct {
	board   StudyBoard
	readers map[int64]int // number of open pages by member; 0 stands for all visitors
	changed chan struct{} // is closed at the next change of the board
}

// Rooms contains the boards of live studies, by the IDs of the studies.
type Rooms struct {
	mu  sync.Mutex
	all map[string]*room
}

// maxRooms is the number of rooms at which the server deletes all rooms that nobody has open, before it adds another room.
const maxRooms = 500

var errMayNot = fault.New("not-allowed", "the owner of the study does not let the caller play on the board")

// New returns an empty collection of rooms.
func New() *Rooms { return &Rooms{all: map[string]*room{}} }

// with calls f for the room of a study, and wakes the readers if f returns true.
func (c *Rooms) with(id string, f func(*room) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.all[id]
	if r == nil {
		if len(c.all) >= maxRooms {
			maps.DeleteFunc(c.all, func(_ string, r *room) bool { return len(r.readers) == 0 })
		}
		r = &room{board: StudyBoard{Moves: []string{}, Drawn: []string{}}, readers: map[int64]int{}, changed: make(chan struct{})}
		c.all[id] = r
	}
	if f(r) {
		close(r.changed)
		r.changed = make(chan struct{})
	}
	if !r.board.Live && len(r.readers) == 0 {
		delete(c.all, id)
	}
}

// Read adds the parameter pages, which may be negative, to the number of pages on which a member has the study open. If the
// study is live, Read wakes the readers.
func (c *Rooms) Read(id string, member int64, pages int) {
	c.with(id, func(r *room) bool {
		if r.readers[member] += pages; r.readers[member] == 0 {
			delete(r.readers, member)
		}
		return r.board.Live
	})
}

// Saved tells the readers of a study that the study has changed.
func (c *Rooms) Saved(id string, version int64) {
	c.with(id, func(r *room) bool {
		r.board.Version = version
		return r.board.Live
	})
}

// Show shows a board to the readers of a study with this version, or stops showing a board.
func (c *Rooms) Show(id string, b StudyBoard, version int64) {
	c.with(id, func(r *room) bool {
		b.Version, b.Here = max(version, r.board.Version), nil
		r.board = b
		return true
	})
}

// End stops showing the board of a study that is deleted.
func (c *Rooms) End(id string) {
	c.with(id, func(r *room) bool { r.board.Live = false; return true })
}

// Play plays a move after moves, which the sender sees on the board, if the owner of the study lets the member play. The function
// check returns an error if the moves are not legal.
func (c *Rooms) Play(id string, member int64, moves []string, move string, check func(game, start string, moves []string) error) (err error) {
	var was StudyBoard
	c.with(id, func(r *room) bool { was = r.board; return false })
	if !was.lets(member) {
		return errMayNot
	}
	played := slices.Concat(moves, []string{move})
	if err := check(was.Game, was.Start, played); err != nil {
		return err
	}
	c.with(id, func(r *room) bool {
		b := &r.board
		if !b.lets(member) || b.Game != was.Game || b.Start != was.Start || !slices.Equal(b.Moves, moves) {
			err = store.ErrConflict
			return false
		}
		b.Moves, b.Drawn, b.By = played, []string{}, ""
		return true
	})
	return err
}

// Look returns the board of a study, the members who have the study open, and a channel that is closed at the next change.
func (c *Rooms) Look(id string) (b StudyBoard, readers []int64, changed <-chan struct{}) {
	c.with(id, func(r *room) bool {
		b, readers, changed = r.board, slices.Collect(maps.Keys(r.readers)), r.changed
		return false
	})
	return b, readers, changed
}
