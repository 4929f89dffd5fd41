// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/server/classroom"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/lobby"
)

type studyBoardInput struct {
	StudyRef
	Body classroom.StudyBoard
}

type studyMove struct {
	StudyRef
	Body struct {
		Moves []string `json:"moves" maxItems:"2000" nullable:"false" doc:"the moves on the board before this move"`
		Move  string   `json:"move" maxLength:"8"`
	}
}

// showBoard shows a board to everybody who has the study open, or stops showing the board.
func (s *Server) showBoard(ctx context.Context, in *studyBoardInput) error {
	st, err := s.ownStudy(ctx, in.ID)
	if err == nil {
		s.classes.Show(in.ID, in.Body, st.Version)
	}
	return err
}

// playOnBoard plays a move that anybody sends on the board of a live study, if the owner of the study allows such moves.
func (s *Server) playOnBoard(ctx context.Context, in *studyMove) error {
	return s.classes.Play(in.ID, club.From(ctx).Member, in.Body.Moves, in.Body.Move, func(game, start string, moves []string) error {
		_, err := request.PositionOf(game, start, strings.Join(moves, " "))
		return err
	})
}

// classmates returns the members among the readers of a study, except its owner, in the order of their names.
func (s *Server) classmates(readers []int64, owner int64) (all []lobby.Present) {
	for _, member := range readers {
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
	s.classes.Read(in.ID, member, 1)
	defer s.classes.Read(in.ID, member, -1)
	tick := time.NewTicker(pulse)
	defer tick.Stop()
	for {
		b, readers, changed := s.classes.Look(in.ID)
		if member == st.Owner {
			b.Here = s.classmates(readers, member)
		}
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
