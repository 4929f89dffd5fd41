// SPDX-License-Identifier: Apache-2.0

package network

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/krow-lab/krow/engine/ultimate/board"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
)

// games are the games of a generation, one after the other, as they stand in the file:
//
//	krow ultimate games 1\n
//	{"game":"ultimate","seed":1,"generation":3,...}\n    how they came about
//	for each game: number of plies, and of those up to its last random move, a byte each, then for each ply
//	    move                   a byte
//	    score                  2 bytes, little-endian: thousandths for the side to move, before the move; or unsearched
//
// The file as a whole is compressed by gzip.
type games struct {
	origin origin
	plies  []byte
}

// origin says how games came about: files of the same origin hold the same games.
type origin struct {
	Game       string  `json:"game"`
	Seed       uint64  `json:"seed"`
	Generation int     `json:"generation"`
	Games      int     `json:"games"`
	Nodes      int     `json:"nodes"`
	Plies      int     `json:"plies"`
	Epsilon    float64 `json:"epsilon"`
	Network    string  `json:"network"` // the checksum of its file, or nothing for the heuristic
}

const (
	gamesMagic = "krow ultimate games 1\n"
	maxGames   = 1 << 30 // bytes, unpacked
	unsearched = -1 << 15
	headBytes  = 2
	plyBytes   = 3
)

var errGames = errors.New("not a file of games of ultimate tic-tac-toe, version 1, or a damaged one")

// pack returns the games as a file.
func (g *games) pack() ([]byte, error) {
	head, err := json.Marshal(g.origin)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	for _, part := range [][]byte{[]byte(gamesMagic), head, {'\n'}, g.plies} {
		if _, err := z.Write(part); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// unpack reads a file of games, plays them all, and refuses what does not follow the rules of g.
func unpack(data []byte, g *ultimate.Game) (*games, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, errGames
	}
	text, err := io.ReadAll(io.LimitReader(z, maxGames+1))
	if err != nil || len(text) > maxGames {
		return nil, errGames
	}
	body, ok := bytes.CutPrefix(text, []byte(gamesMagic))
	head, plies, ok2 := bytes.Cut(body, []byte("\n"))
	var all games
	if !ok || !ok2 || json.Unmarshal(head, &all.origin) != nil {
		return nil, errGames
	}
	if all.origin.Game != g.String() {
		return nil, fmt.Errorf("games of %s, not %s", all.origin.Game, g)
	}
	all.plies = plies
	return &all, all.each(g, func(record) {})
}

// record is a game. The move of a ply follows its score.
type record struct {
	moves  []uint8
	scores []int16
	random int // plies up to the last random move
	end    game.Outcome
}

// add appends a ply.
func (r *record) add(m uint8, score int16) {
	r.moves, r.scores = append(r.moves, m), append(r.scores, score)
}

// each calls f for each game. The record is reused.
func (g *games) each(rules *ultimate.Game, f func(record)) error {
	var r record
	left := g.origin.Games
	for rest := g.plies; len(rest) > 0; left-- {
		if len(rest) < headBytes || len(rest) < headBytes+plyBytes*int(rest[0]) {
			return errGames
		}
		n := int(rest[0])
		r.moves, r.scores, r.random = r.moves[:0], r.scores[:0], int(rest[1])
		b := board.New(rules.Rules())
		for ply := rest[headBytes:]; len(r.moves) < n; ply = ply[plyBytes:] {
			score := int16(binary.LittleEndian.Uint16(ply[1:]))
			if !b.Legal(int(ply[0])) || score != unsearched && score != thousandths(eval.Score(score)) {
				return errGames
			}
			b.Play(ply[0])
			r.add(ply[0], score)
		}
		if b.Result == game.Ongoing || r.random > n {
			return errGames
		}
		r.end = b.Result
		f(r)
		rest = rest[headBytes+plyBytes*n:]
	}
	if left != 0 {
		return errGames
	}
	return nil
}

// add appends a game.
func (g *games) add(r record) {
	g.plies = append(g.plies, byte(len(r.moves)), byte(r.random))
	for i, m := range r.moves {
		g.plies = binary.LittleEndian.AppendUint16(append(g.plies, m), uint16(r.scores[i]))
	}
}
