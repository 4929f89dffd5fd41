// SPDX-License-Identifier: Apache-2.0

//go:build unix

package prover_test

import (
	"fmt"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/krow-lab/krow/engine/ultimate/prover"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/search"
)

// cpu returns the processor time that this process has used.
func cpu(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano())
}

// TestMinedPositions is the measurement of docs/measurements/ultimate.md. It needs KROW_LONG and -timeout 30m, and prints the
// costs without a limit for them. It only fails for wrong proofs of positions after 40 plies, each of which it follows by the
// rules.
func TestMinedPositions(t *testing.T) {
	if os.Getenv("KROW_LONG") == "" {
		t.Skip("takes minutes: set KROW_LONG")
	}
	s := prover.New(prover.Options{Hash: 256 << 20})
	for _, m := range []struct {
		file string
		ply  int
	}{{games, 40}, {unseen, 40}, {unseen, 35}, {unseen, 30}, {played, 30}, {played, 27}, {played, 24}} {
		t.Run(fmt.Sprintf("%s/ply=%d", m.file, m.ply), func(t *testing.T) { measure(t, s, mined(t, m.file, m.ply), m.ply) })
	}
}

func measure(t *testing.T, s *prover.Prover, ps []*ultimate.Position, ply int) {
	const most = 45_000_000
	var times []time.Duration
	var nodes []uint64
	values, full := map[string]int{}, 0
	for i, p := range ps {
		s.Clear()
		begun := cpu(t)
		a := s.Solve(t.Context(), p.Board(), search.Limits{Nodes: most})
		took := cpu(t) - begun
		t.Logf("%d: %d to %d, %d nodes, %v", i, a.Low, a.High, a.Nodes, took)
		times, nodes = append(times, took), append(nodes, a.Nodes)
		values[fmt.Sprintf("%d to %d", a.Low, a.High)]++
		if ply == 40 && a.Solved() && both(t, s, p, a.Low, 5000) {
			full++
		}
	}
	slices.Sort(times)
	slices.Sort(nodes)
	n := len(times)
	t.Logf("%d positions %d plies in, values %v: median %v, %d nodes; three quarters %v; at most %v, %d nodes; %d followed in full",
		n, ply, values, times[n/2], nodes[n/2], times[3*n/4], times[n-1], nodes[n-1], full)
}
