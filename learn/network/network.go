// SPDX-License-Identifier: Apache-2.0

// Package network learns the network of the ultimate engine from games of the engine against itself.
//
// # Basics
//
//	l, err := network.New(g, network.Options{Generations: 30, Games: 2000, Nodes: 400, ...})
//	err = learn.Run(ctx, l, save) // a step is a generation
//	err = l.Save("net")           // ultimate:net=net
//
// A generation has four parts:
//
//	play    games of the best network so far, a few hundred nodes a move; before there is one, the engine plays
//	        with its heuristic
//	read    each position that was searched: the score of the search, and how the game ended
//	train   a copy of the network on the games of the last generations, each position turned and mirrored at
//	        random
//	match   against the best network: if the trained one does not lose, it becomes the best. Training goes on from
//	        the trained one in any case
//
// A game begins with random moves, and some later moves are random too. The label of a position is
//
//	(1-Result) * score of the search + Result * result of the game
//
// if no random move follows, else the score alone.
//
// # Files
//
// With Data the games of each generation are kept in a file, which is read instead of playing again. The state is
// complete without these files.
//
// # Caveats
//
// The same seed and settings give the same network on the same kind of processor, whatever Jobs is. Processors that fuse
// multiplications with additions round otherwise.
//
// CITE: Silver et al., Mastering Chess and Shogi by Self-Play with a General Reinforcement Learning Algorithm, 2017.
// CITE: Kingma and Ba, Adam: A Method for Stochastic Optimization, 2014.
package network

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"

	engine "github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/internal/wholefile"
	"github.com/krow-lab/krow/learn"
)

// Options are the settings. The catalog has the defaults.
type Options struct {
	Generations int
	Games       int     // in a generation
	Nodes       int     // for a move
	Window      int     // generations to train on
	Passes      int     // over their positions
	Match       int     // games against the best network, at most
	Plies       int     // random moves at the beginning of a game, at most
	Epsilon     float64 // share of random moves after these
	Result      float64 // share of the result in a label
	Rate        float64 // of learning, at the beginning of a generation's training
	Data        string  // folder for the games; "": none
	Seed        uint64
	Jobs        int // games at once; 0: the number of processors
}

const most = 1_000_000

func (o Options) check() error {
	counts := []int{o.Generations, o.Games, o.Nodes, o.Window, o.Passes, o.Match, o.Jobs}
	for _, n := range counts {
		if n < 1 || n > most {
			return fmt.Errorf("network: generations, games, nodes, window, passes, match and jobs must be 1 to %d", most)
		}
	}
	switch {
	case o.Plies < 0 || o.Plies > 40:
		return fmt.Errorf("network: 0 to 40 random plies, not %d", o.Plies)
	case !(o.Epsilon >= 0 && o.Epsilon < 1) || !(o.Result >= 0 && o.Result <= 1) || !(o.Rate > 0 && o.Rate < 1):
		return errors.New("network: epsilon, result and rate must lie between 0 and 1")
	}
	return nil
}

type setting struct {
	name  string
	value any
}

func (o Options) settings() []setting {
	return []setting{
		{"generations", o.Generations},
		{"games", o.Games},
		{"nodes", o.Nodes},
		{"window", o.Window},
		{"passes", o.Passes},
		{"match", o.Match},
		{"plies", o.Plies},
		{"epsilon", o.Epsilon},
		{"result", o.Result},
		{"rate", o.Rate},
	}
}

// Learner is a learn.Learner.
type Learner struct {
	g       *ultimate.Game
	o       Options
	done    int
	played  uint64             // games in all
	p       *engine.Parameters // in training
	best    *engine.Network    // nil: none has held its own against the heuristic
	nearest *engine.Network    // until there is a best: the one that lost least to the heuristic
	behind  float64            // Elo of nearest against the heuristic
	elo     float64            // of best above the heuristic: the sum of all gains
	window  []*games           // of the last generations
}

var _ learn.Learner = (*Learner)(nil)

// New returns a learner for ultimate tic-tac-toe, or an error in one line.
func New(g game.Game, o Options) (*Learner, error) {
	u, ok := g.(*ultimate.Game)
	if !ok {
		return nil, fmt.Errorf("network: the network is for ultimate tic-tac-toe, not %s", g)
	}
	if o.Jobs == 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	return &Learner{g: u, o: o, p: initial(o.Seed)}, nil
}

