// SPDX-License-Identifier: Apache-2.0

// Package proof writes and checks certificates: files that say what a position is worth and let anyone who knows
// nothing but the rules see that it is so.
//
// # Basics
//
//	r, err := proof.Verify(ctx, file)
//	fmt.Println(r.Claim.Value, r.Positions)
//
// # How it works
//
// A certificate holds the moves of the side that gets its way, and nothing else: in the order in which a
// walk through all answers of the other side first meets the positions that need one. Writing and checking are
// the same walk; one asks a solver for the moves and the other reads them. Whatever the moves are, a walk that
// comes to its end has proved its claim. docs/formats/certificate.md has the format, and the arguments on which
// the walk leaves answers out. The checker is certificate.go, board.go and walk.go, and imports nothing but
// the names of the sides.
//
// # Caveats
//
// A proof is of win, draw or loss; not of how many plies it takes. Positions met are kept while the walk lasts,
// in some 100 bytes each.
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
	"strings"

	"github.com/krow-lab/krow/game"
)

// Version is the version of the format.
const Version = 2

// Claim is what a certificate says, and begins with: the position and its value for the side to move.
type Claim struct {
	Krow    string `json:"krow"` // "certificate"
	Version int    `json:"version"`
	Columns int    `json:"columns"`
	Rows    int    `json:"rows"`
	K       int    `json:"k"`
	Gravity bool   `json:"gravity"`
	Cells   string `json:"cells"`  // . X or O for each, cell 0 first
	Turn    string `json:"turn"`   // first (X) or second (O)
	Value   string `json:"value"`  // win, draw or loss
	Search  int    `json:"search"` // where stones fall: positions that a search for moves not written may enter
}

// Result is what was verified.
type Result struct {
	Claim     Claim
	Positions uint64 // different ones that needed a move
	Bytes     int64  // of the file
}

// The most that a certificate may ask for.
const maxCells, maxSearch = 128, 100_000

// ErrDamaged is returned by Verify for a file whose checksum is not that of its contents.
var ErrDamaged = errors.New("the certificate is damaged: its checksum is wrong")

// ErrShort is returned by Verify when moves are missing.
var ErrShort = errors.New("the certificate ends before its proof does")

// board returns the position of the claim and the side to move, or an error that says why there is none.
func (c *Claim) board() (*board, game.Side, error) {
	turn, known := map[string]game.Side{"first": game.First, "second": game.Second}[c.Turn]
	cells := c.Columns * c.Rows
	for _, bad := range []struct {
		is  bool
		why string
	}{
		{c.Krow != "certificate", "this is no certificate"},
		{c.Version != Version, fmt.Sprintf("version %d of certificates is not %d, the one known here", c.Version, Version)},
		{min(c.Columns, c.Rows, c.K) < 1 || max(c.Columns, c.Rows, c.K, cells) > maxCells, fmt.Sprintf("there is no board for %d,%d,%d", c.Columns, c.Rows, c.K)},
		{len(c.Cells) != cells, fmt.Sprintf("%d cells for a board of %d", len(c.Cells), cells)},
		{!known, fmt.Sprintf("turn is first or second, not %q", c.Turn)},
		{c.Value != "win" && c.Value != "draw" && c.Value != "loss", fmt.Sprintf("a value is win, draw or loss, not %q", c.Value)},
		{c.Search < 0 || c.Search > maxSearch, fmt.Sprintf("a search tries 0 to %d moves, not %d", maxSearch, c.Search)},
	} {
		if bad.is {
			return nil, 0, errors.New(bad.why)
		}
	}
	b := newBoard(c.Columns, c.Rows, c.K, c.Gravity)
	for i, stone := range []byte(c.Cells) {
		switch s := strings.IndexByte("XO", stone); {
		case s >= 0 && c.Gravity && i >= c.Columns && c.Cells[i-c.Columns] == '.':
			return nil, 0, fmt.Errorf("the stone on cell %d has nothing under it", i)
		case s >= 0:
			b.stones[s] = b.stones[s].or(one(i))
		case stone != '.':
			return nil, 0, fmt.Errorf("cell %d holds %q, which is no stone", i, stone)
		}
	}
	if b.free().empty() || b.won() {
		return nil, 0, errors.New("the game of the certificate is over")
	}
	return b, turn, nil
}

