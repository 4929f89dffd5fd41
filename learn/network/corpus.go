// SPDX-License-Identifier: Apache-2.0

package network

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"

	engine "github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/atomicfile"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/selfplay"
)

// Corpus is a learn.Learner that trains a network on a folder of games whose searches were kept: on each position that was
// searched, and on some of its children. The games may be of both draw rules; [Engine] plays them. A step is a pass over the
// positions.
type Corpus struct {
	o         CorpusOptions
	done      int
	steps     int                // of the optimiser
	positions int                // in a pass; 0 before the first
	p, m, v   *engine.Parameters // and the moments of their gradient
	learned   samples            // read by the first step
	held      samples
	haveRead  bool
}

// CorpusOptions are the settings.
type CorpusOptions struct {
	Dir    string
	From   *engine.Network // where training begins; nil: at random parameters
	Passes int
	Rate   float64 // at the beginning; it falls to 0 along half a cosine
	Lambda float64 // weight of the rest of the game in a label
	Visits int     // of the children with so many one of three is trained on, of the others one of ten
	Seed   uint64
	Jobs   int
}

var _ learn.Learner = (*Corpus)(nil)

const corpusBatch = 4096 // positions of a step of the optimiser

// NewCorpus returns a learner, or an error in one line.
func NewCorpus(g game.Game, o CorpusOptions) (*Corpus, error) {
	if _, ok := g.(*ultimate.Game); !ok {
		return nil, fmt.Errorf("network: the network is for ultimate tic-tac-toe, not %s", g)
	}
	if o.Dir == "" {
		return nil, errors.New("network: name the folder with the files of games: data=DIR")
	}
	if o.Jobs == 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	if o.Passes < 1 || o.Passes > most || !(o.Rate > 0 && o.Rate < 1) || !(o.Lambda >= 0 && o.Lambda <= 1) {
		return nil, fmt.Errorf("network: 1 to %d passes, and a rate and lambda between 0 and 1", most)
	}
	p := initial(o.Seed)
	if o.From != nil {
		p = o.From.Parameters()
	}
	return &Corpus{o: o, p: p, m: new(engine.Parameters), v: new(engine.Parameters)}, nil
}

// Steps returns the passes.
func (c *Corpus) Steps() (done, total int) { return c.done, c.o.Passes }

// Step makes a pass. The point of the curve holds
//
//	loss, held-out      in nats: of the pass, and on files that were not trained on
//	positions           trained on
func (c *Corpus) Step(ctx context.Context) (learn.Point, error) {
	if c.done >= c.o.Passes {
		return learn.Point{}, errors.New("all passes are done")
	}
	if err := c.read(); err != nil {
		return learn.Point{}, err
	}
	p, m, v := *c.p, *c.m, *c.v // so that an error leaves c as it was
	t := &trainer{p: &p, m: m, v: v, steps: c.steps, size: corpusBatch, jobs: c.o.Jobs}
	mean, err := t.pass(ctx, &c.learned, func(done float64) float64 {
		return c.o.Rate * (1 + math.Cos(math.Pi*(float64(c.done)+done)/float64(c.o.Passes))) / 2
	}, rand.New(rand.NewPCG(c.o.Seed, rng.Mix(c.o.Seed, uint64(c.done)))))
	if err != nil {
		return learn.Point{}, err
	}
	c.p, c.m, c.v, c.steps = &p, &t.m, &t.v, t.steps
	c.done, c.positions = c.done+1, c.learned.len()
	values := map[string]float64{"loss": mean, "positions": float64(c.positions)}
	if c.held.len() > 0 {
		values["held-out"] = loss(c.p, &c.held)
	}
	return learn.Point{Step: c.done, Values: values}, nil
}

// Save writes the network.
func (c *Corpus) Save(name string) error {
	from := ""
	if c.o.From != nil {
		from = ",from=" + checksum(c.o.From)
	}
	n, err := c.p.Network(fmt.Sprintf("krow learn network:data=DIR%s,passes=%d,rate=%v,lambda=%v,visits=%d --game ultimate --seed %d: pass %d over %d positions",
		from, c.o.Passes, c.o.Rate, c.o.Lambda, c.o.Visits, c.o.Seed, c.done, c.positions))
	if err != nil {
		return err
	}
	return atomicfile.Write(name, n.Append(nil))
}

