// SPDX-License-Identifier: Apache-2.0

package solve

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/notation"
)

// Answer is the result of a proof, as krow solve --json prints it.
type Answer struct {
	Final  bool     `json:"final"`
	Value  string   `json:"value,omitempty"`
	Plies  *int     `json:"plies,omitempty"`
	Score  *int     `json:"score,omitempty"`
	Best   string   `json:"best,omitempty"`
	PV     []string `json:"pv"`
	Nodes  uint64   `json:"nodes"`
	TimeMS int64    `json:"time_ms"`
	Proved string   `json:"proved,omitempty"` // set only together with Error: the bounds that are proved
	Error  string   `json:"error,omitempty"`
}

// Answer returns the result v of a proof of p, with the line of best play and the time that the proof took. If failed is not nil,
// the result contains this error. Answer also returns failed or, if failed is nil, the error of finding the line.
func (s *Solver) Answer(ctx context.Context, p game.Position, v Solution, took time.Duration, failed error) (Answer, error) {
	a := Answer{Final: true, Value: v.Value, Plies: v.Plies, Score: v.Score, PV: []string{}, Nodes: v.Nodes, TimeMS: took.Milliseconds()}
	if v.Value != "" {
		pv, err := s.Line(ctx, p, v)
		failed = cmp.Or(failed, err)
		if a.PV = notation.MoveNames(p.Game(), pv); len(pv) > 0 {
			a.Best = a.PV[0]
		}
	}
	if failed != nil {
		a.Proved, a.Error = v.String(), failed.Error()
	}
	return a, failed
}

// Row returns the value of a move as a row of a table with the columns value, plies, score and nodes. A move that ends the game
// has neither score nor nodes.
func (v Solution) Row() string {
	switch {
	case v.Score != nil:
		return fmt.Sprintf("%-5s  %5d  %+5d  %8s", v.Value, *v.Plies, *v.Score, humanize.Count(v.Nodes))
	case v.Plies != nil:
		return fmt.Sprintf("%-5s  %5d  %5s", v.Value, *v.Plies, "")
	}
	return fmt.Sprintf("%-5s  %5s  %5s  %8s", v.Value, "", "", humanize.Count(v.Nodes))
}

// Known describes an unfinished proof in words: the bounds of the value, the nodes, the time that the proof took so far, and its
// progress.
func (v Solution) Known(took time.Duration) string {
	text := fmt.Sprintf("%s   %s nodes   %.0f s   %s", cmp.Or(v.Bounds(), "not proved yet"), humanize.Count(v.Nodes), took.Seconds(), v.Progress)
	return strings.TrimRight(text, " ")
}
