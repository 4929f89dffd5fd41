// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/store"
)

// mostProgress is the maximum number of lessons and bots for which the progress of a member is stored.
const mostProgress = 200

// LessonDone says how far the caller is with a lesson.
type LessonDone struct {
	Lesson string `json:"lesson" pattern:"^[a-z0-9-]+$" maxLength:"40"`
	Done   int    `json:"done" minimum:"0" maximum:"1000" doc:"number of finished steps"`
	Steps  int    `json:"steps" minimum:"1" maximum:"1000" doc:"number of all steps"`
}

type lessonInput struct{ Body LessonDone }

func (s *Server) lessonDone(ctx context.Context, in *lessonInput) error {
	return s.noteProgress(ctx, in.Body.Lesson, in.Body.Done, in.Body.Steps)
}

// noteTests records how many of its tests a bot of the caller passed.
func (s *Server) noteTests(ctx context.Context, bot string, all []request.Tested) error {
	passed := 0
	for _, t := range all {
		if t.Passed {
			passed++
		}
	}
	return s.noteProgress(ctx, "bot:"+bot, passed, len(all))
}

// noteProgress records the progress of a member of a club, for the organisers.
func (s *Server) noteProgress(ctx context.Context, item string, done, steps int) error {
	if who := club.From(ctx); s.o.Club && who.Member != 0 {
		return s.db.SetProgress(store.PupilProgress{Member: who.Member, Item: item, Done: done, Steps: steps}, mostProgress)
	}
	return nil
}

func (s *Server) progress(context.Context, *struct{}) ([]store.PupilProgress, error) {
	return s.db.Progress()
}
