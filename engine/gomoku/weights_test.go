// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPatternOf: each multiset of four shapes below five has one number of its own, whatever the order of the shapes.
func TestPatternOf(t *testing.T) {
	seen := map[[4]shape]int{}
	for code := range uint32(1 << 16) {
		lines := linesOf(code)
		slices.Sort(lines[:])
		p := patternOf(code)
		if q, ok := seen[lines]; ok && p != q {
			t.Fatalf("code %#x has pattern %d, another order of it %d", code, p, q)
		}
		if lines[3] >= five != (p == numPatterns) {
			t.Fatalf("code %#x with %v has pattern %d", code, lines, p)
		}
		seen[lines] = p
		if p < numPatterns {
			if slices.Reverse(lines[:]); Lines(p) != [4]uint8{uint8(lines[0]), uint8(lines[1]), uint8(lines[2]), uint8(lines[3])} {
				t.Fatalf("pattern %d has lines %v, want %v", p, Lines(p), lines)
			}
		}
	}
	numbers := map[int]bool{}
	for lines, p := range seen {
		if p < 0 || p < numPatterns && numbers[p] {
			t.Fatalf("pattern %d stands for %v and for others", p, lines)
		}
		numbers[p] = true
	}
	if len(numbers) != numPatterns+1 {
		t.Errorf("%d patterns, want %d", len(numbers)-1, numPatterns)
	}
}

func TestThreatMask(t *testing.T) {
	var b board
	for range 2000 {
		rng := rand.New(rand.NewPCG(3, uint64(b.plies)))
		for s := range b.counts {
			for c := range b.counts[s] {
				b.counts[s][c] = uint16(max(0, rng.IntN(8)-5))
			}
		}
		for s := range 2 {
			b.turn ^= 1
			me, foe, mask := b.counts[b.turn], b.counts[b.turn.Other()], b.threatMask()
			for bit, want := range map[uint32]bool{
				ownThree:         me[makesThree] > 0 || me[makesThree2] > 0 || me[doubleThree] > 0,
				ownDoubleThree:   me[doubleThree] > 0,
				ownFour:          me[makesFour] > 0 || me[makesFour2] > 0 || me[fourThree] > 0,
				ownFour2:         me[makesFour2] > 0,
				ownFourThree:     me[fourThree] > 0,
				enemyThree:       foe[makesThree] > 0 || foe[makesThree2] > 0 || foe[doubleThree] > 0,
				enemyDoubleThree: foe[doubleThree] > 0,
				enemyFour:        foe[makesFour] > 0 || foe[makesFour2] > 0 || foe[fourThree] > 0,
				enemyFour2:       foe[makesFour2] > 0,
				enemyFourThree:   foe[fourThree] > 0,
				enemyOpenFour:    foe[openFours] > 0,
			} {
				if mask&bit != 0 != want {
					t.Fatalf("side %d: mask %#b, threat %#b should be %v", s, mask, bit, want)
				}
			}
		}
		b.plies++
	}
}

// TestWeightFiles: the embedded weights can be read, and are equal when written again.
func TestWeightFiles(t *testing.T) {
	for _, g := range testGames(t) {
		r := ruleOf(t, g)
		data, err := weightFiles.ReadFile("weights/" + r.name() + ".bin")
		if err != nil {
			t.Fatal(err)
		}
		w, err := ParseWeights(data)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(w.appendTo(nil), data) {
			t.Errorf("%s: weights written again differ", g)
		}
		if renju := r.side[0].renju; renju != (w[0] != w[1]) {
			t.Errorf("%s: the sides' weights are the same, or not", g)
		}
	}
}

// appendTo appends the weights to dst in the format of their file.
func (w *Weights) appendTo(dst []byte) []byte {
	rows := w[:]
	if w[0] == w[1] {
		rows = rows[:1]
	}
	// binary.Append returns no error, because all numbers have a fixed size.
	dst, _ = binary.Append(append(dst, weightsMagic...), binary.LittleEndian, rows)
	return dst
}

func FuzzParseWeights(f *testing.F) {
	one := new(Weights).appendTo(nil)
	f.Add(one)
	f.Add(one[:40])
	f.Add([]byte("krow gomoku weights 2\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := ParseWeights(data)
		if err != nil {
			return
		}
		if got, err := ParseWeights(w.appendTo(nil)); err != nil || *got != *w {
			t.Errorf("written and read again: %v", err)
		}
	})
}
