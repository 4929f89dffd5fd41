// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/krow-lab/krow/internal/spec"
)

func TestWith(t *testing.T) {
	tests := []struct{ text, args, want string }{
		{"td", "", "td"},
		{" td ", "a=1", "td:a=1"},
		{"td", "a=1 b=2", "td:a=1,b=2"},
		{"td:", "a=1", "td:a=1"},
		{"td()", "a=1", "td(a=1)"},
		{"td:c=3", "a=1", "td:c=3,a=1"},
		{"td:c=x(y=1)", "a=1", "td:c=x(y=1),a=1"},
		{"td(c=3)", "a=1 b=2", "td(c=3,a=1,b=2)"},
		{"td(c=x(y:1))", "a=1", "td(c=x(y:1),a=1)"},
	}
	for _, tc := range tests {
		if got := spec.With(tc.text, strings.Fields(tc.args)...); got != tc.want {
			t.Errorf("With(%q, %q) = %q, want %q", tc.text, tc.args, got, tc.want)
		}
	}
}

func TestNested(t *testing.T) {
	for text, want := range map[string]string{"mics": "mics", "a:b=1,c=2": "a(b=1,c=2)", "a(b=c:d)": "a(b=c:d)", "7": "7"} {
		if got := spec.Nested(text); got != want {
			t.Errorf("Nested(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestBytes(t *testing.T) {
	tests := []struct {
		text       string
		bare, want int // want 0: refused
	}{
		{"1048576", 1, 1 << 20},
		{"64", 1 << 20, 64 << 20},
		{"64M", 1 << 20, 64 << 20},
		{"64m", 1, 64 << 20},
		{"64MB", 1, 64 << 20},
		{"64MiB", 1, 64 << 20},
		{"1024K", 1, 1 << 20},
		{"1024G", 1, 1 << 40},
		{"512B", 1, 512},
		{"1025G", 1, 0},
		{"1048577", 1 << 20, 0},
		{"18446744073709551616", 1, 0},
		{"0", 1, 0},
		{"0M", 1, 0},
		{"", 1, 0},
		{"M", 1, 0},
		{"64I", 1, 0},
		{"64T", 1, 0},
		{"-1M", 1, 0},
		{"6.4M", 1, 0},
	}
	for _, tc := range tests {
		got, ok := spec.Bytes(tc.text, tc.bare)
		if got != tc.want || ok != (tc.want > 0) {
			t.Errorf("Bytes(%q, %d) = %d, %t, want %d", tc.text, tc.bare, got, ok, tc.want)
		}
	}
}

// TestGuard expects that a guarded spec gives no text, size or threads, and no great number but a seed.
func TestGuard(t *testing.T) {
	getters := map[string]func(s *spec.Spec) any{
		"String":  func(s *spec.Spec) any { return s.String("k", -1, "") },
		"Size":    func(s *spec.Spec) any { return s.Size("k", -1, 0, 0) },
		"Threads": func(s *spec.Spec) any { return s.Threads("k", 0, 256) },
		"Int":     func(s *spec.Spec) any { return s.Int("k", -1, 0, -9, 1<<30) },
		"Uint64":  func(s *spec.Spec) any { return s.Uint64("k", -1, 0) },
		"Seed":    func(s *spec.Spec) any { return s.Seed("k", -1, 0) },
	}
	tests := []struct{ getter, value, want string }{
		{"String", "1", "x: k cannot be asked for here"},
		{"Size", "1", "x: k cannot be asked for here"},
		{"Threads", "1", "x: k cannot be asked for here"},
		{"Int", "999999", ""},
		{"Int", "-9", ""},
		{"Int", "1000000", "x: k can be at most 999999 here, not 1000000"},
		{"Uint64", "999999", ""},
		{"Uint64", "1000000", "x: k can be at most 999999 here, not 1000000"},
		{"Seed", "18446744073709551615", ""},
	}
	for _, tc := range tests {
		t.Run(tc.getter+"/"+tc.value, func(t *testing.T) {
			s := mustParse(t, "x:k="+tc.value).Guard()
			got := getters[tc.getter](s)
			if tc.want != "" {
				checkError(t, s.Err(), tc.want, "")
			} else if fmt.Sprint(got) != tc.value || s.Err() != nil {
				t.Errorf("got %v, %v, want %s", got, s.Err(), tc.value)
			}
			if free := mustParse(t, "x:k="+tc.value); fmt.Sprint(getters[tc.getter](free)) == "0" || free.Err() != nil {
				t.Errorf("unguarded: %v", free.Err())
			}
		})
	}
	s := mustParse(t, "x:k=y(z=1)").Guard()
	if text, guarded := s.Inner("k", -1, "none"); text != "y(z=1)" || !guarded || s.Err() != nil {
		t.Errorf("Inner = %q, %t, %v", text, guarded, s.Err())
	}
	if text, guarded := s.Inner("other", -1, "none"); text != "none" || guarded {
		t.Errorf("Inner of nothing = %q, %t", text, guarded)
	}
}

func TestDefault(t *testing.T) {
	s := mustParse(t, "x:a=1")
	for _, key := range []string{"a", "b", "c"} {
		s.Default(key, "2")
	}
	if a, b := s.Int("a", 0, 0, 0, 9), s.Int("b", -1, 0, 0, 9); a != 1 || b != 2 || s.Err() != nil {
		t.Errorf("a = %d, b = %d, %v", a, b, s.Err())
	}
}
