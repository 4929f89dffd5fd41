// SPDX-License-Identifier: Apache-2.0

// Package humanize formats numbers and texts for people to read, and checks names that people choose.
package humanize

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"
)

var name = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

// Name reports whether s may be the name of a bot, a league or a machine: 1 to 40 letters, digits, - and _.
func Name(s string) bool { return name.MatchString(s) }

// Count formats n with a few characters: 950, 12.3 k, 4.7 M, 1.2 G.
func Count(n uint64) string {
	x := float64(n)
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case x < 99_950:
		return fmt.Sprintf("%.1f k", x/1e3)
	case x < 999_500:
		return fmt.Sprintf("%.0f k", x/1e3)
	case x < 999_950_000:
		return fmt.Sprintf("%.1f M", x/1e6)
	}
	return fmt.Sprintf("%.1f G", x/1e9)
}

// Rate formats n nodes in the time d as nodes per second: 1.5 k nodes/s.
func Rate(n uint64, d time.Duration) string {
	return Count(uint64(float64(n)/max(d.Seconds(), 1e-3))) + " nodes/s"
}

// Amount returns n with the singular or plural of the noun: 1 ply, 2 plies.
func Amount(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// OneLine returns a text of any origin, such as an error, as one line that is safe to print: words with single spaces between
// them, without control characters of terminals. If the line is longer than most characters, it returns only the beginning and
// the end of the line.
func OneLine(text string, most int) string {
	line := []rune(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return '?'
		}
		return r
	}, strings.Join(strings.Fields(text), " ")))
	if len(line) > most {
		return string(line[:most*3/4]) + "..." + string(line[len(line)-most/4:])
	}
	return string(line)
}
