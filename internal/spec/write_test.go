// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
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

// TestRewriteReachesSpecsInside: f sees every argument, of specs in parentheses and after a colon too. The form stays.
func TestRewriteReachesSpecsInside(t *testing.T) {
	for text, want := range map[string]string{
		"random": "random", "bot:x.star,seed=2": "bot:BOT,seed=2", "limited:of=bot:x.star": "limited:of=bot:BOT", "limited(of=bot(x.star,seed=2),nodes=3)": "limited(of=bot(BOT,seed=2),nodes=3)",
		"alphabeta:depth=4,eval=generic(weights=w.json)": "alphabeta:depth=4,eval=generic(weights=FILE)", "mcts:time=1:30": "mcts:time=1:30",
	} {
		got, err := spec.Rewrite(text, func(name, key, value string) (string, error) {
			switch {
			case name == "bot" && key == "":
				return "BOT", nil
			case key == "weights":
				return "FILE", nil
			}
			return value, nil
		})
		if got != want || err != nil {
			t.Errorf("Rewrite(%q) = %q, %v, want %q", text, got, err, want)
		}
	}
	if _, err := spec.Rewrite("a(", nil); err == nil {
		t.Error("what is no spec was rewritten")
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

// TestUntrustedSpecIsLimited expects that an untrusted spec has no text, file, size or threads, and no great number except a seed.
func TestUntrustedSpecIsLimited(t *testing.T) {
	options := map[string]spec.Option{
		"Text": spec.Text("k", "PATH", ""), "File": spec.File("k", "", "none"), "Size": spec.Size("k", 0, 0), "Threads": spec.Threads("k", 0, 256),
		"Whole": spec.Whole("k", 0, -9, 1<<30), "Count": spec.Count("k", 0), "Seed": spec.Seed("k", 0),
	}
	const refused = "x: k cannot be asked for here"
	tests := []struct{ option, value, want string }{
		{"Text", "1", refused},
		{"File", "1", refused},
		{"File", "none", ""},
		{"Size", "1", refused},
		{"Threads", "1", refused},
		{"Whole", "999999", ""},
		{"Whole", "-9", ""},
		{"Whole", "1000000", "x: k can be at most 999999 here, not 1000000"},
		{"Count", "999999", ""},
		{"Count", "1000000", "x: k can be at most 999999 here, not 1000000"},
		{"Seed", "18446744073709551615", ""},
	}
	for _, tc := range tests {
		t.Run(tc.option+"/"+tc.value, func(t *testing.T) {
			all := []spec.Option{options[tc.option]}
			err := mustParse(t, "x:k="+tc.value).By(spec.Untrusted).Read(all)
			if tc.want != "" {
				checkError(t, err, tc.want, "")
			} else if err != nil {
				t.Error(err)
			}
			if free := mustParse(t, "x:k="+tc.value); free.Read(all) != nil || !free.Given("k") {
				t.Errorf("trusted: %v", free.Err())
			}
		})
	}
	s := mustParse(t, "x:k=y(z=1)").By(spec.Untrusted)
	if err := s.Read([]spec.Option{spec.Inner("k", "H", "none"), spec.Inner("other", "H", "none")}); err != nil {
		t.Fatal(err)
	}
	if text, by := s.Inner("k"); text != "y(z=1)" || by != spec.Untrusted {
		t.Errorf("Inner = %q, %v", text, by)
	}
	if text, by := s.Inner("other"); text != "none" || by != spec.Trusted {
		t.Errorf("Inner of nothing = %q, %v", text, by)
	}
}

func TestDefault(t *testing.T) {
	s := mustParse(t, "x:a=1")
	for _, key := range []string{"a", "b", "c"} {
		s.Default(key, "2")
	}
	err := s.Read([]spec.Option{spec.Whole("a", 0, 0, 9), spec.Whole("b", 0, 0, 9)})
	if a, b := s.Int("a"), s.Int("b"); a != 1 || b != 2 || err != nil {
		t.Errorf("a = %d, b = %d, %v", a, b, err)
	}
}
