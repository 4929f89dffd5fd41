// SPDX-License-Identifier: Apache-2.0

// Plans writes the lessons on winning at Connect Four, which it takes from the certificate of the game. It writes the file that the
// page contains:
//
//	go run ./tools/plans >page/src/lib/plans.json
//
// A step of a lesson is a position of the certificate in which a plan begins, and a line: the moves by the plan, with replies after
// which as many rules as possible are used. The program leaves out a plan if no line uses all its rules. It takes about
// a minute.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/bits"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/search"
)

// columns is the number of columns of the board.
const columns = 7

// The limits of a step: the number of rules of its plan, of positions in which a line is looked for, and of the pupil's moves.
const maxRules, maxPositions, minMoves, maxMoves = 11, 3_000, 4, 14

// perLesson is the number of steps of a lesson.
const perLesson = 5

type lesson struct {
	ID    string `json:"id"`
	Steps []step `json:"steps"`
}

type step struct {
	Moves string      `json:"moves"`          // the moves before the position
	Line  string      `json:"line"`           // the pupil's moves and the replies in turn
	Why   string      `json:"why"`            // by move of the pupil: proof.PlannedMove.Why
	Plan  *proof.Plan `json:"plan,omitempty"` // nil in the opening
}

// A kind of plans makes a lesson. A plan belongs to the first kind that accepts it.
var kinds = []struct {
	id      string
	accepts func(p *proof.Plan) bool
}{
	{"plan-order", func(p *proof.Plan) bool { return len(p.Rules) <= 3 && all(p, takes) }},
	{"plan-above", func(p *proof.Plan) bool {
		return len(p.Rules) <= 5 && slices.ContainsFunc(p.Rules, above) && all(p, func(r proof.Rule) bool { return takes(r) || above(r) })
	}},
	{"plan-even", func(p *proof.Plan) bool { return len(p.Rules) <= 5 && slices.ContainsFunc(p.Rules, even) }},
	{"plan-after", func(p *proof.Plan) bool { return len(p.Rules) <= 6 && !all(p, takes) }},
	{"plan-list", func(p *proof.Plan) bool { return len(p.Rules) <= 5 }},
	{"plan-long", func(p *proof.Plan) bool { return len(p.Rules) <= 7 }},
	{"plan-nine", func(p *proof.Plan) bool { return len(p.Rules) <= 9 }},
	{"plan-eleven", func(*proof.Plan) bool { return true }},
}

func all(p *proof.Plan, is func(proof.Rule) bool) bool {
	return !slices.ContainsFunc(p.Rules, func(r proof.Rule) bool { return !is(r) })
}

func takes(r proof.Rule) bool { return r.Cell != proof.Even && r.After == proof.Always }
func above(r proof.Rule) bool { return r.After != proof.Always && r.Cell == r.After+columns }
func even(r proof.Rule) bool  { return r.Cell == proof.Even }

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, "plans:", err)
		os.Exit(1)
	}
}

func write() error {
	g, err := krow.Game("connect4")
	if err != nil {
		return err
	}
	file, err := os.Open("docs/measurements/certificates/connect4-7x6.proof")
	if err != nil {
		return err
	}
	defer file.Close()
	s, err := proof.ReadVerified(file)
	if err != nil {
		return err
	}
	w := &walk{g: g, b: g.Start().(game.Board), s: s, met: map[string]bool{}, plans: map[string]bool{}, found: map[string][]step{}}
	w.walkToPlans()
	opening, err := w.opening()
	if err != nil {
		return err
	}
	lessons := []lesson{{"plan-opening", opening}}
	for _, k := range kinds {
		lessons = append(lessons, lesson{k.id, choose(w.found[k.id])})
	}
	var lines []string
	for _, l := range lessons {
		text, err := json.Marshal(l)
		if err != nil {
			return err
		}
		lines = append(lines, strings.ReplaceAll(string(text), `{"moves`, "\n  {\"moves"))
	}
	fmt.Printf("[\n %s\n]\n", strings.Join(lines, ",\n "))
	return nil
}

// choose returns the steps of a lesson, those with few rules first. It takes as many with each number of rules as it can, and prefers
// lines with few moves that no rule gives, and short lines.
func choose(steps []step) (chosen []step) {
	slices.SortStableFunc(steps, func(a, b step) int {
		return cmp.Or(strings.Count(a.Why, "none")-strings.Count(b.Why, "none"), len(a.Line)-len(b.Line), strings.Compare(a.Moves, b.Moves))
	})
	for len(chosen) < min(perLesson, len(steps)) {
		for n := range maxRules + 1 {
			i := slices.IndexFunc(steps, func(s step) bool {
				return len(s.Plan.Rules) == n && !slices.ContainsFunc(chosen, func(c step) bool { return c.Plan == s.Plan })
			})
			if i >= 0 && len(chosen) < perLesson {
				chosen = append(chosen, steps[i])
			}
		}
	}
	slices.SortStableFunc(chosen, func(a, b step) int { return len(a.Plan.Rules) - len(b.Plan.Rules) })
	return chosen
}

// walk walks over the positions of a certificate.
type walk struct {
	g     game.Game
	b     game.Board
	cells []int // the cells that were played
	s     *proof.Strategy
	met   map[string]bool
	plans map[string]bool   // the plans that already have a step, and their mirror images
	found map[string][]step // the steps by lesson
}

func (w *walk) play(m game.Move) {
	w.cells = append(w.cells, w.b.Cell(m))
	w.b.Play(m)
}

func (w *walk) undo() {
	w.cells = w.cells[:len(w.cells)-1]
	w.b.Undo()
}

