// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"encoding/json"
	"time"

	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/store"
)

// Chapter is a chapter of a study: a game with a tree of moves.
type Chapter struct {
	Name  string `json:"name" maxLength:"100"`
	Game  string `json:"game" maxLength:"100"`
	Start string `json:"start,omitempty" maxLength:"4000" doc:"the position before the first move, if it is not the usual one"`
	// Tree is not checked here, because the page that shows it checks each node.
	Tree any `json:"tree" doc:"a node: its move and comment, and the nodes that follow it (next)"`
}

// StudyText is the content of a study, in a request.
type StudyText struct {
	Name     string    `json:"name" minLength:"1" maxLength:"100"`
	Chapters []Chapter `json:"chapters" minItems:"1" maxItems:"64" nullable:"false"`
	Version  int64     `json:"version,omitempty" doc:"of the study that it replaces"`
}

// StudyView is a study. Lists leave out the chapters.
type StudyView struct {
	ID       string    `json:"id"`
	Name     string    `json:"name"`
	Chapters []Chapter `json:"chapters,omitempty"`
	Version  int64     `json:"version"`
	Mine     bool      `json:"mine" doc:"whether the caller may change it"`
	Updated  time.Time `json:"updated"`
}

func viewOf(ctx context.Context, st store.Study) StudyView {
	return StudyView{ID: st.ID, Name: st.Name, Version: st.Version, Mine: club.From(ctx).Member == st.Owner, Updated: st.Updated}
}

// StudyRef names a study in a request.
type StudyRef struct {
	ID string `path:"id" maxLength:"40"`
}

type studyInput struct{ Body StudyText }

type studyChange struct {
	StudyRef
	Body StudyText
}

// study returns a study to everybody who has its link.
func (s *Server) study(ctx context.Context, in *StudyRef) (StudyView, error) {
	st, err := s.db.Study(in.ID)
	v := viewOf(ctx, st)
	if err == nil {
		err = json.Unmarshal(st.Chapters, &v.Chapters)
	}
	return v, err
}

// studies returns the caller's studies.
func (s *Server) studies(ctx context.Context, _ *struct{}) (all []StudyView, err error) {
	list, err := s.db.Studies(club.From(ctx).Member)
	for _, st := range list {
		all = append(all, viewOf(ctx, st))
	}
	return all, err
}

func (s *Server) newStudy(ctx context.Context, in *studyInput) (StudyView, error) {
	chapters, err := json.Marshal(in.Body.Chapters)
	if err == nil {
		err = s.room(ctx)
	}
	if err != nil {
		return StudyView{}, err
	}
	st, err := s.db.AddStudy(club.From(ctx).Member, in.Body.Name, chapters)
	return viewOf(ctx, st), err
}

// ownStudy returns a study, or an error if it is not the caller's.
func (s *Server) ownStudy(ctx context.Context, id string) (store.Study, error) {
	st, err := s.db.Study(id)
	if err == nil && st.Owner != club.From(ctx).Member {
		err = notAllowed.new()
	}
	return st, err
}

func (s *Server) saveStudy(ctx context.Context, in *studyChange) (StudyView, error) {
	st, err := s.ownStudy(ctx, in.ID)
	if err == nil {
		err = s.room(ctx)
	}
	if err != nil {
		return StudyView{}, err
	}
	chapters, err := json.Marshal(in.Body.Chapters)
	if err == nil {
		err = s.db.SaveStudy(st.ID, in.Body.Version, in.Body.Name, chapters)
	}
	st.Name, st.Version = in.Body.Name, in.Body.Version+1
	if err == nil {
		s.classes.Saved(st.ID, st.Version)
	}
	return viewOf(ctx, st), err
}

func (s *Server) deleteStudy(ctx context.Context, in *StudyRef) error {
	st, err := s.ownStudy(ctx, in.ID)
	if err != nil {
		return err
	}
	s.classes.End(st.ID)
	return s.db.DeleteStudy(st.ID)
}
