// SPDX-License-Identifier: Apache-2.0

package fiverow

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/notation/binpack"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/work"
)

// What a game is made of. Positions far from good play are wanted, since a search meets them too.
const (
	longestOpening = 12                 // random moves at the beginning
	evenNodes      = 600                // of the search that says whether an opening is even
	evenMargin     = eval.Unit * 6 / 10 // at most this far from it,
	evenWidening   = eval.Unit / 20     // and this much more for each opening that was not

	strayGames   = 3             // one game in so many has stray moves, and each with a short opening
	shortOpening = 4             // moves
	strayPlies   = 15            // one ply in so many has a stray move in these games
	clearScore   = 3 * eval.Unit // no stray move beyond this score
	besidePlies  = 2             // one ply in so many has a move beside the game
	candidates   = 12            // such moves are among so many that look best
	playedOut    = 8             // one game in so many goes on after a proof, to its last stone

	drawnAfter = 8.0 / 15 // of the cells hold a stone: the game is called a draw
	hash       = 1 << 20
)

// Playing says how games are played.
type Playing struct {
	Nodes   uint64          // for each move
	Weights *gomoku.Weights // nil: the engine's
	// Net returns the network that plays a game, or nil for none; nil stands for no network anywhere.
	Net func(game.Game) *network.Network
	// Queue, unless nil, plays the games elsewhere: see Kinds. There NetName is the name of the network, and there are no Weights.
	Queue   work.Queue
	NetName string
}

func (o Playing) net(g game.Game) *network.Network {
	if o.Net == nil {
		return nil
	}
	return o.Net(g)
}

// unitKind is the kind of a unit of work that is a game to learn from.
const unitKind = "game to learn from"

// unitArgs are the arguments of such a unit; its seed is that of the game.
type unitArgs struct {
	Game  string `json:"game"`
	Nodes uint64 `json:"nodes"`
	Net   string `json:"net"`
}

// Kinds returns the table of what a process does for those who play games elsewhere. net returns the network of a name.
func Kinds(rules func(spec string) (game.Game, error), net func(name string) (func(game.Game) *network.Network, error)) work.Kinds {
	return work.Kinds{unitKind: func(ctx context.Context, u work.Unit) ([]byte, error) {
		var args unitArgs
		if err := json.Unmarshal(u.Args, &args); err != nil {
			return nil, err
		}
		g, err := rules(args.Game)
		if err != nil {
			return nil, err
		}
		o := Playing{Nodes: args.Nodes}
		if o.Net, err = net(args.Net); err != nil {
			return nil, err
		}
		return o.do(ctx, g, u)
	}}
}

// do plays the game of a unit, and returns it as package binpack writes it.
func (o Playing) do(ctx context.Context, g game.Game, u work.Unit) ([]byte, error) {
	p, err := o.begin(g)
	if err != nil {
		return nil, err
	}
	played := p.game(ctx, u.Seed)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return binpack.Append(nil, played)
}

func (o Playing) play(ctx context.Context, g game.Game, from Origin, jobs int) (*Chunk, error) {
	c := &Chunk{Origin: from, Plays: make([]binpack.Game, from.Games)}
	queue := o.Queue
	if queue == nil {
		queue = work.Pool{Jobs: jobs, Kinds: work.Kinds{unitKind: func(ctx context.Context, u work.Unit) ([]byte, error) { return o.do(ctx, g, u) }}}
	}
	args := unitArgs{g.String(), o.Nodes, o.NetName}
	unit := func(i int) (work.Unit, error) {
		return work.New(unitKind, args, rng.Mix(from.Seed, uint64(from.Number), uint64(i)))
	}
	_, err := work.Each(ctx, queue, from.Games, unit, func(i int, data []byte) error {
		games, err := binpack.Parse(data)
		if err == nil && len(games) != 1 {
			err = fmt.Errorf("%d games in place of one", len(games))
		}
		if err == nil {
			c.Plays[i] = games[0]
		}
		return err
	})
	return c, err
}

type selfPlay struct {
	Playing
	rule    binpack.Rule
	side    int
	engine  *gomoku.Searcher
	looks   *gomoku.Features
	rng     *rand.Rand
	p       game.Position
	record  binpack.Game
	outcome game.Outcome
}

func (o Playing) begin(g game.Game) (*selfPlay, error) {
	rule, side, ok := ruleOf(g)
	if !ok {
		return nil, fmt.Errorf("games for learning are of gomoku, standard, caro or renju on a square board, not %s", g)
	}
	s, err := gomoku.New(g, gomoku.Options{Hash: hash, Weights: o.Weights, Net: o.net(g)})
	if err != nil {
		return nil, err
	}
	f, err := gomoku.NewFeatures(g)
	if err != nil {
		return nil, err
	}
	return &selfPlay{Playing: o, rule: rule, side: side, engine: s, looks: f, p: g.Start()}, nil
}

