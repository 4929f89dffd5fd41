// SPDX-License-Identifier: Apache-2.0

package runs

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/genetic"
	gomokunet "github.com/krow-lab/krow/learn/gomoku/network"
	learnultimate "github.com/krow-lab/krow/learn/ultimate"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/bot"
)

// Learned is the state of a learning run after a step.
type Learned struct {
	Run     *Run
	learner learn.Learner
}

// At returns the state of the run after a step; 0 means the last step. It returns an error if the state was not
// kept.
func (r *Run) At(step int) (*Learned, error) {
	if step == 0 || step == r.Step {
		l, err := r.restored()
		return &Learned{r, l}, err
	}
	if step > r.Step {
		return nil, r.beyond(step)
	}
	state, err := r.stateAt(step)
	if err == nil && state == nil {
		err = fmt.Errorf("run %d: the state after step %d was not kept; the states after %v were", r.ID, step, Rungs(r.Steps))
	}
	if err != nil {
		return nil, err
	}
	l, err := r.open(r.db)
	if err == nil {
		err = l.Restore(state)
	}
	return &Learned{r, l}, err
}

type breeder interface {
	Colony() []genetic.Member
	Traits() []string
	SaveMember(member int, name string) error
}

// Specimen is a member of a Colony: one player with its weights.
type Specimen struct {
	Player string `json:"player" doc:"spec with which the player can play on this server"`
	genetic.Member
}

// Colony is the current population of players of the genetic learner, the best player first.
type Colony struct {
	Traits  []string   `json:"traits" nullable:"false" doc:"names of the weights"`
	Members []Specimen `json:"members" nullable:"false" doc:"the players; a view of a run has only the best 30"`
	Size    int        `json:"size" doc:"number of all members"`
}

// Colony returns the colony, or an error if the run's learner is not genetic.
func (l *Learned) Colony() (*Colony, error) {
	b, ok := l.learner.(breeder)
	if !ok {
		return nil, fmt.Errorf("run %d, %s: the learner breeds no colony", l.Run.ID, l.Run.Key)
	}
	c := &Colony{Traits: b.Traits()}
	step, _ := l.learner.Steps()
	for i, m := range b.Colony() {
		c.Members = append(c.Members, Specimen{Ref{Run: l.Run.ID, Step: step, Member: i + 1}.String(), m})
	}
	if c.Size = len(c.Members); c.Size == 0 {
		return nil, fmt.Errorf("run %d, %s: the colony has no members before its first generation", l.Run.ID, l.Run.Key)
	}
	return c, nil
}

const mostBest = 30

// Best returns the colony of a run with its best members, or nil if the run's learner is not genetic.
func (r *Run) Best() *Colony {
	if name, _, _ := strings.Cut(r.Learner, ":"); name != "genetic" {
		return nil // the learner need not be restored, which may start the program of a bot
	}
	l, err := r.At(0)
	if err != nil {
		return nil
	}
	c, err := l.Colony()
	if err != nil {
		return nil
	}
	c.Members = c.Members[:min(c.Size, mostBest)]
	return c
}

// Save writes the learned weights to a file. If member is above 0, it writes the weights of that member of the
// colony.
func (l *Learned) Save(file string, member int) error {
	if member == 0 {
		return l.learner.Save(file)
	}
	c, err := l.Colony()
	if err != nil {
		return err
	}
	if most := len(c.Members); member < 1 || member > most {
		return &spec.Error{Msg: fmt.Sprintf("run %d: the members of the colony are 1 to %d; there is no member %d", l.Run.ID, most, member)}
	}
	return l.learner.(breeder).SaveMember(member, file)
}

// Spec returns the spec of a player that uses the weights in a file that Save wrote.
func (l *Learned) Spec(file string) (string, error) {
	switch l.learner.(type) {
	case *learnultimate.Learner:
		return "ultimate:net=" + file, nil
	case *gomokunet.Learner:
		return "gomoku:net=" + file, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	var of struct {
		Heuristic string
		Settings  struct{ Block, Either, Ever bool }
	}
	if err := json.Unmarshal(data, &of); err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	switch of.Heuristic {
	case "bot":
		if l.Run.Bot != "" {
			return spec.With(l.Run.Bot, "weights="+file), nil
		}
		s, err := spec.Parse(l.Run.Learner)
		if err != nil {
			return "", err
		}
		target, _ := s.Raw("target") // bot(FILE)
		return spec.With(target, "weights="+file), nil
	case "generic":
		return "alphabeta:depth=4,eval=generic(weights=" + file + ")", nil
	case "plans":
		return "alphabeta:depth=4,eval=plans(weights=" + file + ")", nil
	case "mics":
		return "mics:nodes=2000,weights=" + file, nil
	}
	args := "weights=" + file
	for _, o := range []struct {
		name string
		on   bool
	}{{"block", of.Settings.Block}, {"either", of.Settings.Either}, {"ever", of.Settings.Ever}} {
		if o.on {
			args += "," + o.name + "=on"
		}
	}
	return "greedy:eval=" + of.Heuristic + "(" + args + ")", nil
}

// Weights returns the content of the file that Save writes.
func (l *Learned) Weights(member int) (data []byte, err error) {
	err = inTemp(func(dir string) error {
		file := filepath.Join(dir, "weights")
		if err := l.Save(file, member); err != nil {
			return err
		}
		data, err = os.ReadFile(file)
		return err
	})
	return data, err
}

// Players returns a function that makes players with the learned weights. The returned function does not use the store.
func (l *Learned) Players(g game.Game, member int) (func(seed uint64) (player.Player, error), error) {
	data, err := l.Weights(member)
	var program bot.Program
	if err == nil && l.Run.Bot != "" {
		program, err = l.Run.program(l.Run.db)
	}
	if err != nil {
		return nil, err
	}
	return func(seed uint64) (p player.Player, err error) {
		err = inTemp(func(dir string) error {
			file := filepath.Join(dir, "weights")
			if err := os.WriteFile(file, data, 0o600); err != nil {
				return err
			}
			text, err := l.Spec(file)
			if err == nil && l.Run.Bot != "" {
				text, err = writeProgram(dir, program)
				text = "bot:" + text + ",weights=" + file
			}
			if err == nil {
				p, err = krow.Player(g, text, seed)
			}
			return err
		})
		return p, err
	}, nil
}

// inTemp calls f with the name of a temporary directory, and then removes the directory.
func inTemp(f func(dir string) error) error {
	dir, err := os.MkdirTemp("", "krow-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	return f(dir)
}
