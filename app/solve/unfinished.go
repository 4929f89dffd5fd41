// SPDX-License-Identifier: Apache-2.0

package solve

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/krow-lab/krow/game"
)

// Unfinished is an open file of unfinished work that Save has written. The file consists of:
//
//	header    one line of JSON: the game, the position and the options
//	engine    the work of the engine, in its own format
//	checksum  SHA-256 of the above, 32 bytes
type Unfinished struct {
	header
	known io.Reader // reads the part of the file that contains the engine's work
}

type header struct {
	Krow     string `json:"krow"` // always "solving"
	Version  int    `json:"version"`
	Game     string `json:"game"`
	Position string `json:"position"` // a character . X or O for each cell, and the side to move
	Weak     bool   `json:"weak"`
	Hash     int    `json:"hash"` // as Options.Hash
}

// The version of a file depends on the engine that wrote the file: zoneEngine writes zonesVersion, the engine of type rows
// writes turnsVersion, and every other engine writes unfinishedVersion. The files of zoneEngine and of rows also contain the
// work on answers to the first move of a game, if these answers are not yet proved to lose.
const unfinishedVersion, zonesVersion, turnsVersion = 2, 4, 5

var errDamaged = errors.New("the file is damaged")

func (s *Solver) header(p game.Position) header {
	h := header{"solving", unfinishedVersion, p.Game().String(), "", s.o.Weak, s.o.Hash}
	h.Version = cmp.Or(s.e.about().version, unfinishedVersion)
	for _, c := range p.(game.Board).Cells() {
		h.Position += string(".XO"[c])
	}
	h.Position += " " + p.Turn().String()
	return h
}

// Save writes the work on p, which must be the position of the last call of Solve.
func (s *Solver) Save(p game.Position, w io.Writer) error {
	sum := sha256.New()
	both := io.MultiWriter(w, sum)
	if err := json.NewEncoder(both).Encode(s.header(p)); err != nil {
		return err
	}
	if err := s.e.(resumer).save(both); err != nil {
		return err
	}
	_, err := w.Write(sum.Sum(nil))
	return err
}

// ReadUnfinished reads the header of a file that Save has written, and checks the checksum. Resume reads the work that follows
// the header from f, so f must stay open.
func ReadUnfinished(f io.ReadSeeker) (*Unfinished, error) {
	line, err := bufio.NewReader(io.LimitReader(f, 1<<12)).ReadBytes('\n')
	var u Unfinished
	if err != nil || json.Unmarshal(line, &u.header) != nil || u.Krow != "solving" {
		return nil, errors.New("not a file of unfinished work from krow solve")
	}
	if u.Version < unfinishedVersion || u.Version > turnsVersion {
		return nil, fmt.Errorf("the file of unfinished work has version %d; this krow reads versions %d to %d", u.Version, unfinishedVersion, turnsVersion)
	}
	size, err := f.Seek(-sha256.Size, io.SeekEnd)
	if first, _ := json.Marshal(u.header); err != nil || size < int64(len(line)) || !bytes.Equal(append(first, '\n'), line) {
		return nil, errDamaged
	}
	sum, want := sha256.New(), make([]byte, sha256.Size)
	_, err1 := io.ReadFull(f, want)
	_, err2 := f.Seek(0, io.SeekStart)
	_, err3 := io.CopyN(sum, f, size)
	_, err4 := f.Seek(int64(len(line)), io.SeekStart)
	if err := cmp.Or(err1, err2, err3, err4); err != nil {
		return nil, err
	}
	if !bytes.Equal(want, sum.Sum(nil)) {
		return nil, errDamaged
	}
	u.known = io.LimitReader(f, size-int64(len(line)))
	return &u, nil
}

// keepsTable reports whether the solver that continues the work must have a table of the saved size. It must in Connect
// Four, where the keys in the table depend on the size.
func (u *Unfinished) keepsTable() bool { return strings.HasPrefix(u.Game, "connect4") }

// Table returns the Options.Hash for the Solver that continues the work. It is the size asked, if asked is not 0 and the game
// allows a different size of the table; otherwise it is the saved size. It returns an error if that table does not fit into
// memory.
func (u *Unfinished) Table(asked int) (int, error) {
	switch {
	case u.Hash < 1: // the file is damaged
	case asked != 0 && !u.keepsTable():
		return asked, nil
	case (Options{Hash: u.Hash}).HashFits():
		return u.Hash, nil
	case !u.keepsTable():
		return 0, fmt.Errorf("not enough memory for the saved table of %d bytes: choose a smaller table to continue the work", u.Hash)
	}
	return 0, fmt.Errorf("not enough memory for a table of %d bytes", u.Hash)
}

// Resume loads the work of u into the Solver. It returns an error if the work is not on the position p.
func (s *Solver) Resume(p game.Position, u *Unfinished) error {
	want := s.header(p)
	if u.Version != want.Version {
		return fmt.Errorf("the file of unfinished work has version %d for %s; this krow reads version %d", u.Version, want.Game, want.Version)
	}
	if !u.keepsTable() {
		want.Hash = u.Hash
	}
	if u.header != want {
		return fmt.Errorf("the file contains unfinished work on another position: %s, %s%s", u.Game, u.Position, map[bool]string{true: ", weak"}[u.Weak])
	}
	in := bufio.NewReader(u.known)
	if err := s.e.(resumer).load(p, in, u.Hash); err != nil {
		return errDamaged
	}
	if _, err := in.ReadByte(); err != io.EOF {
		return errDamaged
	}
	return nil
}
