// SPDX-License-Identifier: Apache-2.0

package krow_test

import (
	"strings"
	"testing"

	"github.com/krow-lab/krow"
)

// TestMenu: groups follow each other, the first line is a level's, the usual level is chosen, and each published player that
// a game has is there with its authors.
func TestMenu(t *testing.T) {
	for spec, systems := range map[string]string{"gomoku": "ACDE", "connect4": "ACDE", "ultimate": "BBB", "tictactoe": "ACDE"} {
		g, err := krow.Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		menu, usual := krow.Menu(g)
		groups := map[string]bool{}
		var last, found string
		for _, c := range menu {
			if c.Group != last && groups[c.Group] {
				t.Errorf("%s: the group %q comes twice", spec, c.Group)
			}
			last = c.Group
			groups[last] = true
			if p, err := krow.Player(g, c.Player, 1); err != nil || c.About == "" {
				t.Errorf("%s: %+v is player %v, %v", spec, c, p, err)
			}
			if name, ok := strings.CutPrefix(c.Name, "system "); ok {
				letters, author, _ := strings.Cut(name, ": ")
				found += letters
				if author == "" {
					t.Errorf("%s: %q has no author", spec, c.Name)
				}
			}
		}
		for _, s := range systems {
			if !strings.ContainsRune(found, s) {
				t.Errorf("%s: system %c is not in the menu", spec, s)
			}
		}
		if want := "level"; !strings.HasPrefix(menu[0].Name, want) || menu[usual].Player != "level:"+strings.TrimPrefix(menu[usual].Name, "level ") {
			t.Errorf("%s begins with %q at %q", spec, menu[0].Name, menu[usual].Player)
		}
	}
}
