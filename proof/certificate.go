// SPDX-License-Identifier: Apache-2.0

// Package proof writes and checks certificates: files that prove the value of a position to anyone who knows the rules.
//
// # Basics
//
//	r, err := proof.Verify(ctx, file)
//	fmt.Println(r.Claim.Value, r.Positions)
//
// # How it works
//
// A certificate holds the moves of the side that gets its way, and nothing else. They stand in the order in which a walk
// through all answers of the other side first meets the positions that need a move. Writing and checking are the same walk:
// one asks a solver for the moves, the other reads them. Whatever the moves are, a walk that comes to its end has proved
// the claim. docs/reference/formats/certificate.md has the format, and the arguments by which the walk leaves answers out. The checker
// is certificate.go, board.go and walk.go, and imports nothing of krow.
//
// # Caveats
//
// A proof is of win, draw or loss, not of a number of plies. The walk keeps the positions it meets, about 100 bytes each.
package proof

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Version is the version of the format.
const Version = 2

// Claim is the first line of a certificate: a position and its value for the side to move.
type Claim struct {
	Krow    string `json:"krow"` // "certificate"
	Version int    `json:"version"`
	Columns int    `json:"columns"`
	Rows    int    `json:"rows"`
	K       int    `json:"k"`
	Gravity bool   `json:"gravity"`
	Cells   string `json:"cells"`  // . X or O for each, cell 0 first
	Turn    string `json:"turn"`   // first (X) or second (O)
	Value   string `json:"value"`  // loss, draw or win
	Search  int    `json:"search"` // where stones fall: positions that a search for a move not written may enter
}

// Result is what was verified.
type Result struct {
	Claim     Claim
	Positions uint64 // different ones that needed a move
	Bytes     int64  // of the file
}

// The most that a certificate may ask for.
const maxCells, maxSearch = 128, 100_000

// These errors can be returned by Verify.
var (
	// ErrDamaged is returned for a file that does not end with the checksum of its contents.
	ErrDamaged = errors.New("the certificate is damaged, or this is none: its checksum is wrong")
	// ErrShort is returned when moves are missing.
	ErrShort = errors.New("the certificate ends before its proof does")

	errTaken   = errors.New("its move cannot be played")
	errRefuted = errors.New("hero does not get his way")
)

// parts are what has to be proved for a value of the side to move, 0: that a side wins, or for a draw that no side loses.
var parts = map[string][]part{
	"win":  {{hero: 0, wins: true}},
	"draw": {{hero: 1}, {hero: 0}},
	"loss": {{hero: 1, wins: true}},
}

// board returns the position of the claim, or an error that says why there is none.
func (c *Claim) board() (*board, error) {
	turn, known := map[string]int{"first": 0, "second": 1}[c.Turn]
	switch {
	case c.Krow != "certificate" || c.Version != Version:
		return nil, fmt.Errorf("this is version %d of %q: known here is version %d of certificates", c.Version, c.Krow, Version)
	case min(c.Columns, c.Rows, c.K) < 1 || max(c.Columns, c.Rows, c.K, len(c.Cells)) > maxCells || c.Columns*c.Rows != len(c.Cells):
		return nil, fmt.Errorf("there is no board for %d,%d,%d of %d cells", c.Columns, c.Rows, c.K, len(c.Cells))
	case !known || parts[c.Value] == nil:
		return nil, fmt.Errorf("a value is win, draw or loss for first or second, not %q for %q", c.Value, c.Turn)
	case c.Search < 0 || c.Search > maxSearch:
		return nil, fmt.Errorf("a search tries 0 to %d moves, not %d", maxSearch, c.Search)
	}
	b, over := newBoard(c.Columns, c.Rows, c.K, c.Gravity), false
	for i, stone := range []byte(c.Cells) {
		switch s := bytes.IndexByte([]byte("XO"), stone); {
		case stone == '.':
		case s < 0 || !b.free.has(i):
			return nil, fmt.Errorf("cell %d cannot hold %q", i, stone)
		default:
			over = over || b.gaps[s^turn].has(i)
			b.put(s^turn, i)
		}
	}
	if over || b.free.empty() {
		return nil, errors.New("the game of the certificate is over")
	}
	return b, nil
}

// The byte before each part says how it is proved.
const (
	strong = iota // by moves
	weak          // by moves of hero, who only breaks lines
	stolen        // by an argument: who moves first on an empty board does not lose, as he could take over a strategy that wins
)

// Verify checks a whole certificate. An error says in one line why the certificate is refused, or is that of ctx.
func Verify(ctx context.Context, r io.ReadSeeker) (res Result, err error) {
	size, _ := r.Seek(-sha256.Size, io.SeekEnd)
	want, err1 := io.ReadAll(io.LimitReader(r, sha256.Size))
	_, err2 := r.Seek(0, io.SeekStart)
	sum := sha256.New()
	_, err3 := io.CopyN(sum, r, size)
	_, err4 := r.Seek(0, io.SeekStart)
	if err := cmp.Or(err1, err2, err3, err4); err != nil || !bytes.Equal(want, sum.Sum(nil)) {
		return res, cmp.Or(err, ErrDamaged)
	}
	res.Bytes = size + sha256.Size
	file := bufio.NewReader(io.LimitReader(r, size))
	head, _ := file.ReadSlice('\n')
	if err := json.Unmarshal(head, &res.Claim); err != nil {
		return res, fmt.Errorf("the first line of the certificate: %w", err)
	}
	b, err := res.Claim.board()
	if err != nil {
		return res, err
	}
	if line, _ := json.Marshal(res.Claim); string(head) != string(line)+"\n" {
		return res, fmt.Errorf("the first line of the certificate is not %s", line)
	}
	body := bufio.NewReader(flate.NewReader(file))
	next := func(*walker) (int, error) {
		c, err := body.ReadByte()
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			err = ErrShort
		}
		return int(c), cmp.Or(ctx.Err(), err)
	}
	for _, p := range parts[res.Claim.Value] {
		w := &walker{board: *b, next: next, seen: map[[4]uint64]bool{}, bound: res.Claim.Search, left: -1}
		if err := w.check(p); err != nil {
			return res, fmt.Errorf("position %d: %w", len(w.seen), err)
		}
		res.Positions += uint64(len(w.seen))
	}
	_, err = body.ReadByte()
	if _, err2 := file.ReadByte(); err != io.EOF || err2 != io.EOF {
		return res, errors.New("the certificate does not end where its proof does")
	}
	return res, nil
}

// check reads how a part is proved, and walks through it.
func (w *walker) check(p part) error {
	w.part = p
	kind, err := w.next(w)
	switch {
	case err != nil:
		return err
	case kind == stolen && !w.wins && !w.falls && w.hero == 0 && w.stones == [2]set{}:
		return nil
	case kind == weak && !w.wins && !w.falls:
		w.weak, w.gaps[w.hero] = true, set{}
	case kind != strong:
		return fmt.Errorf("a part of kind %d has no place here", kind)
	}
	return w.walk(0)
}
