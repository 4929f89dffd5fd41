// SPDX-License-Identifier: Apache-2.0

package plans

import (
	"encoding/json"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/eval/weights"
)

// FuzzDecode holds that a table which a file of weights holds is written and read back the same.
func FuzzDecode(f *testing.F) {
	table := NewTable(3)
	table.Openings[1] = Count{2, 3}
	body, err := json.Marshal(table)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(`{"krow":"weights","version":1,"heuristic":"plans","weights":` + string(body) + `}`))
	f.Add([]byte(`{"krow":"weights","version":1,"heuristic":"plans","weights":{"k":3,"states":{"":[]},"openings":{"0000000000000001":[1,3]}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var table Table
		if _, err := weights.Decode(data, heuristic, &table); err != nil {
			return
		}
		text, err := json.Marshal(&table)
		if err != nil {
			t.Fatal(err)
		}
		var again Table
		if err := json.Unmarshal(text, &again); err != nil {
			t.Fatal(err)
		}
		if d := diff.Diff(table, again); d != "" {
			t.Error(d)
		}
	})
}
