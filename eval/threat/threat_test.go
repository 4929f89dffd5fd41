// SPDX-License-Identifier: Apache-2.0

package threat_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
)

// board is stones on a rectangle, and no game.
type board struct {
	game.Position
	columns, rows, k int
	exact            bool
	cells            []game.Stone
}

func (b *board) Size() (int, int)     { return b.columns, b.rows }
func (b *board) Cells() []game.Stone  { return b.cells }
func (b *board) Cell(m game.Move) int { return int(m) }
func (b *board) K() int               { return b.k }
func (b *board) Exact(game.Side) bool { return b.exact }

// draw reads a board: a row a word, the top one first; X is First.
func draw(k int, exact bool, picture string) *board {
	words := strings.Fields(picture)
	b := &board{columns: len(words[0]), rows: len(words), k: k, exact: exact}
	for i := range words {
		for _, c := range words[len(words)-1-i] {
			b.cells = append(b.cells, game.Stone(strings.IndexRune(".XO", c)))
		}
	}
	return b
}

// inRow writes the threats found in rows as "4 half-open, gap 3; ...", those of First only.
func inRow(b game.Lined, r threat.Reading) string {
	var out []string
	for _, t := range r.Find(b) {
		if t.Side != game.First || t.Dir != threat.Row {
			continue
		}
		s := fmt.Sprintf("%d %s", t.Size, t.Class)
		if t.Gap >= 0 {
			s += fmt.Sprintf(" gap %d", t.Gap)
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

func TestLinesUnderRules(t *testing.T) {
	tests := []struct {
		name  string
		k     int
		exact bool
		line  string
		want  string
	}{
		{"type 1 of the texts", 5, false, "..XXXX..", "4 open"},
		{"type 2", 5, false, "OXXXX..", "4 half-open"},
		{"type 2 at the edge", 5, false, "XXXX..", "4 half-open"},
		{"type 3", 5, false, "OXXXXO", "4 closed"},
		{"type 4", 5, false, ".XX.XX.", "4 half-open gap 3"},
		{"type 5", 5, false, "OXXX.X.", "4 half-open gap 4"},
		{"type 6", 5, false, "OX.XXXO", "4 half-open gap 2"},
		{"five", 5, false, "OXXXXXO", "5 complete"},
		{"overline wins", 5, false, ".XXXXXX.", "5 complete"},
		{"overline does not win", 5, true, ".XXXXXX.", ""},
		{"five where an overline does not win", 5, true, "OXXXXX.", "5 complete"},
		{"room on one side only", 5, false, "OXXX....", "3 half-open"},
		{"room for five exactly", 5, false, "O.XXX.O", "3 half-open"},
		{"room for six", 5, false, "O.XXX..O", "3 open"},
		{"no room", 5, false, "O.XXXO", "3 closed"},
		{"a run and its neighbour, too few for a gap", 5, false, "..XX.X..", "2 half-open, 1 closed"},
		{"only free cells make room", 5, false, "OXX.X.O", "2 closed, 1 closed"},
		{"two gaps share a run", 5, false, "XX.XX.XX", "4 half-open gap 2, 4 half-open gap 5"},
		{"two gaps share a run of three", 5, false, "X.XXX.X", "4 half-open gap 1, 4 half-open gap 5"},
		{"one gap of two qualifies", 5, false, "X.X.XXX", "4 half-open gap 3, 1 closed"},
		{"four and one", 5, false, "XXXX.X", "4 half-open, 1 closed"},
		{"two cells are no gap", 5, false, "XX..XX", "2 closed, 2 closed"},
		{"an enemy in the gap", 5, false, "XXOXX", "2 closed, 2 closed"},
		{"more than k-1 with the gap", 5, false, "XXX.XXX", "3 closed, 3 closed"},
		{"shorter than k", 5, false, "XXX.", "3 closed"},

		{"k=4: open three", 4, false, ".XXX.", "3 open"},
		{"k=4: half-open three", 4, false, "OXXX.", "3 half-open"},
		{"k=4: gapped three", 4, false, "OXX.XO", "3 half-open gap 3"},
		{"k=4: open two", 4, false, "..XX.", "2 open"},
		{"k=4: half-open two", 4, false, ".XX.", "2 half-open"},
		{"k=4: half-open one", 4, false, "X...", "1 half-open"},
		{"k=4: open one", 4, false, ".X...", "1 open"},
		{"k=4: four", 4, false, "XXXX", "4 complete"},
		{"k=4: two ones", 4, false, "X.X.", "1 closed, 1 closed"},

		{"k=3: open two", 3, false, ".XX.", "2 open"},
		{"k=3: half-open two", 3, false, "XX.", "2 half-open"},
		{"k=3: closed two", 3, false, "OXX", "2 closed"},
		{"k=3: gapped two", 3, false, "X.X", "2 half-open gap 1"},
		{"k=3: two gaps", 3, false, "X.X.X", "2 half-open gap 1, 2 half-open gap 3"},
		{"k=3: a two and a one", 3, false, "XX.X", "2 half-open, 1 closed"},
		{"k=3: centre", 3, false, ".X.", "1 half-open"},
		{"k=3: room for four", 3, false, ".X..", "1 open"},

		{"k=2: no gaps", 2, false, "X.X", "1 half-open, 1 half-open"},
		{"k=2: open one", 2, false, ".X.", "1 open"},
		{"k=1: a run once", 1, false, "XX.X", "1 complete, 1 complete"},
		{"k=1: exact", 1, true, "XX.X", "1 complete"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if got := inRow(draw(tc.k, tc.exact, tc.line), threat.Reading{}); got != tc.want {
				t.Errorf("%s has %q, want %q", tc.line, got, tc.want)
			}
		})
	}
}

// TestReadingsOfTheSameLines counts the same lines under each reading: as the default has it, and with one switch turned.
func TestReadingsOfTheSameLines(t *testing.T) {
	tests := []struct {
		name            string
		k               int
		exact           bool
		line            string
		text, least, un string
	}{
		{"four stones and a gap", 5, false, "OXX.XXO", "4 half-open gap 3", "4 half-open gap 3", "4 half-open gap 3"},
		{"six stones and a gap", 5, false, "XXX.XXX", "3 closed, 3 closed", "4 half-open gap 3", "3 closed, 3 closed"},
		{"six stones, exact", 5, true, "XXX.XXX", "3 closed, 3 closed", "4 half-open gap 3", "3 closed, 3 closed"},
		{"five stones and a gap", 5, false, ".XX.XXX.", "3 half-open, 2 closed", "4 half-open gap 3", "3 half-open, 2 closed"},
		{"k=4, four stones and a gap", 4, false, "XX.XX", "2 closed, 2 closed", "3 half-open gap 2", "2 closed, 2 closed"},
		{"type 2 with one free cell", 5, false, "OXXXX.O", "4 half-open", "4 half-open", "4 half-open"},
		{"type 2 with two free cells", 5, false, "OXXXX..", "4 half-open", "4 half-open", "4 open"},
		{"type 1", 5, false, "O.XXXX.O", "4 open", "4 open", "4 open"},
		{"a three at the edge", 5, false, "XXX...O", "3 half-open", "3 half-open", "3 open"},
		{"a one at the edge", 4, false, "X....", "1 half-open", "1 half-open", "1 open"},
		{"a one with just room", 4, false, "X...O", "1 half-open", "1 half-open", "1 half-open"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			b := draw(tc.k, tc.exact, tc.line)
			for i, want := range []string{tc.text, tc.least, tc.un} {
				if got := inRow(b, readings[i]); got != want {
					t.Errorf("%s under %+v has %q, want %q", tc.line, readings[i], got, want)
				}
			}
		})
	}
}

func TestFind(t *testing.T) {
	b := draw(4, false, `
		.....
		.O.X.
		..OX.
		.X.X.
		X....`)
	want := []threat.Threat{
		{Side: game.First, Size: 3, Class: threat.Open, Dir: threat.Column, Cells: []int{8, 13, 18}, Gap: -1},
		{Side: game.First, Size: 2, Class: threat.Closed, Dir: threat.Rising, Cells: []int{0, 6}, Gap: -1},
	}
	var got []threat.Threat
	for _, f := range threat.Find(b) {
		if f.Side == game.First && f.Size > 1 {
			got = append(got, f)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("Find (-want +got):\n%s", d)
	}
	last := threat.Find(b)
	if f := last[len(last)-1]; f.Side != game.Second || f.Size != 1 || f.Class != threat.Closed {
		t.Errorf("the last threat is %+v, want a closed one of the second side", f)
	}
}

// TestKinds checks that sizes and classes survive their index.
func TestKinds(t *testing.T) {
	for k := 1; k <= 6; k++ {
		for i := range threat.Kind(threat.Kinds(k)) {
			if got := threat.KindOf(i.Size(), i.Class(k)); got != i {
				t.Errorf("k=%d: kind %d is size %d, %s, which is kind %d", k, i, i.Size(), i.Class(k), got)
			}
		}
		if c := threat.KindOf(k, threat.Complete).Class(k); c != threat.Complete {
			t.Errorf("k=%d: size %d is %s", k, k, c)
		}
	}
}

// tally counts what Find finds.
func tally(b game.Lined, r threat.Reading) (c threat.Counts) {
	for s := range c {
		c[s] = make([]int32, threat.Kinds(b.K()))
	}
	for _, f := range r.Find(b) {
		c[f.Side][threat.KindOf(f.Size, f.Class)]++
	}
	return c
}

// games are those on which the counter is held to the definition.
func games(t testing.TB) (out []*mnk.Game) {
	add := func(g *mnk.Game, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, g)
	}
	add(mnk.TicTacToe(3, 3))
	add(mnk.MNK(1, 1, 1))
	add(mnk.MNK(1, 9, 2))
	add(mnk.MNK(9, 1, 3))
	add(mnk.MNK(2, 3, 7))
	add(mnk.MNK(4, 4, 1))
	add(mnk.MNK(5, 6, 2))
	add(mnk.MNK(8, 7, 4))
	add(mnk.MNK(16, 16, 12))
	add(mnk.MNK(128, 128, 128))
	add(mnk.Gomoku(15))
	add(mnk.Standard(11))
	add(mnk.Caro(9))
	add(mnk.Connect4(7, 6, 4))
	add(mnk.Connect4(12, 3, 5))
	add(mnk.Connect6(11))
	add(mnk.Pente(9))
	return out
}

// TestCounter plays random games forth and back; the counter must agree with a scan whenever it is asked.
func TestCounter(t *testing.T) {
	for _, g := range games(t) {
		for seed := range uint64(4) {
			t.Run(fmt.Sprintf("%s/seed=%d", g, seed), func(t *testing.T) {
				follow(t, g, readings[seed], rand.New(rand.NewPCG(seed, 3)))
			})
		}
	}
}

func follow(t *testing.T, g game.Game, r threat.Reading, rng *rand.Rand) {
	p := g.Start().(game.Lined)
	c := threat.Counter{Reading: r}
	c.Reset(p)
	for range 200 {
		moves := p.AppendMoves(nil)
		if len(moves) == 0 || p.Ply() > 0 && rng.IntN(3) == 0 {
			for range min(p.Ply(), 1+rng.IntN(4)) {
				p.Undo()
				c.Undo()
			}
		} else {
			m := moves[rng.IntN(len(moves))]
			c.Play(m)
			p.Play(m)
		}
		if rng.IntN(3) > 0 { // not at every ply, as in a search
			want, got := tally(p, r), c.Counts()
			if !slices.Equal(want[0], got[0]) || !slices.Equal(want[1], got[1]) {
				t.Fatalf("ply %d (-found +counted):\n%s", p.Ply(), cmp.Diff(want, *got))
			}
		}
	}
}

// TestLister asks one lister about the positions of random games, forth and back and from one game to the next: it lists what
// Find finds.
func TestLister(t *testing.T) {
	var l threat.Lister
	for _, g := range games(t) {
		for seed := range uint64(2) {
			rng := rand.New(rand.NewPCG(seed, 4))
			p := g.Start().(game.Lined)
			for range 60 {
				if p.Outcome() != game.Ongoing || p.Ply() > 0 && rng.IntN(4) == 0 {
					for range min(p.Ply(), 1+rng.IntN(4)) {
						p.Undo()
					}
				} else {
					p.Play(game.Random(p, rng.IntN))
				}
				if rng.IntN(3) == 0 {
					continue
				}
				var got []threat.Threat
				for side := range game.Side(2) {
					for x := range l.Of(p, side) {
						got = append(got, *x)
					}
				}
				if want := threat.Find(p); !reflect.DeepEqual(got, want) {
					t.Fatalf("%s, seed %d, ply %d (-found +listed):\n%s", g, seed, p.Ply(), cmp.Diff(want, got))
				}
			}
		}
	}
}

// TestCounterLost checks that a counter that was not told of moves finds them.
func TestCounterLost(t *testing.T) {
	g, err := mnk.Gomoku(15)
	if err != nil {
		t.Fatal(err)
	}
	p := g.Start().(game.Lined)
	var c threat.Counter
	for m := range game.Move(7) {
		p.Play(m * 17)
	}
	c.Reset(p)
	p.Play(200)
	p.Undo()
	p.Undo()
	c.Undo()
	p.Play(201)
	if d := cmp.Diff(tally(p, threat.Reading{}), *c.Counts()); d != "" {
		t.Fatalf("(-found +counted):\n%s", d)
	}
}

func TestCountOfBoards(t *testing.T) {
	b := draw(3, false, `
		X.O
		.X.
		..O`)
	var n threat.Counter
	n.Reset(b)
	c := n.Counts()
	if d := cmp.Diff(tally(b, threat.Reading{}), *c); d != "" {
		t.Errorf("(-found +counted):\n%s", d)
	}
	if got := c.Of(game.First, 2, threat.Closed); got != 1 {
		t.Errorf("%d closed twos, want 1", got)
	}
	if got := c.Of(game.Second, 2, threat.HalfOpen); got != 1 {
		t.Errorf("%d half-open twos, want the gapped one", got)
	}
}
