// SPDX-License-Identifier: Apache-2.0

package solve

import (
	"context"
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
		{"too long", "a\n" + strings.Repeat("b", 1<<16) + "\nc", "1:a line 2 is longer than 65536 bytes"},
		{"too long at the end", strings.Repeat("b", 1<<16+1), "line 1 is longer than 65536 bytes"},
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

// TestPositions: each line is solved with an empty table and held to what the file says.
func TestPositions(t *testing.T) {
	const file = "# moves and score\n2252576253462244111563365343671351441 -1\n\n7422341735647741166133573473242566 2\n23163416124767223154467471272416755633\n"
	for _, weak := range []bool{false, true} {
		s, start := at(t, "connect4", "", Options{Weak: weak})
		lines, err := ReadPositions(strings.NewReader(file), start)
		if err != nil || len(lines) != 3 || lines[1].Line != 4 {
			t.Fatalf("got %+v, %v", lines, err)
		}
		var results []Result
		sum, err := s.Positions(t.Context(), lines, func(r Result) error {
			results = append(results, r)
			return nil
		})
		if err != nil || len(results) != 3 {
			t.Fatalf("%d results, %v", len(results), err)
		}
		if results[1].Mismatch == weak {
			t.Errorf("weak %v: a win by 2 that is one by 1: mismatch %v", weak, results[1].Mismatch)
		}
		if sum.Positions != 3 || sum.Mismatches != map[bool]int{true: 0, false: 1}[weak] || sum.MeanNodes == 0 || sum.MedianTimeUS == 0 {
			t.Errorf("weak %v: got %+v", weak, sum)
		}
	}
}

// TestPositionsEnd: when the time is up, the error says of which line, and how many are solved.
func TestPositionsEnd(t *testing.T) {
	s, start := at(t, "connect4", "", Options{})
	lines, err := ReadPositions(strings.NewReader("2252576253462244111563365343671351441 -1\n-\n"), start)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	sum, err := s.Positions(ctx, lines, func(Result) error {
		cancel()
		return nil
	})
	if got := err.Error(); !strings.HasPrefix(got, "line 2: ") || !strings.HasSuffix(got, "; 1 of 2 positions are solved") {
		t.Errorf("got %s", got)
	}
	if sum.Positions != 1 {
		t.Errorf("%d positions solved", sum.Positions)
	}
	full := errors.New("full")
	if _, err := s.Positions(t.Context(), lines[:1], func(Result) error { return full }); err != full {
		t.Errorf("got %v, want %v", err, full)
	}
}