// initial returns random parameters with which most cells lie between 0 and 1.
func initial(seed uint64) *engine.Parameters {
	r := rand.New(rand.NewPCG(seed, rng.Mix(seed, 0)))
	p := new(engine.Parameters)
	for i := range p.In {
		for j := range p.In[i] {
			p.In[i][j] = float32(r.NormFloat64() * 0.05)
			if i >= engine.Inputs-2 {
				p.In[i][j] += 0.4 // of the rules: one of them is always set
			}
		}
	}
	for k := range p.Weights {
		for j := range p.Weights[k] {
			p.Weights[k][j] = float32(r.NormFloat64() / math.Sqrt(engine.Hidden))
		}
		p.Bias[k], p.Out[k] = 0.3, float32(r.NormFloat64()*0.2)
	}
	return p
}

// Steps returns the generations.
func (l *Learner) Steps() (done, total int) { return l.done, l.o.Generations }

// Save writes the best network so far. Until one has held its own against the heuristic, it writes the nearest, and
// before the first match the one that training begins with.
func (l *Learner) Save(name string) error {
	n := l.best
	if n == nil {
		n = l.nearest
	}
	if n == nil {
		var err error
		if n, err = l.p.Network(l.recipe()); err != nil {
			return err
		}
	}
	return wholefile.Write(name, n.Append(nil))
}

func (l *Learner) recipe() string {
	var args []string
	for _, s := range l.o.settings()[1:] {
		args = append(args, fmt.Sprintf("%s=%v", s.name, s.value))
	}
	return fmt.Sprintf("krow learn network:%s --game %s --seed %d: generation %d, %d games",
		strings.Join(args, ","), l.g, l.o.Seed, l.done, l.played)
}

func (l *Learner) origin() weights.Origin {
	all := map[string]any{}
	for _, s := range l.o.settings() {
		all[s.name] = s.value
	}
	return weights.Origin{Game: l.g.String(), Learner: "network", Seed: l.o.Seed, Settings: all}
}

// state is what a Learner cannot tell from its game and options.
type state struct {
	Done       int      `json:"done"`
	Played     uint64   `json:"played"`
	Parameters []byte   `json:"parameters"`      // floats of 4 bytes, little-endian
	Best       []byte   `json:"best,omitempty"`  // file of the network, if there is one
	Nearest    []byte   `json:"spare,omitempty"` // likewise
	Behind     float64  `json:"behind,omitempty"`
	Ladder     float64  `json:"ladder"`
	Window     [][]byte `json:"window"` // files of games
}

// State returns the network in training, the best, and the games of the last generations.
func (l *Learner) State() ([]byte, error) {
	s := state{Done: l.done, Played: l.played, Behind: l.behind, Ladder: l.elo, Best: file(l.best), Nearest: file(l.nearest)}
	s.Parameters, _ = binary.Append(nil, binary.LittleEndian, l.p) // numbers of a fixed size always fit
	for _, g := range l.window {
		data, err := g.pack()
		if err != nil {
			return nil, err
		}
		s.Window = append(s.Window, data)
	}
	return learn.Encode(l.origin(), s)
}

// Restore continues from a state of a learner of the same game and options; Jobs and Data may differ.
func (l *Learner) Restore(data []byte) error {
	var s state
	if err := learn.Decode(data, l.origin(), &s); err != nil {
		return err
	}
	next := Learner{g: l.g, o: l.o, done: s.Done, played: s.Played, behind: s.Behind, elo: s.Ladder, p: new(engine.Parameters)}
	if s.Done < 0 || s.Done > l.o.Generations || len(s.Window) != min(s.Done, l.o.Window) ||
		len(s.Parameters) != binary.Size(next.p) || s.Played != uint64(s.Done)*uint64(l.o.Games) || math.IsNaN(s.Ladder) || math.IsNaN(s.Behind) {
		return learn.ErrDamaged
	}
	_, _ = binary.Decode(s.Parameters, binary.LittleEndian, next.p)
	if _, err := next.p.Network(""); err != nil {
		return learn.ErrDamaged
	}
	var err error
	if next.best, err = parse(s.Best); err != nil {
		return err
	}
	if next.nearest, err = parse(s.Nearest); err != nil {
		return err
	}
	for _, file := range s.Window {
		g, err := unpack(file, l.g)
		if err != nil {
			return fmt.Errorf("state of the learner: %w", err)
		}
		next.window = append(next.window, g)
	}
	*l = next
	return nil
}

func file(n *engine.Network) []byte {
	if n == nil {
		return nil
	}
	return n.Append(nil)
}

func parse(file []byte) (*engine.Network, error) {
	if file == nil {
		return nil, nil
	}
	n, err := engine.Parse(file)
	if err != nil {
		return nil, fmt.Errorf("state of the learner: %w", err)
	}
	return n, nil
}
