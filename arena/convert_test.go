// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

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
func TestRecords(t *testing.T) {
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
				for i, rec := range games {
					r, err := FromRecord(g, rec)
					if d := cmp.Diff(results[i], r, sameResults); d != "" || err != nil {
						t.Errorf("game %d: %v (-played +read)\n%s", i, err, d)
					}
				}
			})
		}
	}
}

// write writes the results in two runs, the first of which ends after some games, and returns the file.
func write(t *testing.T, path string, m *Match, results []Result, some int) []byte {
	t.Helper()
	for _, end := range []int{some, len(results)} {
		w, played, err := record.Open(path, m.String(), open)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results[len(played):end] {
			if err := w.Write(m.Record(r)); err != nil {
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

func TestRecordTimes(t *testing.T) {
	m := Match{Game: tictactoe, A: random, B: random, Games: 1, RandomPlies: 2}
	_, results := run(t, m)
	r := results[0]
	for i := range r.Times {
		r.Times[i] = time.Duration(i) * time.Millisecond
	}
	m.Times = true
	back, err := FromRecord(tictactoe, m.Record(r))
	if d := cmp.Diff(r.Times, back.Times); d != "" || err != nil {
		t.Errorf("%v (-played +read)\n%s", err, d)
	}
	m.Times = false
	if rec := m.Record(r); rec.TimesUS != nil {
		t.Errorf("times %v, which nobody asked for", rec.TimesUS)
	}
}