// game plays the game of a seed.
func (p *selfPlay) game(ctx context.Context, seed uint64) binpack.Game {
	p.rng = rand.New(learn.NewSource(seed))
	p.record = binpack.Game{Side: p.side, Rule: p.rule, Result: binpack.Drawn}
	p.opening(ctx)
	for _, m := range p.p.AppendHistory(nil) {
		p.record.Opening = append(p.record.Opening, int(m))
	}
	me, strays, on := p.p.Turn(), p.one(strayGames) || len(p.record.Opening) < shortOpening, p.one(playedOut)
	most := int(drawnAfter * float64(p.side*p.side))
	for p.p.Outcome() == game.Ongoing && (on || p.outcome == game.Ongoing) && p.p.Ply() < most && ctx.Err() == nil {
		p.ply(ctx, strays)
	}
	if p.outcome == game.Ongoing {
		p.outcome = p.p.Outcome()
	}
	if winner, won := p.outcome.Winner(); won {
		p.record.Result = binpack.Lost
		if winner == me {
			p.record.Result = binpack.Won
		}
	}
	return p.record
}

func (p *selfPlay) one(n int) bool { return p.rng.IntN(n) == 0 }

func (p *selfPlay) think(ctx context.Context, nodes uint64) search.Info {
	// The engine plays the game, as begin has found out, and a limit of nodes is no error.
	info, _ := p.engine.Search(ctx, p.p, search.Limits{Nodes: nodes}, nil)
	return info
}

// opening plays random moves that a search takes for even, long ones more often.
func (p *selfPlay) opening(ctx context.Context) {
	n := max(p.rng.IntN(longestOpening+1), p.rng.IntN(longestOpening+1))
	for margin := eval.Score(evenMargin); ctx.Err() == nil; margin += evenWidening {
		for p.p.Ply() < n && p.p.Outcome() == game.Ongoing {
			p.p.Play(p.near())
		}
		if p.p.Outcome() == game.Ongoing {
			info := p.think(ctx, evenNodes)
			if n < 2 || max(info.Score, -info.Score) < margin {
				return
			}
		}
		for p.p.Ply() > 0 {
			p.p.Undo()
		}
	}
}

// randomOpenings returns n openings of the kind that games begin with.
func randomOpenings(ctx context.Context, g game.Game, n int, seed uint64) (all [][]game.Move, err error) {
	for i := range n {
		p, err := Playing{}.begin(g)
		if err != nil {
			return nil, err
		}
		p.rng = rand.New(learn.NewSource(rng.Mix(seed, uint64(i))))
		p.opening(ctx)
		all = append(all, p.p.AppendHistory(nil))
	}
	return all, ctx.Err()
}

// near returns a random move, no more than two cells from the middle or three from a stone.
func (p *selfPlay) near() game.Move {
	cells := p.p.(game.Board).Cells()
	for {
		x, y := p.rng.IntN(p.side), p.rng.IntN(p.side)
		m := game.Move(x + y*p.side)
		near := max(x-p.side/2, p.side/2-x, y-p.side/2, p.side/2-y) <= 2
		for c, stone := range cells {
			dx, dy := c%p.side-x, c/p.side-y
			near = near || stone != game.Empty && max(dx, -dx, dy, -dy) <= 3 && p.one(4)
		}
		if f, ok := p.p.(game.Forbidder); near && game.Legal(p.p, m) && (!ok || f.Forbidden(m) == "") {
			return m
		}
	}
}

// ply searches the position, writes down what was found, and plays.
func (p *selfPlay) ply(ctx context.Context, strays bool) {
	info := p.think(ctx, p.Nodes)
	best := binpack.Move{Cell: int(info.PV[0]), Score: pack(info.Score), Scored: true}
	ply := []binpack.Move{best}
	_, sign := info.Score.Distance()
	switch other := p.other(info.PV[0]); {
	case sign != 0:
		if p.outcome == game.Ongoing {
			if p.outcome = game.WinFor(p.p.Turn()); sign < 0 {
				p.outcome = game.WinFor(p.p.Turn().Other())
			}
		}
	case other == game.NoMove:
	case strays && max(info.Score, -info.Score) < clearScore && p.one(strayPlies):
		ply = []binpack.Move{{Cell: int(other)}, best}
	case p.one(besidePlies):
		if m, ok := p.beside(ctx, other); ok {
			ply = append(ply, m)
		}
	}
	p.record.Plies = append(p.record.Plies, ply)
	p.p.Play(game.Move(ply[0].Cell))
}

// other returns one of the moves that look good, but not the one given, or NoMove.
func (p *selfPlay) other(than game.Move) game.Move {
	p.looks.Load(p.p)
	moves := append(p.looks.Moves(nil), than) // in renju all may be forbidden
	m := moves[p.rng.IntN(min(len(moves), candidates))]
	if m == than {
		return game.NoMove
	}
	return m
}

func (p *selfPlay) beside(ctx context.Context, m game.Move) (binpack.Move, bool) {
	p.p.Play(m)
	defer p.p.Undo()
	if p.p.Outcome() != game.Ongoing {
		return binpack.Move{}, false
	}
	return binpack.Move{Cell: int(m), Score: pack(-p.think(ctx, p.Nodes).Score), Scored: true}, true
}

// pack returns a score as the format has it.
func pack(s eval.Score) int16 {
	if plies, sign := s.Distance(); sign != 0 {
		return int16(sign * max(Win-plies, maxScore+1))
	}
	return int16(max(-maxScore, min(s*100/eval.Unit, maxScore)))
}
