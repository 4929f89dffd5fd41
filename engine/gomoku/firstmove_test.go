// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/symmetry"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/search"
)

// TestOpeningClasses: every answer is the image of the lowest answer of its class, under a symmetry that leaves the stone in its
// place.
func TestOpeningClasses(t *testing.T) {
	for _, tc := range []struct {
		game, moves string
		classes     int
	}{
		{"gomoku", "", 35},
		{"gomoku", "h8", 35},
		{"gomoku", "h9", 7*15 + 14},
		{"gomoku", "a1", 14 + 15*14/2},
		{"gomoku:20", "", 19 + 19*18/2 + 19},
		{"mnk:9,5,4", "", 14},
		{"mnk:9,5,4", "e1", 4 + 20},
		{"mnk:6,6,4", "", 20},
	} {
		g := zoneGame(t, tc.game)
		p := g.Start()
		if err := notation.Play(p, tc.moves); err != nil {
			t.Fatal(err)
		}
		o := newFirstMove(p)
		if o == nil {
			t.Fatalf("%s %q is no opening", tc.game, tc.moves)
		}
		columns, rows := p.(game.Board).Size()
		for c, class := range o.class {
			if (class < 0) != (c == o.stone) {
				t.Errorf("%s %q: cell %d has the class %d", tc.game, tc.moves, c, class)
			} else if class >= 0 {
				a, s := o.answers[class].cell, o.image[c]
				if symmetry.Image(columns, rows, a, s) != c || symmetry.Image(columns, rows, o.stone, s) != o.stone || a > c {
					t.Errorf("%s %q: cell %d is no image of %d under %d", tc.game, tc.moves, c, a, s)
				}
			}
		}
		if len(o.answers) != tc.classes {
			t.Errorf("%s %q has %d classes of answers, want %d", tc.game, tc.moves, len(o.answers), tc.classes)
		}
	}
	for _, moves := range []string{"h8 h9", "h8 h9 i9"} {
		p := zoneGame(t, "gomoku").Start()
		if err := notation.Play(p, moves); err != nil {
			t.Fatal(err)
		}
		if newFirstMove(p) != nil {
			t.Errorf("%q is an opening of one stone", moves)
		}
	}
}

// TestCertificateOfOpeningIsRepeatable: threads, and work that was stopped and resumed, do not change a certificate.
func TestCertificateOfOpeningIsRepeatable(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	for _, tc := range []struct {
		moves string
		short bool
	}{{"", false}, {"h9", false}, {"", true}} {
		moves := tc.moves
		g := zoneGame(t, "mnk:15,15,4")
		p := g.Start()
		if err := notation.Play(p, moves); err != nil {
			t.Fatal(err)
		}
		one := zoneProver(t, g)
		one.Short = tc.short
		want := openingFile(t, one, p)
		two, err := NewSolver(g, 1<<28, 2)
		if err != nil {
			t.Fatal(err)
		}
		two.Short = tc.short
		ctx, stop := context.WithCancel(t.Context())
		two.Report = func(a Answer) {
			if a.Proved >= 3 {
				stop()
			}
		}
		if a := two.Solve(ctx, p, search.Limits{}); a.Value != 0 || a.Proved < 3 || a.Over {
			t.Errorf("%q ended after three answers: %+v", moves, a)
		}
		if err := two.Certify(t.Context(), p, &bytes.Buffer{}); err == nil {
			t.Errorf("%q: a certificate of what is not proved", moves)
		}
		var kept bytes.Buffer
		if err := two.Save(&kept); err != nil {
			t.Fatal(err)
		}
		again := zoneProver(t, g)
		again.Short = tc.short
		if err := again.Load(p, bytes.NewReader(kept.Bytes())); err != nil {
			t.Fatal(err)
		}
		if n := len(again.opening.answers); tc.short && slices.IndexFunc(again.opening.answers, func(a reply) bool { return a.short }) < 0 {
			t.Errorf("none of %d answers has a shortened tree", n)
		}
		if !bytes.Equal(openingFile(t, again, p), want) {
			t.Errorf("%q: another certificate with two threads and a rest", moves)
		}
		for cut := 0; cut < kept.Len(); cut += 1 + kept.Len()/50 {
			if err := zoneProver(t, g).Load(p, bytes.NewReader(kept.Bytes()[:cut])); err == nil {
				t.Fatalf("%d of %d bytes are loaded", cut, kept.Len())
			}
		}
	}
}

