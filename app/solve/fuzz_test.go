// SPDX-License-Identifier: Apache-2.0

package solve_test

import (
	"bytes"
	"crypto/sha256"
	"strings"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/solve"
)

// FuzzUnfinished reads files of unfinished work with the right checksum: a file is resumed, or refused in one line.
func FuzzUnfinished(f *testing.F) {
	games := []string{"connect4:3x3,k=3", "mnk:3,3,3", "gomoku:6,k=4"}
	const hash = 1 << 12
	for i, spec := range games {
		g, err := krow.Game(spec)
		if err != nil {
			f.Fatal(err)
		}
		s, err := solve.New(g, solve.Options{Weak: true, Hash: hash})
		if err != nil {
			f.Fatal(err)
		}
		if _, err := s.Solve(f.Context(), g.Start(), nil); err != nil {
			f.Fatal(err)
		}
		var file bytes.Buffer
		if err := s.Save(g.Start(), &file); err != nil {
			f.Fatal(err)
		}
		head, body, _ := bytes.Cut(file.Bytes()[:file.Len()-sha256.Size], []byte("\n"))
		f.Add(uint8(i), head, body)
		f.Add(uint8(i), head, body[:min(len(body), 40)])
	}
	f.Fuzz(func(t *testing.T, which uint8, head, body []byte) {
		file := append(append(bytes.Clone(head), '\n'), body...)
		sum := sha256.Sum256(file)
		u, err := solve.ReadUnfinished(bytes.NewReader(append(file, sum[:]...)))
		if err == nil {
			g, err := krow.Game(games[int(which)%len(games)])
			if err != nil {
				t.Fatal(err)
			}
			s, err := solve.New(g, solve.Options{Weak: true, Hash: hash})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Resume(g.Start(), u); err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q", err)
			}
			return
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("error %q", err)
		}
	})
}

// FuzzReadPositions holds that an error names the line, in one line, and that each position is unfinished.
func FuzzReadPositions(f *testing.F) {
	f.Add("44 1\n# comment\n\n- -3\r\n4455\n")
	f.Add("\ufeff1 2 3\n")
	g, err := krow.Game("connect4")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := solve.ReadPositions(strings.NewReader(text), g.Start())
		switch {
		case err != nil && strings.ContainsAny(err.Error(), "\n\r"):
			t.Errorf("error %q", err)
		case err == nil && len(all) == 0:
			t.Error("no position and no error")
		}
	})
}
