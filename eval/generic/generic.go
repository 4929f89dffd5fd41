// SPDX-License-Identifier: Apache-2.0

// Package generic implements the generic threat heuristic for k in a row: a sum over the threats of both sides, f = A - B, with
// fixed or learned weights.
//
// # Basics
//
//	w, _, err := generic.Learned(g)  // called "improved" in the published tables; generic.Fixed(4) is called "brute"
//	e, err := generic.New(g, w)
//	v := e.Evaluate(p, game.First)
//
// The position is valued for one side, the own side. Let p[i,1] be the number of half-open threats of size i that this side
// has, p[i,2] the number of its open threats of size i, and p[k] the number of its rows of k. Then
//
//	A = sum over i = 1..k-3 of (a[2i-1] p[i,1] + a[2i] p[i,2])
//	  + a[2(k-2)-1] p[k-2,1] + 100 p[k-2,2] + 80 p[k-1,1] + 250 p[k-1,2] + 1000000 p[k]
//
// and B is the same sum over the enemy's threats, with 1300, 2000, 5020 and 1000000 in place of the last four numbers. [Fixed]
// sets the small coefficients a.
//
// # Caveats
//
// Own and enemy threats have different weights, so Evaluate(p, s) is not -Evaluate(p, s.Other()). A finished game is valued by
// the same sum. The publications define the sum for k >= 3. For smaller k, terms with a size below 1 are left out.
//
// # Speed
//
// The evaluator is incremental: see package threat for the cost of a move.
//
// CITE: Abdoulaye, Houndji, Ezin and Aglin, Generic Heuristic for the mnk-games, section 3.1; Abdoulaye,
// Détermination des paramètres d'une heuristique générique pour les jeux de type « n-alignés » par apprentissage
// automatique, 2017, section 1.1.4 and algorithm 2.
package generic

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/game"
)

// Evaluator computes the weighted sum for a board. It implements eval.Incremental: it follows the moves of the position that
// was given to Reset. For any other position it scans the whole board.
type Evaluator struct {
	threat.Follower
	own, enemy []eval.Score // by threat.Kind: the weights of own and of enemy threats
}

// New returns the evaluator of a game with the weights w.
func New(g game.Game, w Weights) (*Evaluator, error) {
	k, err := K(g)
	if err != nil {
		return nil, err
	}
	if err := w.checkWeights(k); err != nil {
		return nil, err
	}
	e := &Evaluator{own: w.Own.scores(), enemy: w.Enemy.scores()}
	e.Read(w.Reading)
	return e, nil
}

// K returns k, the number of stones in a row with which a side wins g. It returns an error if g is not a k-in-a-row game.
func K(g game.Game) (int, error) {
	b, ok := g.Start().(game.Lined)
	if !ok {
		return 0, fmt.Errorf("%s is not a k-in-a-row game, so it has no threats to weigh", g)
	}
	return b.K(), nil
}

// Evaluate returns the value of p's threats for s.
func (e *Evaluator) Evaluate(p game.Position, s game.Side) eval.Score {
	counts := e.Counter(p).Counts()
	return sum(e.own, counts[s]) - sum(e.enemy, counts[s.Other()])
}

func sum(w []eval.Score, counts []int32) (v eval.Score) {
	for i, n := range counts[:len(w)] {
		v += w[i] * eval.Score(n)
	}
	return v
}

// scores returns the weights rounded to scores.
func (v Vector) scores() []eval.Score {
	out := make([]eval.Score, len(v))
	for i, x := range v {
		out[i] = eval.Score(math.Round(x * float64(eval.Unit)))
	}
	return out
}

// learned contains weights that were found by Q-learning as in the publication, with seed 1, on the boards of the publication
// and on Connect Four. The command "make learned" writes the file.
//
//go:embed learned.json
var learned []byte

// Library is a collection of weights, each learned on one board. In a file it has this form:
//
//	{"learner":"qlearning","seed":1,"date":"2026-11-22","boards":[
//	{"game":"mnk:3,3,3","weights":{...}},
//	...]}
type Library struct {
	Learner string  `json:"learner"`
	Seed    uint64  `json:"seed"`
	Date    string  `json:"date"`
	Boards  []Board `json:"boards"`
}

// Board contains the weights learned on one board.
type Board struct {
	Game          string // the game's spec
	Columns, Rows int
	Falls         bool // whether stones fall
	Weights       Weights
}

// boardJSON is a Board as it is stored in a file.
type boardJSON struct {
	Game    string   `json:"game"`
	Columns int      `json:"columns"`
	Rows    int      `json:"rows"`
	Falls   bool     `json:"falls,omitempty"`
	Weights document `json:"weights"`
}

// NewBoard returns a Board with the game's spec and the weights w.
func NewBoard(g game.Game, w Weights) (Board, error) {
	p, ok := g.Start().(game.Lined)
	if !ok {
		_, err := K(g)
		return Board{}, err
	}
	b := Board{Game: g.String(), Falls: falls(g, p), Weights: w}
	b.Columns, b.Rows = p.Size()
	return b, w.checkWeights(p.K())
}

// falls reports whether a move of g names a column instead of a cell.
func falls(g game.Game, p game.Lined) bool { return g.Moves() < len(p.Cells()) }

// MarshalJSON writes the board. Its weights have the same form as in a file of weights.
func (b Board) MarshalJSON() ([]byte, error) {
	return json.Marshal(boardJSON{b.Game, b.Columns, b.Rows, b.Falls, b.Weights.document()})
}

// UnmarshalJSON is the inverse of MarshalJSON.
func (b *Board) UnmarshalJSON(data []byte) error {
	var j boardJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	w, err := j.Weights.weights(j.Weights.K)
	*b = Board{j.Game, j.Columns, j.Rows, j.Falls, w}
	return err
}

// Format returns the library in the form of a file, with one board on each line.
func (l Library) Format() ([]byte, error) {
	var lines []string
	for _, b := range l.Boards {
		line, err := json.Marshal(b)
		if err != nil {
			return nil, err
		}
		lines = append(lines, string(line))
	}
	return fmt.Appendf(nil, "{\"learner\":%q,\"seed\":%d,\"date\":%q,\"boards\":[\n%s\n]}\n", l.Learner, l.Seed, l.Date, strings.Join(lines, ",\n")), nil
}

// Shipped returns the library that krow ships.
var Shipped = sync.OnceValue(func() Library {
	var l Library
	d := json.NewDecoder(bytes.NewReader(learned))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		panic("generic: learned.json: " + err.Error())
	}
	return l
})

// Learned returns the weights that krow ships for a game, and the spec of the board on which they were learned. Learned
// chooses the most similar board with the same k. If stones fall in g, they must also fall on that board; if they do not,
// they must not fall there. The most similar board has the smallest sum of the differences in columns and in rows; if two
// boards have the same sum, the smaller board is chosen. If there is no board with the same k, for example for k = 6,
// Learned returns the fixed weights and an empty spec.
func Learned(g game.Game) (Weights, string, error) {
	k, err := K(g)
	if err != nil {
		return Weights{}, "", err
	}
	p := g.Start().(game.Lined)
	columns, rows := p.Size()
	best, distance := Board{Weights: Fixed(k)}, -1
	for _, b := range Shipped().Boards {
		if b.Weights.K != k || b.Falls != falls(g, p) {
			continue
		}
		if d := max(b.Columns-columns, columns-b.Columns) + max(b.Rows-rows, rows-b.Rows); distance < 0 || d < distance {
			best, distance = b, d
		}
	}
	return best.Weights, best.Game, nil
}
