// SPDX-License-Identifier: Apache-2.0

package checker

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/puzzles"
	"github.com/krow-lab/krow/app/solve"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/atarigo"
	rules "github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/search/oracle"
)

// treeBoards are positions of games with captures or with turns of several stones. The long ones are puzzles of krow.
var treeBoards = []struct{ game, moves string }{
	{"atarigo:3", ""},
	{"atarigo:4", ""},
	{"atarigo:4", "b2 c3 b3"},
	{"atarigo:4", "b2"},
	{"atarigo:4", "a1"},
	{"atarigo:7", "d4 d5 e5 e4 c5"},
	{"connect6:3,k=3", ""},
	{"connect6:4,k=3,turn=1", ""},
	{"connect6:4,k=3,turn=1", "a1"},
	{"connect6:5x4,k=4", "c2 a1 e4"},
	{"connect6:4,k=3,turn=1,first=2", ""},
	{"connect6", "i7 m7 f6 i10 i14 i9 l6 j8 h8 j6 l8 h6 k9 g5 l10"},
	{"connect6", "i7 m7 f6 i10 i14 i9 l6 j8 h8 j6 l8 h6 k9 g5 l10 h7 h9"},
	{"pente", "l7 h14 f7 k8 m8 k6 n9 i8 o10 p11 k9 j7 l5 j6 i6 l6 l9 m6 n6 j9 m9 o9 k10 n7 k8 j7"},
	{"pente:rule=keryo", "l7 h14 f7 k8 m8 k6 n9 i8 o10 p11 k9 j7 l5 j6 i6 l6 l9 m6 n6 j9 m9 o9 k10 n7 k8 j7"},
}

