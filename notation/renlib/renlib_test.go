// SPDX-License-Identifier: Apache-2.0

package renlib_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/renlib"
	"github.com/krow-lab/krow/notation/tree"
)

const header = "\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"

// told writes a tree on one line: moves, marks, comments, and what follows in parentheses.
func told(n *tree.Node) string {
	var b strings.Builder
	tell(&b, n)
	return b.String()
}

func tell(b *strings.Builder, n *tree.Node) {
	if n.Mark {
		b.WriteString("*")
	}
	if n.Comment != "" || n.Label != "" {
		fmt.Fprintf(b, "{%s|%s}", n.Comment, n.Label)
	}
	for _, c := range n.Next {
		b.WriteString(" (" + game.FormatCell(int(c.Move), 15))
		tell(b, c)
		b.WriteString(")")
	}
}

func TestParse(t *testing.T) {
	tests := []struct{ name, data, want string }{
		{"a line", header + "\x00\x00\x78\x00\x68\x00\x69\x40", " (h8 (h9 (i9)))"},
		{"variations", header + "\x00\x00\x78\x00\x68\x80\x69\x40\x69\x00\x6a\x40", " (h8 (h9 (i9)) (i9 (j9)))"},
		{"siblings deep down", header + "\x00\x00\x78\x80\x68\x80\x69\x40\x69\x40\x11\x40", " (h8 (h9 (i9)) (i9)) (a14)"},
		{"a mark, a comment and a word", header + "\x00\x08root\x00\x00\x78\x19\x00\x01one\b two\x00\x00\x41\x00\x68\x40", "{root|} (h8*{one\n two|A} (h9))"},
		{"ISO 8859-1", header + "\x00\x00\x78\x48\xe9t\xe9\x00", " (h8{été|})"},
		{"UTF-8", header + "\x00\x00\x78\x48五\x00", " (h8{五|})"},
		{"an old comment", header + "\x78\x60ab\xe3\x00", " (h8{abc|})"},
		{"no header", "\x78\x00\x68\x40", " (h8 (h9))"},
		{"nothing in it", header + "\x00\x00", ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			root, err := renlib.Parse([]byte(tc.data))
			if err != nil {
				t.Fatal(err)
			}
			if got := told(root); got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}

func TestDamagedLibraryIsRefused(t *testing.T) {
	tests := []struct{ name, data, want string }{
		{"another file", "PK\x03\x04", "not a RenLib library"},
		{"nothing", "", "not a RenLib library"},
		{"a short header", header[:15], "the library is truncated in its header"},
		{"a newer version", strings.Replace(header, "\x03\x04", "\x03\x05", 1), "the library has version 3.5 of RenLib; this krow reads versions up to 3.4"},
		{"half a node", header + "\x00\x00\x78", "byte 22: the library is truncated"},
		{"a sibling that does not come", header + "\x00\x00\x78\x80\x68\x40", "byte 26: the library is truncated"},
		{"bytes behind", header + "\x00\x00\x78\x40\x68\x40", "byte 24: unexpected bytes after the last move"},
		{"a column", header + "\x00\x00\x70\x40", "byte 24: 112 is not a cell of a board of 15 x 15"},
		{"a row", header + "\x00\x00\xf8\x40", "byte 24: 248 is not a cell of a board of 15 x 15"},
		{"a stone twice", header + "\x00\x00\x78\x00\x68\x00\x78\x40", "byte 28: a second stone on h8"},
		{"a pass", header + "\x00\x00\x78\x00\x00\x40", "byte 26: the library contains a pass, which krow's games do not have"},
		{"a comment without an end", header + "\x00\x00\x78\x48abc", "byte 24: the library is truncated"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := renlib.Parse([]byte(tc.data)); err == nil || !strings.HasPrefix(err.Error(), tc.want) {
				t.Errorf("%v, want %s", err, tc.want)
			}
		})
	}
	if _, err := renlib.Append(nil, &tree.Node{}); err == nil {
		t.Error("a library without moves was written")
	}
	if _, err := renlib.Append(nil, &tree.Node{Next: []*tree.Node{{Move: 225}}}); err == nil {
		t.Error("a move beyond 15 x 15 was written")
	}
}

// large returns a tree of so many moves with comments, words and marks.
func large(n int, seed uint64) *tree.Node {
	rng := rand.New(rand.NewPCG(seed, 1))
	root := &tree.Node{Comment: "the root"}
	for made := 0; made < n; {
		at := root
		used := [225]bool{}
		for depth := 0; depth < 5+rng.IntN(60) && made < n; depth++ {
			m := game.Move(rng.IntN(225))
			if len(at.Next) > 0 && rng.IntN(8) > 0 {
				m = at.Next[rng.IntN(len(at.Next))].Move
			}
			if used[m] {
				continue
			}
			used[m] = true
			next := at.Child(m)
			if next == nil {
				made++
				next = at.Add(m)
				next.Mark = rng.IntN(5) == 0
				if rng.IntN(4) == 0 {
					next.Comment = fmt.Sprintf("comment %d\nsecond line é", made)
				}
				if rng.IntN(6) == 0 {
					next.Label = string(rune('A' + rng.IntN(26)))
				}
			}
			at = next
		}
	}
	return root
}

// A library of 120,000 moves is read back as it was written.
func TestLargeLibraryIsReadBack(t *testing.T) {
	root := large(120_000, 7)
	data, err := renlib.Append(nil, root)
	if err != nil {
		t.Fatal(err)
	}
	back, err := renlib.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if back.Count() != 120_000 || told(back) != told(root) {
		t.Errorf("%d moves come back, or other ones", back.Count())
	}
	again, err := renlib.Append(nil, back)
	if err != nil || string(again) != string(data) {
		t.Errorf("written again the bytes differ, %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(header + "\x00\x08root\x00\x00\x78\x19\x00\x01one\b two\x00\x00\x41\x00\x68\x80\x69\x40\x69\x48\xe9\x00"))
	f.Add([]byte("\x78\x60ab\xe3\x00"))
	small, err := renlib.Append(nil, large(50, 1))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(small)
	f.Fuzz(func(t *testing.T, data []byte) {
		root, err := renlib.Parse(data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q", err)
			}
			return
		}
		written, err := renlib.Append(nil, root)
		if err != nil {
			return // it has no moves
		}
		back, err := renlib.Parse(written)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(told(root), told(back)); diff != "" {
			t.Error(diff)
		}
	})
}
