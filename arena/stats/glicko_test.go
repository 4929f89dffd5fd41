// SPDX-License-Identifier: Apache-2.0

package stats

import (
	"math"
	"testing"
)

// TestGlicko is the example of the paper.
func TestGlicko(t *testing.T) {
	got := Glicko{1500, 200, 0.06}.After([]Encounter{
		{Glicko{1400, 30, 0.06}, 1}, {Glicko{1550, 100, 0.06}, 0}, {Glicko{1700, 300, 0.06}, 0},
	})
	want := Glicko{1464.06, 151.52, 0.05999}
	if math.Abs(got.Rating-want.Rating) > 0.01 || math.Abs(got.Deviation-want.Deviation) > 0.01 || math.Abs(got.Volatility-want.Volatility) > 0.00001 {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestGlickoMoves: wins raise the rating, losses lower it, games make it surer and time less sure; nothing is infinite.
func TestGlickoMoves(t *testing.T) {
	r, opponent := NewGlicko(), Glicko{1500, 60, 0.06}
	up, down := r.After([]Encounter{{opponent, 1}}), r.After([]Encounter{{opponent, 0}})
	if up.Rating <= r.Rating || down.Rating >= r.Rating || up.Deviation >= r.Deviation {
		t.Errorf("%+v, %+v from %+v", up, down, r)
	}
	if math.Abs(up.Rating+down.Rating-2*r.Rating) > 1e-6 {
		t.Errorf("a win and a loss against an equal are not worth the same: %+v, %+v", up, down)
	}
	if idle := up.Idle(1); idle.Deviation <= up.Deviation || idle.Rating != up.Rating || up.Idle(1e9).Deviation != maxDeviation {
		t.Errorf("%+v after a time without games", idle)
	}
	if none := up.After(nil); none != up.Idle(1) {
		t.Errorf("%+v after a period without games", none)
	}
	for range 2000 {
		r = r.After([]Encounter{{Glicko{3000, 30, 0.06}, 1}})
	}
	if math.IsNaN(r.Rating+r.Deviation+r.Volatility) || math.IsInf(r.Rating, 0) || r.Deviation < minDeviation {
		t.Errorf("%+v after 2000 wins", r)
	}
}
