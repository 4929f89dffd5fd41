// SPDX-License-Identifier: Apache-2.0

package machines

import (
	"testing"

	"github.com/krow-lab/krow/app/match"
	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/catalog"
)

// TestCanPlay: what a worker would refuse is known before it is asked.
func TestCanPlay(t *testing.T) {
	g, err := catalog.Game("gomoku")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		"gomoku:nodes=1000": true, "program:/bin/true": false, "bot:fork.star": false, "gomoku:net=my.net": false, "mics:threads=2": false,
	} {
		m := &match.Match{Terms: arena.Match{Game: g}, Players: []arena.Factory{{Name: "random"}, {Name: text}}}
		if err := CanPlay(m); (err == nil) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}