// TestKilledProofGoesOn: a proof that is killed while it works on an answer resumes that answer from its last checkpoint.
func TestKilledProofGoesOn(t *testing.T) {
	g := zoneGame(t, "mnk:15,15,4")
	p := g.Start()
	killed := zoneProver(t, g)
	killed.saveEvery = 0
	ctx, kill := context.WithCancel(t.Context())
	defer kill()
	var kept bytes.Buffer
	killed.Report = func(Answer) {
		for _, a := range killed.opening.answers {
			if a.work != nil && kept.Len() == 0 {
				if err := killed.Save(&kept); err != nil {
					t.Error(err)
				}
				kill()
			}
		}
	}
	killed.Solve(ctx, p, search.Limits{})
	again := zoneProver(t, g)
	if err := again.Load(p, &kept); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(again.opening.answers, func(a reply) bool { return a.work != nil })
	if i < 0 || again.opening.answers[i].tree != nil {
		t.Fatal("there is no work on an answer that is not proved")
	}
	openingFile(t, again, p)
	if a := again.opening.answers[i]; a.tree == nil || a.work != nil {
		t.Errorf("answer %d has work of %d bytes and a tree of %d", a.cell, len(a.work), len(a.tree))
	}
}

// openingFile proves an opening and returns its certificate, which the checker accepts.
func openingFile(t *testing.T, z *Solver, p game.Position) []byte {
	t.Helper()
	if a := z.Solve(t.Context(), p, search.Limits{}); a.Value == 0 || a.Proved != a.Answers || a.Answers < 35 {
		t.Fatalf("%+v", a)
	}
	var file bytes.Buffer
	if err := z.Certify(t.Context(), p, &file); err != nil {
		t.Fatal(err)
	}
	if _, err := proof.Verify(t.Context(), bytes.NewReader(file.Bytes()), proof.Limits{}); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// TestOpeningFails: if an answer cannot be proved, nothing is proved, and the search ends within its limit. Work on an opening
// that has failed continues as a search of the whole game, also after Save and Load, and can prove a win that the answers did not.
func TestOpeningFails(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	g := zoneGame(t, "mnk:5,5,4") // a draw
	a := zoneProver(t, g).Solve(t.Context(), g.Start(), search.Limits{Nodes: 300_000})
	if a.Value != 0 || a.Proved == a.Answers {
		t.Errorf("%+v", a)
	}
	g = zoneGame(t, "mnk:6,6,4")
	p := g.Start()
	z := zoneProver(t, g)
	z.load(p)
	z.opening.failed = true
	var kept bytes.Buffer
	if err := z.Save(&kept); err != nil {
		t.Fatal(err)
	}
	again := zoneProver(t, g)
	if err := again.Load(p, &kept); err != nil {
		t.Fatal(err)
	}
	if a := again.Solve(t.Context(), p, search.Limits{}); a.Value != 1 || a.Answers > 0 {
		t.Errorf("%+v", a)
	}
	verify(t, again, p, "win")
	if err := game.Play(p, 0); err != nil {
		t.Fatal(err)
	}
	if err := again.Certify(t.Context(), p, &bytes.Buffer{}); err == nil {
		t.Error("a certificate of a position that was not solved")
	}
}

// TestOpeningFull: with too little memory for an answer nothing is proved, and Full is set.
func TestOpeningFull(t *testing.T) {
	g := zoneGame(t, "gomoku")
	z, err := NewSolver(g, 100, 1) // no tree
	if err != nil {
		t.Fatal(err)
	}
	if a := z.Solve(t.Context(), g.Start(), search.Limits{}); a.Value != 0 || !a.Full {
		t.Errorf("%+v", a)
	}
}
