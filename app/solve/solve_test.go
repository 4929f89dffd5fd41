// SPDX-License-Identifier: Apache-2.0

package solve

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/proof"
)

// late are moves of ultimate after which the first side wins, quickly proved.
const late = "75 59 94 42 24 44 41 16 63 37 72 23 36 67 74 45 56 61 17 79 93 39 99 96 68 82 21 13 38 89 92 27 78 83 35 51 18 86 69 91 19 98 25 54 49 95"

// at returns a solver of a game and the position after moves.
func at(t *testing.T, spec, moves string, o Options) (*Solver, game.Position) {
	t.Helper()
	g, err := krow.Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	p := g.Start()
	if err := notation.Play(p, moves); err != nil {
		t.Fatal(err)
	}
	o.Hash = cmp.Or(o.Hash, 1<<20)
	s, err := New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	return s, p
}

// TestSolve: a value, the line that keeps it, and what each move is worth agree with one another.
func TestSolve(t *testing.T) {
	tests := []struct {
		name, game, moves string
		weak              bool
		want              string
	}{
		{"win in one", "connect4:4x4", "112233", false, "win in 1 ply, score +5"},
		{"draw", "connect4:4x4", "", false, "draw in 16 plies, score +0"},
		{"loss", "connect4:6x4", "", true, "loss"},
		{"falling stones in two words", "connect4:9x7,k=3", "", false, "win in 9 plies, score +28"},
		{"m,n,k", "mnk:4,3,3", "", false, "win"},
		{"m,n,k draw", "tictactoe", "b2 a1", false, "draw"},
		{"m,n,k loss", "tictactoe", "a1 a2 b2", false, "loss"},
		{"ultimate", "ultimate", late, false, "win"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			s, p := at(t, tc.game, tc.moves, Options{Weak: tc.weak})
			reports := 0
			v, err := s.Solve(t.Context(), p, func(Solution) { reports++ })
			if err != nil || v.String() != tc.want || !v.Solved {
				t.Fatalf("got %q, %v, want %q", v, err, tc.want)
			}
			line, err := s.Line(t.Context(), p, v)
			if err != nil || v.Plies != nil && len(line) != *v.Plies {
				t.Errorf("the line has %d moves, %v", len(line), err)
			}
			best := "loss"
			for _, m := range p.AppendMoves(nil) {
				got, err := s.Move(t.Context(), p, m)
				if err != nil {
					t.Fatal(err)
				}
				if got.Value == "win" || got.Value == "draw" && best == "loss" {
					best = got.Value
				}
				if m == line[0] && (got.Value != v.Value || v.Plies != nil && *got.Plies != *v.Plies) {
					t.Errorf("the first move of the line is worth %v, the position %v", got, v)
				}
			}
			if best != v.Value {
				t.Errorf("the best move is a %s, the position a %s", best, v.Value)
			}
			var certificate bytes.Buffer
			if err := s.Certify(t.Context(), p, &certificate); err != nil {
				t.Fatal(err)
			}
			if r, err := proof.Verify(t.Context(), bytes.NewReader(certificate.Bytes()), proof.Limits{}); err != nil || r.Claim.Value != v.Value {
				t.Errorf("the certificate proves a %q, %v, want a %s", r.Claim.Value, err, v.Value)
			}
		})
	}
}

// TestPartOfAnOpening: of an opening that is not proved, the proved part is named.
func TestPartOfAnOpening(t *testing.T) {
	for proved, want := range map[int]string{0: "nothing", 2: "2 of 77 answers to the first move"} {
		if v := zoneSolution(gomoku.Answer{Answers: 77, Proved: proved}); v.String() != want {
			t.Errorf("%d answers proved: %s, want %s", proved, v, want)
		}
	}
}

