// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"fmt"

	"github.com/krow-lab/krow/app/gamefile"
	"github.com/krow-lab/krow/app/page"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/notation/tree"
)

// maxTree bounds the moves of a tree that the page shows, and maxLibrary a library that is sent.
const (
	maxTree    = 20_000
	maxLibrary = 16 << 20
)

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

func (b Branch) node(g game.Game) (*tree.Node, error) {
	n := &tree.Node{Comment: b.Comment}
	for _, c := range b.Next {
		m, err := g.Parse(c.Move)
		if err != nil {
			return nil, badMove.of(err, c.Move)
		}
		next, err := c.node(g)
		if err != nil {
			return nil, err
		}
		next.Move = m
		n.Next = append(n.Next, next)
	}
	return n, nil
}

type libraryInput struct {
	Game string `query:"game" required:"true" maxLength:"100"`
	Body Branch
}

// library writes a tree as a library of RenLib.
func (s *Server) library(_ context.Context, in *libraryInput) (*exportOutput, error) {
	g, err := gameOf(in.Game)
	if err != nil {
		return nil, err
	}
	root, err := in.Body.node(g)
	if err != nil {
		return nil, err
	}
	tree.Legal(g.Start(), root)
	file := gamefile.New(g.Start().(game.Board), [2]string{})
	file.Tree = root
	data, err := gamefile.Write("renlib", []gamefile.Game{file})
	if err != nil {
		return nil, noFile.of(err, "RenLib")
	}
	return &exportOutput{"application/octet-stream", `attachment; filename="game.lib"`, data}, nil
}

type pageInput struct {
	Game  string `query:"game" required:"true" maxLength:"100"`
	Start string `query:"start" maxLength:"8000" doc:"position that was set up, as links have it; empty for the start of the game"`
	Body  Branch
}

// htmlPage writes a tree as an HTML file that needs no server.
func (s *Server) htmlPage(_ context.Context, in *pageInput) (*exportOutput, error) {
	b, err := position(in.Game, in.Start, "")
	if err != nil {
		return nil, err
	}
	root, err := in.Body.node(b.Game())
	if err != nil {
		return nil, err
	}
	tree.Legal(b, root)
	file := gamefile.New(b, [2]string{})
	file.Tree = root
	data, err := page.Write([]gamefile.Game{file})
	if err != nil {
		return nil, noFile.of(err, "HTML")
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

func (s *Server) readLibrary(_ context.Context, in *readLibraryInput) (out ReadLibrary, err error) {
	games, err := gamefile.Read(in.RawBody, "renlib", gamefile.Options{Open: gameOf})
	if err != nil {
		return out, badText.of(err, "")
	}
	g := games[0]
	if n := g.Tree.Count(); n > maxTree {
		return out, largeLibrary.because(fmt.Sprintf("it has %d moves, and the page shows up to %d; krow convert reads all of it", n, maxTree), "")
	}
	rules := g.Position.Game()
	out.Game, out.Moves = rules.String(), notation.MoveNames(rules, g.Position.AppendHistory(nil))
	out.Tree, out.Cut = branchOf(rules, g.Tree), g.Cut
	return out, nil
}
