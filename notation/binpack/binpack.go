// SPDX-License-Identifier: Apache-2.0

// Package binpack reads and writes games in the packed format of c-gomoku-cli. Programs that learn gomoku exchange games in
// this format. A game consists of its moves, the engine's score of each move, and the result.
// docs/reference/formats/binpack.md describes the bytes.
//
// # Basics
//
//	games, err := binpack.Parse(data)
//	data, err = binpack.Append(data, game)
//
// # Caveats
//
// Files that are also compressed with LZ4 are refused. krow uses rule 3 for caro; other programs know only rules 0, 1 and 4.
//
// CITE: Ma and Duan, c-gomoku-cli, the section of its README on samples.
package binpack

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Rule is the number that represents the game in a file.
type Rule uint8

const (
	Freestyle Rule = 0
	Standard  Rule = 1
	Caro      Rule = 3
	Renju     Rule = 4
)

// names holds the name of krow's game for each rule.
var names = map[Rule]string{Freestyle: "gomoku", Standard: "standard", Caro: "caro", Renju: "renju"}

// String returns the name of the game, such as "gomoku", or "" for an unknown number.
func (r Rule) String() string { return names[r] }

// RuleOf returns the rule of the game with the given name; ok is false if there is none.
func RuleOf(name string) (r Rule, ok bool) {
	for r, n := range names {
		if n == name {
			return r, true
		}
	}
	return 0, false
}

// MinSide and MaxSide are the limits of Game.Side. Boards are square.
const MinSide, MaxSide = 5, 22

// Result is the result of a game for the side that plays the first ply after the opening.
type Result uint8

const (
	Lost Result = iota
	Drawn
	Won
)

// Game is a game of a file. Cells are indices as in game.Board.Cells. The stones of Opening belong to the two sides in turn;
// the first stone belongs to the first side.
type Game struct {
	Side    int
	Rule    Rule
	Result  Result
	Tag     uint16 // 14 bits, whose meaning is defined by the program that writes the file
	Opening []int
	// Plies contains a list of one or more moves for each ply. The first move of the list was played.
	Plies [][]Move
}

// Pass is the Cell of a move that places no stone.
const Pass = -1

// Move is a move with the engine's score.
type Move struct {
	Cell   int // index of the cell, or Pass
	Score  int16
	Scored bool // whether Score is valid
}

const (
	first = 1 << iota
	last
	unscored
	pass

	placeShift = 6
)

const lz4Magic = 0x184d2204

// Parse reads games. Its error contains the number of the damaged game, from 1, and no line break.
func Parse(data []byte) ([]Game, error) {
	if len(data) >= 4 && binary.LittleEndian.Uint32(data) == lz4Magic {
		return nil, errors.New("the file is compressed with LZ4: decompress it first")
	}
	var games []Game
	for len(data) > 0 {
		g, rest, err := parseGame(data)
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", len(games)+1, err)
		}
		games, data = append(games, g), rest
	}
	return games, nil
}

var errShort = errors.New("the file ends in the middle of a game")

func parseGame(data []byte) (g Game, rest []byte, err error) {
	if len(data) < 8 {
		return g, nil, errShort
	}
	a, b := binary.LittleEndian.Uint32(data), binary.LittleEndian.Uint32(data[4:])
	g = Game{Side: int(a & 31), Rule: Rule(a >> 5 & 7), Result: Result(a >> 8 & 15), Tag: uint16(b & (1<<14 - 1))}
	opening, moves := int(a>>22), int(b>>14)
	if err := g.checkHeader(opening); err != nil {
		return g, nil, err
	}
	data = data[8:]
	if len(data) < 2*opening+4*moves {
		return g, nil, errShort
	}
	for i := range opening {
		c, err := g.cell(binary.LittleEndian.Uint16(data[2*i:]))
		if err != nil {
			return g, nil, err
		}
		g.Opening = append(g.Opening, c)
	}
	data = data[2*opening:]
	if err := g.parsePlies(data[:4*moves]); err != nil {
		return g, nil, err
	}
	return g, data[4*moves:], nil
}

