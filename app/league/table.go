// SPDX-License-Identifier: Apache-2.0

package league

import (
	"cmp"
	"maps"
	"slices"

	"github.com/krow-lab/krow/internal/store"
	"github.com/krow-lab/krow/stats"
)

// divisions are the names of the divisions, the lowest first. A league with fewer has the first ones and the last.
var divisions = []string{"wood", "stone", "bronze", "silver", "gold", "master"}

// membersOfDivision is how many members a division has about, where nobody was named a boss.
const membersOfDivision = 4

// Row is a member in the table.
type Row struct {
	stats.Rating
	Rank     int    `json:"rank" doc:"from 1; 0 of those who have left"`
	Spec     string `json:"spec"`
	Author   string `json:"author,omitempty"`
	Won      int    `json:"won"`
	Drawn    int    `json:"drawn"`
	Lost     int    `json:"lost"`
	Forfeits int    `json:"forfeits,omitempty" doc:"games that it forfeited"`
	Division string `json:"division,omitempty"`
	Boss     bool   `json:"boss,omitempty" doc:"of its division"`
	Beat     string `json:"beat,omitempty" doc:"the boss above whom it must be rated to rise"`
	Left     bool   `json:"left,omitempty"`
	New      bool   `json:"new,omitempty" doc:"it has not played in this season"`
}

// Met is the results of two members, from A's view.
type Met struct {
	A     string `json:"a"`
	B     string `json:"b"`
	Won   int    `json:"won"`
	Drawn int    `json:"drawn"`
	Lost  int    `json:"lost"`
}

// Standings is the table of a season.
type Standings struct {
	Season  int   `json:"season"`
	Seasons int   `json:"seasons"`
	Round   int   `json:"round" doc:"the last that was begun"`
	Games   int   `json:"games" doc:"of the season"`
	Rows    []Row `json:"rows" nullable:"false" doc:"the strongest first; the mean is 0"`
	Met     []Met `json:"met" nullable:"false" doc:"who met whom"`
}

// Table returns the table of a season; 0 is the last one. While nothing connects all members they have no ratings, and
// stand by their points.
func (l *League) Table(season int) (Standings, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.refresh(); err != nil {
		return Standings{}, err
	}
	season, first, next, err := l.season(season)
	if err != nil {
		return Standings{}, err
	}
	wanted := func(g *store.LeagueGame) bool { return g.Cup == 0 && g.Round >= first && g.Round < next }
	t := Standings{Season: season, Seasons: len(l.seasons), Round: l.row.Round, Rows: []Row{}, Met: []Met{}}
	rows := make([]Row, len(l.members))
	for i, m := range l.members {
		rows[i] = Row{Rating: stats.Rating{Name: m.Name}, Spec: m.Spec, Author: m.Author, Boss: m.Boss, Left: m.Left}
	}
	met := map[[2]int]*Met{}
	for i := range l.games {
		if g := &l.games[i]; wanted(g) {
			t.Games++
			count(rows, met, g)
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(met), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
		t.Met = append(t.Met, *met[k])
	}
	l.rate(rows, wanted)
	for i, r := range rows {
		r.New = r.Games == 0
		// Those who left before the season, or came after it, are not in its table.
		if m := l.members[i]; !r.New || !m.Left && season == len(l.seasons) {
			t.Rows = append(t.Rows, r)
		}
	}
	slices.SortStableFunc(t.Rows, func(a, b Row) int {
		return cmp.Or(order(a.New, b.New), cmp.Compare(b.Elo, a.Elo), cmp.Compare(b.Score, a.Score), cmp.Compare(a.Name, b.Name))
	})
	divide(t.Rows)
	return t, nil
}

// order puts false before true.
func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// count adds a game to the rows of its players and to what they met.
func count(rows []Row, met map[[2]int]*Met, g *store.LeagueGame) {
	a, b, swapped := &rows[g.A-1], &rows[g.B-1], g.A > g.B
	k := [2]int{min(g.A, g.B), max(g.A, g.B)}
	if met[k] == nil {
		met[k] = &Met{A: rows[k[0]-1].Name, B: rows[k[1]-1].Name}
	}
	m := met[k]
	switch {
	case g.Points == 1:
		a.Drawn, b.Drawn, m.Drawn = a.Drawn+1, b.Drawn+1, m.Drawn+1
		return
	case g.Points == 0:
		a, b, swapped = b, a, !swapped
	}
	a.Won, b.Lost = a.Won+1, b.Lost+1
	if g.Forfeit {
		b.Forfeits++
	}
	if swapped {
		m.Lost++
	} else {
		m.Won++
	}
}

// rate gives the rows games, scores and, if games connect them, ratings.
func (l *League) rate(rows []Row, wanted func(*store.LeagueGame) bool) {
	ratings, err := stats.Rate(l.pairings(wanted), "")
	of := map[string]stats.Rating{}
	for _, r := range ratings {
		of[r.Name] = r
	}
	for i := range rows {
		r := &rows[i]
		r.Games = r.Won + r.Drawn + r.Lost
		if r.Games > 0 {
			r.Score = (float64(r.Won) + float64(r.Drawn)/2) / float64(r.Games)
		}
		if k, ok := of[r.Name]; ok && err == nil {
			r.Rating = k
		}
	}
}

// divide gives the rows, the strongest first, their ranks and divisions. A boss is the top of its division: who is rated
// above it plays in the next one. Where nobody was named a boss, those are at equal distances in the table.
//
//	rank       1   2   3   4   5   6   7   8
//	boss               x           x
//	division   m   m   s   s   s   w   w   w       master, stone, wood
func divide(rows []Row) {
	var in []*Row // those who play and have played
	named := false
	for i := range rows {
		if r := &rows[i]; !r.Left && !r.New {
			r.Rank = len(in) + 1
			in = append(in, r)
			named = named || r.Boss
		}
	}
	if n := min(len(in)/membersOfDivision, len(divisions)); !named {
		for d := 1; d < n; d++ {
			in[d*len(in)/n].Boss = true
		}
	}
	bosses := 0
	for i, r := range in {
		if r.Boss && (i == 0 || bosses == len(divisions)-1) {
			r.Boss = false // nobody is above the first, and there are no more divisions
		}
		if r.Boss {
			bosses++
		}
	}
	if bosses == 0 {
		return
	}
	above, boss := 0, ""
	for _, r := range in {
		if r.Boss {
			above++
		}
		r.Division = divisions[len(divisions)-1]
		if above > 0 {
			r.Division = divisions[bosses-above]
			if r.Boss {
				boss = r.Name
			} else {
				r.Beat = boss
			}
		}
	}
}
