// SPDX-License-Identifier: Apache-2.0

// Package sgf reads and writes games in the Smart Game Format, version 4, with the game number 4 (gomoku and renju).
// docs/reference/formats/sgf.md lists the properties.
//
// # Basics
//
//	for g, err := range sgf.All(data) { ... } // main lines; an error names the damaged line, and the next game follows
//	data, err = sgf.Append(nil, g)
//
// # Caveats
//
// The parser checks the syntax of variations and of properties that are not fields of [Game], and then ignores them. Boards
// have at most 52 columns and rows, because the format names each column and each row by one letter. The package does not
// check whether moves are legal.
//
// CITE: Hollosi, SGF File Format FF[4], 1999.
package sgf

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/tree"
)

// MaxSide is the maximum number of columns or rows of a board: the format names each by a letter, of which there are 52.
const MaxSide = 52

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// Game is a game without variations. Black is the first side. The comment of a field begins with the SGF properties in which the
// field is stored.
type Game struct {
	Columns, Rows int       // SZ
	Rules         string    // RU; krow writes the spec of the game here
	Names         [2]string // PB, PW
	Result        string    // RE: B+, W+T, 0, ?, ...
	Event, Date   string    // EV, DT; a date begins with the year in four digits
	Setup         [2][]int  // AB, AW of the root; the indices are those in game.Board.Cells
	Turn          string    // PL of the root: "first", "second", or "" without the property
	Moves         []Move
}

// Move is a stone of one side.
type Move struct {
	Side game.Side
	Cell int
}

// Append appends the game as a tree without variations, and a line feed. It returns an error if the board is larger than
// MaxSide.
func Append(dst []byte, g Game) ([]byte, error) {
	if g.Columns > MaxSide || g.Rows > MaxSide {
		return dst, fmt.Errorf("sgf: a board of %d x %d is too large for its letters", g.Columns, g.Rows)
	}
	b := bytes.NewBuffer(dst)
	fmt.Fprintf(b, "(;FF[4]GM[4]CA[UTF-8]AP[krow]SZ[%s]", g.size())
	for _, p := range []struct{ id, value string }{
		{"RU", g.Rules}, {"PB", g.Names[0]}, {"PW", g.Names[1]}, {"RE", g.Result}, {"EV", g.Event}, {"DT", g.Date},
	} {
		if p.value != "" {
			fmt.Fprintf(b, "%s[%s]", p.id, escape(p.value))
		}
	}
	for side, cells := range g.Setup {
		if len(cells) > 0 {
			b.WriteString([2]string{"AB", "AW"}[side])
		}
		for _, c := range cells {
			fmt.Fprintf(b, "[%s]", g.point(c))
		}
	}
	if g.Turn != "" {
		fmt.Fprintf(b, "PL[%s]", map[string]string{"first": "B", "second": "W"}[g.Turn])
	}
	for i, m := range g.Moves {
		if i%10 == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, ";%c[%s]", "BW"[m.Side&1], g.point(m.Cell))
	}
	b.WriteString(")\n")
	return b.Bytes(), nil
}

// AppendTree appends the game like Append, but with the moves of the tree at root instead of g.Moves. It writes comments as C,
// labels as LB and marks as MA. The sides must move in turn, and each move must be equal to the index of its cell.
func AppendTree(dst []byte, g Game, root *tree.Node) ([]byte, error) {
	g.Moves = nil
	dst, err := Append(dst, g)
	if err != nil {
		return dst, err
	}
	b := bytes.NewBuffer(dst[:len(dst)-len(")\n")])
	g.writeNode(b, root)
	g.writeLine(b, root, game.First)
	b.WriteString(")\n")
	return b.Bytes(), nil
}

// writeLine writes the moves below a node. While a node has one child, the moves form one sequence; if it has several, each
// subtree is in parentheses.
func (g Game) writeLine(b *bytes.Buffer, n *tree.Node, side game.Side) {
	for len(n.Next) == 1 {
		n = n.Next[0]
		fmt.Fprintf(b, ";%c[%s]", "BW"[side], g.point(int(n.Move)))
		g.writeNode(b, n)
		side = side.Other()
	}
	for _, c := range n.Next {
		fmt.Fprintf(b, "\n(;%c[%s]", "BW"[side], g.point(int(c.Move)))
		g.writeNode(b, c)
		g.writeLine(b, c, side.Other())
		b.WriteByte(')')
	}
}

func (g Game) writeNode(b *bytes.Buffer, n *tree.Node) {
	if n.Comment != "" {
		fmt.Fprintf(b, "C[%s]", strings.NewReplacer(`\`, `\\`, "]", `\]`).Replace(n.Comment))
	}
	if n.Label != "" {
		fmt.Fprintf(b, "LB[%s:%s]", g.point(int(n.Move)), escape(n.Label))
	}
	if n.Mark {
		fmt.Fprintf(b, "MA[%s]", g.point(int(n.Move)))
	}
}

func (g Game) size() string {
	if g.Columns == g.Rows {
		return fmt.Sprint(g.Columns)
	}
	return fmt.Sprintf("%d:%d", g.Columns, g.Rows)
}

func (g Game) point(cell int) string {
	return string([]byte{letters[cell%g.Columns], letters[g.Rows-1-cell/g.Columns]})
}

func (g Game) cell(point string) (int, error) {
	if len(point) != 2 {
		return 0, fmt.Errorf("%q is not a point", point)
	}
	x, y := strings.IndexByte(letters, point[0]), strings.IndexByte(letters, point[1])
	if x < 0 || y < 0 || x >= g.Columns || y >= g.Rows {
		return 0, fmt.Errorf("%q is not a point of a board of %d x %d", point, g.Columns, g.Rows)
	}
	return x + (g.Rows-1-y)*g.Columns, nil
}

// escape returns a text in the form of a property's value: without line breaks, and with a backslash before each special
// character.
func escape(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.NewReplacer(`\`, `\\`, "]", `\]`).Replace(s)
}
