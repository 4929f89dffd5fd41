// SPDX-License-Identifier: Apache-2.0

package analysis_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/analysis"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// position returns the position after moves of a game.
func position(t testing.TB, spec, moves string) game.Board {
	t.Helper()
	g, err := krow.Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	p := g.Start()
	if err := notation.Play(p, moves); err != nil {
		t.Fatal(err)
	}
	return p.(game.Board)
}

func newPlayer(t testing.TB, p game.Position, spec string) player.Player {
	t.Helper()
	pl, err := krow.Player(p.Game(), spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	return pl
}

// mute is a player that tells nothing but a move.
type mute func() (game.Move, error)

func (mute) Name() string { return "mute" }

func (f mute) Move(context.Context, game.Position, search.Limits) (game.Move, error) { return f() }

// talker is a player that gives these answers, the last one as its final one.
type talker []search.Info

func (talker) Name() string { return "talker" }

func (talker) Move(context.Context, game.Position, search.Limits) (game.Move, error) {
	panic("an analyst is asked to analyze")
}

func (s talker) Analyze(_ context.Context, _ game.Position, _ search.Limits, report func(search.Info)) (search.Info, error) {
	last := len(s) - 1
	for _, i := range s[:last] {
		report(i)
	}
	return s[last], nil
}

func TestAsk(t *testing.T) {
	p := position(t, "tictactoe", "b2")
	var latest analysis.Latest
	info, err := analysis.Ask(t.Context(), newPlayer(t, p, "minimax:depth=9"), p, search.Limits{Lines: 3}, latest.Put)
	if err != nil {
		t.Fatal(err)
	}
	if info.Best != "a1" || info.Value != "draw" || info.Chance != 0.5 || info.Cells[0] != 0 || info.Moves[0] != 0 || info.Silent {
		t.Errorf("minimax says %+v", info)
	}
	lines := latest.Lines().Lines
	numbers := make([]int, len(lines))
	for i, l := range lines {
		numbers[i] = l.Line
	}
	if !slices.Equal(numbers, []int{1, 2, 3}) || lines[0].Best != "a1" || lines[1].Best != "c1" {
		t.Errorf("lines %v, the first two %s and %s", numbers, lines[0].Best, lines[1].Best)
	}
	if p.Ply() != 1 {
		t.Errorf("the position has %d plies now", p.Ply())
	}
}

func TestAskMute(t *testing.T) {
	p := position(t, "tictactoe", "b2")
	info, err := analysis.Ask(t.Context(), mute(func() (game.Move, error) { return 8, nil }), p, search.Limits{}, nil)
	if err != nil || info.Best != "c3" || !info.Silent {
		t.Errorf("a mute player answers %+v, %v", info, err)
	}
}

// TestAskIllegal cuts a line before its first illegal move, and tells of no line that begins with one.
func TestAskIllegal(t *testing.T) {
	p := position(t, "tictactoe", "b2")
	var told []analysis.Info
	pl := talker{{PV: []game.Move{4, 0}}, {PV: []game.Move{0, 1, 0, 2}}, {PV: []game.Move{0, 99}}}
	info, err := analysis.Ask(t.Context(), pl, p, search.Limits{}, func(i analysis.Info) { told = append(told, i) })
	if err != nil || !slices.Equal(info.PV, []string{"a1"}) {
		t.Errorf("the line is %v, %v; want a1", info.PV, err)
	}
	if len(told) != 1 || !slices.Equal(told[0].PV, []string{"a1", "b1"}) {
		t.Errorf("told %+v, want the line a1 b1", told)
	}
}

func TestAskErrors(t *testing.T) {
	tests := []struct {
		name, moves string
		pl          player.Player
		want        string
	}{
		{"error", "b2", mute(func() (game.Move, error) { return 0, player.ErrCrashed }), "engine stopped"},
		{"panic", "b2", mute(func() (game.Move, error) { panic("index out of range") }), "panic: index out of range"},
		{"illegal", "b2", mute(func() (game.Move, error) { return 4, nil }), "illegal move b2 at ply 2"},
		{"no such move", "b2", mute(func() (game.Move, error) { return 99, nil }), "illegal move 99 at ply 2"},
		{"no move", "b2", mute(func() (game.Move, error) { return game.NoMove, nil }), "illegal move -1 at ply 2"},
		{"illegal line", "b2", talker{{PV: []game.Move{4}}}, "illegal move b2 at ply 2"},
		{"empty line", "b2", talker{{}}, "it found no move"},
		{"over", "a1 a2 b1 b2 c1", mute(func() (game.Move, error) { return 8, nil }), "the game is over: first wins"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			info, err := analysis.Ask(t.Context(), tc.pl, position(t, "tictactoe", tc.moves), search.Limits{}, nil)
			if err == nil || err.Error() != tc.want || info.Moves != nil {
				t.Errorf("Ask = %+v, %v, want the error %q", info, err, tc.want)
			}
		})
	}
}

