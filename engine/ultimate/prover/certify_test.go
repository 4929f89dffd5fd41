// SPDX-License-Identifier: Apache-2.0

package prover_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow/engine/ultimate/prover"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/search/oracle"
)

// TestCertify: certificates of late positions are accepted, and have the value of the oracle. A prover with a tiny table writes
// them, too.
func TestCertify(t *testing.T) {
	for _, r := range variants {
		g := ultimate.New(r)
		values := map[string]int{}
		for seed := range uint64(60) {
			rng := rand.New(rand.NewPCG(seed, 5))
			p := late(g, rng, 1+rng.IntN(12))
			truth, err := oracle.Solve(p, 5_000)
			if err != nil {
				continue
			}
			_, sign := truth.Best.Score.Distance()
			for name, o := range options {
				var file bytes.Buffer
				if err := prover.New(o).Certify(t.Context(), p.Board(), &file); err != nil {
					t.Fatalf("%s/seed=%d/%s: %v", g, seed, name, err)
				}
				res, err := proof.Verify(t.Context(), bytes.NewReader(file.Bytes()), proof.Limits{})
				if err != nil || res.Claim.Value != [...]string{"loss", "draw", "win"}[sign+1] || res.Claim.Turn != p.Turn().String() {
					t.Fatalf("%s/seed=%d/%s: %+v, %v; it is worth %d", g, seed, name, res, err, sign)
				}
				values[res.Claim.Value]++
			}
		}
		if len(values) != 3 {
			t.Errorf("%s: values %v: this tests too little", g, values)
		}
	}
}

// TestCertifyEnded: a search that is ended writes no certificate.
func TestCertifyEnded(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var file bytes.Buffer
	if err := prover.New(prover.Options{Hash: 1 << 16}).Certify(ctx, ultimate.NewBoard(ultimate.Rules{}), &file); err == nil || file.Len() > 0 {
		t.Errorf("%v, %d bytes", err, file.Len())
	}
}
