// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/internal/rng"
)

const (
	kind    = "learning"
	version = 1
)

// ErrDamaged is returned for a state whose parts do not fit together.
var ErrDamaged = errors.New("the state is damaged: its parts do not fit together")

// document is a state as JSON. Each learner has its own format under "state":
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

// Encode returns the state of the learner that o describes; body is the learner's own part.
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

// Decode reads what Encode wrote for the same o into body. It refuses in one line what is no state, and the state of
// another learner, game, seed or settings.
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

// maxGames bounds a file of games, in bytes when unpacked.
const maxGames = 1 << 30

// PackGames returns a file of games for learners. Gzip detects damage of
//
//	krow KIND 1\n
//	{...}\n          origin: how the games came about
//	body            as the learner writes games
func PackGames(kind string, origin any, body []byte) ([]byte, error) {
	head, err := json.Marshal(origin)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	for _, part := range [][]byte{[]byte("krow " + kind + " 1\n"), head, {'\n'}, body} {
		if _, err := z.Write(part); err != nil {
			return nil, err
		}
	}
	err = z.Close()
	return out.Bytes(), err
}

// UnpackGames reads what PackGames wrote: the origin, and the body, which it returns.
func UnpackGames(kind string, data []byte, origin any) ([]byte, error) {
	damaged := fmt.Errorf("not a file of %s, or a damaged one", kind)
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, damaged
	}
	text, err := io.ReadAll(io.LimitReader(z, maxGames+1))
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	head, body, ok := bytes.Cut(rest, []byte("\n"))
	version, ours := bytes.CutPrefix(first, []byte("krow "+kind+" "))
	switch {
	case err != nil || len(text) > maxGames || !ours || !ok:
		return nil, damaged
	case string(version) != "1":
		return nil, fmt.Errorf("%s of version %.10q, and this krow reads 1", kind, version)
	case json.Unmarshal(head, origin) != nil:
		return nil, damaged
	}
	return body, nil
}

// Source is a source of random numbers that can be part of a state. In JSON it is a string: the two words of the
// generator in 32 hexadecimal digits, high word first. The zero value is a source seeded with zeros.
type Source struct{ pcg rand.PCG }

// magic is what the library writes before the two words.
const magic = "pcg:"

// NewSource returns the source of a seed.
func NewSource(seed uint64) *Source {
	s := new(Source)
	s.pcg.Seed(seed, rng.Mix(seed))
	return s
}

// Uint64 returns the next number.
func (s *Source) Uint64() uint64 { return s.pcg.Uint64() }

// MarshalText writes the state of the source.
func (s *Source) MarshalText() ([]byte, error) {
	b, err := s.pcg.MarshalBinary()
	if err != nil {
		return nil, err
	}
	return hex.AppendEncode(nil, b[len(magic):]), nil
}

// UnmarshalText reads what MarshalText wrote, and refuses anything else.
func (s *Source) UnmarshalText(text []byte) error {
	b, err := hex.DecodeString(string(text))
	if err != nil || len(b) != 16 {
		return errors.New("a random source is 32 hexadecimal digits")
	}
	return s.pcg.UnmarshalBinary(append([]byte(magic), b...))
}
