// SPDX-License-Identifier: Apache-2.0

package store

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// lookAlikes contains groups of lower-case letters that readers may confuse. In the result of the function skeleton, the first
// letter of a group replaces all letters of the group. Letters of other scripts are included because a name may consist of them
// alone.
//
// CITE: Davis and Suignard, Unicode Security Mechanisms, Unicode Technical Standard 39.
var lookAlikes = letters(
	"il1\u0131\u0269\u026a\u029f\u01c0\u0456\u04cf\u03b9", "o0\u1d0f\u043e\u03bf", "a\u0251\u1d00\u0430\u03b1", "b\u0299", "c\u1d04\u0441",
	"d\u1d05", "e\u1d07\u0435", "g\u0261\u0262", "h\u029c\u04bb", "j\u0237\u1d0a\u0458", "k\u0138\u1d0b\u043a\u03ba", "m\u1d0d\u043c", "n\u0274\u03b7",
	"p\u1d18\u0440\u03c1", "r\u0280", "s\ua731\u0455", "t\u1d1b\u0442\u03c4", "u\u1d1c\u03c5", "v\u1d20\u03bd", "w\u1d21", "x\u0445\u03c7", "y\u028f\u0443\u03b3", "z\u1d22",
)

func letters(groups ...string) *strings.Replacer {
	var pairs []string
	for _, g := range groups {
		first, others := g[:1], g[1:]
		for _, r := range others {
			pairs = append(pairs, string(r), first)
		}
	}
	return strings.NewReplacer(pairs...)
}

// lookAlike reports whether readers may confuse the two names.
func lookAlike(a, b string) bool { return skeleton(a) == skeleton(b) }

// skeleton returns the same text for names that look alike.
func skeleton(name string) string {
	name = strings.NewReplacer("\u0130", "I", " ", "").Replace(name) // U+0130 is a capital I with a dot
	return lookAlikes.Replace(strings.ToLower(norm.NFKC.String(name)))
}
