// SPDX-License-Identifier: Apache-2.0

package request

import (
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/bot"
)

func TestMain(m *testing.M) {
	bot.Serve(krow.Game)
	m.Run()
}

// TestSourceTestsRun runs the tests that a source declares.
func TestSourceTestsRun(t *testing.T) {
	p, err := bot.New("tested", []byte(`
tests = [
    ("tictactoe", "a1 b2", "b1|c1"),
    ("tictactoe", "a1 b2", "c3"),
    ("tictactoe", "a1 a1", "c3"),
    ("chess", "", "e4"),
    ("tictactoe", "", "z9"),
]
def choose(position, clock):
    return position.moves()[0]
`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := RunTests(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, r := range got {
		word := "failed"
		switch {
		case r.Passed:
			word = "passed"
		case r.Error != "":
			word = "error"
		}
		all = append(all, word+" "+r.Played)
	}
	if want := []string{"passed b1", "failed b1", "error ", "error ", "error "}; !slices.Equal(all, want) {
		t.Errorf("%q, want %q", all, want)
	}
}

// TestTrial plays a game to its end and hears what the bot prints and draws, and the same of one that fails.
func TestTrial(t *testing.T) {
	play := func(source string) (moves []TrialMove, end TrialEnd) {
		t.Helper()
		p, err := bot.New("tried", []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		b, err := PositionOf("tictactoe", "", "")
		if err != nil {
			t.Fatal(err)
		}
		trial := Trial{Position: b, Side: game.First, Bot: p, Seed: 1, Opponent: func(seed uint64) (player.Player, error) {
			return krow.Player(b.Game(), "rules", seed)
		}}
		end, err = trial.Play(t.Context(), func(m TrialMove) error { moves = append(moves, m); return nil })
		if err != nil {
			t.Fatal(err)
		}
		return moves, end
	}
	moves, end := play("def choose(position, clock):\n    print('at', position.ply)\n    draw(4, text=7, colour='red')\n    return position.moves()[0]\n")
	if end.Outcome != "second wins" || end.Bot || len(moves) < 5 {
		t.Fatalf("%d moves, %+v", len(moves), end)
	}
	first, second := moves[0], moves[1]
	if !first.Bot || second.Bot || first.Steps == 0 || first.Board.Ply != 1 || len(second.Lines) != 0 {
		t.Errorf("the first moves are %+v and %+v", first, second)
	}
	if l := first.Lines; len(l) != 2 || l[0].Text != "at 0" || len(l[1].Marks) != 1 || l[1].Marks[0] != (bot.Mark{Cell: 4, Colour: "red", Text: "7"}) {
		t.Errorf("the lines of the first move are %+v", l)
	}
	moves, end = play("def choose(position, clock):\n    print('here')\n    if position.ply:\n        fail('no idea')\n    return position.moves()[0]\n")
	if len(moves) != 2 || !end.Bot || end.Outcome != "second wins" || !strings.HasPrefix(end.Reason, "line 4: ") || len(end.Lines) == 0 || end.Lines[0].Text != "here" {
		t.Errorf("%d moves, %+v, want a forfeit in line 4", len(moves), end)
	}
}
