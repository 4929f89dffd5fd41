// SPDX-License-Identifier: Apache-2.0

package generic

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/krow-lab/krow/game"
)

// learned holds the weights that the published Q-learning learns on the published boards and on Connect Four, seed 1. It
// is written by "make learned".
//
//go:embed learned.json
var learned []byte

// Library is weights learned on boards, as a file:
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

// Board is the weights of one board.
type Board struct {
	Game          string // its spec
	Columns, Rows int
	Falls         bool // stones fall
	Weights       Weights
}

// boardJSON is a Board in a file.
type boardJSON struct {
	Game    string   `json:"game"`
	Columns int      `json:"columns"`
	Rows    int      `json:"rows"`
	Falls   bool     `json:"falls,omitempty"`
	Weights document `json:"weights"`
}

// NewBoard returns the board of a game with k in a row, and its weights.
func NewBoard(g game.Game, w Weights) (Board, error) {
	p, ok := g.Start().(game.Lined)
	if !ok {
		_, err := K(g)
		return Board{}, err
	}
	b := Board{Game: g.String(), Falls: falls(g, p), Weights: w}
	b.Columns, b.Rows = p.Size()
	return b, w.check(p.K())
}

// falls says whether a move is a column and no cell.
func falls(g game.Game, p game.Lined) bool { return g.Moves() < len(p.Cells()) }

// MarshalJSON writes the board with its weights as in a file of weights.
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

// Format returns the library as a file, a board a line.
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

// Learned returns the weights that krow ships for a game, and the board on which they were learned: the nearest one with the
// same k, where stones fall if they fall in g. The nearest differs least in columns and rows together; of two it is the
// smaller. Where there is none, as for k = 6, the weights are the fixed ones and the board is empty.
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