// checksum returns the one with which a network's file ends, or "" if there is no network.
func checksum(n *engine.Network) string {
	if n == nil {
		return ""
	}
	file := n.Append(nil)
	return fmt.Sprintf("%08x", binary.LittleEndian.Uint32(file[len(file)-4:]))
}

func (c *Corpus) origin() weights.Origin {
	return weights.Origin{Game: "ultimate", Learner: "network", Seed: c.o.Seed, Settings: map[string]any{
		"passes": c.o.Passes, "rate": c.o.Rate, "lambda": c.o.Lambda, "visits": c.o.Visits, "data": filepath.Base(c.o.Dir),
		"from": checksum(c.o.From),
	}}
}

type corpusState struct {
	Done       int    `json:"done"`
	Steps      int    `json:"steps"`
	Positions  int    `json:"positions"`
	Parameters []byte `json:"parameters"` // floats of 4 bytes, little-endian, and so are the moments
	First      []byte `json:"first"`
	Second     []byte `json:"second"`
}

// State returns the network and the moments of its gradient.
func (c *Corpus) State() ([]byte, error) {
	s := corpusState{Done: c.done, Steps: c.steps, Positions: c.positions}
	for _, f := range []struct {
		to   *[]byte
		from *engine.Parameters
	}{{&s.Parameters, c.p}, {&s.First, c.m}, {&s.Second, c.v}} {
		*f.to, _ = binary.Append(nil, binary.LittleEndian, f.from) // numbers of a fixed size always fit
	}
	return learn.Encode(c.origin(), s)
}

// Restore continues from a state of a learner of the same options.
func (c *Corpus) Restore(data []byte) error {
	var s corpusState
	if err := learn.Decode(data, c.origin(), &s); err != nil {
		return err
	}
	if s.Done < 0 || s.Done > c.o.Passes || s.Steps < 0 || s.Positions < 0 {
		return learn.ErrDamaged
	}
	next := *c
	next.done, next.steps, next.positions = s.Done, s.Steps, s.Positions
	for _, f := range []struct {
		to   **engine.Parameters
		from []byte
	}{{&next.p, s.Parameters}, {&next.m, s.First}, {&next.v, s.Second}} {
		*f.to = new(engine.Parameters)
		if n, err := binary.Decode(f.from, binary.LittleEndian, *f.to); err != nil || n != len(f.from) {
			return learn.ErrDamaged
		}
	}
	*c = next
	return nil
}

