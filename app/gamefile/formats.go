// SPDX-License-Identifier: Apache-2.0

package gamefile

import (
	"cmp"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/notation/binpack"
	"github.com/krow-lab/krow/notation/psq"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/notation/renlib"
	"github.com/krow-lab/krow/notation/sgf"
	"github.com/krow-lab/krow/notation/tree"
)

func allSGF(data []byte, o Options) iter.Seq2[Game, error] {
	return converted(sgf.All(data), o.fromSGF)
}

func (o Options) fromSGF(s sgf.Game) (Game, error) {
	b, err := o.startOf(s.Rules, s.Columns, s.Rows)
	if err != nil {
		return Game{}, err
	}
	if b, err = setUp(b, s); err != nil {
		return Game{}, err
	}
	for i, m := range s.Moves {
		if m.Side != b.Turn() {
			return Game{}, fmt.Errorf("move %d is by the %s side, but it is the other side's turn", i+1, m.Side)
		}
		if err := playCell(b, m.Cell); err != nil {
			return Game{}, err
		}
	}
	outcome, reason := parseResult(s.Result)
	g, err := finished(b, s.Names, outcome, reason)
	g.Event, g.Year = s.Event, yearOf(s.Date)
	return g, err
}

// yearOf returns the year at the beginning of an SGF date, or 0 if there is none.
func yearOf(date string) int {
	year, _, _ := strings.Cut(strings.TrimSpace(date), "-")
	if n, err := strconv.Atoi(year); err == nil && n > 0 && n < 10_000 {
		return n
	}
	return 0
}

func setUp(b game.Board, s sgf.Game) (game.Board, error) {
	if len(s.Setup[0])+len(s.Setup[1]) == 0 && s.Turn == "" {
		return b, nil
	}
	var lists [2]string
	for side, cells := range s.Setup {
		for _, c := range cells {
			lists[side] += game.FormatCell(c, s.Columns) + " "
		}
	}
	p, err := notation.ParseStones(b.Game(), lists[0]+"/"+lists[1], notation.StonesOptions{Turn: s.Turn})
	if err != nil {
		return nil, err
	}
	return p.(game.Board), nil
}

// parseResult returns the outcome and the reason of the SGF property RE. An unknown or missing result is Ongoing.
func parseResult(re string) (game.Outcome, string) {
	who, how, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(re)), "+")
	reason := record.ReasonForfeit
	if strings.HasPrefix(how, "T") {
		reason = record.ReasonTime
	}
	switch who {
	case "B":
		return game.FirstWins, reason
	case "W":
		return game.SecondWins, reason
	case "0", "DRAW":
		return game.Draw, record.ReasonAdjudicated + "draw" // this reason is ignored if the game was drawn by the rules
	}
	return game.Ongoing, ""
}

func formatResult(g Game) string {
	w, won := g.Outcome.Winner()
	switch {
	case g.Outcome == game.Ongoing:
		return "?"
	case !won:
		return "0"
	case g.Reason == record.ReasonTime:
		return "BW"[w:w+1] + "+T"
	case g.Forfeited():
		return "BW"[w:w+1] + "+F"
	}
	return "BW"[w:w+1] + "+"
}

func appendSGF(dst []byte, _ int, g Game) ([]byte, error) {
	b := Start(g.Position)
	s := sgf.Game{Rules: b.Game().String(), Names: g.Names, Result: formatResult(g), Event: g.Event}
	if g.Year > 0 {
		s.Date = fmt.Sprintf("%04d", g.Year)
	}
	s.Columns, s.Rows = b.Size()
	if b.Ply() > 0 {
		for cell, stone := range b.Cells() {
			if stone != game.Empty {
				s.Setup[stone-game.FirstStone] = append(s.Setup[stone-game.FirstStone], cell)
			}
		}
		s.Turn = b.Turn().String()
	}
	if g.Tree != nil && b.Ply() == 0 && inTurn(b) {
		return sgf.AppendTree(dst, s, g.Tree)
	}
	for _, m := range g.Moves {
		s.Moves = append(s.Moves, sgf.Move{Side: b.Turn(), Cell: b.Cell(m)})
		b.Play(m)
	}
	return sgf.Append(dst, s)
}

