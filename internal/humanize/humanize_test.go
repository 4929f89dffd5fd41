// SPDX-License-Identifier: Apache-2.0

package humanize_test

import (
	"testing"
	"time"

	"github.com/krow-lab/krow/internal/humanize"
)

func TestCount(t *testing.T) {
	tests := []struct {
		n    uint64
		want string
	}{
		{0, "0"},
		{999, "999"},
		{1000, "1.0 k"},
		{12_345, "12.3 k"},
		{99_949, "99.9 k"},
		{99_950, "100 k"},
		{999_499, "999 k"},
		{999_500, "1.0 M"},
		{4_712_337, "4.7 M"},
		{999_949_999, "999.9 M"},
		{999_950_000, "1.0 G"},
		{1 << 40, "1099.5 G"},
	}
	for _, tc := range tests {
		if got := humanize.Count(tc.n); got != tc.want {
			t.Errorf("Count(%d) = %q, want %q", tc.n, got, tc.want)
		}
	}
}

func TestRate(t *testing.T) {
	tests := []struct {
		n    uint64
		d    time.Duration
		want string
	}{
		{0, 0, "0 nodes/s"}, {500, 0, "500 k nodes/s"}, {3000, 2 * time.Second, "1.5 k nodes/s"}, {1, time.Hour, "0 nodes/s"},
	}
	for _, tc := range tests {
		if got := humanize.Rate(tc.n, tc.d); got != tc.want {
			t.Errorf("Rate(%d, %v) = %q, want %q", tc.n, tc.d, got, tc.want)
		}
	}
}

func TestAmount(t *testing.T) {
	for n, want := range map[int]string{0: "0 plies", 1: "1 ply", 2: "2 plies"} {
		if got := humanize.Amount(n, "ply", "plies"); got != want {
			t.Errorf("Amount(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestOneLine(t *testing.T) {
	tests := []struct {
		text string
		most int
		want string
	}{
		{"", 8, ""},
		{" two\n\tlines\r\n", 20, "two lines"},
		{"red \x1b[31m\a\u202e\xff", 20, "red ?[31m???"},
		{"12345678", 8, "12345678"},
		{"äbcdefghï", 8, "äbcdef...hï"},
	}
	for _, tc := range tests {
		if got := humanize.OneLine(tc.text, tc.most); got != tc.want {
			t.Errorf("OneLine(%q, %d) = %q, want %q", tc.text, tc.most, got, tc.want)
		}
	}
}
