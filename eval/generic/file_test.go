// SPDX-License-Identifier: Apache-2.0

package generic_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game/atarigo"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
)

// TestFixedWeightsFile writes the fixed weights, compares every byte, and reads them back.
func TestFixedWeightsFile(t *testing.T) {
	o := weights.Origin{Game: "gomoku:9", Learner: "q", Seed: 7, Settings: map[string]any{"gamma": 0.1, "episodes": 5.0}}
	const want = `{"krow":"weights","version":1,"heuristic":"generic","game":"gomoku:9","learner":"q","seed":7,` +
		`"settings":{"episodes":5,"gamma":0.1},"weights":{"k":5,"gap":"exact",` +
		`"own":{"half_open":[2,4,8,80],"open":[6,10,100,250],"row":1000000},` +
		`"enemy":{"half_open":[2,4,8,2000],"open":[6,10,1300,5020],"row":1000000}}}` + "\n"
	name := filepath.Join(t.TempDir(), "w.json")
	for range 2 { // the second time over the first
		if err := generic.Fixed(5).Save(name, o); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(name)
	if err != nil || string(data) != want {
		t.Errorf("%v, file is\n%s\nwant\n%s", err, data, want)
	}
	w, from, err := generic.Load(name, 5)
	if d := cmp.Diff(generic.Fixed(5), w) + cmp.Diff(o, from); err != nil || d != "" {
		t.Errorf("%v (-saved +loaded):\n%s", err, d)
	}
	if left, _ := os.ReadDir(filepath.Dir(name)); len(left) != 1 {
		t.Errorf("%d files left behind, want 1", len(left))
	}
}

// TestFileKinds checks that every size of k survives, with closed weights too.
func TestFileKinds(t *testing.T) {
	name := filepath.Join(t.TempDir(), "w.json")
	for k := 1; k <= 128; k = k*2 + k%2 {
		w := generic.Fixed(k)
		w.Own.Set(-0.125, k-1, threat.Closed)
		w.Reading = threat.Reading{Least: k%4 == 3, Uncapped: k%3 == 0}
		if err := w.Save(name, weights.Origin{}); err != nil {
			t.Fatal(err)
		}
		got, _, err := generic.Load(name, k)
		if d := cmp.Diff(w, got); err != nil || d != "" {
			t.Errorf("k=%d: %v (-want +got):\n%s", k, err, d)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	const head = `{"krow":"weights","version":1,"heuristic":"generic","game":"tictactoe","seed":0,"weights":{`
	const good = head + `"k":3,"own":{"half_open":[10,80],"row":1},"enemy":{"row":1}}}`
	tests := []struct{ name, old, new, want string }{
		{"good", "", "", ""},
		{"another k", `"k":3`, `"k":4`, "weights for 4 in a row, not 3"},
		{"misspelt", "half_open", "half-open", `weights file: weights: json: unknown field "half-open"`},
		{"another gap", `"k":3`, `"k":3,"gap":"wide"`, `unknown values gap="wide" or cap=""`},
		{"too few", "[10,80]", "[10]", "own weights: 1 half-open ones, not 2"},
		{"too great", "[10,80]", "[10,1e9]", "weight 1e+09 is outside ±1e+07"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "w.json")
			if err := os.WriteFile(name, []byte(strings.Replace(good, tc.old, tc.new, 1)), 0o600); err != nil {
				t.Fatal(err)
			}
			w, _, err := generic.Load(name, 3)
			if old := (threat.Reading{Least: true}); err == nil && w.Reading != old {
				t.Errorf("a file without a reading has %+v, want %+v", w.Reading, old)
			}
			if tc.want == "" && err != nil || tc.want != "" && (err == nil || err.Error() != name+": "+tc.want) {
				t.Errorf("error %v, want %q", err, tc.want)
			}
		})
	}
}

func TestNewRefuses(t *testing.T) {
	ttt := gametest.Must[*mnk.Game](t)(mnk.TicTacToe(3, 3))
	if _, err := generic.New(ttt, generic.Fixed(4)); err == nil || err.Error() != "weights are for 4 in a row, not 3" {
		t.Errorf("k of another game: %v", err)
	}
	w := generic.Fixed(3)
	w.Own[0] = math.NaN()
	if _, err := generic.New(ttt, w); err == nil {
		t.Error("NaN is a weight")
	}
	if _, err := generic.New(ttt, generic.Weights{K: 3}); err == nil {
		t.Error("no weights are weights")
	}
	g, err := atarigo.New(5)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := generic.New(g, generic.Fixed(3)); err == nil || !strings.Contains(err.Error(), "is not a k-in-a-row game") {
		t.Errorf("atari-go: %v", err)
	}
}
