// SPDX-License-Identifier: Apache-2.0

// Package ugi implements both ends of the Universal Game Interface: an [Engine] answers a referee about every game of krow, and a
// [Program] is a player whose moves come from an engine in another process.
//
// # Basics
//
//	err := ugi.Engine{Name: "krow", Open: krow.Game, Player: newPlayer}.Run(ctx, os.Stdin, os.Stdout)
//
//	p := ugi.NewProgram(g, ugi.Options{Path: "engine"})
//	m, err := p.Move(ctx, position, search.Limits{Time: time.Second})
//
// docs/reference/ugi.md lists the commands.
//
// CITE: kz04px, Universal Game Interface, the file ugi.md of cutegames; after the Universal Chess Interface of R. Huber
// and S. Meyer-Kahlen.
package ugi

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/subprocess"
	"github.com/krow-lab/krow/search"
)

// maxLine is the maximum length of a line in both directions, in bytes. It is greater than the length of the position command for
// the longest game on the largest board.
const maxLine = 1 << 18

// noMove is sent as the best move if there is no move.
const noMove = "0000"

var lineStyle = subprocess.Style{End: "\n", Bye: "quit", MaxLine: maxLine}

// FormatPosition returns the command with the name position that tells an engine the position p.
func FormatPosition(p game.Position) string {
	history := p.AppendHistory(nil)
	start := p.Clone()
	for range history {
		start.Undo()
	}
	text := "position startpos"
	if start.Ply() > 0 || start.Key() != p.Game().Start().Key() {
		text = "position fen " + notation.FormatFEN(start)
	}
	if len(history) > 0 {
		text += " moves " + notation.FormatMoves(p.Game(), history)
	}
	return text
}

// ParsePosition reads the arguments of the command position: startpos or fen FEN, and then moves MOVES.
func ParsePosition(g game.Game, text string) (game.Position, error) {
	where, moves, _ := strings.Cut(text+" ", " moves ")
	p := g.Start()
	switch kind, fen := subprocess.Split(strings.TrimSpace(where)); kind {
	case "startpos":
	case "fen":
		var err error
		if p, err = notation.ParseFEN(g, fen); err != nil {
			return nil, err
		}
	default:
		return nil, errors.New("write position startpos or position fen FEN, and then moves MOVES")
	}
	for word := range strings.FieldsSeq(moves) {
		m, err := g.Parse(word)
		if err == nil {
			err = game.Play(p, m)
		}
		if err != nil {
			return nil, fmt.Errorf("move %q: %w", subprocess.Shown(word), err)
		}
	}
	return p, nil
}

// scale is the scale of the scores that are sent and read: a "cp" of 100 times this number means that a side is expected to win three
// of four games.
const scale = 2.2

// unknown is the "cp" that is sent for a win of unknown length. The "cp" of any other score is smaller.
const unknown = 30000

// formatInfo returns the text of an info line, which reports the result i of a search of a position of g. The scores of the search
// are on the scale from.
func formatInfo(g game.Game, from float64, i search.Info) string {
	text := strings.Builder{}
	text.WriteString("info depth " + strconv.Itoa(i.Depth) + " multipv " + strconv.Itoa(max(i.Line, 1)) + " score ")
	switch plies, sign := i.Score.Distance(); {
	case plies == eval.Unknown: // the game is won or lost in an unknown number of plies
		text.WriteString("cp " + strconv.Itoa(sign*unknown))
	case sign != 0:
		text.WriteString("mate " + strconv.Itoa(sign*plies))
	default:
		cp := math.Round(100 * player.Rescale(i.Score.Units(), from, scale))
		text.WriteString("cp " + strconv.Itoa(int(min(max(cp, 1-unknown), unknown-1))))
	}
	text.WriteString([...]string{"", " lowerbound", " upperbound"}[i.Bound])
	text.WriteString(" nodes " + strconv.FormatUint(i.Nodes, 10) + " time " + strconv.FormatInt(i.Time.Milliseconds(), 10))
	if ms := i.Time.Milliseconds(); ms > 0 {
		text.WriteString(" nps " + strconv.FormatUint(i.Nodes*1000/uint64(ms), 10))
	}
	text.WriteString(" pv " + notation.FormatMoves(g, i.PV))
	return text.String()
}

// next returns the word after word i, or "".
func next(words []string, i int) string {
	if i+1 < len(words) {
		return words[i+1]
	}
	return ""
}

// parseInfo reads an info line that a program prints while it searches p. ok is false if the line contains no moves.
func parseInfo(p game.Position, line string) (i search.Info, ok bool) {
	words := strings.Fields(line)
	number := func(at int) int64 {
		n, _ := strconv.ParseInt(next(words, at), 10, 64)
		return n
	}
	for at, word := range words {
		switch word {
		case "depth":
			i.Depth = int(max(number(at), 0))
		case "multipv":
			i.Line = int(max(number(at), 0))
		case "cp":
			i.Score = (eval.Score(max(min(number(at), greatest), -greatest)) * (eval.Unit / 100)).Opinion()
		case "mate":
			if n := number(at); n < 0 {
				i.Score = eval.Loss(int(-max(n, -greatest)))
			} else {
				i.Score = eval.Win(int(min(n, greatest)))
			}
		case "lowerbound":
			i.Bound = search.Lower
		case "upperbound":
			i.Bound = search.Upper
		case "nodes":
			i.Nodes = uint64(max(number(at), 0))
		case "time":
			i.Time = time.Duration(max(min(number(at), int64(forever/time.Millisecond)), 0)) * time.Millisecond
		case "pv":
			i.PV = legalMoves(p, words[at+1:])
			return i, len(i.PV) > 0
		case "string":
			return i, false
		}
	}
	return i, false
}

// greatest is the greatest number that is accepted in a program's score: a number of plies to a win, or of hundredths of a
// unit.
const greatest = 1 << 20

// legalMoves reads the names of moves that are played from p one after the other, and stops at the first illegal move.
func legalMoves(p game.Position, words []string) (moves []game.Move) {
	p = p.Clone()
	for _, word := range words {
		m, err := p.Game().Parse(word)
		if err != nil || game.Play(p, m) != nil {
			break
		}
		moves = append(moves, m)
	}
	return moves
}
