// SPDX-License-Identifier: Apache-2.0

// Command tune makes the weights of the gomoku engine from nothing: it plays games of the engine against itself, fits
// the evaluation and the order of moves to them, and lets the engine with the new weights meet the one with the old.
//
//	go run ./engine/gomoku/tune -game gomoku -dir tune -games 3000 -nodes 2000 -seed 1
//
// The games are kept as DIR/GAME.binpack, and not played again where that file is there; others' files of games can be
// given as arguments and are learned from as well. The weights go to DIR/GAME.bin, and with -write to where the engine
// has them, if they won. The same arguments give the same games and weights.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"

	"github.com/krow-lab/krow/engine/gomoku"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/internal/wholefile"
	"github.com/krow-lab/krow/notation/binpack"
)

var rules = map[string]func(int) (*mnk.Game, error){
	"gomoku": mnk.Gomoku, "standard": mnk.Standard, "caro": mnk.Caro, "renju": renju.New,
}

// tuning is what the flags say.
type tuning struct {
	name, dir, prior, old string
	games, jobs, pairs    int
	nodes, seed           uint64
	eval, order           gomoku.Fitting
	write                 bool
	files                 []string
	g                     *mnk.Game
}

func main() {
	t := tuning{}
	flag.StringVar(&t.name, "game", "gomoku", "gomoku, standard, caro or renju")
	flag.StringVar(&t.dir, "dir", "tune", "folder of games and weights")
	flag.StringVar(&t.prior, "prior", "", "file of weights to begin with (default nothing)")
	flag.StringVar(&t.old, "old", "", "file of weights to play against (default the engine's)")
	flag.IntVar(&t.games, "games", 3000, "games to play")
	flag.IntVar(&t.jobs, "jobs", runtime.GOMAXPROCS(0), "games at once")
	flag.IntVar(&t.pairs, "pairs", 200, "pairs of games against the old weights")
	flag.Uint64Var(&t.nodes, "nodes", 2000, "nodes a move")
	flag.Uint64Var(&t.seed, "seed", 1, "seed of the games")
	flag.IntVar(&t.eval.Rounds, "rounds", 200, "rounds of the descent")
	flag.Float64Var(&t.eval.Spread, "spread", 30, "spread of what a pattern has of its own, in hundredths of a unit")
	flag.Float64Var(&t.eval.Blend, "blend", 0.8, "how much is learned from scores, and not from results")
	flag.Float64Var(&t.eval.Share, "share", 0.3, "what a position counts in the evaluation")
	flag.Float64Var(&t.order.Share, "order-share", 0.5, "what a position counts in the order of moves; 0 leaves it as it is")
	flag.BoolVar(&t.write, "write", false, "put weights that won where the engine has them")
	flag.Parse()
	t.files = flag.Args()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := t.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "tune:", err)
		os.Exit(1)
	}
}

func (t *tuning) run(ctx context.Context) error {
	newGame, ok := rules[t.name]
	if !ok {
		return fmt.Errorf("unknown game %q", t.name)
	}
	var err error
	if t.g, err = newGame(15); err != nil {
		return err
	}
	if err := os.MkdirAll(t.dir, 0o755); err != nil {
		return err
	}
	if err := t.play(ctx); err != nil {
		return err
	}
	learn, check, err := t.samples()
	if err != nil {
		return err
	}
	old, err := t.weights(t.old)
	if err != nil {
		return err
	}
	w, err := t.fit(old, learn, check)
	if err != nil {
		return err
	}
	if err := wholefile.Write(t.file(".bin"), w.Append(nil)); err != nil {
		return err
	}
	won, err := t.duel(ctx, w, old)
	if err != nil || !won || !t.write {
		return err
	}
	return wholefile.Write(filepath.Join("engine/gomoku/weights", t.name+".bin"), w.Append(nil))
}

func (t *tuning) file(end string) string { return filepath.Join(t.dir, t.name+end) }

// play plays the games that are not there yet.
func (t *tuning) play(ctx context.Context) error {
	if _, err := os.Stat(t.file(".binpack")); err == nil || t.games == 0 {
		return nil
	}
	o := gomoku.Options{Hash: 1 << 20}
	games, err := gomoku.SelfPlay(ctx, t.g, o, t.games, t.jobs, t.nodes, t.seed)
	if err != nil {
		return err
	}
	var data []byte
	var results [binpack.Won + 1]int
	for _, g := range games {
		if data, err = binpack.Append(data, g); err != nil {
			return err
		}
		results[g.Result]++
	}
	fmt.Printf("%s: %d games of seed %d, %d nodes a move: the first side won %d, drew %d, lost %d\n", t.name, t.games, t.seed,
		t.nodes, results[binpack.Won], results[binpack.Drawn], results[binpack.Lost])
	return wholefile.Write(t.file(".binpack"), data)
}

// checkShare is one in how many games is left out of learning.
const checkShare = 10

// samples reads the files of games.
func (t *tuning) samples() (learn, check []gomoku.Sample, err error) {
	files := t.files
	if t.games > 0 {
		files = append(files, t.file(".binpack"))
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, nil, err
		}
		games, err := binpack.Parse(data)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		samples, err := gomoku.Samples(t.g, games)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, s := range samples {
			if s.Game%checkShare == 0 {
				check = append(check, s)
				continue
			}
			learn = append(learn, s)
		}
	}
	if len(learn) == 0 || len(check) == 0 {
		return nil, nil, errors.New("too few games to learn from")
	}
	return learn, check, nil
}

// weights reads a file, or returns the engine's.
func (t *tuning) weights(name string) (*gomoku.Weights, error) {
	if name == "" {
		return gomoku.DefaultWeights(t.g)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	w, err := gomoku.ParseWeights(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return w, nil
}

// fit returns new weights of the same spread as the old, since the margins of the search go with it.
func (t *tuning) fit(old *gomoku.Weights, learn, check []gomoku.Sample) (*gomoku.Weights, error) {
	w, apart := new(gomoku.Weights), t.name == "renju"
	if t.prior != "" {
		var err error
		if w, err = t.weights(t.prior); err != nil {
			return nil, err
		}
	}
	w = gomoku.Fit(learn, w, apart, t.eval)
	t.order.Rounds, t.order.Spread = t.eval.Rounds, t.eval.Spread
	if w = gomoku.FitOrder(learn, w, apart, t.order); t.order.Share == 0 {
		w.CopyOrder(old)
	}
	result, score := old.Loss(check)
	result2, score2 := w.Loss(check)
	fmt.Printf("%s: %d samples, %d held out; loss of results %.4f -> %.4f bits, from scores %.4f -> %.4f; spread %.0f -> %.0f\n",
		t.name, len(learn), len(check), result, result2, score, score2, old.Spread(check), w.Spread(check))
	fmt.Printf("%s: a move %.3f -> %.3f bits\n", t.name, old.Surprise(check), w.Surprise(check))
	w.Scale(old.Spread(check) / w.Spread(check))
	return w, nil
}
