// SPDX-License-Identifier: Apache-2.0

package ultimate

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow/arena/work"
	engine "github.com/krow-lab/krow/engine/ultimate/network"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/learn/nnue"
	"github.com/krow-lab/krow/learn/selfplay"
)

// magic is the first line of a file of games.
const magic = "krow ultimate games 2\n"

// pressed returns text as a file of games is compressed.
func pressed(text []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(text)
	_ = z.Close()
	return out.Bytes()
}

// corpusText is a file of random games, not compressed, whose searches found nothing.
func corpusText(g *ultimate.Game, seed uint64, games int) []byte {
	dice := rng.Rand(seed)
	text := fmt.Appendf([]byte(magic), "{\"game\":%q}\n", g)
	for range games {
		b := ultimate.NewBoard(g.Rules())
		var moves [ultimate.Moves]uint8
		var plies []byte
		n := 0
		for ; b.Result == game.Ongoing; n++ {
			count := b.List(&moves)
			m := moves[dice.Below(count)]
			if dice.Below(3) == 0 {
				plies = append(plies, m, 0)
				b.Play(m)
				continue
			}
			plies = append(plies, m, 1, 2<<4)
			plies = binary.LittleEndian.AppendUint16(plies, uint16(100))
			plies = binary.LittleEndian.AppendUint32(plies, 1000)
			plies = append(plies, byte(count))
			for _, k := range moves[:count] {
				plies = append(plies, k, 2<<4)
				plies = binary.LittleEndian.AppendUint16(plies, uint16(65535/count))
				plies = binary.LittleEndian.AppendUint16(plies, 40_000)
			}
			b.Play(m)
		}
		text = append(append(text, byte(n), byte(b.Result)), plies...)
	}
	return text
}

