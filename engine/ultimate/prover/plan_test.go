// SPDX-License-Identifier: Apache-2.0

package prover

import (
	"bytes"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/proof"
)

// TestPlan: the plan meets every order in which the second side can fill the middle, and ends in eight positions.
func TestPlan(t *testing.T) {
	for _, draw := range []ultimate.DrawRule{ultimate.Plain, ultimate.Boards} {
		b := ultimate.NewBoard(ultimate.Rules{Open: true, Draw: draw})
		ends := map[uint8]bool{}
		l := &plan{seen: map[uint16]bool{}, wins: func(end ultimate.Board) bool {
			ends[end.Forced] = true
			return end.Ply == 16 && end.Turn == 0 && end.Stones[1][middle] == ultimate.Full&^(1<<middle)
		}}
		if !l.holds(b) || len(ends) != 8 || len(l.seen) != 1+8<<7 {
			t.Errorf("%+v: %d ends, %d positions", b.Rules, len(ends), len(l.seen))
		}
		l = &plan{seen: map[uint16]bool{}, wins: func(end ultimate.Board) bool { return end.Forced != 7 }}
		if l.holds(b) {
			t.Errorf("%+v: one end of eight is not won, and the plan is said to win", b.Rules)
		}
	}
}

// TestPlanned: positions of random games fit the plan only if its moves lead to them.
func TestPlanned(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, open := range []bool{false, true} {
		for range 2000 {
			b, planlike := ultimate.NewBoard(ultimate.Rules{Open: open}), open
			for b.Ply < 20 {
				if b.Turn == 0 {
					fits, on := planned(&b)
					if fits != planlike || on != (planlike && b.Ply < 16) {
						t.Fatalf("%+v: fits %v, on %v, want %v", b, fits, on, planlike)
					}
				}
				var moves [ultimate.Moves]uint8
				m := moves[rng.IntN(b.List(&moves))]
				if b.Turn == 0 && planlike && b.Ply < 16 {
					if rng.IntN(16) > 0 {
						m = planMove(&b)
					}
					planlike = m == planMove(&b)
				} else if b.Turn == 0 {
					planlike = false
				}
				b.Play(m)
			}
		}
	}
}

// TestPlanCertificate writes the certificate of the first side's win with won boards open, and has it checked: some
// minutes and a table of 1 GiB, with KROW_LONG=1.
func TestPlanCertificate(t *testing.T) {
	if os.Getenv("KROW_LONG") == "" {
		t.Skip("KROW_LONG is not set")
	}
	var file bytes.Buffer
	if err := New(Options{Hash: 1 << 30}).Certify(t.Context(), ultimate.NewBoard(ultimate.Rules{Open: true}), &file); err != nil {
		t.Fatal(err)
	}
	r, err := proof.Verify(t.Context(), bytes.NewReader(file.Bytes()), proof.Limits{})
	if err != nil || r.Claim.Value != "win" || r.Claim.Turn != "first" {
		t.Errorf("%+v, %v", r, err)
	}
}