// read reads the folder once. One file in 32 is held out.
func (c *Corpus) read() error {
	if c.haveRead {
		return nil
	}
	files, err := fs.Glob(os.DirFS(c.o.Dir), "*.games.gz")
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("%s: no files of games", c.o.Dir)
	}
	for i, name := range files {
		to := &c.learned
		if i%heldOut == heldOut-1 {
			to = &c.held
		}
		name = filepath.Join(c.o.Dir, name)
		data, err := os.ReadFile(name)
		if err == nil {
			err = to.readCorpus(data, &c.o, rng.Rand(rng.Mix(c.o.Seed, uint64(i))))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	c.haveRead = true
	return nil
}

var errCorpus = errors.New("not a file of ultimate games with their searches, or a damaged one")

const (
	rootBytes  = 8 // of a search
	childBytes = 6
)

// readCorpus appends the positions of a file.
func (s *samples) readCorpus(data []byte, o *CorpusOptions, dice rng.Rand) error {
	f, err := selfplay.Unpack(data, Format)
	if err != nil {
		return err
	}
	body, r := f.Body, ultimate.Rules{}
	if f.Game != ultimate.New(r).String() {
		if r.Draw = ultimate.Boards; f.Game != ultimate.New(r).String() {
			return fmt.Errorf("games of %.50q", f.Game)
		}
	}
	ok := true
	for len(body) > 0 {
		if body, ok = s.readGame(body, r, o, &dice); !ok {
			return errCorpus
		}
	}
	return nil
}

// turnOf is a position of a game before its move.
type turnOf struct {
	board  ultimate.Board
	move   uint8
	search []byte  // nil if it was not searched
	value  float32 // that the search found, for the side to move
}

// readGame appends the positions of a game, and returns what comes after it.
func (s *samples) readGame(body []byte, r ultimate.Rules, o *CorpusOptions, dice *rng.Rand) (rest []byte, ok bool) {
	if len(body) < 2 {
		return nil, false
	}
	plies := int(body[0])
	body = body[2:]
	b := ultimate.NewBoard(r)
	var turns []turnOf
	for range plies {
		if len(body) < 2 || !b.Legal(int(body[0])) {
			return nil, false
		}
		t := turnOf{board: b, move: body[0]}
		searched := body[1]&1 != 0
		body = body[2:]
		if searched {
			if len(body) < rootBytes || len(body) < rootBytes+childBytes*int(body[7]) {
				return nil, false
			}
			n := rootBytes + childBytes*int(body[7])
			if t.search, body = body[:n], body[n:]; !t.read() {
				return nil, false
			}
		}
		turns = append(turns, t)
		b.Play(t.move)
	}
	if b.Result == game.Ongoing {
		return nil, false
	}
	s.label(turns, result(b.Result, b.Turn), o, dice)
	return body, true
}

// read checks the search and sets the value.
func (t *turnOf) read() bool {
	score := int16(binary.LittleEndian.Uint16(t.search[1:]))
	t.value = bounded(t.search[0], 0.5+float32(score)/(2*float32(eval.Unit)))
	for i := rootBytes; i < len(t.search); i += childBytes {
		if !t.board.Legal(int(t.search[i])) {
			return false
		}
	}
	return score == thousandths(eval.Score(score)) && len(t.search) > rootBytes
}

// mistake returns by how much the move that was played is worse than the best.
func (t *turnOf) mistake() float32 {
	for i := rootBytes; i < len(t.search); i += childBytes {
		if t.search[i] == t.move {
			return max(0, childValue(t.search[rootBytes:])-childValue(t.search[i:]))
		}
	}
	return 1
}

func childValue(k []byte) float32 {
	return bounded(k[1], float32(binary.LittleEndian.Uint16(k[4:]))/math.MaxUint16)
}

// greatMistake is a mistake after which the game says nothing of the position before it.
const greatMistake = 0.06

// label appends the positions that were searched. The label of a position is what its search found and, with the weight
// Lambda, what the rest of the game showed, to which the worth of a mistake is added again:
//
//	label = (1-Lambda) * value + Lambda * (1 - label of the next position + mistake)
//
// CITE: Sutton, Learning to Predict by the Methods of Temporal Differences, 1988.
func (s *samples) label(turns []turnOf, next float32, o *CorpusOptions, dice *rng.Rand) {
	lambda, known := float32(o.Lambda), true
	for i := len(turns) - 1; i >= 0; i-- {
		t := &turns[i]
		if t.search == nil { // a random move
			known = false
			continue
		}
		label := t.value
		if m := t.mistake(); known && t.search[0]&15 != t.search[0]>>4 && m <= greatMistake {
			label = min(max((1-lambda)*label+lambda*(1-next+m), 0), 1)
		}
		s.addOpen(&t.board, label)
		s.addChildren(t, label-t.value, o.Visits, dice)
		next, known = label, true
	}
}

// shift is how much of what the game showed of a position holds for all of its children.
const shift = 0.7

// addChildren appends some of the children; the best is left out, since it is about the next position of the game.
func (s *samples) addChildren(t *turnOf, change float32, visits int, dice *rng.Rand) {
	total := float64(binary.LittleEndian.Uint32(t.search[3:]))
	for i := rootBytes + childBytes; i < len(t.search); i += childBytes {
		k := t.search[i : i+childBytes]
		one := 3
		if total*float64(binary.LittleEndian.Uint16(k[2:]))/math.MaxUint16 < float64(visits) {
			one = 10
		}
		if dice.Below(one) > 0 {
			continue
		}
		child, value := t.board, childValue(k)
		if k[1]&15 != k[1]>>4 {
			value = min(max(value+shift*change, 0), 1)
		}
		child.Play(k[0])
		s.addOpen(&child, 1-value)
	}
}

// bounded returns the value that is proved, or v.
func bounded(bounds byte, v float32) float32 {
	if bounds&15 != bounds>>4 {
		return v
	}
	return float32(min(bounds&15, 2)) / 2
}

// addOpen leaves out positions in which the game is over or a move wins at once: the search never asks the network about
// these.
func (s *samples) addOpen(b *ultimate.Board, label float32) {
	if b.Result == game.Ongoing && b.Threats(b.Turn)&b.Open() == 0 {
		s.add(b, label)
	}
}
