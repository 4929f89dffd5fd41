// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/notation/psq"
	"github.com/krow-lab/krow/notation/sgf"
	"github.com/krow-lab/krow/record"
)

// The endings of games that were not played out, as the formats without reasons have them.
const (
	reasonTime    = "time"
	reasonForfeit = "forfeit"
)

func readGames(data []byte, name, _ string) ([]converted, error) {
	r, err := record.NewReader(bytes.NewReader(data), name, catalog.Game)
	if err != nil {
		return nil, err
	}
	var games []converted
	for {
		g, err := r.Next()
		if err == io.EOF {
			return games, nil
		}
		if err != nil {
			return nil, err
		}
		c, err := fromRecord(g)
		if err != nil {
			return nil, fmt.Errorf("%s: game %d: %w", name, g.Index, err)
		}
		games = append(games, c)
	}
}

func fromRecord(g record.Game) (converted, error) {
	rules, err := catalog.Game(g.Game)
	if err != nil {
		return converted{}, err
	}
	p, err := g.Replay(rules)
	if err != nil {
		return converted{}, err
	}
	b, err := board(p)
	if err != nil {
		return converted{}, err
	}
	o, err := record.ParseOutcome(g.Outcome)
	if err != nil {
		return converted{}, err
	}
	names := [2]string{g.A, g.B}
	if g.First == "b" {
		names = [2]string{g.B, g.A}
	}
	return converted{position: b, moves: p.AppendHistory(nil), opening: g.Opening, names: names, outcome: o, reason: g.Reason, micros: g.TimesUS, seed: g.Seed}, nil
}

func writeGames(games []converted) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(record.Header{Krow: record.Format, Version: record.Version, Match: "converted"}); err != nil {
		return nil, err
	}
	for i, c := range games {
		switch {
		case c.outcome == game.Ongoing:
			return nil, fmt.Errorf("game %d is not finished, and files of games hold those that are", i+1)
		case len(c.moves) != c.position.Ply():
			return nil, fmt.Errorf("game %d does not begin at the start", i+1)
		}
		g := record.Game{
			Index: i, Game: c.position.Game().String(), A: cmp.Or(c.names[0], "first"), B: cmp.Or(c.names[1], "second"), Seed: c.seed, First: "a",
			Opening: c.opening, Moves: notation.FormatMoves(c.position.Game(), c.moves), Outcome: c.outcome.String(),
			Result: record.Result(c.outcome, game.First), Reason: c.reason, Plies: len(c.moves), TimesUS: c.micros,
		}
		if _, err := g.Replay(c.position.Game()); err != nil {
			return nil, fmt.Errorf("game %d: %w", i+1, err)
		}
		if err := e.Encode(g); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

func readSGF(data []byte, name, text string) ([]converted, error) {
	all, err := sgf.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var games []converted
	for i, s := range all {
		c, err := fromSGF(s, text)
		if err != nil {
			return nil, fmt.Errorf("%s: game %d: %w", name, i+1, err)
		}
		games = append(games, c)
	}
	return games, nil
}

func fromSGF(s sgf.Game, text string) (converted, error) {
	b, err := startOf(text, s.Rules, s.Columns, s.Rows)
	if err != nil {
		return converted{}, err
	}
	if b, err = stand(b, s); err != nil {
		return converted{}, err
	}
	for i, m := range s.Moves {
		if m.Side != b.Turn() {
			return converted{}, fmt.Errorf("move %d is the %s side's, whose turn it is not", i+1, m.Side)
		}
		if err := playCell(b, m.Cell); err != nil {
			return converted{}, err
		}
	}
	c := converted{position: b, moves: b.AppendHistory(nil), names: s.Names}
	return c, c.finish(sgfOutcome(s.Result))
}

// stand returns the position that a game begins with.
func stand(b game.Board, s sgf.Game) (game.Board, error) {
	if len(s.Setup[0])+len(s.Setup[1]) == 0 && s.Turn == "" {
		return b, nil
	}
	lists := [2]string{}
	for side, cells := range s.Setup {
		for _, c := range cells {
			lists[side] += game.FormatCell(c, s.Columns) + " "
		}
	}
	p, err := notation.ParseStones(b.Game(), lists[0]+"/"+lists[1], notation.StonesOptions{Turn: s.Turn})
	if err != nil {
		return nil, err
	}
	return board(p)
}

// sgfOutcome reads RE. A result that nothing is known about is Ongoing.
func sgfOutcome(re string) (game.Outcome, string) {
	who, how, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(re)), "+")
	reason := reasonForfeit
	if strings.HasPrefix(how, "T") {
		reason = reasonTime
	}
	switch who {
	case "B":
		return game.FirstWins, reason
	case "W":
		return game.SecondWins, reason
	case "0", "DRAW":
		return game.Draw, record.ReasonDraw
	}
	return game.Ongoing, ""
}

// finish sets how the game ended: by the rules if it has, and otherwise as the file says.
func (c *converted) finish(said game.Outcome, reason string) error {
	c.outcome, c.reason = said, reason
	if o := c.position.Outcome(); o != game.Ongoing {
		if said != game.Ongoing && said != o {
			return fmt.Errorf("the file says %s, and the moves say %s", said, o)
		}
		c.outcome, c.reason = o, record.Ending(c.position)
	}
	return nil
}

// startOf returns the start of the game that was asked for, or that a file names, or free-style gomoku.
func startOf(asked, named string, columns, rows int) (game.Board, error) {
	text := asked
	if text == "" {
		text = usualSpec(named, columns, rows)
	}
	g, err := catalog.Game(text)
	if err != nil {
		return nil, err
	}
	b, err := board(g.Start())
	if err != nil {
		return nil, err
	}
	return b, fits(b, columns, rows)
}

