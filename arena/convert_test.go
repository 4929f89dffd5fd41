// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/record"
)

func open(spec string) (game.Game, error) {
	for _, g := range games() {
		if g.String() == spec {
			return g, nil
		}
	}
	return nil, fmt.Errorf("unknown game %q", spec)
}

// Whatever happens in a game, its record replays and gives the result back; the same match writes the same
// bytes, interrupted or not.
func TestRecordsReplayToTheResult(t *testing.T) {
	players := map[string]script{"first": first, "illegal": illegal, "erring": erring, "panicking": panicking}
	for _, g := range games() {
		for name, s := range players {
			t.Run(g.String()+"/"+name, func(t *testing.T) {
				m := Match{Game: g, A: random, B: scripted(name, s), Games: 6, Seed: 9, RandomPlies: 2}
				_, results := run(t, m)
				dir := t.TempDir()
				whole := write(t, filepath.Join(dir, "whole"), &m, results, len(results))
				parts := write(t, filepath.Join(dir, "parts"), &m, results, 2)
				if !bytes.Equal(whole, parts) {
					t.Errorf("written at once:\n%s\nin two runs:\n%s", whole, parts)
				}
				_, games, err := record.Read(whole, "whole", open)
				if err != nil || len(games) != len(results) {
					t.Fatalf("%d games, %v", len(games), err)
				}
				if d := cmp.Diff(results, games, sameResults); d != "" {
					t.Errorf("(-played +read)\n%s", d)
				}
			})
		}
	}
}

// write writes the results in two runs, the first of which ends after some games, and returns the file.
func write(t *testing.T, path string, m *Match, results []record.Game, some int) []byte {
	t.Helper()
	for _, end := range []int{some, len(results)} {
		w, played, err := record.Open(path, m.String(), open)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results[len(played):end] {
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
		}
		if end == len(results) {
			err = w.Commit()
		} else {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		if end == len(results) {
			break
		}
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestTimesAreKeptIfAskedFor: games have the times of their moves only where the match asks for them.
func TestTimesAreKeptIfAskedFor(t *testing.T) {
	m := Match{Game: tictactoe, A: random, B: random, Games: 1, RandomPlies: 2}
	if _, games := run(t, m); games[0].Times != nil {
		t.Errorf("times %v, which nobody asked for", games[0].Times)
	}
	m.Times = true
	if _, games := run(t, m); len(games[0].Times) != len(games[0].Moves)-2 {
		t.Errorf("%d times of %d moves", len(games[0].Times), len(games[0].Moves))
	}
}
