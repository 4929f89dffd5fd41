// SPDX-License-Identifier: Apache-2.0

package learn_test

import (
	"testing"
	"time"

	"github.com/krow-lab/krow/learn"
)

func TestProgress(t *testing.T) {
	p := learn.CurvePoint{Step: 9, Games: 27_000, Values: map[string]float64{"zeal": 1, "loss": 0.70219, "apple": 1, "best": 0.91, "score": 3}}
	const want = "[######..............] 9/30   27.0 k games   1m24s left   score 3   best 0.91   loss 0.7022   and 2 more"
	if got := p.Progress(4, 30, 20*time.Second); got != want {
		t.Errorf("Progress = %q, want %q", got, want)
	}
}
