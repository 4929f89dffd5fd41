// SPDX-License-Identifier: Apache-2.0

package greedy_test

import (
	"context"
	"slices"
	"testing"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/greedy"
	"github.com/krow-lab/krow/search/searchtest"
)

func TestConformance(t *testing.T) {
	searchtest.Run(t, func(game.Game) search.Searcher { return greedy.New(table{3: 1}) })
	searchtest.Run(t, func(game.Game) search.Searcher { return greedy.NewEval(lastRow{}) })
}

// table is a MoveScorer that knows the moves by heart.
type table map[game.Move]eval.Score

func (t table) ScoreMove(_ game.Position, m game.Move) eval.Score { return t[m] }

// lastRow likes positions in which s holds many cells of the last row.
type lastRow struct{}

func (lastRow) Evaluate(p game.Position, s game.Side) eval.Score {
	b := p.(game.Board)
	columns, _ := b.Size()
	score := eval.Score(0)
	for _, stone := range b.Cells()[len(b.Cells())-columns:] {
		if stone == s.Stone() {
			score += eval.Unit
		}
	}
	return score
}

// followed is lastRow as an Incremental that checks how it is called.
type followed struct {
	lastRow
	t      *testing.T
	p      game.Position
	played []game.Move
}

func (f *followed) Reset(p game.Position) { f.p, f.played = p, nil }
func (f *followed) Play(m game.Move)      { f.played = append(f.played, m) }
func (f *followed) Undo()                 { f.played = f.played[:len(f.played)-1] }

func (f *followed) Evaluate(p game.Position, s game.Side) eval.Score {
	if h := p.AppendHistory(nil); p != f.p || !slices.Equal(h[len(h)-len(f.played):], f.played) {
		f.t.Errorf("followed %v, history %v", f.played, h)
	}
	return f.lastRow.Evaluate(p, s)
}

func position(t *testing.T, g game.Game, moves ...game.Move) game.Position {
	t.Helper()
	p := g.Start()
	for _, m := range moves {
		if err := game.Play(p, m); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func ticTacToe(t *testing.T) game.Game {
	t.Helper()
	g, err := mnk.TicTacToe(3, 3)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestBestMoveFirstAmongEquals(t *testing.T) {
	tests := []struct {
		name   string
		s      *greedy.Searcher
		moves  []game.Move
		want   game.Move
		solved bool
	}{
		{"best score", greedy.New(table{3: 5, 7: 9, 8: 9}), nil, 7, false},
		{"all equal", greedy.New(table{}), []game.Move{0}, 1, false},
		{"infinite weight proves nothing", greedy.New(table{4: eval.Win(1)}), nil, 4, false},
		{"evaluator", greedy.NewEval(lastRow{}), []game.Move{6}, 7, false},
		{"evaluator sees a win", greedy.NewEval(lastRow{}), []game.Move{0, 3, 1, 4}, 2, true},
		{"evaluator of the other side", greedy.NewEval(lastRow{}), []game.Move{0, 3, 1, 4, 8}, 5, true},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p := position(t, ticTacToe(t), tc.moves...)
			info, err := tc.s.Search(context.Background(), p, search.Limits{}, nil)
			if err != nil || info.PV[0] != tc.want || info.Solved != tc.solved {
				t.Errorf("Search = %+v, %v; want move %d, solved %v", info, err, tc.want, tc.solved)
			}
		})
	}
}

func TestIncrementalIsFollowed(t *testing.T) {
	p := position(t, ticTacToe(t), 0, 6)
	f := &followed{t: t}
	got, _ := greedy.NewEval(f).Search(context.Background(), p, search.Limits{}, nil)
	want, _ := greedy.NewEval(lastRow{}).Search(context.Background(), p, search.Limits{}, nil)
	if got.PV[0] != want.PV[0] || got.Score != want.Score || len(f.played) != 0 {
		t.Errorf("incremental: %+v, left at %v; from scratch: %+v", got, f.played, want)
	}
}

func TestLinesInOrder(t *testing.T) {
	p := position(t, ticTacToe(t), 0)
	var lines []game.Move
	_, err := greedy.New(table{4: 2, 8: 2, 2: 1}).Search(context.Background(), p, search.Limits{Lines: 4}, func(i search.Info) {
		if i.Line != len(lines)+1 {
			t.Errorf("line %d at rank %d", i.Line, len(lines)+1)
		}
		lines = append(lines, i.PV[0])
	})
	if want := []game.Move{4, 8, 2, 1}; err != nil || !slices.Equal(lines, want) {
		t.Errorf("lines %v, %v, want %v", lines, err, want)
	}
}

func TestStopsWithAMove(t *testing.T) {
	p := position(t, ticTacToe(t), 0)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	info, err := greedy.New(table{8: 1}).Search(ctx, p, search.Limits{}, nil)
	if err != nil || info.PV[0] != 1 || info.Nodes != 1 {
		t.Errorf("cancelled: %+v, %v, want move 1 after 1 node", info, err)
	}
	info, err = greedy.New(table{3: 1, 8: 2}).Search(context.Background(), p, search.Limits{Nodes: 3}, nil)
	if err != nil || info.PV[0] != 3 || info.Nodes != 3 {
		t.Errorf("3 nodes: %+v, %v, want move 3", info, err)
	}
}

func TestForbiddenOnlyWhenNothingElseIsLeft(t *testing.T) {
	g, err := mnk.New(mnk.Rules{Name: "foul", Columns: 3, Rows: 3, K: 3, Foul: func(_ []game.Stone, _, _, cell int) string {
		if cell == 5 {
			return "five is right out"
		}
		return ""
	}})
	if err != nil {
		t.Fatal(err)
	}
	likes5 := greedy.New(table{5: 9, 6: 1})
	if info, _ := likes5.Search(context.Background(), g.Start(), search.Limits{}, nil); info.PV[0] != 6 {
		t.Errorf("chose %d, want 6", info.PV[0])
	}
	if info, _ := likes5.Search(context.Background(), position(t, g, 0, 1, 2, 4, 3, 6), search.Limits{Nodes: 1}, nil); info.PV[0] != 7 {
		t.Errorf("chose %d after one node, want 7", info.PV[0])
	}
	last := position(t, g, 0, 1, 2, 3, 4, 6, 7, 8)
	if info, _ := likes5.Search(context.Background(), last, search.Limits{}, nil); info.PV[0] != 5 {
		t.Errorf("chose %d, want 5, the only move", info.PV[0])
	}
}
