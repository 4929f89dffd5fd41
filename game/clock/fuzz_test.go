// SPDX-License-Identifier: Apache-2.0

package clock_test

import (
	"strings"
	"testing"

	"github.com/krow-lab/krow/game/clock"
)

// FuzzParse holds that a clock which is read is written and read back the same, and has time.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"5m", "60s+1s", " 3 + .5", "1e3+0", "1h2m3.5s+1ns", "nan", "inf", "0x1p5", "-1+1", "9999h+9999h"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := clock.Parse(text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q", err)
			}
			return
		}
		if again, err := clock.Parse(c.String()); err != nil || again != c || c.Match <= 0 || c.Increment < 0 {
			t.Errorf("%q is %+v, and is read back as %+v, %v", text, c, again, err)
		}
	})
}
