// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// follower plays a strategy against every answer, by the rules of brute.
type follower struct {
	*testing.T
	*brute
	s     *Strategy
	wins  int // lines that were won
	most  int // plies of the longest of these lines
	asked int
}

// attacker plays the strategy's move after moves, and goes on with each answer to it.
func (f *follower) attacker(attacker, defender uint64, moves []int) {
	c, ok := f.s.Move(moves)
	if f.asked++; !ok || attacker>>c&1 == 1 || defender>>c&1 == 1 {
		f.Fatalf("%+v: after %v the strategy says %d, %t", f.s.result.Claim, moves, c, ok)
	}
	attacker |= 1 << c
	moves = append(moves, c)
	if _, ok := f.s.Move(moves); ok {
		f.Fatalf("%+v: after %v the strategy has a move for the other side", f.s.result.Claim, moves)
	}
	if f.attackerRow(attacker, defender, c) {
		f.wins++
		f.most = max(f.most, len(moves))
		for _, more := range []int{0, c} {
			if _, ok := f.s.Move(append(slices.Clone(moves), more)); ok {
				f.Fatalf("%+v: after %v and %d the strategy goes on, and has won", f.s.result.Claim, moves, more)
			}
		}
		return
	}
	f.defender(attacker, defender, moves)
}

func (f *follower) defender(attacker, defender uint64, moves []int) {
	empty := f.empty(attacker, defender)
	if empty == 0 {
		f.Fatalf("%+v: the board is full after %v", f.s.result.Claim, moves)
	}
	for c := -1; c <= f.columns*f.rows; c++ {
		with := append(slices.Clone(moves), c)
		if c < 0 || empty>>c&1 == 0 {
			if _, ok := f.s.Move(with); ok {
				f.Fatalf("%+v: the strategy answers %v, which cannot be played", f.s.result.Claim, with)
			}
			continue
		}
		if f.defenderRow(defender|1<<c, attacker, c) {
			f.Fatalf("%+v: the other side wins by %v", f.s.result.Claim, with)
		}
		f.attacker(attacker, defender|1<<c, with)
	}
}

