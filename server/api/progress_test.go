// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/store"
)

// TestTeacherSeesProgress: an organiser sees how far the members are with lessons, and how many of their tests their bots passed. The
// members themselves do not.
func TestTeacherSeesProgress(t *testing.T) {
	s := newClubSite(t, club.Guest)
	for _, done := range []int{1, 3} {
		s.done("bob", "POST", "/lessons", object{"lesson": "first", "done": done, "steps": 4})
	}
	source := "tests = [(\"tictactoe\", \"b2\", \"a1|a3\"), (\"tictactoe\", \"b2\", \"b1\")]\n\ndef choose(position, clock):\n    return position.moves()[0]\n"
	if code, data := s.answered("cyd", "POST", "/api/workshop/test", object{"name": "first-move", "source": source}); code != 200 {
		t.Fatalf("the tests of a bot: %d %s", code, data)
	}
	for _, who := range []string{"bob", "guest"} {
		if code, _ := s.answered(who, "GET", "/api/lessons", nil); code != 403 && code != 401 {
			t.Errorf("%s sees the progress of others: %d", who, code)
		}
	}
	if code, _ := s.answered("guest", "POST", "/api/lessons", object{"lesson": "first", "done": 1, "steps": 4}); code != 403 && code != 401 {
		t.Errorf("a guest has progress: %d", code)
	}
	got := said[[]store.PupilProgress](s, "otto", "GET", "/lessons", nil)
	for i := range got {
		if time.Since(got[i].At) > time.Hour {
			t.Errorf("the time is %v", got[i].At)
		}
		got[i].At = time.Time{}
	}
	want := []store.PupilProgress{
		{Member: s.memberID("bob"), Item: "first", Done: 3, Steps: 4},
		{Member: s.memberID("cyd"), Item: "bot:first-move", Done: 1, Steps: 2},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
