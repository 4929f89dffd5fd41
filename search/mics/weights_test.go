// SPDX-License-Identifier: Apache-2.0

package mics_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/mics"
)

func TestWeights(t *testing.T) {
	g, err := krow.Game("mnk:7,6,4")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "q.json")
	saved, origin := mics.Weights{Branching: 3, Depth: 5}, weights.Origin{Game: "mnk:7,6,4", Learner: "spsa", Seed: 2}
	if err := saved.Save(file, origin); err != nil {
		t.Fatal(err)
	}
	if w, o, err := mics.Load(file, g); err != nil || w != saved || o.Seed != 2 {
		t.Errorf("%v, %v, %v, want %v", w, o, err, saved)
	}
	const head = `{"krow":"weights","version":1,"heuristic":"mics","game":"mnk:7,6,4","seed":0,"weights":`
	tests := []struct{ name, text, want string }{
		{"another game", `{"krow":"weights","version":1,"heuristic":"mics","game":"gomoku","seed":0,"weights":{"branching":3,"depth":5}}`, `the weights are for the game "gomoku", not mnk:7,6,4`},
		{"another heuristic", `{"krow":"weights","version":1,"heuristic":"generic","game":"mnk:7,6,4","seed":0,"weights":{}}`, `the weights are for the heuristic "generic", not mics`},
		{"no depth", head + `{"branching":3}}`, "invalid branching 3 or depth 0: they must be from 1 to 16384 and from 1 to 128"},
		{"too wide", head + `{"branching":16385,"depth":1}}`, "invalid branching 16385 or depth 1: they must be from 1 to 16384 and from 1 to 128"},
		{"a third", head + `{"branching":3,"depth":5,"width":1}}`, `weights file: weights: json: unknown field "width"`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if err := os.WriteFile(file, []byte(tc.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, _, err := mics.Load(file, g); err == nil || err.Error() != file+": "+tc.want {
				t.Errorf("error %v, want %s", err, tc.want)
			}
		})
	}
	if err := (mics.Weights{Branching: 0, Depth: 1}).Save(file, origin); err == nil {
		t.Error("saved a branching of 0")
	}
}

// TestPlan compares the plan with what a search does that was told neither branching nor depth.
func TestPlan(t *testing.T) {
	for _, text := range []string{"mnk:3,3,3", "mnk:7,6,4", "gomoku"} {
		g, err := krow.Game(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, nodes := range []uint64{1, 300, 5000} {
			w, err := mics.Plan(g, nodes)
			if err != nil {
				t.Fatal(err)
			}
			free, err := mics.New(g, mics.Options{Once: true})
			if err != nil {
				t.Fatal(err)
			}
			told, err := mics.New(g, mics.Options{Branching: w.Branching, Depth: w.Depth})
			if err != nil {
				t.Fatal(err)
			}
			lim := search.Limits{Nodes: nodes}
			a, err := free.Search(t.Context(), g.Start(), lim, nil)
			if err != nil {
				t.Fatal(err)
			}
			b, err := told.Search(t.Context(), g.Start(), lim, nil)
			if err != nil || a.Depth != b.Depth || a.Nodes != b.Nodes || a.PV[0] != b.PV[0] {
				t.Errorf("%s, %d nodes: %+v, but with the plan %v %+v, %v", text, nodes, a, w, b, err)
			}
		}
	}
}
