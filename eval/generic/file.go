// SPDX-License-Identifier: Apache-2.0

package generic

import (
	"fmt"

	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/threat"
)

// heuristic is the name that files of weights bear.
const heuristic = "generic"

// document is Weights in a file:
//
//	{"k":4,"own":{"half_open":[3.3,6.7,80],"open":[10,100,250],"row":1000000},"enemy":{...}}
//
// Lists go by size, 1 to k-1; row is k in a row. A list left out is zero, as "closed" is here.
type document struct {
	K     int        `json:"k"`
	Own   vectorJSON `json:"own"`
	Enemy vectorJSON `json:"enemy"`
}

// vectorJSON is a Vector in a file.
type vectorJSON struct {
	Closed   []float64 `json:"closed,omitempty"`
	HalfOpen []float64 `json:"half_open,omitempty"`
	Open     []float64 `json:"open,omitempty"`
	Row      float64   `json:"row"`
}

// lists returns the lists by threat.Class.
func (j *vectorJSON) lists() [3]*[]float64 { return [3]*[]float64{&j.Closed, &j.HalfOpen, &j.Open} }

// Save writes a file of weights: beside it first, then renamed.
func (w Weights) Save(name string, o weights.Origin) error {
	if err := w.check(w.K); err != nil {
		return err
	}
	return weights.Save(name, heuristic, o, document{w.K, w.Own.json(w.K), w.Enemy.json(w.K)})
}

func (v Vector) json(k int) (j vectorJSON) {
	j.Row = v.At(k, threat.Complete)
	for c, list := range j.lists() {
		zero := true
		for size := 1; size < k; size++ {
			x := v.At(size, threat.Class(c))
			*list, zero = append(*list, x), zero && x == 0
		}
		if zero {
			*list = nil
		}
	}
	return j
}

// Load reads the file of that name. It refuses what is no such file, and weights for another k, in one line.
func Load(name string, k int) (Weights, weights.Origin, error) {
	var d document
	o, err := weights.Load(name, heuristic, &d)
	if err != nil {
		return Weights{}, o, err
	}
	w, err := d.weights(k)
	if err != nil {
		return Weights{}, o, fmt.Errorf("%s: %w", name, err)
	}
	return w, o, nil
}

func (d *document) weights(k int) (w Weights, err error) {
	if d.K != k {
		return w, fmt.Errorf("weights for %d in a row, not %d", d.K, k)
	}
	w.K = k
	if w.Own, err = d.Own.vector(k); err != nil {
		return w, fmt.Errorf("own weights: %w", err)
	}
	if w.Enemy, err = d.Enemy.vector(k); err != nil {
		return w, fmt.Errorf("enemy weights: %w", err)
	}
	return w, w.check(k)
}

// vector returns the weights for k in a row, or an error where a list has not one weight for each size.
func (j *vectorJSON) vector(k int) (Vector, error) {
	v := NewVector(k)
	v.Set(j.Row, k, threat.Complete)
	for c, list := range j.lists() {
		if len(*list) != 0 && len(*list) != k-1 {
			return nil, fmt.Errorf("%d %s ones, not %d", len(*list), threat.Class(c), k-1)
		}
		for i, x := range *list {
			v.Set(x, i+1, threat.Class(c))
		}
	}
	return v, nil
}
