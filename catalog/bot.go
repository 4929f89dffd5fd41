// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"errors"

	"github.com/krow-lab/krow/bot"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/cage"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
)

// A binary that knows the catalog can be started as the cage of a bot. See package cage.
func init() { cage.Serve(Game) }

// newBot returns a bot whose program is in a file.
func newBot(g game.Game, s *spec.Spec, seed uint64) (player.Player, error) {
	path := s.String("path", 0, "")
	if path == "" {
		return nil, errors.New("which one? bot:FILE")
	}
	if err := s.ValueErr(); err != nil { // for strangers
		return nil, err
	}
	p, err := bot.Read(path)
	if err != nil {
		return nil, &fileError{"bot", err}
	}
	return Bot(g, p, s, seed, nil)
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
		for _, d := range declared.Params {
			if s.Has(d.Name) {
				if o.Params == nil {
					o.Params = map[string]float64{}
				}
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
