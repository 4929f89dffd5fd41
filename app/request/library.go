// SPDX-License-Identifier: Apache-2.0

package request

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/krow-lab/krow/app/export"
	"github.com/krow-lab/krow/app/gamefile"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/notation/tree"
)

// maxTree is the maximum number of moves of a tree that the page sends or receives. MaxLibrary is the maximum size of a library
// in a request, in bytes.
const (
	maxTree    = 20_000
	MaxLibrary = 2 << 20
)

// maxComment is the maximum number of letters in a comment of a move.
const maxComment = 4000

// Branch is a move of a tree with its comment. The root has no move.
type Branch struct {
	Move    string   `json:"move" maxLength:"8"`
	Comment string   `json:"comment,omitempty" maxLength:"4000"`
	Next    []Branch `json:"next" nullable:"false"`
}

func branchOf(g game.Game, n *tree.Node) Branch {
	b := Branch{Comment: n.Comment, Next: []Branch{}}
	if n.Label != "" || n.Mark {
		mark := n.Label
		if n.Mark {
			mark += "*"
		}
		b.Comment = joined(mark, b.Comment)
	}
	for _, c := range n.Next {
		next := branchOf(g, c)
		next.Move = g.Format(c.Move)
		b.Next = append(b.Next, next)
	}
	return b
}

func joined(mark, comment string) string {
	if comment == "" {
		return mark
	}
	return mark + " " + comment
}

// readTree reads a Branch from JSON as a tree. It checks the number of moves before it allocates memory for them.
func readTree(g game.Game, body []byte) (*tree.Node, error) {
	switch {
	case Count(body, "{") > maxTree+1:
		return nil, fault.About("large-library", "", fmt.Errorf("a tree can have at most %d moves", maxTree))
	case Count(body, ",[{") > 6*(maxTree+1):
		return nil, fault.About("bad-request", "body", errors.New("the JSON has more values than a tree of moves can have"))
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	var root Branch
	err := d.Decode(&root)
	if err == nil {
		if _, err = d.Token(); err == io.EOF {
			return root.node(g)
		}
		return nil, fault.About("bad-body", "body", errors.New("the text contains more than one JSON value"))
	}
	if _, cut := errors.AsType[*json.SyntaxError](err); cut || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, wrong("bad-body", "body", err)
	}
	return nil, wrong("bad-request", "body", err)
}

// node returns b as a node of a tree. The caller sets the node's move.
func (b *Branch) node(g game.Game) (*tree.Node, error) {
	switch {
	case b.Next == nil:
		return nil, fault.About("bad-request", "body", errors.New("a list of next moves is required"))
	case utf8.RuneCountInString(b.Comment) > maxComment:
		return nil, fault.About("bad-request", "body.comment", fmt.Errorf("a comment can have at most %d letters", maxComment))
	}
	n := &tree.Node{Comment: b.Comment}
	for i := range b.Next {
		c, err := b.Next[i].node(g)
		if err != nil {
			return nil, err
		}
		if c.Move, err = g.Parse(b.Next[i].Move); err != nil {
			return nil, wrong("bad-move", b.Next[i].Move, err)
		}
		n.Next = append(n.Next, c)
	}
	return n, nil
}

// LibraryInput is a request to convert a tree of moves to a RenLib library.
type LibraryInput struct {
	Game    string `query:"game" required:"true" maxLength:"100"`
	RawBody []byte
}

// Library converts a tree of moves to a RenLib library.
func Library(_ context.Context, in *LibraryInput) (*File, error) {
	g, err := GameOf(in.Game)
	if err != nil {
		return nil, err
	}
	root, err := readTree(g, in.RawBody)
	if err != nil {
		return nil, err
	}
	tree.Legal(g.Start(), root)
	file := gamefile.New(g.Start().(game.Board), [2]string{})
	file.Tree = root
	data, err := gamefile.Write("renlib", []gamefile.Game{file})
	if err != nil {
		return nil, wrong("no-file", "RenLib", err)
	}
	return &File{"application/octet-stream", `attachment; filename="game.lib"`, data}, nil
}

// HTMLInput is a request to convert a tree of moves, which starts at a position, to an HTML file.
type HTMLInput struct {
	Game  string `query:"game" required:"true" maxLength:"100"`
	Start string `query:"start" maxLength:"8000" doc:"position that was set up, as links have it; empty for the start of the game"`

	RawBody []byte
}

// HTML writes a tree as an HTML file that needs no server.
func HTML(_ context.Context, in *HTMLInput) (*File, error) {
	b, err := PositionOf(in.Game, in.Start, "")
	if err != nil {
		return nil, err
	}
	root, err := readTree(b.Game(), in.RawBody)
	if err != nil {
		return nil, err
	}
	tree.Legal(b, root)
	file := gamefile.New(b, [2]string{})
	file.Tree = root
	data, err := export.Write([]gamefile.Game{file})
	if err != nil {
		return nil, wrong("no-file", "HTML", err)
	}
	return &File{"text/html; charset=utf-8", `attachment; filename="game.html"`, data}, nil
}

// ReadLibraryInput is a request to read the tree in a RenLib file.
type ReadLibraryInput struct {
	Game    string `query:"game" maxLength:"100" doc:"spec of the game, which the file does not name; renju by default"`
	RawBody []byte
}

// LibraryTree is a RenLib library in the form of a tree.
type LibraryTree struct {
	Imported
	Tree Branch `json:"tree"`
	Cut  int    `json:"cut" doc:"number of moves that were removed because the rules do not allow them, including the moves after them"`
}

// ReadLibrary reads a RenLib library.
func ReadLibrary(_ context.Context, in *ReadLibraryInput) (out LibraryTree, err error) {
	games, err := gamefile.Read(in.RawBody, "renlib", gamefile.Options{Game: in.Game, Open: GameOf})
	if err != nil {
		return out, wrong("bad-text", "", err)
	}
	g := games[0]
	if n := g.Tree.Count(); n > maxTree {
		return out, fault.About("large-library", "", fmt.Errorf("the file has %d moves, but the page shows at most %d; krow convert reads the whole file", n, maxTree))
	}
	rules := g.Position.Game()
	out.Game, out.Moves = rules.String(), notation.MoveNames(rules, g.Position.AppendHistory(nil))
	out.Tree, out.Cut = branchOf(rules, g.Tree), g.Cut
	return out, nil
}

// Count counts the bytes of a JSON text that lie outside of strings and belong to a given set of bytes (of). It allocates no
// memory.
func Count(data []byte, of string) (n int) {
	inside, escaped := false, false
	for _, c := range data {
		switch {
		case escaped:
			escaped = false
		case inside:
			inside, escaped = c != '"', c == '\\'
		case c == '"':
			inside = true
		case strings.IndexByte(of, c) >= 0:
			n++
		}
	}
	return n
}
