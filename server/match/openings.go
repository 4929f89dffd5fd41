// SPDX-License-Identifier: Apache-2.0

package match

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/opening"
	"github.com/krow-lab/krow/search"
)

// Openings describes a search for openings in which both sides have equal chances in the judgement of a given
// player.
type Openings struct {
	Game         game.Game
	Player       string // spec of the player that judges
	Count, Plies int
	Seed, Nodes  uint64  // Nodes is the number of nodes of each search
	Within       float64 // maximum absolute score of an opening, in units: a score divided by eval.Unit
}

// ErrMute is wrapped by the error for a player that cannot give a score for a position.
var ErrMute = errors.New("does not report the value of a position")

// String describes the search, for the head of a file of openings.
func (o Openings) String() string {
	return fmt.Sprintf("%s: %d openings of %d plies, even within %g by %s at %d nodes, seed %d",
		o.Game, o.Count, o.Plies, o.Within, o.Player, o.Nodes, o.Seed)
}

// Find calls found with each opening. Equal settings find the same openings.
func (o Openings) Find(ctx context.Context, found func(opening.Opening) error) error {
	p, err := krow.Player(o.Game, o.Player, o.Seed)
	if err != nil {
		return err
	}
	defer player.Close(p)
	judge, ok := p.(player.Analyst)
	if !ok {
		return fmt.Errorf("%s %w", o.Player, ErrMute)
	}
	return opening.Find(ctx, o.Game, opening.By(judge), opening.Wanted{
		Count: o.Count, Plies: o.Plies, Seed: o.Seed, Limits: search.Limits{Nodes: o.Nodes}, Within: eval.Score(o.Within * float64(eval.Unit)),
	}, found)
}

type openingJSON struct {
	Game  string  `json:"game"`
	Moves string  `json:"moves"`
	Plies int     `json:"plies"`
	Score float64 `json:"score"` // score for the side to move
	Nodes uint64  `json:"nodes"` // nodes of the search that computed the score
	Seed  uint64  `json:"seed"`
	Drawn int     `json:"drawn"` // number of the random draw that produced the opening
}

// Write writes each opening to w when it is found. The format is moves (lists of moves, after a line that describes the
// search), offset (as Gomocup uses) or json.
func (o Openings) Write(ctx context.Context, w io.Writer, format string) error {
	if format == "offset" {
		if _, err := notation.FormatOffsets(o.Game, nil); err != nil {
			return &spec.Error{Msg: err.Error()}
		}
	}
	first := true
	return o.Find(ctx, func(found opening.Opening) error {
		text, err := notation.FormatMoves(o.Game, found.Moves), error(nil)
		switch {
		case format == "json":
			e := json.NewEncoder(w)
			e.SetEscapeHTML(false)
			return e.Encode(openingJSON{o.Game.String(), text, len(found.Moves), found.Score.Units(), o.Nodes, o.Seed, found.Drawn})
		case format == "offset":
			text, err = notation.FormatOffsets(o.Game, found.Moves)
		case first:
			text, first = fmt.Sprintf("# %s\n%s", o, text), false
		}
		if err == nil {
			_, err = fmt.Fprintln(w, text)
		}
		return err
	})
}
