// SPDX-License-Identifier: Apache-2.0

package api

import (
	"bytes"
	"context"
	"encoding/json"
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

// Branch is a move of a tree, and what is said of it. The root has no move.
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

// treeReader reads a tree of moves. It stops at the first mistake, and where the tree has too many moves.
type treeReader struct {
	d    *json.Decoder
	g    game.Game
	left int // moves that it may still have
}

func readTree(g game.Game, body []byte) (*tree.Node, error) {
	r := treeReader{json.NewDecoder(bytes.NewReader(body)), g, maxTree}
	root, _, err := r.node()
	if err != nil {
		return nil, err
	}
	if _, err := r.d.Token(); err != io.EOF {
		return nil, badBody.with("there is more than one value", "body")
	}
	return root, nil
}

// node reads a Branch, and returns the name of its move.
func (r *treeReader) node() (n *tree.Node, move string, err error) {
	if err := r.expect(json.Delim('{'), "an object"); err != nil {
		return nil, "", err
	}
	n = &tree.Node{}
	has := map[string]bool{}
	for r.d.More() {
		key, err := r.text()
		if err != nil {
			return nil, "", err
		}
		has[key] = true
		switch key {
		case "move":
			move, err = r.text()
		case "comment":
			if n.Comment, err = r.text(); utf8.RuneCountInString(n.Comment) > maxComment {
				err = badRequest.with(fmt.Sprintf("a comment has up to %d letters", maxComment), "body.comment")
			}
		case "next":
			n.Next, err = r.nodes()
		default:
			err = badRequest.with("unexpected property", "body."+key)
		}
		if err != nil {
			return nil, "", err
		}
	}
	if err := r.expect(json.Delim('}'), "the end of an object"); err != nil {
		return nil, "", err
	}
	if !has["move"] || !has["next"] {
		return nil, "", badRequest.with("a move and its list of next moves are required", "body")
	}
	return n, move, nil
}

// nodes reads a list of Branch, each with a move of the game.
func (r *treeReader) nodes() (all []*tree.Node, err error) {
	if err := r.expect(json.Delim('['), "a list"); err != nil {
		return nil, err
	}
	for r.d.More() {
		if r.left--; r.left < 0 {
			return nil, largeLibrary.with(fmt.Sprintf("a tree has up to %d moves", maxTree), "")
		}
		n, move, err := r.node()
		if err != nil {
			return nil, err
		}
		if n.Move, err = r.g.Parse(move); err != nil {
			return nil, badMove.wrap(err, move)
		}
		all = append(all, n)
	}
	return all, r.expect(json.Delim(']'), "the end of a list")
}

func (r *treeReader) expect(want json.Delim, name string) error {
	t, err := r.token()
	if err == nil && t != want {
		err = badRequest.with("expected "+name, "body")
	}
	return err
}

func (r *treeReader) text() (string, error) {
	t, err := r.token()
	text, ok := t.(string)
	if err == nil && !ok {
		err = badRequest.with("expected a text", "body")
	}
	return text, err
}

func (r *treeReader) token() (json.Token, error) {
	t, err := r.d.Token()
	if err != nil {
		return nil, badBody.wrap(err, "body")
	}
	return t, nil
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