// treed returns certificates of wins and losses in these positions, and of random positions on small boards.
func treed(t *testing.T) (files [][]byte) {
	t.Helper()
	kinds := map[string]int{}
	for _, b := range treeBoards {
		g, err := krow.Game(b.game)
		if err != nil {
			t.Fatal(err)
		}
		s, err := solve.New(g, solve.Options{Hash: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		p := g.Start()
		if err := notation.Play(p, b.moves); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Solve(t.Context(), p, nil); err != nil {
			t.Fatalf("%s after %s: %v", b.game, b.moves, err)
		}
		var file bytes.Buffer
		if err := s.Certify(t.Context(), p, &file); err != nil {
			t.Fatalf("%s after %s: %v", b.game, b.moves, err)
		}
		c, _ := goChecker(t, file.Bytes(), 0)
		kinds[c.Rule]++
		files = append(files, file.Bytes())
	}
	for i, c := range smallTrees {
		rng := rand.New(rand.NewPCG(uint64(i), 7))
		for range 60 {
			if file := smallTree(t, c, rng); file != nil {
				kinds[c.Rule]++
				files = append(files, file)
			}
		}
	}
	if len(kinds) != 4 || slices.Min(slices.Collect(maps.Values(kinds))) < 4 {
		t.Errorf("certificates of the rules %v: too few", kinds)
	}
	return files
}

// smallTrees are games of which random positions are certified.
var smallTrees = []proof.Claim{
	{Columns: 4, Rows: 4, K: 4, Rule: proof.Connect, Each: 2, Left: 1},
	{Columns: 5, Rows: 4, K: 4, Rule: proof.Pente, Captures: 2},
	{Columns: 5, Rows: 4, K: 4, Rule: proof.Keryo, Captures: 3},
}

// smallTree returns the certificate of a random position, or nil if the position is drawn or the game ends before it. The oracle chooses
// the moves.
func smallTree(t *testing.T, c proof.Claim, rng *rand.Rand) []byte {
	t.Helper()
	p := treePosition(t, c)
	wander(p, rng, len(p.(game.Board).Cells())-4-rng.IntN(5))
	r, err := oracle.Solve(p, 50_000)
	if err != nil {
		return nil
	}
	_, sign := r.Best.Score.Distance()
	if c.Value = valueNames[sign+1]; sign == 0 {
		return nil
	}
	for _, s := range p.(game.Board).Cells() {
		c.Cells += string(".XO"[s])
	}
	c.Turn = p.Turn().String()
	if memory := p.(game.Settable).Setup().Memory; c.Captures > 0 {
		c.Taken = fmt.Sprintf("%d,%d", memory[0], memory[1])
	} else {
		c.Left = int(memory[0])
	}
	var file bytes.Buffer
	err = proof.WriteTree(&file, c, func(path []int) (int, error) {
		q := p.Clone()
		for _, c := range path {
			q.Play(game.Move(c))
		}
		r, err := oracle.Solve(q, 50_000)
		return int(r.Best.Move), err
	})
	if err != nil {
		t.Fatalf("%+v: %v", c, err)
	}
	return file.Bytes()
}

// treePosition returns the position of a claim, or the empty board if the claim has no cells.
func treePosition(t *testing.T, c proof.Claim) game.Position {
	t.Helper()
	var g game.Game
	var err error
	if c.Rule == proof.AtariGo {
		g, err = atarigo.New(c.Columns)
	} else {
		g, err = rules.New(rules.Rules{
			Name: c.Rule, Columns: c.Columns, Rows: c.Rows, K: c.K, Opening: c.Left, Turn: c.Each, Captures: c.Captures, Threes: c.Rule == proof.Keryo,
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	if c.Cells == "" {
		return g.Start()
	}
	s := game.Setup{Turn: turn(c), Ply: 1}
	for _, letter := range c.Cells {
		s.Cells = append(s.Cells, game.Stone(strings.IndexRune(".XO", letter)))
	}
	if c.Captures > 0 {
		s.Memory = make([]uint8, 2)
		if _, err := fmt.Sscanf(c.Taken, "%d,%d", &s.Memory[0], &s.Memory[1]); err != nil {
			t.Fatal(err)
		}
	} else if c.Each > 1 {
		s.Memory = []uint8{uint8(c.Left)}
	}
	p, err := g.(game.Setter).SetUp(s)
	if err != nil {
		t.Fatalf("%+v is not a position of %s: %v", c, g, err)
	}
	return p
}

// damagedTree returns a certificate that was changed in its first line or its steps, with the right checksum.
func damagedTree(rng *rand.Rand, head string, body []byte) []byte {
	for range 1 + rng.IntN(2) {
		few := strconv.Itoa(rng.IntN(6))
		switch rng.IntN(12) {
		case 0, 1:
			damages["cell"](rng, &head, &body)
		case 2:
			field(&head, "k", few)
		case 3:
			field(&head, one(rng, "each", "left", "captures"), few)
		case 4:
			before, _, found := strings.Cut(head, `,"taken":`)
			if found {
				head = before + `,"taken":"` + few + "," + strconv.Itoa(rng.IntN(6)) + `"}`
			}
		case 5:
			field(&head, "turn", one(rng, `"first"`, `"second"`))
		case 6:
			field(&head, "value", one(rng, `"win"`, `"draw"`, `"loss"`))
		case 7:
			field(&head, "rule", one(rng, `"connect"`, `"pente"`, `"keryo"`, `"atarigo"`, `"free"`))
		case 8:
			damages["size"](rng, &head, &body)
		default:
			if len(body) > 0 {
				steps(rng, &body)
			}
		}
	}
	return pack(head, body)
}

// treeTruth returns the value of a claim by the oracle, or "" if that is too much work. Package mnk cannot set up a turn of several
// stones if all later turns have one stone.
func treeTruth(t *testing.T, c proof.Claim) string {
	t.Helper()
	if strings.Count(c.Cells, ".") > 20 || c.Each == 1 && c.Left > 1 {
		return ""
	}
	return byOracle(t, treePosition(t, c), 50_000)
}

// TestCheckersAgreeOnTrees: both checkers say the same of certificates of games with captures and with turns of several stones,
// and of at least a hundred damaged copies for each rule.
func TestCheckersAgreeOnTrees(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	files, rng := treed(t), rand.New(rand.NewPCG(7, 9))
	all := sampled(files, amount(100, 500, 12_000), func(i int) ([]byte, string) {
		head, body := unpack(t, files[i%len(files)])
		return damagedTree(rng, head, body), "damaged"
	})
	agree(t, all, 20*most, treeTruth).compares(t)
}

// TestWonPuzzlesAreCertified: the engines' wins in the puzzles of Connect6, pente and Atari-Go have certificates that both checkers
// accept.
func TestWonPuzzlesAreCertified(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	all, err := puzzles.Load("")
	if err != nil {
		t.Fatal(err)
	}
	certified, most := map[string]int{}, amount(5, 10, 10_000)
	unproved := []puzzles.Theme{puzzles.Defence, puzzles.Best} // themes in which the side to move need not win
	var files [][]byte
	for _, z := range all {
		g, err := krow.Game(z.Game)
		if err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(z.Game, ":")
		if !slices.Contains([]string{"connect6", "pente", "atarigo"}, name) || slices.Contains(unproved, z.Theme) || certified[name] == most {
			continue
		}
		p, _, err := z.Position(g)
		if err != nil {
			t.Fatal(err)
		}
		s, err := solve.New(g, solve.Options{Hash: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if err := s.Certify(t.Context(), p, &file); err != nil {
			t.Errorf("%s after %s: %v", z.Game, z.Moves, err)
			continue
		}
		certified[name]++
		files = append(files, file.Bytes())
	}
	t.Logf("certificates of %v", certified)
	for i, got := range node(t, nil, files) {
		if c, want := goChecker(t, files[i], 0); !got.accepted || got != want || c.Value != "win" {
			t.Errorf("the second checker says %q, the first %q", got.text, want.text)
		}
	}
	if len(certified) != 3 {
		t.Errorf("certificates of %v, want three games", certified)
	}
}

// TestTreeRules: both checkers agree about single rules.
func TestTreeRules(t *testing.T) {
	tests := []struct {
		name     string
		c        proof.Claim
		body     string
		accepted bool
	}{
		{"no legal move is a loss", proof.Claim{Columns: 3, Rows: 3, Cells: ".XXX.XXX.", Turn: "first", Value: "win", Rule: proof.AtariGo}, "\x04", true},
		{"the winner has no legal move", proof.Claim{Columns: 3, Rows: 3, Cells: ".XXX.XXX.", Turn: "first", Value: "loss", Rule: proof.AtariGo}, "", false},
		{"suicide", proof.Claim{Columns: 3, Rows: 3, Cells: ".XXX.XXX.", Turn: "second", Value: "win", Rule: proof.AtariGo}, "\x00", false},
		{"a group without liberties", proof.Claim{Columns: 3, Rows: 3, Cells: "OX.X.....", Turn: "first", Value: "win", Rule: proof.AtariGo}, "", false},
		{"a row of Atari-Go", proof.Claim{Columns: 3, Rows: 3, K: 3, Cells: "XX.......", Turn: "first", Value: "win", Rule: proof.AtariGo}, "", false},
		{"three captured", proof.Claim{Columns: 5, Rows: 1, K: 5, Cells: "XOOO.", Turn: "first", Value: "win", Rule: proof.Keryo, Captures: 3, Taken: "0,0"}, "", true},
		{"three not captured", proof.Claim{Columns: 5, Rows: 1, K: 5, Cells: "XOOO.", Turn: "first", Value: "win", Rule: proof.Pente, Captures: 1, Taken: "0,0"}, "\x04", false},
		{"captures of the other side", proof.Claim{Columns: 4, Rows: 1, K: 4, Cells: "XOO.", Turn: "first", Value: "win", Rule: proof.Pente, Captures: 2, Taken: "0,1"}, "\x03", false},
		{"own captures", proof.Claim{Columns: 4, Rows: 1, K: 4, Cells: "XOO.", Turn: "first", Value: "win", Rule: proof.Pente, Captures: 2, Taken: "1,0"}, "", true},
		{"enough captures before", proof.Claim{Columns: 4, Rows: 1, K: 4, Cells: "XOO.", Turn: "first", Value: "win", Rule: proof.Pente, Captures: 2, Taken: "2,0"}, "", false},
		{"two stones", proof.Claim{Columns: 4, Rows: 1, K: 4, Cells: "XX..", Turn: "first", Value: "win", Rule: proof.Connect, Each: 2, Left: 2}, "", true},
		{"one stone left", proof.Claim{Columns: 4, Rows: 1, K: 4, Cells: "XX..", Turn: "first", Value: "win", Rule: proof.Connect, Each: 2, Left: 1}, "\x02", false},
		{"captures in Connect6", proof.Claim{Columns: 4, Rows: 1, K: 4, Cells: "XX..", Turn: "first", Value: "win", Rule: proof.Connect, Each: 2, Left: 2, Captures: 1}, "", false},
		{"a hundred stones", proof.Claim{Columns: 4, Rows: 1, K: 4, Cells: "XX..", Turn: "first", Value: "win", Rule: proof.Connect, Each: 2, Left: 100}, "", false},
		{"bytes after the proof", proof.Claim{Columns: 4, Rows: 1, K: 4, Cells: "XX..", Turn: "first", Value: "win", Rule: proof.Connect, Each: 2, Left: 2}, "\x00", false},
		{"turns too long to check", proof.Claim{Columns: 19, Rows: 19, K: 6, Cells: strings.Repeat(".", 361), Turn: "first", Value: "loss", Rule: proof.Connect, Each: 99, Left: 99}, "", false},
		{"a draw", proof.Claim{Columns: 4, Rows: 1, K: 4, Cells: "XO..", Turn: "first", Value: "draw", Rule: proof.Connect, Each: 2, Left: 2}, "", false},
	}
	var files [][]byte
	for _, tc := range tests {
		tc.c.Krow, tc.c.Version = "certificate", proof.TreeVersion
		head, err := json.Marshal(tc.c)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, pack(string(head), []byte(tc.body)))
	}
	for i, got := range node(t, []string{"--max-positions", strconv.Itoa(most)}, files) {
		tc := tests[i]
		if _, want := goChecker(t, files[i], most); got.accepted != tc.accepted || want.accepted != tc.accepted || got.position != want.position {
			t.Errorf("%s: the second checker says %q, the first %q", tc.name, got.text, want.text)
		}
	}
}
