// SPDX-License-Identifier: Apache-2.0

package network

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/wholefile"
	"github.com/krow-lab/krow/learn"
)

// games are the games of a generation. A file of them, compressed by gzip, is
//
//	krow ultimate games 1\n
//	{"game":"ultimate","seed":1,"generation":3,...}\n    the origin
//	each game: number of plies, number of plies up to its last random move, a byte each; then each ply
//	    move                   a byte
//	    score                  2 bytes, little-endian: thousandths for the side to move, before the move; or unsearched
type games struct {
	origin origin
	plies  []byte
}

type origin struct {
	Game       string  `json:"game"`
	Seed       uint64  `json:"seed"`
	Generation int     `json:"generation"`
	Games      int     `json:"games"`
	Nodes      int     `json:"nodes"`
	Plies      int     `json:"plies"`
	Epsilon    float64 `json:"epsilon"`
	Network    string  `json:"network"` // checksum of its file; "": the heuristic
}

const (
	kind       = "ultimate games"
	unsearched = -1 << 15
	headBytes  = 2
	plyBytes   = 3
)

var errGames = errors.New("a file of games of ultimate tic-tac-toe that do not follow the rules")

func (g *games) pack() ([]byte, error) { return learn.PackGames(kind, g.origin, g.plies) }

// unpack reads a file of games and plays them all. It refuses what does not follow the rules of g.
func unpack(data []byte, g *ultimate.Game) (*games, error) {
	var all games
	var err error
	if all.plies, err = learn.UnpackGames(kind, data, &all.origin); err != nil {
		return nil, err
	}
	if all.origin.Game != g.String() {
		return nil, fmt.Errorf("games of %s, not %s", all.origin.Game, g)
	}
	return &all, all.each(g, func(record) {})
}

// record is a game. The score of a ply is that of the position before its move.
type record struct {
	moves  []uint8
	scores []int16
	random int // plies up to the last random move
	end    game.Outcome
}

func (r *record) add(m uint8, score int16) {
	r.moves, r.scores = append(r.moves, m), append(r.scores, score)
}

func (g *games) add(r record) {
	g.plies = append(g.plies, byte(len(r.moves)), byte(r.random))
	for i, m := range r.moves {
		g.plies = binary.LittleEndian.AppendUint16(append(g.plies, m), uint16(r.scores[i]))
	}
}

func (g *games) each(rules *ultimate.Game, f func(record)) error {
	var r record
	left := g.origin.Games
	for rest := g.plies; len(rest) > 0; left-- {
		if len(rest) < headBytes || len(rest) < headBytes+plyBytes*int(rest[0]) {
			return errGames
		}
		n := int(rest[0])
		r.moves, r.scores, r.random = r.moves[:0], r.scores[:0], int(rest[1])
		b := ultimate.NewBoard(rules.Rules())
		for ply := rest[headBytes:]; len(r.moves) < n; ply = ply[plyBytes:] {
			score := int16(binary.LittleEndian.Uint16(ply[1:]))
			if !b.Legal(int(ply[0])) || score != unsearched && score != thousandths(eval.Score(score)) {
				return errGames
			}
			b.Play(ply[0])
			r.add(ply[0], score)
		}
		if b.Result == game.Ongoing || r.random > n {
			return errGames
		}
		r.end = b.Result
		f(r)
		rest = rest[headBytes+plyBytes*n:]
	}
	if left != 0 {
		return errGames
	}
	return nil
}

func (l *Learner) next() origin {
	return origin{
		Game: l.g.String(), Seed: l.o.Seed, Generation: l.done + 1, Games: l.o.Games, Nodes: l.o.Nodes, Plies: l.o.Plies,
		Epsilon: l.o.Epsilon, Network: checksum(l.best),
	}
}

func (l *Learner) selfPlay(ctx context.Context) (*games, error) {
	want := l.next()
	if l.o.Data == "" {
		return l.play(ctx, want)
	}
	if err := os.MkdirAll(l.o.Data, 0o755); err != nil {
		return nil, err
	}
	name, g, err := l.find(want)
	if err != nil || g != nil {
		return g, err
	}
	if g, err = l.play(ctx, want); err != nil {
		return nil, err
	}
	data, err := g.pack()
	if err != nil {
		return nil, err
	}
	return g, wholefile.Write(name, data)
}

