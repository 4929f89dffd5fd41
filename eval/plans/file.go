// SPDX-License-Identifier: Apache-2.0

package plans

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
)

// heuristic is the heuristic's name in files of plans.
const heuristic = "plans"

// kept is the maximum number of states, and also of openings, in a file: the entries with the most games are kept.
const kept = 6000

// document is a Table as JSON. Each count is a pair: the number of games, and the half points won in them. A [State] has one
// count for each [Plan], the kind of threat that the next move makes.
//
//	{"k":5,"states":{"1 01 10 +2":[[0,0],[12,24],[3,5],[8,9],[0,0],[40,31]]},"openings":{"0123456789abcdef":[7,9]}}
//
// The key of a state consists of its phase, two digits for the own threats, two digits for the enemy's threats, and the
// balance: see [State].
type document struct {
	K        int                             `json:"k"`
	States   map[string][planCount][2]uint64 `json:"states"`
	Openings map[string][2]uint64            `json:"openings"`
}

// String returns the key under which a file contains the state.
func (s State) String() string {
	n := int(s)
	own, enemy := n/balances/sides%sides, n/balances%sides
	return fmt.Sprintf("%d %d%d %d%d %+d", n/balances/sides/sides, own/4, own%4, enemy/4, enemy%4, n%balances-len(steps))
}

// parseState is the inverse of String.
func parseState(text string) (State, bool) {
	var phase, own, own2, enemy, enemy2, balance int
	if _, err := fmt.Sscanf(text, "%1d %1d%1d %1d%1d %d", &phase, &own, &own2, &enemy, &enemy2, &balance); err != nil {
		return 0, false
	}
	s := State(((phase*sides+4*own+own2)*sides+4*enemy+enemy2)*balances + balance + len(steps))
	return s, s >= 0 && s < State(states) && s.String() == text
}

// MarshalJSON writes the whole table.
func (t *Table) MarshalJSON() ([]byte, error) {
	d := document{t.K, map[string][planCount][2]uint64{}, map[string][2]uint64{}}
	for s, counts := range t.States {
		var row [planCount][2]uint64
		for i, c := range counts {
			row[i] = [2]uint64{c.Games, c.Halves}
		}
		d.States[s.String()] = row
	}
	for key, c := range t.Openings {
		d.Openings[fmt.Sprintf("%016x", key)] = [2]uint64{c.Games, c.Halves}
	}
	return json.Marshal(d)
}

// UnmarshalJSON is the inverse of MarshalJSON. It returns an error if the data do not have the form that MarshalJSON writes.
func (t *Table) UnmarshalJSON(data []byte) error {
	var d document
	strict := json.NewDecoder(bytes.NewReader(data))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&d); err != nil {
		return err
	}
	if d.K < 1 || d.K > game.MaxSide {
		return fmt.Errorf("the file has plans for %d in a row", d.K)
	}
	read := NewTable(d.K)
	for text, row := range d.States {
		s, ok := parseState(text)
		if !ok {
			return fmt.Errorf("no state %q", text)
		}
		counts := new(Counts)
		for i, c := range row {
			if counts[i] = (Count{c[0], c[1]}); !counts[i].whole() {
				return fmt.Errorf("state %q: %d half points in %d games", text, c[1], c[0])
			}
		}
		read.States[s] = counts
	}
	for text, c := range d.Openings {
		key, err := strconv.ParseUint(text, 16, 64)
		n := Count{c[0], c[1]}
		if err != nil || len(text) != 16 || !n.whole() {
			return fmt.Errorf("opening %q: %d half points in %d games", text, c[1], c[0])
		}
		read.Openings[key] = n
	}
	*t = *read
	return nil
}

// maxGames is the maximum of a count in a file, so that sums of counts do not overflow.
const maxGames = 1 << 30

func (c Count) whole() bool { return c.Games <= maxGames && c.Halves <= 2*c.Games }

// Save writes the states and the openings with the most games to a file.
func (t *Table) Save(name string, o weights.Origin) error {
	few := &Table{
		t.K,
		top(t.States, func(c *Counts) uint64 { return c.sum().Games }),
		top(t.Openings, func(c Count) uint64 { return c.Games }),
	}
	return weights.Save(name, heuristic, o, few)
}

// top returns the entries with the most games. If two entries have equally many games, the entry with the smaller key comes
// first.
func top[K cmp.Ordered, V any](all map[K]V, games func(V) uint64) map[K]V {
	keys := slices.SortedFunc(maps.Keys(all), func(a, b K) int {
		return cmp.Or(cmp.Compare(games(all[b]), games(all[a])), cmp.Compare(a, b))
	})
	few := map[K]V{}
	for _, k := range keys[:min(kept, len(keys))] {
		few[k] = all[k]
	}
	return few
}

// Load reads the table from the file with this name, for the game g. It returns an error if the file does not contain plans, or
// if its plans are for another k than the k of g. Openings are read only if they are for g.
func Load(name string, g game.Game) (*Table, weights.Origin, error) {
	k, err := generic.K(g)
	if err != nil {
		return nil, weights.Origin{}, err
	}
	t := NewTable(k)
	o, err := weights.Load(name, heuristic, t, func(o weights.Origin) error {
		if t.K != k {
			return fmt.Errorf("plans for %d in a row, not %d", t.K, k)
		}
		if o.Game != g.String() {
			t.Openings = nil
		}
		return nil
	})
	return t, o, err
}
