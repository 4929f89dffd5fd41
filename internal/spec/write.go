// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"strconv"
	"strings"
)

// With returns a spec with more arguments: With("mcts", "sims=100") is "mcts:sims=100". It does not look
// whether the spec has one of them already; Parse does.
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
	if i == len(text)-1 { // "mcts:" or "mcts()"
		return text + more
	}
	return text + "," + more
}

// Nested writes the spec NAME:ARGS as NAME(ARGS), which can stand inside another.
func Nested(text string) string {
	if i := strings.IndexAny(text, ":("); i >= 0 && text[i] == ':' {
		return text[:i] + "(" + text[i+1:] + ")"
	}
	return text
}

// Rewrite returns a spec with other values of its arguments, and of the arguments of the specs in it. f returns the
// value that takes the place of an argument of the spec name; key is empty for a positional one. If f leaves a value unchanged,
// Rewrite also visits the arguments of the specs in it.
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

// Bytes reads a size such as 64M: a number and K, M or G, with a B or iB behind the letter or not. A number
// alone counts units of bare bytes. ok is false for anything else, for 0, and for more than 1024G.
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