// find returns the games of an origin if there is a file of them, or nil and the name for that file. Files of other
// settings or networks stay.
//
//	seed-1-generation-003.games.gz   seed-1-generation-003-2.games.gz   ...
func (l *Learner) find(want origin) (string, *games, error) {
	base := filepath.Join(l.o.Data, fmt.Sprintf("seed-%d-generation-%03d", want.Seed, want.Generation))
	name := base
	for n := 2; ; n++ {
		file := name + ".games.gz"
		data, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			return file, nil, nil
		}
		var g *games
		if err == nil {
			g, err = unpack(data, l.g)
		}
		if err != nil {
			return "", nil, fmt.Errorf("%s: %w; once it is removed they are played again", file, err)
		}
		g.origin.Network = sameNetwork(g.origin.Network, want.Network)
		if g.origin == want {
			return file, g, nil
		}
		name = fmt.Sprintf("%s-%d", base, n)
	}
}

// samples are positions and their labels, the expected result of the side to move, 0 to 1.
type samples struct {
	views  []network.View
	labels []float32
}

func (s *samples) add(b *ultimate.Board, label float32) {
	s.views, s.labels = append(s.views, network.See(b)), append(s.labels, label)
}

func (s *samples) len() int { return len(s.labels) }

// read appends the positions of a game that were searched. It leaves out those in which a move wins at once, since the
// search never asks the network about these. share is that of the result in a label.
func (s *samples) read(r record, rules ultimate.Rules, share float32) {
	b := ultimate.NewBoard(rules)
	for i, m := range r.moves {
		if r.scores[i] != unsearched && !r.wonAtOnce(i) {
			s.add(&b, r.label(i, b.Turn, share))
		}
		b.Play(m)
	}
}

func (r record) wonAtOnce(ply int) bool {
	return ply == len(r.moves)-1 && r.scores[ply] == int16(eval.Unit)
}

// label returns the label of the position before a ply. A proved score counts alone, and so does one before a random
// move.
func (r record) label(ply int, turn uint8, share float32) float32 {
	said := 0.5 + float32(r.scores[ply])/(2*float32(eval.Unit))
	if said == 0 || said == 1 || ply < r.random {
		return said
	}
	return (1-share)*said + share*result(r.end, turn)
}

func result(o game.Outcome, turn uint8) float32 {
	switch o {
	case game.Draw:
		return 0.5
	case game.WinFor(game.Side(turn)):
		return 1
	}
	return 0
}

// turned[s][code] is the code of a small board under symmetry s of the board. The cells of each small board turn as the
// small boards do.
var turned = sync.OnceValue(func() *[8][network.Codes]uint16 {
	t := new([8][network.Codes]uint16)
	for s := range t {
		for code := range t[s] {
			t[s][code] = uint16(code)
			if code >= ultimate.Codes {
				continue
			}
			sum := uint16(0)
			for c, rest := 0, code; c < 9; c, rest = c+1, rest/3 {
				sum += uint16(rest%3) * ultimate.Ternary[1<<turn(s, c)]
			}
			t[s][code] = sum
		}
	}
	return t
})

func turnedView(v *network.View, s uint8) network.View {
	out := *v
	codes := &turned()[s&7]
	for i, code := range &v.Codes {
		out.Codes[turn(int(s), i)] = codes[code]
	}
	if v.Forced < ultimate.Any {
		out.Forced = uint8(turn(int(s), int(v.Forced)))
	}
	return out
}

// turn returns where cell c of nine goes: bits 0 and 1 of s mirror, bit 2 swaps rows and columns.
func turn(s, c int) int {
	row, column := c/3, c%3
	if s&1 != 0 {
		row = 2 - row
	}
	if s&2 != 0 {
		column = 2 - column
	}
	if s&4 != 0 {
		row, column = column, row
	}
	return 3*row + column
}
