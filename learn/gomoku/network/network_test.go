// SPDX-License-Identifier: Apache-2.0

package network

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow/engine/gomoku"
	engine "github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	games "github.com/krow-lab/krow/learn/gomoku"
	"github.com/krow-lab/krow/learn/nnue"
	"github.com/krow-lab/krow/learn/selfplay"
)

// folder returns a folder, whose name is a pattern too, with some games of gomoku on two boards.
func folder(t *testing.T) string {
	t.Helper()
	m := gametest.Must[*mnk.Game](t)
	kinds := []game.Game{m(mnk.Gomoku(15)), m(mnk.Gomoku(9))}
	o := selfplay.Options{Nodes: 25, Games: 24, Chunk: 12, Dir: filepath.Join(t.TempDir(), "games[1]"), Seed: 1, Jobs: 2}
	if err := selfplay.Generate(t.Context(), games.Engine{}, kinds, o, nil); err != nil {
		t.Fatal(err)
	}
	return o.Dir
}

// TestLearnerContinuesAfterEachPass: a run that is cut and restored comes to the same network, however many jobs there are, and what it learns
// lowers the loss of what it learns from.
func TestLearnerContinuesAfterEachPass(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	g := gametest.Must[*mnk.Game](t)(mnk.Gomoku(15))
	o := Options{Options: nnue.Options{Dir: folder(t), Passes: 6, Rate: 0.003, Lambda: 0.9, Seed: 3, Jobs: 2}}
	whole, err := New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	o.Jobs = 1
	cut, err := New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	var first, last, firstPolicy, lastPolicy float64
	for i := range o.Passes {
		want, err := whole.Step(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got, err := cut.Step(t.Context())
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("point %+v, want %+v, %v", got, want, err)
		}
		if last, lastPolicy = got.Values["loss"], got.Values["policy"]; i == 0 {
			first, firstPolicy = last, lastPolicy
		}
		if floats, whole := got.Values["held-out label"], got.Values["whole label"]; math.Abs(whole-floats) > 0.003 {
			t.Errorf("pass %d: the loss is %v, and %v in whole numbers", i, floats, whole)
		}
		state, err := cut.State()
		if err != nil {
			t.Fatal(err)
		}
		o := o
		if i%2 == 0 {
			o.Dir += "/" // the same folder
		}
		if cut, err = New(g, o); err != nil {
			t.Fatal(err)
		}
		if err := cut.Restore(state); err != nil {
			t.Fatal(err)
		}
	}
	if last >= first || lastPolicy >= firstPolicy {
		t.Errorf("the losses went from %v and %v to %v and %v", first, firstPolicy, last, lastPolicy)
	}
	names := [2]string{filepath.Join(t.TempDir(), "a.net"), filepath.Join(t.TempDir(), "b.net")}
	for i, l := range []*Learner{whole, cut} {
		if err := l.Save(names[i]); err != nil {
			t.Fatal(err)
		}
	}
	a, errA := engine.Load(names[0])
	b, errB := engine.Load(names[1])
	if errA != nil || errB != nil || !reflect.DeepEqual(a, b) || a.Game() != "gomoku" {
		t.Errorf("other networks in the files: %v, %v", errA, errB)
	}
}

// TestTrainingBeginsAtNetwork: training that begins at a network begins at that network's loss.
func TestTrainingBeginsAtNetwork(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.Gomoku(15))
	o := Options{Options: nnue.Options{Dir: folder(t), Passes: 6, Rate: 0.01, Lambda: 0.9, Seed: 3, Jobs: 2}}
	first, err := New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	var losses []float64
	for range o.Passes {
		point, err := first.Step(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		losses = append(losses, point.Values["loss"])
	}
	fresh, reached := losses[0], losses[len(losses)-1]
	name := filepath.Join(t.TempDir(), "net")
	if err := first.Save(name); err != nil {
		t.Fatal(err)
	}
	if o.From, err = engine.Load(name); err != nil {
		t.Fatal(err)
	}
	o.Rate = 1e-9
	second, err := New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	point, err := second.Step(t.Context())
	if loss := point.Values["loss"]; err != nil || loss > reached+(fresh-reached)/4 { // the file rounds weights
		t.Errorf("the loss begins at %v, where the network's was %v and a fresh one's %v: %v", loss, reached, fresh, err)
	}
	if err := second.Save(name); err != nil {
		t.Fatal(err)
	}
	n, err := engine.Load(name)
	if err != nil || !strings.Contains(n.Recipe(), "from=gomoku") {
		t.Errorf("the recipe %q does not say where it began, %v", n.Recipe(), err)
	}
}

