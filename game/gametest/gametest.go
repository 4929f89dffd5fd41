// SPDX-License-Identifier: Apache-2.0

// Package gametest is the conformance kit of package game: every game must pass it.
//
//	func TestConformance(t *testing.T) { gametest.Run(t, g) }
package gametest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/krow-lab/krow/game"
)

// games is the number of random games that Run plays. effort limits the length of each game: Run checks up to effort/Moves()
// plies, or 8 if effort/Moves() is smaller. So games of up to 225 moves are played to the end, and boards of thousands of cells
// do not take too long.
const (
	games  = 12
	effort = 60_000
)

// Run plays random games of g with a fixed seed, and checks after each ply that the position obeys the contract of package
// game.
func Run(t *testing.T, g game.Game) {
	t.Helper()
	seen := map[uint64]string{}
	n := uint64(games)
	if testing.Short() {
		n /= 3
	}
	for seed := range n {
		t.Run(fmt.Sprintf("%s/seed=%d", g, seed), func(t *testing.T) {
			playAndCheck(t, g, rand.New(rand.NewPCG(seed, 1)), seen)
		})
	}
}

func playAndCheck(t *testing.T, g game.Game, rng *rand.Rand, seen map[uint64]string) {
	p := g.Start()
	if p.Outcome() != game.Ongoing || p.Turn() != game.First || p.Ply() != 0 {
		t.Fatalf("Start: outcome %v, turn %v, ply %d", p.Outcome(), p.Turn(), p.Ply())
	}
	var played []game.Move
	longest := max(effort/g.Moves(), 8)
	for p.Outcome() == game.Ongoing && len(played) < longest {
		moves := checkMoves(t, p)
		m := moves[rng.IntN(len(moves))]
		checkUndo(t, p, m)
		checkIllegal(t, p, moves)
		checkClone(t, p, m)
		p.Play(m)
		played = append(played, m)
		if got := p.AppendHistory(nil); !slices.Equal(got, played) || p.Ply() != len(played) {
			t.Fatalf("history %v at ply %d, want %v", got, p.Ply(), played)
		}
		checkSetup(t, p, seen)
	}
	if p.Outcome() != game.Ongoing {
		if moves := p.AppendMoves(nil); len(moves) != 0 {
			t.Fatalf("%d moves after the end", len(moves))
		}
		if err := game.Play(p, played[0]); !errors.Is(err, game.ErrOver) {
			t.Fatalf("Play after the end: %v, want ErrOver", err)
		}
	}
	for range played {
		p.Undo()
	}
	if p.Key() != g.Start().Key() || p.Ply() != 0 || p.Outcome() != game.Ongoing {
		t.Fatalf("undone to ply %d, key %x, want the start", p.Ply(), p.Key())
	}
}

// checkMoves returns the legal moves. It fails the test unless they are in order and in range, and Parse reads back what Format
// writes.
func checkMoves(t *testing.T, p game.Position) []game.Move {
	t.Helper()
	moves := p.AppendMoves([]game.Move{game.NoMove})
	if moves[0] != game.NoMove || len(moves) == 1 {
		t.Fatalf("AppendMoves gave %v; it must append, and an ongoing game has a move", moves)
	}
	moves = moves[1:]
	for i, m := range moves {
		if m < 0 || int(m) >= p.Game().Moves() || i > 0 && moves[i-1] >= m {
			t.Fatalf("moves %v are not in increasing order within [0, %d)", moves, p.Game().Moves())
		}
	}
	if a, ok := p.(game.LegalTester); ok {
		next := 0
		for m := range game.Move(p.Game().Moves()) {
			want := next < len(moves) && moves[next] == m
			if want {
				next++
			}
			if a.Allows(m) != want {
				t.Fatalf("Allows(%s) = %t, and AppendMoves gave %v", p.Game().Format(m), !want, moves)
			}
		}
	}
	m := moves[len(moves)/2]
	if got, err := p.Game().Parse(p.Game().Format(m)); err != nil || got != m {
		t.Fatalf("Parse(Format(%d)) = %d, %v (%s)", m, got, err, p.Game().Format(m))
	}
	return moves
}

// checkUndo plays m, takes it back, and checks that the position is the same as before.
func checkUndo(t *testing.T, p game.Position, m game.Move) {
	t.Helper()
	before := Picture(p)
	p.Play(m)
	p.Undo()
	if after := Picture(p); after != before {
		t.Fatalf("Play(%s) and Undo changed\n%s\nto\n%s", p.Game().Format(m), before, after)
	}
}

func checkIllegal(t *testing.T, p game.Position, moves []game.Move) {
	t.Helper()
	before := Picture(p)
	for _, m := range []game.Move{game.NoMove, game.Move(p.Game().Moves()), missing(moves)} {
		if m >= 0 && int(m) < p.Game().Moves() && slices.Contains(moves, m) {
			continue
		}
		var illegal *game.IllegalMoveError
		if err := game.Play(p, m); !errors.As(err, &illegal) {
			t.Fatalf("Play(%d) = %v, want an IllegalMoveError", m, err)
		}
	}
	if after := Picture(p); after != before {
		t.Fatalf("a refused move changed\n%s\nto\n%s", before, after)
	}
}

