// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	engine "github.com/krow-lab/krow/engine/ultimate"
	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/learn/selfplay"
	"github.com/krow-lab/krow/search"
)

// These are the settings of the games. A game begins with at most openingPlies random moves. In the plies after these moves
// the search chooses the moves, with two exceptions. With the probability randomShare, a move is uniformly random. In the
// first earlyPlies of these plies, with the probability drawnShare, a move is drawn in proportion to the visits of the
// moves; moves with less than the share leastShare of all visits are not drawn.
const (
	openingPlies = 12
	earlyPlies   = 20
	drawnShare   = 0.25
	leastShare   = 0.02
	randomShare  = 0.03
	corpusHash   = 4 << 20
)

// Format is the format of the files. After the header they contain (docs/reference/formats/ultimate.md)
//
//	each game: number of plies, outcome, a byte each; then each ply
//	    move, flags            a byte each; flags: 1 searched, 2 another move than the best was played
//	    if it was searched:
//	    bounds                 a byte: low + 16 * high, of 0 lost, 1 drawn, 2 won; equal if it is proved
//	    score                  2 bytes, little-endian: thousandths for the side to move
//	    visits, children       4 bytes and a byte
//	    each child, the best first: move, bounds, a byte each; share of the visits, value, 2 bytes each, of 65535
var Format = selfplay.Format{
	Kind: "ultimate games", Version: 2, Games: 400,
	Seed: func(h *selfplay.Header, number int) uint64 {
		return rng.Mix(h.Seed, h.Nodes, uint64(h.Number), uint64(number))
	},
}

// Engine implements selfplay.Engine for the ultimate engine.
type Engine struct{ Net *network.Network }

var _ selfplay.Engine = Engine{}

// Format returns the variable Format.
func (e Engine) Format() selfplay.Format { return Format }

// Describe returns the checksum of the network; weights is always empty.
func (e Engine) Describe(g game.Game) (weights, net string, err error) {
	if !engine.Plays(g) {
		return "", "", fmt.Errorf("games for learning: ultimate cannot be mixed with other games: %s", g)
	}
	if g.(*ultimate.Game).Rules().Open {
		return "", "", fmt.Errorf("games for learning: the network has no games with won boards open: %s", g)
	}
	return "", checksum(e.Net), nil
}

// Play plays the game that the seed determines.
func (e Engine) Play(ctx context.Context, g game.Game, nodes, seed uint64) (text []byte, positions int, err error) {
	s, err := engine.New(g, engine.Options{Net: e.Net, Hash: corpusHash, NoProof: true})
	if err != nil {
		return nil, 0, err
	}
	return playGame(ctx, s, g, nodes, rand.New(rand.NewPCG(seed, 1)))
}

// playGame plays a game. It returns the game in the encoding of the file, and the number of searched positions.
func playGame(ctx context.Context, s *engine.Searcher, g game.Game, nodes uint64, dice *rand.Rand) (text []byte, searched int, err error) {
	p := g.Start()
	opening := dice.IntN(openingPlies + 1)
	for p.Outcome() == game.Ongoing {
		if p.Ply() < opening {
			m := game.Random(p, dice.IntN)
			text = append(text, byte(m), 0)
			p.Play(m)
			continue
		}
		info, err := s.Search(ctx, p, search.Limits{Nodes: nodes}, nil)
		if err == nil {
			err = ctx.Err() // if ctx stops a search, it returns a move and no error
		}
		if err != nil {
			return nil, 0, err
		}
		searched++
		root, kids := s.Root()
		best := uint8(info.PV[0])
		slices.SortStableFunc(kids, func(a, b engine.RootMove) int {
			if a.Move == best || b.Move == best {
				return cmp.Compare(b2i(b.Move == best), b2i(a.Move == best))
			}
			return cmp.Compare(b.Visits, a.Visits)
		})
		m := best
		switch x := dice.Float64(); {
		case x < randomShare:
			m = uint8(game.Random(p, dice.IntN))
		case p.Ply() < opening+earlyPlies && x < randomShare+drawnShare && root.Low != root.High:
			m = drawn(kids, dice)
		}
		text = append(text, m, 1|byte(b2i(m != best))<<1)
		text = appendSearch(text, root, thousandths(info.Score), kids)
		p.Play(game.Move(m))
	}
	return append([]byte{byte(p.Ply()), byte(p.Outcome())}, text...), searched, nil
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func appendSearch(dst []byte, root engine.RootMove, score int16, kids []engine.RootMove) []byte {
	dst = append(dst, root.Low|root.High<<4)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(score))
	dst = binary.LittleEndian.AppendUint32(dst, root.Visits)
	dst = append(dst, byte(len(kids)))
	total := visits(kids, 0)
	part := func(x float64) uint16 { return uint16(math.Round(math.MaxUint16 * x)) }
	for _, k := range kids {
		dst = append(dst, k.Move, k.Low|k.High<<4)
		dst = binary.LittleEndian.AppendUint16(dst, part(float64(k.Visits)/total))
		dst = binary.LittleEndian.AppendUint16(dst, part(float64(k.Value)))
	}
	return dst
}

// visits returns the sum of the visits of the moves whose number of visits is not below least.
func visits(kids []engine.RootMove, least float64) (total float64) {
	for _, k := range kids {
		if float64(k.Visits) >= least {
			total += float64(k.Visits)
		}
	}
	return total
}

// drawn returns a random move, with probabilities in proportion to the visits.
func drawn(kids []engine.RootMove, dice *rand.Rand) uint8 {
	least := leastShare * visits(kids, 0)
	x := dice.Float64() * visits(kids, least)
	for _, k := range kids {
		if float64(k.Visits) < least {
			continue
		}
		if x -= float64(k.Visits); x < 0 {
			return k.Move
		}
	}
	return kids[0].Move
}