// TestRows: draws and wins of gomoku, standard gomoku and caro on small boards, with certificates, in one go and after unfinished work.
func TestRows(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	for _, tc := range []struct{ game, moves, want string }{
		{"standard:6", "", "draw"},
		{"caro:6", "c3", "draw"},
		{"gomoku:6", "", "draw"},
		{"standard:6,k=4", "", "win"},
		{"caro:6,k=4", "c3", "loss"},
		{"caro:5x4,k=4", "", "draw"},
		{"standard:5,k=4", "", "1 of 5 answers to the first move"}, // neither side can only break lines, and no win was found in a million nodes
		{"caro:4,k=3", "", "nothing"},
	} {
		t.Run(tc.game, func(t *testing.T) {
			s, p := at(t, tc.game, tc.moves, Options{Hash: 1 << 24})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			v, err := s.Solve(ctx, p, func(v Solution) {
				if v.Nodes > 1_000_000 {
					cancel()
				}
			})
			if v.String() != tc.want || (err == nil) != v.Solved {
				t.Fatalf("%s, %v, want %s", v, err, tc.want)
			}
			if !v.Solved {
				return
			}
			line, err := s.Line(t.Context(), p, v)
			if err != nil || len(line) == 0 {
				t.Errorf("line %v, %v", line, err)
			}
			var first, kept, again bytes.Buffer
			if err := s.Certify(t.Context(), p, &first); err != nil {
				t.Fatal(err)
			}
			if r, err := Verify(t.Context(), bytes.NewReader(first.Bytes()), proof.Limits{}, false); err != nil || r.Claim.Value != tc.want {
				t.Fatalf("verified %q, %v", r.Claim.Value, err)
			}
			if err := s.Save(p, &kept); err != nil {
				t.Fatal(err)
			}
			u, err := ReadUnfinished(bytes.NewReader(kept.Bytes()))
			if err != nil {
				t.Fatal(err)
			}
			other, _ := at(t, tc.game, tc.moves, Options{Hash: 1 << 24})
			version := u.Version
			if u.Version = unfinishedVersion; version != unfinishedVersion {
				if err := other.Resume(p, u); err == nil || !strings.HasPrefix(err.Error(), "the file of unfinished work has version 2 for "+tc.game) {
					t.Errorf("work of an earlier build: %v", err)
				}
				u.Version = version
			}
			if err := other.Resume(p, u); err != nil {
				t.Fatal(err)
			}
			if v, err := other.Solve(t.Context(), p, nil); err != nil || v.String() != tc.want {
				t.Fatalf("%s, %v after unfinished work", v, err)
			}
			if err := other.Certify(t.Context(), p, &again); err != nil {
				t.Fatal(err)
			}
			if _, err := proof.Verify(t.Context(), bytes.NewReader(again.Bytes()), proof.Limits{}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestNew: what cannot be solved is refused, with a reason.
func TestNew(t *testing.T) {
	tests := []struct {
		game string
		o    Options
		want string
	}{
		{"connect4:20x20", Options{}, "solve connect4:20x20: a board of 20 x 20 is too large"},
		{"mnk:23,23,5", Options{}, "boards of 5 x 5 to 22 x 22, not 23 x 23"},
		{"ultimate", Options{Threads: 2}, "the solver of ultimate uses one thread, not 2"},
		{"pente", Options{Threads: 2}, "the solver of pente uses one thread, not 2"},
	}
	for _, tc := range tests {
		g, err := krow.Game(tc.game)
		if err != nil {
			t.Fatal(err)
		}
		_, err = New(g, tc.o)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %s", tc.game, err, tc.want)
		}
	}
}

// TestEnded: work that is cut short says why and what is proved, and a game that is over is no work.
func TestEnded(t *testing.T) {
	over, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithTimeout(t.Context(), -1)
	defer cancel()
	tests := []struct {
		ctx               context.Context
		game, moves, want string
	}{
		{over, "connect4", "", "interrupted: proved so far: score "},
		{late, "mnk:8,8,5", "", "the time is up: proved so far: at least a draw"},
		{late, "ultimate", "", "the time is up: proved so far: nothing"},
		{t.Context(), "connect4", "1122334", "the game is over: first wins"},
	}
	for _, tc := range tests {
		s, p := at(t, tc.game, tc.moves, Options{})
		if v, err := s.Solve(tc.ctx, p, nil); err == nil || !strings.HasPrefix(err.Error(), tc.want) || v.Solved {
			t.Errorf("%s %s: got %+v, %v, want %s", tc.game, tc.moves, v, err, tc.want)
		}

	}
}

// TestResume: unfinished work goes on from what is proved, and only on its own position.
func TestResume(t *testing.T) {
	for _, spec := range []string{"connect4:6x5", "mnk:5,5,4"} {
		t.Run(spec, func(t *testing.T) {
			s, p := at(t, spec, "", Options{Hash: 1 << 14})
			var file bytes.Buffer
			ctx, cancel := context.WithCancel(t.Context())
			s.Keep = cancel // after the first report
			s.Solve(ctx, p, func(Solution) {})
			if err := s.Save(p, &file); err != nil {
				t.Fatal(err)
			}
			u, err := ReadUnfinished(bytes.NewReader(file.Bytes()))
			if err != nil {
				t.Fatal(err)
			}
			if n, err := u.Table(0); n != 1<<14 || err != nil {
				t.Fatalf("a table of %d bytes, %v", n, err)
			}
			next, q := at(t, spec, "", Options{Hash: 1 << 14})
			if err := next.Resume(q, u); err != nil {
				t.Fatal(err)
			}
			v, err := next.Solve(t.Context(), q, func(Solution) {})
			if want, _ := s.Solve(t.Context(), p, nil); err != nil || v.String() != want.String() {
				t.Errorf("got %v, %v, want %v", v, err, want)
			}
			u, _ = ReadUnfinished(bytes.NewReader(file.Bytes()))
			q.Play(q.AppendMoves(nil)[0])
			if err := next.Resume(q, u); err == nil || !strings.HasPrefix(err.Error(), "the file contains unfinished work on another position: "+spec) {
				t.Errorf("another position: %v", err)
			}
			for i := range file.Len() {
				if i > 300 && i < file.Len()-300 && i%1009 != 0 {
					continue // the table is long
				}
				bad := bytes.Clone(file.Bytes())
				bad[i] ^= 1
				if _, err := ReadUnfinished(bytes.NewReader(bad)); err == nil {
					t.Errorf("a change of byte %d is read", i)
				}
				if _, err := ReadUnfinished(bytes.NewReader(bad[:i])); err == nil {
					t.Errorf("a file of %d bytes is read", i)
				}
			}
		})
	}
}

// TestResumeWithLessMemory: work continues with a smaller or larger table than the saved one, also if there is no memory for
// that. Only Connect Four keeps the size.
func TestResumeWithLessMemory(t *testing.T) {
	for spec, sizes := range map[string][]int{"mnk:5,5,4": {1 << 13, 1 << 18}, "gomoku:6": {1 << 13, 1 << 18}, "connect4:6x5": nil} {
		t.Run(spec, func(t *testing.T) {
			s, p := at(t, spec, "", Options{Hash: 1 << 14})
			var file bytes.Buffer
			ctx, cancel := context.WithCancel(t.Context())
			s.Keep = cancel
			s.Solve(ctx, p, func(Solution) {})
			if err := s.Save(p, &file); err != nil {
				t.Fatal(err)
			}
			read := func() *Unfinished {
				u, err := ReadUnfinished(bytes.NewReader(file.Bytes()))
				if err != nil {
					t.Fatal(err)
				}
				return u
			}
			u := read()
			u.Hash = 1 << 60
			if n, err := u.Table(0); err == nil {
				t.Errorf("a table of %d bytes", n)
			}
			if n, err := u.Table(1 << 13); (err == nil) != (sizes != nil) {
				t.Errorf("a table of %d bytes, %v", n, err)
			}
			if n, _ := read().Table(1 << 13); (n == 1<<13) != (sizes != nil) {
				t.Errorf("a table of %d bytes", n)
			}
			for _, size := range sizes {
				next, _ := at(t, spec, "", Options{Hash: size})
				if err := next.Resume(p, read()); err != nil {
					t.Fatal(err)
				}
				if v, err := next.Solve(t.Context(), p, func(Solution) {}); err != nil || v.Value != "draw" {
					t.Errorf("%v, %v with %d bytes", v, err, size)
				}
			}
		})
	}
}

// fakeEngine reports upper bounds, and fails to certify.
type fakeEngine struct {
	traits
	bounds []int
	fail   func() error
}

func (e *fakeEngine) solve(_ context.Context, _ game.Position, report func(Solution)) Solution {
	for _, upper := range e.bounds {
		report(Solution{Lower: -5, Upper: upper})
	}
	return Solution{}
}

func (e *fakeEngine) line(context.Context, game.Position, Solution) []game.Move { return nil }
func (e *fakeEngine) certify(context.Context, game.Position, io.Writer) error   { return e.fail() }
func (e *fakeEngine) clear()                                                    {}

// TestSaveWhileThreadsWrite: with several threads work is kept when a bound is new, not while the others write to the table.
func TestSaveWhileThreadsWrite(t *testing.T) {
	for threads, want := range map[int]string{1: "abc", 2: "c"} {
		got, now := "", 0
		s := &Solver{o: Options{Threads: threads}, e: &fakeEngine{bounds: []int{5, 5, 0}}}
		s.Keep = func() { got += string(rune('a' + now - 1)) }
		_, p := at(t, "tictactoe", "", Options{})
		if _, err := s.Solve(t.Context(), p, func(Solution) { now++ }); err != nil || got != want {
			t.Errorf("%d threads: kept at %q, %v, want %q", threads, got, err, want)
		}
	}
}

// TestCertifyEnds: an error of a certificate is told as it is, and the end of the time in words.
func TestCertifyEnds(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	tests := []struct {
		fail func() error
		want string
	}{
		{func() error { return errors.New("no such move") }, "no such move"},
		{func() error { stop(); return ctx.Err() }, "interrupted: the certificate is not finished"},
	}
	for _, tc := range tests {
		s := &Solver{e: &fakeEngine{fail: tc.fail}}
		if err := s.Certify(ctx, nil, io.Discard); err == nil || err.Error() != tc.want {
			t.Errorf("got %v, want %s", err, tc.want)
		}
	}
}

// looks is a context that ends when it is asked so often whether it has ended.
type looks struct {
	context.Context
	left int
	end  context.CancelFunc
}

func (c *looks) Err() error {
	if c.left--; c.left == 0 {
		c.end()
	}
	return c.Context.Err()
}

// TestCertifyResume: work that ends while its certificate is written goes on after its value, and finishes the certificate.
func TestCertifyResume(t *testing.T) {
	for _, spec := range []string{"connect4:5x4", "mnk:5,5,4"} {
		for _, left := range []int{1, 2, 30} {
			t.Run(fmt.Sprintf("%s/looks=%d", spec, left), func(t *testing.T) {
				s, p := at(t, spec, "", Options{Hash: 1 << 14})
				want, err := s.Solve(t.Context(), p, func(Solution) {})
				if err != nil {
					t.Fatal(err)
				}
				ctx, end := context.WithCancel(t.Context())
				err = s.Certify(&looks{ctx, left, end}, p, io.Discard)
				if want := "interrupted: the certificate is not finished"; err == nil || err.Error() != want {
					t.Fatalf("got %v, want %s", err, want)
				}
				var file, certificate bytes.Buffer
				if err := s.Save(p, &file); err != nil {
					t.Fatal(err)
				}
				u, err := ReadUnfinished(bytes.NewReader(file.Bytes()))
				if err != nil {
					t.Fatal(err)
				}
				next, p := at(t, spec, "", Options{Hash: 1 << 14})
				if err := next.Resume(p, u); err != nil {
					t.Fatal(err)
				}
				got, err := next.Solve(t.Context(), p, func(Solution) {})
				if err != nil || got.String() != want.String() || got.Scored && got.Nodes != want.Nodes || got.Nodes > want.Nodes {
					t.Errorf("got %v, %d nodes, %v, want %v, %d nodes", got, got.Nodes, err, want, want.Nodes)
				}
				if err := next.Certify(t.Context(), p, &certificate); err != nil {
					t.Fatal(err)
				}
				v, err := proof.Verify(t.Context(), bytes.NewReader(certificate.Bytes()), proof.Limits{})
				if err != nil || v.Claim.Value != want.Value {
					t.Errorf("the certificate proves %+v, %v", v.Claim, err)
				}
			})
		}
	}
}

// TestBook: a book is built, verified and used, and only for its game.
func TestBook(t *testing.T) {
	g, err := krow.Game("connect4:4x4")
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewBook(g, Options{Hash: 1 << 16}, false)
	if err == nil {
		err = b.Begin(3)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Build(t.Context(), func(int, int) error { return nil }); err != nil || !b.Finished() {
		t.Fatalf("finished %v, %v", b.Finished(), err)
	}
	var file bytes.Buffer
	if _, err := b.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	again, err := NewBook(g, Options{Hash: 1 << 16}, true)
	if err == nil {
		err = again.Read(bytes.NewReader(file.Bytes()))
	}
	if err != nil || again.Plies != 3 {
		t.Fatalf("%d plies, %v", again.Plies, err)
	}
	if n, err := again.Verify(t.Context(), func(int, int) {}); err != nil || n != b.Len() {
		t.Errorf("%d of %d positions proved again, %v", n, b.Len(), err)
	}
	s, p := at(t, "connect4:4x4", "", Options{})
	if _, err := s.UseBook(bytes.NewReader(file.Bytes())); err != nil {
		t.Fatal(err)
	}
	if v, err := s.Solve(t.Context(), p, nil); err != nil || v.Nodes != 0 || v.Value != "draw" {
		t.Errorf("got %v after %d nodes, %v", v, v.Nodes, err)
	}
	if err := again.Begin(2); err == nil {
		err = again.Read(bytes.NewReader(file.Bytes()))
		if err == nil || err.Error() != "the book has 3 plies, not 2" {
			t.Errorf("got %v", err)
		}
	}
	other, _ := at(t, "connect4:5x4", "", Options{})
	if _, err := other.UseBook(bytes.NewReader(file.Bytes())); err == nil {
		t.Error("a book of another board is used")
	}
}
