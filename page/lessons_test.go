// SPDX-License-Identifier: Apache-2.0

package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/search"
)

// lesson is a lesson of src/lib/lessons.json.
type lesson struct {
	ID, Game, Title string
	Steps           []struct {
		Moves, Aim string
		Plies      int // of a win, with the aim "win"
		Answers    []string
		Task, Done string
	}
}

func lessons(t *testing.T) (all []lesson) {
	t.Helper()
	data, err := os.ReadFile("src/lib/lessons.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestLessonsAreTrue: the answers that a lesson accepts are all moves that do what its step asks for, and no others.
func TestLessonsAreTrue(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	for _, l := range lessons(t) {
		t.Run(l.ID, func(t *testing.T) {
			g, err := krow.Game(l.Game)
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range l.Steps {
				p := g.Start()
				moves, err := notation.ParseMoves(g, s.Moves)
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range moves {
					p.Play(m)
				}
				if p.Outcome() != game.Ongoing {
					t.Fatalf("step %d: the game is over", i+1)
				}
				var want []string
				e, err := krow.Player(g, "best", 1)
				if err != nil {
					t.Fatal(err)
				}
				defer player.Close(e)
				for _, m := range p.AppendMoves(nil) {
					if reaches(t, e.(player.Analyst), p, m, s.Aim, s.Plies) {
						want = append(want, g.Format(m))
					}
				}
				slices.Sort(want)
				if got := slices.Sorted(slices.Values(s.Answers)); !slices.Equal(got, want) {
					t.Errorf("step %d, %s: the answers are %q, and %q reach it", i+1, s.Aim, got, want)
				}
			}
		})
	}
}

// reaches reports whether a move of p reaches the aim of a step.
func reaches(t *testing.T, engine player.Analyst, p game.Position, m game.Move, aim string, plies int) bool {
	side := p.Turn()
	for f := range game.Forbidden(p, []game.Move{m}) {
		return f == m && aim == "forbidden"
	}
	before, _ := p.(*ultimate.Position)
	won := uint16(0)
	if before != nil {
		won = before.Board().Won[side]
	}
	p.Play(m)
	defer p.Undo()
	switch aim {
	case "small": // it wins a small board
		return before.Board().Won[side] != won
	case "sends": // the opponent has to play in a small board, and cannot win it at once
		b := before.Board()
		return b.Forced != ultimate.Any && ultimate.Completing(b.Stones[side.Other()][b.Forced])&b.Free(int(b.Forced)) == 0
	}
	switch {
	case p.Outcome() != game.Ongoing:
		return aim == "win" && p.Outcome() == game.WinFor(side) || aim == "save"
	case aim == "win" && plies == 1:
		return false
	}
	nodes := uint64(5_000)
	if aim == "save" {
		nodes = 100_000 // what is not refuted by then counts as saved
	}
	info, err := engine.Analyze(t.Context(), p, search.Limits{Nodes: nodes}, func(search.Info) {})
	if err != nil {
		t.Fatal(err)
	}
	n, sign := info.Score.Distance()
	switch aim {
	case "win": // it wins in so many plies, whatever the opponent plays
		return info.Solved && sign < 0 && n < plies
	case "save": // the opponent does not win
		return !info.Solved || sign <= 0
	}
	return false
}

// planLesson is a lesson of src/lib/plans.json, which tools/plans writes.
type planLesson struct {
	ID    string
	Steps []struct {
		Moves, Line, Why string
		Plan             *proof.Plan
	}
}

// TestPlanLessonsAreTrue: every move that a step asks for is the move of the certificate, for the reason that the step gives. By
// exhaustive search the pupil wins after each of these moves, and after the answer of the plan to every other reply.
func TestPlanLessonsAreTrue(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	data, err := os.ReadFile("src/lib/plans.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []planLesson
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile("../docs/measurements/certificates/connect4-7x6.proof")
	if err != nil {
		t.Fatal(err)
	}
	s, err := proof.ReadVerified(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("src/lib/plans.ts")
	if want := fmt.Sprintf("bytes: %d, ", len(file)); err != nil || !strings.Contains(string(code), want) {
		t.Errorf("plans.ts does not contain %q: %v", want, err)
	}
	g, err := krow.Game("connect4")
	if err != nil {
		t.Fatal(err)
	}
	best, err := krow.Player(g, "best", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer player.Close(best)
	for _, l := range all {
		for i, step := range l.Steps {
			before, err := notation.ParseMoves(g, step.Moves)
			if err != nil {
				t.Fatal(err)
			}
			line, err := notation.ParseMoves(g, step.Line)
			if err != nil {
				t.Fatal(err)
			}
			p := planPupil{t, g.Start().(game.Board), s, best.(player.Analyst), nil}
			for _, m := range before {
				p.play(m)
			}
			for j, why := range strings.Fields(step.Why) {
				if j > 0 {
					p.others(line[2*j-1])
					p.play(line[2*j-1])
				}
				got := p.answer()
				plan := got.Plan
				if step.Plan == nil {
					plan = nil
				}
				if got.Why != why || !reflect.DeepEqual(plan, step.Plan) || p.cells[len(p.cells)-1] != got.Cell || p.history() != line[2*j] {
					t.Fatalf("%s, step %d, move %d is %v, and the certificate has %+v", l.ID, i+1, j+1, g.Format(line[2*j]), got)
				}
			}
			if won := p.b.Outcome() == game.WinFor(game.First); won != (step.Plan != nil) {
				t.Errorf("%s, step %d ends with %v", l.ID, i+1, p.b.Outcome())
			}
		}
	}
}

// planPupil plays by the certificate.
type planPupil struct {
	t      *testing.T
	b      game.Board
	s      *proof.Strategy
	solver player.Analyst
	cells  []int
}

func (p *planPupil) play(m game.Move) {
	p.cells = append(p.cells, p.b.Cell(m))
	p.b.Play(m)
}

func (p *planPupil) history() game.Move {
	all := p.b.AppendHistory(nil)
	return all[len(all)-1]
}

// answer plays the move of the certificate, after which the pupil must win.
func (p *planPupil) answer() proof.PlannedMove {
	p.t.Helper()
	r, ok := p.s.Planned(p.cells)
	if !ok {
		p.t.Fatalf("the certificate has no move after %v", p.cells)
	}
	legal := p.b.AppendMoves(nil)
	i := slices.IndexFunc(legal, func(m game.Move) bool { return p.b.Cell(m) == r.Cell })
	if i < 0 {
		p.t.Fatalf("after %v the certificate plays %d", p.cells, r.Cell)
	}
	p.play(legal[i])
	if p.b.Outcome() == game.Ongoing {
		info, err := p.solver.Analyze(p.t.Context(), p.b, search.Limits{Nodes: 1 << 40}, nil)
		if _, sign := info.Score.Distance(); err != nil || !info.Solved || sign >= 0 {
			p.t.Fatalf("after %v the opponent does not lose: %+v, %v", p.cells, info, err)
		}
	}
	return r
}

// others answers all replies except m.
func (p *planPupil) others(m game.Move) {
	for _, other := range p.b.AppendMoves(nil) {
		if other != m {
			n := len(p.cells)
			p.play(other)
			p.answer()
			p.b.Undo()
			p.b.Undo()
			p.cells = p.cells[:n]
		}
	}
}
