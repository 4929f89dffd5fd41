// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/internal/store"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/colony"
	"github.com/krow-lab/krow/player"
)

// learned is a player of what a run of learning came to: run:7,step=15 plays as run 7 does after step 15, and
// run:7,step=15,member=2 as the second best of the colony that it had bred. The step is always said, since what is
// played must not change while the run goes on.
type learned struct {
	run          int64
	step, member int
}

const learnedName = "run"

func (l learned) String() string {
	if l.member > 1 {
		return fmt.Sprintf("%s:%d,step=%d,member=%d", learnedName, l.run, l.step, l.member)
	}
	return fmt.Sprintf("%s:%d,step=%d", learnedName, l.run, l.step)
}

// parseLearned reads the spec of such a player, and says whether it is one.
func parseLearned(text string) (l learned, is bool, err error) {
	if name, _, _ := strings.Cut(strings.TrimSpace(text), ":"); name != learnedName {
		return l, false, nil
	}
	s, err := spec.Parse(text)
	if err != nil {
		return l, true, err
	}
	const most = 1_000_000_000
	l = learned{int64(s.Int("number", 0, 0, 1, most)), s.Int("step", -1, 0, 1, most), s.Int("member", -1, 1, 1, 10_000)}
	if err := s.Err(); err != nil {
		return l, true, err
	}
	if l.run == 0 || l.step == 0 {
		return l, true, fmt.Errorf("%q needs the number of a run and a step, as in run:7,step=15", text)
	}
	return l, true, nil
}

// player returns the player of a spec from a request, which may name what a run has learned.
func (s *Server) player(g game.Game, text string, seed uint64) (player.Player, error) {
	l, is, err := parseLearned(text)
	if err != nil {
		return nil, err
	}
	if !is {
		return playerOf(g, text, seed)
	}
	r, err := s.db.Load(l.run)
	if err == nil && r.Kind != learnKind {
		err = store.ErrNoRun
	}
	if err != nil {
		return nil, fmt.Errorf("%s: there is no such run", text)
	}
	state, err := s.stateAt(r, l.step)
	if err != nil {
		return nil, err
	}
	return play(g, r, state, l.member, seed)
}

// stateAt returns the state that a run had after a step, as far as it has been kept.
func (s *Server) stateAt(r *store.Run, step int) ([]byte, error) {
	if step == r.Step {
		return r.State, nil
	}
	state, ok, err := s.db.Cell(stateCell, r.Key, strconv.Itoa(step))
	if err == nil && !ok {
		err = fmt.Errorf("run %d: what it had learned after step %d is not kept: a match makes it again", r.ID, step)
	}
	return state, err
}

// stateCell is the study by which the store keeps states of runs; the run is the variant, the step the key.
const stateCell = "state"

func (s *Server) keepState(run *store.Run, step int, state []byte) error {
	return s.db.PutCell(store.Cell{Study: stateCell, Variant: run.Key, Key: strconv.Itoa(step), Result: state})
}

// play returns a player by what was learned up to a state. The file by which its weights travel is gone when it
// returns.
func play(g game.Game, r *store.Run, state []byte, member int, seed uint64) (player.Player, error) {
	l, err := learnerAt(r, state)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "krow-web-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "weights.json")
	c, err := colony.New(g, l)
	if err == nil {
		if err := c.Check(member); err != nil {
			return nil, fmt.Errorf("run %d: %w", r.ID, err)
		}
		if err := c.Save(member, file); err != nil {
			return nil, err
		}
		return catalog.Player(g, c.Spec(file), seed)
	}
	if member > 1 {
		return nil, fmt.Errorf("run %d: %w", r.ID, err)
	}
	if err := l.Save(file); err != nil {
		return nil, err
	}
	text, err := playerOfWeights(file)
	if err != nil {
		return nil, err
	}
	return catalog.Player(g, text, seed)
}

// playerOfWeights returns the player who is offered with these weights in place of the fixed ones.
func playerOfWeights(file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	var of struct{ Heuristic string }
	if err := json.Unmarshal(data, &of); err != nil {
		return "", err
	}
	switch of.Heuristic {
	case "generic":
		return "alphabeta:depth=4,eval=generic(weights=" + file + ")", nil
	case "mics":
		return "mics:nodes=2000,weights=" + file, nil
	}
	return "greedy:eval=" + of.Heuristic + "(weights=" + file + ")", nil
}

// learnerAt returns the learner of a run at a state of it; a nil state is before the first step.
func learnerAt(r *store.Run, state []byte) (learn.Learner, error) {
	var of Learning
	if err := json.Unmarshal(r.Spec, &of); err != nil {
		return nil, err
	}
	l, err := of.learner()
	if err == nil && state != nil {
		err = l.Restore(state)
	}
	return l, err
}

