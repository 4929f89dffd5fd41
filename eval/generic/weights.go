// SPDX-License-Identifier: Apache-2.0

package generic

import (
	"fmt"
	"math"

	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/eval/weights"
)

// Vector contains a weight for each kind of threats, with the threat.Kind as index.
type Vector []float64

// NewVector returns the zero vector for k in a row; k is at least 1.
func NewVector(k int) Vector { return make(Vector, threat.Kinds(k)) }

// at returns the weight of threats of a size and class.
func (v Vector) at(size int, c threat.Class) float64 { return v[threat.KindOf(size, c)] }

// Set sets the weight of the threats that have the given size and one of these classes. It does nothing for a size below 1.
func (v Vector) Set(x float64, size int, classes ...threat.Class) {
	if size < 1 {
		return
	}
	for _, c := range classes {
		v[threat.KindOf(size, c)] = x
	}
}

// Weights are the parameters of the heuristic for k in a row. Own contains the weights of the own threats, Enemy the weights of
// the enemy's threats, which are subtracted.
type Weights struct {
	K          int
	Own, Enemy Vector
	Reading    threat.Reading // how threats are counted
}

// Fixed returns the published fixed weights. The published tables call them "brute".
func Fixed(k int) Weights {
	w := Weights{K: k, Own: NewVector(k), Enemy: NewVector(k)}
	a := small(k)
	for _, v := range []Vector{w.Own, w.Enemy} {
		for size := 1; size <= k-2; size++ {
			v.Set(a[2*size-1], size, threat.HalfOpen)
			if size < k-2 {
				v.Set(a[2*size], size, threat.Open)
			}
		}
		v.Set(1_000_000, k, threat.Complete)
	}
	w.Own.Set(100, k-2, threat.Open)
	w.Enemy.Set(1300, k-2, threat.Open)
	w.Own.Set(80, k-1, threat.HalfOpen)
	w.Own.Set(250, k-1, threat.Open)
	w.Enemy.Set(2000, k-1, threat.HalfOpen)
	w.Enemy.Set(5020, k-1, threat.Open)
	return w
}

// small returns the coefficients a[1], a[2], ... of the small threats; a[0] is not used. The coefficients grow by equal steps
// up to 10. An open threat weighs more than a half-open threat that has one stone more:
//
//	size          1           2           3
//	half-open  a[1] = 1   a[3] = 2   a[5] = 4   steps
//	open       a[2] = 3   a[4] = 5
//
// In the publication, the loop increments i by 1, so it runs beyond the end of the array. Here it increments i by 2.
func small(k int) []float64 {
	if k < 3 {
		return nil
	}
	n := 2*(k-3) + 1
	step := 10 / float64(n)
	a := make([]float64, n+1)
	a[1] = step
	for i := 1; i+2 <= n; i += 2 {
		a[i+2] = float64(i+1) * step
		a[i+1] = float64(i+2) * step
	}
	return a
}

// maxWeight is the greatest absolute value that a weight may have. Since the largest board has fewer than 2^17 threats, no sum
// of weights reaches eval.WinBound.
const maxWeight = 1e7

func (w Weights) checkWeights(k int) error {
	if w.K != k {
		return fmt.Errorf("weights are for %d in a row, not %d", w.K, k)
	}
	for _, v := range []Vector{w.Own, w.Enemy} {
		if len(v) != threat.Kinds(k) {
			return fmt.Errorf("found %d weights, but %d in a row needs %d", len(v), k, threat.Kinds(k))
		}
		for _, x := range v {
			if math.IsNaN(x) || math.Abs(x) > maxWeight {
				return fmt.Errorf("weight %g is outside ±%g", x, float64(maxWeight))
			}
		}
	}
	return nil
}

// heuristic is the heuristic's name in files of weights.
const heuristic = "generic"

// document contains Weights as they are stored in a file:
//
//	{"k":4,"gap":"exact","own":{"half_open":[3.3,6.7,80],"open":[10,100,250],"row":1000000},"enemy":{...}}
//
// Each list contains a weight for each size from 1 to k-1; "row" is the weight of k in a row. A missing list, like "closed" in
// this example, means zeros. The fields "gap" and "cap" contain Weights.Reading, the rules by which threats are counted. If the
// field "gap" is missing, Reading.Least is true: older files have no such field, because Least was the only reading then.
type document struct {
	K     int        `json:"k"`
	Gap   string     `json:"gap,omitempty"` // "exact" or empty
	Cap   string     `json:"cap,omitempty"` // "off" or empty
	Own   vectorJSON `json:"own"`
	Enemy vectorJSON `json:"enemy"`
}

const (
	gapExact = "exact"
	capOff   = "off"
)

// vectorJSON is a Vector as it is stored in a file.
type vectorJSON struct {
	Closed   []float64 `json:"closed,omitempty"`
	HalfOpen []float64 `json:"half_open,omitempty"`
	Open     []float64 `json:"open,omitempty"`
	Row      float64   `json:"row"`
}

// lists returns the three lists, with the threat.Class as index.
func (j *vectorJSON) lists() [3]*[]float64 { return [3]*[]float64{&j.Closed, &j.HalfOpen, &j.Open} }

// Save writes a file of weights. It writes a temporary file in the same folder and then renames it.
func (w Weights) Save(name string, o weights.Origin) error {
	if err := w.checkWeights(w.K); err != nil {
		return err
	}
	return weights.Save(name, heuristic, o, w.document())
}

func (w Weights) document() document {
	d := document{K: w.K, Own: w.Own.json(w.K), Enemy: w.Enemy.json(w.K)}
	if !w.Reading.Least {
		d.Gap = gapExact
	}
	if w.Reading.Uncapped {
		d.Cap = capOff
	}
	return d
}

func (v Vector) json(k int) (j vectorJSON) {
	j.Row = v.at(k, threat.Complete)
	for c, list := range j.lists() {
		zero := true
		for size := 1; size < k; size++ {
			x := v.at(size, threat.Class(c))
			*list, zero = append(*list, x), zero && x == 0
		}
		if zero {
			*list = nil
		}
	}
	return j
}

// Load reads the weights from the file with this name. It returns an error for a file of another kind, and for weights for another
// k.
func Load(name string, k int) (Weights, weights.Origin, error) {
	var d document
	var w Weights
	o, err := weights.Load(name, heuristic, &d, func(weights.Origin) (err error) {
		w, err = d.weights(k)
		return err
	})
	return w, o, err
}

func (d *document) weights(k int) (w Weights, err error) {
	if d.K != k {
		return w, fmt.Errorf("weights for %d in a row, not %d", d.K, k)
	}
	if d.Gap != "" && d.Gap != gapExact || d.Cap != "" && d.Cap != capOff {
		return w, fmt.Errorf("unknown values gap=%q or cap=%q", d.Gap, d.Cap)
	}
	w.K, w.Reading = k, threat.Reading{Least: d.Gap == "", Uncapped: d.Cap == capOff}
	if w.Own, err = d.Own.vector(k); err != nil {
		return w, fmt.Errorf("own weights: %w", err)
	}
	if w.Enemy, err = d.Enemy.vector(k); err != nil {
		return w, fmt.Errorf("enemy weights: %w", err)
	}
	return w, w.checkWeights(k)
}

// vector returns the weights for k in a row, or an error if a list does not have one weight for each size.
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
