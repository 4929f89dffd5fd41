// SPDX-License-Identifier: Apache-2.0

package league

import (
	"cmp"
	"maps"
	"slices"

	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/arena/stats"
)

// Row is a member's row in the table.
type Row struct {
	arena.Rated
	Spec   string `json:"spec"`
	Author string `json:"author,omitempty"`
	Left   bool   `json:"left,omitempty"`
	New    bool   `json:"new,omitempty" doc:"whether the member has not played yet"`
}

// Met counts the games between two members A and B by their results for A.
type Met struct {
	A     string `json:"a"`
	B     string `json:"b"`
	Won   int    `json:"won"`
	Drawn int    `json:"drawn"`
	Lost  int    `json:"lost"`
}

// Standings is the table of a league.
type Standings struct {
	Round int   `json:"round" doc:"number of the last round that was begun"`
	Games int   `json:"games"`
	Rows  []Row `json:"rows" nullable:"false" doc:"the strongest first; the mean is 0"`
	Met   []Met `json:"met" nullable:"false" doc:"results between each two members"`
}

// Table returns the table. Members have ratings only if games connect all members: each member must be linked to each other
// member by a chain of opponents. Until then the rows are ordered by score.
func (l *League) Table() (Standings, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.refresh(); err != nil {
		return Standings{}, err
	}
	t := Standings{Round: l.row.Round, Games: len(l.games), Rows: []Row{}, Met: []Met{}}
	rows := make([]Row, len(l.members))
	for i, m := range l.members {
		rows[i] = Row{Rated: arena.Rated{Rating: stats.Rating{Name: m.Name}}, Spec: m.Spec, Author: m.Author, Left: m.Left}
	}
	met := map[[2]int]*Met{}
	for _, g := range l.games {
		countGame(rows, met, g)
	}
	for _, k := range slices.SortedFunc(maps.Keys(met), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
		t.Met = append(t.Met, *met[k])
	}
	l.rateRows(rows)
	for _, r := range rows {
		if r.New = r.Games == 0; !r.New || !r.Left {
			t.Rows = append(t.Rows, r)
		}
	}
	slices.SortStableFunc(t.Rows, func(a, b Row) int {
		return cmp.Or(order(a.New, b.New), cmp.Compare(b.Elo, a.Elo), cmp.Compare(b.Score, a.Score), cmp.Compare(a.Name, b.Name))
	})
	rank := 0
	for i := range t.Rows {
		if r := &t.Rows[i]; !r.Left && !r.New {
			rank++
			r.Rank = rank
		}
	}
	return t, nil
}

// order compares two booleans for sorting: false comes before true.
func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// countGame adds a game to the rows of its two players, and to their entry in met.
func countGame(rows []Row, met map[[2]int]*Met, g result) {
	k := g.pair()
	if met[k] == nil {
		met[k] = &Met{A: rows[k[0]-1].Name, B: rows[k[1]-1].Name}
	}
	for side, number := range g.sides {
		row, points := &rows[number-1], g.points[side]
		row.Add(points)
		if g.forfeit && points == 0 {
			row.Forfeits++
		}
		if number != k[0] {
			continue
		}
		switch points {
		case 2:
			met[k].Won++
		case 1:
			met[k].Drawn++
		default:
			met[k].Lost++
		}
	}
}

// rateRows fills in the numbers of games, the scores and, if the games connect all members, the ratings.
func (l *League) rateRows(rows []Row) {
	ratings, err := stats.Rate(l.pairings(l.row.Round+1), "")
	of := map[string]stats.Rating{}
	for _, r := range ratings {
		of[r.Name] = r
	}
	for i := range rows {
		r := &rows[i]
		r.Games = r.Won + r.Drawn + r.Lost
		if r.Games > 0 {
			r.Score = r.Points / float64(r.Games)
		}
		if k, ok := of[r.Name]; ok && err == nil {
			r.Rating = k
		}
	}
}
