// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"errors"
	"fmt"

	"github.com/krow-lab/krow/bot"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/cage"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
)

// A binary that knows the catalog can be started as the cage of a bot. See package cage.
func init() { cage.Serve(Game) }

// newBot returns a bot whose program is in a file.
func newBot(g game.Game, s *spec.Spec, seed uint64) (player.Player, error) {
	p, err := readBot(s)
	if err != nil {
		return nil, err
	}
	return Bot(g, p, s, seed, nil)
}

// readBot reads the program that a spec names by its file. A stranger's spec cannot have one.
func readBot(s *spec.Spec) (p bot.Program, err error) {
	path := s.Path("path", 0, "")
	if path == "" {
		s.Path("weights", -1, "") // which a stranger cannot have either
	}
	if err := s.ValueErr(); err != nil {
		return p, err
	}
	if path == "" {
		return p, errors.New("which one? bot:FILE")
	}
	if p, err = bot.Read(path); err != nil {
		return p, &fileError{"bot", err}
	}
	return p, nil
}

// learned returns the parameters of a file that a learner wrote, none where the spec names none.
func learned(g game.Game, s *spec.Spec) (map[string]float64, error) {
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

// sameGame says whether weights were learned on the game that is played.
func sameGame(g game.Game, o weights.Origin) error {
	if o.Game != g.String() {
		return fmt.Errorf("learned on %s, not on %s", o.Game, g)
	}
	return nil
}

// Bot returns the player of a program, with the arguments of its spec: a seed, limits, and values of parameters that it
// declares. log may be nil.
func Bot(g game.Game, p bot.Program, s *spec.Spec, seed uint64, log func(bot.Line)) (player.Player, error) {
	o := bot.Options{Seed: s.Seed("seed", -1, seed), Limits: bot.Limits{Steps: s.Uint64("steps", -1, 0)}, Log: log}
	if p.Kind == bot.Starlark {
		declared, err := bot.Declare(g, p)
		if err != nil {
			return nil, &fileError{"bot", err}
		}
		if o.Params, err = learned(g, s); err != nil {
			return nil, err
		}
		for _, d := range declared.Params {
			if s.Has(d.Name) {
				o.Params[d.Name] = s.Float(d.Name, -1, d.Default, d.Low, d.High)
			}
		}
	}
	if err := s.ValueErr(); err != nil {
		return nil, err
	}
	pl, err := bot.Open(g, p, o)
	if err != nil {
		return nil, &fileError{"bot", err}
	}
	return pl, nil
}
