// SPDX-License-Identifier: Apache-2.0

package krow_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/search"
)

// certificate writes the certificate of four in a row on 15 x 15.
func certificate(t *testing.T) (name string) {
	t.Helper()
	g := gameOf(t, "mnk:15,15,4")
	z, err := gomoku.NewSolver(g, 1<<26, 1)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if z.Solve(t.Context(), g.Start(), search.Limits{}); z.Certify(t.Context(), g.Start(), &file) != nil {
		t.Fatal("nothing is proved")
	}
	name = filepath.Join(t.TempDir(), "four.proof")
	if err := os.WriteFile(name, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func gameOf(t *testing.T, text string) game.Game {
	t.Helper()
	g, err := krow.Game(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestProofIsOfferedForItsGame: a certificate is read once, is followed in its own game alone, and is found by an untrusted spec only if it is offered.
func TestProofIsOfferedForItsGame(t *testing.T) {
	name := certificate(t)
	s, err := krow.ReadProof(t.Context(), name, nil)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := krow.ReadProof(t.Context(), name, nil); again != s || err != nil {
		t.Errorf("the file is read twice: %v", err)
	}
	four, gomoku, connect4 := gameOf(t, "mnk:15,15,4"), gameOf(t, "gomoku"), gameOf(t, "connect4")
	tests := []struct {
		g           game.Game
		text, wrong string
		by          spec.Trust
		offered     []*proof.Strategy
	}{
		{four, "proof:" + name, "", spec.Trusted, nil},
		{four, "proof:path=" + name, "", spec.Trusted, nil},
		{four, "limited:of=proof(" + name + ")", "", spec.Trusted, nil},
		{gomoku, "proof:" + name, "4 in a row and the rule free, not for gomoku", spec.Trusted, nil},
		{four, "proof:" + name, refused, spec.Untrusted, nil},
		{four, "proof:" + name, refused, spec.Untrusted, []*proof.Strategy{s}},
		{four, "proof", "no certificate of mnk:15,15,4 is available; proof:FILE names one", spec.Trusted, nil},
		{four, "proof", "no certificate of mnk:15,15,4 is available", spec.Untrusted, nil},
		{four, "proof", "", spec.Untrusted, []*proof.Strategy{s}},
		{gomoku, "proof", "no certificate of gomoku is available", spec.Untrusted, []*proof.Strategy{s}},
		{connect4, "proof", "", spec.Untrusted, nil},
		{gameOf(t, "connect4:8x7"), "proof", "no certificate of connect4:8x7 is available", spec.Trusted, nil},
	}
	defer krow.OfferProofs()
	for _, tc := range tests {
		krow.OfferProofs(tc.offered...)
		p, err := krow.PlayerBy(tc.by, tc.g, tc.text, 1)
		if tc.wrong == "" && err != nil || tc.wrong != "" && (err == nil || !strings.Contains(err.Error(), tc.wrong)) {
			t.Errorf("%s plays %s: error %v, want %q", tc.text, tc.g, err, tc.wrong)
		}
		if err == nil {
			player.Close(p)
		}
	}
	for _, tc := range []struct {
		g    game.Game
		want string
	}{{four, "first"}, {gomoku, "not there"}, {connect4, "first"}} {
		krow.OfferProofs(s)
		all := krow.Opponents(tc.g)
		got := "not there"
		if i := slices.IndexFunc(all, func(o krow.Opponent) bool { return o.Name == "proof" }); i >= 0 {
			got = all[i].Side
		}
		if got != tc.want {
			t.Errorf("%s has the proof for side %s, want %s", tc.g, got, tc.want)
		}
	}
}

// TestConnect4ProofWins: the certificate of Connect Four that comes with krow wins against random moves.
func TestConnect4ProofWins(t *testing.T) {
	g := gameOf(t, "connect4")
	prover, err := krow.Player(g, "proof", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer player.Close(prover)
	for seed := range uint64(100) {
		p, rng := g.Start(), rand.New(rand.NewPCG(seed, 1))
		for p.Outcome() == game.Ongoing {
			legal := p.AppendMoves(nil)
			m := legal[rng.IntN(len(legal))]
			if p.Turn() == game.First {
				info, err := prover.(player.Analyst).Analyze(t.Context(), p, search.Limits{Nodes: 2}, nil)
				if err != nil || !info.Solved || info.Nodes != 1 || info.Score != eval.Won {
					t.Fatalf("after %s: %+v, %v", notation.FormatMoves(g, p.AppendHistory(nil)), info, err)
				}
				m = info.PV[0]
			}
			p.Play(m)
		}
		if p.Outcome() != game.WinFor(game.First) {
			t.Errorf("%s after %s", p.Outcome(), notation.FormatMoves(g, p.AppendHistory(nil)))
		}
	}
}

// TestProofBad: a file that cannot be followed is told in one line.
func TestProofBad(t *testing.T) {
	good, err := os.ReadFile(certificate(t))
	if err != nil {
		t.Fatal(err)
	}
	bad := slices.Clone(good)
	bad[len(bad)/2] ^= 1
	name := filepath.Join(t.TempDir(), "bad.proof")
	for want, data := range map[string][]byte{
		"proof " + name + ": " + proof.ErrDamaged.Error(): bad,
		"proof: open " + name + ": ":                      nil,
	} {
		_ = os.Remove(name)
		if data != nil {
			if err := os.WriteFile(name, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := krow.Player(gameOf(t, "mnk:15,15,4"), "proof:"+name, 1)
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if _, err := krow.ReadProof(t.Context(), t.TempDir(), nil); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a directory: error %v", err)
	}
}
