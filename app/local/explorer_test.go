// SPDX-License-Identifier: Apache-2.0

package local

import (
	"strings"
	"testing"
)

// TestExplorer adds games of a file and played games, counts them from a position, and removes them.
func TestExplorer(t *testing.T) {
	want := func(method, path, body string, parts ...string) {
		t.Helper()
		got := string(Answer(method, path, []byte(body)).Body)
		for _, part := range parts {
			if !strings.Contains(got, part) {
				t.Errorf("%s %s: %s\nwant %s", method, path, got, part)
			}
		}
	}
	const results = `"results":{"first":1,"drawn":0,"second":`
	want("GET", "/explorer?game=gomoku", "", results[:10]+`{"first":0`, `"moves":[]`, `"even":["`)
	want("POST", "/local/collect?to=club&name=a.txt&game=gomoku", "h8 h9 i9 1-0\nh8 h9 z9\n", `"added":1`, `"bad":1`)
	want("POST", "/local/played", `[{"game":"gomoku","first":"human","second":"best","moves":["h8","i9"],"outcome":"second wins","created":"2026-01-02T03:04:05Z"},
		{"game":"gomoku","moves":["h8","h7"],"outcome":"draw","start":"x"}]`)
	want("GET", "/explorer/collections", "", `{"id":1,"name":"club","games":1},{"id":2,"name":"games played here","games":1}`)
	want("GET", "/explorer?game=gomoku&moves=h8", "", results+`1`, `"year":2026`, `{"move":"h9"`, `{"move":"i9"`)
	want("GET", "/explorer?game=gomoku&moves=h8&collections=1", "", results+`0`)
	want("GET", "/explorer?game=gomoku&moves=h8+h9", "", `"book":[{`)
	want("POST", "/local/collect?to=club", "")
	want("POST", "/local/played", "[]")
	want("GET", "/explorer/collections", "", "[]")
}
