// SPDX-License-Identifier: Apache-2.0

package mnk_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/krow-lab/krow/engine/mnk"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	rules "github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/oracle"
)

// TestDrawsByRule: in standard gomoku and caro the solver's results for random positions agree with a search of all positions,
// also if a row stands that does not win; and draws have certificates.
func TestDrawsByRule(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	m := gametest.Must[*rules.Game](t)
	draws, stuck, seeds := map[string]int{}, 0, uint64(240)
	if os.Getenv("KROW_LONG") != "" {
		seeds = 400
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 11))
		r := rules.Rules{Columns: 3 + rng.IntN(3), Rows: 3 + rng.IntN(2), K: 3 + rng.IntN(2)}
		rule, kind := proof.Exact, "standard"
		if r.Exact = [2]bool{true, true}; seed%2 == 0 {
			rule, kind = proof.Caro, "caro"
			r.Exact, r.Blocked = [2]bool{}, true
		}
		if r.K > max(r.Columns, r.Rows) {
			continue
		}
		g := m(rules.Family(kind, r))
		p := random(g, rng, false)
		if p.Outcome() != game.Ongoing {
			continue
		}
		known, err := oracle.Solve(p, 100_000)
		if err != nil {
			continue // too many positions
		}
		_, value := known.Best.Score.Distance()
		s := solver(t, g, mnk.Options{})
		a, err := s.Solve(t.Context(), p, search.Limits{})
		switch {
		case err != nil || value < a.Low || value > a.High || a.Solved() == a.Stuck:
			t.Fatalf("%s %v: %+v, %v; it is worth %d", g, p.AppendHistory(nil), a, err, value)
		case a.Stuck:
			stuck++
			continue
		}
		var file bytes.Buffer
		if err := s.Certify(t.Context(), p, search.Limits{}, &file); err != nil {
			t.Fatalf("%s %v: %v", g, p.AppendHistory(nil), err)
		}
		res, err := proof.Verify(t.Context(), bytes.NewReader(file.Bytes()), proof.Limits{})
		if c := res.Claim; err != nil || c.Rule != rule || c.Value != "draw" {
			t.Fatalf("%s %v: %+v, %v", g, p.AppendHistory(nil), res, err)
		}
		draws[rule]++
	}
	if draws[proof.Exact] < 20 || draws[proof.Caro] < 20 || stuck < 20 {
		t.Errorf("%v draws, %d positions without an answer: too few", draws, stuck)
	}
}
