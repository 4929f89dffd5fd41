// SPDX-License-Identifier: Apache-2.0

package krow_test

import (
	"slices"
	"testing"

	"github.com/krow-lab/krow"
)

// TestOptions looks at the forms of every game and learner: nothing lacks a sentence, a kind or a range.
func TestOptions(t *testing.T) {
	for _, item := range krow.List("games") {
		for _, o := range krow.GameOptions(item.Name) {
			if o.Kind == "" || o.Kind == "text" || (o.Kind == "whole" || o.Kind == "sides") && o.Low >= o.High {
				t.Errorf("%s: %+v", item.Name, o)
			}
		}
	}
	seen := map[string]bool{}
	for _, name := range []string{"gomoku:9", "ultimate", "mnk:5,5,4"} {
		g, err := krow.Game(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range krow.LearnersOf(g) {
			seen[l.Name] = true
			for _, o := range l.Options {
				if o.About == "" || o.Kind == "choice" && !slices.Contains(o.Words, o.Default) || o.Kind == "whole" && o.Low >= o.High {
					t.Errorf("%s, %s: %+v", name, l.Name, o)
				}
			}
		}
	}
	for _, l := range krow.List("learners") {
		if !seen[l.Name] && l.Name != "network" { // it learns from a folder of games, which a page cannot name
			t.Errorf("no game has a form of the learner %s", l.Name)
		}
	}
}
