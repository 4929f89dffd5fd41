// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow/game"
)

// book builds a book of a small board.
func book(t testing.TB, columns, rows, k, plies int) (*Solver, *Book) {
	t.Helper()
	_, s := solver(t, columns, rows, k, Options{Hash: 1 << 16})
	b, err := s.NewBook(plies)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Build(t.Context(), s, func(int, int) error { return nil }); err != nil {
		t.Fatal(err)
	}
	return s, b
}

// TestBookEntriesAreTrue compares each entry with the truth, and the number of entries with the number of positions.
func TestBookEntriesAreTrue(t *testing.T) {
	for _, tc := range [][4]int{{4, 4, 4, 3}, {4, 3, 3, 5}, {3, 4, 3, 11}, {5, 3, 4, 0}} {
		s, b := book(t, tc[0], tc[1], tc[2], tc[3])
		g, _ := solver(t, tc[0], tc[1], tc[2], Options{Hash: 1})
		memo, met := map[uint64]int8{}, map[uint64]bool{}
		truth(g.Start(), memo)
		every(g.Start(), map[uint64]bool{}, func(p game.Position) {
			q := s.FromGame(p)
			v, ok := b.score(q)
			if inside := p.Ply() <= tc[3] && p.Outcome() == game.Ongoing; ok != inside {
				t.Fatalf("%v: a position of %d stones in the book: %v", tc, p.Ply(), ok)
			} else if inside && v != int(memo[p.Key()]) {
				t.Fatalf("%v: score %d, want %d", tc, v, memo[p.Key()])
			}
			if ok {
				met[q.bookKey()] = true
			}
		})
		if len(met) != b.Len() {
			t.Errorf("%v: %d entries for %d positions", tc, b.Len(), len(met))
		}
		if err := b.Check(t.Context(), s, func(int, int) {}); err != nil {
			t.Errorf("%v: %v", tc, err)
		}
	}
}

// TestBookUsed: a solver with a book needs no search for a position in the book.
func TestBookUsed(t *testing.T) {
	s, b := book(t, 5, 4, 4, 4)
	want := s.Solve(t.Context(), s.Start())
	s.Clear()
	s.Book = b
	if got := s.Solve(t.Context(), s.Start()); got.Nodes != 0 || got.Lower != want.Lower || got.Upper != want.Upper {
		t.Errorf("%+v by the book, %+v without", got, want)
	}
	if line := s.Line(t.Context(), s.Start(), want.Lower); len(line) != 20 {
		t.Errorf("best play %v of %d moves, want 20", line, len(line))
	}
}

// TestBookWrong finds a score that is wrong, on the last level and above, and entries that are missing or too many.
func TestBookWrong(t *testing.T) {
	s, b := book(t, 4, 4, 4, 3)
	check := func() string {
		if err := b.Check(t.Context(), s, func(int, int) {}); err != nil {
			return err.Error()
		}
		return ""
	}
	for i, k := range slices.Sorted(maps.Keys(b.scores)) {
		if i%5 > 0 {
			continue
		}
		v := b.scores[k]
		b.scores[k] = v + 1
		if got := check(); !strings.Contains(got, " stones has the score ") {
			t.Errorf("entry %x changed: %q", k, got)
		}
		delete(b.scores, k)
		if got := check(); !strings.Contains(got, "is missing") && !strings.Contains(got, " stones has the score ") {
			t.Errorf("entry %x deleted: %q", k, got)
		}
		b.scores[k] = v
	}
	b.scores[1<<40] = 0
	if got := check(); got != "the book contains positions that do not belong in it" {
		t.Errorf("one entry too many: %q", got)
	}
	delete(b.scores, 1<<40)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.Clear()
	b, _ = s.NewBook(3)
	if err := b.Build(ctx, s, func(int, int) error { return nil }); err == nil {
		t.Error("a book without any time")
	}
	_, wide := solver(t, 9, 7, 4, Options{Hash: 1})
	for _, plies := range []int{-1, 16} {
		if _, err := s.NewBook(plies); err == nil {
			t.Errorf("a book of %d plies", plies)
		}
	}
	if _, err := wide.NewBook(1); err == nil {
		t.Error("a book of a wide board")
	}
}

// TestBookFile reads back what was written, and refuses every file with a byte changed or missing.
func TestBookFile(t *testing.T) {
	s, b := book(t, 4, 4, 4, 3)
	var file bytes.Buffer
	if _, err := b.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	again, err := ReadBook(bytes.NewReader(file.Bytes()))
	if err != nil || !again.For(s) || again.Plies != 3 || again.Len() != b.Len() {
		t.Fatalf("%+v, %v", again, err)
	}
	if err := again.Check(t.Context(), s, func(int, int) {}); err != nil {
		t.Error(err)
	}
	for i := range file.Len() {
		bad := bytes.Clone(file.Bytes())
		bad[i] ^= 4
		if _, err := ReadBook(bytes.NewReader(bad)); err == nil {
			t.Fatalf("byte %d changed, and read", i)
		}
		if _, err := ReadBook(bytes.NewReader(bad[:i])); err == nil {
			t.Fatalf("read the first %d bytes", i)
		}
	}
}

// endless is a file without an end and without a newline.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	return len(p), nil
}

// TestForeignBook: files with a valid checksum that are no valid books are refused, and no more is read of a file than a book can
// have.
func TestForeignBook(t *testing.T) {
	_, b := book(t, 4, 4, 4, 3)
	for name, change := range map[string]func(*Book){
		"less than no plies": func(b *Book) { b.Plies = -1 },
		"too many plies":     func(b *Book) { b.Plies = 16 },
		"a score too high":   func(b *Book) { b.scores[0] = 10 },
		"a score too low":    func(b *Book) { b.scores[0] = -10 },
	} {
		bad := *b
		bad.scores = maps.Clone(b.scores)
		change(&bad)
		var file bytes.Buffer
		if _, err := bad.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadBook(&file); err == nil {
			t.Errorf("%s: read", name)
		}
	}
	var file bytes.Buffer
	if _, err := b.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	otherwise := bytes.Replace(file.Bytes()[:file.Len()-sha256.Size], []byte(`"krow"`), []byte(`"Krow"`), 1)
	sum := sha256.Sum256(otherwise)
	if _, err := ReadBook(bytes.NewReader(append(otherwise, sum[:]...))); err == nil {
		t.Error("a first line that is written otherwise was read")
	}
	for _, start := range [][]byte{nil, file.Bytes()} {
		rest := &endless{}
		if _, err := ReadBook(io.MultiReader(bytes.NewReader(start), rest)); err == nil || rest.read > 1<<16 {
			t.Errorf("read %d bytes, %v", rest.read, err)
		}
	}
}

func FuzzReadBook(f *testing.F) {
	_, b := book(f, 4, 4, 4, 2)
	var file bytes.Buffer
	_, _ = b.WriteTo(&file)
	f.Add(file.Bytes())
	f.Add([]byte(`{"krow":"book","version":1,"entries":1000000000}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if b, err := ReadBook(bytes.NewReader(data)); err == nil && b.Len() > len(data) {
			t.Errorf("%d entries of %d bytes", b.Len(), len(data))
		}
	})
}
