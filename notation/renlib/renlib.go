// SPDX-License-Identifier: Apache-2.0

// Package renlib reads and writes libraries of the program RenLib. A library is a tree of moves on a board of 15 x 15 with
// comments and marks. docs/reference/formats/renlib.md describes the bytes.
//
// # Basics
//
//	root, err := renlib.Parse(data)
//	data, err = renlib.Append(nil, root)
//
// # Format
//
//	header  FF "RenLib" FF, two bytes of version (3 and 0 to 4), ten bytes FF; older libraries, which begin with h8, have no header
//	nodes   in depth first order, a sibling after the whole subtree of the previous one:
//	        cell    16*(row from the top) + column from the left, both from 0, plus 1; 0 for the root or a pass
//	        flags   80 a sibling follows later, 40 nothing follows the move, 20 old comment, 10 mark, 08 comment,
//	                04 start, 02 no move, 01 two more bytes of flags, in the second of which 01 means a word on the board
//	        then the comment and the word, each ended by 00 and filled up to an even length
//
// # Caveats
//
// A pass in a library is an error, because no game of krow has passes. A comment is read as UTF-8, or as ISO 8859-1 if it is
// not valid UTF-8. A comment is written as ISO 8859-1 if this encoding has all characters of the comment and if the bytes would
// not be read as UTF-8; otherwise the comment is written as UTF-8.
//
// CITE: RenLib, https://github.com/gomoku/RenLib, the classes LibraryFile, MoveNode and RenLibDoc.
package renlib

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/tree"
)

const (
	side       = 15
	headerSize = 20
	major      = 3
	minor      = 4
)

// The flags of a node.
const (
	hasSibling = 0x80
	isLeaf     = 0x40
	oldComment = 0x20
	mark       = 0x10
	comment    = 0x08
	noMove     = 0x02
	extended   = 0x01

	boardText = 0x01 // a flag in the second of the two extension bytes
)

var magic = []byte("\xffRenLib\xff")

// centre is the byte that stands for the cell h8. A library without a header begins with this byte.
const centre = 0x78

// lines is the byte that separates the first line of a comment from the following lines. RenLib shows the first line
// separately.
const lines = "\b"

// Is reports whether data begins with the header of a library.
func Is(data []byte) bool { return bytes.HasPrefix(data, magic) }

// Parse reads a library. Its error contains the position of the damage in the file, and no line break.
func Parse(data []byte) (*tree.Node, error) {
	r := reader{data: data}
	switch {
	case Is(data):
		if len(data) < headerSize {
			return nil, errors.New("the library is truncated in its header")
		}
		if v := int(data[8])*100 + int(data[9]); v > major*100+minor {
			return nil, fmt.Errorf("the library has version %d.%d of RenLib; this krow reads versions up to %d.%d", data[8], data[9], major, minor)
		}
		r.at = headerSize
	case len(data) < 2 || data[0] != centre:
		return nil, errors.New("not a RenLib library")
	}
	root := &tree.Node{}
	if err := r.nodes(root); err != nil {
		return nil, fmt.Errorf("byte %d: %w", r.at, err)
	}
	return root, nil
}

type reader struct {
	data []byte
	at   int
}

var errShort = errors.New("the library is truncated")

func (r *reader) pair() (a, b byte, err error) {
	if r.at+2 > len(r.data) {
		return 0, 0, errShort
	}
	a, b = r.data[r.at], r.data[r.at+1]
	r.at += 2
	return a, b, nil
}

// place describes where the next node is added to the tree. The field below is the parent of the next node, and depth is the
// number of moves from the root to this parent.
type place struct {
	below *tree.Node
	depth int
}

// nodes reads all nodes and adds them to root. Its variable path contains the moves from the root to the last node. A move to
// a cell that is occupied after these moves is an error.
func (r *reader) nodes(root *tree.Node) error {
	var open []place // a place for each node whose next sibling comes later in the file: the sibling is added there
	at := place{below: root}
	var path []game.Move
	taken := [side * side]bool{}
	first, ended := true, false
	awaited := false // whether the next node must be a sibling
	for r.at < len(r.data) {
		if ended {
			return errors.New("unexpected bytes after the last move")
		}
		cell, flags, err := r.pair()
		if err != nil {
			return err
		}
		var more byte
		if flags&extended != 0 {
			if _, more, err = r.pair(); err != nil {
				return err
			}
		}
		n := root
		switch {
		case first && cell == 0:
			if flags&hasSibling != 0 {
				return errors.New("the root has a sibling")
			}
		case flags&noMove != 0 || cell == 0:
			return errors.New("the library contains a pass, which krow's games do not have")
		default:
			m, ok := moveOf(cell)
			if !ok {
				return fmt.Errorf("%d is not a cell of a board of 15 x 15", cell)
			}
			for len(path) > at.depth {
				taken[path[len(path)-1]] = false
				path = path[:len(path)-1]
			}
			if taken[m] {
				return fmt.Errorf("a second stone on %s", game.FormatCell(int(m), side))
			}
			if flags&hasSibling != 0 {
				open = append(open, at)
			}
			if n = at.below.Child(m); n == nil {
				n = &tree.Node{Move: m}
				at.below.Next = append(at.below.Next, n)
			}
			taken[m] = true
			path = append(path, m)
			at = place{below: n, depth: len(path)}
		}
		first, awaited = false, false
		n.Mark = n.Mark || flags&mark != 0
		switch {
		case flags&comment != 0:
			n.Comment, err = r.text()
		case flags&oldComment != 0:
			n.Comment, err = r.oldText()
		}
		if err == nil && more&boardText != 0 {
			n.Label, err = r.text()
		}
		if err != nil {
			return err
		}
		if flags&isLeaf != 0 && n != root {
			if len(open) == 0 {
				ended = true
				continue
			}
			at = open[len(open)-1]
			open = open[:len(open)-1]
			awaited = true
		}
	}
	if awaited || len(open) > 0 {
		return errShort
	}
	return nil
}

