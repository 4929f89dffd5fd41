// SPDX-License-Identifier: Apache-2.0

package web_test

import (
	"net/url"
	"testing"

	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/internal/web"
)

type swap2Answer struct {
	Swap  bool
	Moves []string
}

func TestSwap2(t *testing.T) {
	s := newSite(t)
	tests := []struct {
		name, moves string
		want        func(swap2Answer) bool
	}{
		{"proposes three stones", "", func(a swap2Answer) bool { return !a.Swap && len(a.Moves) == 3 }},
		{"takes a won side", "h8 a1 h9", func(a swap2Answer) bool { return a.Swap && len(a.Moves) == 0 }},
		{"chooses after five", "h8 a1 h9 a2 h10", func(a swap2Answer) bool { return a.Swap != (len(a.Moves) == 1) }},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			const player = "alphabeta:depth=2,eval=brute"
			a := get[swap2Answer](s, 200, "GET", "/api/swap2"+place("gomoku", tc.moves, "player", player, "seed", "7"), nil)
			if !tc.want(a) {
				t.Errorf("on %q the answer is %+v", tc.moves, a)
			}
			if len(a.Moves) > 0 {
				line := tc.moves
				for _, m := range a.Moves {
					line += " " + m
				}
				get[diagram.Board](s, 200, "GET", "/api/position"+place("gomoku", line), nil)
			}
		})
	}
	for name, q := range map[string]string{
		"four stones":          place("gomoku", "h8 a1 h9 a2"),
		"a player who can not": place("gomoku", "", "player", "random"),
		"no such player":       place("gomoku", "", "player", "nobody"),
	} {
		t.Run(name, func(t *testing.T) { get[map[string]any](s, 422, "GET", "/api/swap2"+q, nil) })
	}
}

// TestOpeningAnswer lets a player answer an opening by a rule, and says what is asked then.
func TestOpeningAnswer(t *testing.T) {
	s := newSite(t)
	const at = "?game=renju&rule=taraguchi10&answers="
	a := get[struct{ Answer string }](s, 200, "GET", "/api/opening/answer"+at+"&player=alphabeta:depth=1,eval=shevchenko&seed=1", nil)
	o := get[web.Opening](s, 200, "GET", "/api/opening"+at+url.QueryEscape(a.Answer), nil)
	if o.Done || o.Who == 1 && a.Answer != "swap" || len(o.Moves) != 2 && a.Answer != "swap" {
		t.Errorf("after %q: %+v", a.Answer, o)
	}
	get[object](s, 422, "GET", "/api/opening"+at+"a1", nil)
}
