// SPDX-License-Identifier: Apache-2.0

package export

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/gamefile"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/notation/tree"
)

// game of a spec and its moves.
func played(t *testing.T, spec, moves string) gamefile.Game {
	t.Helper()
	g, err := krow.Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	p := g.Start().(game.Board)
	if err := notation.Play(p, moves); err != nil {
		t.Fatal(err)
	}
	return gamefile.New(p, [2]string{})
}

// data reads back what the script of a file is given.
func data(t *testing.T, file []byte) (games []view) {
	t.Helper()
	_, rest, _ := strings.Cut(string(file), "const games = ")
	text, _, ok := strings.Cut(rest, "\n")
	if err := json.Unmarshal([]byte(strings.Replace(text, ",]", "]", 1)), &games); !ok || err != nil {
		t.Fatalf("%v in %.200s", err, text)
	}
	return games
}

// boards replays the nodes of a view as the script does.
func boards(v view) []string {
	all := []string{v.Cells}
	for _, n := range v.Nodes[1:] {
		cells := []byte(all[n.Parent])
		for i, c := range n.Cells {
			cells[c] = n.Stones[i]
		}
		all = append(all, string(cells))
	}
	return all
}

// TestEveryNodeShowsItsBoard: every node shows the board that the rules have after its moves, with captures, falling stones and small boards.
func TestEveryNodeShowsItsBoard(t *testing.T) {
	tests := []struct{ game, moves string }{
		{"tictactoe", "b2 a1 c1 a3 a2"},
		{"connect4", "4 4 4 4 3 5"},
		{"pente", "k10 l10 a1 m10 n10"},
		{"ultimate", "55 51 11 15 55"},
	}
	for _, tc := range tests {
		t.Run(tc.game, func(t *testing.T) {
			g := played(t, tc.game, strings.Join(strings.Fields(tc.moves)[:4], " "))
			file, err := Write([]gamefile.Game{g})
			if err != nil {
				t.Fatal(err)
			}
			v := data(t, file)[0]
			got := boards(v)
			p := g.Position.Clone().(game.Board)
			for i := len(got) - 1; i >= 0; i-- {
				var want strings.Builder
				for _, s := range p.Cells() {
					want.WriteByte(".xo"[s])
				}
				if got[i] != want.String() {
					t.Errorf("after %d moves %s, want %s", i, got[i], want.String())
				}
				if i > 0 {
					p.Undo()
				}
			}
		})
	}
}

// TestVariationsKeepTheirParents: variations have the right parents, the text has every move and comment, and nothing in it is markup.
func TestVariationsKeepTheirParents(t *testing.T) {
	g := played(t, "gomoku", "")
	rules := g.Position.Game()
	move := func(name string) game.Move {
		m, err := rules.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	g.Tree = &tree.Node{Comment: "begin"}
	h8 := g.Tree.Add(move("h8"))
	h8.Add(move("h9")).Add(move("i9")).Comment = `</script><b>"bold"`
	h8.Add(move("i8")).Add(move("j9"))
	file, err := Write([]gamefile.Game{g})
	if err != nil {
		t.Fatal(err)
	}
	v := data(t, file)[0]
	var parents []int
	for _, n := range v.Nodes {
		parents = append(parents, n.Parent)
	}
	// h8, h9, then the variation i8 j9, then i9.
	if d := cmp.Diff([]int{-1, 0, 1, 1, 3, 2}, parents); d != "" {
		t.Error(d)
	}
	for _, want := range []string{`<q>begin</q>`, `>h8</button>`, `<ul><li>`, `>j9</button></li></ul>`, `&lt;/script&gt;&lt;b&gt;`} {
		if !strings.Contains(string(file), want) {
			t.Errorf("the file lacks %s", want)
		}
	}
	if n := strings.Count(string(file), "</script>"); n != 1 {
		t.Errorf("%d ends of scripts, want 1", n)
	}
	for _, outside := range []string{"http:", "https:", "src=", "href="} {
		if strings.Contains(string(file), outside) {
			t.Errorf("the file asks for something: %s", outside)
		}
	}
}

func TestTooLarge(t *testing.T) {
	g := played(t, "gomoku", "")
	g.Tree = &tree.Node{Next: make([]*tree.Node, maxMoves+1)}
	for i := range g.Tree.Next {
		g.Tree.Next[i] = &tree.Node{}
	}
	if _, err := Write([]gamefile.Game{g}); err == nil {
		t.Error("a tree that is too large was written")
	}
}
