// SPDX-License-Identifier: Apache-2.0

// Package weights keeps the learned parameters of a heuristic in a file, with their origin.
//
// The file is one JSON object on one line; each heuristic has its own format for "weights":
//
//	{"krow":"weights","version":1,"heuristic":"generic","game":"mnk:7,7,4","learner":"qlearning","seed":7,
//	 "settings":{"gamma":0.1},"weights":{...}}
package weights

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/krow-lab/krow/internal/atomicfile"
)

// Origin describes how weights were learned.
type Origin struct {
	Game     string         `json:"game"`              // the spec of the game learned on
	Learner  string         `json:"learner,omitempty"` // empty for weights that were not learned
	Seed     uint64         `json:"seed"`
	Settings map[string]any `json:"settings,omitempty"` // the learner's
}

const (
	kind    = "weights"
	version = 1
	limit   = 1 << 20 // bytes; the longest file known has a tenth of it
)

// mark is the description of the format that a file of any version begins with.
type mark struct {
	Krow      string `json:"krow"`
	Version   int    `json:"version"`
	Heuristic string `json:"heuristic"`
}

type document struct {
	mark
	Origin
	Weights json.RawMessage `json:"weights"`
}

// Decode reads a file's bytes into body, which points to a value of the heuristic's own type for its weights. It returns an error
// for other files, a newer version, another heuristic and unknown fields.
func Decode(data []byte, heuristic string, body any) (Origin, error) {
	var m mark
	switch err := json.Unmarshal(data, &m); {
	case len(data) > limit || err != nil || m.Krow != kind || m.Version < 1:
		return Origin{}, errors.New("not a krow weights file")
	case m.Version > version:
		return Origin{}, fmt.Errorf("version %d of the weights file is newer than this krow, which reads %d", m.Version, version)
	case m.Heuristic != heuristic:
		return Origin{}, fmt.Errorf("weights of the heuristic %q, not %s", m.Heuristic, heuristic)
	}
	var d document
	if err := strictly(data, &d); err != nil {
		return Origin{}, fmt.Errorf("weights file: %w", err)
	}
	if err := strictly(d.Weights, body); err != nil {
		return Origin{}, fmt.Errorf("weights file: weights: %w", err)
	}
	return d.Origin, nil
}

func strictly(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if errors.Is(err, io.EOF) {
		return errors.New("missing")
	}
	return err
}

// Load reads the file of that name as Decode does, and calls check with the origin. Errors name the file.
func Load(name, heuristic string, body any, check func(o Origin) error) (Origin, error) {
	f, err := os.Open(name)
	if err != nil {
		return Origin{}, err
	}
	defer f.Close()
	// The file may be endless. One byte more than the limit is enough to refuse it.
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return Origin{}, err
	}
	o, err := Decode(data, heuristic, body)
	if err == nil {
		err = check(o)
	}
	if err != nil {
		return Origin{}, fmt.Errorf("%s: %w", name, err)
	}
	return o, nil
}

// Save writes a file: first to a temporary file next to it, which is then renamed. body holds the weights in the heuristic's
// format.
func Save(name, heuristic string, o Origin, body any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	text, err := json.Marshal(document{mark{kind, version, heuristic}, o, raw})
	if err != nil {
		return err
	}
	return atomicfile.Write(name, append(text, '\n'))
}
