// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/notation/psq"
	"github.com/krow-lab/krow/notation/sgf"
)

type exportInput struct {
	Place
	Format string `query:"format" enum:"sgf,psq,text,board" default:"sgf"`
	First  string `query:"first" maxLength:"200" doc:"name of the player"`
	Second string `query:"second" maxLength:"200" doc:"name of the player"`
}

type exportOutput struct {
	Type        string `header:"Content-Type"`
	Disposition string `header:"Content-Disposition"`
	Body        []byte
}

// export writes a line of moves as a file.
func (s *Server) export(_ context.Context, in *exportInput) (*exportOutput, error) {
	if err := in.find(); err != nil {
		return nil, err
	}
	b := in.position
	moves := b.AppendHistory(nil)
	var data []byte
	var err error
	switch in.Format {
	case "sgf":
		data, err = toSGF(b, moves, [2]string{in.First, in.Second})
	case "psq":
		data, err = toPSQ(b, moves)
	case "text":
		data = []byte(notation.FormatMoves(b.Game(), moves) + "\n")
	case "board":
		data = []byte(notation.FormatPosition(b))
	}
	if err != nil {
		return nil, noFile.of(err, in.Format)
	}
	name := "game." + map[string]string{"sgf": "sgf", "psq": "psq", "text": "txt", "board": "txt"}[in.Format]
	return &exportOutput{"text/plain; charset=utf-8", `attachment; filename="` + name + `"`, data}, nil
}

// before returns the position before the moves of b's history.
func before(b game.Board) game.Board {
	p := b.Clone().(game.Board)
	for range b.AppendHistory(nil) {
		p.Undo()
	}
	return p
}

func toSGF(b game.Board, moves []game.Move, names [2]string) ([]byte, error) {
	p := before(b)
	g := sgf.Game{Rules: b.Game().String(), Names: names, Result: "?"}
	g.Columns, g.Rows = b.Size()
	if p.Ply() > 0 {
		for cell, stone := range p.Cells() {
			if stone != game.Empty {
				g.Setup[stone-game.FirstStone] = append(g.Setup[stone-game.FirstStone], cell)
			}
		}
		g.Turn = p.Turn().String()
	}
	for _, m := range moves {
		g.Moves = append(g.Moves, sgf.Move{Side: p.Turn(), Cell: p.Cell(m)})
		p.Play(m)
	}
	switch winner, won := b.Outcome().Winner(); {
	case won:
		g.Result = "BW"[winner:winner+1] + "+"
	case b.Outcome() == game.Draw:
		g.Result = "0"
	}
	return sgf.Append(nil, g)
}

func toPSQ(b game.Board, moves []game.Move) ([]byte, error) {
	p := before(b)
	if p.Ply() > 0 {
		return nil, errors.New("psq holds games from the start")
	}
	g := psq.Game{}
	g.Columns, g.Rows = b.Size()
	for i, m := range moves {
		if p.Turn() != game.Side(i%2) {
			return nil, fmt.Errorf("%s is not played in turn, as psq has it", b.Game())
		}
		g.Moves = append(g.Moves, psq.Move{Cell: p.Cell(m)})
		p.Play(m)
	}
	return psq.Append(nil, g), nil
}

type importInput struct {
	Body struct {
		Text string `json:"text" maxLength:"200000" doc:"a game as SGF or PSQ, a drawn board, a link to a game or a position, or a list of moves"`
		Game string `json:"game,omitempty" maxLength:"100" doc:"spec of the game, where the text does not say it"`
	}
}

// Imported is a position that was read from a text.
type Imported struct {
	Game  string   `json:"game"`
	Start string   `json:"start,omitempty"`
	Moves []string `json:"moves" nullable:"false"`
}

type importOutput struct{ Body Imported }

// load reads a text in whatever format it is.
func (s *Server) load(_ context.Context, in *importInput) (*importOutput, error) {
	b, err := s.read(strings.TrimSpace(in.Body.Text), in.Body.Game)
	if err != nil {
		return nil, badText.of(err, lineOf(err))
	}
	out, err := imported(b)
	if err != nil {
		return nil, s.fault(err)
	}
	return &importOutput{out}, nil
}

func imported(b game.Board) (Imported, error) {
	v := Imported{Game: b.Game().String(), Moves: played(b)}
	if first := before(b); first.Ply() > 0 {
		text, err := notation.EncodeText(first)
		if err != nil {
			return v, err
		}
		v.Start = text
	}
	return v, nil
}

// lineOf returns the number of the line that a format's error speaks of, or "".
func lineOf(err error) string {
	rest, ok := strings.CutPrefix(err.Error(), "line ")
	number, _, _ := strings.Cut(rest, ":")
	if !ok {
		return ""
	}
	return number
}