// TestChance draws scores of players with different scales.
func TestChance(t *testing.T) {
	p := position(t, "tictactoe", "")
	answer := func(score eval.Score) search.Info { return search.Info{Score: score, PV: []game.Move{0}} }
	solved := answer(0)
	solved.Solved = true
	tests := []struct {
		name  string
		scale float64
		info  search.Info
		want  float64
	}{
		{"nothing", player.UsualScale, answer(0), 0.5},
		{"three of four", player.UsualScale, answer(150_000), 0.75},
		{"one of four", 3, answer(-3000), 0.25},
		{"share", player.Share, answer(500), 0.75},
		{"more than all", player.Share, answer(1500), 1},
		{"won", 3, answer(eval.Win(7)), 1},
		{"lost", player.Share, answer(eval.Loss(8)), 0},
		{"drawn", player.Share, solved, 0.5},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			pl := player.FromSearcher(tc.name, constant(tc.info), search.Limits{}).Scaled(tc.scale)
			info, err := analysis.Ask(t.Context(), pl, p, search.Limits{}, nil)
			if err != nil || math.Abs(info.Chance-tc.want) > 1e-9 {
				t.Errorf("chance %v, %v, want %v", info.Chance, err, tc.want)
			}
		})
	}
}

// TestWDL splits the chance where the search tells how likely a draw is, and leaves it where something is proved.
func TestWDL(t *testing.T) {
	p := position(t, "tictactoe", "")
	for _, tc := range []struct {
		info search.Info
		want *analysis.WDL
	}{
		{search.Info{Draw: 0.2}, &analysis.WDL{Win: 0.4, Draw: 0.2, Loss: 0.4}},
		{search.Info{Score: 500, Draw: 0.3}, &analysis.WDL{Win: 0.6, Draw: 0.3, Loss: 0.1}},
		{search.Info{Score: -900, Draw: 0.5}, &analysis.WDL{Win: 0, Draw: 0.1, Loss: 0.9}}, // more draws than there is room for
		{search.Info{Score: 500}, nil},
		{search.Info{Score: eval.Win(5), Draw: 0.3}, nil},
		{search.Info{Draw: 0.3, Solved: true}, nil},
	} {
		tc.info.PV = []game.Move{0}
		pl := player.FromSearcher("", constant(tc.info), search.Limits{}).Scaled(player.Share)
		info, err := analysis.Ask(t.Context(), pl, p, search.Limits{}, nil)
		if err != nil || !reflect.DeepEqual(info.WDL, tc.want) {
			t.Errorf("score %d, draw %v: %v, %v, want %v", tc.info.Score, tc.info.Draw, info.WDL, err, tc.want)
		}
	}
	if text := (&analysis.WDL{Win: 0.405, Draw: 0.206, Loss: 0.389}).String(); text != "win 41%, draw 21%, loss 38%" {
		t.Errorf("in words %q", text)
	}
}

// constant is a search that always gives the same answer.
type constant search.Info

func (c constant) Search(context.Context, game.Position, search.Limits, func(search.Info)) (search.Info, error) {
	return search.Info(c), nil
}

// TestOnlyExpectedResultsAreChances expects that players whose score is an expected result say so, and the others not.
func TestOnlyExpectedResultsAreChances(t *testing.T) {
	tests := []struct {
		game, player string
		want         float64
	}{
		{"ultimate", "best", player.Share},
		{"ultimate", "mcts", player.Share},
		{"connect4", "best", player.Share},
		{"gomoku", "best", 2.2},
		{"mnk:7,7,5", "mnk", 2.2},
		{"mnk:7,7,7", "mnk", player.Share},
		{"gomoku", "mics", 50},
		{"gomoku", "alphabeta", player.UsualScale},
	}
	for _, tc := range tests {
		t.Run(tc.game+"/"+tc.player, func(t *testing.T) {
			if got := newPlayer(t, position(t, tc.game, ""), tc.player).(*player.Searching).Scale(); got != tc.want {
				t.Errorf("scale %v, want %v", got, tc.want)
			}
		})
	}
}

