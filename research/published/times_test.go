// SPDX-License-Identifier: Apache-2.0

package published

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn/qlearning"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/alphabeta"
)

// online returns the options of a study whose player learns during play, over the cells up to 4 x 4 of two tables.
func online(t *testing.T) Options {
	o, _ := small()
	o.Cells = []Cell{find(t, "4.2", 4), find(t, "4.14", 4), find(t, "4.25", 4)}
	o.Variant.Update = qlearning.Options{}.Update
	o.Learn = func(g game.Game) (Learner, error) { return qlearning.New(g, qlearning.Options{Seed: 1}) }
	return o
}

// TestTime holds the nodes to searches made one by one, with parameters learned move by move. 4.14 is 4.2 again.
func TestTime(t *testing.T) {
	o := online(t)
	s, _ := session(1)
	times, err := Time(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := Run(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(times) != 2 || times[0].Cell != o.Cells[0] || times[1].Cell != o.Cells[2] {
		t.Fatalf("times of %d games: %v", len(times), times)
	}
	for i, row := range []Row{rows[0], rows[2]} {
		want := slowSamples(t, row)
		for j, s := range times[i].Samples {
			if s.Update <= 0 || s.Fixed.Time <= 0 || s.Frozen.Time <= 0 || s.Online.Time <= 0 {
				t.Errorf("%s, ply %d: %+v", row.Cell.Game, s.Ply, s)
			}
			times[i].Samples[j] = Sample{
				Ply: s.Ply, Fixed: Cost{Nodes: s.Fixed.Nodes}, Frozen: Cost{Nodes: s.Frozen.Nodes}, Online: Cost{Nodes: s.Online.Nodes},
			}
		}
		if d := cmp.Diff(want, times[i].Samples); d != "" {
			t.Errorf("%s (-want +got):\n%s", row.Cell.Game, d)
		}
	}
}

// slowSamples returns the samples of a row, less their times.
func slowSamples(t *testing.T, row Row) (out []Sample) {
	t.Helper()
	c := row.Cell
	g, err := c.game()
	if err != nil {
		t.Fatal(err)
	}
	l, err := qlearning.New(g, qlearning.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if _, err := l.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	w, p, turn := l.Weights(), g.Start(), 0
	for _, word := range row.Result.Moves {
		m, err := g.Parse(word)
		if err != nil {
			t.Fatal(err)
		}
		if p.Turn() != c.seat() {
			p.Play(m)
			continue
		}
		if turn%3 == 0 {
			out = append(out, Sample{
				Ply: p.Ply() + 1, Fixed: nodes(t, p, generic.Fixed(c.K)), Frozen: nodes(t, p, l.Weights()), Online: nodes(t, p, w),
			})
		}
		turn++
		p.Play(m)
		if w, err = (qlearning.Options{}).Update(w, p); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// nodes returns what a search with an empty table visits.
func nodes(t *testing.T, p game.Position, w generic.Weights) Cost {
	t.Helper()
	e, err := generic.New(p.Game(), w)
	if err != nil {
		t.Fatal(err)
	}
	s, err := alphabeta.New(p.Game(), options(e, false))
	if err != nil {
		t.Fatal(err)
	}
	info, err := s.Search(t.Context(), p, search.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return Cost{Nodes: info.Nodes}
}

// TestTimeGoesOn stops at each Put. What was measured before is not measured again, and rows know no time.
func TestTimeGoesOn(t *testing.T) {
	o := online(t)
	s, store := session(1)
	var first []byte
	for range 100 {
		store.room = 1
		_, err := Time(t.Context(), s, o)
		key := "time published/1/pupil/eval,online,gap=exact/mnk:4,4,3/improved/brute/second"
		if first == nil {
			first = bytes.Clone(store.data[key])
		}
		if !bytes.Equal(first, store.data[key]) {
			t.Fatal("a game was measured twice")
		}
		if err == nil {
			break
		}
		if !errors.Is(err, errFull) {
			t.Fatal(err)
		}
	}
	if first == nil {
		t.Error("nothing was kept")
	}
	for key, value := range store.data {
		if timed := strings.HasPrefix(key, "time "); timed != bytes.Contains(value, []byte(`"time"`)) {
			t.Errorf("%s: %s", key, value)
		}
	}
}

func TestTimeRefuses(t *testing.T) {
	o := online(t)
	s, store := session(1)
	o.Cells = o.Cells[:1]
	if _, err := Run(t.Context(), s, o); err != nil {
		t.Fatal(err)
	}
	const played = "published/1/pupil/eval,online,gap=exact/mnk:4,4,3/improved/brute/second"
	store.data[played] = []byte(`{"result":{"verdict":"win","moves":["a1","a1"]}}`)
	want := "table 4.2, mnk:4,4,3: ply 2: a1 is not a legal move"
	if _, err := Time(t.Context(), s, o); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	o.Variant.Update = nil
	if _, err := Time(t.Context(), s, o); err == nil {
		t.Error("the frozen variant was timed")
	}
}

func TestTimesTable(t *testing.T) {
	ms := time.Millisecond
	sample := func(fixed, frozen, online, update int) Sample {
		cost := func(n int) Cost { return Cost{Nodes: uint64(n) * 100, Time: time.Duration(n) * ms} }
		return Sample{Ply: 1, Fixed: cost(fixed), Frozen: cost(frozen), Online: cost(online), Update: time.Duration(update) * ms}
	}
	got := TimesTable([]Times{
		{find(t, "4.1", 4), []Sample{sample(4, 2, 4, 1), sample(1, 1, 1, 1), sample(2, 3, 3, 3)}},
		{find(t, "4.25", 4), []Sample{sample(8, 8, 16, 16)}},
		{find(t, "4.2", 5), []Sample{sample(1, 9, 9, 9)}},
	}).Rows
	want := [][]string{
		strings.Fields("gomoku 3 4 100 1ms 1ms 1.00 1.00 1.00 2.00"),
		strings.Fields("connect4 3 1 800 8ms 16ms 1.00 1.00 2.00 4.00"),
		append([]string{"all", ""}, strings.Fields("5 200 2ms 3ms 1.00 1.00 1.00 2.00")...),
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("lines (-want +got):\n%s", d)
	}
}
