// SPDX-License-Identifier: Apache-2.0

package opening_test

import (
	"reflect"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/player/opening"
)

// FuzzParseAnswer holds that an answer which is read is written and read back the same, and that a session takes or refuses it.
func FuzzParseAnswer(f *testing.F) {
	for _, text := range []string{"swap", "h8 h9 i9", "j9 4", " SWAP ", "h8 -1", "a1 99999999999999999999", "3", "", ten} {
		f.Add(text)
	}
	g, err := krow.Game("renju")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := opening.ParseAnswer(g, text)
		if err != nil {
			return
		}
		if again, err := opening.ParseAnswer(g, a.Format(g)); a.Fives >= 0 && (err != nil || !reflect.DeepEqual(again, a)) {
			t.Errorf("%q is %+v, written as %q, and is read back as %+v, %v", text, a, a.Format(g), again, err)
		}
		for _, rule := range []string{opening.Taraguchi10, opening.Soosyrv8, opening.Swap2} {
			s, err := opening.NewSession(rule, start(t, "renju", ""))
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				if _, asked := s.Question(); !asked || s.Answer(a) != nil {
					break
				}
			}
		}
	})
}
