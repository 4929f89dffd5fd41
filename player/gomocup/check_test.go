// SPDX-License-Identifier: Apache-2.0

package gomocup_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow/player/gomocup"
)

// krow's own brain passes every check; brains that misbehave fail the ones they should.
func TestCheck(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	tests := []struct {
		kind   string
		failed []string // of the mandatory ones, nil for none
		all    bool     // the optional ones are passed too
	}{
		{"player=greedy", nil, true},
		{"garbage", []string{
			"BEGIN is answered with a move", "TURN is answered with a legal move", "BOARD is answered with a legal move",
			"BOARD sets up another position in mid-game", "BOARD is understood in any order of stones", "INFO with an unknown key is passed over",
			"a move comes within the turn's time", "a move comes while little of the match is left",
		}, false},
		{"taken", []string{"TURN is answered with a legal move", "a move comes within the turn's time"}, false},
	}
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range tests {
		t.Run(tc.kind, func(t *testing.T) {
			var failed []string
			n := 0
			err := gomocup.Check(t.Context(), path, []string{"brain", tc.kind}, patience, func(f gomocup.Finding) {
				n++
				if f.Err != nil && f.Mandatory {
					failed = append(failed, f.Name)
				}
				if f.Err != nil && tc.all {
					t.Errorf("%s: %v", f.Name, f.Err)
				}
			})
			if err != nil || n < 20 {
				t.Errorf("%d checks, %v", n, err)
			}
			if !slices.Equal(failed, tc.failed) {
				t.Errorf("failed\n%q, want\n%q", failed, tc.failed)
			}
		})
	}
	if n := 0; gomocup.Check(t.Context(), path, []string{"brain", "stillborn"}, patience, func(gomocup.Finding) { n++ }) != nil || n != 1 {
		t.Errorf("%d checks of a program that does not begin a game, want 1", n)
	}
	if err := gomocup.Check(t.Context(), "/no/such/program", nil, patience, func(gomocup.Finding) {}); err == nil {
		t.Error("a program that is not there passes")
	}
	late := false
	err = gomocup.Check(t.Context(), path, []string{"brain", "hurried"}, gomocup.CheckMargin, func(f gomocup.Finding) {
		if f.Name == "a move comes while little of the match is left" {
			late = f.Err != nil && strings.HasPrefix(f.Err.Error(), "no answer in 1.5s; ")
		}
	})
	if err != nil || !late {
		t.Errorf("a brain that does not move in a hurry: %v, found late: %v", err, late)
	}
}
