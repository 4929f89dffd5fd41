// SPDX-License-Identifier: Apache-2.0

package mnk_test

import (
	"bytes"
	"testing"

	"github.com/krow-lab/krow/engine/mnk"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/search"
)

func TestCertify(t *testing.T) {
	tests := []struct {
		m, n, k int
		value   string
	}{
		{3, 3, 3, "draw"},
		{4, 3, 3, "win"},
		{4, 4, 4, "draw"},
		{5, 4, 4, "draw"},
		{6, 5, 5, "draw"},
		{5, 5, 5, "draw"},
		{6, 5, 4, "win"},
		{5, 5, 4, "draw"},
	}
	for _, tc := range tests {
		g := board(t, tc.m, tc.n, tc.k)
		t.Run(g.String(), func(t *testing.T) {
			var file bytes.Buffer
			if err := solver(t, g, mnk.Options{Hash: 16 << 20}).Certify(t.Context(), g.Start(), search.Limits{}, &file); err != nil {
				t.Fatal(err)
			}
			r, err := proof.Verify(t.Context(), bytes.NewReader(file.Bytes()), proof.Limits{})
			if err != nil || r.Claim.Value != tc.value {
				t.Fatalf("verified %+v, %v", r, err)
			}
		})
	}
}
