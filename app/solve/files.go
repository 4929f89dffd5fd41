// SPDX-License-Identifier: Apache-2.0

package solve

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/atomicfile"
	"github.com/krow-lab/krow/internal/inputfile"
	"github.com/krow-lab/krow/proof"
)

// Files are the files of the proof of one position. While they are open, no other process can write them.
type Files struct {
	Certificate string        // the file of the certificate, or "" for none
	Unfinished  string        // the file of the unfinished work, or "" for none
	Every       time.Duration // the interval at which unfinished work is saved

	s          *Solver
	p          game.Position
	proof      *atomicfile.File
	unfinished *atomicfile.File
}

// Table returns the size of the table for a solver that continues the unfinished work, as [Unfinished.Table] does. If there is
// no unfinished work, it returns the usual size.
func (f *Files) Table(ctx context.Context, asked, usual int) (size int, err error) {
	size = usual
	err = f.read(ctx, func(u *Unfinished) (err error) {
		size, err = u.Table(asked)
		return err
	})
	return size, err
}

// Open locks the files, and lets s continue the unfinished work on p. It returns an error if the files cannot be written. It is
// called before s begins, because solving may take hours. Afterwards s saves its unfinished work from time to time.
func (f *Files) Open(ctx context.Context, s *Solver, p game.Position) (err error) {
	f.s, f.p = s, p
	if l, lined := p.(game.Lined); lined && f.Certificate != "" && p.Outcome() == game.Ongoing {
		err = proof.Writable(l)
	}
	if err == nil && f.Certificate != "" && f.Certificate != "-" {
		f.proof, err = atomicfile.Open(f.Certificate)
	}
	if err != nil || f.Unfinished == "" {
		return err
	}
	if f.unfinished, err = atomicfile.Open(f.Unfinished); err != nil {
		return err
	}
	saved := time.Now()
	s.Keep = func() {
		if time.Since(saved) > f.Every {
			saved = time.Now()
			_ = f.Save() // the error is ignored, because the next call also saves this work
		}
	}
	// The work is read only now, because another process may have written it before the file was locked.
	return f.read(ctx, func(u *Unfinished) error { return s.Resume(p, u) })
}

// Close unlocks the files.
func (f *Files) Close() {
	for _, open := range []*atomicfile.File{f.proof, f.unfinished} {
		if open != nil {
			open.Close()
		}
	}
}

// read reads the unfinished work, if there is any, and calls use with it.
func (f *Files) read(ctx context.Context, use func(*Unfinished) error) error {
	if _, err := os.Stat(f.Unfinished); f.Unfinished == "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return inputfile.Read(ctx, f.Unfinished, func(in *inputfile.File) error {
		u, err := ReadUnfinished(in)
		if err != nil {
			return err
		}
		return use(u)
	})
}

// Save writes the unfinished work to its file, if there is such a file.
func (f *Files) Save() error {
	if f.unfinished == nil {
		return nil
	}
	return f.unfinished.Write(func(w io.Writer) error { return f.s.Save(f.p, w) })
}

// Certify writes the certificate, if one is wanted. If the name of its file is -, it writes the certificate to w. The
// certificate depends on the solver's table, which solving a position changes. Therefore Certify is called before the solver
// solves another position, so that the same arguments always lead to the same certificate.
func (f *Files) Certify(ctx context.Context, w io.Writer) error {
	write := func(w io.Writer) error { return f.s.Certify(ctx, f.p, w) }
	switch {
	case f.proof != nil:
		return f.proof.Write(write)
	case f.Certificate != "":
		return write(w)
	}
	return nil
}
