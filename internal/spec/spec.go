// SPDX-License-Identifier: Apache-2.0

// Package spec reads the strings that name games, heuristics and players.
//
// The grammar is NAME[:ARG,...], each ARG positional or key=value, in any order and any subset. Inside
// another spec the arguments stand in parentheses instead: alphabeta:depth=4,eval=generic(weights=FILE).
//
//	s, err := spec.Parse("connect4:8x7,k=5")
//	size := s.String("size", 0, "7x6") // by key, or as the first positional
//	k := s.Int("k", 1, 4, 1, 128)
//	err = s.Err() // the first wrong value, or an argument nobody asked for
package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Error says in one line why a spec cannot be used. Hint, which may be empty, says what to write instead.
type Error struct {
	Msg  string
	Hint string
}

func (e *Error) Error() string { return e.Msg }

type arg struct {
	key, value string
	used       bool
	optional   bool // a Default: no error where nobody asks for it
}

// Spec is a parsed spec. Its getters record the first error, which Err returns.
type Spec struct {
	Name string
	args []arg
	keys []string // asked for, in order
	err  error

	guarded bool // see Guard
	options []Option
}

// maxDepth bounds the nesting of parentheses, so that hostile input cannot exhaust the stack.
const maxDepth = 16

// Parse reads a spec. The error is an *Error.
func Parse(text string) (*Spec, error) {
	text = strings.TrimSpace(text)
	i := strings.IndexAny(text, ":(")
	s := &Spec{Name: text}
	body := ""
	switch {
	case i < 0:
	case text[i] == '(':
		if !strings.HasSuffix(text, ")") {
			return nil, &Error{Msg: fmt.Sprintf("%q: unbalanced parentheses", text)}
		}
		s.Name, body = text[:i], text[i+1:len(text)-1]
	default:
		s.Name, body = text[:i], text[i+1:]
	}
	if s.Name == "" || strings.ContainsFunc(s.Name, func(r rune) bool { return r <= ' ' || strings.ContainsRune("=,()", r) }) {
		return nil, &Error{Msg: fmt.Sprintf("%q does not begin with a name", text), Hint: `a spec is NAME[:ARG,...], such as "mnk:7,6,4"`}
	}
	parts, err := split(body)
	if err != nil {
		return nil, &Error{Msg: fmt.Sprintf("%q: %v", text, err)}
	}
	for _, p := range parts {
		a := arg{value: strings.TrimSpace(p)}
		if j := strings.IndexByte(p, '='); j >= 0 && !strings.ContainsAny(p[:j], "(:") {
			a.key, a.value = strings.TrimSpace(p[:j]), strings.TrimSpace(p[j+1:])
			if a.key == "" {
				a.value = ""
			}
		}
		if a.value == "" {
			return nil, &Error{Msg: fmt.Sprintf("%q has an empty argument", text)}
		}
		if a.key != "" && slices.ContainsFunc(s.args, func(b arg) bool { return b.key == a.key }) {
			return nil, &Error{Msg: fmt.Sprintf("%q gives %s twice", text, a.key)}
		}
		s.args = append(s.args, a)
	}
	return s, nil
}

// split cuts s at the commas outside parentheses.
func split(s string) ([]string, error) {
	if s == "" {
		return nil, nil
	}
	var parts []string
	depth, start := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, s[start:i])
				start = i + 1
			}
		}
		if depth < 0 || depth > maxDepth {
			return nil, fmt.Errorf("unbalanced or too many parentheses")
		}
	}
	if depth != 0 {
		return nil, fmt.Errorf("unbalanced parentheses")
	}
	return append(parts, s[start:]), nil
}

// lookup finds the argument by key, or as the pos-th positional one; pos < 0 is by key only.
func (s *Spec) lookup(key string, pos int) (string, bool) {
	s.keys = append(s.keys, key)
	value, found, n := "", false, 0
	for i := range s.args {
		a := &s.args[i]
		if a.key == key || a.key == "" && n == pos {
			if found || a.used {
				s.fail("", "%s gives %s twice", s.Name, key)
			}
			a.used, value, found = true, a.value, true
		}
		if a.key == "" {
			n++
		}
	}
	return value, found
}

func (s *Spec) fail(hint, format string, args ...any) {
	if s.err == nil {
		s.err = &Error{Msg: fmt.Sprintf(format, args...), Hint: hint}
	}
}

// Fail records an error of the caller, unless there is one already.
func (s *Spec) Fail(format string, args ...any) { s.fail("", format, args...) }

// Has says whether the argument is given. It does not count as asking for it.
func (s *Spec) Has(key string) bool {
	return slices.ContainsFunc(s.args, func(a arg) bool { return a.key == key })
}

// get returns an argument that parse reads, or def where it is not given. want says what it must be.
func get[T any](s *Spec, key string, pos int, def T, want string, parse func(text string) (T, bool)) T {
	text, ok := s.lookup(key, pos)
	if !ok {
		return def
	}
	v, ok := parse(text)
	if !ok {
		s.fail("", "%s: %s must be %s, not %q", s.Name, key, want, text)
		return def
	}
	return v
}

// String returns an argument as it stands, such as the name of a file or a program. A guarded spec has none.
func (s *Spec) String(key string, pos int, def string) string {
	if s.refuses(key, pos) {
		return def
	}
	s.note(Option{Key: key, Kind: "text", Default: def})
	return get(s, key, pos, def, "", func(text string) (string, bool) { return text, true })
}

