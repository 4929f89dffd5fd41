// SPDX-License-Identifier: Apache-2.0

package rif_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/krow-lab/krow/notation/rif"
)

// FuzzAll holds that reading ends at the first error, which is one line, and that a result is one of those documented.
func FuzzAll(f *testing.F) {
	f.Add([]byte(fmt.Sprintf(head, "UTF-8", "ö") + games + "</games></database>"))
	f.Add([]byte(fmt.Sprintf(head, "ISO-8859-1", "\xf6") + games + `<game id="13" black="7`))
	f.Add([]byte(`<game bresult="NaN"/><game bresult="-Inf"/><game bresult="1e9"/><tournament year="-5"/>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		ended := false
		for g, err := range rif.All(data) {
			switch {
			case ended:
				t.Error("a game after an error")
			case err != nil && strings.ContainsAny(err.Error(), "\n\r"):
				t.Errorf("error %q", err)
			case err == nil && g.Black != 1 && g.Black != 0.5 && g.Black != 0 && g.Black != -1:
				t.Errorf("Black got %g", g.Black)
			}
			ended = err != nil
		}
	})
}