// inTurn reports whether the sides place one stone each in turn, and a move names the cell of its stone.
func inTurn(b game.Board) bool {
	c := b.Clone().(game.Board)
	for side := range game.Side(2) {
		if c.Turn() != side || c.Outcome() != game.Ongoing || !game.CellMoves(c) {
			return false
		}
		c.Play(c.AppendMoves(nil)[0])
	}
	return true
}

// readRenLib reads a RenLib library as a tree of moves. The game is Options.Game, or renju if Options.Game is empty.
// readRenLib cuts off illegal moves.
func readRenLib(data []byte, o Options) (Game, error) {
	root, err := renlib.Parse(data)
	if err != nil {
		return Game{}, err
	}
	b, err := o.startOf(cmp.Or(o.Game, "renju"), 15, 15)
	if err != nil {
		return Game{}, err
	}
	if !inTurn(b) {
		return Game{}, fmt.Errorf("a RenLib library supports only games in which the sides place single stones in turn, not %s", b.Game())
	}
	cut := tree.Legal(b.Game().Start(), root)
	for n := root; len(n.Next) > 0; n = n.Next[0] {
		b.Play(n.Next[0].Move)
	}
	g := New(b, [2]string{})
	g.Tree, g.Cut = root, cut
	return g, nil
}

func appendRenLib(dst []byte, _ int, g Game) ([]byte, error) {
	b := Start(g.Position)
	if columns, rows := b.Size(); columns != 15 || rows != 15 || !inTurn(b) {
		return nil, fmt.Errorf("a RenLib library supports only boards of 15 x 15 on which the sides place single stones in turn, not %s", b.Game())
	}
	root := g.Tree
	if root == nil {
		root = &tree.Node{}
		root.Line(g.Moves)
	}
	return renlib.Append(dst, root)
}

func readPSQ(data []byte, o Options) (Game, error) {
	s, err := psq.Parse(data)
	if err != nil {
		return Game{}, err
	}
	b, err := o.startOf(s.Rule, s.Columns, s.Rows)
	if err != nil {
		return Game{}, err
	}
	var times []time.Duration
	for _, m := range s.Moves {
		if err := playCell(b, m.Cell); err != nil {
			return Game{}, err
		}
		times = append(times, time.Duration(m.Millis)*time.Millisecond)
	}
	said, reason := game.Ongoing, ""
	if s.Winner > 0 {
		said, reason = game.WinFor(game.Side(s.Winner-1)), record.ReasonForfeit
		if s.Ending != nil && *s.Ending == psq.EndedByTime {
			reason = record.ReasonTime
		}
	}
	g, err := finished(b, s.Names, said, reason)
	g.Times = times
	return g, err
}

func appendPSQ(dst []byte, _ int, g Game) ([]byte, error) {
	s := psq.Game{Names: g.Names}
	s.Columns, s.Rows = g.Position.Size()
	b := Start(g.Position)
	for i, m := range g.Moves {
		if b.Turn() != game.Side(i%2) {
			return nil, fmt.Errorf("psq supports only games in which the sides place single stones in turn, not %s", b.Game())
		}
		move := psq.Move{Cell: b.Cell(m)}
		if at := i - g.Opening; at >= 0 && at < len(g.Times) {
			move.Millis = g.Times[at].Milliseconds()
		}
		s.Moves = append(s.Moves, move)
		b.Play(m)
	}
	if w, won := g.Outcome.Winner(); won {
		s.Winner, s.Rule = int(w)+1, ruleWord(b.Game())
	}
	if g.Outcome != game.Ongoing {
		code := psq.EndedByRules
		if g.Reason == record.ReasonTime {
			code = psq.EndedByTime
		}
		s.Ending = &code
	}
	return psq.Append(dst, s), nil
}

func ruleWord(g game.Game) string {
	name, _, _ := strings.Cut(g.String(), ":")
	switch name {
	case "gomoku":
		return "Freestyle"
	case "standard", "renju", "caro":
		return strings.ToUpper(name[:1]) + name[1:]
	}
	return g.String()
}

