// SPDX-License-Identifier: Apache-2.0

package solve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/work"
)

// jobGames are positions whose trees have some leaves, with the nodes of a unit and the value.
var jobGames = []struct {
	game, moves string
	nodes       uint64
	want        string
}{
	{"tictactoe", "", 5, "draw"},
	{"tictactoe", "a1 a2 b2", 2, "loss"},
	{"mnk:4,3,3", "", 4, "win"},
	{"mnk:5,5,4", "", 2500, "draw"},
	{"mnk:6,5,4", "", 1500, "win"},
	{"connect4:4x4", "", 60, "draw"},
	{"connect4:6x4", "", 10_000, "loss"},
	{"connect4:5x5", "", 10_000, "draw"},
	{"connect4:6x5", "33335", 500, "draw"},
	{"ultimate", late, 8, "win"},
}

// TestJobs: many small searches prove what one solver proves, by the same tree at any number of them at once. Their line
// keeps the value.
func TestJobs(t *testing.T) {
	for _, tc := range jobGames {
		t.Run(tc.game+" "+tc.moves, func(t *testing.T) {
			var first []jobDone
			for _, jobs := range []int{1, 5} {
				s, p := at(t, tc.game, tc.moves, Options{Weak: true})
				j := s.Jobs(p, tc.nodes)
				v, err := j.Run(t.Context(), work.Pool{Jobs: jobs, Kinds: Kinds()}, nil)
				if err != nil || v.Value != tc.want || !v.Solved {
					t.Fatalf("%d at once: %v, %v, want %s: %s", jobs, v, err, tc.want, v.Progress)
				}
				if first == nil {
					first = j.done
					holds(t, s, p, j.Line(), v)
				}
				if !slices.Equal(first, j.done) {
					t.Errorf("%d at once: %d units, one at once %d", jobs, len(j.done), len(first))
				}
				t.Logf("%d units, %d nodes, %d positions", j.Units(), v.Nodes, len(j.tree.nodes))
			}
		})
	}
}

// holds wants the value of each position of a line to be that of the first, for its side to move.
func holds(t *testing.T, s *Solver, p game.Position, line []game.Move, want Solution) {
	t.Helper()
	if s.provesWins() {
		return
	}
	first := p.Turn()
	for _, m := range line {
		p.Play(m)
		if p.Outcome() != game.Ongoing {
			return
		}
		v, err := s.Solve(t.Context(), p, nil)
		value := want.Value
		if p.Turn() != first {
			value = map[string]string{"win": "loss", "loss": "win", "draw": "draw"}[value]
		}
		if err != nil || v.Value != value {
			t.Errorf("after %s it is a %s, %v, want a %s", p.Game().Format(m), v.Value, err, value)
		}
	}
}

func (s *Solver) provesWins() bool { return provers[family(s.g)] }

// stopping is a queue that ends after some results, as a process that is killed.
type stopping struct {
	work.Pool
	after int
}

var errKilled = errors.New("killed")

func (q *stopping) Run(ctx context.Context, units iter.Seq2[work.Unit, error], result func(int, []byte) error) error {
	return q.Pool.Run(ctx, units, func(i int, data []byte) error {
		if q.after--; q.after < 0 {
			return errKilled
		}
		return result(i, data)
	})
}

// keptNodes are those of a unit on mnk:5,5,4.
const keptNodes = 2500

