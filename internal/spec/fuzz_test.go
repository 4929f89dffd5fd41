// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow/internal/spec"
)

// FuzzParse expects an *Error with words, or a spec whose getters keep their ranges and whose error, if any, is
// an *Error too. Nothing panics.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", "gomoku", "mnk:7,6,4", "connect4:8x7,k=5", "alphabeta:depth=4,eval=generic(weights=FILE)", "a(b(c(d)))",
		"a:)", "a(", "a:k=1,k=2", "a:,", "x:9223372036854775808", "x:NaN", "x:1e999", "x:on", "é:ü", "\xff:\x00",
	} {
		f.Add(s, "k")
	}
	f.Fuzz(func(t *testing.T, text, key string) {
		for name := range kinds {
			s, err := spec.Parse(text)
			if err != nil {
				checkWords(t, err)
				return
			}
			if s.Name == "" || strings.ContainsAny(s.Name, ":=,() ") {
				t.Errorf("Parse(%q) has the name %q", text, s.Name)
			}
			got, err := value(s, name)
			checkRange(t, name, got)
			if err != nil {
				checkWords(t, err)
			}
			s.Raw(key)
		}
		spec.Hint(text, []string{"gomoku", "mnk", key})
	})
}

func checkWords(t *testing.T, err error) {
	t.Helper()
	if e, ok := errors.AsType[*spec.Error](err); !ok || e.Msg == "" {
		t.Errorf("%#v is not an Error with words", err)
	}
}

func checkRange(t *testing.T, getter string, v any) {
	t.Helper()
	ok := true
	switch getter {
	case "int":
		ok = v.(int) >= -5 && v.(int) <= 100
	case "float":
		ok = v.(float64) >= -1 && v.(float64) <= 100
	case "choice":
		ok = slices.Contains([]string{"plain", "boards"}, v.(string))
	}
	if !ok {
		t.Errorf("%s returned %v", getter, v)
	}
}

// FuzzHint holds the suggestions to what they promise: a known word, near by.
func FuzzHint(f *testing.F) {
	f.Add("gomoko", "gomoku")
	f.Add("", "")
	f.Add("Ä", "a")
	f.Fuzz(func(t *testing.T, name, known string) {
		h := spec.Hint(name, []string{known})
		near := distance(strings.ToLower(name), known) < 3
		if h != "" && !near {
			t.Errorf("Hint(%q) offers %q", name, known)
		}
		if near && len(name) >= 4 && known != "" && h == "" {
			t.Errorf("Hint(%q) does not offer %q", name, known)
		}
	})
}

// distance is the edit distance by its definition, cut off at 3. O(3^3 len).
func distance(a, b string) int { return within(a, b, 3) }

// within returns the edit distance of a and b, or limit if it is not less.
func within(a, b string, limit int) int {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	switch {
	case limit <= 0:
		return limit
	case a == "":
		return min(len(b), limit)
	case b == "":
		return min(len(a), limit)
	}
	best := limit - 1
	best = min(best, within(a[1:], b, best), within(a, b[1:], best), within(a[1:], b[1:], best))
	return 1 + best
}