// move returns the move on a cell, which must be playable.
func (w *walk) move(cell int) game.Move {
	for _, m := range w.b.AppendMoves(nil) {
		if w.b.Cell(m) == cell {
			return m
		}
	}
	panic("the certificate has an illegal move")
}

func (w *walk) key() string {
	var b strings.Builder
	for _, stone := range w.b.Cells() {
		b.WriteByte('0' + byte(stone))
	}
	return b.String()
}

// walkToPlans walks from a position in which the pupil is to move to all positions in which a plan begins.
func (w *walk) walkToPlans() {
	if key := w.key(); !w.met[key] {
		w.met[key] = true
		r, ok := w.s.Planned(w.cells)
		switch {
		case !ok:
			panic("the certificate has no move")
		case r.Why == "first":
			w.add(r.Plan)
		case r.Why != "row":
			w.play(w.move(r.Cell))
			for _, m := range w.b.AppendMoves(nil) {
				w.play(m)
				w.walkToPlans()
				w.undo()
			}
			w.undo()
		}
	}
}

// add adds a step with a plan, if the plan is new and a line uses all its rules.
func (w *walk) add(p *proof.Plan) {
	if len(p.Rules) > maxRules || w.plans[fmt.Sprint(*p)] {
		return
	}
	f := finder{w, map[string]line{}}
	best := f.best(0)
	if own := (len(best.moves) + 1) / 2; len(f.known) > maxPositions || bits.OnesCount(best.used) < len(p.Rules) || own < minMoves || own > maxMoves {
		return
	}
	mirror := proof.Plan{Rules: slices.Clone(p.Rules), Rightmost: !p.Rightmost}
	for i := range mirror.Rules {
		for _, c := range []*int{&mirror.Rules[i].Cell, &mirror.Rules[i].After} {
			if *c >= 0 {
				*c += columns - 1 - 2*(*c%columns)
			}
		}
	}
	w.plans[fmt.Sprint(*p)], w.plans[fmt.Sprint(mirror)] = true, true
	for _, k := range kinds {
		if k.accepts(p) {
			w.found[k.id] = append(w.found[k.id], w.step(best.moves, p))
			return
		}
	}
}

// step returns the step whose line begins in the present position.
func (w *walk) step(line []game.Move, p *proof.Plan) step {
	s := step{Moves: notation.FormatMoves(w.g, w.b.AppendHistory(nil)), Line: notation.FormatMoves(w.g, line), Plan: p}
	var why []string
	for i, m := range line {
		if i%2 == 0 {
			r, _ := w.s.Planned(w.cells)
			why = append(why, r.Why)
		}
		w.play(m)
	}
	for range line {
		w.undo()
	}
	s.Why = strings.Join(why, " ")
	return s
}

// finder looks for the line of a plan in which most rules are used.
type finder struct {
	*walk
	known map[string]line // by position and rules used before
}

type line struct {
	used  uint // the rules that are used, as bits
	moves []game.Move
}

// best returns the best line from a position in which the pupil is to move; used are the rules that were used before. The
// best line uses the most rules. If several lines use equally many, the best is the longest that does not have too many moves.
func (f *finder) best(used uint) (best line) {
	key := f.key() + strconv.Itoa(int(used))
	if l, ok := f.known[key]; ok || len(f.known) > maxPositions {
		return l
	}
	r, ok := f.s.Planned(f.cells)
	if !ok {
		panic("the certificate has no move")
	}
	if n, err := strconv.Atoi(r.Why); err == nil {
		used |= 1 << (n - 1)
	}
	m := f.move(r.Cell)
	f.play(m)
	best.used = used
	for _, reply := range f.replies() {
		f.play(reply)
		l := f.best(used)
		f.undo()
		if worth(l) > worth(best) || best.moves == nil {
			best = line{l.used, append([]game.Move{reply}, l.moves...)}
		}
	}
	f.undo()
	best.moves = append([]game.Move{m}, best.moves...)
	f.known[key] = best
	return best
}

func worth(l line) int {
	n := len(l.moves)
	if n > 2*maxMoves {
		n = 0
	}
	return 100*bits.OnesCount(l.used) + n
}

// replies returns the opponent's moves. If the pupil threatens to win, the opponent stops it.
func (f *finder) replies() (moves []game.Move) {
	if f.b.Outcome() != game.Ongoing {
		return nil
	}
	moves = f.b.AppendMoves(nil)
	var stops []game.Move
	for _, m := range moves {
		for _, other := range moves {
			if other == m {
				continue
			}
			f.b.Play(other)
			if f.b.Outcome() == game.Ongoing && game.After(f.b, m) == game.WinFor(f.b.Turn()) {
				stops = append(stops, m)
				f.b.Undo()
				break
			}
			f.b.Undo()
		}
	}
	if len(stops) > 0 {
		return stops
	}
	return moves
}

// opening returns steps with the first moves of the certificate. The engine chooses the replies that resist longest.
func (w *walk) opening() (steps []step, err error) {
	const moves = 5
	best, err := krow.Player(w.g, "best", 1)
	if err != nil {
		return nil, err
	}
	for first := range (columns + 1) / 2 {
		var line []game.Move
		for len(line) < 2*moves-1 {
			var m game.Move
			switch {
			case len(line)%2 == 0:
				r, _ := w.s.Planned(w.cells)
				m = w.move(r.Cell)
			case len(line) == 1:
				m = w.b.AppendMoves(nil)[first]
			default:
				if m, err = best.Move(context.Background(), w.b, search.Limits{}); err != nil {
					return nil, err
				}
			}
			w.play(m)
			line = append(line, m)
		}
		for range line {
			w.undo()
		}
		steps = append(steps, w.step(line, nil))
	}
	return steps, nil
}
