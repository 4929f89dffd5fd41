// SPDX-License-Identifier: Apache-2.0

package published

import (
	"context"
	"fmt"
	"slices"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/chua"
	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/shevchenko"
	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/alphabeta"
)

// Update is a function that returns new weights for the player after one of its moves. w are the weights with which the move was
// chosen. p is the position after the move, in which the game may be over. The function leaves p and w unchanged.
type Update func(w generic.Weights, p game.Position) (generic.Weights, error)

// Variant is an interpretation of the published experiment. The zero value follows the thesis and the paper most closely.
type Variant struct {
	// Exact lets the searches value a finished game by its result and by the number of plies to it, instead of by the
	// heuristic.
	Exact bool
	// Threats is the way in which every heuristic counts threats, also in learning.
	Threats threat.Reading
	// Closed lets Shevchenko's heuristic count closed threats, as in the paper ("with no distinction between half-open, open
	// and closed types"). In the thesis, which contains the published tables, the heuristic does not count closed threats ("sans
	// distinction entre les types mi-ouvert et ouvert").
	Closed bool
	// Beyond lets the searches continue below a finished game. Algorithm 4 of the thesis does so, because it tests only "d = 0".
	Beyond bool
	// Update is nil if the player keeps its learned parameters during play ("frozen"). Otherwise each game begins with the
	// learned parameters, and Update changes them after each move of the player ("online").
	Update Update
}

// String returns the name of the variant in keys, such as "eval,frozen,gap=exact,closed=off". The name leaves out gap=least,
// cap=on and closed=on. Earlier versions had only these values, and the keys of the games that they stored do not contain them.
func (v Variant) String() string {
	name, learns := "eval", ",frozen"
	if v.Exact {
		name = "exact"
	}
	if v.Update != nil {
		learns = ",online"
	}
	name += learns
	switch {
	case v.Threats.All:
		name += ",gap=all"
	case !v.Threats.Least:
		name += ",gap=exact"
	}
	if v.Beyond {
		name += ",beyond"
	}
	if v.Threats.Uncapped {
		name += ",cap=off"
	}
	if !v.Closed {
		name += ",closed=off"
	}
	return name
}

// of returns a copy of v in which the settings that do not affect the game of the cell c have a fixed value, so that cells with
// the same game have the same key.
func (v Variant) of(c Cell) Variant {
	v.Closed = v.Closed || c.Opponent != Shevchenko
	return v
}

// Effort counts the moves and nodes of one side. It contains no times, because times differ from run to run: see [Time].
type Effort struct {
	Moves int    `json:"moves"`
	Nodes uint64 `json:"nodes"`
}

// Result is the game that was played for a cell.
type Result struct {
	Verdict  Verdict  `json:"verdict"` // result for the player
	Moves    []string `json:"moves"`   // in the game's notation
	Player   Effort   `json:"player"`
	Opponent Effort   `json:"opponent"`
}

// playCell plays the game of a cell, with the learned weights for the player. Equal arguments give the same game. If ctx is done,
// playCell returns the error of ctx.
func playCell(ctx context.Context, c Cell, learned generic.Weights, v Variant) (r Result, err error) {
	g, err := c.game()
	if err != nil {
		return r, err
	}
	player, opponent, err := seats(g, c, learned, v)
	if err != nil {
		return r, err
	}
	p := g.Start()
	for p.Outcome() == game.Ongoing {
		mover := opponent
		if p.Turn() == c.seat() {
			mover = player
		}
		m, err := mover.playMove(ctx, p)
		if err != nil {
			return r, fmt.Errorf("ply %d: %w", len(r.Moves)+1, err)
		}
		r.Moves = append(r.Moves, g.Format(m))
	}
	r.Verdict = verdict(p.Outcome(), c.seat())
	r.Player, r.Opponent = player.Effort, opponent.Effort
	return r, nil
}

func seats(g game.Game, c Cell, learned generic.Weights, v Variant) (player, opponent *side, err error) {
	w, err := v.weights(c.Player, c.K, learned)
	if err != nil {
		return nil, nil, err
	}
	if player, err = newSide(g, w, v); err != nil {
		return nil, nil, err
	}
	player.update = v.Update
	if w, err = v.weights(c.Opponent, c.K, learned); err != nil {
		return nil, nil, err
	}
	opponent, err = newSide(g, w, v)
	return player, opponent, err
}

func (c Cell) seat() game.Side {
	if c.MovesFirst {
		return game.First
	}
	return game.Second
}

func verdict(o game.Outcome, s game.Side) Verdict {
	switch w, won := o.Winner(); {
	case !won:
		return Draw
	case w == s:
		return Win
	}
	return Loss
}

// depth is the published depth of all searches, in plies.
const depth = 4

// tableSize is the size of a search's transposition table in bytes. A search to depth 4 on 11 x 11 cells visits about 33,000
// nodes. A table that is four times as large saves 183 nodes of 4,027,880 in a game on 11 x 11, and takes longer to clear.
const tableSize = 1 << 20

