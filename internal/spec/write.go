// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"errors"
	"strconv"
	"strings"
)

// With returns a spec with more arguments: With("mcts", "sims=100") is "mcts:sims=100". It does not check whether the spec
// already contains one of these arguments. If so, Parse returns an error for the result.
func With(text string, args ...string) string {
	text = strings.TrimSpace(text)
	if len(args) == 0 {
		return text
	}
	more := strings.Join(args, ",")
	i := strings.IndexAny(text, ":(")
	switch {
	case i < 0:
		return text + ":" + more
	case text[i] == '(':
		text, more = strings.TrimSuffix(text, ")"), more+")"
	}
	if i == len(text)-1 { // text is like "mcts:" or "mcts()", which has no argument yet
		return text + more
	}
	return text + "," + more
}

// Nested writes the spec NAME:ARGS as NAME(ARGS), the form inside another spec.
func Nested(text string) string {
	if i := strings.IndexAny(text, ":("); i >= 0 && text[i] == ':' {
		return text[:i] + "(" + text[i+1:] + ")"
	}
	return text
}

// Rewrite returns the spec text with new values of its arguments. For each argument it calls f with the name of the spec and
// with the key and value of the argument, and f returns the new value; key is empty for a positional argument. If f returns a
// value unchanged and the value is a spec, Rewrite also rewrites the arguments of that spec.
func Rewrite(text string, f func(name, key, value string) (string, error)) (string, error) {
	s, err := Parse(text)
	if err != nil {
		return "", err
	}
	var args []string
	for _, a := range s.args {
		value, err := f(s.Name, a.key, a.value)
		if err == nil && value == a.value && strings.ContainsAny(value, ":(") {
			if _, no := Parse(value); no == nil {
				value, err = Rewrite(value, f)
			}
		}
		if err != nil {
			return "", err
		}
		if a.key != "" {
			value = a.key + "=" + value
		}
		args = append(args, value)
	}
	whole := With(s.Name, args...)
	if i := strings.IndexAny(text, ":("); i >= 0 && text[i] == '(' {
		whole = Nested(whole)
	}
	return whole, nil
}

// Bytes parses a size such as 64M: a number and K, M or G, optionally followed by B or iB. A number without a letter is
// multiplied by bare, a number of bytes.
func Bytes(text string, bare int) (n int, ok bool) {
	t := strings.ToUpper(text)
	if b, found := strings.CutSuffix(t, "B"); found {
		t = strings.TrimSuffix(b, "I")
	}
	unit := uint64(bare)
	for i, letter := range []string{"K", "M", "G"} {
		if rest, found := strings.CutSuffix(t, letter); found {
			t, unit = rest, 1<<(10*(i+1))
		}
	}
	count, err := strconv.ParseUint(t, 10, 41)
	if err != nil || count == 0 || count > 1<<40/unit {
		return 0, false
	}
	return int(count * unit), true
}

// ByteCount is a number of bytes that a person sets, such as 64M. It is the value of a flag.
type ByteCount int

// Set reads a size such as 64M. A number without a unit is in bytes.
func (s *ByteCount) Set(text string) error {
	n, ok := Bytes(text, 1)
	if !ok {
		return errors.New("it must be a size up to 1024G, such as 64M")
	}
	*s = ByteCount(n)
	return nil
}

// String writes the size in the largest unit in which the size is an integer.
func (s *ByteCount) String() string {
	n, unit := int(*s), ""
	for _, u := range []string{"K", "M", "G"} {
		if n%1024 == 0 && n > 0 {
			n, unit = n/1024, u
		}
	}
	return strconv.Itoa(n) + unit
}

// Type returns SIZE, the placeholder that help shows for the value of the flag.
func (s *ByteCount) Type() string { return "SIZE" }