func (s *Server) read(text, asked string) (game.Board, error) {
	switch {
	case text == "":
		return nil, errors.New("there is nothing to read")
	case strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://"):
		return s.readLink(text)
	case strings.HasPrefix(text, "("):
		return readSGF(text, asked)
	case strings.HasPrefix(text, "Piskvor"):
		return readPSQ(text, asked)
	case asked == "":
		return nil, errors.New("a list of moves or a drawing does not say which game it is of")
	}
	g, err := gameOf(asked)
	if err != nil {
		return nil, err
	}
	if strings.Contains(text, "\n") && strings.ContainsAny(text, ".") {
		p, err := notation.ParseBoard(g, text)
		if err != nil {
			return nil, err
		}
		return p.(game.Board), nil
	}
	p := g.Start().(game.Board)
	return p, notation.Play(p, text)
}

// readLink reads a link to a game or to a position, of whatever host: a game must be one of ours.
func (s *Server) readLink(text string) (game.Board, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, err
	}
	if id, ok := strings.CutPrefix(u.Path, "/play/"); ok {
		g, err := s.db.WebGame(id)
		if err != nil {
			return nil, s.fault(err)
		}
		return position(g.Game, g.Start, g.Moves)
	}
	q := u.Query()
	if !q.Has("game") {
		return nil, errors.New("the link is not to a game or a position")
	}
	return position(q.Get("game"), q.Get("start"), q.Get("moves"))
}

func readSGF(text, asked string) (game.Board, error) {
	all, err := sgf.Parse([]byte(text))
	if err != nil {
		return nil, err
	}
	f := all[0]
	b, err := startOf(asked, f.Rules, f.Columns, f.Rows)
	if err != nil {
		return nil, err
	}
	if len(f.Setup[0])+len(f.Setup[1]) > 0 {
		lists := [2]string{}
		for side, cells := range f.Setup {
			for _, c := range cells {
				lists[side] += game.FormatCell(c, f.Columns) + " "
			}
		}
		p, err := notation.ParseStones(b.Game(), lists[0]+"/"+lists[1], notation.StonesOptions{Turn: f.Turn})
		if err != nil {
			return nil, err
		}
		b = p.(game.Board)
	}
	for i, m := range f.Moves {
		if m.Side != b.Turn() {
			return nil, fmt.Errorf("move %d is the %s side's, whose turn it is not", i+1, m.Side)
		}
		if err := playCell(b, m.Cell); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func readPSQ(text, asked string) (game.Board, error) {
	f, err := psq.Parse([]byte(text))
	if err != nil {
		return nil, err
	}
	b, err := startOf(asked, f.Rule, f.Columns, f.Rows)
	if err != nil {
		return nil, err
	}
	for _, m := range f.Moves {
		if err := playCell(b, m.Cell); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// playCell plays the move whose stone goes to a cell.
func playCell(b game.Board, cell int) error {
	for _, m := range b.AppendMoves(nil) {
		if b.Cell(m) == cell {
			b.Play(m)
			return nil
		}
	}
	columns, _ := b.Size()
	return &game.IllegalMoveError{Move: game.FormatCell(cell, columns), Ply: b.Ply()}
}

// startOf returns the start of the game that was asked for, or that a file names in a spec or in a usual word, or of
// free-style gomoku, which must have the file's size.
func startOf(asked, named string, columns, rows int) (game.Board, error) {
	text := asked
	word, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(named)), " ")
	_, err := catalog.Game(named)
	switch {
	case text != "":
	case err == nil && strings.ContainsAny(named, ":"):
		text = named
	case word == "standard" || word == "renju" || word == "caro":
		text = fmt.Sprintf("%s:%d", word, columns)
	case err == nil && word != "gomoku":
		text = word
	case columns != rows:
		text = fmt.Sprintf("mnk:%d,%d,5", columns, rows)
	default:
		text = fmt.Sprintf("gomoku:%d", columns)
	}
	g, err := gameOf(text)
	if err != nil {
		return nil, err
	}
	b := g.Start().(game.Board)
	if c, r := b.Size(); c != columns || r != rows {
		return nil, fmt.Errorf("the file's board has %d columns and %d rows, that of %s %d and %d", columns, rows, g, c, r)
	}
	return b, nil
}

type setupInput struct {
	Body struct {
		Game     string `json:"game" maxLength:"100"`
		Stones   string `json:"stones" maxLength:"40000" example:"h8 i9/h9" doc:"stones of the first side, a slash, of the second"`
		Turn     string `json:"turn,omitempty" enum:"first,second" doc:"side to move; follows from the stones where it is left out"`
		Captures string `json:"captured,omitempty" maxLength:"10" example:"1,0" doc:"pairs captured by each side"`
	}
}

type setupOutput struct {
	Body struct {
		Start string `json:"start" doc:"the position as links have it"`
		Board Board  `json:"board"`
	}
}

// setup sets up a position, or says why there is none.
func (s *Server) setup(_ context.Context, in *setupInput) (*setupOutput, error) {
	g, err := gameOf(in.Body.Game)
	if err != nil {
		return nil, err
	}
	p, err := notation.ParseStones(g, in.Body.Stones, notation.StonesOptions{Turn: in.Body.Turn, Captures: in.Body.Captures})
	if err != nil {
		return nil, badStones.of(err, "")
	}
	out := &setupOutput{}
	if out.Body.Start, err = notation.EncodeText(p); err != nil {
		return nil, badStones.of(err, "")
	}
	out.Body.Board = newBoard(p.(game.Board))
	return out, nil
}
