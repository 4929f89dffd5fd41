// SPDX-License-Identifier: Apache-2.0

package request

import (
	"github.com/krow-lab/krow/app/explorer"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player/opening"
)

// ExploreInput requests the games that reached a position.
type ExploreInput struct {
	Place
	Collections []int64 `query:"collections" maxItems:"50" doc:"only the games of these collections; all if it is missing"`
	Player      string  `query:"player" maxLength:"100" doc:"only games of a player, by a part of the name"`
	Result      string  `query:"result" enum:"first wins,second wins,draw" doc:"only games with this result"`
	From        int     `query:"from" minimum:"0" maximum:"9999" doc:"only games of this year and later"`
	Until       int     `query:"until" minimum:"0" maximum:"9999" doc:"only games of this year and before"`
}

// Explored is the statistics of a position: its moves and games.
type Explored struct {
	Name    string           `json:"name,omitempty" doc:"name of the opening, in renju and gomoku"`
	Results explorer.Results `json:"results"`
	Moves   []ExploredMove   `json:"moves" nullable:"false" doc:"the most played first"`
	Games   []ExploredGame   `json:"games" nullable:"false" doc:"some of the games that reached the position"`
	Begin   []NamedOpening   `json:"begin,omitempty" doc:"only for the empty board: the openings that have names"`
	Book    []BookMove       `json:"book,omitempty" doc:"scores of the third stones after two stones, in a game with a book of swap2, or of the fifth stones after four in renju"`
	Even    []string         `json:"even,omitempty" doc:"only for the empty board, in a game with a book: even openings of three stones, in renju of five; those nearest the middle first"`
}

// NamedOpening is one of the 26 named openings of renju.
type NamedOpening struct {
	Name  string   `json:"name"`
	Moves string   `json:"moves"`
	Score *float64 `json:"score,omitempty" doc:"for White, who is to move, in a game with a book; as in book"`
}

// BookMove is a place for the last stone of an opening, with its score in the book.
type BookMove struct {
	Move  string  `json:"move"`
	Score float64 `json:"score" doc:"for White, who is to move after it, in units of the engine's scores; at most 3.175 of either sign"`
}

// ExploredMove is a move with the games that reached the position after it.
type ExploredMove struct {
	Move    string           `json:"move"`
	Also    []string         `json:"also" nullable:"false" doc:"moves to the same position up to symmetry"`
	Results explorer.Results `json:"results"`
}

// ExploredGame is a game that reached the explored position. Its moves are rotated or mirrored so that they lead to the
// position in the requested orientation.
type ExploredGame struct {
	ID      int64    `json:"id"`
	First   string   `json:"first"`
	Second  string   `json:"second"`
	Event   string   `json:"event,omitempty"`
	Year    int      `json:"year,omitempty"`
	Outcome string   `json:"outcome" enum:"ongoing,first wins,second wins,draw" doc:"ongoing: the result is not known"`
	Moves   []string `json:"moves" nullable:"false"`
	Ply     int      `json:"ply" doc:"number of moves with which the game reached the position"`
}

// Explore returns the moves that were played from a position.
func Explore(e *explorer.Explorer, in *ExploreInput) (out Explored, err error) {
	if err := in.Find(); err != nil {
		return out, err
	}
	f := explorer.Filter{Collections: in.Collections, Player: in.Player, From: in.From, To: in.Until}
	for _, o := range []game.Outcome{game.FirstWins, game.SecondWins, game.Draw} {
		if o.String() == in.Result {
			f.Outcome = o
		}
	}
	v, err := e.Explore(in.Board(), f)
	if err != nil {
		return out, err
	}
	g := in.Board().Game()
	if o, ok := opening.Named(in.Board()); ok {
		out.Name = o.String()
	}
	if in.Board().Ply() == 0 && opening.HasNames(g) {
		names, moves := opening.Patterns()
		for i, p := range names {
			o := NamedOpening{Name: p.String(), Moves: moves[i]}
			if book := opening.BookOf(g); book != nil {
				stones, err := notation.ParseMoves(g, o.Moves)
				if err != nil {
					return out, err
				}
				if s, ok := book.OfThree(stones); ok {
					units := s.Units()
					o.Score = &units
				}
			}
			out.Begin = append(out.Begin, o)
		}
	}
	out.Book, out.Even = inBook(in.Board())
	out.Results, out.Moves, out.Games = v.Results, []ExploredMove{}, []ExploredGame{}
	for _, r := range v.Rows {
		out.Moves = append(out.Moves, ExploredMove{g.Format(r.Move), notation.MoveNames(g, r.Also), r.Results})
	}
	for _, x := range v.Games {
		out.Games = append(out.Games, ExploredGame{x.ID, x.First, x.Second, x.Event, x.Year, x.Outcome.String(), notation.MoveNames(g, x.Moves), x.Ply})
	}
	return out, nil
}

// evenShown is the number of balanced openings that are listed on the empty board.
const evenShown = 30

// inBook looks up a position in the book of openings. Before the last stone of the book's openings it returns the scores of the
// possible moves. On the empty board it returns balanced openings.
func inBook(b game.Board) (scores []BookMove, even []string) {
	g, book := b.Game(), opening.BookOf(b.Game())
	if book == nil {
		return nil, nil
	}
	if b.Ply() == 0 {
		for _, way := range book.Even(evenShown) {
			even = append(even, notation.FormatMoves(g, way))
		}
	}
	if look := book.After(b); look != nil {
		for _, m := range b.AppendMoves(nil) {
			if s, ok := look(m); ok {
				scores = append(scores, BookMove{g.Format(m), s.Units()})
			}
		}
	}
	return scores, even
}
