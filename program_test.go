// SPDX-License-Identifier: Apache-2.0

package krow

import (
	"slices"
	"testing"

	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/gomocup"
	"github.com/krow-lab/krow/search"
)

func TestSplitCommand(t *testing.T) {
	tests := []struct {
		text  string
		want  []string
		wrong string
	}{
		{text: "a", want: []string{"a"}},
		{text: " a  b ", want: []string{"a", "b"}},
		{text: `'a b' "c d"`, want: []string{"a b", "c d"}},
		{text: `a\ b c\"d`, want: []string{"a b", `c"d`}},
		{text: `a"b c"'d e'f`, want: []string{"ab cd ef"}},
		{text: `"it's" 'say "x"'`, want: []string{"it's", `say "x"`}},
		{text: `C:\brains\pbrain.exe`, want: []string{`C:\brains\pbrain.exe`}},
		{text: `a "" b`, want: []string{"a", "", "b"}},
		{text: `"a`, wrong: "a quote is not closed"},
		{text: "", wrong: "the program is missing: write program:PATH"},
		{text: `""`, wrong: "the program is missing: write program:PATH"},
	}
	for _, tc := range tests {
		got, err := splitCommand(tc.text)
		if tc.wrong != "" {
			if err == nil || err.Error() != tc.wrong {
				t.Errorf("splitCommand(%q) = %q, %v, want error %q", tc.text, got, err, tc.wrong)
			}
			continue
		}
		if err != nil || !slices.Equal(got, tc.want) {
			t.Errorf("splitCommand(%q) = %q, %v, want %q", tc.text, got, err, tc.want)
		}
	}
}

// What a manager asks for reaches a player that takes it, and no other.
func TestBrainSettings(t *testing.T) {
	g, err := Game("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	settings := []gomocup.Settings{{}, {Hash: 8 << 20}, {Threads: 2}, {Hash: 8 << 20, Threads: 2}}
	for _, text := range []string{"random", "alphabeta:depth=2", "alphabeta(depth=2)", "mics:nodes=50", "greedy", "gomoku:nodes=50", "best:time=10ms"} {
		for _, s := range settings {
			p, err := set(g, text, 1, s)
			if err != nil {
				if _, plain := Player(g, text, 1); plain == nil {
					t.Errorf("%s with %+v: %v", text, s, err)
				}
				continue
			}
			if _, err := player.Player(p).Move(t.Context(), g.Start(), search.Limits{Depth: 1}); err != nil {
				t.Errorf("%s with %+v: %v", text, s, err)
			}
		}
	}
}
