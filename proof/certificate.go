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
// the walk leaves answers out.
//
// # Caveats
//
// A proof is of win, draw or loss; not of how many plies it takes. Positions met are kept while the walk lasts,
// in some 100 bytes each.
package proof

import (
	"bufio"
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/krow-lab/krow/game"
)

// Version is the version of the format.
const Version = 1

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
	Search  int    `json:"search"` // how many moves the checker may have to try to find those not written
}

// The most that a certificate may ask for.
const (
	maxCells  = 128
	maxSearch = 100_000
	maxHeader = 4096
)

// These errors can be returned by Verify; the others say what is wrong with the proof.
var (
	// ErrDamaged is returned for a file whose checksum is not that of its contents.
	ErrDamaged = errors.New("the certificate is damaged: its checksum is wrong")
	// ErrShort is returned when moves are missing.
	ErrShort = errors.New("the certificate ends before its proof does")
)

// String returns the claim in words.
func (c Claim) String() string {
	name := fmt.Sprintf("%d columns, %d rows, %d in a row", c.Columns, c.Rows, c.K)
	if c.Gravity {
		name += ", falling stones"
	}
	return fmt.Sprintf("%s: a %s for the %s side, which is to move", name, c.Value, c.Turn)
}

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
	case c.Search < 0 || c.Search > maxSearch:
		return nil, 0, fmt.Errorf("a search tries 0 to %d moves, not %d", maxSearch, c.Search)
	}
	b := newBoard(c.Columns, c.Rows, c.K, c.Gravity)
	for i := range cells {
		switch c.Cells[i] {
		case '.':
			continue
		case 'X':
			b.stones[game.First].add(i)
		case 'O':
			b.stones[game.Second].add(i)
		default:
			return nil, 0, fmt.Errorf("cell %d holds %q, which is no stone", i, c.Cells[i])
		}
		if c.Gravity && i >= c.Columns && c.Cells[i-c.Columns] == '.' {
			return nil, 0, fmt.Errorf("the stone on cell %d has nothing under it", i)
		}
	}
	if b.won(game.First) || b.won(game.Second) || b.free() == (set{}) {
		return nil, 0, errors.New("the game of the certificate is over")
	}
	return b, turn, nil
}

// parts returns what has to be proved for the value: who wins, or of a draw that neither loses.
func (c *Claim) parts(turn game.Side) ([]part, error) {
	switch c.Value {
	case "win":
		return []part{{hero: turn, wins: true}}, nil
	case "loss":
		return []part{{hero: turn.Other(), wins: true}}, nil
	case "draw":
		return []part{{hero: turn.Other()}, {hero: turn}}, nil
	}
	return nil, fmt.Errorf("a value is win, draw or loss, not %q", c.Value)
}

// The byte before each part says how it is proved.
const (
	strong byte = iota // by moves
	weak               // by moves of hero, who only breaks
	stolen             // who moves first on an empty board could take over what would beat him: he does not lose
)

// Result is what was verified.
type Result struct {
	Claim     Claim
	Positions uint64 // different ones that needed a move
	Bytes     int64  // of the file
}

// Verify checks a certificate from its beginning to its end. An error says in one line why it is refused, or is
// that of ctx.
func Verify(ctx context.Context, r io.ReadSeeker) (res Result, err error) {
	if res.Bytes, err = checkSum(r); err != nil {
		return res, err
	}
	file := bufio.NewReader(io.LimitReader(r, res.Bytes-sha256.Size))
	head, err := readHeader(file)
	if err != nil {
		return res, err
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
	parts, err := res.Claim.parts(turn)
	if err != nil {
		return res, err
	}
	body := &reader{bufio.NewReader(flate.NewReader(file)), ctx}
	for _, p := range parts {
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
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	sum, want := sha256.New(), make([]byte, sha256.Size)
	if _, err := io.CopyN(sum, r, size-sha256.Size); err != nil || size < sha256.Size {
		return 0, ErrDamaged
	}
	if _, err := io.ReadFull(r, want); err != nil || !bytes.Equal(sum.Sum(nil), want) {
		return 0, ErrDamaged
	}
	_, err = r.Seek(0, io.SeekStart)
	return size, err
}

// readHeader returns the first line.
func readHeader(r *bufio.Reader) ([]byte, error) {
	for head := []byte(nil); len(head) < maxHeader; {
		c, err := r.ReadByte()
		if err != nil || c == '\n' {
			return head, err
		}
		head = append(head, c)
	}
	return nil, errors.New("this is no certificate: its first line does not end")
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
	if c.falls() && kind == strong {
		f := newFalling(c, p.wins)
		f.next = func(uint64, uint64) (int, error) { return r.step(nil) }
		err := f.run(c, p.hero)
		return f.positions, err
	}
	p.weak = kind == weak
	w := newWalker(b, p, c.Search, r.step)
	switch {
	case kind == strong, kind == weak && !p.wins:
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