func missing(moves []game.Move) game.Move {
	for i, m := range moves {
		if m != game.Move(i) {
			return game.Move(i)
		}
	}
	return game.Move(len(moves))
}

// checkClone checks that a clone of p equals p. Then it plays m on the clone, takes back all moves of the clone, and checks
// that p is unchanged.
func checkClone(t *testing.T, p game.Position, m game.Move) {
	t.Helper()
	before := Picture(p)
	q := p.Clone()
	if got := Picture(q); got != before {
		t.Fatalf("a clone of\n%s\nis\n%s", before, got)
	}
	q.Play(m)
	for range q.AppendHistory(nil) {
		q.Undo()
	}
	if after := Picture(p); after != before {
		t.Fatalf("playing on a clone changed\n%s\nto\n%s", before, after)
	}
}

// checkSetup sets up a position from the Setup of p, and checks that it has the same key, moves and outcome. It stores all keys
// in seen, to detect different positions with equal keys.
func checkSetup(t *testing.T, p game.Position, seen map[uint64]string) {
	t.Helper()
	s, ok := p.(game.Settable)
	if !ok {
		t.Fatalf("%T cannot tell its Setup", p)
	}
	setup := s.Setup()
	if b, ok := p.(game.Board); ok && !slices.Equal(b.Cells(), setup.Cells) {
		t.Fatalf("Setup().Cells differ from Cells()")
	}
	what := string(appendNumbers(appendNumbers(fmt.Append(nil, setup.Turn), " cells=", setup.Cells), " memory=", setup.Memory))
	if old, ok := seen[p.Key()]; ok && old != what {
		t.Fatalf("key %x stands for two positions:\n%s\n%s", p.Key(), old, what)
	}
	if len(seen) < 20000 {
		seen[p.Key()] = what
	}
	q, err := p.Game().(game.Setter).SetUp(setup)
	if err != nil {
		t.Fatalf("SetUp(Setup()): %v", err)
	}
	if q.Key() != p.Key() || q.Outcome() != p.Outcome() || q.Ply() != p.Ply() || !slices.Equal(q.AppendMoves(nil), p.AppendMoves(nil)) {
		t.Fatalf("set up again:\n%s\nwant\n%s", Picture(q), Picture(p))
	}
	if q.Outcome() == game.Ongoing && q.Turn() != p.Turn() {
		t.Fatalf("set up again: turn %v, want %v", q.Turn(), p.Turn())
	}
}

// Picture returns a text with the results of all methods of p. If the pictures before and after a call are equal, the call left
// p unchanged.
func Picture(p game.Position) string {
	b := fmt.Appendf(nil, "%s turn=%v ply=%d outcome=%v key=%x", p.Game(), p.Turn(), p.Ply(), p.Outcome(), p.Key())
	b = appendNumbers(b, " moves=", p.AppendMoves(nil))
	b = appendNumbers(b, " history=", p.AppendHistory(nil))
	if v, ok := p.(game.Board); ok {
		b = appendNumbers(b, " cells=", v.Cells())
	}
	if v, ok := p.(game.Settable); ok {
		b = appendNumbers(b, " memory=", v.Setup().Memory)
	}
	return string(b)
}

// appendNumbers appends a name and numbers to b. It is several times faster than package fmt, which matters for boards of
// thousands of cells.
func appendNumbers[T game.Move | game.Stone | uint8](b []byte, name string, numbers []T) []byte {
	b = append(b, name...)
	for _, n := range numbers {
		b = append(strconv.AppendInt(b, int64(n), 10), ' ')
	}
	return b
}

// Must returns a function that takes the two results of a constructor. It returns the game, or ends the test if the error is
// not nil.
func Must[G game.Game](t testing.TB) func(G, error) G {
	return func(g G, err error) G {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
}

// Bench plays random games of g, in which all legal moves are equally likely, and reports games and moves per second. The time
// includes Start of each game.
func Bench(b *testing.B, g game.Game) {
	rng := rand.New(rand.NewPCG(1, 2))
	moves := make([]game.Move, 0, g.Moves())
	games, plies := 0, 0
	for b.Loop() {
		p := g.Start()
		for p.Outcome() == game.Ongoing {
			moves = p.AppendMoves(moves[:0])
			// The upper 32 bits of the product are a random index, computed without a division. The probabilities of the
			// indices differ by at most 2^-32.
			p.Play(moves[uint64(rng.Uint32())*uint64(len(moves))>>32])
		}
		games++
		plies += p.Ply()
	}
	b.ReportMetric(float64(games)/b.Elapsed().Seconds(), "games/s")
	b.ReportMetric(float64(plies)/b.Elapsed().Seconds(), "moves/s")
}