// Int returns a whole number between lo and hi.
func (s *Spec) Int(key string, pos, def, lo, hi int) int {
	s.note(Option{Key: key, Kind: "whole", Default: strconv.Itoa(def), Low: float64(lo), High: float64(s.most(hi))})
	n := get(s, key, pos, def, fmt.Sprintf("a whole number from %d to %d", lo, hi), func(text string) (int, bool) {
		n, err := strconv.Atoi(text)
		return n, err == nil && n >= lo && n <= hi
	})
	if n != def {
		s.bound(key, uint64(max(n, 0)))
	}
	return n
}

// Uint64 returns a whole number of 64 bits, such as a number of nodes.
func (s *Spec) Uint64(key string, pos int, def uint64) uint64 {
	n := s.Seed(key, pos, def)
	if n != def {
		s.bound(key, n)
	}
	return n
}

// Seed returns a whole number of 64 bits that costs nothing, however great it is.
func (s *Spec) Seed(key string, pos int, def uint64) uint64 {
	s.note(Option{Key: key, Kind: "whole", Default: strconv.FormatUint(def, 10), High: float64(s.most(1 << 53))})
	return get(s, key, pos, def, "a whole number from 0 to 18446744073709551615", func(text string) (uint64, bool) {
		n, err := strconv.ParseUint(text, 10, 64)
		return n, err == nil
	})
}

// Float returns a number between lo and hi.
func (s *Spec) Float(key string, pos int, def, lo, hi float64) float64 {
	s.note(Option{Key: key, Kind: "number", Default: strconv.FormatFloat(def, 'g', -1, 64), Low: lo, High: hi})
	return get(s, key, pos, def, fmt.Sprintf("a number from %g to %g", lo, hi), func(text string) (float64, bool) {
		x, err := strconv.ParseFloat(text, 64)
		return x, err == nil && x >= lo && x <= hi
	})
}

// Size returns a number of bytes, at least lo, as Bytes reads it: 64M. A number alone counts megabytes; 0 is a size if
// lo is 0. A guarded spec has none.
func (s *Spec) Size(key string, pos, def, lo int) int {
	if s.refuses(key, pos) {
		return def
	}
	return get(s, key, pos, def, "a size up to 1024G such as 64M", func(text string) (int, bool) {
		n, ok := Bytes(text, 1<<20)
		return n, (ok || text == "0") && n >= lo
	})
}

// Duration returns a positive length of time, such as 500ms.
func (s *Spec) Duration(key string, pos int, def time.Duration) time.Duration {
	s.note(Option{Key: key, Kind: "time", Default: def.String()})
	return get(s, key, pos, def, "a positive time such as 500ms or 2s", func(text string) (time.Duration, bool) {
		d, err := time.ParseDuration(text)
		return d, err == nil && d > 0
	})
}

// Bool returns a switch: on or off.
func (s *Spec) Bool(key string, pos int, def bool) bool {
	s.note(Option{Key: key, Kind: "switch", Default: map[bool]string{true: "on", false: "off"}[def]})
	switch s.Choice(key, pos, "", "on", "off", "true", "false") {
	case "":
		return def
	case "on", "true":
		return true
	}
	return false
}

// Choice returns one of a few words.
func (s *Spec) Choice(key string, pos int, def string, words ...string) string {
	s.note(Option{Key: key, Kind: "choice", Default: def, Words: words})
	v, ok := s.lookup(key, pos)
	if !ok {
		return def
	}
	if !slices.Contains(words, v) {
		s.fail(Hint(v, words), "%s: %s must be %s, not %q", s.Name, key, strings.Join(words, "|"), v)
		return def
	}
	return v
}

// ValueErr returns the first error of the getters.
func (s *Spec) ValueErr() error { return s.err }

// Err returns the first error of the getters, or names an argument that none of them asked for.
func (s *Spec) Err() error {
	if s.err != nil {
		return s.err
	}
	for _, a := range s.args {
		if a.used || a.optional {
			continue
		}
		if a.key == "" {
			return &Error{Msg: fmt.Sprintf("%s: %q is one argument too many", s.Name, a.value), Hint: s.hint()}
		}
		h := Hint(a.key, s.keys)
		if h == "" {
			h = s.hint()
		}
		return &Error{Msg: fmt.Sprintf("%s has no argument %q", s.Name, a.key), Hint: h}
	}
	return nil
}

func (s *Spec) hint() string {
	if len(s.keys) == 0 {
		return s.Name + " takes no arguments"
	}
	return s.Name + " takes " + strings.Join(s.keys, ", ")
}

// Unknown is the error for a name that is not among the known ones. Its hint is the nearest of them.
func Unknown(kind, name string, known []string) error {
	return &Error{Msg: fmt.Sprintf("unknown %s %q", kind, name), Hint: Hint(name, known)}
}

// Hint returns `did you mean "x"?` for the known word nearest to name, or "" when none is near.
func Hint(name string, known []string) string {
	best, at := 3, ""
	if len(name) < 4 {
		best = 2
	}
	for _, k := range known {
		if d := distance(strings.ToLower(name), k); d < best {
			best, at = d, k
		}
	}
	if at == "" {
		return ""
	}
	return fmt.Sprintf("did you mean %q?", at)
}

// distance is the number of insertions, deletions and replacements that turn a into b. O(len(a) len(b)).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diag
			if a[i] != b[j] {
				cost++
			}
			diag = row[j+1]
			row[j+1] = min(cost, diag+1, row[j]+1)
		}
	}
	return row[len(b)]
}
