// SPDX-License-Identifier: Apache-2.0

// Package weights stores the learned parameters of a heuristic in a file, together with their origin.
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
	Game     string         `json:"game"`              // the spec of the game in which the weights were learned
	Learner  string         `json:"learner,omitempty"` // name of the learner; empty if the weights were not learned
	Seed     uint64         `json:"seed"`
	Settings map[string]any `json:"settings,omitempty"` // settings of the learner
}

const (
	kind    = "weights"
	version = 1
	limit   = 1 << 20 // maximum number of bytes of a file; the longest known file has a tenth of this number
)

// mark contains the fields with which a file of any version begins.
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

// Decode parses the contents of a file into body, a pointer to a value of the heuristic's own type of weights. It returns an
// error if the file is not a file of weights, has a newer version, is for another heuristic, or has unknown fields.
func Decode(data []byte, heuristic string, body any) (Origin, error) {
	var m mark
	switch err := json.Unmarshal(data, &m); {
	case len(data) > limit || err != nil || m.Krow != kind || m.Version < 1:
		return Origin{}, errors.New("not a krow weights file")
	case m.Version > version:
		return Origin{}, fmt.Errorf("the weights file has version %d; this krow reads versions up to %d", m.Version, version)
	case m.Heuristic != heuristic:
		return Origin{}, fmt.Errorf("the weights are for the heuristic %q, not %s", m.Heuristic, heuristic)
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

// Load reads the file with this name like Decode, and calls check with the origin of the weights. Errors contain the name of the
// file.
func Load(name, heuristic string, body any, check func(o Origin) error) (Origin, error) {
	f, err := os.Open(name)
	if err != nil {
		return Origin{}, err
	}
	defer f.Close()
	// The file may be endless, such as a device, so reading stops one byte after the limit, which is enough to refuse the file.
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

// Save writes a file of weights. It writes a temporary file in the same folder and then renames it. body contains the weights in
// the heuristic's format.
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
