// SPDX-License-Identifier: Apache-2.0

package mnk_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow/engine/mnk"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/search"
)

// TestCertifyAnywhere writes and checks certificates of random positions, won, drawn and lost.
func TestCertifyAnywhere(t *testing.T) {
	values := map[string]int{}
	for seed := range uint64(30) {
		g := board(t, 5, 4, 3+int(seed%2))
		p := random(g, rand.New(rand.NewPCG(seed, 5)), false)
		var file bytes.Buffer
		if err := solver(t, g, mnk.Options{}).Certify(t.Context(), p, search.Limits{}, &file); err != nil {
			t.Fatalf("%v: %v", p.AppendHistory(nil), err)
		}
		r, err := proof.Verify(t.Context(), bytes.NewReader(file.Bytes()), proof.Limits{})
		if err != nil {
			t.Fatalf("%v: %v", p.AppendHistory(nil), err)
		}
		values[r.Claim.Value]++
	}
	if len(values) != 3 {
		t.Errorf("values %v: not all of them", values)
	}
}

// TestCertifyLimit: if the value is not proved within the limit, nothing is written.
func TestCertifyLimit(t *testing.T) {
	g := board(t, 8, 8, 5)
	var file bytes.Buffer
	err := solver(t, g, mnk.Options{}).Certify(t.Context(), g.Start(), search.Limits{Nodes: 1000}, &file)
	if err == nil || file.Len() != 0 {
		t.Errorf("wrote %d bytes, error %v", file.Len(), err)
	}
}

func TestSolverRefusesFinishedGames(t *testing.T) {
	g := board(t, 3, 1, 1)
	p := g.Start()
	p.Play(0)
	if _, err := solver(t, g, mnk.Options{}).Solve(t.Context(), p, search.Limits{}); err != game.ErrOver {
		t.Errorf("error %v, want %v", err, game.ErrOver)
	}
}

// TestCancelledContextEndsSearch: a context that is done ends the search.
func TestCancelledContextEndsSearch(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	g := board(t, 8, 8, 5)
	a, err := solver(t, g, mnk.Options{}).Solve(ctx, g.Start(), search.Limits{})
	if err != nil || a.Solved() || a.Nodes > 2000 {
		t.Errorf("%+v, %v", a, err)
	}
}
