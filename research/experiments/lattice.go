// SPDX-License-Identifier: Apache-2.0

package experiments

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/krow-lab/krow/learn/qlearning"
	"github.com/krow-lab/krow/research"
	"github.com/krow-lab/krow/research/published"
	"github.com/krow-lab/krow/research/report"
)

// standing is the score of one point of the lattice, which is a combination of settings. It counts the results of all cells of
// the published tables, and how many of these results agree with the tables.
type standing struct {
	published.Tally
	agree int
}

func newStanding() standing { return standing{Tally: published.Tally{}} }

func (s *standing) add(got, want published.Verdict) {
	if s.Tally[got]++; got == want {
		s.agree++
	}
}

// counts returns four numbers of cells: cells that agree with the published table, and cells that are won, drawn and lost.
func (s standing) counts() [4]int {
	return [4]int{s.agree, s.Tally[published.Win], s.Tally[published.Draw], s.Tally[published.Loss]}
}

// lattice contains the results of the published experiment for all combinations of the settings that its texts leave open. Each
// combination is a point of the lattice.
type lattice struct {
	cells   []published.Cell
	points  []published.Point
	games   *published.Games
	learned []standing // standings by point
	control []standing // standings by point, with fixed instead of learned parameters
}

// newLattice plays the games of all points of the lattice.
func newLattice(ctx context.Context, s *research.Session) (l *lattice, err error) {
	l = &lattice{cells: sized(s, 3), points: published.Lattice()}
	if l.games, err = published.PlayLattice(ctx, s, l.cells, seed); err != nil {
		return nil, err
	}
	for _, p := range l.points {
		learned, control := newStanding(), newStanding()
		for i, c := range l.cells {
			learned.add(l.games.Verdict(i, p, true), c.Published)
			control.add(l.games.Verdict(i, p, false), c.Published)
		}
		l.learned, l.control = append(l.learned, learned), append(l.control, control)
	}
	return l, nil
}

// adjusted plays all cells of the tables with each value of Adjust except the default, combined with each value of Importance.
// All other settings have their defaults.
func adjusted(ctx context.Context, s *research.Session) (report.Table, error) {
	cells := sized(s, 4)
	t := report.Table{Name: "adjust", Columns: []string{"reading", "agree", "won, drawn, lost"}}
	for _, importance := range []qlearning.Importance{qlearning.Index, qlearning.Text, qlearning.Value} {
		for _, adjust := range []qlearning.Adjust{qlearning.ByImportance, qlearning.Unadjusted} {
			if importance == qlearning.Value && adjust == qlearning.ByImportance {
				// Here the importance is the order of the parameters' values, so this combination is the same as the default,
				// ByValue.
				continue
			}
			s.Plan(len(cells))
			p := published.Point{Importance: importance, Adjust: adjust}
			rows, err := published.Run(ctx, s, p.Study(cells, seed))
			if err != nil {
				return t, err
			}
			of := newStanding()
			for _, r := range rows {
				of.add(r.Result.Verdict, r.Cell.Published)
			}
			t.Add(fmt.Sprintf("importance=%s adjust=%s", importance, adjust), of.agree, of)
		}
	}
	return t, nil
}

