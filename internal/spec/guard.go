// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
)

// guardedMost is the greatest number in a guarded spec.
const guardedMost = 999_999

// Guard makes s a spec of a stranger, such as one in a request, and returns it. Its getters refuse what may read a
// file, start a program, or take much memory or many threads: String, Size, Threads, and numbers beyond 999999.
func (s *Spec) Guard() *Spec {
	s.guarded = true
	return s
}

// Inner returns an argument that is a spec of its own, and whether it must be guarded too.
func (s *Spec) Inner(key string, pos int, def string) (text string, guarded bool) {
	s.note(Option{Key: key, Kind: "spec", Default: def})
	if v, ok := s.lookup(key, pos); ok {
		return v, s.guarded
	}
	return def, false
}

// Threads returns how many threads or jobs there shall be, at least so many, which is the default. A guarded spec
// has no such argument.
func (s *Spec) Threads(key string, least, most int) int {
	if s.refuses(key, -1) {
		return least
	}
	return s.Int(key, -1, least, least, most)
}

// Default gives an argument that the spec does not give, by its key. It is no error if no getter asks for it.
func (s *Spec) Default(key, value string) {
	if !s.Has(key) {
		s.args = append(s.args, arg{key: key, value: value, optional: true})
	}
}

// inputs is the directory of the files that a guarded spec may name, by their hash: @0123456789abcdef0123456789abcdef/my.net.
var inputs atomic.Pointer[string]

// Inputs tells this directory. Who does the work of another machine gets its files there; otherwise there is none.
func Inputs(dir string) { inputs.Store(&dir) }

// InputName matches the name of such a file, without the @.
var InputName = regexp.MustCompile(`^[0-9a-f]{32}/[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$`)

// Path returns an argument that names a file to be read. A guarded spec can name one of Inputs alone.
func (s *Spec) Path(key string, pos int, def string) string {
	if !s.guarded {
		return s.String(key, pos, def)
	}
	v, given := s.lookup(key, pos)
	name, ok := Input(v)
	if given && !ok {
		s.refuse(key)
	}
	if ok {
		return name
	}
	return def
}

// Input returns the path of the file of Inputs that text names, and whether it names one.
func Input(text string) (path string, ok bool) {
	dir := inputs.Load()
	name, ok := strings.CutPrefix(text, "@")
	if dir == nil || !ok || !InputName.MatchString(name) {
		return "", false
	}
	return filepath.Join(*dir, filepath.FromSlash(name)), true
}

// File returns the argument of that key, which is one of these words or names a file. A guarded spec can have the words alone.
func (s *Spec) File(key, def string, words ...string) string {
	word := func(a arg) bool { return a.key == key && slices.Contains(words, a.value) }
	if !slices.ContainsFunc(s.args, word) {
		return s.Path(key, -1, def)
	}
	s.note(Option{Key: key, Kind: "choice", Default: def, Words: words})
	v, _ := s.lookup(key, -1)
	return v
}

// refuses says whether s is guarded; then it is an error if the argument is given.
func (s *Spec) refuses(key string, pos int) bool {
	if !s.guarded {
		return false
	}
	if _, ok := s.lookup(key, pos); ok {
		s.refuse(key)
	}
	return true
}

func (s *Spec) refuse(key string) { s.fail("", "%s: %s cannot be asked for here", s.Name, key) }

// most is the greatest number of an argument that may be as great as hi.
func (s *Spec) most(hi int) int {
	if s.guarded {
		return min(hi, guardedMost)
	}
	return hi
}

// bound refuses a number that is too great for a guarded spec.
func (s *Spec) bound(key string, n uint64) {
	if s.guarded && n > guardedMost {
		s.fail("", "%s: %s can be at most %d here, not %d", s.Name, key, guardedMost, n)
	}
}

// Option is an argument that a getter asked for: what a form needs to offer it.
type Option struct {
	Key string `json:"key"`
	// Kind is number, whole, switch, choice, sides (of a board, such as 20x15), time, spec or text.
	Kind    string   `json:"kind" enum:"number,whole,switch,choice,sides,time,spec,text"`
	Default string   `json:"default"`
	Low     float64  `json:"low" doc:"of numbers and sides: the least"`
	High    float64  `json:"high" doc:"of numbers and sides: the greatest"`
	Words   []string `json:"words,omitempty" doc:"of a choice"`
	About   string   `json:"about,omitempty" doc:"what it means, in a sentence"`
}

// Options returns what the getters have asked for so far, in order, each key once. A guarded spec has nothing that it would
// refuse.
func (s *Spec) Options() []Option { return s.options }

// note keeps an option that a getter asks for. Of a key that is asked for again, the first account stays.
func (s *Spec) note(o Option) {
	for _, old := range s.options {
		if old.Key == o.Key {
			return
		}
	}
	s.options = append(s.options, o)
}

// Sides tells that a text argument which was asked for is the size of a board, each side of it from lo to hi.
func (s *Spec) Sides(key string, lo, hi int) {
	for i := range s.options {
		if s.options[i].Key == key {
			s.options[i].Kind, s.options[i].Low, s.options[i].High = "sides", float64(lo), float64(hi)
		}
	}
}
