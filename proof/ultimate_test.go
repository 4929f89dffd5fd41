// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
)

// claimed returns a claim about b, by the rules and not by the checker's copy of them.
func claimed(b *ultimate.Board, value string) Claim {
	c := Claim{
		Krow: "certificate", Version: UltimateVersion, Columns: 9, Rows: 9, K: 3, Turn: game.Side(b.Turn).String(),
		Value: value, Rule: "plain", Forced: "any",
	}
	if b.Rules.Draw == ultimate.Boards {
		c.Rule = "boards"
	}
	if b.Rules.Open {
		c.Rule += ",open"
	}
	if b.Forced < ultimate.Any {
		c.Forced = fmt.Sprint(b.Forced + 1)
	}
	for m := range 81 {
		c.Cells += string(".XO"[b.Stones[0][m/9]>>(m%9)&1+b.Stones[1][m/9]>>(m%9)&1*2])
	}
	for i := range 9 {
		c.Owners += string(".XO"[b.Won[0]>>i&1+b.Won[1]>>i&1*2])
	}
	return c
}

// playedOut returns the positions of a random game.
func playedOut(r ultimate.Rules, rng *rand.Rand) (past []ultimate.Board) {
	var moves [ultimate.Moves]uint8
	b := ultimate.NewBoard(r)
	for past = append(past, b); b.Result == game.Ongoing; past = append(past, b) {
		b.Play(moves[rng.IntN(b.List(&moves))])
	}
	return past
}

// TestNestedRules: the checker's rules are those of the game, move by move and read from a claim.
func TestNestedRules(t *testing.T) {
	for variant := range 4 {
		r := ultimate.Rules{Draw: ultimate.DrawRule(variant & 1), Open: variant > 1}
		rng := rand.New(rand.NewPCG(uint64(variant), 1))
		for range 200 {
			var n nested
			for i, b := range playedOut(r, rng) {
				if i == 0 {
					c := claimed(&b, "draw")
					start, err := c.nested()
					if err != nil {
						t.Fatal(err)
					}
					n = *start
				} else {
					n = n.after(lastMove(&n, &b))
				}
				over, winner := n.result()
				want := map[game.Outcome]int{game.FirstWins: 0, game.SecondWins: 1, game.Draw: -1, game.Ongoing: winner}[b.Result]
				if over != (b.Result != game.Ongoing) || winner != want {
					t.Fatalf("%v: over %v, won by %d: %+v", r, over, winner, b)
				}
				if over {
					break
				}
				for m := range 81 {
					if n.takes(m) != b.Legal(m) {
						t.Fatalf("%v: takes %d: %v: %+v", r, m, n.takes(m), b)
					}
				}
				c := claimed(&b, "draw")
				read, err := c.nested()
				if err != nil {
					t.Fatalf("%+v: %v", c, err)
				}
				swapped := n // in a claim side 0 is to move
				if b.Turn == 1 {
					swapped.stones[0], swapped.stones[1] = n.stones[1], n.stones[0]
					swapped.won[0], swapped.won[1] = n.won[1], n.won[0]
					swapped.turn = 0
				}
				if *read != swapped {
					t.Fatalf("%+v is read as %+v, want %+v", c, read, swapped)
				}
			}
		}
	}
}

// lastMove returns the move that leads from n to b.
func lastMove(n *nested, b *ultimate.Board) int {
	for m := range 81 {
		was := (n.stones[0][m/9] | n.stones[1][m/9]).has(m % 9)
		if is := (b.Stones[0][m/9]|b.Stones[1][m/9])>>(m%9)&1 == 1; is && !was {
			return m
		}
	}
	panic("no stone was added")
}

// grown is every position that can follow one, and whether the prover reaches his goal in it.
type grown struct {
	nestedWalk
	known map[nested]bool
	left  int // positions that may still be looked at
}

func (g *grown) reaches(n nested) bool {
	if over, winner := n.result(); over {
		return g.good(winner)
	}
	if holds, ok := g.known[n]; ok {
		return holds
	}
	g.left--
	mine := n.turn == g.prover
	holds := !mine
	for m := range 81 {
		if g.left > 0 && n.takes(m) && g.reaches(n.after(m)) == mine {
			holds = mine // and go on: every position is looked at
		}
	}
	g.known[n] = holds
	return holds
}

