// SPDX-License-Identifier: Apache-2.0

package generic_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/ultimate"
)

// TestLearned looks up where the shipped weights of a game were learned.
func TestLearned(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	tests := []struct {
		g    game.Game
		want string
	}{
		{m(mnk.TicTacToe(3, 3)), "mnk:3,3,3"},
		{m(mnk.MNK(7, 7, 4)), "mnk:7,7,4"},
		{m(mnk.MNK(7, 6, 4)), "mnk:6,6,4"}, // as near as 7 x 7, and smaller
		{m(mnk.MNK(1, 9, 3)), "mnk:3,3,3"},
		{m(mnk.Gomoku(19)), "mnk:11,11,5"},
		{m(mnk.Pente(9)), "mnk:9,9,5"},
		{m(mnk.Connect4(7, 6, 4)), "connect4"},
		{m(mnk.Connect4(8, 7, 4)), "connect4:7x7"}, // before 8 x 8
		{m(mnk.Connect4(70, 70, 5)), "connect4:11x11,k=5"},
		{m(mnk.Connect6(9)), ""},
		{m(mnk.MNK(3, 3, 2)), ""},
	}
	for _, tc := range tests {
		w, from, err := generic.Learned(tc.g)
		if err != nil || from != tc.want {
			t.Errorf("%s has weights of %q, %v, want %q", tc.g, from, err, tc.want)
		}
		if _, err := generic.New(tc.g, w); err != nil {
			t.Error(err)
		}
		if fixed := cmp.Equal(w, generic.Fixed(w.K)); fixed != (from == "") {
			t.Errorf("%s: fixed weights %t, learned on %q", tc.g, fixed, from)
		}
	}
	if _, _, err := generic.Learned(ultimate.New(ultimate.Rules{})); err == nil {
		t.Error("ultimate has no rows, and learned weights")
	}
}

// TestLibrary writes the shipped library and reads it back.
func TestLibrary(t *testing.T) {
	want := generic.Shipped()
	if len(want.Boards) != 49 || want.Seed != 1 || want.Date == "" {
		t.Errorf("%d boards, seed %d, of %q, want 49, 1 and a date", len(want.Boards), want.Seed, want.Date)
	}
	data, err := want.Format()
	if err != nil {
		t.Fatal(err)
	}
	var got generic.Library
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-shipped +read):\n%s", d)
	}
}
