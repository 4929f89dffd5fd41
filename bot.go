// SPDX-License-Identifier: Apache-2.0

package krow

import (
	"errors"
	"fmt"

	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
)

// readProgram reads the program of a bot from a file. See UsePrograms.
var readProgram = func(string) (player.Program, error) {
	return nil, errors.New("this binary cannot run bots")
}

// UsePrograms sets the function that reads the programs of bots. A binary that plays bots calls it in main, before anything else,
// with the function of package bot, so that other binaries need not have the interpreters of bots.
func UsePrograms(read func(path string) (player.Program, error)) { readProgram = read }

// newBot returns a bot whose program is in a file.
func newBot(g game.Game, s *spec.Spec, seed uint64) (player.Player, error) {
	p, err := programOf(s)
	if err != nil {
		return nil, err
	}
	return Bot(g, p, s, seed)
}

// programOf reads the program that a spec names by its file. A stranger's spec cannot have one.
func programOf(s *spec.Spec) (player.Program, error) {
	path := s.Path("path", 0, "")
	if path == "" {
		s.Path("weights", -1, "") // which a stranger cannot have either
	}
	if err := s.ValueErr(); err != nil {
		return nil, err
	}
	if path == "" {
		return nil, errors.New("which one? bot:FILE")
	}
	p, err := readProgram(path)
	if err != nil {
		return nil, &fileError{"bot", err}
	}
	return p, nil
}

// learnedParams returns the parameters of a file that a learner wrote, or none if the spec names no file.
func learnedParams(g game.Game, s *spec.Spec) (map[string]float64, error) {
	all := map[string]float64{}
	name := s.Path("weights", -1, "")
	if name == "" || s.ValueErr() != nil {
		return all, nil
	}
	if _, err := weights.Load(name, "bot", &all, func(o weights.Origin) error { return sameGame(g, o) }); err != nil {
		return nil, &fileError{"weights", err}
	}
	return all, nil
}

// sameGame returns an error if weights were learned on another game than g.
func sameGame(g game.Game, o weights.Origin) error {
	if o.Game != g.String() {
		return fmt.Errorf("learned on %s, not on %s", o.Game, g)
	}
	return nil
}

// Bot returns the player of a program, with the arguments of its spec: a seed, limits, and values of parameters that it
// declares.
func Bot(g game.Game, p player.Program, s *spec.Spec, seed uint64) (player.Player, error) {
	o := player.ProgramOptions{Seed: s.Seed("seed", -1, seed), Steps: s.Uint64("steps", -1, 0)}
	declared, err := p.Declare(g)
	if err != nil {
		return nil, &fileError{"bot", err}
	}
	if len(declared) > 0 {
		if o.Params, err = learnedParams(g, s); err != nil {
			return nil, err
		}
	}
	for _, d := range declared {
		if s.Has(d.Name) {
			o.Params[d.Name] = s.Float(d.Name, -1, d.Default, d.Low, d.High)
		}
	}
	if err := s.ValueErr(); err != nil {
		return nil, err
	}
	pl, err := p.Open(g, o)
	if err != nil {
		return nil, &fileError{"bot", err}
	}
	return pl, nil
}