// written returns the file of a claim and the numbers of its body.
func written(t *testing.T, c Claim, body []uint64) []byte {
	t.Helper()
	var out bytes.Buffer
	err := WriteZones(&out, c, c.Rule, func(z *ZoneWriter) error {
		for _, n := range body {
			z.put(int(n))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestStrategyWins plays strategies of random trees, wins and losses, against all answers. How large a large tree is makes
// no difference.
func TestStrategyWins(t *testing.T) {
	rounds := 30
	if testing.Short() {
		rounds = 4
	}
	strategies, shares, passes, lines, exact := 0, 0, 0, 0, 0
	for _, world := range worlds {
		for _, rule := range world.rules() {
			b := world
			b.rule, b.known = rule, map[[2]uint64]bool{}
			rng := rand.New(rand.NewPCG(uint64(b.columns*100+b.rows), uint64(len(rule))))
			for range rounds {
				c, attacker, defender := start(rng, &b)
				file, ok := strategyOf(rng, &b, &c, &attacker, defender)
				if !ok {
					continue
				}
				s, err := readStrategy(t.Context(), bytes.NewReader(written(t, c, file)), Limits{}, []uint64{1, 2, 5, largeTree}[rng.IntN(4)])
				if err != nil {
					t.Fatalf("%+v: %v: %v", c, file, err)
				}
				f := &follower{T: t, brute: &b, s: s}
				if c.Value == "win" {
					f.attacker(attacker, defender, nil)
				} else {
					f.defender(attacker, defender, nil)
				}
				strategies++
				lines += f.wins
				// On a board as small as these the losing side may have no cell left for a pass, so that no line is as long as Plies.
				line, err := s.longest()
				if err != nil || len(line) > f.most || f.most > s.Result().Plies {
					t.Fatalf("%+v: %v: the longest line is %v (%v); a line has %d plies, of at most %d", c, file, line, err, f.most, s.Result().Plies)
				}
				if m, ok := s.Move(line[:len(line)-1]); !ok || m != line[len(line)-1] {
					t.Fatalf("%+v: %v: the line %v does not end with the strategy's move %d", c, file, line, m)
				}
				if len(line) == s.Result().Plies {
					exact++
				}
				n := uint64(b.columns * b.rows)
				for _, v := range file {
					if v > 2*n {
						shares++
					}
				}
				if !slices.Contains(file, 2*n) {
					passes++
				}
			}
		}
	}
	t.Logf("%d strategies, %d shared trees, %d without All, %d lines won, %d as long as the checker says", strategies, shares, passes, lines, exact)
	if exact < strategies*4/5 || strategies < 9*rounds || shares < strategies/8 || passes < strategies/5 {
		t.Errorf("too little was tested: %d strategies, %d shared trees, %d without All", strategies, shares, passes)
	}
}

// strategyOf grows the tree of a claim. Of some claims it makes a loss: attacker has moved.
func strategyOf(rng *rand.Rand, b *brute, c *Claim, attacker *uint64, defender uint64) (file []uint64, ok bool) {
	if rng.IntN(2) == 0 {
		for _, m := range rng.Perm(b.columns * b.rows) {
			if with := *attacker | 1<<m; b.empty(*attacker, defender)>>m&1 == 1 && !b.attackerRow(*attacker, defender, m) && !b.foul(*attacker, defender, m) && b.loses(with, defender) {
				*attacker = with
				c.Cells = c.Cells[:m] + "X" + c.Cells[m+1:]
				c.Turn, c.Value = "second", "loss"
				break
			}
		}
	}
	z, err := newZones(c)
	if err != nil {
		return nil, false // a row that does not win
	}
	g := &grower{zones: z, brute: b, rng: rng}
	if c.Value == "win" {
		_, ok = g.grow(0)
	} else {
		_, ok = g.answers(0)
	}
	return g.file, ok
}

// TestStrategyFollows has a tree that ends at once, and what the strategy says of lines.
func TestStrategyFollows(t *testing.T) {
	// X on 4. Then 3 wins unless O plays there, and else 5.
	c := Claim{Columns: 9, Rows: 1, K: 2, Cells: strings.Repeat(".", 9), Turn: "first", Value: "win", Rule: Free}
	s, err := ReadStrategy(t.Context(), bytes.NewReader(written(t, c, []uint64{4, 3, 5, 0})), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if r := s.Result(); s.Winner() != "first" || r.Positions != 3 || r.Claim.K != 2 {
		t.Errorf("the strategy is of %s: %+v", s.Winner(), r)
	}
	tests := []struct {
		moves string
		want  string
	}{
		{"[]", "4 true"},
		{"[4]", "0 false"},
		{"[3 4]", "0 false"},
		{"[4 0]", "3 true"},
		{"[4 8]", "3 true"},
		{"[4 3]", "5 true"},
		{"[4 4]", "0 false"},
		{"[4 9]", "0 false"},
		{"[4 -1]", "0 false"},
		{"[4 3 5 0]", "0 false"},
		{"[4 3 6 0]", "0 false"},
	}
	for _, tc := range tests {
		t.Run(tc.moves, func(t *testing.T) {
			var moves []int
			for _, word := range strings.Fields(strings.Trim(tc.moves, "[]")) {
				n := 0
				if _, err := fmt.Sscan(word, &n); err != nil {
					t.Fatal(err)
				}
				moves = append(moves, n)
			}
			c, ok := s.Move(moves)
			if !ok {
				c = 0
			}
			if got := fmt.Sprint(c, ok); got != tc.want {
				t.Errorf("Move(%s) = %s, want %s", tc.moves, got, tc.want)
			}
		})
	}
}

// TestStrategyRefuses: no strategy comes of a file that Verify refuses, nor of one without zones.
func TestStrategyRefuses(t *testing.T) {
	c := Claim{Columns: 9, Rows: 1, K: 2, Cells: strings.Repeat(".", 9), Turn: "first", Value: "win", Rule: Free}
	good := written(t, c, []uint64{4, 3, 5, 0})
	for i := range good {
		bad := slices.Clone(good)
		bad[i] ^= 4
		if _, err := ReadStrategy(t.Context(), bytes.NewReader(bad), Limits{}); !errors.Is(err, ErrDamaged) {
			t.Errorf("byte %d: error %v, want %v", i, err, ErrDamaged)
		}
	}
	lie, short := written(t, c, []uint64{4, 4, 5, 0}), written(t, c, []uint64{4, 3})
	var other bytes.Buffer
	c.Krow, c.Version, c.Rule = "certificate", Version, ""
	if err := write(&other, c, func(*bufio.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		file []byte
		want error
	}{
		{"nothing", nil, ErrDamaged},
		{"cut off", good[:len(good)-1], ErrDamaged},
		{"false", lie, errTaken},
		{"short", short, ErrShort},
		{"without zones", other.Bytes(), ErrFollow},
		{"too long a walk", good, ErrWork},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			limits := Limits{}
			if tc.want == ErrWork {
				limits.Entered = 2
			}
			if s, err := ReadStrategy(t.Context(), bytes.NewReader(tc.file), limits); s != nil || !errors.Is(err, tc.want) {
				t.Errorf("error %v, want %v", err, tc.want)
			}
		})
	}
}
