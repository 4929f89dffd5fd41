// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player/opening"
	"github.com/krow-lab/krow/search"
)

// book computes the openings of a match, one for each pair of games. Its method opening must be called in the order of the
// games.
type book struct {
	rules game.Game
	given [][]game.Move
	plies int
	rand  *rand.Rand
	seen  map[uint64]bool // keys of the positions after the previous random openings
	last  []game.Move
	buf   []game.Move
}

func newBook(m Match) *book {
	return &book{
		rules: m.Game, given: m.Openings, plies: m.RandomPlies,
		rand: rand.New(rand.NewPCG(m.Seed, openingStream)), seen: map[uint64]bool{},
	}
}

// opening returns the opening of game i. Game 2j+1 has the opening of game 2j.
func (b *book) opening(i int) ([]game.Move, error) {
	if i%2 == 1 || b.plies == 0 && len(b.given) == 0 {
		return b.last, nil
	}
	if len(b.given) > 0 {
		b.last = b.given[i/2%len(b.given)]
		return b.last, nil
	}
	var err error
	b.last, err = b.random()
	return b.last, err
}

// tries is the maximum number of random openings that are drawn to find one that does not end the game and leads to a new
// position.
const tries = 1000

// random returns a random opening that does not end the game and leads to a position not in seen. If random finds no such
// opening, it clears seen, so that positions may occur again.
func (b *book) random() ([]game.Move, error) {
	var known []game.Move
	var key uint64
	for range tries {
		p := b.rules.Start()
		for p.Outcome() == game.Ongoing && p.Ply() < b.plies {
			b.buf = p.AppendMoves(b.buf[:0])
			p.Play(b.buf[b.rand.IntN(len(b.buf))])
		}
		if p.Outcome() != game.Ongoing {
			continue
		}
		known, key = p.AppendHistory(nil), p.Key()
		if !b.seen[key] {
			b.seen[key] = true
			return known, nil
		}
	}
	if known == nil {
		return nil, fmt.Errorf("found no %d random plies after which %s continues", b.plies, b.rules)
	}
	clear(b.seen)
	b.seen[key] = true
	return known, nil
}

// replay returns the position after an opening, which must not end the game.
func replay(rules game.Game, opening []game.Move) (game.Position, error) {
	p := rules.Start()
	for _, m := range opening {
		if err := game.Play(p, m); err != nil {
			return nil, err
		}
	}
	if p.Outcome() != game.Ongoing {
		return nil, fmt.Errorf("the opening ends the game: %s", p.Outcome())
	}
	return p, nil
}

// playByRule lets the players open a game by the rule m.Opening and then play it. At the beginning, seats contains first the
// player who begins the opening and then the other player. After the opening, seats contains the player of the first side and
// then the player of the second side. A player who fails to answer a question of the rule forfeits the game.
func (m Match) playByRule(ctx context.Context, p game.Position, seats *[2]*seat, g record.Game) (record.Game, error) {
	b, ok := p.(game.Board)
	if !ok {
		return g, fmt.Errorf("the board of %s does not support %s", p.Game(), m.Opening)
	}
	s, err := opening.NewSession(m.Opening, b)
	if err != nil {
		return g, err
	}
	var last time.Duration
	for q, ok := s.Question(); ok; q, ok = s.Question() {
		last, err = m.answerOpening(ctx, s, seats[q.Who], playerSeed(m.playersSeed(), g.Index, game.Side(q.Who)))
		if err == nil {
			continue
		}
		g.Moves = p.AppendHistory(nil)
		g.Opening = len(g.Moves)
		if ctx.Err() == nil {
			forfeit(&g, game.Side(q.Who), err)
		}
		return g, nil
	}
	if s.Black() == 1 {
		seats[0], seats[1] = seats[1], seats[0]
		g.A = g.A.Other()
		m.sign(&g)
	}
	g = m.playMoves(ctx, p, *seats, g)
	// Under swap2 a player who chooses White may place White's first stone together with this choice. playMoves counts this stone
	// as a part of the opening, but it is a move of the game, so its time is the first time in g.Times.
	if n := s.Stones(); g.Opening > n {
		g.Opening, g.Times = n, append([]time.Duration{last}, g.Times...)
	}
	return g, nil
}

// answerOpening lets the player of seat answer the current question of s, and returns the time that the player took.
func (m Match) answerOpening(ctx context.Context, s *opening.Session, seat *seat, seed uint64) (time.Duration, error) {
	o, err := opening.For(seat.player, m.Opening, seed)
	if err != nil {
		return 0, err
	}
	a, took, err := ask(ctx, m, seat, s.Board(), func(ctx context.Context, lim search.Limits) (opening.Answer, error) { return o.Open(ctx, s, lim) })
	if err == nil {
		err = s.Answer(a)
	}
	return took, err
}

// openingStream selects the stream of random numbers for openings, which is independent of the streams for players.
const openingStream = 0x6f70656e696e6773

// playersSeed returns the seed from which the seeds of all players of the match are computed.
func (m Match) playersSeed() uint64 {
	if m.Pairing == 0 {
		return m.Seed
	}
	return rng.Mix(m.Seed, uint64(m.Pairing))
}

// playerSeed returns the seed of the player at side in game i. Any two of these seeds differ in about half of their bits,
// although game and side are small numbers.
func playerSeed(players uint64, i int, side game.Side) uint64 {
	r := rng.Rand(players)
	r = rng.Rand(r.Next() + 2*uint64(i) + uint64(side))
	return r.Next()
}