// TestNestedShortcuts: positions with one key have the same answer, and what is settled is so. Every position that can
// follow random late ones is looked at, for both goals of both sides.
func TestNestedShortcuts(t *testing.T) {
	settled, shared := 0, 0
	for variant := range 4 {
		r := ultimate.Rules{Draw: ultimate.DrawRule(variant & 1), Open: variant > 1}
		rng := rand.New(rand.NewPCG(uint64(variant), 2))
		for range 40 {
			past := playedOut(r, rng)
			b := past[max(0, len(past)-5-rng.IntN(8))]
			c := claimed(&b, "draw")
			n, err := c.nested()
			if err != nil {
				t.Fatal(err)
			}
			for goal := range 4 {
				g := &grown{nestedWalk{part: part{prover: goal & 1, wins: goal > 1}}, map[nested]bool{}, 3000}
				if g.reaches(*n); g.left <= 0 {
					continue
				}
				keys := map[[3]uint64]nested{}
				for at, holds := range g.known {
					if g.settled(&at) {
						settled++
						if !holds {
							t.Fatalf("%v, prover %+v: settled, and not reached: %+v", r, g.part, at)
						}
					}
					if at.turn != g.prover {
						continue
					}
					if other, ok := keys[at.key()]; ok {
						shared++
						if g.known[other] != holds {
							t.Fatalf("%v, prover %+v: one key, and not one answer: %+v, %+v", r, g.part, at, other)
						}
					}
					keys[at.key()] = at
				}
			}
		}
	}
	if settled < 1000 || shared < 1000 {
		t.Errorf("%d positions settled, %d with the key of another: this tests too little", settled, shared)
	}
	t.Logf("%d positions settled, %d with the key of another", settled, shared)
}

// TestNestedClaims refuses claims about no position.
func TestNestedClaims(t *testing.T) {
	set := func(text string, at int, letter string) string { return text[:at] + letter + text[at+1:] }
	row := strings.Repeat(".", 81)
	row = set(set(set(row, 9, "X"), 10, "X"), 11, "X") // in the second small board
	both := set(set(set(row, 15, "O"), 16, "O"), 17, "O")
	tests := []struct {
		name   string
		change func(*Claim)
		want   string
	}{
		{"as it is", func(*Claim) {}, ""},
		{"a small board won", func(c *Claim) { c.Cells, c.Owners = row, ".X......." }, ""},
		{"a row of both", func(c *Claim) { c.Cells, c.Owners, c.Rule = both, ".O.......", "boards,open" }, ""},
		{"forced", func(c *Claim) { c.Forced = "9" }, ""},
		{"forced into one that is won and open", func(c *Claim) { c.Cells, c.Owners, c.Rule, c.Forced = row, ".X.......", "plain,open", "2" }, ""},
		{"forced into one that is won", func(c *Claim) { c.Cells, c.Owners, c.Forced = row, ".X.......", "2" }, `nobody can play in the small board "2"`},
		{"forced nowhere", func(c *Claim) { c.Forced = "" }, `nobody can play in the small board ""`},
		{"forced into two", func(c *Claim) { c.Forced = "12" }, `nobody can play in the small board "12"`},
		{"forced beyond", func(c *Claim) { c.Forced = "0" }, `nobody can play in the small board "0"`},
		{"a row of both where a win closes", func(c *Claim) { c.Cells, c.Owners = both, ".O......." }, `the owner of small board 1 is not 'O'`},
		{"a row of nobody", func(c *Claim) { c.Cells = row }, `the owner of small board 1 is not '.'`},
		{"an owner without a row", func(c *Claim) { c.Owners = "O........" }, `the owner of small board 0 is not 'O'`},
		{"the other owner", func(c *Claim) { c.Cells, c.Owners = row, ".O......." }, `the owner of small board 1 is not 'O'`},
		{"an unknown owner", func(c *Claim) { c.Cells, c.Owners = row, ".x......." }, `the owner of small board 1 is not 'x'`},
		{"no owners", func(c *Claim) { c.Owners = "" }, "not a board of ultimate tic-tac-toe"},
		{"another board", func(c *Claim) { c.Rows = 8 }, "not a board of ultimate tic-tac-toe"},
		{"rules", func(c *Claim) { c.Rule = "open" }, `unknown rules "open" of ultimate tic-tac-toe`},
		{"value", func(c *Claim) { c.Value = "fun" }, `the value must be win, draw or loss for first or second, not "fun" for "first"`},
		{"stone", func(c *Claim) { c.Cells = set(c.Cells, 80, "x") }, `cell 80 has the invalid value 'x'`},
		{"over", func(c *Claim) {
			won := "XXX......"
			c.Cells, c.Owners = strings.Repeat(won, 3)+strings.Repeat(".", 54), won
		}, "the game of the certificate is over"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			b := ultimate.NewBoard(ultimate.Rules{})
			c := claimed(&b, "win")
			tc.change(&c)
			got := ""
			if _, err := c.nested(); err != nil {
				got = err.Error()
			}
			if got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}
