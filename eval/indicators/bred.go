// SPDX-License-Identifier: Apache-2.0

package indicators

import (
	_ "embed"
	"sync"

	"github.com/krow-lab/krow/eval/weights"
)

// bredFile was made on 2026-11-22 by `make bred`, which is
//
//	krow learn genetic --game ultimate --seed 1 --out eval/indicators/bred.json
//
//go:embed bred.json
var bredFile []byte

var bred = sync.OnceValues(func() (Weights, error) {
	var table map[string]any
	if _, err := weights.Decode(bredFile, heuristic, &table); err != nil {
		return Weights{}, err
	}
	return read(table)
})

// Bred returns the weights of the players that the authors deliver: bred by their genetic algorithm, in 90,000 games
// against random. They are for the ten indicators of the text, so those of Block and Either are 0.
func Bred() Weights {
	w, err := bred()
	if err != nil {
		panic("the built-in weights of the indicators: " + err.Error())
	}
	return w
}