func TestWords(t *testing.T) {
	tests := []struct {
		score        eval.Score
		short, words string
	}{
		{0, "+0", "+0"},
		{41_000, "+41", "+41"},
		{-3500, "-3.5", "-3.5"},
		{1, "+0.001", "+0.001"},
		{123_456, "+123.5", "+123.5"},
		{-1_234_567, "-1235", "-1235"},
		{100_000_000, "+100000", "+100000"},
		{eval.WinBound, "+4.504e+12", "+4.504e+12"},
		{eval.Win(1), "win 1", "win in 1"},
		{eval.Win(11), "win 11", "win in 11"},
		{eval.Loss(8), "loss 8", "loss in 8"},
	}
	p := position(t, "tictactoe", "")
	ask := func(i search.Info) analysis.Info {
		i.PV = []game.Move{0}
		info, err := analysis.Ask(t.Context(), talker{i}, p, search.Limits{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	for _, tc := range tests {
		if i := ask(search.Info{Score: tc.score}); i.Short() != tc.short || i.Words() != tc.words {
			t.Errorf("a score of %d is %q, in words %q; want %q, %q", tc.score, i.Short(), i.Words(), tc.short, tc.words)
		}
	}
	if i := ask(search.Info{Score: 2000, Bound: search.Lower}); i.Short() != ">=+2" || i.Words() != "at least +2" {
		t.Errorf("a lower bound is %q, in words %q", i.Short(), i.Words())
	}
	for _, tc := range []struct {
		score        eval.Score
		bound        search.Bound
		short, words string
	}{
		{eval.Win(9), search.Lower, "win <=9", "win in at most 9"},
		{eval.Win(9), search.Upper, "win >=9", "win in at least 9"},
		{eval.Loss(8), search.Lower, "loss >=8", "loss in at least 8"},
		{eval.Loss(8), search.Upper, "loss <=8", "loss in at most 8"},
	} {
		if i := ask(search.Info{Score: tc.score, Bound: tc.bound}); i.Short() != tc.short || i.Words() != tc.words {
			t.Errorf("%d with bound %d is %q, in words %q; want %q, %q", tc.score, tc.bound, i.Short(), i.Words(), tc.short, tc.words)
		}
	}
	if i := ask(search.Info{Score: eval.Won, Solved: true}); i.Short() != "win" || i.Words() != "win, solved" {
		t.Errorf("a win of unknown distance is %q, in words %q", i.Short(), i.Words())
	}
	if i := ask(search.Info{Solved: true}); i.Short() != "+0" || i.Words() != "draw, solved" {
		t.Errorf("a solved draw is %q, in words %q", i.Short(), i.Words())
	}
}

// TestReview judges a game in which the fifth move, c1, lets the second side win at once.
func TestReview(t *testing.T) {
	p := position(t, "tictactoe", "a1 b2 a3 a2 c1 c2")
	var all []analysis.Judgement
	err := analysis.Review(p, func(p game.Board) (analysis.Info, error) {
		return analysis.Ask(t.Context(), newPlayer(t, p, "minimax:depth=9"), p, search.Limits{}, nil)
	}, func(j analysis.Judgement) error {
		all = append(all, j)
		return nil
	})
	if err != nil || len(all) != 7 {
		t.Fatalf("%d judgements, %v", len(all), err)
	}
	for i, j := range all {
		if j.Ply != 6-i || !j.Solved {
			t.Errorf("judgement %d: %+v", i, j)
		}
	}
	if all[0].Chance != 0 || all[0].Cell != -1 || all[2].Loss != 0.5 || all[2].Best != "c2" || all[6].Chance != 0.5 {
		t.Errorf("judgements %+v", all)
	}
	if p.Ply() != 6 {
		t.Errorf("the position has %d plies now", p.Ply())
	}
}

func TestReviewError(t *testing.T) {
	failed, told := errors.New("no more"), 0
	ask := func(game.Board) (analysis.Info, error) { return analysis.Info{}, failed }
	err := analysis.Review(position(t, "tictactoe", "a1 a2 b1 b2 c1"), ask, func(analysis.Judgement) error { told++; return nil })
	if !errors.Is(err, failed) || told != 1 {
		t.Errorf("Review = %v after %d judgements, want %v after 1", err, told, failed)
	}
}
