// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/proof"
)

// TestCertificatesByPlans writes certificates of wins, losses and draws with plans, and has them checked. The same call writes the
// same bytes again, and they have fewer positions than without plans.
func TestCertificatesByPlans(t *testing.T) {
	for _, tc := range []struct {
		columns, rows, k int
		moves, value     string
	}{
		{5, 4, 4, "", "draw"},
		{4, 5, 4, "", "draw"},
		{5, 4, 4, "1", "win"},
		{5, 4, 4, "12", "loss"},
		{4, 4, 4, "12", "draw"},
		{7, 6, 4, "4444443152", "win"},
	} {
		var files [2]bytes.Buffer
		for i := range files {
			g, s := solver(t, tc.columns, tc.rows, tc.k, Options{Hash: 1 << 20})
			p := g.Start()
			if err := notation.Play(p, tc.moves); err != nil {
				t.Fatal(err)
			}
			if err := s.CertifyByPlans(t.Context(), p, &files[i]); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
			t.Errorf("%+v: the same call writes other bytes", tc)
		}
		r, err := proof.Verify(t.Context(), bytes.NewReader(files[0].Bytes()), proof.Limits{})
		if err != nil {
			t.Fatalf("%+v: %v", tc, err)
		}
		plain, err := proof.Verify(t.Context(), bytes.NewReader(certified(t, tc.columns, tc.rows, tc.k, tc.moves, 0)), proof.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%+v: %d positions, %d without plans", tc, r.Positions, plain.Positions)
		if r.Claim.Value != tc.value || r.Claim.Version != proof.FallVersion || r.Positions*4 > plain.Positions {
			t.Errorf("%+v: a %s in version %d, %d positions, %d without plans", tc, r.Claim.Value, r.Claim.Version, r.Positions, plain.Positions)
		}
	}
	g, s := solver(t, 7, 6, 4, Options{Hash: 1})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.CertifyByPlans(ctx, g.Start(), io.Discard); err == nil {
		t.Error("a certificate without any time")
	}
	g, s = solver(t, 9, 8, 4, Options{Hash: 1})
	if err := s.CertifyByPlans(t.Context(), g.Start(), io.Discard); err == nil {
		t.Error("plans on a board of two words")
	}
}
