// SPDX-License-Identifier: Apache-2.0

package weights_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/eval/weights"
)

type body struct {
	A int `json:"a"`
}

func fine(weights.Origin) error { return nil }

func TestRoundTrip(t *testing.T) {
	o := weights.Origin{Game: "tictactoe", Learner: "td", Seed: 1<<64 - 1, Settings: map[string]any{"lambda": 0.5}}
	name := filepath.Join(t.TempDir(), "w.json")
	if err := weights.Save(name, "h", o, body{7}); err != nil {
		t.Fatal(err)
	}
	var got body
	from, err := weights.Load(name, "h", &got, fine)
	if d := cmp.Diff(o, from); err != nil || d != "" || got.A != 7 {
		t.Errorf("Load = %v, %v (-saved +loaded):\n%s", got, err, d)
	}
	if _, err := weights.Load(name+"x", "h", &got, fine); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := weights.Load(filepath.Dir(name), "h", &got, fine); err == nil {
		t.Error("a directory is a file")
	}
	if left, _ := os.ReadDir(filepath.Dir(name)); len(left) != 1 {
		t.Errorf("%d files left behind, want 1", len(left))
	}
}

func TestDecodeRefuses(t *testing.T) {
	const good = `{"krow":"weights","version":1,"heuristic":"h","game":"tictactoe","seed":0,"weights":{"a":1}}`
	tests := []struct{ name, old, new, want string }{
		{"good", "", "", ""},
		{"nothing", good, "", "not a krow weights file"},
		{"cut short", `}}`, `}`, "not a krow weights file"},
		{"another kind", `"weights",`, `"games",`, "not a krow weights file"},
		{"no version", `"version":1,`, ``, "not a krow weights file"},
		{"too long", good, good + strings.Repeat(" ", 1<<20), "not a krow weights file"},
		{"newer", `"version":1`, `"version":2,"new":1`, "the weights file has version 2; this krow reads versions up to 1"},
		{"another heuristic", `"h"`, `"i"`, `the weights are for the heuristic "i", not h`},
		{"no weights", `,"weights":{"a":1}`, ``, "weights file: weights: missing"},
		{"misspelt", `"a"`, `"b"`, `weights file: weights: json: unknown field "b"`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			var b body
			_, err := weights.Decode([]byte(strings.Replace(good, tc.old, tc.new, 1)), "h", &b)
			if tc.want == "" && err != nil || tc.want != "" && (err == nil || err.Error() != tc.want) {
				t.Errorf("error %v, want %q", err, tc.want)
			}
		})
	}
}
