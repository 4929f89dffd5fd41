// SPDX-License-Identifier: Apache-2.0

package indicators

import (
	_ "embed"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/krow-lab/krow/eval/weights"
)

// Indicator is one of the questions about a move.
type Indicator uint8

// The indicators: ten from the report, and two that only the authors' program has. The "board sent to" is the small board in which
// the move makes the opponent play.
const (
	Corner      Indicator = iota // is the cell a corner of its small board?
	Centre                       // is the cell the centre?
	Edge                         // is the cell neither a corner nor the centre?
	OwnStones                    // how many stones does the mover have in the board to which the move sends the opponent?
	EnemyStones                  // how many stones does the opponent have in that board?
	Decided                      // is that board won or full?
	Empty                        // is that board empty?
	EnemyCanWin                  // can the opponent win that board?
	Capture                      // does the move win its small board?
	Win                          // does it win the game?
	Block                        // (only in the program) does it take a cell that would win the small board for the opponent?
	Either                       // (only in the program) can either side win the board sent to?

	Count = 12 // number of indicators
)

var names = [Count]string{
	"corner", "centre", "edge", "own-stones", "enemy-stones", "decided", "empty", "enemy-can-win", "capture",
	"win", "block", "either-can-win",
}

// String returns the name, such as "own-stones".
func (i Indicator) String() string { return names[i] }

// place contains the indicator of each cell of a small board: Corner, Centre or Edge.
var place = [9]Indicator{
	Corner, Edge, Corner,
	Edge, Centre, Edge,
	Corner, Edge, Corner,
}

// Vector holds the values of the indicators for one move.
type Vector [Count]int8

// Weights are the weights of the indicators. The weight of Win is infinite. The weight of Block is used only if
// Options.Block is true, and the weight of Either only if Options.Either is true.
type Weights [Count]float64

// MaxWeight is the greatest weight, except the weight of Win.
const MaxWeight = 1e6

// Default returns the weights that the authors set by hand: 3 for Centre, 2 for Corner, infinity for Win, and 1 for each other
// indicator.
func Default() Weights {
	var w Weights
	for i := range w {
		w[i] = 1
	}
	w[Centre], w[Corner], w[Win] = 3, 2, math.Inf(1)
	return w
}

// Signed returns the weights of [Default], but with a minus sign for three indicators: EnemyStones, EnemyCanWin and Decided.
// Decided has a minus sign because the opponent has a free choice if the board sent to is decided. The report says that a
// weight is positive if its indicator favours the mover, and negative otherwise. But all weights that the report prints are
// positive, and it does not say which weights must be negative.
func Signed() Weights {
	w := Default()
	w[EnemyStones], w[EnemyCanWin], w[Decided] = -1, -1, -1
	return w
}

// checkWeights returns an error if a weight is not allowed.
func (w Weights) checkWeights() error {
	for i, x := range w {
		switch {
		case Indicator(i) == Win:
			if !math.IsInf(x, 1) {
				return fmt.Errorf("the weight of a won game must be infinite, not %g", x)
			}
		case math.IsNaN(x) || math.Abs(x) > MaxWeight:
			return fmt.Errorf("the weight of %s must be a number from %g to %g, not %g", Indicator(i), -MaxWeight, MaxWeight, x)
		}
	}
	return nil
}

const (
	heuristic = "indicators" // the heuristic's name in files of weights
	infinite  = "infinite"   // the weight of Win in a file
)

// Save writes a file of weights: {"corner":2,"centre":3,...,"win":"infinite"}.
func (w Weights) Save(name string, o weights.Origin) error {
	if err := w.fit(o.Game); err != nil {
		return err
	}
	table := map[string]any{}
	for i, x := range w {
		table[names[i]] = x
		if math.IsInf(x, 1) {
			table[names[i]] = infinite
		}
	}
	return weights.Save(name, heuristic, o, table)
}

// Load reads the weights from the file with this name. The file must have a weight for each of the ten indicators of the report.
// If the two indicators of the program are missing, their weights are the default ones.
func Load(name string) (Weights, weights.Origin, error) {
	var table map[string]any
	var w Weights
	o, err := weights.Load(name, heuristic, &table, func(o weights.Origin) (err error) {
		if w, err = read(table); err == nil {
			err = w.fit(o.Game)
		}
		return err
	})
	return w, o, err
}

// fit returns an error unless game is ultimate tic-tac-toe and the weights are allowed.
func (w Weights) fit(game string) error {
	if family, _, _ := strings.Cut(game, ":"); family != "ultimate" {
		return fmt.Errorf("the weights are for the game %q, not ultimate", game)
	}
	return w.checkWeights()
}

func read(table map[string]any) (Weights, error) {
	w := Default()
	for i := range Indicator(Count) {
		v, ok := table[i.String()]
		delete(table, i.String())
		x, number := v.(float64)
		switch {
		case !ok && i != Block && i != Either:
			return w, fmt.Errorf("the weight of %s is missing", i)
		case !ok || i == Win && v == infinite:
		case !number:
			return w, fmt.Errorf("the weight of %s is not a number: %v", i, v)
		default:
			w[i] = x
		}
	}
	if len(table) > 0 {
		return w, fmt.Errorf("unknown indicator %q", slices.Sorted(maps.Keys(table))[0])
	}
	return w, nil
}

// bredFile was made on 2026-11-22 by `make bred`, which is
//
//	krow learn genetic ultimate --seed 1 --out eval/indicators/bred.json
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

// Bred returns weights that the authors' genetic algorithm has bred in 90,000 games against the random player, as in the authors'
// program. They are for the ten indicators of the report, so Block and Either have the weight 0.
func Bred() Weights {
	w, err := bred()
	if err != nil {
		panic("the built-in weights of the indicators: " + err.Error())
	}
	return w
}
