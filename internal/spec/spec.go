// SPDX-License-Identifier: Apache-2.0

// Package spec parses specs, the texts that name games, heuristics and players with their arguments.
//
// The grammar is NAME[:ARG,...], where each ARG is VALUE or KEY=VALUE; the order is free, and any argument may be missing. A
// spec inside another one has its arguments in parentheses: alphabeta:depth=4,eval=generic(weights=FILE).
//
//	s, err := spec.Parse("connect4:8x7,k=5")
//	err = s.Read([]spec.Option{spec.Word("size", "WxH", "7x6").At(1), spec.Whole("k", 4, 1, 128).At(2)})
//	k := s.Int("k")
package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Error explains why a spec cannot be used. Hint, which may be empty, suggests a correction.
type Error struct {
	Msg  string
	Hint string
}

func (e *Error) Error() string { return e.Msg }

type arg struct {
	key, value string
	// The argument was added by the method Default and not typed by a person. So it is ignored if there is no option with its
	// key.
	optional bool
}

// Spec is a parsed spec.
type Spec struct {
	Name  string
	args  []arg
	trust Trust

	// Read sets the following fields.
	options []Option
	values  map[string]any
	given   map[string]bool
	err     *Error
}

// maxDepth is the maximum nesting of parentheses, so that hostile input cannot overflow the stack.
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

// split splits s at the commas outside parentheses.
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

// Read reads the arguments as the options declare them; afterwards the getters return their values. It may be called again
// with more options. The error, an *Error, reports the first wrong value, or names an argument that no option declares.
func (s *Spec) Read(options []Option) error {
	s.options, s.values, s.given, s.err = options, map[string]any{}, map[string]bool{}, nil
	for _, o := range options {
		s.values[o.Key] = o.usual
	}
	others, place := slices.ContainsFunc(options, func(o Option) bool { return o.Key == "" }), 0
	for _, a := range s.args {
		if a.key == "" {
			place++
		}
		i := slices.IndexFunc(options, func(o Option) bool { return o.Key != "" && a.key == o.Key || a.key == "" && o.place == place })
		switch {
		case i >= 0:
			s.read(options[i], a.value)
		case a.optional || others && a.key != "":
		case a.key == "":
			s.fail(s.hint(), "%s: %q is one argument too many", s.Name, a.value)
		default:
			s.fail(cmp.Or(Hint(a.key, s.keys()), s.hint()), "%s has no argument %q", s.Name, a.key)
		}
	}
	return s.Err()
}

// read parses text as the value of an option.
func (s *Spec) read(o Option, text string) {
	if s.given[o.Key] {
		s.fail("", "%s gives %s twice", s.Name, o.Key)
	}
	s.given[o.Key] = true
	if o.private && s.trust == Untrusted && !slices.Contains(o.Words, text) {
		path, ok := Input(text)
		if !ok || !o.file {
			s.fail("", "%s: %s cannot be asked for here", s.Name, o.Key)
			return
		}
		text = path
	}
	value, ok := o.parse(text)
	if !ok {
		hint := ""
		if o.Kind == "choice" {
			hint = Hint(text, o.Words)
		}
		s.fail(hint, "%s: %s must be %s, not %q", s.Name, o.Key, o.want, text)
		return
	}
	if s.trust == Untrusted && o.bounded && value != o.usual && more(value, untrustedMost) {
		s.fail("", "%s: %s can be at most %d here, not %s", s.Name, o.Key, untrustedMost, text)
		return
	}
	s.values[o.Key] = value
}

// more reports whether an integer is greater than most.
func more(value any, most int) bool {
	switch n := value.(type) {
	case int:
		return n > most
	case uint64:
		return n > uint64(most)
	}
	return false
}

func (s *Spec) fail(hint, format string, args ...any) {
	if s.err == nil {
		s.err = &Error{Msg: fmt.Sprintf(format, args...), Hint: hint}
	}
}

// Fail records an error that the caller has found, unless an earlier one is recorded.
func (s *Spec) Fail(format string, args ...any) { s.fail("", format, args...) }

// Err returns the first error of Read or Fail.
func (s *Spec) Err() error {
	if s.err == nil {
		return nil // s.err is not returned, because an error that contains a nil *Error is not equal to nil
	}
	return s.err
}

// Raw returns the text of the argument with this key as the spec gives it. It may be called before Read.
func (s *Spec) Raw(key string) (text string, given bool) {
	i := slices.IndexFunc(s.args, func(a arg) bool { return a.key == key })
	if i < 0 {
		return "", false
	}
	return s.args[i].value, true
}

// Given reports whether the spec gives the argument, with its key or by position. It must be called after Read.
func (s *Spec) Given(key string) bool { return s.given[key] }

// Options returns the options of the last Read.
func (s *Spec) Options() []Option { return s.options }

// get returns the value of an option. It panics if Read was not called with this option.
func get[T any](s *Spec, key string) T {
	v, ok := s.values[key].(T)
	if !ok {
		panic(fmt.Sprintf("spec: %s declares no %T %s", s.Name, v, key))
	}
	return v
}

// String returns the value of a text, word, choice or file option.
func (s *Spec) String(key string) string { return get[string](s, key) }

// Int returns the value of an integer or size option.
func (s *Spec) Int(key string) int { return get[int](s, key) }

// Uint64 returns the value of a count or seed option.
func (s *Spec) Uint64(key string) uint64 { return get[uint64](s, key) }

// Float returns the value of a number option.
func (s *Spec) Float(key string) float64 { return get[float64](s, key) }

// Bool returns the value of a switch.
func (s *Spec) Bool(key string) bool { return get[bool](s, key) }

// Duration returns the value of a time option.
func (s *Spec) Duration(key string) time.Duration { return get[time.Duration](s, key) }

// Inner returns the value of an option that the function [Inner] declared. This value is itself a spec. The result by is the trust
// of the value: Trusted if it is the default value, and otherwise the trust of s.
func (s *Spec) Inner(key string) (text string, by Trust) {
	if s.given[key] {
		by = s.trust
	}
	return s.String(key), by
}

func (s *Spec) keys() (all []string) {
	for _, o := range s.options {
		if o.Key != "" {
			all = append(all, o.Key)
		}
	}
	return all
}

func (s *Spec) hint() string {
	if len(s.keys()) == 0 {
		return s.Name + " takes no arguments"
	}
	return s.Name + " takes " + strings.Join(s.keys(), ", ")
}

// Unknown returns the error for a name that is not in known. Its hint is the nearest known name.
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

// distance returns the smallest number of insertions, deletions and replacements that turn a into b. It takes time
// O(len(a)*len(b)).
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
