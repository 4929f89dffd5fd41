// SPDX-License-Identifier: Apache-2.0

package published

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/qlearning"
	"github.com/krow-lab/krow/research"
)

// Point is a variant of the published experiment. The lattice consists of all combinations of the values of eight switches, and
// a Point has a value for each of these switches. A Point also has values for further switches, but at all points of the
// lattice these have their defaults. The zero Point follows the thesis and the paper most closely.
type Point struct {
	Importance qlearning.Importance
	End        qlearning.End
	Threats    threat.Reading
	Max        qlearning.Max
	Exact      bool // whether every search evaluates finished games by their result, in learning and in play
	Closed     bool
	Online     bool

	// Only Run supports these switches and the switch Threats.All; PlayLattice does not support them.
	Adjust  qlearning.Adjust
	Beyond  bool // whether every search continues below a finished game
	Exactly bool // if true, a row longer than k does not win; Connect Four is unaffected
}

// Switch describes a switch of a Point: its name and the names of its values, the default first.
type Switch struct {
	Name   string
	Values []string
}

// Switches returns the switches, in the order of [Point.Values].
func Switches() []Switch {
	return []Switch{
		{"importance", []string{"index", "text", "value"}},
		{"end", []string{"simulate", "zero", "keep"}},
		{"gap", []string{"exact", "least"}},
		{"cap", []string{"on", "off"}},
		{"max", []string{"figure", "prose"}},
		{"terminal", []string{"eval", "exact"}},
		{"closed", []string{"off", "on"}},
		{"parameters", []string{"frozen", "online"}},
	}
}

// Values returns the index of each switch's value, in the order of [Switches].
func (p Point) Values() []int {
	bit := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	return []int{
		int(p.Importance), int(p.End), bit(p.Threats.Least), bit(p.Threats.Uncapped), int(p.Max), bit(p.Exact), bit(p.Closed), bit(p.Online),
	}
}

// PointOf returns the Point with these Values.
func PointOf(v []int) Point {
	return Point{
		Importance: qlearning.Importance(v[0]), End: qlearning.End(v[1]), Threats: threat.Reading{Least: v[2] == 1, Uncapped: v[3] == 1},
		Max: qlearning.Max(v[4]), Exact: v[5] == 1, Closed: v[6] == 1, Online: v[7] == 1,
	}
}

// Lattice returns all points of the lattice, the default first.
func Lattice() []Point {
	all := [][]int{nil}
	for _, s := range Switches() {
		var longer [][]int
		for _, v := range all {
			for i := range s.Values {
				longer = append(longer, append(slices.Clone(v), i))
			}
		}
		all = longer
	}
	points := make([]Point, len(all))
	for i, v := range all {
		points[i] = PointOf(v)
	}
	return points
}

// Options returns the settings of the learner at the point p.
func (p Point) Options(seed uint64) qlearning.Options {
	return qlearning.Options{Seed: seed, Exact: p.Exact, Max: p.Max, Importance: p.Importance, Adjust: p.Adjust, End: p.End, Reading: p.Threats}
}

// Study returns the options with which Run plays these cells at the point p.
func (p Point) Study(cells []Cell, seed uint64) Options {
	settings := p.Options(seed)
	variant := Variant{Exact: p.Exact, Threats: p.Threats, Closed: p.Closed, Beyond: p.Beyond}
	cells = slices.Clone(cells)
	for i := range cells {
		if c := &cells[i]; p.Exactly && c.Family != "connect4" {
			c.Game, c.Exactly = c.Game+",exact=on", true
		}
	}
	learned := p
	learned.Closed, learned.Online = false, false
	o := Options{
		Cells: cells, Learner: fmt.Sprintf("qlearning %v seed=%d", learned.Values(), seed),
		Variant: variant,
		Learn: func(g game.Game) (Learner, error) {
			settings := settings
			if p.Beyond {
				settings.Choose = func(ctx context.Context, p game.Position, w generic.Weights) (game.Move, error) {
					s, err := newSide(g, w, variant)
					if err != nil {
						return game.NoMove, err
					}
					return s.move(ctx, p)
				}
			}
			return qlearning.New(g, settings)
		},
	}
	if p.Beyond || p.Threats.All {
		o.Learner += fmt.Sprintf(" beyond=%t all=%t", p.Beyond, p.Threats.All)
	}
	if p.Adjust != qlearning.ByValue {
		o.Learner += " adjust=" + p.Adjust.String()
	}
	if p.Online {
		o.Variant.Update = settings.Update
	}
	return o
}

