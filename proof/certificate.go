// SPDX-License-Identifier: Apache-2.0

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
	switch {
	case c.Krow != "certificate":
		return nil, 0, errors.New("this is no certificate")
	case c.Version != Version:
		return nil, 0, fmt.Errorf("version %d of certificates is not %d, the one known here", c.Version, Version)
	case min(c.Columns, c.Rows, c.K) < 1 || max(c.Columns, c.Rows, c.K, cells) > maxCells:
		return nil, 0, fmt.Errorf("there is no board for %d,%d,%d", c.Columns, c.Rows, c.K)
	case len(c.Cells) != cells:
		return nil, 0, fmt.Errorf("%d cells for a board of %d", len(c.Cells), cells)
	case !known:
		return nil, 0, fmt.Errorf("turn is first or second, not %q", c.Turn)
	case c.Value != "win" && c.Value != "draw" && c.Value != "loss":
		return nil, 0, fmt.Errorf("a value is win, draw or loss, not %q", c.Value)
	case c.Gravity && !c.falls():
		return nil, 0, errors.New("a board with falling stones has up to 64 cells, a row to spare on top included")
	case c.Search < 0 || c.Search > maxSearch:
		return nil, 0, fmt.Errorf("a search tries 0 to %d moves, not %d", maxSearch, c.Search)
	}
	b := newBoard(c.Columns, c.Rows, c.K)
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
	over := b.all == b.stones[0].or(b.stones[1])
	for _, l := range b.lines {
		over = over || l.minus(b.stones[0]).empty() || l.minus(b.stones[1]).empty()
	}
	if over {
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

// search is the step that leaves it to the checker to find hero's moves from here to the end, where stones fall.
const search = 0xff

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
	body := &reader{bufio.NewReader(flate.NewReader(file)), ctx}
	for _, p := range res.Claim.parts(turn) {
		n, err := body.part(b, p, turn, &res.Claim)
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

// reader reads what comes after the first line.
type reader struct {
	*bufio.Reader
	ctx context.Context
}

// part checks a part and returns how many positions needed a move.
func (r *reader) part(b *board, p part, turn game.Side, c *Claim) (uint64, error) {
	kind, err := r.ReadByte()
	if err != nil {
		return 0, ErrShort
	}
	p.weak = kind == weak
	w := &walker{board: b, part: p, next: r.step, seen: map[[6]uint64]struct{}{}}
	switch {
	case kind == strong && c.Gravity:
		f := newFalling(c, p.wins)
		f.next = func(uint64, uint64) (int, error) { return r.step(nil) }
		err = f.run(c, p.hero)
		return f.positions, err
	case kind == strong, kind == weak && !p.wins && !c.Gravity:
		err = w.run(turn)
	case kind == stolen && !p.wins && !c.Gravity && p.hero == turn && b.stones == [2]set{}:
	default:
		err = fmt.Errorf("a part of kind %d has no place here", kind)
	}
	return w.positions, err
}

// step reads a step.
func (r *reader) step(*walker) (int, error) {
	c, err := r.ReadByte()
	if err != nil {
		return 0, ErrShort
	}
	return int(c), r.ctx.Err()
}