// moveOf returns the move to the cell that a byte of a library stands for. The bytes count the cells from the upper left. It
// returns false if the byte does not stand for a cell.
func moveOf(cell byte) (game.Move, bool) {
	x, y := int(cell&15)-1, int(cell>>4)
	return game.Move((side-1-y)*side + x), x >= 0 && y < side
}

func cellOf(m game.Move) byte {
	return byte((side-1-int(m)/side)<<4 | int(m)%side + 1)
}

// text reads a text that ends with a zero byte. If the number of bytes, including the zero byte, is odd, it also reads a
// padding byte.
func (r *reader) text() (string, error) {
	end := bytes.IndexByte(r.data[r.at:], 0)
	if end < 0 {
		return "", errShort
	}
	s := r.data[r.at : r.at+end]
	if r.at += end + 1; end%2 == 0 {
		r.at++
	}
	if r.at > len(r.data) {
		return "", errShort
	}
	return decode(s), nil
}

// oldText reads a text of the old format, in which the last character has its highest bit set. It clears that bit.
func (r *reader) oldText() (string, error) {
	start := r.at
	for i := start; i < len(r.data); i++ {
		if r.data[i]&0x80 == 0 {
			continue
		}
		s := append(slices.Clone(r.data[start:i]), r.data[i]&0x7f)
		if r.at = i + 1; len(s)%2 != 0 {
			r.at++
		}
		if r.at > len(r.data) {
			return "", errShort
		}
		return decode(s), nil
	}
	return "", errShort
}

// readable replaces characters that krow does not use in texts. Zero bytes, which comments of old versions contain, become
// spaces, and every kind of line break becomes a line feed.
var readable = strings.NewReplacer("\x00", " ", "\r\n", "\n", "\r", "\n", lines, "\n")

// decode returns a text of RenLib as UTF-8 with line feeds. The byte after the first line (see the constant lines) also
// becomes a line feed.
func decode(s []byte) string {
	if !utf8.Valid(s) {
		s, _ = charmap.ISO8859_1.NewDecoder().Bytes(s) // ISO 8859-1 has a character for each byte, so there is no error
	}
	return readable.Replace(string(s))
}

// encode returns the bytes of a text for RenLib. The encoding is usually ISO 8859-1. It is UTF-8 if ISO 8859-1 lacks a
// character of the text, or if decode would take the bytes in ISO 8859-1 for UTF-8.
func encode(text string) []byte {
	text = strings.NewReplacer("\x00", " ", lines, " ", "\r\n", "\n", "\r", "\n").Replace(text)
	if first, rest, ok := strings.Cut(text, "\n"); ok {
		text = first + lines + strings.ReplaceAll(rest, "\n", "\r\n")
	}
	latin, err := charmap.ISO8859_1.NewEncoder().String(text)
	if err != nil || utf8.ValidString(latin) && latin != text {
		return []byte(text)
	}
	return []byte(latin)
}

// Append appends the library that contains the tree at root. It returns an error if the tree has no moves, or a move that is no
// cell of a board of 15 x 15.
func Append(dst []byte, root *tree.Node) ([]byte, error) {
	if len(root.Next) == 0 && root.Comment == "" {
		return dst, errors.New("renlib: the tree has no moves")
	}
	dst = append(dst, magic...)
	dst = append(dst, major, minor)
	dst = append(dst, bytes.Repeat([]byte{0xff}, headerSize-len(magic)-2)...)
	dst = appendNode(dst, 0, 0, root)
	stack := [][]*tree.Node{root.Next} // for each depth, the siblings not yet written
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if len(*top) == 0 {
			stack = stack[:len(stack)-1]
			continue
		}
		n := (*top)[0]
		*top = (*top)[1:]
		if n.Move < 0 || n.Move >= side*side {
			return dst, errors.New("renlib: a library must have a board of 15 x 15")
		}
		flags := byte(0)
		if len(*top) > 0 {
			flags |= hasSibling
		}
		if len(n.Next) == 0 {
			flags |= isLeaf
		}
		dst = appendNode(dst, cellOf(n.Move), flags, n)
		stack = append(stack, n.Next)
	}
	return dst, nil
}

func appendNode(dst []byte, cell, flags byte, n *tree.Node) []byte {
	if n.Mark {
		flags |= mark
	}
	if n.Comment != "" {
		flags |= comment
	}
	if n.Label != "" {
		flags |= extended
	}
	dst = append(dst, cell, flags)
	if n.Label != "" {
		dst = append(dst, 0, boardText)
	}
	if n.Comment != "" {
		dst = appendText(dst, n.Comment)
	}
	if n.Label != "" {
		dst = appendText(dst, n.Label)
	}
	return dst
}

func appendText(dst []byte, text string) []byte {
	s := encode(text)
	dst = append(append(dst, s...), 0)
	if len(s)%2 == 0 {
		dst = append(dst, 0)
	}
	return dst
}