// Control returns the options o with fixed parameters in place of the learned ones.
func Control(o Options) Options {
	o.Cells, o.Variant.Update = slices.Clone(o.Cells), nil
	for i := range o.Cells {
		o.Cells[i].Player = Brute
	}
	return o
}

// board identifies a board, and the settings of the games on it that do not depend on the learner.
type board struct {
	game    string
	k       int
	threats threat.Reading
	exact   bool
}

// verdicts contains the results on one board. [Point.key] returns its keys. Each value is a text with one letter for the result
// of each game, in the order of matches.
type verdicts map[string]string

// control is the key in verdicts of the games with fixed parameters.
const control = "control"

// key identifies the way in which p learns.
func (p Point) key() string {
	return fmt.Sprintf("%s,%s,%s,online=%t", p.Importance, p.End, p.Max, p.Online)
}

// match describes a game on a board: the opponent, whether the opponent counts closed threats, and whether the player moves
// first.
type match struct {
	opponent string
	closed   bool
	first    bool
}

// matches are the games on each board. Connect Four has only the first two.
var matches = []match{
	{Brute, false, true},
	{Brute, false, false},
	{Shevchenko, false, true},
	{Shevchenko, false, false},
	{Shevchenko, true, true},
	{Shevchenko, true, false},
	{Chua, false, true},
	{Chua, false, false},
}

// Games contains the results of all points of the lattice on the boards of some cells.
type Games struct {
	cells  []Cell
	boards map[board]verdicts
}

// Verdict returns the result of cell i at point p. If learned is false, it is the result with fixed parameters in place of the
// learned ones.
func (l *Games) Verdict(i int, p Point, learned bool) Verdict {
	c := l.cells[i]
	key := control
	if learned {
		key = p.key()
	}
	at := slices.Index(matches, match{c.Opponent, p.Closed && c.Opponent == Shevchenko, c.MovesFirst})
	return map[byte]Verdict{'W': Win, 'D': Draw, 'L': Loss}[l.boards[board{c.Game, c.K, p.Threats, p.Exact}][key][at]]
}

// PlayLattice learns the weights and plays the games of every cell at every point. Points share work: PlayLattice processes one
// board after the other, and never searches a position of the board twice with the same parameters. The results of each board
// are stored as one piece, see [research.Piece].
func PlayLattice(ctx context.Context, s *research.Session, cells []Cell, seed uint64) (*Games, error) {
	l := &Games{cells, map[board]verdicts{}}
	var boards []board
	size := map[string]int{}
	for _, c := range cells {
		if size[c.Game] > 0 {
			continue
		}
		size[c.Game] = c.Size
		for i := range 8 {
			boards = append(boards, board{c.Game, c.K, threat.Reading{Least: i&1 != 0, Uncapped: i&2 != 0}, i&4 != 0})
		}
	}
	slices.SortStableFunc(boards, func(a, b board) int { return cmp.Compare(size[a.game], size[b.game]) })
	s.Plan(len(boards))
	var one sync.Mutex
	err := learn.Parallel(ctx, len(boards), max(s.Jobs, 1), func(ctx context.Context) (func(int) error, error) {
		return func(i int) error {
			b := boards[i]
			v, err := research.Piece(s, fmt.Sprintf("lattice/1/%s/%+v/exact=%t/seed=%d", b.game, b.threats, b.exact, seed), func() (verdicts, error) {
				return b.playBoard(ctx, cells, seed)
			})
			if err != nil {
				return fmt.Errorf("%s: %w", b.game, err)
			}
			one.Lock()
			defer one.Unlock()
			l.boards[b] = v
			s.Did(b.game, 1, true)
			return nil
		}, nil
	})
	return l, err
}

