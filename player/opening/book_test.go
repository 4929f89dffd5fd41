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
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player/opening"
	"github.com/krow-lab/krow/search"
)

// The rows of a book hold every opening of three stones on 15 x 15 up to symmetry: 703,934 by Burnside's lemma.
func TestBookHasEveryOpening(t *testing.T) {
	n := 0
	book := opening.Book{Game: "gomoku"}
	for _, base := range opening.Bases("gomoku") {
		row, err := opening.Value(base, func(last int) (eval.Score, error) {
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
		s, ok := book.Score(opening.Pair(c[0], c[1]), c[2])
		for n := range 8 {
			var v [3]int
			for i := range v {
				v[i] = symmetry.Image(opening.BookSide, opening.BookSide, c[i], n)
			}
			if w, is := book.Score(opening.Pair(v[1], v[0]), v[2]); w != s || !ok || !is {
				t.Fatalf("cells %v have the score %v, and in view %d %v", c, s, n, w)
			}
		}
	}
	if s, ok := book.Score(opening.Pair(3, 4), 4); ok {
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
		{"empty", nil, 0, "not a book of openings"},
		{"another file", []byte(`{"krow":"book","version":1}` + "\n"), 0, "not a book of openings"},
		{"a newer file", []byte(`{"krow":"swap2","version":2}` + "\n"), 0, "the book of openings has version 2; this krow reads version 1"},
		{"the kind of another game", []byte(`{"krow":"swap2","version":1,"game":"renju"}` + "\n"), 0, "not a book of openings"},
		{"too long", append(slices.Clone(data), make([]byte, 3300*225)...), 0, "the book of openings has too many rows"},
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
	for _, name := range []string{"gomoku", "standard", "caro", "renju"} {
		book := opening.BookOf(start(t, name, "").Game())
		if len(book.Rows) != len(opening.Bases(name)) || book.Game != name {
			t.Errorf("%s: %d rows of %s, want %d", name, len(book.Rows), book.Game, len(opening.Bases(name)))
		}
		for _, way := range book.Even(30) {
			b := start(t, name, "")
			for _, m := range way[:book.Stones()-1] {
				b.Play(m)
			}
			if s, ok := book.After(b)(way[book.Stones()-1]); !ok || max(s, -s) > eval.Unit/40 {
				t.Errorf("%s: %v has the score %v", name, way, s)
			}
		}
	}
	if opening.BookOf(start(t, "gomoku:17", "").Game()) != nil {
		t.Error("a book for gomoku:17")
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
		s, ok := opening.BookOf(b.Game()).Score(opening.Pair(int(a.Moves[0]), int(a.Moves[2])), int(a.Moves[1]))
		if !ok || max(s, -s) > eval.Unit/40 {
			t.Errorf("seed %d: %s has the score %v", seed, a.Format(b.Game()), s)
		}
	}
	if len(seen) < 19 {
		t.Errorf("20 seeds place %d different openings", len(seen))
	}
}

// The rows of the book of renju hold every position of five stones that begins with one of the 26 openings and a fourth stone in the
// central square of 9 x 9. Symmetric ones have the same score.
func TestFifths(t *testing.T) {
	n := 0
	book := opening.Book{Game: "renju"}
	for _, base := range opening.Bases("renju") {
		row, err := opening.Value(base, func(last int) (eval.Score, error) {
			n++
			if n%113 == 0 {
				b := start(t, "renju", "")
				for _, m := range base.Moves(last) {
					if err := game.Play(b, m); err != nil {
						t.Fatal(err)
					}
				}
				if _, ok := opening.Named(b); !ok {
					t.Errorf("%v begins with no opening", base.Moves(last))
				}
			}
			return eval.Score(n%255-127) * eval.Unit / 40, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		book.Rows = append(book.Rows, row)
	}
	if n != 379_722 {
		t.Errorf("%d openings, want 379722", n)
	}
	_, openings := opening.Patterns()
	rng := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		b := start(t, "renju", openings[rng.IntN(len(openings))])
		fourth, fifth := rng.IntN(225), rng.IntN(225)
		if x, y := fourth%15, fourth/15; b.Cells()[fourth] != game.Empty || min(x, y) < 3 || max(x, y) > 11 {
			continue
		}
		b.Play(game.Move(fourth))
		if b.Cells()[fifth] != game.Empty {
			continue
		}
		want, ok := book.After(b)(game.Move(fifth))
		for view := range 8 {
			c := start(t, "renju", "")
			for _, m := range b.AppendHistory(nil) {
				c.Play(game.Move(symmetry.Image(15, 15, int(m), view)))
			}
			if s, is := book.After(c)(game.Move(symmetry.Image(15, 15, fifth, view))); s != want || !ok || !is {
				t.Fatalf("%v and %d have the score %v, and in view %d %v", b.AppendHistory(nil), fifth, want, view, s)
			}
		}
	}
}

// A player of renju takes the stones of an opening, and the number of fifth stones, from the book, without a search. The last of the
// fifth stones is nearly even.
func TestFifthsByBook(t *testing.T) {
	player := opening.Swapper{Analyze: func(context.Context, game.Board, search.Limits) (search.Info, error) {
		return search.Info{}, errors.New("it searches")
	}}
	for _, rule := range []string{opening.Soosyrv8, opening.Taraguchi10} {
		for seed := range uint64(10) {
			player.Seed = seed
			s := session(t, rule, start(t, "renju", ""))
			for q, ok := s.Question(); ok && q.Choose == nil && q.Stones < 5; q, ok = s.Question() {
				_, err := s.Ask(t.Context(), player, search.Limits{Nodes: 1000})
				if err != nil {
					t.Fatalf("%s, seed %d: %v", rule, seed, err)
				}
			}
			b := s.Board()
			moves := b.AppendHistory(nil)
			if q, ok := s.Question(); ok && q.Choose != nil {
				moves = append(moves, q.Choose[len(q.Choose)-1])
			}
			before := start(t, "renju", notation.FormatMoves(b.Game(), moves[:4]))
			score, ok := opening.BookOf(b.Game()).After(before)(moves[4])
			if off := max(score, -score); !ok || off > eval.Unit/5 {
				t.Errorf("%s, seed %d: %s has the score %v", rule, seed, notation.FormatMoves(b.Game(), moves), score.Units())
			}
		}
	}
}
