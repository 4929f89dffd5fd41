// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/solve"
	"github.com/krow-lab/krow/server/api"
)

// TestProof: a certificate that is offered is among the opponents of its game and plays there; else there is no such player.
func TestProof(t *testing.T) {
	const spec = "mnk:15,15,4"
	g, err := krow.Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	prover, err := solve.New(g, solve.Options{Weak: true, Hash: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := prover.Solve(t.Context(), g.Start(), nil); err != nil {
		t.Fatal(err)
	}
	if err := prover.Certify(t.Context(), g.Start(), &file); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "four.proof")
	if err := os.WriteFile(name, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	strategy, err := krow.ReadProof(t.Context(), name, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t)
	side := func(game string) string {
		for _, o := range get[struct{ Opponents []krow.Opponent }](s, 200, "GET", "/api/opponents?game="+game, nil).Opponents {
			if o.Player == "proof" {
				return o.Side
			}
		}
		return "nobody"
	}
	begin := map[string]string{"game": spec, "first": "proof", "second": "random"}
	if got := side(spec); got != "nobody" {
		t.Errorf("without certificates the proof plays %s", got)
	}
	if status, answer := s.ask("POST", "/api/games", begin); status != http.StatusUnprocessableEntity || !bytes.Contains(answer, []byte("no certificate of mnk:15,15,4 is available")) {
		t.Errorf("without certificates a game begins: %d %s", status, answer)
	}
	krow.OfferProofs(strategy)
	defer krow.OfferProofs()
	if got := side(spec) + " " + side("gomoku"); got != "first nobody" {
		t.Errorf("the proof plays %s, want first nobody", got)
	}
	g2 := s.begin(spec, "proof", "random")
	if last := s.until(g2.ID, func(g api.Game) bool { return g.Outcome != "ongoing" }); last.Outcome != "first wins" {
		t.Errorf("the game ends with %s", last.Outcome)
	}
	begin["first"] = "proof:" + name
	if status, answer := s.ask("POST", "/api/games", begin); status != http.StatusUnprocessableEntity {
		t.Errorf("a stranger names a file: %d %s", status, answer)
	}
}
