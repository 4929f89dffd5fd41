// SPDX-License-Identifier: Apache-2.0

package mics

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
)

// put2 and lift2 are put and lift as the text does them: every cell within k-1 is computed anew by a walk of
// O(k), which makes O(k²) in each direction.
func (e *Evaluator) put2(c int, s game.Side) {
	e.include(c, -1)
	e.stones[c] = s.Stone()
	e.around(c)
}

func (e *Evaluator) lift2(c int) {
	e.include(c, 1)
	e.stones[c] = game.Empty
	e.around(c)
}

func (e *Evaluator) around(c int) {
	for d, step := range e.steps {
		pl := e.lines[d][c]
		x, length := int(pl.at), int(pl.length)
		for i := max(0, x-e.k+1); i < min(length, x+e.k); i++ {
			at := c + (i-x)*step
			if e.stones[at] != game.Empty {
				continue
			}
			for s := game.First; s <= game.Second; s++ {
				e.set(at, d, s, e.walk(at, i, length, step, s))
			}
		}
	}
}

// walk is the text's algorithm 5: widen to the right as far as possible, then pull the window to the left. It
// stops at enemy stones, at the ends of the line and k-1 cells away. (The text starts its minimum at -1.)
func (e *Evaluator) walk(cell, at, length, step int, s game.Side) summary {
	own, enemy := s.Stone(), s.Other().Stone()
	if e.stones[cell] == enemy {
		return summary{}
	}
	right, in, seen := 0, 0, 0
	for right < e.k-1 && at+right+1 < length && e.stones[cell+(right+1)*step] != enemy {
		right++
		if e.stones[cell+right*step] == own {
			in++
			seen++
		}
	}
	if e.stones[cell] == own {
		in++
		seen++
	}
	v := summary{}
	end := right // of the window being pulled left
	for left := 0; ; left++ {
		if left > 0 {
			if left > e.k-1 || at-left < 0 || e.stones[cell-left*step] == enemy {
				break
			}
			if e.stones[cell-left*step] == own {
				in++
				seen++
			}
		}
		for end+left > e.k-1 {
			if e.stones[cell+end*step] == own {
				in--
			}
			end--
		}
		if end+left == e.k-1 {
			v.live++
			switch {
			case v.many == 0 || in > int(v.best):
				v.best, v.many = uint8(in), 1
			case in == int(v.best):
				v.many++
			}
		}
	}
	if v.live == 0 {
		return v
	}
	v.reach = uint8(seen)
	v.adjacent = e.k > 1 && (at > 0 && e.stones[cell-step] == own || at+1 < length && e.stones[cell+step] == own)
	return v
}

// TestQuadraticMethodAgrees holds the text's method equal to ours.
func TestQuadraticMethodAgrees(t *testing.T) {
	for _, k := range []int{1, 2, 3, 5, 10} {
		t.Run(fmt.Sprintf("k=%d/seed=3", k), func(t *testing.T) {
			g := gametest.Must[*mnk.Game](t)(mnk.MNK(12, 11, k))
			fast, slow := evaluator(t, g), evaluator(t, g)
			rng := rand.New(rand.NewPCG(3, 0))
			for range 200 {
				c := rng.IntN(12 * 11)
				if stone := fast.stones[c]; stone != game.Empty {
					fast.change(c, game.Empty)
					slow.lift2(c)
				} else {
					s := game.Side(rng.IntN(2))
					fast.change(c, s.Stone())
					slow.put2(c, s)
				}
				for i := range fast.cells {
					if fast.stones[i] == game.Empty && (fast.dirs[i] != slow.dirs[i] || fast.cells[i] != slow.cells[i]) {
						t.Fatalf("cell %d: %v, the text's %v on %v", i, fast.dirs[i], slow.dirs[i], fast.stones)
					}
				}
			}
		})
	}
}

// BenchmarkUpdate places and lifts stones among 20 others: two updates an iteration.
func BenchmarkUpdate(b *testing.B) {
	for _, k := range []int{3, 5, 10, 20, 40} {
		for _, update := range []string{"linear", "quadratic"} {
			b.Run(fmt.Sprintf("k=%d/update=%s", k, update), func(b *testing.B) {
				g := gametest.Must[*mnk.Game](b)(mnk.MNK(70, 70, k))
				e := evaluator(b, g)
				rng := rand.New(rand.NewPCG(1, 1))
				order := rng.Perm(70 * 70)
				for i, c := range order[:20] {
					e.change(c, game.Side(i&1).Stone())
				}
				free := order[20:]
				i := 0
				for b.Loop() {
					c, s := free[i%len(free)], game.Side(i&1)
					i++
					if update == "quadratic" {
						e.put2(c, s)
						e.lift2(c)
						continue
					}
					e.change(c, s.Stone())
					e.change(c, game.Empty)
				}
			})
		}
	}
}
