// SPDX-License-Identifier: Apache-2.0

package indicators_test

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/eval/weights"
)

func TestSaveLoad(t *testing.T) {
	w := indicators.Default()
	w[indicators.Empty], w[indicators.Block] = -2.25, 0.1
	o := weights.Origin{Game: "ultimate:won=open", Learner: "genetic", Seed: math.MaxUint64}
	path := filepath.Join(t.TempDir(), "weights.json")
	for range 2 { // the second time over the first file
		if err := w.Save(path, o); err != nil {
			t.Fatal(err)
		}
	}
	got, from, err := indicators.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(w, got) + cmp.Diff(o, from); d != "" {
		t.Errorf("Load(Save) differs (-want +got):\n%s", d)
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
		t.Errorf("Save left %v", files)
	}
}

func TestSaveRefuses(t *testing.T) {
	dir := t.TempDir()
	w := indicators.Default()
	w[indicators.Edge] = math.NaN()
	tests := []struct {
		name, game string
		w          indicators.Weights
	}{
		{"not a number", "ultimate", w},
		{"no such game", "gomoku", indicators.Default()},
		{"a finite win", "ultimate", indicators.Weights{}},
		{"not ours", "ultimatum", indicators.Default()},
		{"nowhere to go", "ultimate", indicators.Default()},
	}
	for _, tc := range tests {
		path := filepath.Join(dir, "w.json")
		if tc.name == "nowhere to go" {
			path = filepath.Join(dir, "missing", "w.json")
		}
		if err := tc.w.Save(path, weights.Origin{Game: tc.game}); err == nil {
			t.Errorf("%s: Save gave no error", tc.name)
		}
	}
	if files, _ := os.ReadDir(dir); len(files) != 0 {
		t.Errorf("Save left %v", files)
	}
}

// good is a whole file, in which each row of TestLoadRefuses changes one thing.
const good = `{"krow":"weights","version":1,"game":"ultimate","heuristic":"indicators","learner":"hand","seed":0,
"weights":{"corner":2,"centre":3,"edge":1,"own-stones":1,"enemy-stones":1,"decided":1,"empty":1,
"enemy-can-win":1,"capture":1,"win":"infinite"}}`

func TestLoadRefuses(t *testing.T) {
	tests := []struct{ name, old, new, want string }{
		{"good", "", "", ""},
		{"another game", `ultimate`, `gomoku`, `game "gomoku"`},
		{"a weight missing", `"edge":1,`, ``, "the weight of edge is missing"},
		{"a name wrong", `"empty":1`, `"empty":1,"emtpy":1`, `unknown indicator "emtpy"`},
		{"a word for a number", `"empty":1`, `"empty":"much"`, "weight of empty"},
		{"a finite win", `"infinite"`, `9`, "infinite, not 9"},
		{"too great", `"edge":1`, `"edge":1e7`, "weight of edge"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "w.json")
			if err := os.WriteFile(path, []byte(strings.Replace(good, tc.old, tc.new, 1)), 0o600); err != nil {
				t.Fatal(err)
			}
			switch w, _, err := indicators.Load(path); {
			case tc.want == "" && (err != nil || w != indicators.Default()):
				t.Errorf("Load = %v, %v, want the default weights", w, err)
			case tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "\n")):
				t.Errorf("Load: %v, want one line with %q", err, tc.want)
			}
		})
	}
	if _, _, err := indicators.Load(filepath.Join(t.TempDir(), "none.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Load of no file: %v", err)
	}
}
