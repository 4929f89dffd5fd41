// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
)

// testGames has a game of each rule, of each k, and of boards of unusual sizes.
func testGames(t testing.TB) []*mnk.Game {
	m := gametest.Must[*mnk.Game](t)
	return []*mnk.Game{
		m(mnk.Gomoku(15)), m(mnk.Standard(15)), m(renju.New(15)), m(mnk.Caro(15)), m(mnk.Gomoku(22)),
		m(mnk.MNK(5, 5, 4)), m(mnk.MNK(7, 6, 4)), m(mnk.MNK(9, 12, 6)), m(mnk.MNK(22, 5, 5)), m(mnk.Caro(7)), m(renju.New(6)),
	}
}

// ruleOf returns the rule of a game that the engine plays.
func ruleOf(t testing.TB, g game.Game) *rule {
	t.Helper()
	r, err := newRule(g)
	if err != nil {
		t.Fatal(err)
	}
	return &r
}

// TestRulesOfEachGame: the engine's rule of each game, and the games that it refuses.
func TestRulesOfEachGame(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	for _, tc := range []struct {
		g    game.Game
		want string
	}{
		{m(mnk.Gomoku(15)), "15x15 {5 false false false} {5 false false false}"},
		{m(mnk.Standard(5)), "5x5 {5 true false false} {5 true false false}"},
		{m(mnk.Caro(22)), "22x22 {5 false true false} {5 false true false}"},
		{m(renju.New(5)), "5x5 {5 true false true} {5 false false false}"},
		{m(mnk.MNK(5, 7, 4)), "5x7 {4 false false false} {4 false false false}"},
		{m(mnk.MNK(22, 6, 6)), "22x6 {6 false false false} {6 false false false}"},
		{m(mnk.MNK(15, 15, 3)), "error"},
		{m(mnk.MNK(15, 15, 7)), "error"},
		{m(mnk.MNK(4, 9, 4)), "error"},
		{m(mnk.Gomoku(23)), "error"},
		{m(mnk.Connect4(7, 6, 4)), "error"},
		{m(mnk.Connect4(7, 7, 5)), "error"},
		{m(mnk.Connect6(15)), "error"},
		{m(mnk.Pente(15)), "error"},
	} {
		r, err := newRule(tc.g)
		got := fmt.Sprintf("%dx%d %v %v", r.columns, r.rows, r.side[0], r.side[1])
		if err != nil {
			got = "error"
		}
		if got != tc.want {
			t.Errorf("%s: %s, want %s (%v)", tc.g, got, tc.want, err)
		}
	}
}

// TestBoardFollowsPlayAndUndo plays random games, takes moves back, and compares every part of the board with a new board.
func TestBoardFollowsPlayAndUndo(t *testing.T) {
	for _, g := range testGames(t) {
		t.Run(g.String(), func(t *testing.T) {
			for seed := range uint64(4) {
				walk(t, ruleOf(t, g), rand.New(rand.NewPCG(seed, 1)), 120)
			}
		})
	}
}

// FuzzBoard does the same with moves from the fuzzer.
func FuzzBoard(f *testing.F) {
	f.Add(uint8(0), []byte{1, 2, 3, 200, 4, 5, 255, 6})
	f.Add(uint8(2), []byte{112, 113, 127, 128, 255, 255, 97, 96, 98, 111})
	games := testGames(f)
	f.Fuzz(func(t *testing.T, which uint8, moves []byte) {
		b := newBoard(ruleOf(t, games[int(which)%len(games)]), nil)
		for _, m := range moves {
			c := b.cellAt(int(m)%b.rule.columns, int(m)/b.rule.columns%b.rule.rows)
			switch {
			case b.stones[c] == codeEmpty:
				b.playStone(c)
			case b.plies > 0:
				b.undo()
			}
		}
		checkBoard(t, b)
		for b.plies > 0 {
			b.undo()
		}
		checkBoard(t, b)
	})
}

// walk plays, takes back and passes at random.
func walk(t *testing.T, r *rule, rng *rand.Rand, steps int) {
	t.Helper()
	b := newBoard(r, nil)
	for range steps {
		switch n := rng.IntN(10); {
		case n == 0:
			b.pass()
		case n < 4 && b.plies > 0:
			b.undo()
		default:
			c := b.cellAt(rng.IntN(r.columns), rng.IntN(r.rows))
			if b.stones[c] == codeEmpty {
				b.playStone(c)
			}
		}
		checkBoard(t, b)
	}
}

// checkBoard compares the updated fields of a board with newly computed ones.
func checkBoard(t *testing.T, b *board) {
	t.Helper()
	var counts [2][16]uint16
	var near [stride]uint32
	value, empty, key := int32(0), 0, uint64(0)
	b.each(func(c int) {
		if s := b.stones[c]; s != codeEmpty {
			key ^= stoneKey(game.Side(s-1), c)
			for y, row := range nearRows {
				near[c/stride-3+y] |= row << (c%stride - 3)
			}
			return
		}
		empty++
		q := cellState{code: literalCode(b, c)}
		q.patterns = network.Cell{First: uint16(patternOf(q.code & 0xffff)), Second: uint16(patternOf(q.code >> 16))}
		first, second := &b.kinds[0][q.patterns.First], &b.kinds[1][q.patterns.Second]
		q.value, q.class = first.value-second.value, [2]class{first.class, second.class}
		if q != b.cells[c] {
			t.Fatalf("cell %d is %+v, want %+v", c, b.cells[c], q)
		}
		value += int32(q.value)
		for s, class := range q.class {
			counts[s][class]++
			if hot := b.hot[s][c/stride]>>(c%stride)&1 == 1; hot != (class >= makesThree) {
				t.Fatalf("cell %d is hot for side %d: %v, but of class %d", c, s, hot, class)
			}
		}
		if b.free[c/stride]>>(c%stride)&1 != 1 {
			t.Fatalf("cell %d is not free", c)
		}
	})
	if value != b.value || counts != b.counts || near != b.near || empty != b.empty || key != b.key {
		t.Fatalf("value %d, counts %v, empty %d, key %x; want %d, %v, %d, %x; near %v",
			b.value, b.counts, b.empty, b.key, value, counts, empty, key, near == b.near)
	}
}

// literalCode computes the shapes of a cell from the stones, not from the lines.
func literalCode(b *board, c int) (code uint32) {
	for d, step := range steps {
		key := uint32(0)
		for i := b.reach; i >= -b.reach; i-- {
			if i != 0 {
				key = key<<2 | uint32(b.stones[c+i*step])
			}
		}
		code |= spread(b.tables[key]) << (4 * d)
	}
	return code
}

// BenchmarkPlay places and lifts stones amid those of a game.
func BenchmarkPlay(b *testing.B) {
	for _, g := range testGames(b)[:4] {
		b.Run("game="+g.String(), func(b *testing.B) {
			p := newBoard(ruleOf(b, g), nil)
			rng := rand.New(rand.NewPCG(3, 3))
			var cells []int
			for len(cells) < 40 {
				c := p.cellAt(3+rng.IntN(9), 3+rng.IntN(9))
				if p.stones[c] != codeEmpty {
					continue
				}
				if p.plies < 20 {
					p.playStone(c)
				} else {
					cells = append(cells, c)
				}
			}
			i := 0
			for b.Loop() {
				p.playStone(cells[i%len(cells)])
				p.undo()
				i++
			}
		})
	}
}
