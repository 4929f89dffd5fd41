// SPDX-License-Identifier: Apache-2.0

package searchtest_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/minimax"
	"github.com/krow-lab/krow/search/searchtest"
)

// broken is minimax with one fault.
type broken struct {
	fault string
	*minimax.Searcher
}

// faults are what the kit must find, and what it says of them.
var faults = map[string]string{
	"none":      "",
	"no move":   "an answer without a move",
	"illegal":   "of the line",
	"not left":  "Search changed",
	"too deep":  "limit 1",
	"restless":  "nodes, limit",
	"moody":     "a second new Searcher answered",
	"silent":    "nothing was reported",
	"two minds": "last report",
	"repeats":   "begins with the move of an earlier one",
	"skips":     "none has the number",
	"too many":  "lines reported, at most",
	"rises":     "the line before it",
	"error":     "Search: ",
	"leaks":     "found unexpected goroutines",
	"boasts":    "the oracle says",
	"hasty":     "the oracle needs",
	"worse":     "the oracle plays",
}

var moods = 0

func (b broken) Search(ctx context.Context, p game.Position, lim search.Limits, report func(search.Info)) (search.Info, error) {
	info, err := b.Searcher.Search(ctx, p, lim, func(i search.Info) {
		switch b.fault {
		case "silent":
			return
		case "repeats":
			i.PV = p.AppendMoves(nil)[:1]
		case "skips":
			i.Line *= i.Line
		case "rises":
			i.Score = eval.Score(i.Line)
		}
		report(i)
	})
	moves := p.AppendMoves(nil)
	switch b.fault {
	case "no move":
		info.PV = nil
	case "illegal":
		info.PV = append(info.PV, info.PV[0])
	case "not left":
		p.Play(moves[0])
	case "too deep":
		info.Depth = 1000
	case "restless":
		info.Nodes += 1 << 20
	case "moody":
		moods++
		info.Nodes += uint64(moods)
	case "two minds":
		info.Score++
	case "too many":
		info.Line = len(moves) + 1
		info.PV = moves[len(moves)-1:]
		report(info)
	case "error":
		err = context.Canceled
	case "leaks":
		go time.Sleep(time.Minute)
	case "boasts":
		info.Score, info.Solved = eval.Win(1000), true
	case "hasty":
		if info.Solved && info.Score > eval.WinBound {
			info.Score = eval.Win(0)
		}
	case "worse":
		info = search.Info{PV: moves[len(moves)-1:], Solved: true}
	}
	return info, err
}

// TestBrokenSearches is run by TestKitFindsFaults, in a process of its own.
func TestBrokenSearches(t *testing.T) {
	fault, ok := os.LookupEnv("KROW_SEARCHTEST_FAULT")
	if !ok {
		t.Skip("run by TestKitFindsFaults")
	}
	searchtest.Run(t, func(g game.Game) search.Searcher {
		if g.String() != "tictactoe" {
			return nil
		}
		return broken{fault, minimax.New(minimax.Options{})}
	})
}

// TestKitFindsFaults runs the kit on searches with one fault each, and expects it to say which.
func TestKitFindsFaults(t *testing.T) {
	for fault, want := range faults {
		t.Run(fault, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestBrokenSearches$")
			cmd.Env = append(os.Environ(), "KROW_SEARCHTEST_FAULT="+fault)
			out, err := cmd.CombinedOutput()
			if failed := err != nil; failed != (want != "") || !strings.Contains(string(out), want) {
				t.Errorf("failed %v; want the output to say %q:\n%.3000s", failed, want, out)
			}
		})
	}
}