// usualSpec returns the game that a file means: by a spec, by the word of other programs for it, or not at all.
func usualSpec(named string, columns, rows int) string {
	if _, err := catalog.Game(named); err == nil && strings.Contains(named, ":") {
		return named
	}
	word, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(named)), " ")
	switch {
	case word == "standard" || word == "renju" || word == "caro":
		return fmt.Sprintf("%s:%dx%d", word, columns, rows)
	case word != "" && word != "gomoku" && word != "freestyle" && knows(word):
		return word
	}
	return fmt.Sprintf("gomoku:%dx%d", columns, rows)
}

func knows(name string) bool {
	_, err := catalog.Game(name)
	return err == nil
}

func writeSGF(games []converted) ([]byte, error) {
	var out []byte
	for i, c := range games {
		s := sgf.Game{Rules: c.position.Game().String(), Names: c.names, Result: c.result()}
		s.Columns, s.Rows = c.position.Size()
		b, err := board(c.position.Clone())
		if err != nil {
			return nil, err
		}
		for range c.moves {
			b.Undo()
		}
		if b.Ply() > 0 {
			for cell, stone := range b.Cells() {
				if stone != game.Empty {
					s.Setup[stone-game.FirstStone] = append(s.Setup[stone-game.FirstStone], cell)
				}
			}
			s.Turn = b.Turn().String()
		}
		for _, m := range c.moves {
			s.Moves = append(s.Moves, sgf.Move{Side: b.Turn(), Cell: b.Cell(m)})
			b.Play(m)
		}
		if out, err = sgf.Append(out, s); err != nil {
			return nil, fmt.Errorf("game %d: %w", i+1, err)
		}
	}
	return out, nil
}

// result returns RE.
func (c *converted) result() string {
	w, won := c.outcome.Winner()
	switch {
	case c.outcome == game.Ongoing:
		return "?"
	case !won:
		return "0"
	case c.reason == reasonTime:
		return "BW"[w:w+1] + "+T"
	case record.Game{Reason: c.reason}.Forfeited():
		return "BW"[w:w+1] + "+F"
	}
	return "BW"[w:w+1] + "+"
}

func readPSQ(data []byte, name, text string) ([]converted, error) {
	s, err := psq.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	c, err := fromPSQ(s, text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return []converted{c}, nil
}

func fromPSQ(s psq.Game, text string) (converted, error) {
	b, err := startOf(text, s.Rule, s.Columns, s.Rows)
	if err != nil {
		return converted{}, err
	}
	c := converted{position: b, names: s.Names}
	for _, m := range s.Moves {
		if err := playCell(b, m.Cell); err != nil {
			return converted{}, err
		}
		c.micros = append(c.micros, m.Millis*1000)
	}
	c.moves = b.AppendHistory(nil)
	reason := reasonForfeit
	if s.Ending != nil && *s.Ending == psq.EndedByTime {
		reason = reasonTime
	}
	if s.Winner == 0 {
		return c, c.finish(game.Ongoing, "")
	}
	return c, c.finish(game.WinFor(game.Side(s.Winner-1)), reason)
}

func writePSQ(games []converted) ([]byte, error) {
	c, err := only(games, "psq")
	if err != nil {
		return nil, err
	}
	if len(c.moves) != c.position.Ply() {
		return nil, errors.New("psq holds games from the start")
	}
	s := psq.Game{Names: c.names}
	s.Columns, s.Rows = c.position.Size()
	b, err := board(c.position.Game().Start())
	if err != nil {
		return nil, err
	}
	for i, m := range c.moves {
		if b.Turn() != game.Side(i%2) {
			return nil, fmt.Errorf("%s is not played in turn, as psq has it", b.Game())
		}
		move := psq.Move{Cell: b.Cell(m)}
		if at := i - c.opening; at >= 0 && at < len(c.micros) {
			move.Millis = c.micros[at] / 1000
		}
		s.Moves = append(s.Moves, move)
		b.Play(m)
	}
	if w, won := c.outcome.Winner(); won {
		s.Winner, s.Rule = int(w)+1, ruleWord(b.Game())
	}
	if c.outcome != game.Ongoing {
		code := psq.EndedByRules
		if c.reason == reasonTime {
			code = psq.EndedByTime
		}
		s.Ending = &code
	}
	return psq.Append(nil, s), nil
}

// ruleWord names a game in Piskvork's words, where it has one.
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

// only returns the game of a format that holds one.
func only(games []converted, format string) (converted, error) {
	if len(games) != 1 {
		return converted{}, fmt.Errorf("%s holds one game, not %d", format, len(games))
	}
	return games[0], nil
}

func readPosition(data []byte, name, text string) ([]converted, error) {
	if text == "" {
		return nil, misusef("for example --game renju", "a position needs --game")
	}
	g, err := catalog.Game(text)
	if err != nil {
		return nil, err
	}
	p, err := notation.ParseBoard(g, string(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	b, err := board(p)
	if err != nil {
		return nil, err
	}
	c := converted{position: b}
	return []converted{c}, c.finish(game.Ongoing, "")
}

func writePosition(games []converted) ([]byte, error) {
	c, err := only(games, "position")
	if err != nil {
		return nil, err
	}
	return []byte(strings.TrimRight(notation.FormatPosition(c.position), "\n") + "\n"), nil
}
