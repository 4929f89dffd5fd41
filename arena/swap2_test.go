// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/opening"
	"github.com/krow-lab/krow/search"
)

// opener plays the lowest move, and answers swap2 by a script: for 0, 3 and 5 stones, or an error.
type opener struct {
	swap2 map[int]opening.Answer
	slow  bool
	wait  time.Duration // before each answer and move
}

func (opener) Name() string { return "opener" }

func (o opener) Move(_ context.Context, p game.Position, _ search.Limits) (game.Move, error) {
	time.Sleep(o.wait)
	return p.AppendMoves(nil)[0], nil
}

func (o opener) Swap2(ctx context.Context, b game.Board, _ search.Limits) (opening.Answer, error) {
	time.Sleep(o.wait)
	if o.slow {
		<-ctx.Done()
		return opening.Answer{}, ctx.Err()
	}
	a, ok := o.swap2[b.Ply()]
	if !ok {
		return a, errors.New("no idea")
	}
	return a, nil
}

// Who proposes alternates, who plays Black follows from the choice, and the record says both.
func TestSwap2Match(t *testing.T) {
	three, one, two := opening.Answer{Moves: []game.Move{40, 41, 42}}, opening.Answer{Moves: []game.Move{80}}, opening.Answer{Moves: []game.Move{80, 79}}
	swap := opening.Answer{Swap: true}
	tests := []struct {
		name    string
		chooses map[int]opening.Answer // the answers of both players
		a       [2]game.Side           // the seat of A in both games of a pair
		stones  int
		moves   int // with the answer
	}{
		{"White is chosen", map[int]opening.Answer{0: three, 3: one}, [2]game.Side{game.First, game.Second}, 3, 4},
		{"Black is chosen", map[int]opening.Answer{0: three, 3: swap}, [2]game.Side{game.Second, game.First}, 3, 3},
		{"two more, then Black", map[int]opening.Answer{0: three, 3: two, 5: swap}, [2]game.Side{game.First, game.Second}, 5, 5},
		{"two more, then White", map[int]opening.Answer{0: three, 3: two, 5: {Moves: []game.Move{0}}}, [2]game.Side{game.Second, game.First}, 5, 6},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			f := func(uint64) (player.Player, error) { return opener{swap2: tc.chooses}, nil }
			m := Match{Game: gomoku9, A: Factory{"a", f}, B: Factory{"b", f}, Games: 2, Seed: 1, Opening: "swap2", Times: true}
			m.OnGame = func(r record.Game) error {
				if r.A != tc.a[r.Index] || r.Opening != tc.stones || r.Forfeited() || len(r.Times) != len(r.Moves)-tc.stones {
					t.Errorf("game %d: A is %v, %d stones, %d times of %d moves, %s", r.Index, r.A, r.Opening, len(r.Times), len(r.Moves), r.Reason)
				}
				if r.Moves[2] != 42 || tc.moves > 3 && r.Moves[3] != 80 {
					t.Errorf("moves %v", r.Moves)
				}
				m.Played = append(m.Played, r)
				return nil
			}
			sum, err := m.Run(t.Context())
			if err != nil || sum.Games != 2 || sum.Forfeits != 0 {
				t.Fatalf("%+v, %v", sum, err)
			}
			again := m
			again.OnGame = nil
			if same, err := again.Run(t.Context()); err != nil || same.AWins != sum.AWins || same.FirstWins != sum.FirstWins {
				t.Errorf("gone on: %+v, %v, want %+v", same, err, sum)
			}
		})
	}
}

// A fault in the opening forfeits the game, whoever's it is.
func TestSwap2Forfeits(t *testing.T) {
	good := opener{swap2: map[int]opening.Answer{0: {Moves: []game.Move{1, 2, 3}}, 3: {Swap: true}}}
	illegal := opener{swap2: map[int]opening.Answer{0: {Moves: []game.Move{1, 2, 2}}, 3: {Moves: []game.Move{1}}}}
	for name, tc := range map[string]struct {
		a      player.Player
		reason [2]string // as proposer, and as the one who chooses
	}{
		"error":   {opener{}, [2]string{"error: no idea", "error: no idea"}},
		"illegal": {illegal, [2]string{"illegal move c1 at ply 3: the cell is taken", "illegal move b1 at ply 4: the cell is taken"}},
		"late":    {opener{slow: true}, [2]string{record.ReasonTime, record.ReasonTime}},
		"random":  {player.NewRandom(1), [2]string{"error: random does not know swap2", "error: random does not know swap2"}},
	} {
		m := Match{
			Game: gomoku9, Games: 2, Opening: "swap2", Limits: search.Limits{Time: 20 * time.Millisecond}, Margin: time.Minute,
			A: Factory{"a", func(uint64) (player.Player, error) { return tc.a, nil }},
			B: Factory{"b", func(uint64) (player.Player, error) { return good, nil }},
		}
		m.OnGame = func(r record.Game) error {
			if r.Reason != tc.reason[r.Index] {
				t.Errorf("%s: game %d ends by %q, want %q", name, r.Index, r.Reason, tc.reason[r.Index])
			}
			return nil
		}
		if sum, err := m.Run(t.Context()); err != nil || sum.AForfeits != 2 || sum.BWins != 2 {
			t.Errorf("%s: %+v, %v, want two forfeits of A", name, sum, err)
		}
	}
	if m := (Match{Game: gomoku9, Opening: "swap2", RandomPlies: 2}); m.Check() == nil {
		t.Error("swap2 and random plies are taken together")
	}
}
