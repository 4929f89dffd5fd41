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
		{Member: First, Role: Member},
	}
	// l look, i list, c change, s stop, d delete
	tests := []struct {
		name  string
		thing Thing
		want  string
	}{
		{"a member's, private", Thing{Owner: 7, Visibility: Private}, "- - - - licsd - - licsd licsd -"},
		{"a member's, by link", Thing{Owner: 7, Visibility: ByLink}, "- l l l licsd l lsd licsd licsd l"},
		{"a member's, public", Thing{Owner: 7, Visibility: Public}, "- li li li licsd li lisd licsd licsd li"},
		{"a guest's", Thing{Guest: "g", Visibility: ByLink}, "- l licsd l l l lsd licsd licsd l"},
		{"nobody's", Thing{Visibility: ByLink}, "- l l l l l lsd licsd licsd licsd"},
		{"without visibility", Thing{Owner: 7}, "- l l l licsd l lsd licsd licsd l"},
		{"shared, private", Thing{Shared: true, Visibility: Private}, "- - - - - - - licsd licsd -"},
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
