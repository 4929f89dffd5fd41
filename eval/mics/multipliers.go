// SPDX-License-Identifier: Apache-2.0

package mics

import (
	"fmt"

	filed "github.com/krow-lab/krow/eval/weights"
)

// Multipliers weigh the numbers of a cell. The text names the first two and gives no values.
type Multipliers struct {
	MyCell   float64 `json:"my_cell"`  // MY_CELL_MULT: for each own stone in reach
	Adjacent float64 `json:"adjacent"` // ADJACENT_MULT: the direction counts so many times next to an own stone
	Growth   float64 `json:"growth"`   // a window is worth so many times more with each stone in it
}

// The greatest multipliers: with them no sum of values reaches a step, see step.
const (
	MaxMyCell   = 100
	MaxAdjacent = 8
	MaxGrowth   = 64
)

// Default returns the multipliers that were chosen by small matches. Tuning bettered them for one player: see
// docs/measurements/mics.md.
func Default() Multipliers { return Multipliers{MyCell: 1, Adjacent: 1.5, Growth: 4} }

func (m Multipliers) check() error {
	// A negated comparison refuses what is no number, too.
	if !(m.MyCell >= 0 && m.MyCell <= MaxMyCell && m.Adjacent >= 0 && m.Adjacent <= MaxAdjacent && m.Growth >= 1 && m.Growth <= MaxGrowth) {
		return fmt.Errorf("mics: my_cell is 0 to %d, adjacent 0 to %d and growth 1 to %d, not %g, %g and %g",
			MaxMyCell, MaxAdjacent, MaxGrowth, m.MyCell, m.Adjacent, m.Growth)
	}
	return nil
}

// kind is what files of multipliers bear as their heuristic. Those of "mics" hold the branching and the depth of the player.
const kind = "mics-multipliers"

// Save writes a file of weights: {"my_cell":1,"adjacent":1.5,"growth":4}.
func (m Multipliers) Save(name string, o filed.Origin) error {
	if err := m.check(); err != nil {
		return err
	}
	return filed.Save(name, kind, o, m)
}

// Load reads the file of that name.
func Load(name string) (Multipliers, filed.Origin, error) {
	var m Multipliers
	o, err := filed.Load(name, kind, &m, func(filed.Origin) error { return m.check() })
	return m, o, err
}