// rungs are the steps whose states are kept, for a ladder: the first, the last, and between them as many again
// each time.
func rungs(steps int) []int {
	all := []int{1}
	for _, n := range []int{steps / 8, steps / 4, steps / 2, steps} {
		if n > all[len(all)-1] {
			all = append(all, n)
		}
	}
	return all
}

// prepare makes runs again whose players take part and whose states were not kept: as far as the last step that
// is asked for.
func (s *Server) prepare(ctx context.Context, players []string, note func(string)) error {
	wanted := map[int64][]int{}
	for _, text := range players {
		if l, is, err := parseLearned(text); is && err == nil {
			wanted[l.run] = append(wanted[l.run], l.step)
		}
	}
	for run, steps := range wanted {
		if err := s.makeAgain(ctx, run, steps, note); err != nil {
			return err
		}
	}
	return nil
}

// makeAgain keeps the states that a run had after these steps, if it is not known. What it learned follows from
// its settings, so that it comes to the same.
func (s *Server) makeAgain(ctx context.Context, run int64, steps []int, note func(string)) error {
	r, err := s.db.Load(run)
	if err != nil {
		return err
	}
	last := 0
	for _, step := range steps {
		if _, err := s.stateAt(r, step); err != nil {
			last = max(last, step)
		}
	}
	if last == 0 {
		return nil
	}
	l, err := learnerAt(r, nil)
	if err != nil {
		return err
	}
	for step := 1; step <= last; step++ {
		note(fmt.Sprintf("run %d: step %d/%d", run, step, last))
		if _, err := l.Step(ctx); err != nil {
			return err
		}
		if !slices.Contains(steps, step) {
			continue
		}
		state, err := l.State()
		if err == nil {
			err = s.keepState(r, step, state)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkLearned says what is wrong with a player of what was learned before its state is there.
func (s *Server) checkLearned(g game.Game, l learned) error {
	r, err := s.runOf(l.run, learnKind)
	if err != nil {
		return fmt.Errorf("%s: there is no such run", l)
	}
	if l.step > r.Step {
		return fmt.Errorf("%s: the run has made %d steps", l, r.Step)
	}
	p, err := play(g, r, r.State, l.member, 1)
	if err != nil {
		return err
	}
	player.Close(p)
	return nil
}

// maxLearned is how many runs are offered as opponents.
const maxLearned = 4

// learnedOf lists the latest runs of a game as opponents.
func (s *Server) learnedOf(g game.Game) []Opponent {
	runs, err := s.db.Runs(learnKind)
	if err != nil {
		s.log.Error("runs are not listed", "error", err)
		return nil
	}
	var all []Opponent
	for _, r := range slices.Backward(runs) {
		var of Learning
		if r.Step == 0 || json.Unmarshal(r.Spec, &of) != nil || of.Game != g.String() || len(all) == maxLearned {
			continue
		}
		l := learned{r.ID, r.Step, 1}
		all = append(all, Opponent{Name: "learned", Player: l.String(), Doc: fmt.Sprintf("%s, step %d of %d", of.Learner, r.Step, r.Steps)})
	}
	return all
}

// Colony is a bred generation, the best first.
type Colony struct {
	Traits  []string   `json:"traits" nullable:"false" doc:"what the weights are of"`
	Members []Specimen `json:"members" nullable:"false" doc:"the first 30"`
	Size    int        `json:"size"`
}

// Specimen is a member of a colony.
type Specimen struct {
	Player  string    `json:"player" doc:"spec by which it plays here"`
	Fitness float64   `json:"fitness" doc:"share of the games of the last generation that it won"`
	Born    int       `json:"born" doc:"the generation it appeared in"`
	Weights []float64 `json:"weights" nullable:"false"`
}

const maxSpecimens = 30

// colonyOf returns the colony that a run has bred, or nil where it breeds none.
func colonyOf(r *store.Run) *Colony {
	var of Learning
	if r.State == nil || json.Unmarshal(r.Spec, &of) != nil {
		return nil
	}
	g, err := gameOf(of.Game)
	if err != nil {
		return nil
	}
	l, err := learnerAt(r, r.State)
	if err != nil {
		return nil
	}
	c, err := colony.New(g, l)
	if err != nil {
		return nil
	}
	v := &Colony{Traits: []string{}, Members: []Specimen{}, Size: len(c.Members)}
	for _, i := range c.Indicators() {
		v.Traits = append(v.Traits, i.String())
	}
	for n, m := range c.Members[:min(len(c.Members), maxSpecimens)] {
		one := Specimen{learned{r.ID, r.Step, n + 1}.String(), m.Fitness, m.Born, []float64{}}
		for _, i := range c.Indicators() {
			one.Weights = append(one.Weights, m.Weights[i])
		}
		v.Members = append(v.Members, one)
	}
	return v
}
