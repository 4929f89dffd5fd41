// SPDX-License-Identifier: Apache-2.0

package learn_test

import (
	"strings"
	"testing"

	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/learn"
)

func TestStateOfOtherRunIsRefused(t *testing.T) {
	const good = `{"krow":"learning","version":1,"game":"ultimate","learner":"td","seed":18446744073709551615,` +
		`"settings":{"a":30,"b":0.1},"state":7}`
	o := weights.Origin{Game: "ultimate", Learner: "td", Seed: 1<<64 - 1, Settings: map[string]any{"b": 0.1, "a": 30}}
	if got, err := learn.Encode(o, 7); err != nil || string(got) != good {
		t.Errorf("Encode = %s, %v, want %s", got, err, good)
	}
	tests := []struct{ name, old, new, want string }{
		{"good", "", "", ""},
		{"cut short", `7}`, `7`, "not the state of a learner"},
		{"no state", `,"state":7`, ``, "not the state of a learner"},
		{"weights", `learning`, `weights`, "not the state of a learner"},
		{"newer", `"version":1`, `"version":2`, "version 2 of the learner's state is newer than this krow, which reads 1"},
		{"learner", `"td"`, `"q"`, `the state is of the learner "q", not td`},
		{"game", `"ultimate"`, `"gomoku"`, `the state is of the game "gomoku", not ultimate`},
		{"seed", `18446744073709551615`, `1`, `the state is of the seed 1, not 18446744073709551615`},
		{"settings", `30`, `31`, `the state is of the settings {"a":31,"b":0.1}, not {"a":30,"b":0.1}`},
		{"body", `:7`, `:"x"`, "state of the learner: json: cannot unmarshal string into Go value of type int"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			body := 0
			err := learn.Decode([]byte(strings.Replace(good, tc.old, tc.new, 1)), o, &body)
			if tc.want == "" && (err != nil || body != 7) || tc.want != "" && (err == nil || err.Error() != tc.want) {
				t.Errorf("%d, error %v, want %q", body, err, tc.want)
			}
		})
	}
}
