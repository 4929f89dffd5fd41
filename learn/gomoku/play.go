// SPDX-License-Identifier: Apache-2.0

// Package gomoku plays games of the gomoku engine against itself, from which the engine's network learns.
//
// # Basics
//
//	o := selfplay.Options{Dir: "games", Games: 6000, Nodes: 700, Seed: 1, Jobs: 2}
//	err := selfplay.Generate(ctx, gomoku.Engine{}, []game.Game{g}, o, nil)
//	f, err := selfplay.Open("games/gomoku-seed-1-00000.games.gz", gomoku.Format)
//	games, err := gomoku.Games(f)
//	err = gomoku.Each(g, &games[0], 0.9, func(p game.Position, l gomoku.Label) { ... })
//
// # Games
//
// A game begins with 0 to 12 random stones near the centre, chosen so that a short search scores the position as even. Then the
// engine plays, with a fixed number of nodes for each move. Learners also need positions that good players do not reach,
// because a search also evaluates such positions. Therefore the games have these additions:
//
//   - a third of the games, and all games with a short opening, contain stray moves: a stray move is another plausible move that
//     is played instead of the engine's choice;
//   - in half of the positions one more plausible move is searched but not played;
//   - one game in eight continues after a win has been proved, until the game is over.
package gomoku

import (
	"context"
	"fmt"
	"hash/crc32"
	"math/rand/v2"

	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/selfplay"
	"github.com/krow-lab/krow/notation/binpack"
	"github.com/krow-lab/krow/search"
)

// These are the settings of the games.
const (
	longestOpening = 12                 // maximum number of random moves at the beginning
	evenNodes      = 600                // number of nodes of the search that decides whether an opening is even
	evenMargin     = eval.Unit * 6 / 10 // an opening is even if its absolute score is at most this limit
	evenWidening   = eval.Unit / 20     // amount by which the limit grows each time that an opening is rejected

	strayGames   = 3             // a game has stray moves with chance 1/strayGames, and always after a short opening
	shortOpening = 4             // openings with fewer moves are short
	strayPlies   = 15            // in a game with stray moves, the move of a ply is a stray move with chance 1/strayPlies
	clearScore   = 3 * eval.Unit // a stray move is played only if the absolute score is less than this
	besidePlies  = 2             // with chance 1/besidePlies, another move is also searched at a ply, but not played
	candidates   = 12            // stray moves, and moves that are only searched, are chosen from this number of the most plausible moves
	playedOut    = 8             // with chance 1/playedOut, a game continues after a win has been proved

	drawnAfter = 8.0 / 15 // a game ends as a draw when this share of the cells has stones
	hash       = 1 << 20
)

// Format is the format of the files: games in the encoding of package binpack. A ply of a game is a list of moves, in which
//
//	the move that was played stands first,
//	the first move that has a score is the engine's choice, and its score is the score of the position,
//	any other move was searched but not played; its score is minus the score of the position after it.
//
// If the played move has no score, it is a stray move, which was played instead of the engine's choice. Scores are for the side
// to move, see [Chance].
var Format = selfplay.Format{
	Kind: "games of five in a row", Version: 1, Games: 500, EachKind: true,
	Seed: func(h *selfplay.Header, number int) uint64 { return rng.Mix(h.Seed, uint64(h.Number), uint64(number)) },
}

// Engine implements selfplay.Engine for the gomoku engine.
type Engine struct {
	// Net returns the network for a game, or nil if the engine must play this game without a network. If the field Net is nil,
	// the engine plays every game without a network.
	Net func(game.Game) *network.Network
}

var _ selfplay.Engine = Engine{}

// Format returns the variable Format.
func (e Engine) Format() selfplay.Format { return Format }

// Describe returns the checksum of the network. The weights are always the built-in ones.
func (e Engine) Describe(g game.Game) (weights, net string, err error) {
	if _, err := e.newGame(g); err != nil {
		return "", "", err
	}
	if n := e.net(g); n != nil {
		net = fmt.Sprintf("%08x", crc32.ChecksumIEEE(n.Append(nil)))
	}
	return "", net, nil
}

