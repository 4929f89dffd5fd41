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
			err := s.Read([]spec.Option{spec.Word("a", "A", "-").At(1), spec.Word("b", "B", "-").At(2), spec.Word("k", "K", "-")})
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join([]string{s.String("a"), s.String("b"), s.String("k")}, " ")
			if s.Name != tc.name || got != tc.want {
				t.Errorf("Parse = %q with %q, want %q with %q", s.Name, got, tc.name, tc.want)
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

// kinds are options k of each kind, with a default that no test gives, and their getters.
var kinds = map[string]struct {
	option spec.Option
	get    func(s *spec.Spec) any
}{
	"string":   {spec.Word("k", "K", "default"), func(s *spec.Spec) any { return s.String("k") }},
	"int":      {spec.Whole("k", 77, -5, 100), func(s *spec.Spec) any { return s.Int("k") }},
	"uint64":   {spec.Count("k", 77), func(s *spec.Spec) any { return s.Uint64("k") }},
	"float":    {spec.Number("k", 77, -1, 100), func(s *spec.Spec) any { return s.Float("k") }},
	"duration": {spec.Time("k", 77), func(s *spec.Spec) any { return s.Duration("k") }},
	"off":      {spec.Switch("k", false), func(s *spec.Spec) any { return s.Bool("k") }},
	"on":       {spec.Switch("k", true), func(s *spec.Spec) any { return s.Bool("k") }},
	"size":     {spec.Size("k", 77, 0), func(s *spec.Spec) any { return s.Int("k") }},
	"choice":   {spec.Choice("k", "plain", "boards"), func(s *spec.Spec) any { return s.String("k") }},
}

// value reads the spec, whose argument k may be positional, as an option of a kind, and returns its value.
func value(s *spec.Spec, kind string) (any, error) {
	err := s.Read([]spec.Option{kinds[kind].option.At(1)})
	return kinds[kind].get(s), err
}

func TestArgumentsByType(t *testing.T) {
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
			if got, err := value(mustParse(t, tc.text), tc.getter); err != nil || got != tc.want {
				t.Errorf("got %v, %v, want %v", got, err, tc.want)
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
			fallback, _ := value(mustParse(t, "x"), tc.getter)
			got, err := value(mustParse(t, tc.text), tc.getter)
			checkError(t, err, tc.msg, tc.hint)
			if tc.getter != "string" && got != fallback {
				t.Errorf("got %v beside an error, want the default %v", got, fallback)
			}
		})
	}
}

func TestReadAndFailKeepTheFirstError(t *testing.T) {
	sides := []spec.Option{spec.Whole("m", 3, 1, 9).At(1), spec.Whole("n", 3, 1, 9).At(2)}
	checkError(t, mustParse(t, "rules:1").Read(nil), `rules: "1" is one argument too many`, "rules takes no arguments")
	s := mustParse(t, "mnk:a,b")
	err := s.Read(sides)
	s.Fail("%s: of the caller's", s.Name)
	for _, err := range []error{err, s.Err()} {
		checkError(t, err, `mnk: m must be a whole number from 1 to 9, not "a"`, "")
	}
	s = mustParse(t, "mnk:1")
	if err := s.Read(sides); err != nil {
		t.Fatal(err)
	}
	s.Fail("%s: of the caller's", s.Name)
	checkError(t, s.Err(), "mnk: of the caller's", "")
	checkError(t, mustParse(t, "mnk:5,m=4").Read(sides), "mnk gives m twice", "")
}

// TestReadAgain: arguments that are not known yet are passed over at first, and read later.
func TestReadAgain(t *testing.T) {
	s := mustParse(t, "bot:mine,speed=2,seed=5")
	first := []spec.Option{spec.Word("name", "NAME", "").At(1), spec.Seed("seed", 0)}
	if err := s.Read(append(first, spec.Others("PARAMETER=X"))); err != nil || s.Uint64("seed") != 5 {
		t.Fatalf("seed %d, %v", s.Uint64("seed"), err)
	}
	checkError(t, s.Read(first), `bot has no argument "speed"`, `did you mean "seed"?`)
	if err := s.Read(append(first, spec.Number("speed", 0, 0, 9))); err != nil || s.Float("speed") != 2 || !s.Given("speed") {
		t.Errorf("speed %g, %v", s.Float("speed"), err)
	}
	if text, given := s.Raw("speed"); text != "2" || !given {
		t.Errorf("Raw = %q, %t", text, given)
	}
}

func TestUsage(t *testing.T) {
	all := []spec.Option{
		spec.Whole("depth", 4, 1, 9).At(1), spec.Switch("killer", true), spec.Switch("history", true), spec.Choice("draws", "none", "half"),
		spec.File("net", "default", "default", "none"), spec.Seed("secret", 0).Quiet(),
	}
	if got, want := spec.Usage(all), "[:depth=N][,killer,history=on|off][,draws=none|half][,net=default|none|FILE]"; got != want {
		t.Errorf("Usage = %s, want %s", got, want)
	}
	if got := spec.Usage([]spec.Option{spec.Text("path", "PATH", "").Bare("PATH").Required(), spec.Time("time", 0)}); got != ":PATH[,time=D]" {
		t.Errorf("Usage = %s", got)
	}
	if public := spec.Public(all); len(public) != 5 || public[4].High != 999_999 {
		t.Errorf("public options %+v", public)
	}
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
