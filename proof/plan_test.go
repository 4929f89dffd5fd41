// SPDX-License-Identifier: Apache-2.0

package proof_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/proof"
)

// dice is a Planner that plays random moves by random plans.
type dice struct {
	*rand.Rand
	c proof.Claim
}

func (d dice) Root(proof.Position) (bool, error) { return false, nil }

func (d dice) Move(p proof.Position) (int, error) {
	var free []int
	for c, stone := range p.Cells {
		if stone == game.Empty && (c < d.c.Columns || p.Cells[c-d.c.Columns] != game.Empty) {
			free = append(free, c)
		}
	}
	return free[d.IntN(len(free))], nil
}

func (d dice) Plan(p proof.Position) (cell int, plan proof.Plan, ok bool) {
	plan.Rightmost = d.IntN(2) == 0
	for range d.IntN(6) {
		r := proof.Rule{Cell: d.IntN(len(p.Cells)), After: proof.Always}
		switch d.IntN(4) {
		case 0:
			r.After = d.IntN(len(p.Cells))
		case 1:
			r.Cell = proof.Even
		}
		plan.Rules = append(plan.Rules, r)
	}
	cell, _ = d.Move(p)
	return cell, plan, d.IntN(8) > 0
}

// TestPlansAreTrue claims random values of random positions, and plays random plans: what is accepted is true by exhaustive search.
func TestPlansAreTrue(t *testing.T) {
	tries := 6_000
	switch {
	case os.Getenv("KROW_LONG") != "":
		tries = 100_000
	case testing.Short():
		tries = 3_000
	}
	rng := rand.New(rand.NewPCG(8, 1))
	accepted, values, known := 0, map[string]int{}, map[proof.Claim]string{}
	for range tries {
		c := proof.Claim{Columns: 2 + rng.IntN(4), Rows: 2 + rng.IntN(4), K: 3 + rng.IntN(2), Gravity: true}
		c.Turn, c.Value = "first", [...]string{"win", "draw", "loss"}[rng.IntN(3)]
		empty, cells := 1+rng.IntN(9), bytes.Repeat([]byte("."), c.Columns*c.Rows)
		for n := max(len(cells)-empty, 0); n > 0; {
			if x := rng.IntN(len(cells)); cells[x] == '.' && (x < c.Columns || cells[x-c.Columns] != '.') {
				cells[x] = "XO"[n%2]
				n--
			}
		}
		c.Cells = string(cells)
		var file bytes.Buffer
		if proof.Write(&file, c, dice{rng, c}) != nil {
			continue
		}
		r, err := proof.Verify(t.Context(), bytes.NewReader(file.Bytes()), proof.Limits{})
		if err != nil {
			t.Fatalf("%+v: written, and refused: %v", c, err)
		}
		accepted++
		values[c.Value]++
		c = r.Claim
		c.Value = ""
		if known[c] == "" {
			want, err := truth(c)
			if err != nil {
				t.Fatal(err)
			}
			known[c] = valueOf(want)
		}
		if known[c] != r.Claim.Value {
			t.Errorf("%+v is accepted, and false", r.Claim)
		}
	}
	t.Logf("%d of %d accepted: %v", accepted, tries, values)
	if accepted < tries/20 || len(values) != 3 {
		t.Error("nearly nothing was accepted")
	}
}

// TestPlansAreFollowed plays by certificates with plans against random moves, and by their mirror images: the winner always wins.
func TestPlansAreFollowed(t *testing.T) {
	for _, name := range []string{"v8-connect4.proof", "v8-loss.proof", "v8-win.proof"} {
		file, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		s, err := proof.ReadStrategy(t.Context(), bytes.NewReader(file), proof.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		verified, err := proof.ReadVerified(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		c := s.Result().Claim
		g, err := gameOf(c)
		if err != nil {
			t.Fatal(err)
		}
		side := map[string]game.Side{"first": game.First, "second": game.Second}
		for seed := range uint64(300) {
			s, verified = verified, s // two strategies of one file, in turn
			rng, moves := rand.New(rand.NewPCG(seed, 2)), []int(nil)
			p, err := setUp(g, stones(c.Cells), side[c.Turn])
			if err != nil {
				t.Fatal(err)
			}
			for b := p.(game.Board); p.Outcome() == game.Ongoing; {
				legal := p.AppendMoves(nil)
				m := legal[rng.IntN(len(legal))]
				if p.Turn() == side[s.Winner()] {
					cell, ok := s.Move(moves)
					at := slices.IndexFunc(legal, func(m game.Move) bool { return b.Cell(m) == cell })
					if !ok || at < 0 {
						t.Fatalf("%s: no move after %v", name, moves)
					}
					checkPlanned(t, s, moves, cell)
					m = legal[at]
				}
				moves = append(moves, b.Cell(m))
				p.Play(m)
			}
			if w, won := p.Outcome().Winner(); !won || w != side[s.Winner()] {
				t.Fatalf("%s: %v after %v", name, p.Outcome(), moves)
			}
			if _, ok := s.Move(moves); ok {
				t.Fatalf("%s: a move after the end", name)
			}
		}
		if _, ok := s.Move([]int{c.Columns * c.Rows}); ok {
			t.Errorf("%s: a move after a cell outside the board", name)
		}
	}
	file, err := os.ReadFile(filepath.Join("testdata", "v8-draw.proof"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := proof.ReadStrategy(t.Context(), bytes.NewReader(file), proof.Limits{}); err != proof.ErrFollow {
		t.Errorf("a draw is followed: %v", err)
	}
}

// TestMirroredPositionsHaveFallenStones plays a game in which the certificate has the mirror images of the positions: the move after
// it is playable.
func TestMirroredPositionsHaveFallenStones(t *testing.T) {
	file, err := os.ReadFile("../docs/measurements/certificates/connect4-7x6.proof")
	if err != nil {
		t.Fatal(err)
	}
	s, err := proof.ReadVerified(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	moves := []int{3, 0, 10, 17, 24, 6, 2, 5, 1, 4, 8, 9, 15, 22, 31, 16, 23, 7, 30, 14, 21, 28, 35, 29, 36, 37, 38, 12, 19, 26, 33, 40}
	cell, ok := s.Move(moves)
	if !ok || slices.Contains(moves, cell) || cell >= 7 && !slices.Contains(moves, cell-7) {
		t.Errorf("the move is %d", cell)
	}
}

// checkPlanned checks that the reason for a move fits the move: the rule that it names contains the cell of the move, and the
// opponent has a stone on the cell that the rule requires.
func checkPlanned(t *testing.T, s *proof.Strategy, moves []int, cell int) {
	t.Helper()
	r, ok := s.Planned(moves)
	if !ok || r.Cell != cell {
		t.Fatalf("after %v the move is %d, and the reason is %+v", moves, cell, r)
	}
	number, err := strconv.Atoi(r.Why)
	if err != nil {
		if !slices.Contains([]string{"row", "block", "move", "first", "none"}, r.Why) {
			t.Fatalf("after %v the reason is %q", moves, r.Why)
		}
		return
	}
	rule := r.Plan.Rules[number-1]
	even := rule.Cell == proof.Even && cell/s.Result().Claim.Columns%2 == 1
	theirs := slices.Index(moves, rule.After)
	if rule.Cell != cell && !even || rule.After != proof.Always && (theirs < 0 || (len(moves)-theirs)%2 == 0) {
		t.Fatalf("after %v the move %d does not follow %+v", moves, cell, rule)
	}
}
