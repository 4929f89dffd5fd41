// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/puzzles"
	"github.com/krow-lab/krow/engine/connect6"
	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/search"
)

// strategy returns a move for the side that should win, or false if it finds none. It leaves p as it found it.
type strategy func(ctx context.Context, p game.Position) (game.Move, bool)

// checker verifies claimed wins: it plays them out by the rules of the game. It gets each move of the winner from a strategy, and
// tries the answers of the loser. An answer after which the winner can end the game at once is refuted. The checker assumes that
// positions with equal keys are equal.
type checker struct {
	attack strategy
	full   bool // whether all answers are tried
	// sample is the number of random answers that are tried at each position if full is false. They are chosen from the answers
	// after which the winner does not win at once.
	sample  int
	rng     *rand.Rand
	answers uint64 // number of the loser's moves that were tried
	won     map[uint64]bool
}

var errFalse = errors.New("not a win")

// wins returns nil if the side to move in p wins with the moves of c.attack. Otherwise it returns an error with the moves of
// a game in which this side does not win. The game must not be over.
func (c *checker) wins(ctx context.Context, p game.Position) error {
	m, ok := c.attack(ctx, p)
	if !ok || !game.Legal(p, m) {
		return refuted(p, "no move")
	}
	me := p.Turn()
	p.Play(m)
	defer p.Undo()
	if o := p.Outcome(); o != game.Ongoing {
		if w, won := o.Winner(); !won || w != me {
			return refuted(p, o.String())
		}
		return nil
	}
	if p.Turn() == me { // the winner moves again, because a turn has two stones
		return c.wins(ctx, p)
	}
	if connect6.Plays(p.Game()) {
		return c.losesInPairs(ctx, p, nil)
	}
	return c.loses(ctx, p)
}

