// SPDX-License-Identifier: Apache-2.0

package target

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/krow-lab/krow/bot"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
)

// botUnits is how many steps lie between the bounds of a bot's parameter.
const botUnits = 10

// botSeed is the seed of a bot that draws lots while it learns.
const botSeed = 1

// Bot returns the parameters that a program declares. The player is the bot with so many steps for each move. The settings
// hold a hash of the program, so that learning does not go on with another one.
func Bot(g game.Game, p bot.Program, steps uint64) (*Target, error) {
	d, err := bot.Declare(g, p)
	if err != nil {
		return nil, err
	}
	if len(d.Params) == 0 {
		return nil, fmt.Errorf("%s declares no parameter, such as param(\"weight\", 1, 0, 10)", p.Name)
	}
	sum := sha256.Sum256(p.Text)
	t := &Target{Name: "bot", Game: g, Settings: map[string]any{"bot": p.Name, "program": hex.EncodeToString(sum[:8]), "steps": steps}}
	for _, q := range d.Params {
		unit := (q.High - q.Low) / botUnits
		if unit <= 0 {
			return nil, fmt.Errorf("%s: the parameter %s has one value only", p.Name, q.Name)
		}
		t.Params = append(t.Params, Param{
			Name: q.Name, Start: q.Default, Unit: unit, Low: (q.Low - q.Default) / unit, High: (q.High - q.Default) / unit,
		})
	}
	named := func(values []float64) map[string]float64 {
		all := map[string]float64{}
		for i, q := range d.Params {
			all[q.Name] = min(max(values[i], q.Low), q.High) // exactly, whatever was rounded
		}
		return all
	}
	t.player = func(values []float64) (player.Player, error) {
		return bot.Open(g, p, bot.Options{Seed: botSeed, Params: named(values), Limits: bot.Limits{Steps: steps}})
	}
	t.evaluator = func([]float64) (eval.Evaluator, error) {
		return nil, fmt.Errorf("%s is a bot, and no heuristic", p.Name)
	}
	t.save = func(name string, values []float64, o weights.Origin) error {
		return weights.Save(name, "bot", o, named(values))
	}
	return t, nil
}