func TestNewRefuses(t *testing.T) {
	m := gametest.Must[*mnk.Game](t)
	dir := t.TempDir()
	for name, tc := range map[string]struct {
		g game.Game
		o nnue.Options
	}{
		"another game": {m(mnk.MNK(7, 7, 4)), nnue.Options{Dir: dir, Passes: 1, Rate: 0.1}},
		"no folder":    {m(mnk.Gomoku(15)), nnue.Options{Passes: 1, Rate: 0.1}},
		"no games":     {m(mnk.Gomoku(15)), nnue.Options{Dir: dir, Passes: 1, Rate: 0.1}},
		"no passes":    {m(mnk.Gomoku(15)), nnue.Options{Dir: dir, Rate: 0.1}},
		"no rate":      {m(mnk.Gomoku(15)), nnue.Options{Dir: dir, Passes: 1}},
	} {
		if _, err := New(tc.g, Options{Options: tc.o}); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want an error in one line", name, err)
		}
	}
}

// drawn returns random parameters and cells.
func drawn(seed uint64) (*engine.Parameters, *position, []cells) {
	r := rand.New(rand.NewPCG(seed, 4))
	p := &initial(seed).Parameters
	for j := range p.Drawn {
		p.Drawn[j] = float32(r.NormFloat64())
	}
	p.Even, p.Full, p.Room, p.Clear = -1, 1, 2, -1
	for i := range p.Rows {
		for j := range p.Rows[i] {
			p.Rows[i][j] = float32(r.NormFloat64() * 0.5)
		}
	}
	for i := range p.Query {
		for j := range p.Query[i] {
			p.Query[i][j], p.Base[j] = float32(r.NormFloat64()*0.3), float32(r.NormFloat64()*0.3)
		}
	}
	list := make([]cells, 1+r.IntN(30))
	for i := range list {
		list[i] = cells{uint16(r.IntN(60)), uint16(r.IntN(60)), uint8(1 + r.IntN(3)), uint8(1 + r.IntN(engine.Places))}
	}
	moves := 1 + r.IntN(len(list))
	return p, &position{
		mask: uint16(r.IntN(engine.Masks)), static: int16(r.IntN(400) - 200), shown: r.Float32(), moves: uint16(moves), best: uint16(r.IntN(moves)),
		final: true, score: 0.1 + 0.8*r.Float32(), stones: uint16(r.IntN(225)), free: uint16(1 + r.IntN(200)), result: float32(r.IntN(3)) / 2,
	}, list
}

// TestKernelsEqualGo holds the kernels of the cells equal to their twins in Go.
func TestKernelsEqualGo(t *testing.T) {
	for seed := range uint64(40) {
		p, _, list := drawn(seed)
		var x, wantX row
		sumCells(&x, &p.Rows, list)
		sumCellsGo(&wantX, &p.Rows, list)
		var g, want gradient
		spread(&g.Rows, &x, &p.Rows, list)
		spreadGo(&want.Rows, &x, &p.Rows, list)
		worth, wantWorth := make([]float32, len(list)), make([]float32, len(list))
		var dq, wantDQ query
		judge(worth, &p.Base, &p.Rows, list)
		judgeGo(wantWorth, &p.Base, &p.Rows, list)
		blame(&g.Rows, &dq, &p.Base, &p.Rows, list, worth)
		blameGo(&want.Rows, &wantDQ, &p.Base, &p.Rows, list, worth)
		if dq != wantDQ || !slices.Equal(worth, wantWorth) || x != wantX || g.Rows != want.Rows {
			t.Errorf("seed %d: a kernel and its twin differ", seed)
		}
	}
}