func allBinpack(data []byte, o Options) iter.Seq2[Game, error] {
	return converted(func(yield func(binpack.Game, error) bool) {
		all, err := binpack.Parse(data)
		for _, g := range all {
			if !yield(g, nil) {
				return
			}
		}
		if err != nil {
			yield(binpack.Game{}, err)
		}
	}, o.fromBinpack)
}

// fromBinpack replays the played moves of a game. It drops the scores, and moves that were analysed but not
// played.
func (o Options) fromBinpack(s binpack.Game) (Game, error) {
	b, err := o.startOf(s.Rule.String(), s.Side, s.Side)
	if err != nil {
		return Game{}, err
	}
	cells := s.Opening
	for _, ply := range s.Plies {
		cells = append(cells, ply[0].Cell)
	}
	for _, cell := range cells {
		if err := playCell(b, cell); err != nil {
			return Game{}, err
		}
	}
	said, reason := game.Draw, record.ReasonDraw
	me := game.Side(len(s.Opening) % 2) // the side to move after the opening; s.Result is the result of this side
	switch s.Result {
	case binpack.Won:
		said, reason = game.WinFor(me), record.ReasonForfeit
	case binpack.Lost:
		said, reason = game.WinFor(me.Other()), record.ReasonForfeit
	}
	g, err := finished(b, [2]string{}, said, reason)
	g.Opening = len(s.Opening)
	return g, err
}

func appendBinpack(dst []byte, _ int, g Game) ([]byte, error) {
	name, _, _ := strings.Cut(g.Position.Game().String(), ":")
	rule, ok := binpack.RuleOf(name)
	columns, rows := g.Position.Size()
	if !ok || columns != rows {
		return nil, fmt.Errorf("binpack supports gomoku, standard, renju and caro on square boards, not %s", g.Position.Game())
	}
	s := binpack.Game{Side: columns, Rule: rule, Result: binpack.Drawn}
	if w, won := g.Outcome.Winner(); won {
		s.Result = binpack.Lost
		if int(w) == g.Opening%2 {
			s.Result = binpack.Won
		}
	}
	for i, m := range g.Moves {
		cell := g.Position.Cell(m)
		if i < g.Opening {
			s.Opening = append(s.Opening, cell)
			continue
		}
		s.Plies = append(s.Plies, []binpack.Move{{Cell: cell}})
	}
	return binpack.Append(dst, s)
}

// FromRecord returns the record of a played game as a Game.
func FromRecord(g record.Game) (Game, error) {
	p, err := g.Replay()
	if err != nil {
		return Game{}, err
	}
	b, ok := p.(game.Board)
	if !ok {
		return Game{}, fmt.Errorf("%s has no board of stones", g.Rules)
	}
	return Game{Game: g, Position: b}, nil
}

func appendRecord(dst []byte, i int, file Game) ([]byte, error) {
	if i == 0 {
		var err error
		if dst, err = record.AppendLine(dst, record.Header{Krow: record.Format, Version: record.Version, Match: "converted"}); err != nil {
			return nil, err
		}
	}
	g := file.Game
	g.Index, g.A, g.Clock, g.Scale = i, game.First, "", 0
	g.Names = [2]string{cmp.Or(g.Names[0], "first"), cmp.Or(g.Names[1], "second")}
	if _, err := g.Replay(); err != nil {
		return nil, err
	}
	return record.AppendLine(dst, g)
}

func readPosition(data []byte, o Options) (Game, error) {
	b, err := o.board(o.Game)
	if err != nil {
		return Game{}, err
	}
	p, err := notation.ParseBoard(b.Game(), string(data))
	if err != nil {
		return Game{}, err
	}
	return New(p.(game.Board), [2]string{}), nil
}

func appendPosition(dst []byte, _ int, g Game) ([]byte, error) {
	return append(dst, notation.FormatBoard(g.Position)...), nil
}

func readMoves(data []byte, o Options) (Game, error) {
	b, err := o.board(o.Game)
	if err != nil {
		return Game{}, err
	}
	if err := notation.Play(b, string(data)); err != nil {
		return Game{}, err
	}
	return New(b, [2]string{}), nil
}

// appendMoves appends the list of moves since the start, or since the position that was set up.
func appendMoves(dst []byte, _ int, g Game) ([]byte, error) {
	return append(append(dst, notation.FormatMoves(g.Rules, g.Moves)...), '\n'), nil
}
