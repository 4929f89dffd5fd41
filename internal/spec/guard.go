// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
)

// Trust distinguishes specs of the person who runs krow from specs of other people.
type Trust uint8

const (
	// Trusted specs come from the person who runs krow.
	Trusted Trust = iota
	// Untrusted specs come from somebody else, such as a member of a server. In such a spec, Read refuses arguments that may
	// read a file, start a program, or take much memory or many threads. It also refuses numbers above 999999.
	Untrusted
)

// untrustedMost is the greatest number in an untrusted spec.
const untrustedMost = 999_999

// By sets whether the author of the spec is trusted, and returns the spec. Parse returns a trusted spec.
func (s *Spec) By(t Trust) *Spec {
	s.trust = t
	return s
}

// Default sets the value of an argument if the spec does not give it. It must be called before Read. If no option declares the
// key, Read ignores the value.
func (s *Spec) Default(key, value string) {
	if _, given := s.Raw(key); !given {
		s.args = append(s.args, arg{key: key, value: value, optional: true})
	}
}

// inputs is the directory of the files that an untrusted spec may name. Such a name begins with a hash of the file:
// @0123456789abcdef0123456789abcdef/my.net.
var inputs atomic.Pointer[string]

// Inputs sets the directory of the files that an untrusted spec may name. A worker stores there the files that it has received
// from another machine. Other processes have no such directory.
func Inputs(dir string) { inputs.Store(&dir) }

// InputName matches the name, without the @, of a file in the directory of Inputs.
var InputName = regexp.MustCompile(`^[0-9a-f]{32}/[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$`)

// Input returns the path of a file in the directory of Inputs, if text is the name of such a file. Otherwise ok is false.
func Input(text string) (path string, ok bool) {
	dir := inputs.Load()
	name, ok := strings.CutPrefix(text, "@")
	if dir == nil || !ok || !InputName.MatchString(name) {
		return "", false
	}
	return filepath.Join(*dir, filepath.FromSlash(name)), true
}
