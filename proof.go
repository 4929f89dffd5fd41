// SPDX-License-Identifier: Apache-2.0

package krow

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/proven"
	"github.com/krow-lab/krow/proof"
)

// proofLimits are the limits for reading certificates; krow verify has the same.
var proofLimits = proof.Limits{Entered: 1_000_000_000, Memory: 4 << 30}

// proofs are the certificates that this process has read. Each is read once, even if many games use it.
var proofs struct {
	sync.Mutex
	read    map[string]readProof
	offered []*proof.Strategy
}

type readProof struct {
	size     int64
	changed  time.Time
	strategy *proof.Strategy
}

// ReadProof returns the strategy of the certificate in a file. tell, unless nil, is called repeatedly with the number of positions
// that were checked. A file that has not changed since the last call is not read again.
func ReadProof(ctx context.Context, name string, tell func(positions uint64)) (*proof.Strategy, error) {
	proofs.Lock()
	defer proofs.Unlock()
	file, err := os.Open(name)
	if err != nil {
		return nil, &fileError{"proof", err}
	}
	defer file.Close()
	i, err := file.Stat()
	if err == nil && !i.Mode().IsRegular() {
		err = errors.New("not a regular file: a certificate is read twice")
	}
	if err != nil {
		return nil, &fileError{"proof " + name, err}
	}
	if r, known := proofs.read[name]; known && r.size == i.Size() && r.changed.Equal(i.ModTime()) {
		return r.strategy, nil
	}
	limits := proofLimits
	limits.Tell = tell
	s, err := proof.ReadStrategy(ctx, file, limits)
	if err != nil {
		return nil, &fileError{"proof " + name, err}
	}
	if proofs.read == nil {
		proofs.read = map[string]readProof{}
	}
	proofs.read[name] = readProof{i.Size(), i.ModTime(), s}
	return s, nil
}

// ProofFile returns the name of the certificate that the spec of a player names. It returns "" for all other specs, and for a
// malformed spec.
func ProofFile(text string) string {
	s, err := spec.Parse(text)
	if err != nil || s.Name != "proof" || s.Read([]spec.Option{spec.File("path", "").At(1)}) != nil {
		return ""
	}
	return s.String("path")
}

// connect4Proof is the certificate of Connect Four on 7 columns and 6 rows. A test of docs/measurements verifies it.
//
//go:embed docs/measurements/certificates/connect4-7x6.proof
var connect4Proof []byte

var readConnect4Proof = sync.OnceValues(func() (*proof.Strategy, error) {
	return proof.ReadVerified(bytes.NewReader(connect4Proof))
})

// OfferProofs sets the certificates that players of this process follow if their spec is "proof" and names no file. Untrusted
// specs may use them. The certificate of Connect Four is always offered.
func OfferProofs(all ...*proof.Strategy) {
	proofs.Lock()
	defer proofs.Unlock()
	proofs.offered = all
}

// offeredProofs returns the certificates of g that are offered.
func offeredProofs(g game.Game) []*proof.Strategy {
	proofs.Lock()
	all := slices.Clone(proofs.offered)
	proofs.Unlock()
	if g.String() == "connect4" {
		if s, err := readConnect4Proof(); err == nil {
			all = append(all, s)
		}
	}
	return slices.DeleteFunc(all, func(s *proof.Strategy) bool { return proven.Fits(g, s.Result().Claim) != nil })
}

// newProof returns a player that follows certificates.
func newProof(g game.Game, s *spec.Spec, seed uint64) (player.Player, error) {
	name := s.String("path")
	all := offeredProofs(g)
	if name != "" {
		one, err := ReadProof(context.Background(), name, nil)
		if err != nil {
			return nil, err
		}
		if err := proven.Fits(g, one.Result().Claim); err != nil {
			return nil, &fileError{"proof " + name, err}
		}
		all = []*proof.Strategy{one}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no certificate of %s is available; proof:FILE names one", g)
	}
	best, err := Player(g, "best", seed)
	if err != nil {
		return nil, err
	}
	of, ok := best.(player.Analyst)
	if !ok {
		player.Close(best)
		return nil, fmt.Errorf("no engine can play %s where the certificate ends", g)
	}
	return proven.New(g, of, all...)
}

// proofSide returns the side, first or second, that wins by an offered certificate of the empty board of g, or "" if none is
// offered.
func proofSide(g game.Game) string {
	for _, s := range offeredProofs(g) {
		if c := s.Result().Claim; c.Turn == game.First.String() && strings.Count(c.Cells, ".") == len(c.Cells) {
			return s.Winner()
		}
	}
	return ""
}

// PlannedMove returns the reason for the last move of a game, or nil if this move is not the move of an offered certificate with
// plans.
func PlannedMove(b game.Board) *proof.PlannedMove {
	for _, s := range offeredProofs(b.Game()) {
		if r, ok := proven.PlannedMove(b, s); ok {
			return &r
		}
	}
	return nil
}
