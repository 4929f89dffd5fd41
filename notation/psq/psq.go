// SPDX-License-Identifier: Apache-2.0

// Package psq reads and writes games in the text format of the program Piskvork, which docs/reference/formats/psq.md
// describes.
//
// # Basics
//
//	g, err := psq.Parse(data)
//	data = psq.Append(nil, g)
//
// CITE: Lastovicka, Piskvork, the functions openPsq and savePsq, which define the lines up to the number of the ending.
package psq

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/krow-lab/krow/internal/humanize"
)

// Numbers that Piskvork writes for the way in which a game ended. Piskvork also writes other numbers, which krow does not
// name.
const (
	EndedByRules = -1
	EndedByTime  = 15
)

// MaxSide is the maximum number of columns or rows of a board.
const MaxSide = 128

// longest is the maximum number of characters that an error message quotes from a line.
const longest = 60

// Game is the game that a file contains. The first element of Names is the player who moved first.
type Game struct {
	Columns, Rows int
	Moves         []Move
	Names         [2]string // both are empty if the file has no names
	Ending        *int      // code for the way in which the game ended; nil if absent
	Winner        int       // 1 or 2; 0 if nobody won or the file has no winner
	Rule          string    // name of the rule, such as Freestyle; only in files with a winner
}

// Move is a stone and the time that its player took.
type Move struct {
	Cell   int // index of the cell, as in game.Board.Cells
	Millis int64
}

// Append appends the lines of a game to dst.
func Append(dst []byte, g Game) []byte {
	b := bytes.NewBuffer(dst)
	fmt.Fprintf(b, "Piskvorky %dx%d, 0:0, 0\n", g.Columns, g.Rows)
	for _, m := range g.Moves {
		fmt.Fprintf(b, "%d,%d,%d\n", m.Cell%g.Columns+1, g.Rows-m.Cell/g.Columns, m.Millis)
	}
	if g.Names != [2]string{} || g.Winner > 0 {
		fmt.Fprintf(b, "%s\n%s\n", oneLine(g.Names[0]), oneLine(g.Names[1]))
	}
	if g.Ending != nil {
		fmt.Fprintf(b, "%d\n", *g.Ending)
		if g.Winner > 0 {
			fmt.Fprintf(b, "%d,%s\n", g.Winner, oneLine(g.Rule))
		}
	}
	return b.Bytes()
}

// oneLine returns a name without line breaks. If the name is empty or is a number, oneLine puts the word player before it,
// because otherwise Parse would misread the line.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if _, err := strconv.Atoi(s); s == "" || err == nil {
		return strings.TrimSpace("player " + s)
	}
	return s
}

// Parse reads a game. Its error begins with the number of the damaged line, and has no line break.
func Parse(data []byte) (Game, error) {
	if !utf8.Valid(data) {
		return Game{}, errors.New("line 1: the file is not UTF-8")
	}
	lines := strings.Split(strings.TrimRight(string(data), " \t\r\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	g, err := header(lines[0])
	if err != nil {
		return Game{}, fmt.Errorf("line 1: %w", err)
	}
	n := 1
	for ; n < len(lines); n++ {
		m, ok, err := g.move(lines[n])
		if err != nil {
			return Game{}, fmt.Errorf("line %d: %w", n+1, err)
		}
		if !ok {
			break
		}
		g.Moves = append(g.Moves, m)
	}
	if at, err := g.end(lines[n:]); err != nil {
		return Game{}, fmt.Errorf("line %d: %w", n+1+at, err)
	}
	return g, nil
}

// header reads the first line. It ignores the last three numbers: the levels of the two players, and the side that began. In
// krow the player of the first move is always the first player.
func header(line string) (Game, error) {
	var g Game
	var level [2]int
	var began int
	n, err := fmt.Sscanf(line, "Piskvorky %dx%d, %d:%d, %d", &g.Columns, &g.Rows, &level[0], &level[1], &began)
	if err != nil || n != 5 {
		return g, errors.New(`a game of Piskvork begins with a line such as "Piskvorky 20x20, 11:11, 0"`)
	}
	if g.Columns < 1 || g.Rows < 1 || g.Columns > MaxSide || g.Rows > MaxSide {
		return g, fmt.Errorf("a board must have 1 to %d columns and rows, not %d x %d", MaxSide, g.Columns, g.Rows)
	}
	return g, nil
}

// move reads a move. ok is false if the line does not consist of three numbers.
func (g Game) move(line string) (m Move, ok bool, err error) {
	fields := strings.Split(line, ",")
	if len(fields) != 3 {
		return m, false, nil
	}
	var v [3]int64
	for i, f := range fields {
		if v[i], err = strconv.ParseInt(strings.TrimSpace(f), 10, 64); err != nil {
			return m, false, nil
		}
	}
	if v[0] < 1 || v[1] < 1 || v[0] > int64(g.Columns) || v[1] > int64(g.Rows) {
		return m, false, fmt.Errorf("%d,%d is not on a board of %d x %d", v[0], v[1], g.Columns, g.Rows)
	}
	if v[2] < 0 {
		return m, false, fmt.Errorf("a move has the invalid time %d milliseconds", v[2])
	}
	return Move{Cell: int(v[0]-1) + (g.Rows-int(v[1]))*g.Columns, Millis: v[2]}, true, nil
}

// end reads the lines after the moves. They are either one line with the number of the ending, or two lines with the names. Two
// more lines may follow the names: the number of the ending, and the winner with the rule. If there is an error, end also returns
// the index of the damaged line.
func (g *Game) end(lines []string) (int, error) {
	if len(lines) == 0 {
		return 0, nil
	}
	if code, err := strconv.Atoi(lines[0]); err == nil {
		g.Ending = &code
		if len(lines) > 1 {
			return 1, fmt.Errorf("unexpected text %q after the end", humanize.OneLine(lines[1], longest))
		}
		return 0, nil
	}
	if len(lines) < 2 || lines[0] == "" || lines[1] == "" {
		return 0, fmt.Errorf("%q is neither a move nor the first of two players", humanize.OneLine(lines[0], longest))
	}
	g.Names = [2]string{lines[0], lines[1]}
	if len(lines) == 2 {
		return 0, nil
	}
	code, err := strconv.Atoi(lines[2])
	if err != nil {
		return 2, fmt.Errorf("%q is not the number of an ending", humanize.OneLine(lines[2], longest))
	}
	g.Ending = &code
	if len(lines) == 3 {
		return 0, nil
	}
	winner, rule, ok := strings.Cut(lines[3], ",")
	if !ok || winner != "0" && winner != "1" && winner != "2" {
		return 3, fmt.Errorf("%q is not the winner, 1 or 2, and the rule", humanize.OneLine(lines[3], longest))
	}
	g.Winner, g.Rule = int(winner[0]-'0'), strings.TrimSpace(rule)
	if len(lines) > 4 {
		return 4, fmt.Errorf("unexpected text %q after the end", humanize.OneLine(lines[4], longest))
	}
	return 0, nil
}