// loses returns nil if every move of the side to move in p loses against the other side's strategy; otherwise it returns an error.
func (c *checker) loses(ctx context.Context, p game.Position) error {
	key := p.Key()
	if c.won[key] {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	answers := p.AppendMoves(nil)
	ends := c.threat(p, answers)
	var rest []game.Move
	for _, a := range answers {
		open, err := c.open(p, a, ends)
		if err != nil {
			return err
		}
		if open {
			rest = append(rest, a)
		}
	}
	if !c.full && len(rest) > c.sample {
		c.rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
		rest = rest[:c.sample]
	}
	for _, a := range rest {
		p.Play(a)
		err := c.wins(ctx, p)
		p.Undo()
		if err != nil {
			return err
		}
	}
	if c.won == nil {
		c.won = map[uint64]bool{}
	}
	c.won[key] = true
	return nil
}

// losesInPairs does the same as loses for Connect6, and tries every answer except the turn saving. An answer that does not stop
// all threats is refuted at once.
func (c *checker) losesInPairs(ctx context.Context, p game.Position, saving []game.Move) error {
	me, key := p.Turn(), p.Key()
	if c.won[key] {
		return ctx.Err()
	}
	ends := puzzles.Sixes(p, me.Other())
	if len(ends) == 0 || len(puzzles.Sixes(p, me)) > 0 {
		return refuted(p, "no threat that must be answered")
	}
	all := p.AppendMoves(nil)
	for _, end := range ends { // check that the threat really wins by the rules
		free := slices.DeleteFunc(slices.Clone(all), func(m game.Move) bool { return slices.Contains(end, m) })
		line := append(free[:2:2], end...)
		for _, m := range line {
			p.Play(m)
		}
		won := p.Outcome() == game.WinFor(me.Other())
		for range line {
			p.Undo()
		}
		if !won {
			return refuted(p, "no win by "+notation.FormatMoves(p.Game(), end))
		}
	}
	for _, turn := range stops(p, ends) {
		if len(saving) > 1 && slices.Contains(saving[:2], turn[0]) && slices.Contains(saving[:2], turn[1]) {
			continue
		}
		c.answers++
		p.Play(turn[0])
		p.Play(turn[1])
		err := c.wins(ctx, p)
		p.Undo()
		p.Undo()
		if err != nil {
			return err
		}
	}
	if c.won == nil {
		c.won = map[uint64]bool{}
	}
	c.won[key] = true
	return nil
}

// stops returns the turns that stop all the threats of ends. Such a turn has one stone on a cell of the first threat in the list.
// The other stone is on a cell of the first threat that is then still open, or anywhere if all threats are stopped.
func stops(p game.Position, ends [][]game.Move) (turns [][2]game.Move) {
	all := p.AppendMoves(nil)
	for i, a := range ends[0] {
		seconds := all
		if rest := without(ends, a); len(rest) > 0 {
			seconds = slices.DeleteFunc(slices.Clone(rest[0]), func(b game.Move) bool { return len(without(rest, b)) > 0 })
		}
		for _, b := range seconds {
			if b != a && !slices.Contains(ends[0][:i], b) {
				turns = append(turns, [2]game.Move{a, b})
			}
		}
	}
	return turns
}

// without returns the threats that a stone on m does not stop.
func without(ends [][]game.Move, m game.Move) [][]game.Move {
	return slices.DeleteFunc(slices.Clone(ends), func(end []game.Move) bool { return slices.Contains(end, m) })
}

// threat returns the moves with which the winner ends the game at once after one of the first three answers.
func (c *checker) threat(p game.Position, answers []game.Move) (ends []game.Move) {
	me := p.Turn()
	for _, a := range answers[:min(len(answers), 3)] {
		p.Play(a)
		if p.Outcome() == game.Ongoing {
			for _, m := range p.AppendMoves(nil) {
				if game.After(p, m) == game.WinFor(me.Other()) {
					ends = append(ends, m)
				}
			}
		}
		p.Undo()
	}
	return ends
}

// open reports whether the game continues after the answer a, and the winner cannot end it at once with one of the moves in
// ends. It returns an error if the answer wins or draws.
func (c *checker) open(p game.Position, a game.Move, ends []game.Move) (bool, error) {
	c.answers++
	me := p.Turn()
	p.Play(a)
	defer p.Undo()
	if o := p.Outcome(); o != game.Ongoing {
		if o == game.WinFor(me.Other()) {
			return false, nil // the answer is a forbidden move, which loses at once
		}
		return false, refuted(p, o.String())
	}
	for _, m := range ends {
		if m != a && game.Legal(p, m) && game.After(p, m) == game.WinFor(me.Other()) {
			return false, nil
		}
	}
	return true, nil
}

// refuted returns an error that says that a claimed win is false. The error contains the reason and the moves that led to p.
func refuted(p game.Position, why string) error {
	text := ""
	for _, m := range p.AppendHistory(nil) {
		text += " " + p.Game().Format(m)
	}
	return fmt.Errorf("%w: %s after%s", errFalse, why, text)
}

// byEngine returns the strategy of an engine of g with the given number of nodes per move. The strategy returns no move if the
// engine does not prove a win.
func byEngine(g game.Game, nodes uint64) (strategy, error) {
	prover, err := gomoku.NewProver(g)
	if err != nil {
		return nil, err
	}
	quiet, err := gomoku.NewProver(g)
	if err != nil {
		return nil, err
	}
	quiet.Quiet = true
	engine, err := puzzles.Engine(g)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, p game.Position) (game.Move, bool) {
		for _, pr := range []*gomoku.Prover{prover, quiet} {
			if proof, ok := pr.Win(ctx, p, nodes); ok {
				return proof.Line[0], true
			}
		}
		info, err := engine.Search(ctx, p, search.Limits{Nodes: nodes}, nil)
		if err != nil {
			return game.NoMove, false
		}
		_, sign := info.Score.Distance()
		return info.PV[0], info.Solved && sign > 0
	}, nil
}

// verified counts the wins that were replayed.
type verified struct {
	puzzles, refuted int
	// wins is the number of replayed wins. In a defence, a puzzle in which only one move does not lose, the opponent's win is
	// replayed after each wrong move that is tried.
	wins    int
	full    int // number of these wins that were replayed against every answer
	answers uint64
}

// A win of up to verifyPlies is replayed against every answer, and a longer win against verifySample answers at each position.
// For a defence, verifyWrong wrong moves are tried.
const (
	verifyNodes  = 1_000_000 // number of nodes searched for a move of the winner
	verifyPlies  = 15
	verifySample = 4
	verifyWrong  = 30
)

