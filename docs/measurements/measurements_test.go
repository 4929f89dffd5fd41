// SPDX-License-Identifier: Apache-2.0

package measurements_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/krow-lab/krow/docs/measurements"
	"github.com/krow-lab/krow/proof"
)

// TestValues: the values that come with krow can be read, and agree with what was published.
func TestValues(t *testing.T) {
	values := map[string]measurements.Value{}
	for _, v := range measurements.Values() {
		if _, twice := values[v.Game]; twice || v.Value == "" || v.Bytes == 0 || len(v.SHA256) != 64 {
			t.Errorf("there twice, or without a value or a certificate: %+v", v)
		}
		values[v.Game] = v
	}
	for _, known := range []struct {
		game, value string
		plies       int
		published   string
	}{
		{"connect4", "win", 41, "Allen 1988, Allis 1988"},
		{"connect4:6x6", "loss", 36, "Tromp 2006"},
		{"connect4:3x7", "draw", 21, ""},
		{"mnk:5,5,4", "draw", 0, "Lee, in Winning Ways 1982"},
		{"mnk:9,4,4", "win", 0, "Charatsidis 2017"},
		{"mnk:7,7,5", "draw", 0, "Hsu and others 2020"},
		{"mnk:8,8,8", "draw", 0, "Hales and Jewett 1963"},
		{"gomoku", "win", 0, "Allis and others 1993"},
		{"standard", "win", 0, "Allis and others 1993"},
		{"standard:7", "draw", 0, ""},
		{"caro:5x4,k=4", "draw", 0, ""},
		{"ultimate:won=open", "win", 0, "Bertholon and others 2020"},
	} {
		v := values[known.game]
		if v.Value != known.value || v.Published() != known.published || v.Plies != nil && *v.Plies != known.plies {
			t.Errorf("%s: got %+v, published by %q", known.game, v, v.Published())
		}
	}
}

// TestShippedCertificatesAreAccepted: certificates that come with krow are accepted, and are those of the table.
func TestShippedCertificatesAreAccepted(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	data, err := os.ReadFile("certificates/ultimate-open.proof")
	if err != nil {
		t.Fatal(err)
	}
	res, err := proof.Verify(t.Context(), bytes.NewReader(data), proof.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if c := res.Claim; c.Value != "win" || c.Turn != "first" || c.Rule != "plain,open" || res.Positions != 64_882 {
		t.Errorf("it claims %+v, with %d positions", c, res.Positions)
	}
	plans, err := os.ReadFile("certificates/connect4-7x6.proof")
	if err != nil {
		t.Fatal(err)
	}
	// Checking this file takes about six seconds, so usually the test only compares its checksum with the checksum of the checked file.
	if sum := fmt.Sprintf("%x", sha256.Sum256(plans)); sum != "99abfbbb4184cb60f76e8abcdcfece9667796f18e1d1d87baa3087d9b0fee193" {
		t.Errorf("the certificate of Connect Four by plans has the checksum %s: KROW_LONG=1 checks it", sum)
	}
	if os.Getenv("KROW_LONG") != "" {
		if res, err := proof.Verify(t.Context(), bytes.NewReader(plans), proof.Limits{}); err != nil || res.Claim.Cells != strings.Repeat(".", 42) ||
			!res.Claim.Gravity || res.Claim.K != 4 || res.Claim.Value != "win" || res.Positions != 6_381 {
			t.Errorf("Connect Four by plans: %+v, %v", res, err)
		}
	}
	for _, v := range measurements.Values() {
		if sum := fmt.Sprintf("%x", sha256.Sum256(data)); v.Game == "ultimate:won=open" && v.SHA256 != sum {
			t.Errorf("the table has a certificate with the sum %s, not %s", v.SHA256, sum)
		}
	}
}
