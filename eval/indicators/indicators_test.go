// SPDX-License-Identifier: Apache-2.0

package indicators_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/ultimate"
)

var (
	_ eval.Evaluator  = (*indicators.Scorer)(nil)
	_ eval.MoveScorer = (*indicators.Scorer)(nil)
)

// draw returns the position of the nine drawn rows, X or O to move, free to choose its board. Everything but
// X, O and the dots is decoration.
func draw(t *testing.T, g *ultimate.Game, drawing string, turn game.Side) *ultimate.Position {
	t.Helper()
	s := game.Setup{Cells: make([]game.Stone, 81), Turn: turn}
	n := 0
	for _, r := range drawing {
		i := strings.IndexRune(".XO", r)
		if i < 0 {
			continue
		}
		// The top row is drawn first, and row 0 of a board is the bottom one.
		s.Cells[n%9+9*(8-n/9)] = game.Stone(i)
		s.Ply += min(i, 1)
		n++
	}
	p, err := g.SetUp(s)
	if err != nil || n != 81 {
		t.Fatalf("%d cells: %v", n, err)
	}
	return p.(*ultimate.Position)
}

// busy has something for each indicator: X owns board 1, board 2 is full, X threatens 53, O threatens
// 66, 81 and 88, and boards 3 and 7 are empty.
const busy = `
	X X X | X O X | . . .
	O O . | X O O | . . .
	. . . | O X X | . . .
	------+-------+------
	. O . | X X . | . . .
	X . . | . . . | O O .
	. . . | . O . | . . X
	------+-------+------
	. . . | . O . | . . .
	. . . | O . . | . X .
	. . . | O . O | . . .`

// says is what some indicators say; the others say 0.
type says map[indicators.Indicator]int8

func TestIndicators(t *testing.T) {
	tests := []struct {
		name, move string
		turn       game.Side
		ever       bool
		want       says
	}{
		{"a corner, sent to an empty board", "97", game.First, false, says{
			indicators.Corner: 1, indicators.Empty: 1,
		}},
		{"an edge, sent to a board of one each", "94", game.First, false, says{
			indicators.Edge: 1, indicators.OwnStones: 1, indicators.EnemyStones: 1,
		}},
		{"one each, which either side can still win", "94", game.First, true, says{
			indicators.Edge: 1, indicators.OwnStones: 1, indicators.EnemyStones: 1, indicators.EnemyCanWin: 1,
			indicators.Either: 1,
		}},
		{"the centre, sent to a board that the mover can win", "75", game.First, false, says{
			indicators.Centre: 1, indicators.OwnStones: 2, indicators.EnemyStones: 1, indicators.Either: 1,
		}},
		{"the same board, which the opponent can win", "75", game.Second, false, says{
			indicators.Centre: 1, indicators.OwnStones: 1, indicators.EnemyStones: 2, indicators.EnemyCanWin: 1,
			indicators.Either: 1,
		}},
		{"sent to a won board", "71", game.Second, false, says{
			indicators.Corner: 1, indicators.OwnStones: 2, indicators.EnemyStones: 3, indicators.Decided: 1,
		}},
		{"sent to a full board", "72", game.First, false, says{
			indicators.Edge: 1, indicators.OwnStones: 5, indicators.EnemyStones: 4, indicators.Decided: 1,
		}},
		{"a capture, which closes the board", "53", game.First, false, says{
			indicators.Corner: 1, indicators.Capture: 1, indicators.Empty: 1,
		}},
		{"a block", "53", game.Second, false, says{
			indicators.Corner: 1, indicators.Block: 1, indicators.Empty: 1,
		}},
		{"a capture of the board sent to", "66", game.Second, false, says{
			indicators.Edge: 1, indicators.Capture: 1, indicators.OwnStones: 3, indicators.EnemyStones: 1,
			indicators.Decided: 1,
		}},
		{"back to the same board, its new stone counted", "77", game.First, false, says{
			indicators.Corner: 1, indicators.OwnStones: 1,
		}},
		{"a forked board is one that can be won", "98", game.First, false, says{
			indicators.Edge: 1, indicators.EnemyStones: 4, indicators.EnemyCanWin: 1, indicators.Either: 1,
		}},
	}
	g := ultimate.New(ultimate.Rules{})
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			s, err := indicators.New(g, indicators.Options{Ever: tc.ever})
			if err != nil {
				t.Fatal(err)
			}
			m, err := g.Parse(tc.move)
			if err != nil {
				t.Fatal(err)
			}
			var want indicators.Vector
			for i, n := range tc.want {
				want[i] = n
			}
			got := s.Indicators(draw(t, g, busy, tc.turn), m)
			for i := range indicators.Indicator(indicators.Count) {
				if got[i] != want[i] {
					t.Errorf("%s of %s is %d, want %d on%s", i, tc.move, got[i], want[i], busy)
				}
			}
		})
	}
}

// TestOpenBoards looks at boards that are won and stay open.
func TestOpenBoards(t *testing.T) {
	const drawing = `
	X X X | . . . | . . .
	O O . | . . . | . . .
	. . . | . . . | . . .
	------+-------+------
	. . . | . . . | . . .
	. . . | . . . | . . .
	. . . | . . . | . . .
	------+-------+------
	. . . | . . . | . . .
	. . . | . . . | . . .
	. . . | . . . | . . .`
	g := ultimate.New(ultimate.Rules{Open: true})
	s, _ := indicators.New(g, indicators.Options{})
	p := draw(t, g, drawing, game.Second)
	m, _ := g.Parse("16")
	want := indicators.Vector{indicators.Edge: 1, indicators.Empty: 1}
	if got := s.Indicators(p, m); got != want {
		t.Errorf("a line in a board that is the other's: %v, want %v", got, want)
	}
	m, _ = g.Parse("91")
	want = indicators.Vector{indicators.Corner: 1, indicators.OwnStones: 2, indicators.EnemyStones: 3, indicators.Decided: 1}
	if got := s.Indicators(p, m); got != want {
		t.Errorf("sent to a board that is won and open: %v, want %v", got, want)
	}
}

