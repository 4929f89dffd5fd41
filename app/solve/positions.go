// SPDX-License-Identifier: Apache-2.0

package solve

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
)

// Position is a line of a file of positions: moves in one word, or - for none, and the score where it is known.
type Position struct {
	Line     int
	Moves    string
	Expected *int // score
	Position game.Position
}

// ReadPositions reads positions that continue from start, one a line. Empty lines and those that begin with # are
// skipped. An error names the first line that is wrong.
func ReadPositions(r io.Reader, start game.Position) (all []Position, err error) {
	err = eachLine(r, func(n int, text string) error {
		if strings.HasPrefix(text, "#") {
			return nil
		}
		p, err := parsePosition(strings.Fields(text), start.Clone())
		p.Line = n
		all = append(all, p)
		return err
	})
	if err == nil && len(all) == 0 {
		err = errors.New("no position")
	}
	return all, err
}

func parsePosition(fields []string, p game.Position) (Position, error) {
	l := Position{Moves: fields[0], Position: p}
	if len(fields) > 2 {
		return l, fmt.Errorf("%q is one word too many: moves and a score are all", fields[2])
	}
	if len(fields) == 2 {
		score, err := strconv.Atoi(fields[1])
		if err != nil {
			return l, fmt.Errorf("%q is not a score", fields[1])
		}
		l.Expected = &score
	}
	if l.Moves != "-" {
		if err := notation.Play(p, l.Moves); err != nil {
			return l, err
		}
	}
	if o := p.Outcome(); o != game.Ongoing {
		return l, fmt.Errorf("the game is over: %s", o)
	}
	return l, nil
}

// eachLine calls do for each line that is not empty, without the space around it. An error says which line it is of.
func eachLine(r io.Reader, do func(number int, text string) error) error {
	in, n := bufio.NewScanner(r), 0
	for in.Scan() {
		n++
		text := in.Text()
		if n == 1 {
			text = strings.TrimPrefix(text, "\ufeff") // some editors begin every file with that
		}
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if err := do(n, text); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	if errors.Is(in.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("line %d: it is longer than %d bytes", n+1, bufio.MaxScanTokenSize)
	}
	return in.Err()
}

// Result is what a position of a file is worth.
type Result struct {
	Position
	Solution
	Time     time.Duration
	Mismatch bool // it is not worth what the file says
}

// Positions solves each position with an empty table. It ends with the first error, which names the line.
func (s *Solver) Positions(ctx context.Context, all []Position) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		for i, p := range all {
			s.e.clear()
			begin := time.Now()
			v, err := s.Solve(ctx, p.Position, nil)
			if err != nil {
				err = fmt.Errorf("line %d: %w; %d of %d positions are solved", p.Line, err, i, len(all))
			}
			if !yield(Result{p, v, time.Since(begin), p.mismatch(v)}, err) || err != nil {
				return
			}
		}
	}
}

// mismatch compares a value with what the file says: only the sign where no score was asked for.
func (p Position) mismatch(v Solution) bool {
	switch {
	case p.Expected == nil:
		return false
	case v.Score != nil:
		return *v.Score != *p.Expected
	case *p.Expected > 0:
		return v.Value != "win"
	case *p.Expected < 0:
		return v.Value != "loss"
	}
	return v.Value != "draw"
}

// Summary is what a file of positions took.
type Summary struct {
	Positions    int     `json:"positions"`
	Mismatches   int     `json:"mismatches"`
	MeanNodes    float64 `json:"mean_nodes"`
	MeanTimeUS   float64 `json:"mean_time_us"` // in microseconds
	MedianTimeUS float64 `json:"median_time_us"`
}

// Summarize adds up results.
func Summarize(all []Result) Summary {
	s, n := Summary{Positions: len(all)}, float64(len(all))
	if len(all) == 0 {
		return s
	}
	var times []float64
	for _, r := range all {
		if r.Mismatch {
			s.Mismatches++
		}
		took := float64(r.Time.Nanoseconds()) / 1e3
		s.MeanNodes += float64(r.Nodes) / n
		s.MeanTimeUS += took / n
		times = append(times, took)
	}
	slices.Sort(times)
	s.MedianTimeUS = (times[(len(times)-1)/2] + times[len(times)/2]) / 2
	return s
}
