// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"bytes"
	"strings"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/search"
)

// zoneTests are positions with the side that wins.
var zoneTests = []struct {
	game, moves, value string
}{
	{"mnk:6,6,4", "", "win"},
	{"mnk:15,15,4", "", "win"},
	{"mnk:12,13,4", "f7", "loss"},
	{"mnk:9,5,4", "e3 d3", "win"},
	{"gomoku", "h8 h9 i9 g7 j10 g10 i8 a1 g8", "loss"},
	{"standard", "h8 h9 i9 g7 j10 g10 i8 a1 g8", "loss"},
	{"caro", "h8 a1 h9 o15 i8 a15", "win"},
	{"renju", "h8 a1 h9 o15 i8 a15", "win"},
	{"renju", "h8 h9 i9 a1 j8", "loss"},
	{"gomoku:20", "j10 a1 j11 t20 k10 a20", "win"},
}

func zoneGame(t *testing.T, spec string) game.Game {
	t.Helper()
	name, args, _ := strings.Cut(spec, ":")
	size := map[string]int{"": 15, "20": 20}[args]
	var g game.Game
	var err error
	switch name {
	case "gomoku":
		g, err = mnk.Gomoku(size)
	case "standard":
		g, err = mnk.Standard(size)
	case "caro":
		g, err = mnk.Caro(size)
	case "renju":
		g, err = renju.New(size)
	default:
		var n [3]int
		for i, s := range strings.Split(args, ",") {
			for _, d := range s {
				n[i] = n[i]*10 + int(d-'0')
			}
		}
		g, err = mnk.MNK(n[0], n[1], n[2])
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func zoneProver(t *testing.T, g game.Game) *Solver {
	t.Helper()
	z, err := NewSolver(g, 1<<30, 1)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// TestSolverWritesAcceptedCertificates: the certificate of a proved position is accepted by the checker, and the saved trees prove
// the position again at once.
func TestSolverWritesAcceptedCertificates(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	for _, tc := range zoneTests {
		t.Run(tc.game+" "+tc.moves, func(t *testing.T) {
			g := zoneGame(t, tc.game)
			p := g.Start()
			if err := notation.Play(p, tc.moves); err != nil {
				t.Fatal(err)
			}
			z := zoneProver(t, g)
			a := z.Solve(t.Context(), p, search.Limits{Nodes: 3_000_000})
			if want := map[string]int{"win": 1, "loss": -1}[tc.value]; a.Value != want {
				t.Fatalf("%+v, want %d", a, want)
			}
			plies := verify(t, z, p, tc.value).Plies
			line := z.Line(p)
			q := p.Clone()
			for _, m := range line {
				if err := game.Play(q, m); err != nil {
					t.Fatalf("%v: %v", line, err)
				}
			}
			if q.Outcome() == game.Ongoing || q.Outcome() == game.Draw || len(line) != plies {
				t.Errorf("%v ends with %v; the checker says that the longest line has %d plies", line, q.Outcome(), plies)
			}
			var kept bytes.Buffer
			if err := z.Save(&kept); err != nil {
				t.Fatal(err)
			}
			again := zoneProver(t, g)
			if err := again.Load(p, &kept); err != nil {
				t.Fatal(err)
			}
			b := again.Solve(t.Context(), p, search.Limits{})
			if b.Value != a.Value || b.Nodes < a.Nodes {
				t.Errorf("with what was kept %+v, before %+v", b, a)
			}
			verify(t, again, p, tc.value)
		})
	}
}

// TestShort: a certificate with shorter lines is accepted, and its longest line is as long as the solver says.
func TestShort(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	less := 0
	for _, tc := range append(zoneTests, []struct{ game, moves, value string }{
		{"mnk:9,5,4", "", "win"},
		{"mnk:7,7,4", "d4", "loss"},
	}...) {
		t.Run(tc.game+" "+tc.moves, func(t *testing.T) {
			g := zoneGame(t, tc.game)
			p := g.Start()
			if err := notation.Play(p, tc.moves); err != nil {
				t.Fatal(err)
			}
			z := zoneProver(t, g)
			z.Solve(t.Context(), p, search.Limits{Nodes: 3_000_000})
			before := verify(t, z, p, tc.value)
			z.Short = true
			after := verify(t, z, p, tc.value)
			if line := z.Line(p); after.Plies > before.Plies || len(line) != after.Plies {
				t.Errorf("%d plies, before %d; the line is %v", after.Plies, before.Plies, line)
			}
			if after.Plies < before.Plies {
				less++
			}
			t.Logf("%d plies and %d positions, before %d and %d", after.Plies, after.Positions, before.Plies, before.Positions)
		})
	}
	if less < 6 {
		t.Errorf("only %d proofs have become shorter", less)
	}
}

func verify(t *testing.T, z *Solver, p game.Position, value string) proof.Result {
	t.Helper()
	var file bytes.Buffer
	if err := z.Certify(t.Context(), p, &file); err != nil {
		t.Fatal(err)
	}
	r, err := proof.Verify(t.Context(), bytes.NewReader(file.Bytes()), proof.Limits{})
	if err != nil || r.Claim.Value != value || r.Claim.Turn != p.Turn().String() {
		t.Errorf("%v, %+v", err, r.Claim)
	}
	t.Logf("%d bytes, %d positions", file.Len(), r.Positions)
	return r
}

// TestSameSearchSavesSameBytes: two solvers that did the same work save the same bytes.
func TestSameSearchSavesSameBytes(t *testing.T) {
	g := zoneGame(t, "mnk:9,5,4")
	p := g.Start()
	if err := notation.Play(p, "e3 d3"); err != nil {
		t.Fatal(err)
	}
	var kept [2]bytes.Buffer
	for i := range kept {
		z := zoneProver(t, g)
		z.Solve(t.Context(), p, search.Limits{Nodes: 3_000_000})
		if err := z.Save(&kept[i]); err != nil {
			t.Fatal(err)
		}
	}
	if kept[0].Len() < 200 || !bytes.Equal(kept[0].Bytes(), kept[1].Bytes()) {
		t.Errorf("files of %d and %d bytes differ, or hold too little", kept[0].Len(), kept[1].Len())
	}
}

// TestZonesLoad: saved work that was truncated or changed is refused or does no harm.
func TestZonesLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	g := zoneGame(t, "mnk:6,6,4")
	p := g.Start()
	z := zoneProver(t, g)
	z.Solve(t.Context(), p, search.Limits{Nodes: 3_000_000})
	var kept bytes.Buffer
	if err := z.Save(&kept); err != nil {
		t.Fatal(err)
	}
	for cut := 0; cut < kept.Len(); cut += 1 + kept.Len()/200 {
		if err := zoneProver(t, g).Load(p, bytes.NewReader(kept.Bytes()[:cut])); err == nil {
			t.Fatalf("%d of %d bytes are loaded", cut, kept.Len())
		}
	}
}

// TestZonesRefused: games without certificates.
func TestZonesRefused(t *testing.T) {
	connect4, err := mnk.Connect4(7, 6, 4)
	if err != nil {
		t.Fatal(err)
	}
	caro, err := mnk.Family("caro", mnk.Rules{Columns: 15, Rows: 15, K: 5, Blocked: true, Exact: [2]bool{true, true}})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []game.Game{connect4, caro} {
		if _, err := NewSolver(g, 1<<20, 1); err == nil {
			t.Errorf("%s is taken", g)
		}
	}
}
