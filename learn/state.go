// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/krow-lab/krow/eval/weights"
)

const (
	kind    = "learning"
	version = 1
)

// document is a state as JSON; what stands under state is the learner's own:
//
//	{"krow":"learning","version":1,"game":"ultimate","learner":"genetic","seed":1,"settings":{...},"state":{...}}
type document struct {
	Krow     string          `json:"krow"`
	Version  int             `json:"version"`
	Game     string          `json:"game"`
	Learner  string          `json:"learner"`
	Seed     uint64          `json:"seed"`
	Settings json.RawMessage `json:"settings"`
	State    json.RawMessage `json:"state"`
}

// Encode returns the state of the learner that o describes; body is what it calls its state.
func Encode(o weights.Origin, body any) ([]byte, error) {
	settings, err := json.Marshal(o.Settings)
	if err != nil {
		return nil, err
	}
	state, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return json.Marshal(document{kind, version, o.Game, o.Learner, o.Seed, settings, state})
}

// Decode reads what Encode wrote for the same o into body. It refuses, in one line, what is no state, and the
// state of another learner, game, seed or settings.
func Decode(state []byte, o weights.Origin, body any) error {
	var d document
	err := json.Unmarshal(state, &d)
	switch {
	case err != nil || d.Krow != kind || d.Version < 1 || d.State == nil:
		return errors.New("not the state of a learner")
	case d.Version > version:
		return fmt.Errorf("version %d of the learner's state is newer than this krow, which reads %d", d.Version, version)
	case d.Learner != o.Learner:
		return fmt.Errorf("the state is of the learner %q, not %s", d.Learner, o.Learner)
	case d.Game != o.Game:
		return fmt.Errorf("the state is of the game %q, not %s", d.Game, o.Game)
	case d.Seed != o.Seed:
		return fmt.Errorf("the state is of the seed %d, not %d", d.Seed, o.Seed)
	}
	settings, err := json.Marshal(o.Settings)
	if err != nil {
		return err
	}
	if !bytes.Equal(settings, d.Settings) {
		return fmt.Errorf("the state is of the settings %s, not %s", d.Settings, settings)
	}
	if err := json.Unmarshal(d.State, body); err != nil {
		return fmt.Errorf("state of the learner: %w", err)
	}
	return nil
}