// options returns the options of the published search. The options switch on techniques that affect only the time, and not the
// value or the move. The nodes and the time were measured on the positions before plies 4, 8, ..., 32 of a game between fixed
// parameters with k = 5:
//
//	switched on                          9 x 9              11 x 11
//	killer, refutation, history     341,724  211 ms     800,084    557 ms
//	... and table                   327,057  233 ms     765,261    525 ms
//	... and table, PVS, deepening   173,879  124 ms     632,600    474 ms   taken
//	... and aspiration              208,870  135 ms     792,256    580 ms
//	first line, order=lines         156,675  353 ms     520,244  1,522 ms
func options(e eval.Evaluator, exact bool) alphabeta.Options {
	terminal := alphabeta.Eval
	if exact {
		terminal = alphabeta.Exact
	}
	return alphabeta.Options{
		Depth: depth, Eval: e, Terminal: terminal,
		Deepening: true, TT: tableSize, Killer: true, Refutation: true, History: true, PVS: true,
	}
}

// side is one of the two players: its search, its weights and its effort.
type side struct {
	g       game.Game
	search  *alphabeta.Searcher
	exact   bool
	beyond  bool
	weights generic.Weights
	update  Update // changes the weights after each move; nil if they do not change during play
	Effort
}

func newSide(g game.Game, w generic.Weights, v Variant) (*side, error) {
	s := &side{g: g, exact: v.Exact, beyond: v.Beyond}
	return s, s.learn(w)
}

// learn sets the weights for the next moves.
func (s *side) learn(w generic.Weights) error {
	e, err := generic.New(s.g, w)
	if err != nil {
		return err
	}
	s.weights = w
	s.search, err = alphabeta.New(s.g, options(e, s.exact))
	return err
}

func (s *side) move(ctx context.Context, p game.Position) (game.Move, error) {
	if s.beyond {
		p = beyond{p.(*mnk.Position)}
	}
	info, err := s.search.Search(ctx, p, search.Limits{}, nil)
	if err == nil {
		err = ctx.Err() // a search that ctx has stopped returns a move and no error
	}
	if err != nil {
		return game.NoMove, err
	}
	s.Moves++
	s.Nodes += info.Nodes
	return info.PV[0], nil
}

// beyond is a position in which a row of k does not end the game.
type beyond struct{ *mnk.Position }

// Outcome implements game.Position.
func (b beyond) Outcome() game.Outcome {
	if slices.Contains(b.Cells(), game.Empty) {
		return game.Ongoing
	}
	return game.Draw
}

// AppendMoves implements game.Position.
func (b beyond) AppendMoves(dst []game.Move) []game.Move {
	all, cells := b.Position.Game().Moves(), b.Cells()
	// A move m is a cell or, in Connect Four, a column. A column is free if its highest cell is empty.
	for m := range game.Move(all) {
		if cells[len(cells)-all+int(m)] == game.Empty {
			dst = append(dst, m)
		}
	}
	return dst
}

// Clone implements game.Position.
func (b beyond) Clone() game.Position { return beyond{b.Position.Clone().(*mnk.Position)} }

// playMove chooses and plays a move of s in p, and updates the weights if s learns.
func (s *side) playMove(ctx context.Context, p game.Position) (game.Move, error) {
	m, err := s.move(ctx, p)
	if err != nil {
		return m, err
	}
	return m, s.advance(p, m)
}

// advance plays the move m of s in p, and updates the weights if s learns.
func (s *side) advance(p game.Position, m game.Move) error {
	p.Play(m)
	if s.update == nil {
		return nil
	}
	w, err := s.update(s.weights, p)
	if err != nil {
		return err
	}
	return s.learn(w)
}

// weights returns the weights of the heuristic with the given name. For Improved these are the learned weights.
func (v Variant) weights(name string, k int, learned generic.Weights) (w generic.Weights, err error) {
	switch name {
	case Improved:
		return learned, nil
	case Brute:
		w = generic.Fixed(k)
	case Shevchenko:
		w = shevchenko.Weights(k, shevchenko.Options{Closed: v.Closed})
	case Chua:
		w = chua.Weights(k)
	default:
		return w, fmt.Errorf("the tables have no heuristic %q", name)
	}
	w.Reading = v.Threats
	return w, nil
}

// fixed returns the weights of the fixed parameters.
func (v Variant) fixed(k int) generic.Weights {
	w, _ := v.weights(Brute, k, generic.Weights{})
	return w
}

// follow replays a game of a cell. It calls f for each move of the player. f must play the move, and reports whether the replay
// continues.
func follow(c Cell, g game.Game, r Result, f func(p game.Position, m game.Move) (more bool, err error)) error {
	p := g.Start()
	for more := true; more && p.Ply() < len(r.Moves); {
		word := r.Moves[p.Ply()]
		m, err := g.Parse(word)
		switch {
		case err != nil:
			return err
		case !game.Legal(p, m):
			return fmt.Errorf("ply %d: %s is not a legal move", p.Ply()+1, word)
		case p.Turn() != c.seat():
			p.Play(m)
			continue
		}
		if more, err = f(p, m); err != nil {
			return err
		}
	}
	return nil
}
