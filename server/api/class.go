// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/server/club"
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

type studyBoardInput struct {
	StudyRef
	Body StudyBoard
}

type studyMove struct {
	StudyRef
	Body struct {
		Moves []string `json:"moves" maxItems:"2000" nullable:"false" doc:"the moves on the board before this move"`
		Move  string   `json:"move" maxLength:"8"`
	}
}

// classroom is the state of a study that is live or that somebody has open. A study is live while its owner shows a board to
// the readers.
type classroom struct {
	board   StudyBoard
	readers map[int64]int // number of open pages by member; 0 stands for all visitors
	changed chan struct{} // is closed at the next change of the board
}

// classrooms contains the boards of live studies, by the IDs of the studies. The boards are lost when the server stops: the page
// of the study's owner then sends the board again.
type classrooms struct {
	mu  sync.Mutex
	all map[string]*classroom
}

// maxClassrooms is the number of classrooms at which the server deletes all classrooms that nobody has open, before it adds
// another classroom.
const maxClassrooms = 500

// with calls f for the classroom of a study, and wakes the readers if f returns true.
func (c *classrooms) with(id string, f func(*classroom) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.all[id]
	if r == nil {
		if len(c.all) >= maxClassrooms {
			maps.DeleteFunc(c.all, func(_ string, r *classroom) bool { return len(r.readers) == 0 })
		}
		r = &classroom{board: StudyBoard{Moves: []string{}, Drawn: []string{}}, readers: map[int64]int{}, changed: make(chan struct{})}
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

// read adds the parameter pages, which may be negative, to the number of pages on which a member has the study open. If the
// study is live, read wakes the readers.
func (c *classrooms) read(id string, member int64, pages int) {
	c.with(id, func(r *classroom) bool {
		if r.readers[member] += pages; r.readers[member] == 0 {
			delete(r.readers, member)
		}
		return r.board.Live
	})
}

// saved tells the readers of a study that the study has changed.
func (c *classrooms) saved(id string, version int64) {
	c.with(id, func(r *classroom) bool {
		r.board.Version = version
		return r.board.Live
	})
}

// showBoard shows a board to everybody who has the study open, or stops showing the board.
func (s *Server) showBoard(ctx context.Context, in *studyBoardInput) error {
	st, err := s.ownStudy(ctx, in.ID)
	if err == nil {
		s.classes.with(in.ID, func(r *classroom) bool {
			r.board, r.board.Version = in.Body, max(st.Version, r.board.Version)
			r.board.Here = nil
			return true
		})
	}
	return err
}

// playOnBoard plays a move that anybody sends on the board of a live study, if the owner of the study allows such moves.
func (s *Server) playOnBoard(ctx context.Context, in *studyMove) (err error) {
	var was StudyBoard
	member := club.From(ctx).Member
	s.classes.with(in.ID, func(r *classroom) bool { was = r.board; return false })
	if !was.lets(member) {
		return notAllowed.new()
	}
	moves := slices.Concat(in.Body.Moves, []string{in.Body.Move})
	if _, err := request.PositionOf(was.Game, was.Start, strings.Join(moves, " ")); err != nil {
		return err
	}
	s.classes.with(in.ID, func(r *classroom) bool {
		b := &r.board
		if !b.lets(member) || b.Game != was.Game || b.Start != was.Start || !slices.Equal(b.Moves, in.Body.Moves) {
			err = store.ErrConflict
			return false
		}
		b.Moves, b.Drawn, b.By = moves, []string{}, ""
		return true
	})
	return err
}

// classmates returns the members who have a study open, except its owner, in the order of their names.
func (s *Server) classmates(r *classroom, owner int64) (all []lobby.Present) {
	for member := range r.readers {
		if name := s.memberName(member); member != owner && name != "" {
			all = append(all, lobby.Present{Member: member, Name: name})
		}
	}
	slices.SortFunc(all, func(a, b lobby.Present) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return all
}

// studyEvents sends the board of a study now and after each change.
func (s *Server) studyEvents(ctx context.Context, in *StudyRef, send sse.Sender) {
	ctx, cancel := s.linked(ctx)
	defer cancel()
	st, err := s.db.Study(in.ID)
	if err != nil {
		_ = send.Data(Gone{})
		return
	}
	member := club.From(ctx).Member
	s.classes.read(in.ID, member, 1)
	defer s.classes.read(in.ID, member, -1)
	tick := time.NewTicker(pulse)
	defer tick.Stop()
	for {
		var b StudyBoard
		var changed <-chan struct{}
		s.classes.with(in.ID, func(r *classroom) bool {
			b, changed = r.board, r.changed
			if member == st.Owner {
				b.Here = s.classmates(r, member)
			}
			return false
		})
		b.Version = max(b.Version, st.Version)
		if send.Data(b) != nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-changed:
		case <-tick.C:
		}
	}
}
