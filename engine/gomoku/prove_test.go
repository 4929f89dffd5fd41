// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/search"
)

// A checker replays reported wins with the rules, which share no code with the engine's board: after each answer of the loser the
// engine must report a win again, until it has won.
type checker struct {
	t *testing.T
	s *Searcher
	// rng draws the answers that are tried where full is 0; all are tried in the first full answers of a line.
	rng  *rand.Rand
	full int
	seen map[uint64]bool
}

// wins checks that the side to move wins by m in the given number of plies.
func (c *checker) wins(p game.Position, m game.Move, plies, full int) {
	c.t.Helper()
	if f, ok := p.(game.Forbidder); ok && f.Forbidden(m) != "" {
		c.t.Fatalf("a forbidden move %s on\n%s", p.Game().Format(m), gametest.Picture(p))
	}
	me := p.Turn()
	p.Play(m)
	defer p.Undo()
	if w, won := p.Outcome().Winner(); won {
		if w != me {
			c.t.Fatalf("the move %s lost on\n%s", p.Game().Format(m), gametest.Picture(p))
		}
		return
	}
	if plies <= 1 || p.Outcome() != game.Ongoing {
		c.t.Fatalf("no win after %s on\n%s", p.Game().Format(m), gametest.Picture(p))
	}
	if c.seen[p.Key()] {
		return
	}
	c.loses(p, plies-1, full)
	c.seen[p.Key()] = true
}

// loses checks that the side to move loses in the given number of plies, whatever it plays.
func (c *checker) loses(p game.Position, plies, full int) {
	c.t.Helper()
	answers := p.AppendMoves(nil)
	if full == 0 {
		c.rng.Shuffle(len(answers), func(i, j int) { answers[i], answers[j] = answers[j], answers[i] })
		answers = answers[:min(len(answers), 3)]
	}
	for _, a := range answers {
		me := p.Turn()
		p.Play(a)
		if w, won := p.Outcome().Winner(); won {
			if w == me {
				c.t.Fatalf("%s wins on\n%s", p.Game().Format(a), gametest.Picture(p))
			}
		} else {
			info := c.announce(p)
			left, sign := info.Score.Distance()
			if !info.Solved || sign != 1 {
				c.t.Fatalf("no win announced against %s, %d plies left, on\n%s", p.Game().Format(a), plies-1, gametest.Picture(p))
			}
			c.wins(p, info.PV[0], left, max(full-1, 0))
		}
		p.Undo()
	}
}

func (c *checker) announce(p game.Position) search.Info {
	info, err := c.s.Search(c.t.Context(), p, search.Limits{Nodes: 300_000}, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	return info
}

// TestAnnouncedWins plays games with many random moves, and checks each win and each loss that the engine reports against every
// answer, and against some answers to the next moves.
func TestAnnouncedWins(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	long := os.Getenv("KROW_LONG") == "1"
	games, most := 1, 6
	if long {
		games, most = 60, 1000
	}
	all := 0
	for _, g := range testGames(t) {
		t.Run(g.String(), func(t *testing.T) {
			announced := map[string]int{}
			for seed := range uint64(games) {
				mine(t, g, seed, most, announced)
			}
			t.Log(announced)
			all += len(announced)
		})
	}
	if all < 20 {
		t.Errorf("%d kinds of announcements in all games", all)
	}
}

// mine plays one game, and checks at most most reported wins and losses.
func mine(t *testing.T, g game.Game, seed uint64, most int, announced map[string]int) {
	rng := rand.New(rand.NewPCG(seed, 9))
	s, err := New(g, Options{Hash: 4 << 20})
	if err != nil {
		t.Fatal(err)
	}
	f, err := NewFeatures(g)
	if err != nil {
		t.Fatal(err)
	}
	p := g.Start()
	for p.Outcome() == game.Ongoing && most > 0 {
		f.Load(p)
		moves := f.Moves(nil)
		m := moves[rng.IntN(len(moves))]
		if p.Ply() >= 4 {
			info, err := s.Search(t.Context(), p, search.Limits{Nodes: 3000}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if info.Solved {
				most--
				checkAnnouncement(t, p, info, rng, announced)
			}
			if rng.IntN(5) > 0 {
				m = info.PV[0]
			}
		}
		p.Play(m)
	}
}

func checkAnnouncement(t *testing.T, p game.Position, info search.Info, rng *rand.Rand, announced map[string]int) {
	t.Helper()
	s, err := New(p.Game(), Options{Hash: 4 << 20})
	if err != nil {
		t.Fatal(err)
	}
	plies, sign := info.Score.Distance()
	c := &checker{t, s, rng, 1, map[uint64]bool{}}
	switch sign {
	case 1:
		c.wins(p, info.PV[0], plies, 1)
		announced[fmt.Sprintf("win %2d", plies)]++
	case -1:
		c.loses(p, plies, 1)
		announced[fmt.Sprintf("loss %2d", plies)]++
	}
}