// everyReading reports how many results of the published tables are reproduced at each point of the lattice.
func everyReading(ctx context.Context, s *research.Session) (*report.Document, error) {
	beside, err := adjusted(ctx, s)
	if err != nil {
		return nil, err
	}
	l, err := newLattice(ctx, s)
	if err != nil {
		return nil, err
	}
	d := &report.Document{Title: "The published tables, played again: every reading", Blocks: []report.Block{
		report.Text(setting + fmt.Sprintf("Eight switches select how the texts are read; these are all %d combinations. "+
			"Next to each stands the control: the same games with fixed parameters instead of the learned ones. The published tables have %s in these %d cells.",
			len(l.points), won(l.printed()), len(l.cells))),
		again(s, "published"),
		report.Heading{Level: 2, Text: "The default, and one switch turned"},
		l.neighbours(),
		report.Heading{Level: 2, Text: "Other adjustments"},
		report.Text(fmt.Sprintf("The texts put the parameters back in order after an update, and do not say how. In all readings above that is the order of the fixed "+
			"parameters. Here it is the order of importance, or none, on all %d cells. Switches that are not named are at their defaults.", len(sized(s, 4)))),
		beside,
		report.Heading{Level: 2, Text: "Which switches matter"},
		report.Text("Means over all readings with that value. *Against the default value* is the difference in agreeing cells " +
			"from the reading that differs in this switch alone: its mean, its least and its greatest value."),
		l.effects(),
		report.Heading{Level: 2, Text: "What no reading explains"},
		report.Text("Cells in which no reading has the published result, and the results of the readings."),
		l.unexplained(),
		report.Heading{Level: 2, Text: "How much of the best reading is selection"},
	}}
	d.Blocks = append(d.Blocks, l.selection()...)
	d.Blocks = append(d.Blocks, report.Heading{Level: 2, Text: "All readings"}, l.table())
	return d, nil
}

// printed counts the published results of the cells.
func (l *lattice) printed() published.Tally {
	t := published.Tally{}
	for _, c := range l.cells {
		t[c.Published]++
	}
	return t
}

// name lists the switches of p that are not at their defaults, or returns "the default".
func name(p published.Point) string {
	var turned []string
	for i, s := range published.Switches() {
		if v := p.Values()[i]; v != 0 {
			turned = append(turned, s.Name+"="+s.Values[v])
		}
	}
	if len(turned) == 0 {
		return "the default"
	}
	return strings.Join(turned, " ")
}

var standingColumns = []string{"agree", "won, drawn, lost", "control: agree", "control: won, drawn, lost"}

func (l *lattice) neighbours() report.Table {
	t := report.Table{Name: "neighbours", Columns: append([]string{"reading"}, standingColumns...)}
	for i, p := range l.points {
		if strings.Count(name(p), "=") <= 1 {
			t.Add(name(p), l.learned[i].agree, l.learned[i], l.control[i].agree, l.control[i])
		}
	}
	return t
}

func (l *lattice) table() report.Table {
	t := report.Table{Name: "lattice", Caption: "Every reading.", HideInText: true}
	for _, s := range published.Switches() {
		t.Columns = append(t.Columns, s.Name)
	}
	t.Columns = append(t.Columns, "agree", "won", "drawn", "lost", "control_agree", "control_won", "control_drawn", "control_lost")
	for i, p := range l.points {
		var row []any
		for j, s := range published.Switches() {
			row = append(row, s.Values[p.Values()[j]])
		}
		for _, s := range []standing{l.learned[i], l.control[i]} {
			for _, n := range s.counts() {
				row = append(row, n)
			}
		}
		t.Add(row...)
	}
	return t
}

func (l *lattice) effects() report.Table {
	t := report.Table{Name: "switches", Columns: []string{"switch", "agree", "won", "drawn", "lost", "against the default value", "control: agree"}}
	at := map[published.Point]int{}
	for i, p := range l.points {
		at[p] = i
	}
	for j, s := range published.Switches() {
		for v, value := range s.Values {
			var sum [4]int
			control := 0
			n, mean, least, most := 0.0, 0.0, len(l.cells), -len(l.cells)
			for i, p := range l.points {
				if p.Values()[j] != v {
					continue
				}
				values := p.Values()
				values[j] = 0
				a, b := l.learned[i], l.learned[at[published.PointOf(values)]]
				n++
				for x, count := range a.counts() {
					sum[x] += count
				}
				control += l.control[i].agree
				mean, least, most = mean+float64(a.agree-b.agree), min(least, a.agree-b.agree), max(most, a.agree-b.agree)
			}
			against := ""
			if v > 0 {
				against = fmt.Sprintf("%+.1f (%+d to %+d)", mean/n, least, most)
			}
			row := []any{s.Name + "=" + value}
			for _, x := range sum {
				row = append(row, fmt.Sprintf("%.1f", float64(x)/n))
			}
			t.Add(append(row, against, fmt.Sprintf("%.1f", float64(control)/n))...)
		}
	}
	return t
}

