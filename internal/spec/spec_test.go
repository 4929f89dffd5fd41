// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/krow-lab/krow/internal/spec"
)

// mustParse returns the spec of a text that is known to be one.
func mustParse(t testing.TB, text string) *spec.Spec {
	t.Helper()
	s, err := spec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestParse(t *testing.T) {
	tests := []struct {
		text, name string
		want       string // three arguments: the first two by place, one by the key k
	}{
		{"gomoku", "gomoku", "- - -"},
		{"  gomoku ", "gomoku", "- - -"},
		{"gomoku:", "gomoku", "- - -"},
		{"gomoku()", "gomoku", "- - -"},
		{"gomoku:19", "gomoku", "19 - -"},
		{"gomoku(19)", "gomoku", "19 - -"},
		{"mnk:7,6,k=4", "mnk", "7 6 4"},
		{"mnk:k=4,7,6", "mnk", "7 6 4"},
		{"mnk: 7 , k = 4 ,6", "mnk", "7 6 4"},
		{"connect4:8x7,k=5", "connect4", "8x7 - 5"},
		{"alphabeta:generic(weights=a,b),k=x(y=1,z(2))", "alphabeta", "generic(weights=a,b) - x(y=1,z(2))"},
		{"engine:gomoku:15", "engine", "gomoku:15 - -"},
		{"engine:gomoku:size=15", "engine", "gomoku:size=15 - -"},
		{"rules:k=a=b", "rules", "- - a=b"},
	}
	for _, tc := range tests {
		t.Run(tc.text, func(t *testing.T) {
			s := mustParse(t, tc.text)
			got := strings.Join([]string{s.String("a", 0, "-"), s.String("b", 1, "-"), s.String("k", -1, "-")}, " ")
			if s.Name != tc.name || got != tc.want {
				t.Errorf("Parse = %q with %q, want %q with %q", s.Name, got, tc.name, tc.want)
			}
			if err := s.Err(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	const usage = `a spec is NAME[:ARG,...], such as "mnk:7,6,4"`
	deep := "a:" + strings.Repeat("b(", 17) + strings.Repeat(")", 17)
	tests := []struct{ text, msg, hint string }{
		{"", `"" does not begin with a name`, usage},
		{":7", `":7" does not begin with a name`, usage},
		{"(7)", `"(7)" does not begin with a name`, usage},
		{"two words", `"two words" does not begin with a name`, usage},
		{"size=3", `"size=3" does not begin with a name`, usage},
		{"a)", `"a)" does not begin with a name`, usage},
		{"a(1", `"a(1": unbalanced parentheses`, ""},
		{"a(1)2", `"a(1)2": unbalanced parentheses`, ""},
		{"a:b(1", `"a:b(1": unbalanced parentheses`, ""},
		{"a:1)", `"a:1)": unbalanced or too many parentheses`, ""},
		{"a(1)(2)", `"a(1)(2)": unbalanced or too many parentheses`, ""},
		{deep, `"` + deep + `": unbalanced or too many parentheses`, ""},
		{"a:1,,2", `"a:1,,2" has an empty argument`, ""},
		{"a:1,", `"a:1," has an empty argument`, ""},
		{"a:k=", `"a:k=" has an empty argument`, ""},
		{"a:k=1,k=2", `"a:k=1,k=2" gives k twice`, ""},
	}
	for _, tc := range tests {
		t.Run(tc.text, func(t *testing.T) {
			_, err := spec.Parse(tc.text)
			checkError(t, err, tc.msg, tc.hint)
		})
	}
}

// checkError fails unless err is an *Error of these words.
func checkError(t *testing.T, err error, msg, hint string) {
	t.Helper()
	e, ok := errors.AsType[*spec.Error](err)
	if !ok {
		t.Fatalf("%v is not an Error", err)
	}
	if e.Error() != msg || e.Hint != hint {
		t.Errorf("error %q, hint %q, want %q, %q", e, e.Hint, msg, hint)
	}
}

// get asks a spec for the argument k in each way, with a default that no test gives.
var get = map[string]func(s *spec.Spec) any{
	"string":   func(s *spec.Spec) any { return s.String("k", 0, "default") },
	"int":      func(s *spec.Spec) any { return s.Int("k", 0, 77, -5, 100) },
	"uint64":   func(s *spec.Spec) any { return s.Uint64("k", 0, 77) },
	"float":    func(s *spec.Spec) any { return s.Float("k", 0, 77, -1, 100) },
	"duration": func(s *spec.Spec) any { return s.Duration("k", 0, 77) },
	"off":      func(s *spec.Spec) any { return s.Bool("k", 0, false) },
	"on":       func(s *spec.Spec) any { return s.Bool("k", 0, true) },
	"size":     func(s *spec.Spec) any { return s.Size("k", 0, 77, 0) },
	"choice":   func(s *spec.Spec) any { return s.Choice("k", 0, "plain", "plain", "boards") },
}

func TestGetters(t *testing.T) {
	tests := []struct {
		text, getter string
		want         any
	}{
		{"x", "string", "default"},
		{"x:v", "string", "v"},
		{"x:k=v", "string", "v"},
		{"x", "int", 77},
		{"x:-5", "int", -5},
		{"x:k=100", "int", 100},
		{"x", "uint64", uint64(77)},
		{"x:0", "uint64", uint64(0)},
		{"x:k=18446744073709551615", "uint64", uint64(math.MaxUint64)},
		{"x", "float", 77.0},
		{"x:-1", "float", -1.0},
		{"x:k=1e-3", "float", 0.001},
		{"x", "duration", time.Duration(77)},
		{"x:1m30s", "duration", 90 * time.Second},
		{"x:k=500ms", "duration", 500 * time.Millisecond},
		{"x", "size", 77},
		{"x:64", "size", 64 << 20},
		{"x:k=64M", "size", 64 << 20},
		{"x:0", "size", 0},
		{"x", "off", false},
		{"x:on", "off", true},
		{"x:k=true", "off", true},
		{"x", "on", true},
		{"x:off", "on", false},
		{"x:k=false", "on", false},
		{"x", "choice", "plain"},
		{"x:boards", "choice", "boards"},
		{"x:k=plain", "choice", "plain"},
	}
	for _, tc := range tests {
		t.Run(tc.getter+"/"+tc.text, func(t *testing.T) {
			s := mustParse(t, tc.text)
			if got := get[tc.getter](s); got != tc.want {
				t.Errorf("got %v, want %v", got, tc.want)
			}
			if err := s.Err(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestGetterErrors(t *testing.T) {
	tests := []struct{ text, getter, msg, hint string }{
		{"x:7.5", "int", `x: k must be a whole number from -5 to 100, not "7.5"`, ""},
		{"x:-6", "int", `x: k must be a whole number from -5 to 100, not "-6"`, ""},
		{"x:101", "int", `x: k must be a whole number from -5 to 100, not "101"`, ""},
		{"x:99999999999999999999", "int", `x: k must be a whole number from -5 to 100, not "99999999999999999999"`, ""},
		{"x:-1", "uint64", `x: k must be a whole number from 0 to 18446744073709551615, not "-1"`, ""},
		{"x:18446744073709551616", "uint64", `x: k must be a whole number from 0 to 18446744073709551615, not "18446744073709551616"`, ""},
		{"x:-1.5", "float", `x: k must be a number from -1 to 100, not "-1.5"`, ""},
		{"x:NaN", "float", `x: k must be a number from -1 to 100, not "NaN"`, ""},
		{"x:+Inf", "float", `x: k must be a number from -1 to 100, not "+Inf"`, ""},
		{"x:much", "float", `x: k must be a number from -1 to 100, not "much"`, ""},
		{"x:5", "duration", `x: k must be a positive time such as 500ms or 2s, not "5"`, ""},
		{"x:0s", "duration", `x: k must be a positive time such as 500ms or 2s, not "0s"`, ""},
		{"x:-1s", "duration", `x: k must be a positive time such as 500ms or 2s, not "-1s"`, ""},
		{"x:-1", "size", `x: k must be a size up to 1024G such as 64M, not "-1"`, ""},
		{"x:64T", "size", `x: k must be a size up to 1024G such as 64M, not "64T"`, ""},
		{"x:yes", "off", `x: k must be on|off|true|false, not "yes"`, ""},
		{"x:board", "choice", `x: k must be plain|boards, not "board"`, `did you mean "boards"?`},
		{"x:1,2", "string", `x: "2" is one argument too many`, "x takes k"},
		{"x:j=1", "string", `x has no argument "j"`, `did you mean "k"?`},
		{"x:depth=1", "string", `x has no argument "depth"`, "x takes k"},
	}
	for _, tc := range tests {
		t.Run(tc.getter+"/"+tc.text, func(t *testing.T) {
			s := mustParse(t, tc.text)
			fallback := get[tc.getter](mustParse(t, "x"))
			got := get[tc.getter](s)
			checkError(t, s.Err(), tc.msg, tc.hint)
			if tc.getter != "string" && got != fallback {
				t.Errorf("got %v beside an error, want the default %v", got, fallback)
			}
		})
	}
}

func TestErr(t *testing.T) {
	t.Run("no arguments", func(t *testing.T) {
		checkError(t, mustParse(t, "rules:1").Err(), `rules: "1" is one argument too many`, "rules takes no arguments")
	})
	t.Run("first error stays", func(t *testing.T) {
		s := mustParse(t, "mnk:a,b")
		s.Int("m", 0, 3, 1, 9)
		s.Int("n", 1, 3, 1, 9)
		s.Fail("%s: of the caller's", s.Name)
		checkError(t, s.Err(), `mnk: m must be a whole number from 1 to 9, not "a"`, "")
	})
	t.Run("the caller's", func(t *testing.T) {
		s := mustParse(t, "mnk:1")
		s.Fail("%s: of the caller's", s.Name)
		checkError(t, s.Err(), "mnk: of the caller's", "")
	})
	t.Run("one argument under two names", func(t *testing.T) {
		s := mustParse(t, "mnk:5")
		s.Int("m", 0, 3, 1, 9)
		s.Int("columns", 0, 3, 1, 9)
		checkError(t, s.Err(), "mnk gives columns twice", "")
	})
	t.Run("has does not use", func(t *testing.T) {
		s := mustParse(t, "mcts:sims=5")
		if !s.Has("sims") || s.Has("time") {
			t.Errorf("Has(sims) = %v, Has(time) = %v, want true, false", s.Has("sims"), s.Has("time"))
		}
		checkError(t, s.Err(), `mcts has no argument "sims"`, "mcts takes no arguments")
	})
}

func TestUnknown(t *testing.T) {
	checkError(t, spec.Unknown("game", "gomoko", []string{"mnk", "gomoku"}), `unknown game "gomoko"`, `did you mean "gomoku"?`)
	checkError(t, spec.Unknown("game", "chess", []string{"mnk", "gomoku"}), `unknown game "chess"`, "")
}

func TestHint(t *testing.T) {
	known := []string{"mnk", "gomoku", "renju", "connect4", "connect6"}
	tests := []struct{ name, want string }{
		{"gomoko", "gomoku"},
		{"GOMOKU", "gomoku"},
		{"gomok", "gomoku"},
		{"ggomokuu", "gomoku"},
		{"gmoku", "gomoku"},
		{"mnq", "mnk"},
		{"mxx", ""}, // two letters of three are too many
		{"connect5", "connect4"},
		{"conect6", "connect6"},
		{"shogi", ""},
		{"", ""},
	}
	for _, tc := range tests {
		want := ""
		if tc.want != "" {
			want = `did you mean "` + tc.want + `"?`
		}
		if got := spec.Hint(tc.name, known); got != want {
			t.Errorf("Hint(%q) = %q, want %q", tc.name, got, want)
		}
	}
}
