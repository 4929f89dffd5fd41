// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
)

// solveLine is a line of a file of positions: "4455 -2", or "4455" where the score is not known.
type solveLine struct {
	number   int
	moves    string
	p        game.Position
	expected *int
}

type lineJSON struct {
	Line     int    `json:"line"`
	Moves    string `json:"moves"`
	Value    string `json:"value"`
	Plies    *int   `json:"plies,omitempty"`
	Score    *int   `json:"score,omitempty"`
	Expected *int   `json:"expected,omitempty"`
	Mismatch bool   `json:"mismatch,omitempty"`
	Nodes    uint64 `json:"nodes"`
	TimeUS   int64  `json:"time_us"`
}

type fileJSON struct {
	Final        bool    `json:"final"`
	Unfinished   bool    `json:"unfinished,omitempty"`
	Positions    int     `json:"positions"`
	Mismatches   int     `json:"mismatches"`
	MeanNodes    float64 `json:"mean_nodes"`
	MeanTimeUS   float64 `json:"mean_time_us"`
	MedianTimeUS float64 `json:"median_time_us"`
}

// file solves the positions of a file, each with an empty table. Lines are read, and all of them checked,
// before the first is solved. Should the time be up it tells of those that are solved.
func (s *solving) file(ctx context.Context, cmd *cobra.Command, solver exactSolver, start game.Position) error {
	lines, err := readPositions(cmd.Context(), s.positions, start)
	if err != nil {
		return err
	}
	var t tally
	var failed error
	for _, l := range lines {
		solver.Clear()
		begin := time.Now()
		sol := solver.Solve(ctx, l.p, nil)
		took := time.Since(begin)
		if failed = unproved(ctx, s.weak, sol); failed != nil {
			failed = fmt.Errorf("%s: line %d: %w; %d of %d positions are solved", s.positions, l.number, failed, len(t.times), len(lines))
			break
		}
		j := l.result(sol, s.weak)
		j.TimeUS = took.Microseconds()
		if err := printLine(cmd, j); err != nil {
			return err
		}
		t.add(j, took)
	}
	total := t.total()
	total.Unfinished = failed != nil
	return together(failed, printTotal(cmd, total))
}

// tally adds up lines.
type tally struct {
	mismatches int
	nodes      uint64
	times      []time.Duration
}

func (t *tally) add(j lineJSON, took time.Duration) {
	if j.Mismatch {
		t.mismatches++
	}
	t.nodes += j.Nodes
	t.times = append(t.times, took)
}

func (t *tally) total() fileJSON {
	n := len(t.times)
	total := fileJSON{Final: true, Positions: n, Mismatches: t.mismatches}
	if n == 0 {
		return total
	}
	slices.Sort(t.times)
	sum := time.Duration(0)
	for _, took := range t.times {
		sum += took
	}
	us := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }
	total.MeanNodes, total.MeanTimeUS = float64(t.nodes)/float64(n), us(sum)/float64(n)
	total.MedianTimeUS = us(t.times[(n-1)/2]+t.times[n/2]) / 2
	return total
}

// result holds a solution to what the line expects: of a score only its sign where no more was asked for.
func (l solveLine) result(s solution, weak bool) lineJSON {
	j := lineJSON{Line: l.number, Moves: l.moves, Value: s.Value, Expected: l.expected, Nodes: s.Nodes}
	if weak || !s.Exact {
		j.Mismatch = l.expected != nil && s.Value != valueOf(*l.expected)
		return j
	}
	j.Score, j.Plies = &s.Score, &s.Plies
	j.Mismatch = l.expected != nil && s.Score != *l.expected
	return j
}

func valueOf(score int) string {
	switch {
	case score > 0:
		return "win"
	case score < 0:
		return "loss"
	}
	return "draw"
}

func printLine(cmd *cobra.Command, j lineJSON) error {
	if asJSON(cmd) {
		return printJSON(cmd.OutOrStdout(), j)
	}
	text := j.Value
	if j.Score != nil {
		text = fmt.Sprintf("%+d", *j.Score)
	}
	if j.Mismatch {
		text += fmt.Sprintf(" expected %+d", *j.Expected)
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%d: %s %s\n", j.Line, j.Moves, text)
	return err
}

func printTotal(cmd *cobra.Command, t fileJSON) error {
	var err error
	if asJSON(cmd) {
		err = printJSON(cmd.OutOrStdout(), t)
	} else {
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s, %s   mean %.1f nodes, %.1f µs   median %.1f µs\n",
			amount(t.Positions, "position", "positions"), amount(t.Mismatches, "mismatch", "mismatches"), t.MeanNodes, t.MeanTimeUS, t.MedianTimeUS)
	}
	if err == nil && t.Mismatches > 0 {
		err = fmt.Errorf("%d of %d positions are not worth what the file says", t.Mismatches, t.Positions)
	}
	return err
}

// readPositions reads a file of positions that continue from start. A line that cannot be meant is an error.
func readPositions(ctx context.Context, name string, start game.Position) ([]solveLine, error) {
	f, err := openInput(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("positions: %w", err)
	}
	defer f.Close()
	lines, err := parsePositions(f, start)
	if err == nil && len(lines) == 0 {
		err = fmt.Errorf("no position")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return lines, nil
}

// parsePositions reads positions, one a line; empty lines and those that begin with # are none.
func parsePositions(r io.Reader, start game.Position) (lines []solveLine, err error) {
	err = eachLine(r, func(n int, text string) error {
		if strings.HasPrefix(text, "#") {
			return nil
		}
		l, err := parsePosition(strings.Fields(text), start.Clone())
		l.number = n
		lines = append(lines, l)
		return err
	})
	return lines, err
}

func parsePosition(fields []string, p game.Position) (solveLine, error) {
	l := solveLine{moves: fields[0], p: p}
	if len(fields) > 2 {
		return l, fmt.Errorf("%q is one word too many: moves and a score are all", fields[2])
	}
	if len(fields) == 2 {
		score, err := strconv.Atoi(fields[1])
		if err != nil {
			return l, fmt.Errorf("%q is not a score", fields[1])
		}
		l.expected = &score
	}
	if l.moves != "-" {
		if err := notation.Play(p, l.moves); err != nil {
			return l, err
		}
	}
	if p.Outcome() != game.Ongoing {
		return l, fmt.Errorf("the game is over: %s", p.Outcome())
	}
	return l, nil
}