// parts returns what has to be proved for the value: who wins, or of a draw that neither loses.
func (c *Claim) parts(turn game.Side) []part {
	switch c.Value {
	case "win":
		return []part{{hero: turn, wins: true}}
	case "loss":
		return []part{{hero: turn.Other(), wins: true}}
	}
	return []part{{hero: turn.Other()}, {hero: turn}}
}

// The byte before each part says how it is proved.
const (
	strong byte = iota // by moves
	weak               // by moves of hero, who only breaks
	stolen             // who moves first on an empty board could take over what would beat him: he does not lose
)

// Verify checks a certificate from its beginning to its end. An error says in one line why it is refused, or is
// that of ctx.
func Verify(ctx context.Context, r io.ReadSeeker) (res Result, err error) {
	if res.Bytes, err = checkSum(r); err != nil {
		return res, err
	}
	file := bufio.NewReader(io.LimitReader(r, res.Bytes-sha256.Size))
	head, err := file.ReadSlice('\n')
	if err != nil {
		return res, errors.New("this is no certificate: its first line does not end")
	}
	d := json.NewDecoder(bytes.NewReader(head))
	d.DisallowUnknownFields()
	if err := d.Decode(&res.Claim); err != nil {
		return res, fmt.Errorf("the first line of the certificate: %w", err)
	}
	b, turn, err := res.Claim.board()
	if err != nil {
		return res, err
	}
	body := bufio.NewReader(flate.NewReader(file))
	for _, p := range res.Claim.parts(turn) {
		n, err := checkPart(ctx, body, &walker{board: b, part: p, bound: res.Claim.Search, seen: map[[6]uint64]struct{}{}}, turn)
		res.Positions += n
		if err != nil {
			return res, err
		}
	}
	if _, err := body.ReadByte(); err != io.EOF {
		return res, errors.New("the certificate goes on after its end")
	}
	if _, err := file.ReadByte(); err != io.EOF {
		return res, errors.New("something stands between the certificate and its checksum")
	}
	return res, nil
}

// checkSum compares the last bytes of a file with the sum of all before, and returns its size.
func checkSum(r io.ReadSeeker) (int64, error) {
	size, err := r.Seek(-sha256.Size, io.SeekEnd)
	sum, want := sha256.New(), make([]byte, sha256.Size)
	_, err1 := io.ReadFull(r, want)
	_, err2 := r.Seek(0, io.SeekStart)
	_, err3 := io.CopyN(sum, r, max(size, 0))
	if cmp.Or(err, err1, err2, err3) != nil || !bytes.Equal(sum.Sum(nil), want) {
		return 0, ErrDamaged
	}
	_, err = r.Seek(0, io.SeekStart)
	return size + sha256.Size, err
}

// checkPart checks a part and returns how many positions needed a move.
func checkPart(ctx context.Context, r io.ByteReader, w *walker, turn game.Side) (uint64, error) {
	kind, err := r.ReadByte()
	if err != nil {
		return 0, ErrShort
	}
	w.weak = kind == weak
	w.next = func(*walker) (int, error) {
		c, err := r.ReadByte()
		if err != nil {
			return 0, ErrShort
		}
		return int(c), ctx.Err()
	}
	switch {
	case kind == strong, kind == weak && !w.wins && !w.falls:
		if err = w.run(turn); err != nil && err != ErrShort {
			err = fmt.Errorf("position %d: %w", w.positions, err)
		}
	case kind == stolen && !w.wins && !w.falls && w.hero == turn && w.stones == [2]set{}:
	default:
		err = fmt.Errorf("a part of kind %d has no place here", kind)
	}
	return w.positions, err
}
