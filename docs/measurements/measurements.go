// SPDX-License-Identifier: Apache-2.0

// Package measurements holds the values of games that krow has proved. tools/values adds to them.
//
//	for _, v := range measurements.Values() {
//		fmt.Println(v.Game, v.Value, v.Published())
//	}
package measurements

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"io"
	"sync"
)

//go:embed values.jsonl
var file []byte

// Value is the value of a game's empty board for the side that moves first, and the cost of its proof. Times are seconds of
// the processor, of all threads together.
type Value struct {
	Game    string  `json:"game"`
	Value   string  `json:"value" enum:"win,draw,loss"`
	Plies   *int    `json:"plies,omitempty" doc:"length of the game with best play; not known for m,n,k games, which are solved without it"`
	Score   *int    `json:"score,omitempty"`
	Nodes   uint64  `json:"nodes" doc:"number of positions that the solver searched"`
	Hash    string  `json:"hash" doc:"size of the solver's table"`
	Threads int     `json:"threads"`
	SolveS  float64 `json:"solve_s"`
	WriteS  float64 `json:"write_s" doc:"seconds for writing the certificate"`
	CheckS  float64 `json:"check_s" doc:"seconds for checking the certificate"`
	Steps   uint64  `json:"steps" doc:"number of positions for which the certificate contains a move"`
	Bytes   int64   `json:"bytes" doc:"size of the certificate"`
	SHA256  string  `json:"sha256" doc:"SHA-256 of the certificate"`
}

var values = sync.OnceValue(func() []Value {
	all, err := Parse(file)
	if err != nil {
		panic(err) // impossible, because a test reads all these files
	}
	return all
})

// Values returns all values, grouped by the kind of game and sorted by the size of the board. The caller must not change the
// slice.
func Values() []Value { return values() }

// Parse reads values, one JSON object a line. An error names the wrong field or byte.
func Parse(data []byte) (all []Value, err error) {
	in := json.NewDecoder(bytes.NewReader(data))
	in.DisallowUnknownFields()
	for {
		var v Value
		if err := in.Decode(&v); err == io.EOF {
			return all, nil
		} else if err != nil {
			return all, err
		}
		all = append(all, v)
	}
}