// verify replays the wins of some of the puzzles by the rules. For a defence it replays the opponent's wins after random wrong
// moves.
func verify(ctx context.Context, o options, all []puzzles.Puzzle) error {
	var v verified
	for i := 0; i < len(all); i += max(o.every, 1) {
		err := v.replayPuzzle(ctx, &all[i])
		switch v.puzzles++; {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errFalse):
			fmt.Printf("puzzle %d: %v\n", i+1, err)
			v.refuted++
		case err != nil:
			return fmt.Errorf("puzzle %d: %w", i+1, err)
		}
	}
	fmt.Printf("%d puzzles, %d wins replayed, %d of them against every answer: %d answers, %d puzzles refuted\n",
		v.puzzles, v.wins, v.full, v.answers, v.refuted)
	if v.refuted > 0 {
		return fmt.Errorf("%d of %d puzzles are refuted", v.refuted, v.puzzles)
	}
	return nil
}

func (v *verified) replayPuzzle(ctx context.Context, p *puzzles.Puzzle) error {
	g, err := krow.Game(p.Game)
	if err != nil {
		return err
	}
	pos, right, err := p.Position(g)
	if err != nil {
		return err
	}
	line, err := notation.ParseMoves(g, p.Line)
	if err != nil {
		return err
	}
	attack, err := byOracle(g)
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(1, pos.Key()))
	if p.Theme != puzzles.Defence {
		turn := firstTurn(g, line) // the oracle may not find its second stone
		return v.replayWin(ctx, p, rng, pos, func(ctx context.Context, at game.Position) (game.Move, bool) {
			if len(turn) > 0 {
				m := turn[0]
				turn = turn[1:]
				return m, true
			}
			return attack(ctx, at)
		})
	}
	if connect6.Plays(g) {
		c := checker{attack: attack}
		err := c.losesInPairs(ctx, pos, line)
		v.wins, v.full, v.answers = v.wins+1, v.full+1, v.answers+c.answers
		return err
	}
	wrong := pos.AppendMoves(nil)
	rng.Shuffle(len(wrong), func(i, j int) { wrong[i], wrong[j] = wrong[j], wrong[i] })
	tried := 0
	for _, m := range wrong {
		if m == right || tried == verifyWrong {
			continue
		}
		tried++
		pos.Play(m)
		var err error
		switch o := pos.Outcome(); {
		case o == game.Ongoing:
			err = v.replayWin(ctx, p, rng, pos, attack)
		case o != game.WinFor(pos.Turn()):
			err = refuted(pos, o.String())
		}
		pos.Undo()
		if err != nil {
			return err
		}
	}
	return nil
}

// firstTurn returns the moves of a line's first turn, which has two stones in Connect6.
func firstTurn(g game.Game, line []game.Move) []game.Move {
	if connect6.Plays(g) {
		return line[:min(len(line), 2)]
	}
	return line[:1]
}

func (v *verified) replayWin(ctx context.Context, p *puzzles.Puzzle, rng *rand.Rand, pos game.Position, attack strategy) error {
	c := checker{attack: attack, full: p.Plies <= verifyPlies || connect6.Plays(pos.Game()), sample: verifySample, rng: rng}
	if err := c.wins(ctx, pos); err != nil {
		return err
	}
	v.wins, v.answers = v.wins+1, v.answers+c.answers
	v.full += b2i(c.full)
	return nil
}

// byOracle returns a strategy that uses the prover or the exact solver of g.
func byOracle(g game.Game) (strategy, error) {
	o, err := puzzles.NewOracle(g)
	if err != nil {
		return nil, err
	}
	if gomoku.Plays(g) {
		return byEngine(g, verifyNodes)
	}
	second := map[uint64]game.Move{} // second stones of turns in Connect6: the prover may not find a stone again after the first
	return func(ctx context.Context, p game.Position) (game.Move, bool) {
		if m, begun := second[p.Key()]; begun {
			return m, true
		}
		v := o.Value(ctx, p, verifyNodes, puzzles.Win)
		if v.Sign <= 0 {
			return game.NoMove, false
		}
		line := o.Line(ctx, p, v)
		if len(line) == 0 {
			return game.NoMove, false
		}
		if me := p.Turn(); len(line) > 1 {
			if p.Play(line[0]); p.Turn() == me {
				second[p.Key()] = line[1]
			}
			p.Undo()
		}
		return line[0], true
	}, nil
}
