// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestEachLine(t *testing.T) {
	refused := errors.New("refused")
	tests := []struct{ name, text, want string }{
		{"empty", "", "<nil>"},
		{"space", "\n \t\n a \r\nb", "3:a 4:b <nil>"},
		{"a mark of the byte order", "\ufeffa\n\ufeffb\n", "1:a 2:\ufeffb <nil>"},
		{"a mark and nothing else", "\ufeff\na", "2:a <nil>"},
		{"refused", "a\n\nno\nb", "1:a line 3: refused"},
		{"as long as may be", strings.Repeat(" ", 1<<16-3) + "a\nb", "1:a 2:b <nil>"},
		{"too long", "a\n" + strings.Repeat("b", 1<<16) + "\nc", "1:a line 2: it is longer than 65536 bytes"},
		{"too long at the end", strings.Repeat("b", 1<<16+1), "line 1: it is longer than 65536 bytes"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got := ""
			err := eachLine(strings.NewReader(tc.text), func(n int, text string) error {
				if text == "no" {
					return refused
				}
				got += fmt.Sprintf("%d:%s ", n, text)
				return nil
			})
			if got += fmt.Sprint(err); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}