func (e Engine) net(g game.Game) *network.Network {
	if e.Net == nil {
		return nil
	}
	return e.Net(g)
}

// Play plays the game that the seed determines.
func (e Engine) Play(ctx context.Context, g game.Game, nodes, seed uint64) (text []byte, positions int, err error) {
	p, err := e.newGame(g)
	if err != nil {
		return nil, 0, err
	}
	p.nodes = nodes
	played := p.playGame(ctx, seed)
	for _, ply := range played.Plies {
		for _, m := range ply {
			if m.Scored {
				positions++
			}
		}
	}
	text, err = binpack.Append(nil, played)
	return text, positions, err
}

// Games returns the games of a file.
func Games(f *selfplay.File) ([]binpack.Game, error) {
	all, err := binpack.Parse(f.Body)
	if err == nil && len(all) != f.Games {
		err = fmt.Errorf("the file has %d games instead of %d", len(all), f.Games)
	}
	return all, err
}

// selfPlay is a game in progress.
type selfPlay struct {
	nodes   uint64 // nodes searched for each move
	rule    binpack.Rule
	side    int
	engine  *gomoku.Searcher
	looks   *gomoku.Features
	rng     *rand.Rand
	p       game.Position
	record  binpack.Game
	outcome game.Outcome
}

func (e Engine) newGame(g game.Game) (*selfPlay, error) {
	rule, side, ok := ruleOf(g)
	if !ok {
		return nil, fmt.Errorf("games for learning are of gomoku, standard, caro or renju on a square board, not %s", g)
	}
	s, err := gomoku.New(g, gomoku.Options{Hash: hash, Net: e.net(g)})
	if err != nil {
		return nil, err
	}
	f, err := gomoku.NewFeatures(g)
	if err != nil {
		return nil, err
	}
	return &selfPlay{rule: rule, side: side, engine: s, looks: f, p: g.Start()}, nil
}

// playGame plays the game that the seed determines.
func (p *selfPlay) playGame(ctx context.Context, seed uint64) binpack.Game {
	p.rng = rand.New(learn.NewSource(seed))
	p.record = binpack.Game{Side: p.side, Rule: p.rule, Result: binpack.Drawn}
	p.playOpening(ctx)
	for _, m := range p.p.AppendHistory(nil) {
		p.record.Opening = append(p.record.Opening, int(m))
	}
	me, strays, on := p.p.Turn(), p.one(strayGames) || len(p.record.Opening) < shortOpening, p.one(playedOut)
	most := int(drawnAfter * float64(p.side*p.side))
	for p.p.Outcome() == game.Ongoing && (on || p.outcome == game.Ongoing) && p.p.Ply() < most && ctx.Err() == nil {
		p.playPly(ctx, strays)
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
	// The error is nil: newGame has checked that the engine plays the game, and reaching the limit of nodes is not an error.
	info, _ := p.engine.Search(ctx, p.p, search.Limits{Nodes: nodes}, nil)
	return info
}

// playOpening plays random moves until it finds an opening whose position a search scores as even. Long openings are more
// frequent than short ones.
func (p *selfPlay) playOpening(ctx context.Context) {
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

// near returns a random move that is at most two cells from the centre of the board or at most three cells from a stone.
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

// playPly searches the position, adds the result to the game, and plays a move.
func (p *selfPlay) playPly(ctx context.Context, strays bool) {
	info := p.think(ctx, p.nodes)
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

// other chooses a random plausible move. It returns this move, or NoMove if this move is equal to the parameter than.
func (p *selfPlay) other(than game.Move) game.Move {
	p.looks.Load(p.p)
	// In renju all plausible moves may be forbidden, so the list would be empty without the parameter than.
	moves := append(p.looks.Moves(nil), than)
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
	return binpack.Move{Cell: int(m), Score: pack(-p.think(ctx, p.nodes).Score), Scored: true}, true
}

// pack converts a score to a number of the file format.
func pack(s eval.Score) int16 {
	if plies, sign := s.Distance(); sign != 0 {
		return int16(sign * max(Win-plies, maxScore+1))
	}
	return int16(max(-maxScore, min(s*100/eval.Unit, maxScore)))
}
