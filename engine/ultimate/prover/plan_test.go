// SPDX-License-Identifier: Apache-2.0

package prover

import (
	"bytes"
	"math/bits"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/search"
)

// TestPlan: positions of random games have a move of the plan only if moves of the plan lead to them, and the plan continues until
// the middle small board is full.
func TestPlan(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, open := range []bool{false, true} {
		for range 2000 {
			b, follows := ultimate.NewBoard(ultimate.Rules{Open: open}), open
			for b.Ply < 20 {
				m, ok := Plan(&b)
				if want := follows && b.Turn == 0 && b.Ply < 16; ok != want {
					t.Fatalf("%+v: a move of the plan %v, want %v", b, ok, want)
				}
				if follows && !planned(&b) {
					t.Fatalf("%+v does not look like the plan", b)
				}
				if ok && !b.Legal(int(m)) {
					t.Fatalf("%+v: the move %d of the plan", b, m)
				}
				if !ok || rng.IntN(16) == 0 {
					var moves [ultimate.Moves]uint8
					x := moves[rng.IntN(b.List(&moves))]
					follows = follows && (b.Turn == 1 || b.Ply > 15 || x == m)
					m = x
				}
				b.Play(m)
			}
		}
	}
}

// TestPlanWins: with the middle small board full the first side is proved to win, and the second one to lose.
func TestPlanWins(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: it runs without -short")
	}
	b := ultimate.NewBoard(ultimate.Rules{Open: true})
	for free := b.Free(middle) &^ (1 << middle); b.Ply < 16; {
		m, _ := Plan(&b)
		if b.Turn == 1 {
			m, free = 9*middle+uint8(bits.TrailingZeros16(free)), free&(free-1)
		}
		b.Play(m)
	}
	p := New(Options{})
	for range 2 {
		a := p.Solve(t.Context(), b, search.Limits{})
		if want := 1 - 2*int(b.Turn); a.Low != want || a.High != want || a.Best < 0 {
			t.Fatalf("%+v after %d plies, want %d", a, b.Ply, want)
		}
		b.Play(uint8(a.Best))
	}
}

// TestPlanCertificate writes the certificate of the first side's win if won boards stay open, and checks it.
func TestPlanCertificate(t *testing.T) {
	if os.Getenv("KROW_LONG") == "" {
		t.Skip("KROW_LONG is not set")
	}
	var file bytes.Buffer
	if err := New(Options{}).Certify(t.Context(), ultimate.NewBoard(ultimate.Rules{Open: true}), &file); err != nil {
		t.Fatal(err)
	}
	r, err := proof.Verify(t.Context(), bytes.NewReader(file.Bytes()), proof.Limits{})
	if err != nil || r.Claim.Value != "win" || r.Claim.Turn != "first" {
		t.Errorf("%+v, %v", r, err)
	}
}
