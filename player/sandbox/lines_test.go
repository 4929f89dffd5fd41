// SPDX-License-Identifier: Apache-2.0

package sandbox

import (
	"math/rand/v2"
	"slices"
	"testing"

	"go.starlark.net/starlark"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/game/ultimate"
)

// TestIncrementalLinesEqualScan: what a position keeps while moves are played and taken back is what a look at the whole board finds.
func TestIncrementalLinesEqualScan(t *testing.T) {
	var games []game.Game
	add := func(g game.Game, err error) {
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, g)
	}
	add(mnk.MNK(1, 1, 1))
	add(mnk.TicTacToe(3, 3))
	add(mnk.MNK(6, 5, 3))
	add(mnk.Standard(9))
	add(mnk.Connect4(7, 6, 4))
	add(mnk.Pente(9))
	add(renju.New(9))
	games = append(games, ultimate.New(ultimate.Rules{}))
	for _, g := range games {
		t.Run(g.String(), func(t *testing.T) {
			lots := rand.New(rand.NewPCG(1, 5))
			m := &starMatch{beginning: beginning{game: g}, thread: &starlark.Thread{}}
			p := newPosition(m)
			q := g.Start()
			for range 150 {
				if q.Outcome() != game.Ongoing || q.Ply() > 0 && lots.IntN(4) == 0 {
					for range min(q.Ply(), 1+lots.IntN(4)) {
						q.Undo()
					}
				} else {
					q.Play(game.Random(q, lots.IntN))
				}
				p.enter(q, q.Turn())
				for side := range game.Side(2) {
					compare(t, p, side)
				}
			}
		})
	}
}

// compare holds the wins and the windows of a side to a scan of the board.
func compare(t *testing.T, p *position, side game.Side) {
	t.Helper()
	number := sideValue(side)
	got, err := p.listWins(starlark.Tuple{number})
	if err != nil {
		t.Fatal(err)
	}
	if want := p.list(winning(p.p, side)); got.String() != want.String() {
		t.Fatalf("wins(%v) at ply %d: %v, want %v", number, p.p.Ply(), got, want)
	}
	if p.lined == nil {
		return
	}
	want := make([]int, p.lined.K()+1)
	w := newWindows(p.lined)
	for i := range len(w.cells) / w.k {
		row := make([]game.Stone, w.k)
		for j, c := range w.at(int32(i)) {
			row[j] = p.lined.Cells()[c]
		}
		if !slices.Contains(row, side.Other().Stone()) {
			n := 0
			for _, s := range row {
				if s == side.Stone() {
					n++
				}
			}
			want[n]++
		}
	}
	if got, err := p.countWindows(starlark.Tuple{number}); err != nil || got.String() != ints(want).String() {
		t.Fatalf("windows(%v) at ply %d: %v, %v, want %v", number, p.p.Ply(), got, err, want)
	}
}

// winning returns the sound moves that win by a row for a side, whoever is to move.
func winning(p game.Position, side game.Side) (wins []game.Move) {
	if p.Outcome() != game.Ongoing {
		return nil
	}
	for _, m := range game.AppendSound(nil, p) {
		if b, ok := p.(game.Lined); ok && completes(b, side, b.Cell(m)) {
			wins = append(wins, m)
		}
		if u, ok := p.(*ultimate.Position); ok && winsNine(u.Board(), side, m) {
			wins = append(wins, m)
		}
	}
	return wins
}

// winsNine says whether a stone of a side wins its small board, and with it the game.
func winsNine(b ultimate.Board, side game.Side, m game.Move) bool {
	row := func(set uint16) bool {
		return slices.ContainsFunc(ultimate.Lines[:], func(l uint16) bool { return set&l == l })
	}
	board, cell := m/9, m%9
	if b.Closed>>board&1 != 0 || !row(b.Stones[side][board]|1<<cell) {
		return false
	}
	return row(b.Won[side] | 1<<board)
}
