// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/tt"
)

// resumer is a solver that can go on where another one stopped. Save writes what it has found out, of the position
// solved last above all; Load, in a new solver of the same game and the same size of table, reads it for p.
type resumer interface {
	Save(w io.Writer) error
	Load(p game.Position, r io.Reader) error
}

// unfinished is the first line of a file of unfinished work. What the solver saved follows, and the SHA-256 of all.
type unfinished struct {
	Krow     string `json:"krow"` // "solving"
	Version  int    `json:"version"`
	Game     string `json:"game"`
	Position string `json:"position"` // . X O for each cell, and who moves
	Weak     bool   `json:"weak"`
	Hash     int    `json:"hash"` // bytes of the table, as asked for
}

const unfinishedVersion = 2

// saveEvery is how long work usually goes on before what is known is written, should it be killed. With several threads
// there is a moment for it only when a bound has been improved.
const saveEvery = 5 * time.Minute

func (s *solving) unfinished(p game.Position, hash int) unfinished {
	u := unfinished{"solving", unfinishedVersion, p.Game().String(), "", s.weak, hash}
	for _, c := range p.(game.Board).Cells() {
		u.Position += string(".XO"[c])
	}
	u.Position += " " + p.Turn().String()
	return u
}

// saved reads the first line of a file of unfinished work; a file that does not exist is no error, and none.
func (s *solving) saved(ctx context.Context) (u *unfinished, err error) {
	f, err := openInput(ctx, s.resume)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	line, err := bufio.NewReaderSize(io.LimitReader(f, 1<<12), 1<<12).ReadBytes('\n')
	if errors.Is(err, errInterrupted) {
		return nil, err
	}
	if err != nil || json.Unmarshal(line, &u) != nil || u == nil || u.Krow != "solving" {
		return nil, fmt.Errorf("%s: this is no unfinished work of krow solve", s.resume)
	}
	if u.Version != unfinishedVersion {
		return nil, fmt.Errorf("%s: version %d of unfinished work is not %d, the one known here", s.resume, u.Version, unfinishedVersion)
	}
	if err := intact(f); err != nil {
		return nil, fmt.Errorf("%s: %w", s.resume, err)
	}
	if u.Hash < 1 || !tt.Available(u.Hash) {
		return nil, fmt.Errorf("%s: there is no memory for a table of %d bytes", s.resume, u.Hash)
	}
	return u, nil
}

var errDamaged = errors.New("the file is damaged")

// intact returns an error unless a file ends with the SHA-256 of what is before.
func intact(f *input) error {
	size, err := f.Seek(-sha256.Size, io.SeekEnd)
	if err != nil {
		return errDamaged
	}
	tail, err1 := io.ReadAll(io.LimitReader(f, sha256.Size))
	_, err2 := f.Seek(0, io.SeekStart)
	sum := sha256.New()
	_, err3 := io.CopyN(sum, f, size)
	if err := cmp.Or(err1, err2, err3); err != nil {
		return err
	}
	if !bytes.Equal(tail, sum.Sum(nil)) {
		return errDamaged
	}
	return nil
}

// load gives the solver what the file says of p.
func (s *solving) load(ctx context.Context, to resumer, p game.Position, u unfinished) error {
	if want := s.unfinished(p, u.Hash); u != want {
		return fmt.Errorf("%s: this is unfinished work on another position: %s, %s%s", s.resume, u.Game, u.Position,
			map[bool]string{true: ", --weak"}[u.Weak])
	}
	f, err := openInput(ctx, s.resume)
	if err != nil {
		return err
	}
	defer f.Close()
	in, sum := bufio.NewReader(f), sha256.New()
	both := io.TeeReader(in, sum)
	if _, err = in.ReadBytes('\n'); err == nil {
		head, _ := json.Marshal(u)
		sum.Write(append(head, '\n'))
		err = to.Load(p, both)
	}
	tail, _ := io.ReadAll(io.LimitReader(in, sha256.Size+1))
	if ctx.Err() != nil {
		return errInterrupted
	}
	if err != nil || !bytes.Equal(tail, sum.Sum(nil)) {
		return fmt.Errorf("%s: %w", s.resume, errDamaged)
	}
	return nil
}

// save writes the file.
func (s *solving) save(from resumer, u unfinished) error {
	return s.rest.Write(func(w io.Writer) error {
		sum := sha256.New()
		both := io.MultiWriter(w, sum)
		if err := printJSON(both, u); err != nil {
			return err
		}
		if err := from.Save(both); err != nil {
			return err
		}
		_, err := w.Write(sum.Sum(nil))
		return err
	})
}
