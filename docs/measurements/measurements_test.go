// SPDX-License-Identifier: Apache-2.0

package measurements_test

import (
	"testing"

	"github.com/krow-lab/krow/docs/measurements"
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
	} {
		v := values[known.game]
		if v.Value != known.value || v.Published() != known.published || v.Plies != nil && *v.Plies != known.plies {
			t.Errorf("%s: got %+v, published by %q", known.game, v, v.Published())
		}
	}
}
