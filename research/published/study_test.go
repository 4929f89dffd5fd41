// SPDX-License-Identifier: Apache-2.0

package published

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn/qlearning"
)

// published returns the options of the study with the published learner, over cells.
func published(cells []Cell) Options { return trained(cells, "qlearning", qlearning.Options{Seed: 1}) }

// trained returns options with a learner of that name.
func trained(cells []Cell, name string, o qlearning.Options) Options {
	return Options{
		Cells: cells, Learner: name,
		Learn: func(g game.Game) (Learner, error) { return qlearning.New(g, o) },
	}
}

// variant is a reading of the study.
type variant struct {
	name string
	Options
}

// variants returns every reading of the study over cells: finished games valued by the heuristic or exactly, in play
// and in learning, and parameters frozen or learned on during play.
func variants(cells []Cell) (all []variant) {
	asWritten := published(cells)
	exactTrained := trained(cells, "qlearning exact", qlearning.Options{Seed: 1, Exact: true})
	for _, v := range []variant{{"", asWritten}, {"exact", asWritten}, {"exact-trained", exactTrained}} {
		if v.name != "" {
			v.Variant.Exact = true
		}
		all = append(all, v)
		v.name = strings.TrimPrefix(v.name+"-online", "-")
		v.Variant.Update = qlearning.Options{}.Update
		all = append(all, v)
	}
	control := asWritten
	control.Cells = slices.Clone(cells)
	for i := range control.Cells {
		control.Cells[i].Player = Brute
	}
	return append(all, variant{"control", control})
}

// TestStudy plays the cells on small boards twice in each variant, with what Q-learning really learns.
func TestStudy(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	cells := slices.DeleteFunc(Cells(), func(c Cell) bool { return c.Size > 4 })
	one, _ := session(2)
	two, _ := session(2)
	for _, v := range variants(cells) {
		first, err := Run(t.Context(), one, v.Options)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Run(t.Context(), two, v.Options)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(first, again); d != "" {
			t.Errorf("%s: two runs differ (-first +second):\n%s", v.name, d)
		}
		_, all := Agree(first)
		t.Logf("%s: %d of %d cells up to 4 x 4 agree", v.name, all.Agree, all.Cells)
	}
}