// TestPatternsLearnFromTheirLine: a pattern learns from those that it shares a line with, and the pattern of dead lines learns nothing.
func TestPatternsLearnFromTheirLine(t *testing.T) {
	used := map[uint16]bool{}
	for p, list := range shared() {
		live := 0
		for _, made := range gomoku.Lines(p) {
			live += min(int(made), 1)
		}
		if want := [...]int{0, 1, 3, 7, 14}[live]; len(list) != want {
			t.Fatalf("pattern %d of %d lines shares %d rows, want %d", p, live, len(list), want)
		}
		for _, k := range list {
			used[k] = true
		}
	}
	if len(used) != numShared {
		t.Errorf("%d rows are shared, want %d", len(used), numShared)
	}
	// The gradient of a pattern with two open threes moves the patterns that have one of its lines.
	at := 0
	for gomoku.Lines(at) != [4]uint8{9, 9, 1, 0} {
		at++
	}
	w, gradient, base := new(nnue.Weights[parameters]), new(table), new(table)
	gradient[0][0], gradient[at][0], base[5][7] = 1, 1, 3
	moveRows(w, gradient, 0.01, 1, 1)
	n := w.P.network(base)
	if n.Rows[0][0] != 0 || n.Rows[5][7] != 3 {
		t.Errorf("the pattern of dead lines moved to %v, and another from 3 to %v", n.Rows[0][0], n.Rows[5][7])
	}
	for q := range shared() {
		lines := gomoku.Lines(q)
		shares := slices.Contains(lines[:], 9) || slices.Contains(lines[:], 1)
		if x := n.Rows[q][0]; shares != (x < 0) {
			t.Errorf("the pattern of %v moved to %v", lines, x)
		}
	}
}

// loss is what training makes less, for one position.
func loss(p *engine.Parameters, l *looks, at *position, list []cells) float64 {
	var s state
	value := entropy(float64(at.shown), nnue.Chance(s.value(p, at, list)))
	s.judge(p, l, at, list)
	return (value - float64(policyShare)*math.Log2(s.chances(at, list))) * math.Ln2
}

// TestGradient holds the gradient to differences of the loss.
func TestGradient(t *testing.T) {
	l := new(looks)
	for p := range l[0].own {
		l[0].own[p], l[0].enemy[p] = float32(p%5)/4, float32(p%7)/5
	}
	for seed := range uint64(8) {
		p, at, list := drawn(seed)
		g := new(gradient)
		g.add(p, l, at, list)
		check := func(name string, x *float32, got float32, of ...func() float64) {
			loss := func() float64 { return loss(p, l, at, list) }
			if len(of) > 0 {
				loss = of[0]
			}
			const step = 1.0 / 256
			was := *x
			*x = was + step
			after := loss()
			*x = was - step
			before := loss()
			*x = was
			if want := (after - before) / (2 * step); math.Abs(want-float64(got)) > 0.004+0.05*math.Abs(want) {
				t.Errorf("seed %d: the gradient of %s is %v, the loss says %v", seed, name, got, want)
			}
		}
		own, enemy := list[0].own, list[0].enemy
		for j := range 3 {
			check("own", &p.Rows[own][j], g.Rows[own][j])
			check("enemy", &p.Rows[enemy][engine.Width+j], g.Rows[enemy][engine.Width+j])
			check("masks", &p.Masks[at.mask][j], g.Masks[at.mask][j])
			check("base", &p.Base[j], g.Base[j])
			check("query", &p.Query[j][j], g.Query[j][j])
			check("near", &p.Near[list[j%int(at.moves)].place-1], g.Near[list[j%int(at.moves)].place-1])
			check("out", &p.Out[j], g.Out[j])
		}
		drawn := func() float64 {
			var s state
			s.value(p, at, list)
			return entropy(at.drawn(), s.draw(p, at)) * math.Ln2
		}
		for j := range 3 {
			check("drawn", &p.Drawn[j], g.Drawn[j], drawn)
		}
		check("even", &p.Even, g.Even, drawn)
		check("full", &p.Full, g.Full, drawn)
		check("room", &p.Room, g.Room, drawn)
		check("clear", &p.Clear, g.Clear, drawn)
		check("looks", &p.Looks, g.Looks)
		check("offset", &p.Offset, g.Offset)
		check("share", &p.Share, g.Share)
	}
}

// TestStoppedPassChangesNothing: a pass that is stopped leaves the learner as it was.
func TestStoppedPassChangesNothing(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.Gomoku(15))
	l, err := New(g, Options{Options: nnue.Options{Dir: folder(t), Passes: 1, Rate: 0.01, Seed: 3}})
	if err != nil {
		t.Fatal(err)
	}
	before, err := l.State()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := l.Step(ctx); err == nil {
		t.Error("no error of the context")
	}
	if after, err := l.State(); err != nil || !reflect.DeepEqual(after, before) {
		t.Errorf("another state, %v", err)
	}
}
