// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/wholefile"
)

// TestValuesPage: docs/values.md is made of docs/values.jsonl, of which every row has a certificate.
func TestValuesPage(t *testing.T) {
	rows, err := readValues(t.Context(), "../../docs/values.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Value == "" || r.Bytes == 0 {
			t.Errorf("%s: no value or no certificate: %+v", r.Game, r)
		}
	}
	var page bytes.Buffer
	if err := writeValues(&page, rows); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile("../../docs/values.md"); err != nil || !bytes.Equal(got, page.Bytes()) {
		t.Errorf("docs/values.md is not what krow values --results docs/values.jsonl prints (%v)", err)
	}
}

// cut is a solver whose time is up while it writes a certificate, or that has another reason to fail.
type cut struct {
	stop context.CancelFunc
	err  error
}

func (c cut) Certify(ctx context.Context, _ game.Position, _ io.Writer) error {
	if c.err != nil {
		return c.err
	}
	c.stop()
	return ctx.Err()
}

// TestCertify: what ends a certificate is told in words, and none is left behind.
func TestCertify(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	for _, tc := range []struct {
		c    cut
		want string
	}{
		{cut{err: errors.New("no such move")}, "no such move"},
		{cut{stop: stop}, "interrupted: the certificate is not finished"},
	} {
		dir := t.TempDir()
		f, err := wholefile.Open(filepath.Join(dir, "proof"))
		if err != nil {
			t.Fatal(err)
		}
		if err := certify(ctx, tc.c, nil, f); err == nil || err.Error() != tc.want {
			t.Errorf("got %v, want %s", err, tc.want)
		}
		f.Close()
		if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
			t.Errorf("there is %v, %v", left, err)
		}
	}
}

// TestParseValues: a row that krow cannot have written is refused, and so is never printed.
func TestParseValues(t *testing.T) {
	const row = `{"game":"tictactoe","value":"draw","nodes":331,"hash":"64M","threads":1,"solve_s":0,"write_s":0,"check_s":0,"steps":15,"bytes":184}`
	if rows, err := parseValues(strings.NewReader(row)); err != nil || len(rows) != 1 {
		t.Fatalf("%v, %v", rows, err)
	}
	for old, new := range map[string]string{
		`"draw"`: `"even"`, `"64M"`: `"| x |\n"`, `"threads":1`: `"threads":-5`, `"check_s":0`: `"check_s":-1e300`,
		`184`: `-1`, `331`: `-1`, `tictactoe`: `mnk:3,3`, `"steps"`: `"stairs"`, `}`: `} x`,
	} {
		if rows, err := parseValues(strings.NewReader(strings.Replace(row, old, new, 1))); err == nil {
			t.Errorf("%s: read as %v", new, rows)
		}
	}
}

// TestSaveWithThreads: the table is written when one thread has come with a new bound, not while the others work.
func TestSaveWithThreads(t *testing.T) {
	g, err := catalog.Game("connect4:4x4")
	if err != nil {
		t.Fatal(err)
	}
	solver, err := solverOf(g, solveOptions{threads: 2, hash: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := solving{threads: 2, resume: filepath.Join(t.TempDir(), "part"), saveEvery: 1}
	if s.rest, err = wholefile.Open(s.resume); err != nil {
		t.Fatal(err)
	}
	defer s.rest.Close()
	report := s.progress(nil, solver, g.Start(), time.Now().Add(-time.Hour))
	for i, known := range []string{"-5 to 5", "-5 to 5", "-5 to 0"} {
		report(solution{Known: known})
		if _, err := os.Stat(s.resume); (err == nil) != (i == 2) {
			t.Errorf("report %d: %v", i, err)
		}
	}
}