// corpusFolder is a folder, whose name is a pattern too, of two files, one under each draw rule.
func corpusFolder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "games[1]")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for i, r := range []ultimate.Rules{{}, {Draw: ultimate.Boards}} {
		data := pressed(corpusText(ultimate.New(r), uint64(i+1), 4))
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.games.gz", i)), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A run that is taken up again after a pass comes to the same network, and a finished one writes it again.
func TestRunContinuesAfterEachPass(t *testing.T) {
	o := Options{Options: nnue.Options{Dir: corpusFolder(t), Passes: 2, Rate: 0.001, Lambda: 0.9, Seed: 3, Jobs: 1}, Visits: 40}
	start := func() *Learner {
		c, err := New(ultimate.New(ultimate.Rules{}), o)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	step := func(c *Learner) {
		t.Helper()
		p, err := c.Step(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if p.Values["positions"] < 300 || !(p.Values["loss"] > 0.5 && p.Values["loss"] < 1) {
			t.Errorf("point %v", p)
		}
	}
	again := func(c *Learner) *Learner {
		t.Helper()
		state, err := c.State()
		if err != nil {
			t.Fatal(err)
		}
		next := start()
		if err := next.Restore(state); err != nil {
			t.Fatal(err)
		}
		return next
	}
	saved := func(c *Learner) []byte {
		t.Helper()
		name := filepath.Join(t.TempDir(), "net")
		if err := c.Save(name); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	whole := start()
	step(whole)
	step(whole)
	o.Jobs = 2
	cut := start()
	step(cut)
	cut = again(cut)
	step(cut)
	want := saved(whole)
	if !bytes.Equal(saved(cut), want) || !bytes.Equal(saved(again(cut)), want) {
		t.Error("a run that was cut learns something else")
	}
}

// The same seed plays the same games, here, with two at once and by a queue. What is there is not played again, and games of other
// settings are not taken for it.
func TestGamesFollowFromSeed(t *testing.T) {
	kinds := []game.Game{ultimate.New(ultimate.Rules{}), ultimate.New(ultimate.Rules{Draw: ultimate.Boards})}
	rules := func(spec string) (game.Game, error) {
		for _, g := range kinds {
			if g.String() == spec {
				return g, nil
			}
		}
		return nil, fmt.Errorf("no %s", spec)
	}
	o := selfplay.Options{Games: 6, Nodes: 30, NetName: "default", Seed: 3, Jobs: 1}
	e := Engine{engine.Default()}
	there := selfplay.Kinds(rules, func(game.Game, string) (selfplay.Engine, error) { return e, nil })
	var want []selfplay.Header
	folder := func(name string) (files map[string][]byte) {
		t.Helper()
		o.Dir = filepath.Join(t.TempDir(), name)
		var told []selfplay.Header
		if err := selfplay.Generate(t.Context(), e, kinds, o, func(f *selfplay.File) error {
			told = append(told, f.Header)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = told
		}
		if !slices.Equal(told, want) || len(told) != 1 || told[0].Games != 6 || told[0].Positions < 6*20 {
			t.Errorf("%s: %+v, want %+v", name, told, want)
		}
		files = map[string][]byte{}
		names, _ := filepath.Glob(filepath.Join(o.Dir, "*"))
		for _, name := range names {
			files[filepath.Base(name)], _ = os.ReadFile(name)
		}
		return files
	}
	alone := folder("alone")
	o.Jobs = 2
	if !maps.EqualFunc(folder("two at once"), alone, bytes.Equal) {
		t.Error("two at once play other games")
	}
	o.Queue = work.Pool{Jobs: 2, Kinds: there}
	if !maps.EqualFunc(folder("queue"), alone, bytes.Equal) {
		t.Error("a queue plays other games")
	}
	o.Queue = work.Pool{Jobs: 1} // which knows no kind: nothing may be played
	if err := selfplay.Generate(t.Context(), e, kinds, o, nil); err != nil {
		t.Errorf("what is there is played again: %v", err)
	}
	o.Nodes = 31
	if err := selfplay.Generate(t.Context(), e, kinds, o, nil); err == nil || !strings.Contains(err.Error(), "contains other games") {
		t.Errorf("games of other nodes: %v", err)
	}
	o.Nodes, e = 30, Engine{other(t)}
	if err := selfplay.Generate(t.Context(), e, kinds, o, nil); err == nil || !strings.Contains(err.Error(), "contains other games") {
		t.Errorf("games of another network: %v", err)
	}
	if err := selfplay.Generate(t.Context(), e, []game.Game{ultimate.New(ultimate.Rules{Open: true})}, o, nil); err == nil {
		t.Error("games are played that nobody learns from")
	}
	c, err := New(kinds[0], Options{Options: nnue.Options{Dir: o.Dir, Passes: 1, Rate: 0.001, Lambda: 0.9, Seed: 3, Jobs: 1}})
	if err != nil {
		t.Fatal(err)
	}
	point, err := c.Step(t.Context())
	if n := point.Values["positions"]; err != nil || n < float64(want[0].Positions)/2 {
		t.Errorf("%v positions to learn from, %v", n, err)
	}
}

// other returns another network than the default, though it plays alike.
func other(t *testing.T) *engine.Network {
	t.Helper()
	n, err := engine.Default().Parameters().Network("another")
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Damaged files are refused.
func TestCorpusRefusesDamage(t *testing.T) {
	g := ultimate.New(ultimate.Rules{})
	text := corpusText(g, 1, 2)
	var s samples
	if err := s.readCorpus(pressed(text), &Options{Options: nnue.Options{Lambda: 0.9}}, 1); err != nil || s.len() < 100 {
		t.Fatalf("%d positions, %v", s.len(), err)
	}
	start := bytes.IndexByte(text[len(magic):], '\n') + len(magic) + 1
	change := func(at int, b byte) []byte {
		data := bytes.Clone(text)
		data[start+at] = b
		return data
	}
	for name, data := range map[string][]byte{
		"no gzip":        text,
		"nothing":        pressed(nil),
		"another format": pressed([]byte("krow ultimate games 1\n{}\n")),
		"another game":   pressed([]byte(magic + "{\"game\":\"gomoku\"}\n")),
		"cut":            pressed(text[:len(text)-1]),
		"a ply more":     pressed(change(0, text[start]+1)),
		"no move":        pressed(change(2, 200)),
		"half":           pressed(text)[:100],
	} {
		if err := new(samples).readCorpus(data, &Options{}, 1); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	ttt, err := mnk.TicTacToe(3, 3)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(ttt, Options{Options: nnue.Options{Dir: t.TempDir(), Passes: 1, Rate: 0.1}}); err == nil {
		t.Error("a network for tic-tac-toe")
	}
	c, err := New(g, Options{Options: nnue.Options{Dir: t.TempDir(), Passes: 1, Rate: 0.1}})
	if err == nil {
		_, err = c.Step(t.Context())
	}
	if err == nil || !strings.Contains(err.Error(), "no files of games") {
		t.Errorf("an empty folder: %v", err)
	}
}

// FuzzCorpus holds that no text makes the reader panic.
func FuzzCorpus(f *testing.F) {
	f.Add(corpusText(ultimate.New(ultimate.Rules{}), 1, 1))
	f.Add([]byte(magic))
	f.Fuzz(func(_ *testing.T, text []byte) {
		var out bytes.Buffer
		z, _ := gzip.NewWriterLevel(&out, gzip.NoCompression)
		_, _ = z.Write(text)
		_ = z.Close()
		_ = new(samples).readCorpus(out.Bytes(), &Options{Options: nnue.Options{Lambda: 1}}, 1)
	})
}

// A run from a network begins with its numbers, says so in the recipe, and is not gone on with from another one.
func TestTrainingBeginsAtNetwork(t *testing.T) {
	o := Options{Options: nnue.Options{Dir: corpusFolder(t), Passes: 1, Rate: 1e-9, Lambda: 0.9, Seed: 3, Jobs: 1}, From: engine.Default(), Visits: 40}
	g := ultimate.New(ultimate.Rules{})
	c, err := New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "net")
	if err := c.Save(name); err != nil {
		t.Fatal(err)
	}
	n, err := engine.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	b := ultimate.NewBoard(ultimate.Rules{})
	if got, want := n.NewEvaluator().Value(&b), o.From.NewEvaluator().Value(&b); math.Abs(float64(got-want)) > 1e-3 {
		t.Errorf("the empty board is worth %f, was %f", got, want)
	}
	if data, _ := os.ReadFile(name); !bytes.Contains(data, []byte("from="+checksum(o.From))) {
		t.Error("the recipe does not say where it began")
	}
	state, err := c.State()
	if err != nil {
		t.Fatal(err)
	}
	for name, from := range map[string]*engine.Network{"random numbers": nil, "another network": other(t)} {
		o.From = from
		c, err := New(g, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Restore(state); err == nil {
			t.Errorf("a run from %s goes on from the state of one from a network", name)
		}
	}
}
