// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/krow-lab/krow/app/request"
)

// TestSwapTwoStages lets a player answer at each stage of swap2.
func TestSwapTwoStages(t *testing.T) {
	s := newSite(t)
	const at = "?game=gomoku&rule=swap2&seed=7&answers="
	for _, tc := range []struct {
		name, answers string
		want          func(answer string) bool
	}{
		{"proposes three stones", "", func(a string) bool { return len(strings.Fields(a)) == 3 }},
		{"takes a won side", "h8 a1 h9", func(a string) bool { return a == "swap" }},
		{"chooses after five", "h8 a1 h9,a2 h10", func(a string) bool { return len(strings.Fields(a)) == 1 }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := get[struct{ Answer string }](s, 200, "GET", "/api/opening/answer"+at+url.QueryEscape(tc.answers)+"&player=alphabeta:depth=2,eval=brute", nil)
			if !tc.want(a.Answer) {
				t.Errorf("after %q the answer is %q", tc.answers, a.Answer)
			}
			get[request.OpeningView](s, 200, "GET", "/api/opening"+at+url.QueryEscape(strings.TrimPrefix(tc.answers+","+a.Answer, ",")), nil)
		})
	}
	for name, q := range map[string]string{
		"four stones":    at + "h8+a1+h9+a2",
		"no such player": at + "&player=nobody",
	} {
		t.Run(name, func(t *testing.T) { get[object](s, 422, "GET", "/api/opening/answer"+q, nil) })
	}
}

// TestOpeningAnswer lets a player answer an opening by a rule, and says what is asked then.
func TestOpeningAnswer(t *testing.T) {
	s := newSite(t)
	const at = "?game=renju&rule=taraguchi10&answers="
	a := get[struct{ Answer string }](s, 200, "GET", "/api/opening/answer"+at+"&player=alphabeta:depth=1,eval=shevchenko&seed=1", nil)
	o := get[request.OpeningView](s, 200, "GET", "/api/opening"+at+url.QueryEscape(a.Answer), nil)
	if o.Done || o.Who == 1 && a.Answer != "swap" || len(o.Moves) != 2 && a.Answer != "swap" {
		t.Errorf("after %q: %+v", a.Answer, o)
	}
	get[object](s, 422, "GET", "/api/opening"+at+"a1", nil)
}

// TestOpeningForAnother: the strongest answers for a player who cannot, such as a bot.
func TestOpeningForAnother(t *testing.T) {
	s := newSite(t)
	get[object](s, 200, "POST", "/api/bots/first", map[string]string{"source": firstMove})
	get[object](s, 200, "POST", "/api/bots/first/publish", map[string]int{"version": 1})
	a := get[struct{ Answer string }](s, 200, "GET", "/api/opening/answer?game=gomoku:9&rule=swap2&player=bot:first&answers="+url.QueryEscape("e5 a1 e6,e7 i9"), nil)
	if a.Answer != "swap" && len(strings.Fields(a.Answer)) != 1 {
		t.Errorf("the answer is %q", a.Answer)
	}
}
