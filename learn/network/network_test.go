// SPDX-License-Identifier: Apache-2.0

package network_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	engine "github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/network"
)

func small() network.Options {
	return network.Options{Generations: 3, Games: 6, Nodes: 30, Window: 2, Passes: 1, Match: 4, Plies: 12, Epsilon: 0.1, Result: 0.3, Rate: 0.001, Seed: 5, Jobs: 1}
}

func learner(t *testing.T, o network.Options) *network.Learner {
	t.Helper()
	l, err := network.New(ultimate.New(ultimate.Rules{}), o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// outcome is all that a run leaves.
type outcome struct {
	points []learn.Point
	state  []byte
	file   []byte
}

func finish(t *testing.T, l *network.Learner) (out outcome) {
	t.Helper()
	err := learn.Run(context.Background(), l, func(state []byte, p learn.Point) error {
		out.points, out.state = append(out.points, p), state
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "net")
	if err := l.Save(name); err != nil {
		t.Fatal(err)
	}
	if out.file, err = os.ReadFile(name); err != nil {
		t.Fatal(err)
	}
	return out
}

// A run that was cut after each step, with other jobs and with files of games, ends as one that was not.
func TestCut(t *testing.T) {
	want := finish(t, learner(t, small()))
	if _, err := engine.Parse(want.file); err != nil || !bytes.Contains(want.file, []byte("--seed 5")) {
		t.Errorf("the network's file: %v", err)
	}
	o := small()
	o.Jobs, o.Data = 2, t.TempDir()
	l := learner(t, o)
	var points []learn.Point
	for done, total := l.Steps(); done < total; done, total = l.Steps() {
		p, err := l.Step(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		points = append(points, p)
		state, err := l.State()
		if err != nil {
			t.Fatal(err)
		}
		l = learner(t, o)
		if err := l.Restore(state); err != nil {
			t.Fatal(err)
		}
	}
	got := finish(t, l)
	if state, err := l.State(); err != nil || !bytes.Equal(state, want.state) || !bytes.Equal(got.file, want.file) {
		t.Errorf("a run that was cut learns something else: %v", err)
	}
	if d := cmp.Diff(want.points, points); d != "" {
		t.Errorf("the curve of a run that was cut (-want +got):\n%s", d)
	}
	again := finish(t, learner(t, o))
	if !bytes.Equal(again.file, want.file) {
		t.Error("a run with games from files learns something else")
	}
}

// What is saved is the last network that held its own, or before there is one the one that came nearest, in runs that are
// taken up again after each generation, too.
func TestSave(t *testing.T) {
	kept, lost := 0, 0
	for seed := range uint64(4) {
		o := small()
		o.Seed, o.Games, o.Nodes, o.Match = seed, 3, 5, 2
		l, want, nearest, best := learner(t, o), 0, math.Inf(-1), false
		for step := 1; step <= o.Generations; step++ {
			p, err := l.Step(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			switch elo := p.Values["elo"]; {
			case p.Values["kept"] == 1:
				want, best = step, true
			case !best && elo > nearest:
				want, nearest = step, elo
			}
			state, err := l.State()
			if err != nil {
				t.Fatal(err)
			}
			l = learner(t, o)
			if err := l.Restore(state); err != nil {
				t.Fatal(err)
			}
		}
		if kept++; !best {
			kept, lost = kept-1, lost+1
		}
		file := finish(t, l).file
		if _, err := engine.Parse(file); err != nil || !bytes.Contains(file, fmt.Appendf(nil, "generation %d,", want)) {
			t.Errorf("seed %d: saved %.300q, %v, want generation %d", seed, file, err, want)
		}
	}
	if kept == 0 || lost == 0 {
		t.Errorf("%d runs had a network that held its own, %d had not: this tests too little", kept, lost)
	}
}

// A file of games that is not one is refused in a line with its name, and games of other settings are played anew.
func TestGamesFile(t *testing.T) {
	o := small()
	o.Generations, o.Data = 1, t.TempDir()
	want := finish(t, learner(t, o))
	files, err := filepath.Glob(filepath.Join(o.Data, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files of games: %v, %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	other := o
	other.Nodes = 20
	finish(t, learner(t, other))
	if again := finish(t, learner(t, o)); !bytes.Equal(again.file, want.file) {
		t.Error("the games of other settings were learned from")
	}
	if err := os.WriteFile(files[0], data[:len(data)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	_, err = learner(t, o).Step(context.Background())
	if err == nil || !strings.Contains(err.Error(), files[0]+": not a file of ultimate games") {
		t.Errorf("a truncated file of games: %v", err)
	}
}

// An error leaves the learner as it was.
func TestCancel(t *testing.T) {
	l := learner(t, small())
	before, err := l.State()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := l.Step(ctx); err == nil {
		t.Error("no error from a step that was cancelled")
	}
	if after, err := l.State(); err != nil || !bytes.Equal(before, after) {
		t.Errorf("a step that was cancelled changed the learner: %v", err)
	}
}

func TestRefused(t *testing.T) {
	ttt, err := mnk.TicTacToe(3, 3)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := network.New(ttt, small()); err == nil {
		t.Error("a network for tic-tac-toe")
	}
	for name, spoil := range map[string]func(o *network.Options){
		"games":   func(o *network.Options) { o.Games = 0 },
		"epsilon": func(o *network.Options) { o.Epsilon = 1 },
		"plies":   func(o *network.Options) { o.Plies = 50 },
		"rate":    func(o *network.Options) { o.Rate = -1 },
	} {
		o := small()
		spoil(&o)
		if _, err := network.New(ultimate.New(ultimate.Rules{}), o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	o := small()
	state, err := learner(t, o).State()
	if err != nil {
		t.Fatal(err)
	}
	o.Seed++
	if err := learner(t, o).Restore(state); err == nil {
		t.Error("the state of another seed was accepted")
	}
	for _, text := range []string{"", "{}", string(state[:len(state)/2]), strings.Replace(string(state), `"done":0`, `"done":1`, 1)} {
		if err := learner(t, small()).Restore([]byte(text)); err == nil {
			t.Errorf("the state %.20q was accepted", text)
		}
	}
}

// TestDataKept holds that runs of other settings leave the files of games in their folder as they are.
func TestDataKept(t *testing.T) {
	dir := t.TempDir()
	first, other := small(), small()
	first.Data, other.Data, other.Nodes = dir, dir, 20
	want := finish(t, learner(t, first))
	kept, err := filepath.Glob(filepath.Join(dir, "*.games.gz"))
	if err != nil || len(kept) != first.Generations {
		t.Fatalf("%d files, %v, want %d", len(kept), err, first.Generations)
	}
	var before [][]byte
	for _, name := range kept {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		before = append(before, data)
	}
	finish(t, learner(t, other))
	for i, name := range kept {
		if data, err := os.ReadFile(name); err != nil || !bytes.Equal(data, before[i]) {
			t.Errorf("%s: %v, or it holds other games", name, err)
		}
	}
	if got := finish(t, learner(t, first)); !bytes.Equal(got.file, want.file) {
		t.Error("the first run's settings came to another network")
	}
	if all, _ := filepath.Glob(filepath.Join(dir, "*.games.gz")); len(all) != 2*first.Generations {
		t.Errorf("%d files of games, want %d", len(all), 2*first.Generations)
	}
}