// playBoard learns all weights for a board and plays all games on it.
func (b board) playBoard(ctx context.Context, cells []Cell, seed uint64) (verdicts, error) {
	c := cells[slices.IndexFunc(cells, func(c Cell) bool { return c.Game == b.game })]
	g, err := c.game()
	if err != nil {
		return nil, err
	}
	v := Variant{Exact: b.exact, Threats: b.threats}
	m := &searches{g: g, v: v, moves: map[question]game.Move{}, numbers: map[string]int{}}
	all := verdicts{}
	for _, p := range Lattice() {
		if p.Threats != b.threats || p.Exact != b.exact || p.Closed || p.Online {
			continue
		}
		if len(all) == 0 {
			if all[control], err = m.games(ctx, c, v.fixed(b.k), v, nil); err != nil {
				return nil, err
			}
		}
		o := p.Options(seed)
		o.Choose = m.choose
		l, err := qlearning.New(g, o)
		if err != nil {
			return nil, err
		}
		if err := learn.Run(ctx, l, func([]byte, learn.CurvePoint) error { return nil }); err != nil {
			return nil, err
		}
		if all[p.key()], err = m.games(ctx, c, l.Weights(), v, nil); err != nil {
			return nil, err
		}
		p.Online = true
		if all[p.key()], err = m.games(ctx, c, l.Weights(), v, p.Options(seed).Update); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// searches chooses moves by search and caches them, so that no position is searched twice with the same parameters.
type searches struct {
	g       game.Game
	v       Variant
	moves   map[question]game.Move
	numbers map[string]int // gives each set of parameters a number; the key contains the bytes of the parameters
	last    *side
	of      int // number of the parameters that the field last uses
}

// question identifies a position and the parameters with which to choose a move in it.
type question struct {
	position   uint64
	parameters int
}

// choose returns the move that the published search chooses with the weights w.
func (m *searches) choose(ctx context.Context, p game.Position, w generic.Weights) (move game.Move, err error) {
	var key []byte
	for _, x := range slices.Concat(w.Own, w.Enemy) {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(x))
	}
	n, ok := m.numbers[string(key)]
	if !ok {
		n = len(m.numbers)
		m.numbers[string(key)] = n
	}
	q := question{p.Key(), n}
	if known, ok := m.moves[q]; ok {
		return known, nil
	}
	if m.last == nil || m.of != n {
		if m.last, err = newSide(m.g, w, m.v); err != nil {
			return game.NoMove, err
		}
		m.of = n
	}
	if move, err = m.last.move(ctx, p); err == nil {
		m.moves[q] = move
	}
	return move, err
}

// games plays the games of a board with the weights w for the player. It returns one letter for the result of each game.
func (m *searches) games(ctx context.Context, c Cell, w generic.Weights, v Variant, update Update) (string, error) {
	var all []byte
	for _, of := range matches {
		if c.Family == "connect4" && of.opponent != Brute {
			break
		}
		v.Closed = of.closed
		rival, err := v.weights(of.opponent, c.K, w)
		if err != nil {
			return "", err
		}
		c.MovesFirst = of.first
		own, p := w, m.g.Start()
		for p.Outcome() == game.Ongoing {
			mover := rival
			if p.Turn() == c.seat() {
				mover = own
			}
			move, err := m.choose(ctx, p, mover)
			if err != nil {
				return "", err
			}
			mine := p.Turn() == c.seat()
			if p.Play(move); mine && update != nil {
				if own, err = update(own, p); err != nil {
					return "", err
				}
			}
		}
		all = append(all, verdict(p.Outcome(), c.seat())[0]-'a'+'A')
	}
	return string(all), nil
}
