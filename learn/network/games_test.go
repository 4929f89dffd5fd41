// SPDX-License-Identifier: Apache-2.0

package network

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/game/ultimate"
)

// pressed returns text as a file of games is compressed.
func pressed(text []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(text)
	_ = z.Close()
	return out.Bytes()
}

// twoGames returns the text of a file of two games.
func twoGames(t testing.TB, g *ultimate.Game) []byte {
	t.Helper()
	l, err := New(g, Options{Generations: 1, Games: 2, Nodes: 20, Window: 1, Passes: 1, Match: 1, Plies: 4, Rate: 0.001, Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	games, err := l.play(context.Background(), l.next())
	if err != nil {
		t.Fatal(err)
	}
	data, err := games.pack()
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A file that is whole but lacks a game, or holds a score that no search gives, is refused.
func TestUnpackRefuses(t *testing.T) {
	g := ultimate.New(ultimate.Rules{})
	text := twoGames(t, g)
	if _, err := unpack(pressed(text), g); err != nil {
		t.Fatal(err)
	}
	for name, damaged := range map[string][]byte{
		"three games": bytes.Replace(text, []byte(`"games":2`), []byte(`"games":3`), 1),
		"one game":    bytes.Replace(text, []byte(`"games":2`), []byte(`"games":1`), 1),
		"a score":     append(append([]byte(nil), text[:len(text)-2]...), 0xff, 0x7f),
		"a ply short": text[:len(text)-plyBytes],
	} {
		if _, err := unpack(pressed(damaged), g); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// FuzzUnpack holds that what is accepted is written as it was read.
func FuzzUnpack(f *testing.F) {
	g := ultimate.New(ultimate.Rules{})
	text := twoGames(f, g)
	f.Add(text)
	f.Add(text[:len(text)/2])
	f.Add([]byte("krow ultimate games 1\n{}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := unpack(pressed(text), g)
		if err != nil {
			return
		}
		data, err := all.pack()
		if err != nil {
			t.Fatal(err)
		}
		again, err := unpack(data, g)
		if err != nil {
			t.Fatalf("what was accepted is refused once it is written: %v", err)
		}
		if d := cmp.Diff(all.plies, again.plies); d != "" || all.origin != again.origin {
			t.Errorf("read, written and read again: %v, %v\n%s", all.origin, again.origin, d)
		}
	})
}
