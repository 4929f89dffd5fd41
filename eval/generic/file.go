// SPDX-License-Identifier: Apache-2.0

package generic

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/krow-lab/krow/threat"
)

// File is learned weights and how they came about. On disk it is one JSON object on one line:
//
//	{"krow":"weights","version":1,"heuristic":"generic","game":"mnk:7,7,4","learner":"q","seed":7,
//	 "settings":{"gamma":0.1},"k":4,"own":{"half_open":[3.3,6.7,80],"open":[10,100,250],"row":1000000},
//	 "enemy":{...}}
//
// Lists go by size, 1 to k-1; row is k in a row. A list left out is zero, as "closed" is here.
type File struct {
	Game     string // the spec of the game learned on
	Learner  string // empty for weights nobody learned
	Seed     uint64
	Settings map[string]any // the learner's
	Weights  Weights
}

const (
	fileKind    = "weights"
	fileVersion = 1
	heuristic   = "generic"
	fileLimit   = 1 << 20 // bytes; the longest file there is has a tenth
)

// header is what a file says of itself in every version.
type header struct {
	Krow      string `json:"krow"`
	Version   int    `json:"version"`
	Heuristic string `json:"heuristic"`
}

type fileJSON struct {
	header
	Game     string         `json:"game"`
	Learner  string         `json:"learner,omitempty"`
	Seed     uint64         `json:"seed"`
	Settings map[string]any `json:"settings,omitempty"`
	K        int            `json:"k"`
	Own      vectorJSON     `json:"own"`
	Enemy    vectorJSON     `json:"enemy"`
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

// Write writes the file.
func (f File) Write(w io.Writer) error {
	k := f.Weights.K
	if err := f.Weights.check(k); err != nil {
		return err
	}
	return json.NewEncoder(w).Encode(fileJSON{
		header{fileKind, fileVersion, heuristic},
		f.Game, f.Learner, f.Seed, f.Settings,
		k, f.Weights.Own.json(k), f.Weights.Enemy.json(k),
	})
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

// Read reads a file for k in a row. It refuses what is no weights file, a newer version, another heuristic
// and another k, in one line.
func Read(r io.Reader, k int) (File, error) {
	data, err := io.ReadAll(io.LimitReader(r, fileLimit+1))
	if err != nil {
		return File{}, err
	}
	var h header
	switch err := json.Unmarshal(data, &h); {
	case len(data) > fileLimit || err != nil || h.Krow != fileKind || h.Version < 1:
		return File{}, errors.New("not a krow weights file")
	case h.Version > fileVersion:
		return File{}, fmt.Errorf("version %d of the weights file is newer than this krow, which reads %d", h.Version, fileVersion)
	case h.Heuristic != heuristic:
		return File{}, fmt.Errorf("weights of the heuristic %q, not %s", h.Heuristic, heuristic)
	}
	var j fileJSON
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&j); err != nil {
		return File{}, fmt.Errorf("weights file: %w", err)
	}
	if j.K != k {
		return File{}, fmt.Errorf("weights for %d in a row, not %d", j.K, k)
	}
	f := File{Game: j.Game, Learner: j.Learner, Seed: j.Seed, Settings: j.Settings, Weights: Weights{K: k}}
	if f.Weights.Own, err = j.Own.vector(k); err != nil {
		return File{}, fmt.Errorf("own weights: %w", err)
	}
	if f.Weights.Enemy, err = j.Enemy.vector(k); err != nil {
		return File{}, fmt.Errorf("enemy weights: %w", err)
	}
	return f, f.Weights.check(k)
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

// Load reads the file of that name for k in a row.
func Load(name string, k int) (File, error) {
	r, err := os.Open(name)
	if err != nil {
		return File{}, err
	}
	defer r.Close()
	f, err := Read(r, k)
	if err != nil {
		return File{}, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

// Save writes the file of that name: beside it first, then renamed, so that it is never half there.
func (f File) Save(name string) error {
	w, err := os.CreateTemp(filepath.Dir(name), ".weights-*")
	if err != nil {
		return err
	}
	err = cmp.Or(f.Write(w), w.Chmod(0o644), w.Sync(), w.Close())
	if err == nil {
		err = os.Rename(w.Name(), name)
	}
	if err != nil {
		os.Remove(w.Name())
	}
	return err
}
