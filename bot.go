// SPDX-License-Identifier: Apache-2.0

package krow

import (
	"errors"
	"fmt"
	"slices"

	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
)

// readProgram reads the program of a bot from a file. See UsePrograms.
var readProgram = func(string) (player.Program, error) {
	return nil, errors.New("this binary cannot run bots")
}

// UsePrograms sets the function that reads the programs of bots. A binary that can play bots calls
// UsePrograms(bot.ReadPlayer) at the start. Without this call the binary does not contain the interpreters of bots.
func UsePrograms(read func(path string) (player.Program, error)) { readProgram = read }

// newBot returns a bot whose program is in a file.
func newBot(g game.Game, s *spec.Spec, seed uint64) (player.Player, error) {
	p, err := programOf(s)
	if err != nil {
		return nil, err
	}
	return Bot(g, p, s, seed)
}

// programOf reads the program of a bot from the file that a spec names.
func programOf(s *spec.Spec) (player.Program, error) {
	if s.String("path") == "" {
		return nil, errors.New("which one? bot:FILE")
	}
	p, err := readProgram(s.String("path"))
	if err != nil {
		return nil, &fileError{"bot", err}
	}
	return p, nil
}

// programPath is the option that names the file of a program.
var programPath = spec.File("path", "").At(1).Bare("FILE").Required()

// BotOptions returns the options that every bot has, except the file of its program. A program may declare more options.
func BotOptions() []spec.Option {
	return []spec.Option{spec.Seed("seed", 0), spec.Count("steps", 0), spec.File("weights", ""), spec.Others("PARAMETER=X")}
}

// learnedParams returns the parameters from a file that krow learn has written, or no parameters if the spec names no file.
func learnedParams(g game.Game, s *spec.Spec) (map[string]float64, error) {
	all := map[string]float64{}
	name := s.String("weights")
	if name == "" {
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
		return fmt.Errorf("the parameters were learned for %s, not for %s", o.Game, g)
	}
	return nil
}

// Bot makes a player from a program and the arguments of its spec: the BotOptions, and values of the parameters that the
// program declares.
func Bot(g game.Game, p player.Program, s *spec.Spec, seed uint64) (player.Player, error) {
	declared, err := p.Declare(g)
	if err != nil {
		return nil, &fileError{"bot", err}
	}
	options := slices.DeleteFunc(slices.Clone(s.Options()), func(o spec.Option) bool { return o.Key == "" })
	for _, d := range declared {
		options = append(options, spec.Number(d.Name, d.Default, d.Low, d.High))
	}
	if err := s.Read(options); err != nil {
		return nil, err
	}
	o := player.ProgramOptions{Seed: seedOf(s, seed), Steps: s.Uint64("steps")}
	if len(declared) > 0 {
		if o.Params, err = learnedParams(g, s); err != nil {
			return nil, err
		}
	}
	for _, d := range declared {
		if s.Given(d.Name) {
			o.Params[d.Name] = s.Float(d.Name)
		}
	}
	pl, err := p.Open(g, o)
	if err != nil {
		return nil, &fileError{"bot", err}
	}
	return pl, nil
}

// seedOf returns the argument seed of the spec, or seed if the spec does not give it.
func seedOf(s *spec.Spec, seed uint64) uint64 {
	if s.Given("seed") {
		return s.Uint64("seed")
	}
	return seed
}
