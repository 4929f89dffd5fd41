// SPDX-License-Identifier: Apache-2.0

package prover_test

import (
	"bufio"
	"context"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/krow-lab/krow/engine/ultimate/prover"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/search"
)

// Games of the engine against itself with 20,000 nodes a move, after two random plies.
const (
	games  = "testdata/games.txt"
	unseen = "testdata/unseen.txt"
	played = "testdata/played.txt"
)

// mined returns the positions after the given number of plies in the games of a file that are long enough.
func mined(t *testing.T, file string, ply int) (ps []*ultimate.Position) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		moves := strings.Fields(in.Text())
		if strings.HasPrefix(in.Text(), "#") || len(moves) <= ply {
			continue
		}
		p := ultimate.New(ultimate.Rules{}).Start()
		if err := notation.Play(p, strings.Join(moves[:ply], " ")); err != nil {
			t.Fatal(err)
		}
		ps = append(ps, p.(*ultimate.Position))
	}
	return ps
}

// replay follows a proof by the rules alone: side plays the prover's moves, and must get at least the proved result, whatever the
// other side plays.
type replay struct {
	t    *testing.T
	s    *prover.Prover
	side game.Side
	want int // 1, 0 or -1 for side
	seen map[uint64]bool
	left int // positions that may still be followed in full
	full bool
	rng  *rand.Rand
}

// follow tries every answer, or after too many positions a random one, and reports whether it tried all.
func (r *replay) follow(p *ultimate.Position) bool {
	if p.Outcome() != game.Ongoing {
		got := 0
		if w, ok := p.Outcome().Winner(); ok {
			got = map[bool]int{true: 1, false: -1}[w == r.side]
		}
		if got < r.want {
			r.t.Fatalf("%v ends with %d for %v, proved was %d", p.AppendHistory(nil), got, r.side, r.want)
		}
		return true
	}
	if r.seen[p.Key()] {
		return true
	}
	r.seen[p.Key()] = true
	r.left--
	moves := p.AppendMoves(nil)
	if p.Turn() == r.side {
		a := r.s.Solve(context.Background(), p.Board(), search.Limits{})
		if a.Low < r.want {
			r.t.Fatalf("%v is worth %d, promised was %d", p.AppendHistory(nil), a.Low, r.want)
		}
		moves = append(moves[:0], game.Move(a.Best))
	} else if r.left <= 0 {
		moves[0] = moves[r.rng.IntN(len(moves))]
		moves = moves[:1]
		r.full = false
	}
	for _, m := range moves {
		if err := game.Play(p, m); err != nil {
			r.t.Fatal(err)
		}
		r.follow(p)
		p.Undo()
	}
	return r.full
}

// both follows the proofs of p for each side that is proved to get more than a loss, and reports whether it tried all answers.
func both(t *testing.T, s *prover.Prover, p *ultimate.Position, value, positions int) bool {
	full := true
	for _, side := range []game.Side{p.Turn(), p.Turn().Other()} {
		if value >= 0 {
			r := &replay{t, s, side, value, map[uint64]bool{}, positions, true, rand.New(rand.NewPCG(1, 2))}
			full = r.follow(p) && full
			for seed := uint64(0); !r.full && seed < 20; seed++ {
				again := &replay{t, s, side, value, map[uint64]bool{}, 0, true, rand.New(rand.NewPCG(seed, 3))}
				again.follow(p)
			}
		}
		value = -value
	}
	return full
}

// TestProofsReplay follows proofs of positions late in the engine's games by the rules.
func TestProofsReplay(t *testing.T) {
	s := prover.New(prover.Options{Hash: 16 << 20})
	full := 0
	for _, p := range mined(t, games, 46)[:20] {
		a := s.Solve(t.Context(), p.Board(), search.Limits{})
		if !a.Solved() {
			t.Fatalf("%v: %d to %d", p.AppendHistory(nil), a.Low, a.High)
		}
		if both(t, s, p, a.Low, 2000) {
			full++
		}
	}
	if full < 10 {
		t.Errorf("only %d of 20 proofs were followed in full", full)
	}
}
