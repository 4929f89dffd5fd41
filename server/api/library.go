// SPDX-License-Identifier: Apache-2.0

package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/krow-lab/krow/app/export"
	"github.com/krow-lab/krow/app/gamefile"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/notation/tree"
)

// maxTree bounds the moves of a tree that the page shows, and maxLibrary a library that is sent.
const (
	maxTree    = 20_000
	maxLibrary = 2 << 20
)

// maxComment is how many letters a comment of a move has at most.
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

// takesTree describes the body of an operation as the Branch that readTree reads. The library would make a value of every item
// and an error of every mistake before it looks at any.
func (s *Server) takesTree(path string) {
	o := s.api.OpenAPI()
	o.Paths[path].Post.RequestBody.Content = map[string]*huma.MediaType{
		"application/json": {Schema: o.Components.Schemas.Schema(reflect.TypeFor[Branch](), true, "Branch")},
	}
}

// readTree reads a Branch, whose size is known before any of it is made.
func readTree(g game.Game, body []byte) (*tree.Node, error) {
	switch {
	case count(body, "{") > maxTree+1:
		return nil, largeLibrary.with(fmt.Sprintf("a tree has up to %d moves", maxTree), "")
	case count(body, ",[{") > 6*(maxTree+1):
		return nil, badRequest.with("there are more values than a tree of moves has", "body")
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	var root Branch
	err := d.Decode(&root)
	if err == nil {
		if _, err = d.Token(); err == io.EOF {
			return root.node(g)
		}
		return nil, badBody.with("there is more than one value", "body")
	}
	if _, cut := errors.AsType[*json.SyntaxError](err); cut || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, badBody.wrap(err, "body")
	}
	return nil, badRequest.wrap(err, "body")
}

// node returns a branch as a node of a tree, without its own move.
func (b *Branch) node(g game.Game) (*tree.Node, error) {
	switch {
	case b.Next == nil:
		return nil, badRequest.with("a list of next moves is required", "body")
	case utf8.RuneCountInString(b.Comment) > maxComment:
		return nil, badRequest.with(fmt.Sprintf("a comment has up to %d letters", maxComment), "body.comment")
	}
	n := &tree.Node{Comment: b.Comment}
	for i := range b.Next {
		c, err := b.Next[i].node(g)
		if err != nil {
			return nil, err
		}
		if c.Move, err = g.Parse(b.Next[i].Move); err != nil {
			return nil, badMove.wrap(err, b.Next[i].Move)
		}
		n.Next = append(n.Next, c)
	}
	return n, nil
}

type libraryInput struct {
	Game    string `query:"game" required:"true" maxLength:"100"`
	RawBody []byte
}

// library writes a tree as a library of RenLib.
func (s *Server) library(ctx context.Context, in *libraryInput) (*exportOutput, error) {
	g, err := gameOf(in.Game)
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
		return nil, noFile.wrap(err, "RenLib")
	}
	return &exportOutput{"application/octet-stream", `attachment; filename="game.lib"`, data}, nil
}

type pageInput struct {
	Game  string `query:"game" required:"true" maxLength:"100"`
	Start string `query:"start" maxLength:"8000" doc:"position that was set up, as links have it; empty for the start of the game"`

	RawBody []byte
}

// htmlPage writes a tree as an HTML file that needs no server.
func (s *Server) htmlPage(ctx context.Context, in *pageInput) (*exportOutput, error) {
	b, err := position(in.Game, in.Start, "")
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
		return nil, noFile.wrap(err, "HTML")
	}
	return &exportOutput{"text/html; charset=utf-8", `attachment; filename="game.html"`, data}, nil
}

type readLibraryInput struct {
	RawBody []byte
}

// ReadLibrary is a library of RenLib as a tree.
type ReadLibrary struct {
	Imported
	Tree Branch `json:"tree"`
	Cut  int    `json:"cut" doc:"moves that the rules refuse, with what follows them"`
}

func (s *Server) readLibrary(ctx context.Context, in *readLibraryInput) (out ReadLibrary, err error) {
	games, err := gamefile.Read(in.RawBody, "renlib", gamefile.Options{Open: gameOf})
	if err != nil {
		return out, badText.wrap(err, "")
	}
	g := games[0]
	if n := g.Tree.Count(); n > maxTree {
		return out, largeLibrary.with(fmt.Sprintf("it has %d moves, and the page shows up to %d; krow convert reads all of it", n, maxTree), "")
	}
	rules := g.Position.Game()
	out.Game, out.Moves = rules.String(), notation.MoveNames(rules, g.Position.AppendHistory(nil))
	out.Tree, out.Cut = branchOf(rules, g.Tree), g.Cut
	return out, nil
}
