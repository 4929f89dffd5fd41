// SPDX-License-Identifier: Apache-2.0

package club

import (
	"slices"
	"strings"
	"testing"
)

// TestMay has a row for each thing and a column for each person: what that person may do with it.
func TestMay(t *testing.T) {
	people := []Who{
		{},
		{Role: Watcher, Guest: "g"},
		{Role: Guest, Guest: "g"},
		{Role: Guest, Guest: "h"},
		{Member: 7, Role: Member},
		{Member: 8, Role: Member},
		{Member: 9, Role: Organiser},
		{Member: 10, Role: Owner},
		Alone,
	}
	// l look, i list, c change, s stop, d delete
	tests := []struct {
		name  string
		thing Thing
		want  string
	}{
		{"a member's, private", Thing{7, "", Private}, "- - - - licsd - - licsd licsd"},
		{"a member's, by link", Thing{7, "", ByLink}, "- l l l licsd l lsd licsd licsd"},
		{"a member's, public", Thing{7, "", Public}, "- li li li licsd li lisd licsd licsd"},
		{"a guest's", Thing{0, "g", ByLink}, "- l licsd l l l lsd licsd licsd"},
		{"nobody's", Thing{0, "", ByLink}, "- l l l l l lsd licsd licsd"},
		{"without visibility", Thing{7, "", ""}, "- l l l licsd l lsd licsd licsd"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, who := range people {
				may := ""
				for do, letter := range map[Action]string{Look: "l", List: "i", Change: "c", Stop: "s", Delete: "d"} {
					if May(who, do, tc.thing) {
						may += letter
					}
				}
				letters := strings.Split(may, "")
				slices.SortFunc(letters, func(a, b string) int { return strings.Index("licsd", a) - strings.Index("licsd", b) })
				if may = strings.Join(letters, ""); may == "" {
					may = "-"
				}
				got = append(got, may)
			}
			if s := strings.Join(got, " "); s != tc.want {
				t.Errorf("got  %s\nwant %s", s, tc.want)
			}
		})
	}
}

func TestParseRole(t *testing.T) {
	for r := Nobody; r <= Owner; r++ {
		if got, ok := ParseRole(r.String()); !ok || got != r {
			t.Errorf("ParseRole(%q) = %v, %t", r, got, ok)
		}
	}
	if _, ok := ParseRole("king"); ok {
		t.Error("there is a role of a king")
	}
}
