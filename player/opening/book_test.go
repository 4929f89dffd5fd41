// SPDX-License-Identifier: Apache-2.0

package opening_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/symmetry"
	"github.com/krow-lab/krow/player/opening"
	"github.com/krow-lab/krow/search"
)

// The rows of a book hold every opening of three stones on 15 x 15 up to symmetry: 703,934 by Burnside's lemma.
func TestBookHasEveryOpening(t *testing.T) {
	n := 0
	book := opening.Book{Game: "gomoku"}
	for _, pair := range opening.BookPairs() {
		row, err := opening.Value(pair, func(white int) (eval.Score, error) {
			n++
			return eval.Score(n%255-127) * eval.Unit / 40, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		book.Rows = append(book.Rows, row)
	}
	if n != 703_934 {
		t.Errorf("%d openings, want 703934", n)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 10_000 {
		c := rng.Perm(opening.BookSide * opening.BookSide)[:3]
		s, ok := book.Score(c[0], c[1], c[2])
		for n := range 8 {
			var v [3]int
			for i := range v {
				v[i] = symmetry.Image(opening.BookSide, opening.BookSide, c[i], n)
			}
			if w, is := book.Score(v[1], v[0], v[2]); w != s || !ok || !is {
				t.Fatalf("cells %v have the score %v, and in view %d %v", c, s, n, w)
			}
		}
	}
	if s, ok := book.Score(3, 4, 4); ok {
		t.Errorf("a white stone on a black one has the score %v", s)
	}
}

func TestBookFile(t *testing.T) {
	want := opening.Book{Game: "caro", Rows: []opening.BookRow{{1, 2, -127}, {224: 5}}}
	var file bytes.Buffer
	if _, err := want.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	data := file.Bytes()
	for _, tc := range []struct {
		name string
		data []byte
		rows int
		err  string
	}{
		{"whole", data, 2, ""},
		{"cut in its last row", data[:len(data)-1], 1, ""},
		{"empty", nil, 0, "not a swap2 book"},
		{"another file", []byte(`{"krow":"book","version":1}` + "\n"), 0, "not a swap2 book"},
		{"a newer file", []byte(`{"krow":"swap2","version":2}` + "\n"), 0, "the swap2 book has version 2; this krow reads version 1"},
		{"too long", append(slices.Clone(data), make([]byte, 3300*225)...), 0, "the swap2 book has too many rows"},
	} {
		got, err := opening.ReadBook(bytes.NewReader(tc.data))
		switch {
		case err != nil && err.Error() != tc.err || err == nil && tc.err != "":
			t.Errorf("%s: %v", tc.name, err)
		case err == nil && (got.Game != "caro" || !slices.Equal(got.Rows, want.Rows[:tc.rows])):
			t.Errorf("%s: %d rows of %s", tc.name, len(got.Rows), got.Game)
		}
	}
}

// Each built-in book is complete, and the openings that it calls even have a score near 0.
func TestBuiltInBooks(t *testing.T) {
	for _, name := range []string{"gomoku", "standard", "caro"} {
		book := opening.BookOf(start(t, name, "").Game())
		if len(book.Rows) != len(opening.BookPairs()) || book.Game != name {
			t.Errorf("%s: %d rows of %s, want %d", name, len(book.Rows), book.Game, len(opening.BookPairs()))
		}
		for _, way := range book.Even(30) {
			if s, ok := book.Score(int(way[0]), int(way[2]), int(way[1])); !ok || max(s, -s) > eval.Unit/40 {
				t.Errorf("%s: %v has the score %v", name, way, s)
			}
		}
	}
	for _, name := range []string{"renju", "gomoku:17"} {
		if opening.BookOf(start(t, name, "").Game()) != nil {
			t.Errorf("a book for %s", name)
		}
	}
}

// Who places three stones of gomoku takes them from the book, each seed its own, without a search.
func TestSwap2ByBook(t *testing.T) {
	fails := func(context.Context, game.Board, search.Limits) (search.Info, error) {
		return search.Info{}, errors.New("it searches")
	}
	b := start(t, "gomoku", "")
	seen := map[string]bool{}
	for seed := range uint64(20) {
		a, err := opening.Swapper{Analyze: fails, Seed: seed}.Swap2(t.Context(), b, search.Limits{Nodes: 1000})
		if err != nil || len(a.Moves) != 3 {
			t.Fatalf("seed %d: %v, %v", seed, a, err)
		}
		seen[a.Format(b.Game())] = true
		if err := session(t, opening.Swap2, start(t, "gomoku", "")).Answer(a); err != nil {
			t.Error(err)
		}
		s, ok := opening.BookOf(b.Game()).Score(int(a.Moves[0]), int(a.Moves[2]), int(a.Moves[1]))
		if !ok || max(s, -s) > eval.Unit/40 {
			t.Errorf("seed %d: %s has the score %v", seed, a.Format(b.Game()), s)
		}
	}
	if len(seen) < 19 {
		t.Errorf("20 seeds place %d different openings", len(seen))
	}
}
