// SPDX-License-Identifier: Apache-2.0

package published

import "fmt"

// Tally counts verdicts.
type Tally struct{ Win, Draw, Loss int }

func (t *Tally) add(v Verdict) {
	switch v {
	case Win:
		t.Win++
	case Draw:
		t.Draw++
	case Loss:
		t.Loss++
	}
}

// Agreement compares rows with the published cells.
type Agreement struct {
	Table     string // empty where it is of all
	Agree     int
	Cells     int
	Ours      Tally
	Published Tally
}

func (a *Agreement) add(r Row) {
	a.Cells++
	if r.Agrees() {
		a.Agree++
	}
	a.Ours.add(r.Result.Verdict)
	a.Published.add(r.Cell.Published)
}

// Agree returns the agreement of each table, in the order in which they first appear, and of all rows.
func Agree(rows []Row) (tables []Agreement, all Agreement) {
	at := map[string]int{}
	for _, r := range rows {
		i, ok := at[r.Cell.Table]
		if !ok {
			i = len(tables)
			at[r.Cell.Table] = i
			tables = append(tables, Agreement{Table: r.Cell.Table})
		}
		tables[i].add(r)
		all.add(r)
	}
	return tables, all
}

// String returns the three counts.
func (t Tally) String() string { return fmt.Sprintf("%d, %d, %d", t.Win, t.Draw, t.Loss) }
