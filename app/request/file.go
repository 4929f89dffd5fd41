// SPDX-License-Identifier: Apache-2.0

package request

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/app/gamefile"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
)

// ExportInput requests a game as a file in a format.
type ExportInput struct {
	Place
	Format string `query:"format" enum:"sgf,psq,text,board" default:"sgf"`
	First  string `query:"first" maxLength:"200" doc:"name of the player"`
	Second string `query:"second" maxLength:"200" doc:"name of the player"`
}

// File is a file for the person to save.
type File struct {
	Type        string `header:"Content-Type"`
	Disposition string `header:"Content-Disposition"`
	Body        []byte
}

// Export returns a file with the moves of a game.
func Export(_ context.Context, in *ExportInput) (*File, error) {
	if err := in.Find(); err != nil {
		return nil, err
	}
	format := in.Format
	switch format {
	case "text":
		format = "moves"
	case "board":
		format = "position"
	}
	data, err := gamefile.Write(format, []gamefile.Game{gamefile.New(in.position, [2]string{in.First, in.Second})})
	if err != nil {
		return nil, wrong("no-file", in.Format, err)
	}
	name := "game." + map[string]string{"sgf": "sgf", "psq": "psq", "text": "txt", "board": "txt"}[in.Format]
	return &File{"text/plain; charset=utf-8", `attachment; filename="` + name + `"`, data}, nil
}

// ImportInput requests the position that a text describes.
type ImportInput struct {
	Body struct {
		Text string `json:"text" maxLength:"200000" doc:"a game as SGF or PSQ, a drawn board, a link to a game or a position, or a list of moves"`
		Game string `json:"game,omitempty" maxLength:"100" doc:"spec of the game, used if the text does not name the game"`
	}
}

// Imported is a position that was read from a text.
type Imported struct {
	Game  string   `json:"game"`
	Start string   `json:"start,omitempty"`
	Moves []string `json:"moves" nullable:"false"`
}

// Import reads a text in any of the formats, or a link to a position.
func Import(_ context.Context, in *ImportInput) (Imported, error) {
	b, err := read(strings.TrimSpace(in.Body.Text), in.Body.Game)
	if err != nil {
		return Imported{}, wrong("bad-text", lineOf(err), err)
	}
	return ImportedOf(b)
}

// ImportedOf returns a position in the form in which Import returns it.
func ImportedOf(b game.Board) (Imported, error) {
	v := Imported{Game: b.Game().String(), Moves: notation.MoveNames(b.Game(), b.AppendHistory(nil))}
	if first := gamefile.Start(b); first.Ply() > 0 {
		text, err := notation.EncodeText(first)
		if err != nil {
			return v, err
		}
		v.Start = text
	}
	return v, nil
}

// lineOf returns the number of the line that is named in err, or "".
func lineOf(err error) string {
	rest, ok := strings.CutPrefix(err.Error(), "line ")
	number, _, _ := strings.Cut(rest, ":")
	if !ok {
		return ""
	}
	return number
}

func read(text, asked string) (game.Board, error) {
	switch {
	case text == "":
		return nil, errors.New("the text is empty")
	case strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://"):
		u, err := url.Parse(text)
		if err != nil {
			return nil, err
		}
		q := u.Query()
		if !q.Has("game") {
			return nil, errors.New("the link is not to a game or a position")
		}
		return PositionOf(q.Get("game"), q.Get("start"), q.Get("moves"))
	}
	data := []byte(text)
	games, err := gamefile.Read(data, gamefile.Look(data), gamefile.Options{Game: asked, Open: GameOf})
	if len(games) > 0 {
		return games[0].Position, nil
	}
	return nil, err
}

// SetupInput requests a position from its stones.
type SetupInput struct {
	Body struct {
		Game     string `json:"game" maxLength:"100"`
		Stones   string `json:"stones" maxLength:"40000" example:"h8 i9/h9" doc:"cells of the first side's stones, a slash, and cells of the second side's stones"`
		Turn     string `json:"turn,omitempty" enum:"first,second" doc:"side to move; if it is missing, it is derived from the numbers of stones"`
		Captures string `json:"captured,omitempty" maxLength:"10" example:"1,0" doc:"pairs captured by each side"`
	}
}

// SetupOutput is a position that was set up.
type SetupOutput struct {
	Start string        `json:"start" doc:"the position as links have it"`
	Board diagram.Board `json:"board"`
}

// Setup returns the position that consists of the given stones.
func Setup(_ context.Context, in *SetupInput) (out SetupOutput, err error) {
	g, err := GameOf(in.Body.Game)
	if err != nil {
		return out, err
	}
	p, err := notation.ParseStones(g, in.Body.Stones, notation.StonesOptions{Turn: in.Body.Turn, Captures: in.Body.Captures})
	if err != nil {
		return out, wrong("bad-stones", "", err)
	}
	if out.Start, err = notation.EncodeText(p); err != nil {
		return out, wrong("bad-stones", "", err)
	}
	out.Board = diagram.New(p.(game.Board))
	return out, nil
}
