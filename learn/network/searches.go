// SPDX-License-Identifier: Apache-2.0

package network

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	engine "github.com/krow-lab/krow/engine/ultimate"
	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/internal/wholefile"
	"github.com/krow-lab/krow/search"
)

// How the games of a corpus are played, with the network that the engine comes with: up to openingPlies random moves, then
// the moves of the search. Of the earlyPlies after the opening drawnShare are drawn by visits, if they have leastShare of
// all; randomShare of all moves are random.
const (
	shardGames   = 400
	openingPlies = 12
	earlyPlies   = 20
	drawnShare   = 0.25
	leastShare   = 0.02
	randomShare  = 0.03
	corpusHash   = 4 << 20
)

type corpusHeader struct {
	Game      string `json:"game"`
	Seed      uint64 `json:"seed"`
	Shard     int    `json:"shard"`
	Games     int    `json:"games"`
	Positions int    `json:"positions"` // searched
	Nodes     int    `json:"nodes"`
	Network   string `json:"network"` // checksum of its file
}

// playShard writes a file of games, unless there is one of that name. The rules of draws take turns.
func (c *Corpus) playShard(ctx context.Context, shard int) error {
	r, rule := ultimate.Rules{}, "plain"
	if shard%2 == 1 {
		r.Draw, rule = ultimate.Boards, "boards"
	}
	name := filepath.Join(c.o.Dir, fmt.Sprintf("n%d-%s-%06d.games.gz", c.o.Nodes, rule, shard))
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(c.o.Dir, 0o755); err != nil {
		return err
	}
	g, net := ultimate.New(r), network.Default()
	h := corpusHeader{
		Game: g.String(), Seed: c.o.Seed, Shard: shard, Games: c.o.Games, Nodes: c.o.Nodes,
		Network: checksum(net),
	}
	s, err := engine.New(g, engine.Options{Net: net, Hash: corpusHash, NoProof: true})
	if err != nil {
		return err
	}
	var body []byte
	for i := range c.o.Games {
		dice := rand.New(rand.NewPCG(rng.Mix(c.o.Seed, uint64(c.o.Nodes), uint64(shard), uint64(i)), 1))
		text, searched, err := c.playGame(ctx, s, g, dice)
		if err != nil {
			return err
		}
		body = append(body, text...)
		h.Positions += searched
	}
	head, err := json.Marshal(h)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	for _, part := range [][]byte{[]byte(corpusMagic), head, {'\n'}, body} {
		if _, err := z.Write(part); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return wholefile.Write(name, out.Bytes())
}

// playGame returns a game as the file has it, and how many of its positions were searched.
func (c *Corpus) playGame(ctx context.Context, s *engine.Searcher, g *ultimate.Game, dice *rand.Rand) (text []byte, searched int, err error) {
	p := g.Start()
	opening := dice.IntN(openingPlies + 1)
	for p.Outcome() == game.Ongoing {
		if p.Ply() < opening {
			m := game.Random(p, dice.IntN)
			text = append(text, byte(m), 0)
			p.Play(m)
			continue
		}
		info, err := s.Search(ctx, p, search.Limits{Nodes: uint64(c.o.Nodes)}, nil)
		if err == nil {
			err = ctx.Err() // a search that was stopped has an answer all the same
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

// visits adds up the visits of the moves that have least or more.
func visits(kids []engine.RootMove, least float64) (total float64) {
	for _, k := range kids {
		if float64(k.Visits) >= least {
			total += float64(k.Visits)
		}
	}
	return total
}

// drawn draws a move by its visits.
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