// TestJobsKept: work that is killed after any result, in the middle of a line, goes on to the same tree. A file that is
// damaged, or of other work, is refused and left as it is.
func TestJobsKept(t *testing.T) {
	s, p := at(t, "mnk:5,5,4", "", Options{})
	whole := s.Jobs(p, keptNodes)
	if _, err := whole.Run(t.Context(), work.Pool{Kinds: Kinds()}, nil); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "jobs")
	kills := 0
	for ; ; kills++ {
		j := s.Jobs(p, keptNodes)
		if err := j.Keep(name); err != nil {
			t.Fatal(err)
		}
		if other := s.Jobs(p, keptNodes); other.Keep(name) == nil {
			t.Error("two processes have one file")
		}
		_, err := j.Run(t.Context(), &stopping{work.Pool{Jobs: 2, Kinds: Kinds()}, 3 + kills%5}, nil)
		j.Close()
		if err == nil {
			if !slices.Equal(j.done, whole.done) {
				t.Errorf("%d units, at once %d", len(j.done), len(whole.done))
			}
			break
		}
		if !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(f, "a line that was cut o")
		f.Close()
	}
	if kills < 3 {
		t.Errorf("%d kills: this tests too little", kills)
	}
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(good), "\n")
	for what, tc := range map[string]struct{ text, want string }{
		"another position": {strings.Replace(string(good), `"moves":""`, `"moves":"a1"`, 1), "line 1: this is unfinished work on another position"},
		"another version":  {strings.Replace(string(good), `"version":1`, `"version":2`, 1), "line 1: version 2"},
		"another verdict":  {lines[0] + strings.Replace(lines[1], " 0 ", " 1 ", 1) + strings.Join(lines[2:], ""), "line 2: the file is damaged"},
		"a missing line":   {lines[0] + strings.Join(lines[2:], ""), "line 2: the file is damaged"},
		"another file":     {"hello\n", "line 1: this is no unfinished work"},
		"a short file":     {"hello", "this is no unfinished work"},
		"too many lines":   {string(good) + lines[1], fmt.Sprintf("line %d: the file is damaged", len(lines))},
	} {
		if tc.text == string(good) {
			t.Errorf("%s: nothing is changed", what)
		}
		if err := os.WriteFile(name, []byte(tc.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := s.Jobs(p, keptNodes).Keep(name); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %s", what, err, tc.want)
		}
		if left, err := os.ReadFile(name); err != nil || !bytes.Equal(left, []byte(tc.text)) {
			t.Errorf("%s: the file was changed, %v", what, err)
		}
	}
}

// withdrawing is a queue that once takes results back.
type withdrawing struct {
	work.Pool
	after, first int
	wrong        []byte
}

func (q *withdrawing) Run(ctx context.Context, units iter.Seq2[work.Unit, error], result func(int, []byte) error) error {
	return q.Pool.Run(ctx, units, func(i int, data []byte) error {
		switch q.after--; {
		case q.after == 0:
			return &work.WithdrawnError{First: q.first}
		case q.after > 0 && i >= q.first:
			data = q.wrong
		}
		return result(i, data)
	})
}

// TestJobsWithdrawn: wrong results that are taken back leave no trace, in the tree or in the file.
func TestJobsWithdrawn(t *testing.T) {
	s, p := at(t, "mnk:5,5,4", "", Options{})
	name := filepath.Join(t.TempDir(), "jobs")
	var want []jobDone
	for _, q := range []work.Queue{work.Pool{Kinds: Kinds()}, &withdrawing{work.Pool{Kinds: Kinds()}, 20, 11, []byte(`{"verdict":2,"nodes":1}`)}} {
		j := s.Jobs(p, keptNodes)
		if want != nil {
			if err := j.Keep(name); err != nil {
				t.Fatal(err)
			}
		}
		if v, err := j.Run(t.Context(), q, nil); err != nil || v.Value != "draw" {
			t.Fatal(v, err)
		}
		j.Close()
		if want == nil {
			want = j.done
		}
		if !slices.Equal(want, j.done) {
			t.Errorf("%d units, want %d", len(j.done), len(want))
		}
	}
	j := s.Jobs(p, keptNodes)
	if err := j.Keep(name); err != nil || !slices.Equal(want, j.done) {
		t.Errorf("the file has %d units, %v, want %d", len(j.done), err, len(want))
	}
	j.Close()
}

// TestJobsOpen: as long as the value is not known there is no line that keeps it.
func TestJobsOpen(t *testing.T) {
	s, p := at(t, "mnk:5,5,4", "", Options{})
	j := s.Jobs(p, keptNodes)
	if _, err := j.Run(t.Context(), &stopping{work.Pool{Kinds: Kinds()}, 5}, nil); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	if line := j.Line(); len(line) > 0 {
		t.Errorf("the line is %v", line)
	}
}