func (g *Game) checkHeader(opening int) error {
	switch {
	case g.Side < MinSide || g.Side > MaxSide:
		return fmt.Errorf("a board must have %d to %d columns, not %d", MinSide, MaxSide, g.Side)
	case g.Rule.String() == "":
		return fmt.Errorf("rule %d is none of 0, 1, 3 and 4", uint8(g.Rule))
	case g.Result > Won:
		return fmt.Errorf("result %d is none of 0, 1 and 2", g.Result)
	case opening > g.Side*g.Side:
		return fmt.Errorf("an opening cannot have %d stones on %d cells", opening, g.Side*g.Side)
	}
	return nil
}

// parsePlies reads the moves of all plies. It returns an error if the marks for the first and the last move of a ply contradict
// each other.
func (g *Game) parsePlies(data []byte) error {
	var ply []Move
	for i := 0; i < len(data); i += 4 {
		word, score := binary.LittleEndian.Uint16(data[i:]), int16(binary.LittleEndian.Uint16(data[i+2:]))
		if (word&first != 0) != (ply == nil) {
			return fmt.Errorf("move %d: the offset of the ply is invalid", i/4+1)
		}
		m := Move{Cell: Pass, Scored: word&unscored == 0}
		if m.Scored {
			m.Score = score
		}
		if word&pass == 0 {
			c, err := g.cell(word >> placeShift)
			if err != nil {
				return fmt.Errorf("move %d: %w", i/4+1, err)
			}
			m.Cell = c
		}
		ply = append(ply, m)
		if word&last != 0 {
			g.Plies, ply = append(g.Plies, ply), nil
		}
	}
	if ply != nil {
		return errShort
	}
	return nil
}

func (g *Game) cell(place uint16) (int, error) {
	x, y := int(place>>5), int(place&31)
	if x >= g.Side || y >= g.Side {
		return 0, fmt.Errorf("place %d,%d is not on a board of %d x %d", x, y, g.Side, g.Side)
	}
	return x + (g.Side-1-y)*g.Side, nil
}

func (g *Game) place(cell int) (uint16, error) {
	if cell < 0 || cell >= g.Side*g.Side {
		return 0, fmt.Errorf("cell %d is not on a board of %d x %d", cell, g.Side, g.Side)
	}
	return uint16(cell%g.Side<<5 | g.Side - 1 - cell/g.Side), nil
}

// Append appends a game to dst. It returns an error if the format cannot hold the game.
func Append(dst []byte, g Game) ([]byte, error) {
	if err := g.checkHeader(len(g.Opening)); err != nil {
		return nil, err
	}
	stones, moves := len(g.Opening), 0
	for _, ply := range g.Plies {
		if len(ply) == 0 {
			return nil, errors.New("a ply without a move")
		}
		if moves += len(ply); ply[0].Cell != Pass {
			stones++
		}
	}
	if stones > g.Side*g.Side || moves >= 1<<18 || g.Tag >= 1<<14 {
		return nil, fmt.Errorf("%d stones, %d moves and the tag %d do not fit into the format", stones, moves, g.Tag)
	}
	dst = binary.LittleEndian.AppendUint32(dst,
		uint32(g.Side)|uint32(g.Rule)<<5|uint32(g.Result)<<8|uint32(stones)<<12|uint32(len(g.Opening))<<22)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(g.Tag)|uint32(moves)<<14)
	for _, c := range g.Opening {
		place, err := g.place(c)
		if err != nil {
			return nil, err
		}
		dst = binary.LittleEndian.AppendUint16(dst, place)
	}
	for _, ply := range g.Plies {
		for i, m := range ply {
			word, err := g.word(m, i == 0, i == len(ply)-1)
			if err != nil {
				return nil, err
			}
			dst = binary.LittleEndian.AppendUint16(dst, word)
			dst = binary.LittleEndian.AppendUint16(dst, uint16(m.Score))
		}
	}
	return dst, nil
}

// word returns the first of the two words of a move: its marks and its cell. begins is true for the first move of a ply, and
// ends for the last move.
func (g *Game) word(m Move, begins, ends bool) (word uint16, err error) {
	for i, set := range [4]bool{begins, ends, !m.Scored, m.Cell == Pass} {
		if set {
			word |= 1 << i
		}
	}
	if m.Cell == Pass {
		return word, nil
	}
	place, err := g.place(m.Cell)
	return word | place<<placeShift, err
}
