// SPDX-License-Identifier: Apache-2.0

// Package export writes games with their variations and comments to an HTML file that needs no server and no network.
//
// # Basics
//
//	data, err := export.Write([]gamefile.Game{g})
//
// The page shows a board, the tree of moves and the comments. A reader steps through the moves by clicks and keys.
//
// # Caveats
//
// If the browser runs no scripts, the page shows the moves and comments, but no board. Write does not check that the moves of a
// tree are legal: if the tree comes from a file, call tree.Legal before Write.
package export

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"

	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/app/gamefile"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/tree"
)

// maxMoves is the maximum total number of moves of all games in a file.
const maxMoves = 50_000

// layout is the page without games. Write replaces its three words in double braces. Package html/template is not used, because
// with it the linker keeps the methods of all types: the engine of the page without a server would have four megabytes more.
//
//go:embed page.html
var layout string

// view is the JSON form of a game that the JavaScript of the exported HTML page reads.
type view struct {
	Look    string   `json:"look"`
	Columns int      `json:"columns"`
	Rows    int      `json:"rows"`
	Across  []string `json:"across"`
	Cells   string   `json:"cells"` // cells of the root position, as in diagram.Board
	Nodes   []node   `json:"nodes"` // the nodes of the tree: the root first, and each node after its parent
}

// node is a position of the tree: the cells that the move to this position changes, and the marks on the board.
type node struct {
	Parent int    `json:"p"`
	Cells  []int  `json:"c,omitempty"` // indices of the cells that the move changed
	Stones string `json:"s,omitempty"` // new contents of these cells
	Last   []int  `json:"l,omitempty"`
	Row    []int  `json:"r,omitempty"`
	Blocks string `json:"b,omitempty"`
}

// Write returns an HTML file with games. Each game has the variations of its Tree, or only its moves if Tree is nil.
func Write(games []gamefile.Game) ([]byte, error) {
	var sections strings.Builder
	views := []view{}
	left := maxMoves
	for i, g := range games {
		root := g.Tree
		if root == nil {
			root = &tree.Node{}
			root.Line(g.Position.AppendHistory(nil))
		}
		if left -= root.Count(); left < 0 {
			return nil, fmt.Errorf("a page can contain at most %d moves", maxMoves)
		}
		w := writer{board: gamefile.Start(g.Position)}
		w.beginPage()
		w.comment(root)
		w.branches(root, 0)
		fmt.Fprintf(&sections, "<h1>%s</h1>\n<section data-game=\"%d\"><div class=\"left\"></div><div class=\"text\">%s</div></section>\n",
			html.EscapeString(title(g)), i, w.text.String())
		views = append(views, w.view)
	}
	first := ""
	if len(games) > 0 {
		first = html.EscapeString(title(games[0]))
	}
	data, err := json.Marshal(views) // writes <, > and & as escapes, so no text can end the script
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	_, err = strings.NewReplacer("{{title}}", first, "{{games}}", sections.String(), "{{views}}", string(data)).WriteString(&out, layout)
	return out.Bytes(), err
}

func title(g gamefile.Game) string {
	said := []string{g.Position.Game().String()}
	if g.Names[0] != "" && g.Names[1] != "" {
		said = append(said, g.Names[0]+" – "+g.Names[1])
	}
	if g.Event != "" {
		said = append(said, g.Event)
	}
	if g.Year > 0 {
		said = append(said, strconv.Itoa(g.Year))
	}
	return strings.Join(said, ", ")
}

// writer walks through the tree of a game, and writes its view and its text.
type writer struct {
	board game.Board
	view  view
	text  strings.Builder
	fresh bool // whether the next move must be written with its number, because it begins a line of text
}

func (w *writer) beginPage() {
	b := diagram.New(w.board)
	w.view = view{
		Look: b.Look, Columns: b.Columns, Rows: b.Rows, Across: b.Across, Cells: b.Cells,
		Nodes: []node{{Parent: -1, Last: b.Last, Row: b.Row, Blocks: b.Blocks}},
	}
	w.fresh = true
}

func (w *writer) comment(n *tree.Node) {
	if n.Comment != "" {
		fmt.Fprintf(&w.text, `<q>%s</q>`, html.EscapeString(n.Comment))
	}
}

// branches writes the tree below a node. The main line is running text, and the variations of a move follow the move in a
// list.
func (w *writer) branches(n *tree.Node, parent int) {
	played := 0
	for len(n.Next) > 0 {
		main := n.Next[0]
		if len(n.Next) > 1 {
			// The main move is written first, then its variations, then the continuation of the main move.
			at := w.move(main, parent)
			w.text.WriteString("<ul>")
			w.board.Undo()
			for _, other := range n.Next[1:] {
				w.text.WriteString("<li>")
				w.fresh = true
				w.branches(&tree.Node{Next: []*tree.Node{other}}, parent)
				w.text.WriteString("</li>")
			}
			w.text.WriteString("</ul>")
			w.fresh = true
			w.board.Play(main.Move)
			n, parent = main, at
		} else {
			n, parent = main, w.move(main, parent)
		}
		played++
	}
	for range played {
		w.board.Undo()
	}
}

// move plays the move of n, writes its button, adds its node, and returns the index of the node.
func (w *writer) move(n *tree.Node, parent int) int {
	before := slices.Clone(w.board.Cells())
	side, ply, cell := w.board.Turn(), w.board.Ply(), w.board.Cell(n.Move)
	w.board.Play(n.Move)
	next := node{Parent: parent, Last: []int{cell}}
	for i, s := range w.board.Cells() {
		if s != before[i] {
			next.Cells, next.Stones = append(next.Cells, i), next.Stones+string(".xo"[s])
		}
	}
	if w.view.Look == "nested" || w.board.Outcome() != game.Ongoing {
		b := diagram.New(w.board)
		next.Row, next.Blocks = b.Row, b.Blocks
	}
	w.view.Nodes = append(w.view.Nodes, next)
	at := len(w.view.Nodes) - 1
	if side == game.First || w.fresh {
		fmt.Fprintf(&w.text, `<i>%d</i>`, ply+1)
	}
	w.fresh = false
	name := w.board.Game().Format(n.Move)
	if n.Label != "" {
		name += " " + n.Label
	}
	if n.Mark {
		name += "*"
	}
	fmt.Fprintf(&w.text, `<button data-n="%d">%s</button>`, at, html.EscapeString(name))
	w.comment(n)
	return at
}
