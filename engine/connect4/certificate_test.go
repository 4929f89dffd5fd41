// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/proof"
)

// certified returns the certificate of a position, and its claim.
func certified(t *testing.T, columns, rows, k int, moves string, search int) []byte {
	t.Helper()
	g, s := solver(t, columns, rows, k, Options{Hash: 1 << 20})
	p := g.Start()
	if err := notation.Play(p, moves); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := s.certify(t.Context(), p, search, &file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// TestCertificatesAreAccepted writes certificates of wins, losses and draws, and has them checked.
func TestCertificatesAreAccepted(t *testing.T) {
	for _, tc := range []struct {
		columns, rows, k int
		moves, value     string
	}{
		{4, 4, 4, "", "draw"},
		{4, 5, 4, "", "draw"},
		{5, 4, 3, "", "win"},
		{5, 4, 4, "1", "win"},
		{4, 3, 3, "", "win"},
		{7, 6, 4, "2252576253462244111563365343671351441", "loss"},
		{7, 6, 4, "7422341735647741166133573473242566", "win"},
		{9, 7, 3, "", "win"},
		{8, 7, 4, "1122334", "over"},
	} {
		t.Run(fmt.Sprintf("%dx%d,k=%d,%s", tc.columns, tc.rows, tc.k, tc.moves), func(t *testing.T) {
			if tc.value == "over" {
				g, s := solver(t, tc.columns, tc.rows, tc.k, Options{Hash: 1})
				p := g.Start()
				if err := notation.Play(p, tc.moves); err != nil {
					t.Fatal(err)
				}
				if err := s.Certify(t.Context(), p, io.Discard); err == nil {
					t.Error("a certificate of a game that is over")
				}
				return
			}
			r, err := proof.Verify(t.Context(), bytes.NewReader(certified(t, tc.columns, tc.rows, tc.k, tc.moves, checkerPositions)), proof.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if r.Claim.Value != tc.value {
				t.Errorf("a %s, want %s", r.Claim.Value, tc.value)
			}
		})
	}
	g, s := solver(t, 7, 6, 4, Options{Hash: 1})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Certify(ctx, g.Start(), io.Discard); err == nil {
		t.Error("a certificate without any time")
	}
}

// TestChangedCertificate changes a byte of a certificate, of its first line or its steps, and corrects the checksum: the
// certificate must be refused, or its claim must be true by the rules.
func TestChangedCertificate(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	changes := 150
	if os.Getenv("KROW_LONG") != "" {
		changes = 10_000
	}
	for _, tc := range [][3]int{{4, 4, 4}, {4, 4, 3}, {5, 3, 4}, {3, 5, 3}} {
		file := certified(t, tc[0], tc[1], tc[2], "", 1) // so small a search that steps matter
		head, rest, _ := bytes.Cut(file[:len(file)-sha256.Size], []byte("\n"))
		body, err := io.ReadAll(flate.NewReader(bytes.NewReader(rest)))
		if err != nil {
			t.Fatal(err)
		}
		rng, accepted, truths := rand.New(rand.NewPCG(7, uint64(tc[2]))), 0, map[string]string{}
		for range changes {
			h, b := mutated(rng, head), body
			if rng.IntN(3) > 0 {
				h, b = head, mutated(rng, body)
			}
			r, err := proof.Verify(t.Context(), bytes.NewReader(packed(h, b)), proof.Limits{})
			if err != nil {
				if strings.Contains(err.Error(), "\n") {
					t.Errorf("an error of more than one line: %q", err)
				}
				continue
			}
			accepted++
			key := fmt.Sprint(r.Claim.Columns, r.Claim.Rows, r.Claim.K, r.Claim.Gravity, r.Claim.Cells, r.Claim.Turn)
			if truths[key] == "" {
				truths[key] = valueByRules(t, r.Claim)
			}
			if truths[key] != r.Claim.Value {
				t.Errorf("accepted, though it is a %s:\n%s\n%v", truths[key], h, b)
			}
		}
		if accepted == 0 || len(body) < 10 {
			t.Errorf("%v: %d steps, %d changes accepted: nothing has been tested", tc, len(body), accepted)
		}
		t.Logf("%v: %d of %d changes were accepted, and true", tc, accepted, changes)
	}
}

func mutated(rng *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	at := rng.IntN(len(b))
	switch rng.IntN(4) {
	case 0:
		b[at] = byte(rng.Uint32())
	case 1:
		b[at] = ".XO012345\x00\x01\x02\x03\x04\xff"[rng.IntN(15)]
	case 2:
		return append(b[:at], b[at+1:]...)
	default:
		return append(b[:at], append([]byte{byte(rng.IntN(6))}, b[at:]...)...)
	}
	return b
}

func packed(head, body []byte) []byte {
	var file bytes.Buffer
	file.Write(head)
	file.WriteByte('\n')
	w, _ := flate.NewWriter(&file, flate.BestSpeed)
	_, _ = w.Write(body)
	_ = w.Close()
	sum := sha256.Sum256(file.Bytes())
	return append(file.Bytes(), sum[:]...)
}

// valueByRules returns the value of a claim's position, from a search of all positions below it.
func valueByRules(t *testing.T, c proof.Claim) string {
	t.Helper()
	g, err := mnk.New(mnk.Rules{Name: "claimed", Columns: c.Columns, Rows: c.Rows, K: c.K, Gravity: c.Gravity})
	if err != nil {
		t.Fatal(err)
	}
	setup := game.Setup{Cells: make([]game.Stone, len(c.Cells)), Turn: game.First, Ply: 0}
	for i := range c.Cells {
		setup.Cells[i] = game.Stone(strings.IndexByte(".XO", c.Cells[i]))
		if c.Cells[i] != '.' {
			setup.Ply++
		}
	}
	if c.Turn == "second" {
		setup.Turn = game.Second
	}
	p, err := g.SetUp(setup)
	if err != nil {
		t.Fatal(err)
	}
	return [...]string{"loss", "draw", "win"}[max(min(truth(p, map[uint64]int8{}), 1), -1)+1]
}
