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

// Update returns the parameters with which the player continues after a move of its own. w chose the move, and p is the
// position after it, which may be over. Update leaves p and w as it found them.
type Update func(w generic.Weights, p game.Position) (generic.Weights, error)

// Variant is a reading of the experiment. Its zero value is the setting of the published texts.
type Variant struct {
	// Exact lets the searches value a finished game by its result and its distance, instead of by the heuristic.
	Exact bool
	// Threats is how every heuristic counts threats. The learned parameters were learned so.
	Threats threat.Reading
	// Closed lets Shevchenko's heuristic count closed threats, as the paper has it ("with no distinction between half-open, open
	// and closed types"). The thesis, whose tables these are, does not ("sans distinction entre les types mi-ouvert et ouvert").
	Closed bool
	// Beyond lets the searches play on below a finished game, as algorithm 4 does, which tests "d = 0" alone.
	Beyond bool
	// Update is nil if the player keeps its learned parameters ("frozen"). Otherwise each game begins with them, and
	// the player continues to learn after each move of its own ("online").
	Update Update
}

// String returns the variant's name, such as "eval,frozen,gap=exact,closed=off". Switches at the values that krow had when it
// had no others, gap=least, cap=on and closed=on, are left out: what was played then is still the variant's.
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

// of returns the variant without the settings that do not affect a cell: equal cells share their games.
func (v Variant) of(c Cell) Variant {
	v.Closed = v.Closed || c.Opponent != Shevchenko
	return v
}

// Effort is the work of one side's moves. It has no times, since they differ from run to run: see [Time].
type Effort struct {
	Moves int    `json:"moves"`
	Nodes uint64 `json:"nodes"`
}

// Result is a game played for a cell.
type Result struct {
	Verdict  Verdict  `json:"verdict"` // for the player
	Moves    []string `json:"moves"`   // in the game's notation
	Player   Effort   `json:"player"`
	Opponent Effort   `json:"opponent"`
}

// playCell plays the game of a cell, the player with the learned weights. Same arguments, same game. A ctx that is done is
// an error.
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

// tableSize is the size of a search's transposition table in bytes. A search to depth 4 on 11 x 11 cells visits about
// 33,000 nodes. A table of four times the size saves 183 nodes of 4,027,880 in a game on 11 x 11, and takes longer to
// clear.
const tableSize = 1 << 20

// options returns the published search. The switches change neither value nor move, only the time.
// Measured on the positions before plies 4, 8, ..., 32 of a game between fixed parameters, k = 5, nodes and time:
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

// side is one of the two players: a search, and its effort.
type side struct {
	g       game.Game
	search  *alphabeta.Searcher
	exact   bool
	beyond  bool
	weights generic.Weights
	update  Update // nil if the parameters stay as they are
	Effort
}

func newSide(g game.Game, w generic.Weights, v Variant) (*side, error) {
	s := &side{g: g, exact: v.Exact, beyond: v.Beyond}
	return s, s.learn(w)
}

// learn makes w the weights of the moves to come.
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
		err = ctx.Err() // a search that was stopped has an answer, too
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
	for m := range game.Move(all) { // a cell, or in Connect Four a column, which is free if its highest cell is
		if cells[len(cells)-all+int(m)] == game.Empty {
			dst = append(dst, m)
		}
	}
	return dst
}

// Clone implements game.Position.
func (b beyond) Clone() game.Position { return beyond{b.Position.Clone().(*mnk.Position)} }

// playMove makes s's move in p, and learns from it if s learns.
func (s *side) playMove(ctx context.Context, p game.Position) (game.Move, error) {
	m, err := s.move(ctx, p)
	if err != nil {
		return m, err
	}
	return m, s.advance(p, m)
}

// advance plays the move m of s, and learns from it if s learns.
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

// weights returns the weights of a heuristic by its name; learned are the weights of Improved.
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
		return w, fmt.Errorf("no heuristic of the tables is called %q", name)
	}
	w.Reading = v.Threats
	return w, nil
}

// fixed returns the fixed parameters.
func (v Variant) fixed(k int) generic.Weights {
	w, _ := v.weights(Brute, k, generic.Weights{})
	return w
}

// follow replays a game of a cell. At each move of the player it calls f, which plays the move; f may end the replay.
func follow(c Cell, g game.Game, r Result, f func(p game.Position, m game.Move) (more bool, err error)) error {
	p := g.Start()
	for more := true; more && p.Ply() < len(r.Moves); {
		word := r.Moves[p.Ply()]
		m, err := g.Parse(word)
		switch {
		case err != nil:
			return err
		case !game.Legal(p, m):
			return fmt.Errorf("ply %d: %s is no legal move", p.Ply()+1, word)
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
