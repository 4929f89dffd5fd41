// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"slices"
	"testing"

	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/search"
)

// TestStandard: the seven columns of the empty board of 7 x 6 are worth what Allis and Allen proved in 1988 and Tromp
// later with distances. They come without a search, and mirror images are equal.
func TestStandard(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.Connect4(7, 6, 4))
	s, err := NewSearcher(g, Options{Hash: 1 << 20}, nil)
	if err != nil {
		t.Fatal(err)
	}
	plies := make([]int, 7)
	_, err = s.Search(t.Context(), g.Start(), search.Limits{Lines: 7, Depth: 1}, func(i search.Info) {
		n, sign := i.Score.Distance()
		if plies[i.PV[0]] = n * sign; !i.Solved || i.Nodes > 0 {
			t.Errorf("%+v of a book", i)
		}
	})
	if want := []int{-40, -42, 0, 41, 0, -42, -40}; err != nil || !slices.Equal(plies, want) {
		t.Errorf("columns %v, %v, want %v", plies, err, want)
	}
}

// TestStandardAgrees: the entries of each level were solved by themselves. Where all moves of a position are in the
// book, its score must be that of the best one.
func TestStandardAgrees(t *testing.T) {
	_, s := solver(t, 7, 6, 4, Options{Hash: 1})
	b := standard()
	levels, err := b.levels(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	agree, found := 0, 0
	for _, l := range levels {
		for k, p := range l {
			v, ok := b.scores[k]
			if !ok {
				continue
			}
			found++
			if !b.movesOf(p) {
				continue
			}
			agree++
			if got := b.fromMoves(p); got != int(v) {
				t.Errorf("position %x is worth %+d, and its best move %+d", k, v, got)
			}
		}
	}
	if found != b.Len() || agree == 0 {
		t.Errorf("%d entries, %d of which are positions; %d looked at", b.Len(), found, agree)
	}
}

func (b *Book) movesOf(p Position) bool {
	for _, q := range p.children() {
		if _, ok := b.Score(q); !ok && !q.over() {
			return false
		}
	}
	return true
}

// TestMirrorScores: a position and its image have the same scores, from the other side.
func TestMirrorScores(t *testing.T) {
	_, s := solver(t, 7, 6, 4, Options{Hash: 1 << 20})
	for _, line := range []string{"1234567123456712345671", "44444422222266", "4453566726676534777112"} {
		p, q := s.Start(), s.Start()
		for _, c := range line {
			p, _ = p.Play(int(c - '1'))
			q, _ = q.Play(int('7' - c))
		}
		for c, next := range p.children() {
			image, ok := q.Play(6 - c)
			if got, want := s.Solve(t.Context(), next), s.Solve(t.Context(), image); !ok || got.Lower != want.Lower || !got.Exact() {
				t.Errorf("%s, column %d: %+v, and its image %+v", line, c+1, got, want)
			}
		}
	}
}
