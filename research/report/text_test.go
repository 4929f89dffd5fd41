// SPDX-License-Identifier: Apache-2.0

package report

import (
	"regexp"
	"strings"
	"testing"
)

func TestInlineMarkup(t *testing.T) {
	tests := []struct{ text, markdown string }{
		{"plain", "plain"},
		{"a `b*c*` d", "a `b*c*` d"},
		{"*all* of *it all*", "*all* of *it all*"},
		{"2 * 3 * 4", `2 \* 3 \* 4`},
		{"[a](b.md#c)", `\[a\](b.md#c)`},
		{"[a](javascript:x)", `\[a\](javascript:x)`},
		{`[a](x"onload=y)`, `\[a\](x"onload=y)`},
		{"<script>&amp;", `\<script\>\&amp;`},
		{"`<b>&`", "`<b>&`"},
		{"a|b_c $x$ ~~y~~ \\", `a\|b\_c \$x\$ \~\~y\~\~ \\`},
		{"# no heading", `\# no heading`},
		{"- no item", `\- no item`},
		{"12. no item", `12\. no item`},
		{"12.5 is fine - so", `12\.5 is fine - so`},
		{"two\n# lines", "two # lines"},
		{"\x00 \xff", "\x00 \ufffd"},
	}
	for _, tc := range tests {
		if got := toMarkdown(tc.text); got != tc.markdown {
			t.Errorf("Markdown of %q: %s, want %s", tc.text, got, tc.markdown)
		}
	}
}

var unescaped = regexp.MustCompile(`\\(.)`)

// Without its escapes Markdown is the plain text.
func FuzzInline(f *testing.F) {
	for _, s := range []string{"a `b` *c* [d](e)", "<i>*`[x](y)`*</i>", "[a](JavaScript:1)", "*`a*`", "[`a`](b)", "\\`", "**", "]("} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range spans(text) {
			md := escapeStart(escapeMarkdown(s.text))
			if back := unescaped.ReplaceAllString(md, "$1"); back != s.text {
				t.Errorf("%q became %q", s.text, md)
			}
			if left := unescaped.ReplaceAllString(md, ""); strings.ContainsAny(left, "`*_[]<>&|~$") {
				t.Errorf("%q is not escaped in %q", s.text, md)
			}
		}
	})
}
