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
	"runtime"
	"slices"
	"strings"

	engine "github.com/krow-lab/krow/engine/ultimate"
	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/internal/wholefile"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/work"
)

// How the games of a corpus are played: up to openingPlies random moves, then the moves of the search. Of the earlyPlies after the opening drawnShare are drawn by visits, if they have leastShare of
// all; randomShare of all moves are random.
const (
	shardGames   = 400 // in a file; the last one may have fewer
	openingPlies = 12
	earlyPlies   = 20
	drawnShare   = 0.25
	leastShare   = 0.02
	randomShare  = 0.03
	corpusHash   = 4 << 20
)

// Playing says which games a corpus is made of, and how they are played.
type Playing struct {
	Dir   string // for the files
	Games int    // in all
	Nodes int    // for each move
	Net   *network.Network
	Seed  uint64
	Jobs  int // games at once; 0: the number of processors
	// Queue, unless nil, plays the games elsewhere: see Kinds. There NetName is the name of the network.
	Queue   work.Queue
	NetName string
}

// File is a file of a corpus, as its header tells of it.
type File struct {
	Game      string `json:"game"`
	Seed      uint64 `json:"seed"`
	Shard     int    `json:"shard"` // its number
	Games     int    `json:"games"`
	Positions int    `json:"positions"` // searched
	Nodes     int    `json:"nodes"`
	Network   string `json:"network"` // checksum of its file
}

// unitKind is the kind of a unit of work that is a game to learn from.
const unitKind = "game of ultimate to learn from"

// unitArgs are the arguments of such a unit; its seed is that of the game. Its result is the number of positions that were
// searched, in 4 bytes, and the game as a file has it.
type unitArgs struct {
	Game  string `json:"game"`
	Nodes int    `json:"nodes"`
	Net   string `json:"net"`
}

// Kinds returns the table of what a process does for those who play games elsewhere. net returns the network of a name.
func Kinds(rules func(spec string) (game.Game, error), net func(name string) (*network.Network, error)) work.Kinds {
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

// do plays the game of a unit.
func (o *Playing) do(ctx context.Context, g game.Game, u work.Unit) ([]byte, error) {
	s, err := engine.New(g, engine.Options{Net: o.Net, Hash: corpusHash, NoProof: true})
	if err != nil {
		return nil, err
	}
	text, searched, err := o.game(ctx, s, g, rand.New(rand.NewPCG(u.Seed, 1)))
	return append(binary.LittleEndian.AppendUint32(nil, uint32(searched)), text...), err
}

// Generate plays games of several kinds, one file of each in turn, until there are as many as o asks for. Each file is written as
// soon as it is complete; one that is there already stays. told, unless it is nil, is called with each.
//
//	ultimate-seed-1-00000.games.gz   ultimate-draw=boards-seed-1-00001.games.gz   ultimate-seed-1-00002.games.gz   ...
func Generate(ctx context.Context, kinds []game.Game, o Playing, told func(File)) error {
	if min(o.Games, o.Nodes) < 1 || o.Jobs < 0 {
		return errors.New("games for learning: games, nodes and jobs must be positive")
	}
	for _, g := range kinds {
		if !engine.Plays(g) {
			return fmt.Errorf("games for learning: all are of ultimate, or none; not %s", g)
		}
		if g.(*ultimate.Game).Rules().Open {
			return fmt.Errorf("games for learning: the network has no games with won boards open: %s", g)
		}
	}
	for shard := range (o.Games + shardGames - 1) / shardGames {
		g := kinds[shard%len(kinds)]
		f := File{
			Game: g.String(), Seed: o.Seed, Shard: shard, Games: min(shardGames, o.Games-shard*shardGames), Nodes: o.Nodes,
			Network: checksum(o.Net),
		}
		if err := o.file(ctx, g, &f); err != nil {
			return err
		}
		if told != nil {
			told(f)
		}
	}
	return nil
}

// file writes a file of games, or reads the header of the one that is there.
func (o *Playing) file(ctx context.Context, g game.Game, f *File) error {
	name := filepath.Join(o.Dir, fmt.Sprintf("%s-seed-%d-%05d.games.gz", strings.ReplaceAll(f.Game, ":", "-"), f.Seed, f.Shard))
	data, err := os.ReadFile(name)
	if err == nil {
		var old File
		if old, _, err = openCorpus(data); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		f.Positions, old.Network = old.Positions, sameNetwork(old.Network, f.Network)
		if old != *f {
			return fmt.Errorf("%s has other games: %d at %d nodes; name another folder or seed", name, old.Games, old.Nodes)
		}
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	body, err := o.play(ctx, g, f)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return err
	}
	data, err = packCorpus(f, body)
	if err != nil {
		return err
	}
	return wholefile.Write(name, data)
}

// play plays the games of a file.
func (o *Playing) play(ctx context.Context, g game.Game, f *File) ([]byte, error) {
	queue := o.Queue
	if queue == nil {
		jobs := o.Jobs
		if jobs == 0 {
			jobs = runtime.GOMAXPROCS(0)
		}
		queue = work.Pool{Jobs: jobs, Kinds: work.Kinds{unitKind: func(ctx context.Context, u work.Unit) ([]byte, error) { return o.do(ctx, g, u) }}}
	}
	args, games := unitArgs{f.Game, o.Nodes, o.NetName}, make([][]byte, f.Games)
	unit := func(i int) (work.Unit, error) {
		return work.New(unitKind, args, rng.Mix(o.Seed, uint64(o.Nodes), uint64(f.Shard), uint64(i)))
	}
	_, err := work.Each(ctx, queue, f.Games, unit, func(i int, data []byte) error {
		if len(data) < 4 {
			return errCorpus
		}
		f.Positions += int(binary.LittleEndian.Uint32(data))
		games[i] = data[4:]
		return nil
	})
	return slices.Concat(games...), err
}

func packCorpus(f *File, body []byte) ([]byte, error) {
	head, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	for _, part := range [][]byte{[]byte(corpusMagic), head, {'\n'}, body} {
		if _, err := z.Write(part); err != nil {
			return nil, err
		}
	}
	err = z.Close()
	return out.Bytes(), err
}

// game returns a game as a file has it, and how many of its positions were searched.
func (o *Playing) game(ctx context.Context, s *engine.Searcher, g game.Game, dice *rand.Rand) (text []byte, searched int, err error) {
	p := g.Start()
	opening := dice.IntN(openingPlies + 1)
	for p.Outcome() == game.Ongoing {
		if p.Ply() < opening {
			m := game.Random(p, dice.IntN)
			text = append(text, byte(m), 0)
			p.Play(m)
			continue
		}
		info, err := s.Search(ctx, p, search.Limits{Nodes: uint64(o.Nodes)}, nil)
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
