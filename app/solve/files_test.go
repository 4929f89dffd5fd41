// SPDX-License-Identifier: Apache-2.0

package solve_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/solve"
	"github.com/krow-lab/krow/internal/atomicfile"
	"github.com/krow-lab/krow/proof"
)

// Open files are locked. Work that was saved continues with a table of its size, and a certificate that was written is valid.
func TestFiles(t *testing.T) {
	g, err := krow.Game("mnk:4,4,3")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files := solve.Files{Certificate: filepath.Join(dir, "proof"), Unfinished: filepath.Join(dir, "part"), Every: time.Hour}
	const saved, usual = 2 << 20, 1 << 20
	for _, want := range []int{usual, saved} {
		f := files
		size, err := f.Table(t.Context(), 0, usual)
		if err != nil || size != want {
			t.Fatalf("Table = %d, %v, want %d", size, err, want)
		}
		s, err := solve.New(g, solve.Options{Hash: saved})
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Open(t.Context(), s, g.Start()); err != nil {
			t.Fatal(err)
		}
		second := files
		if err := second.Open(t.Context(), s, g.Start()); !errors.Is(err, atomicfile.ErrBusy) {
			t.Errorf("a second Open returned %v, want ErrBusy", err)
		}
		if _, err := s.Solve(t.Context(), g.Start(), nil); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(f.Certify(t.Context(), nil), f.Save()); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	v, err := solve.VerifyFile(t.Context(), files.Certificate, proof.Limits{}, false)
	if err != nil || v.Claim.Value != "win" {
		t.Errorf("the certificate proves %q, %v, want a win", v.Claim.Value, err)
	}
	if all, _ := os.ReadDir(dir); len(all) != 2 {
		t.Errorf("after Close the folder contains %d files, want 2", len(all))
	}
}
