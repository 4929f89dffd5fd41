// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"slices"
	"testing"
)

func TestCurveNames(t *testing.T) {
	got := curveNames(map[string]int{"zeal": 1, "loss": 1, "apple": 1, "best": 1, "score": 1})
	if want := []string{"score", "best", "loss", "apple", "zeal"}; !slices.Equal(got, want) {
		t.Errorf("curveNames = %q, want %q", got, want)
	}
}
