// SPDX-License-Identifier: Apache-2.0

// Package proof writes and checks certificates: files that say what a position is worth and let anyone who knows
// nothing but the rules see that it is so.
//
// # Basics
//
//	r, err := proof.Verify(file)
//	fmt.Println(r.Claim.Value, r.Positions)
//
// # How it works
//
// A certificate holds the moves of the side that gets its way, and nothing else: in the order in which a
// walk through all answers of the other side first meets the positions that need one. Writing and checking are
// the same walk; one asks a solver for the moves and the other reads them. Whatever the moves are, a walk that
// comes to its end has proved its claim.
//
// # Caveats
//
// Positions met are kept while the walk lasts, some 100 bytes each. The size of the file is docs/formats/certificate.md's
// matter.
package proof

import (
	"bufio"
	"bytes"
	"compress/flate"
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
	Gravity bool   `json:"gravity,omitempty"`
	Cells   string `json:"cells"` // . X or O for each, cell 0 first
	Turn    string `json:"turn"`  // first (X) or second (O)
	Value   string `json:"value"` // win, draw or loss
	Fours   int    `json:"fours"` // how many positions the checker looks at in search of a win by fours
}

// The most that a certificate may ask for.
const (
	maxCells  = 128
	maxFours  = 10_000
	maxHeader = 4096
)

// ErrDamaged is returned for a file whose checksum is not that of its contents.
var ErrDamaged = errors.New("the certificate is damaged: its checksum is wrong")

// String returns the claim in words.
func (c Claim) String() string {
	family := "mnk"
	if c.Gravity {
		family = "falling"
	}
	return fmt.Sprintf("%s:%d,%d,%d: a %s for the %s player, who is to move", family, c.Columns, c.Rows, c.K, c.Value, c.Turn)
}

// board returns the board of the claim and the side to move, or an error that says why there is no such position.
func (c *Claim) board() (*board, game.Side, error) {
	switch {
	case c.Krow != "certificate":
		return nil, 0, errors.New("this is no certificate")
	case c.Version != Version:
		return nil, 0, fmt.Errorf("version %d of certificates is not %d, the one known here", c.Version, Version)
	case c.Columns < 1 || c.Rows < 1 || c.Columns > maxCells || c.Rows > maxCells || c.Columns*c.Rows > maxCells || c.K < 1 || c.K > maxCells:
		return nil, 0, fmt.Errorf("there is no board for %d,%d,%d", c.Columns, c.Rows, c.K)
	case len(c.Cells) != c.Columns*c.Rows:
		return nil, 0, fmt.Errorf("%d cells for a board of %d", len(c.Cells), c.Columns*c.Rows)
	case c.Turn != "first" && c.Turn != "second":
		return nil, 0, fmt.Errorf("%q is not whose turn it is", c.Turn)
	case c.Value != "win" && c.Value != "draw" && c.Value != "loss":
		return nil, 0, fmt.Errorf("%q is no value", c.Value)
	case c.Fours < 0 || c.Fours > maxFours:
		return nil, 0, fmt.Errorf("a search for fours looks at 0 to %d positions, not %d", maxFours, c.Fours)
	}
	b := newBoard(c.Columns, c.Rows, c.K, c.Gravity)
	for i := range len(c.Cells) {
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
		return nil, 0, errors.New("the game is over")
	}
	turn := game.First
	if c.Turn == "second" {
		turn = game.Second
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

// The byte before each part.
const (
	strong = iota // the game itself
	weak          // hero only breaks
	stolen        // the one to move on an empty board does not lose: he could take over the other's strategy
)

// Result is what was verified.
type Result struct {
	Claim     Claim
	Positions uint64 // different ones that needed a move
	Bytes     int64
}

// Verify checks a certificate from its beginning to its end. An error says in one line why it is refused.
func Verify(r io.ReadSeeker) (Result, error) {
	size, err := checkSum(r)
	if err != nil {
		return Result{}, err
	}
	res := Result{Bytes: size}
	file := bufio.NewReader(io.LimitReader(r, size-sha256.Size))
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
	body := &reader{bufio.NewReader(flate.NewReader(file))}
	for _, p := range res.Claim.parts(turn) {
		n, err := checkPart(b, p, turn, &res.Claim, body)
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

// checkSum compares the last bytes of the file with the sum of all before, and returns its size.
func checkSum(r io.ReadSeeker) (int64, error) {
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	if size < sha256.Size {
		return 0, ErrDamaged
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	sum := sha256.New()
	if _, err := io.CopyN(sum, r, size-sha256.Size); err != nil {
		return 0, err
	}
	var want [sha256.Size]byte
	if _, err := io.ReadFull(r, want[:]); err != nil {
		return 0, err
	}
	if !bytes.Equal(sum.Sum(nil), want[:]) {
		return 0, ErrDamaged
	}
	_, err = r.Seek(0, io.SeekStart)
	return size, err
}

// readHeader returns the first line.
func readHeader(r *bufio.Reader) ([]byte, error) {
	var head []byte
	for len(head) < maxHeader {
		c, err := r.ReadByte()
		if err != nil || c == '\n' {
			return head, err
		}
		head = append(head, c)
	}
	return nil, errors.New("this is no certificate: its first line does not end")
}

func checkPart(b *board, p part, turn game.Side, c *Claim, body *reader) (uint64, error) {
	kind, err := body.ReadByte()
	if err != nil {
		return 0, errShort
	}
	switch {
	case kind == stolen && !c.Gravity && !p.wins && p.hero == turn && b.stones == [2]set{}:
		return 0, nil
	case kind == weak && !p.wins:
		p.weak = true
	case kind != strong:
		return 0, fmt.Errorf("a part of kind %d has no place here", kind)
	}
	w := &walker{board: b, part: p, next: body.step, seen: map[[6]uint64]struct{}{}, fours: c.Fours}
	err = w.run(turn)
	return w.positions, err
}

// errShort is returned when moves are missing.
var errShort = errors.New("the certificate ends before its proof does")

// reader reads steps.
type reader struct{ *bufio.Reader }

func (r *reader) step(w *walker) (step, error) {
	kind, err := r.ReadByte()
	if err != nil {
		return step{}, errShort
	}
	s := step{kind: kind}
	if kind != codePairs {
		return s, nil
	}
	n, err := r.ReadByte()
	if err != nil {
		return s, errShort
	}
	for range n {
		var p [2]byte
		if _, err := io.ReadFull(r, p[:]); err != nil {
			return s, errShort
		}
		s.pairs = append(s.pairs, [2]int{int(p[0]), int(p[1])})
	}
	return s, nil
}