// won is a game that X wins in the centre board, with 55.
const won = `
	X X X | . . . | . . .
	. O O | . O . | . . .
	. . . | . . . | . . .
	------+-------+------
	. . . | X . . | . . .
	. . . | . . . | . . .
	. . . | . O X | . . .
	------+-------+------
	. O . | O . . | X . O
	. . . | . . . | X . O
	. . . | . . . | X . .`

func TestScoreOfMoves(t *testing.T) {
	tests := []struct {
		name, drawing, move string
		o                   indicators.Options
		want                eval.Score
	}{
		{"corner 2, empty 1", busy, "97", indicators.Options{}, 3000},
		{"centre 3, own stones 2, enemy stones 1", busy, "75", indicators.Options{}, 6000},
		{"and one for either", busy, "75", indicators.Options{Either: true}, 7000},
		{"blocks are off", busy, "88", indicators.Options{}, 7000},
		{"blocks are on", busy, "88", indicators.Options{Block: true}, 8000},
		{"a won game", won, "55", indicators.Options{}, eval.Win(1)},
	}
	g := ultimate.New(ultimate.Rules{})
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			s, err := indicators.New(g, tc.o)
			if err != nil {
				t.Fatal(err)
			}
			m, _ := g.Parse(tc.move)
			if got := s.ScoreMove(draw(t, g, tc.drawing, game.First), m); got != tc.want {
				t.Errorf("ScoreMove(%s) = %d, want %d on%s", tc.move, got, tc.want, tc.drawing)
			}
		})
	}
}

// TestEvaluate holds that a leaf is the last move's score for its mover, that nothing changes the position,
// and that rounding is to thousandths.
func TestEvaluate(t *testing.T) {
	for _, rules := range []ultimate.Rules{{}, {Open: true}, {Draw: ultimate.Boards}} {
		g := ultimate.New(rules)
		w := indicators.Default()
		w[indicators.OwnStones], w[indicators.Decided] = -0.33349, -2.5
		s, err := indicators.New(g, indicators.Options{Weights: w, Block: true, Either: true})
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(20) {
			play(t, g, s, rand.New(rand.NewPCG(seed, 5)))
		}
	}
}

func play(t *testing.T, g game.Game, s *indicators.Scorer, rng *rand.Rand) {
	p := g.Start()
	if got := s.Evaluate(p, game.First); got != 0 {
		t.Fatalf("the start is worth %d", got)
	}
	for p.Outcome() == game.Ongoing {
		moves := p.AppendMoves(nil)
		m := moves[rng.IntN(len(moves))]
		mover := p.Turn()
		key := p.Key()
		score := s.ScoreMove(p, m)
		if p.Key() != key {
			t.Fatalf("ScoreMove(%s) changed the position after %v", g.Format(m), p.AppendHistory(nil))
		}
		p.Play(m)
		if _, sign := score.Distance(); sign != 0 {
			score += eval.Score(sign) // the same win, a ply later
		}
		key = p.Key()
		got, other := s.Evaluate(p, mover), s.Evaluate(p, mover.Other())
		if got != score || other != -score || p.Key() != key {
			t.Fatalf("%s scored %d, then the leaf %d and %d; after %v", g.Format(m), score, got, other, p.AppendHistory(nil))
		}
	}
}

// TestLosingMove is about the one way to lose by one's own move: to fill the last board with fewer won.
func TestLosingMove(t *testing.T) {
	const drawing = `
	X X X | X X X | X O X
	. . . | . . . | O X O
	. . . | . . . | O X O
	------+-------+------
	X O X | X O X | O O O
	O X O | O X O | . . .
	O X O | O X O | . . .
	------+-------+------
	X O X | X O X | X O X
	O X O | O X O | O X O
	O X O | O X O | O X .`
	g := ultimate.New(ultimate.Rules{Draw: ultimate.Boards})
	s, _ := indicators.New(g, indicators.Options{})
	p := draw(t, g, drawing, game.Second)
	m, _ := g.Parse("99")
	if got := s.ScoreMove(p, m); got != eval.Loss(1) {
		t.Errorf("ScoreMove(99) = %d, want %d", got, eval.Loss(1))
	}
}

func TestNew(t *testing.T) {
	other, err := mnk.TicTacToe(3, 3)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := indicators.New(other, indicators.Options{}); err == nil {
		t.Error("New(tictactoe) gave no error")
	}
	w := indicators.Default()
	w[indicators.Win] = 5
	if _, err := indicators.New(ultimate.New(ultimate.Rules{}), indicators.Options{Weights: w}); err == nil {
		t.Error("New with a finite weight of a win gave no error")
	}
	want := indicators.Weights{2, 3, 1, 1, 1, 1, 1, 1, 1, math.Inf(1), 1, 1}
	if got := indicators.Default(); got != want {
		t.Errorf("Default() = %v, want %v", got, want)
	}
}

func BenchmarkScoreMove(b *testing.B) {
	g := ultimate.New(ultimate.Rules{})
	s, err := indicators.New(g, indicators.Options{})
	if err != nil {
		b.Fatal(err)
	}
	p := g.Start()
	for range 20 {
		p.Play(p.AppendMoves(nil)[0])
	}
	moves := p.AppendMoves(nil)
	for b.Loop() {
		for _, m := range moves {
			s.ScoreMove(p, m)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(moves)), "ns/move")
}