func (l *lattice) unexplained() report.Table {
	t := report.Table{Name: "unexplained", Columns: []string{"table", "game", "opponent", "the player is", "published", "readings: won, drawn, lost", "control agrees in"}}
	for i, c := range l.cells {
		s, control := newStanding(), 0
		for _, p := range l.points {
			s.add(l.games.Verdict(i, p, true), c.Published)
			if l.games.Verdict(i, p, false) == c.Published {
				control++
			}
		}
		if s.agree > 0 {
			continue
		}
		seat := "second"
		if c.MovesFirst {
			seat = "first"
		}
		t.Add(c.Table, c.Game, c.Opponent, seat, c.Published, s, fmt.Sprintf("%d of %d", control, len(l.points)))
	}
	return t
}

// splits is the number of random divisions of the games into two halves.
const splits = 2000

// selection estimates which part of the best point's agreement is chance: it chooses the best point by one half of the games,
// and computes its agreement on the other half. Cells that share a game, as cells of tables 4.1 and 4.13 do, stay together.
func (l *lattice) selection() []report.Block {
	type game struct {
		game, opponent string
		first          bool
	}
	var games []game
	cells := map[game][]int{}
	for i, c := range l.cells {
		g := game{c.Game, c.Opponent, c.MovesFirst}
		if cells[g] == nil {
			games = append(games, g)
		}
		cells[g] = append(cells[g], i)
	}
	// agree[p][g] is the number of cells of game g whose result at point p is the published one. The last row is the default
	// point with fixed parameters.
	agree := make([][]int, len(l.points)+1)
	for i := range agree {
		p, learned := published.Point{}, i < len(l.points)
		if learned {
			p = l.points[i]
		}
		for _, g := range games {
			n := 0
			for _, c := range cells[g] {
				if l.games.Verdict(c, p, learned) == l.cells[c].Published {
					n++
				}
			}
			agree[i] = append(agree[i], n)
		}
	}
	share := func(point int, half []int) float64 {
		n, of := 0, 0
		for _, g := range half {
			n, of = n+agree[point][g], of+len(cells[games[g]])
		}
		return float64(n) / float64(of)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	columns := map[string][]float64{}
	order := random.Perm(len(games))
	for range splits {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		chosen, best := 0, 0.0
		one, other := order[:len(order)/2], order[len(order)/2:]
		for p := range l.points {
			if x := share(p, one); x > best {
				chosen, best = p, x
			}
		}
		columns["the best reading, where it was chosen"] = append(columns["the best reading, where it was chosen"], best)
		for name, point := range map[string]int{
			"the same reading, on the other half": chosen, "the default, on the other half": 0,
			"the default's control, on the other half": len(l.points),
		} {
			columns[name] = append(columns[name], share(point, other))
		}
		columns["the same reading less the default"] = append(columns["the same reading less the default"], share(chosen, other)-share(0, other))
		columns["the same reading less the control"] = append(columns["the same reading less the control"], share(chosen, other)-share(len(l.points), other))
	}
	best := 0
	for i := range l.points {
		if l.learned[i].agree > l.learned[best].agree {
			best = i
		}
	}
	t := report.Table{Name: "selection", Columns: []string{"share of cells that agree", "mean", "95 % of the halvings"}}
	for _, name := range []string{
		"the best reading, where it was chosen", "the same reading, on the other half", "the default, on the other half",
		"the default's control, on the other half", "the same reading less the default", "the same reading less the control",
	} {
		x := columns[name]
		slices.Sort(x)
		sum := 0.0
		for _, v := range x {
			sum += v
		}
		t.Add(name, fmt.Sprintf("%.3f", sum/splits), fmt.Sprintf("%.3f to %.3f", x[splits/40], x[splits-1-splits/40]))
	}
	return []report.Block{
		report.Text(fmt.Sprintf("The reading that agrees most, in %d of %d cells, is %s. It was found by looking. So the games are halved at random %d times (seed %d): "+
			"the best reading of one half is scored on the other half.", l.learned[best].agree, len(l.cells), name(l.points[best]), splits, seed)), t,
	}
}
