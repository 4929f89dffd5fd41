// SPDX-License-Identifier: Apache-2.0

package rif_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/krow-lab/krow/notation/rif"
)

const head = `<?xml version="1.0" encoding="%s"?>
<database>
<rules><rule id="1" name="Soosyrv-8"><info>text</info></rule></rules>
<players><player id="7" name="Anna" surname="Lind" country="1"/><player id="8" name="Bj` + "%s" + `rn" surname=""/></players>
<tournaments><tournament id="3" name="City &amp; country" year="2019" rule="1"/><tournament id="4" name="Club" year=""/></tournaments>
<games>
`

const games = `<game id="11" publisher="7" tournament="3" round="1" rule="1" black="7" white="8" bresult="1"><move>h8 h9 i9</move><info/></game>
<game id="12" tournament="4" rule="9" black="8" white="99" bresult="0.5"><move> h8 </move></game>
`

func TestAll(t *testing.T) {
	const first = "11 Anna Lind - Björn, City & country 2019 Soosyrv-8 1: h8 h9 i9"
	const second = "12 Björn - , Club 0  0.5: h8"
	tests := []struct{ name, text, want string }{
		{"UTF-8", fmt.Sprintf(head, "UTF-8", "ö") + games + "</games></database>", first + "; " + second},
		{"Latin-1", fmt.Sprintf(head, "ISO-8859-1", "\xf6") + games + "</games></database>", first + "; " + second},
		{"no result", fmt.Sprintf(head, "UTF-8", "ö") + `<game id="1" bresult=""><move/></game></games></database>`, "1  - ,  0  -1: "},
		{"cut off", fmt.Sprintf(head, "UTF-8", "ö") + games + `<game id="13" black="7`, first + "; " + second + "; line 9: unexpected EOF"},
		{"crossed", fmt.Sprintf(head, "UTF-8", "ö") + `<game id="1"><move></game></move>`, "line 7: element <move> closed by </game>"},
		{"no game", "<database/>", "the file contains no game"},
		{"no XML", "h8 h9", "the file contains no game"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for g, err := range rif.All([]byte(tc.text)) {
				if err != nil {
					got = append(got, err.Error())
					continue
				}
				got = append(got, fmt.Sprintf("%s %s - %s, %s %d %s %g: %s", g.ID, g.Names[0], g.Names[1], g.Tournament, g.Year, g.Rule, g.Black, g.Moves))
			}
			if s := strings.Join(got, "; "); s != tc.want {
				t.Errorf("got  %s\nwant %s", s, tc.want)
			}
		})
	}
}
