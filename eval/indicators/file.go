// SPDX-License-Identifier: Apache-2.0

package indicators

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The marks of a weights file.
const (
	format    = "weights"
	version   = 1
	heuristic = "indicators"
	infinite  = "infinite" // how the weight of Win is written
)

// File is what a weights file holds. On disk it is one JSON object:
//
//	{
//	  "krow": "weights", "version": 1, "game": "ultimate", "heuristic": "indicators",
//	  "learner": "genetic:players=30", "seed": 7,
//	  "weights": {"corner": 2, "centre": 3, ..., "win": "infinite"}
//	}
//
// Each of the ten indicators of the text must have a weight; the program's two may be left out, and then have
// their default ones.
type File struct {
	Game    string // spec of the game in which the weights were learned
	Learner string // spec of what learned them, or a word on where they are from
	Seed    uint64
	Weights Weights
}

type document struct {
	Krow      string         `json:"krow"`
	Version   int            `json:"version"`
	Game      string         `json:"game"`
	Heuristic string         `json:"heuristic"`
	Learner   string         `json:"learner"`
	Seed      uint64         `json:"seed"`
	Weights   map[string]any `json:"weights"`
}

// Load reads a weights file.
func Load(path string) (File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return File{}, fmt.Errorf("weights: %w", err)
	}
	f, err := parse(text)
	if err != nil {
		return File{}, fmt.Errorf("weights file %s: %w", path, err)
	}
	return f, nil
}

func parse(text []byte) (File, error) {
	var d document
	if err := json.Unmarshal(text, &d); err != nil && d.Version <= version {
		return File{}, err
	}
	switch {
	case d.Krow != format:
		return File{}, errors.New("not a file of krow weights")
	case d.Version > version:
		return File{}, fmt.Errorf("version %d is newer than %d, the newest this program reads", d.Version, version)
	case d.Version < 1:
		return File{}, fmt.Errorf("there is no version %d", d.Version)
	case d.Heuristic != heuristic:
		return File{}, fmt.Errorf("the weights are for the heuristic %q, not %q", d.Heuristic, heuristic)
	}
	w, err := readWeights(d.Weights)
	if err != nil {
		return File{}, err
	}
	f := File{d.Game, d.Learner, d.Seed, w}
	return f, f.check()
}

// check returns an error in one line if these are no weights for ultimate.
func (f File) check() error {
	if family, _, _ := strings.Cut(f.Game, ":"); family != "ultimate" {
		return fmt.Errorf("the weights are for the game %q, not ultimate", f.Game)
	}
	return f.Weights.Check()
}

func readWeights(table map[string]any) (Weights, error) {
	w := Default()
	for i := range Indicator(Count) {
		v, ok := table[i.String()]
		delete(table, i.String())
		x, number := v.(float64)
		switch {
		case !ok && i != Block && i != Either:
			return w, fmt.Errorf("no weight of %s", i)
		case !ok || i == Win && v == infinite:
		case !number:
			return w, fmt.Errorf("the weight of %s is no number: %v", i, v)
		default:
			w[i] = x
		}
	}
	if len(table) > 0 {
		return w, fmt.Errorf("there is no indicator %q", slices.Sorted(maps.Keys(table))[0])
	}
	return w, nil
}

// Save writes a weights file: beside its place first, and then over it, so that no reader finds half of it.
func Save(path string, f File) error {
	if err := f.check(); err != nil {
		return err
	}
	d := document{format, version, f.Game, heuristic, f.Learner, f.Seed, map[string]any{}}
	for i, x := range f.Weights {
		d.Weights[names[i]] = x
		if math.IsInf(x, 1) {
			d.Weights[names[i]] = infinite
		}
	}
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return err
	}
	return replace(path, append(text, '\n'))
}

func replace(path string, text []byte) error {
	t, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("weights: %w", err)
	}
	if err := fill(t, text); err != nil {
		os.Remove(t.Name())
		return fmt.Errorf("weights: %w", err)
	}
	if err := os.Rename(t.Name(), path); err != nil {
		os.Remove(t.Name())
		return fmt.Errorf("weights: %w", err)
	}
	return nil
}

// fill writes the whole file and closes it.
func fill(t *os.File, text []byte) error {
	_, err := t.Write(text)
	if err == nil {
		err = t.Chmod(0o644) // CreateTemp keeps others out
	}
	return cmp.Or(err, t.Close())
}
