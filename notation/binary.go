// SPDX-License-Identifier: Apache-2.0

package notation

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/krow-lab/krow/game"
)

// This is the binary format of a position. The second row gives widths in bytes. Numbers without a width are unsigned varints
// (LEB128, as in encoding/binary). docs/reference/formats/position.md describes the cells and has an example.
//
//	+------+---------+--------+---- body, length bytes -------------------------+---------+
//	| 0x6b | version | length | len, spec | flags | ply | len, memory | cells     | CRC-32  |
//	| 1    | 1       |        |           | 1     |     |             |           | 4, big  |
//	+------+---------+--------+-------------------------------------------------+---------+
//
//	flags   bit 0: the second side is to move   bit 1: the cells are sparse   others: 0
const (
	magic   = 'k'
	version = 1

	flagSecond = 1 << 0
	flagSparse = 1 << 1

	sumSize = 4
	// perByte is the number of cells in a byte if all cells are stored, and not only the occupied cells (flagSparse). Five cells
	// have 3^5 = 243 different contents, and a byte has 256 values.
	perByte = 5
)

var errSettable = errors.New("the set-up of the position cannot be written")

// Append appends p in the binary format. Decode reads it back, but without the history of p.
func Append(dst []byte, p game.Position) ([]byte, error) {
	settable, ok := p.(game.Settable)
	if !ok {
		return dst, errSettable
	}
	s := settable.Setup()
	if s.Ply < 0 {
		return dst, fmt.Errorf("the position has the negative ply %d", s.Ply)
	}
	start := len(dst)
	body := appendBody(nil, p.Game().String(), s)
	dst = append(dst, magic, version)
	dst = binary.AppendUvarint(dst, uint64(len(body)))
	dst = append(dst, body...)
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[start:])), nil
}

func appendBody(dst []byte, spec string, s game.Setup) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(spec)))
	dst = append(dst, spec...)
	flags := byte(0)
	if s.Turn == game.Second {
		flags = flagSecond
	}
	cells := appendDense(nil, s.Cells)
	if sparse := appendSparse(nil, s.Cells); len(sparse) < len(cells) {
		flags |= flagSparse
		cells = sparse
	}
	dst = append(dst, flags)
	dst = binary.AppendUvarint(dst, uint64(s.Ply))
	dst = binary.AppendUvarint(dst, uint64(len(s.Memory)))
	dst = append(dst, s.Memory...)
	return append(dst, cells...)
}

// appendDense packs five cells into each byte, as the digits of a number in base 3; the first cell is the lowest digit.
func appendDense(dst []byte, cells []game.Stone) []byte {
	for ; len(cells) > 0; cells = cells[min(perByte, len(cells)):] {
		b := byte(0)
		for i := min(perByte, len(cells)) - 1; i >= 0; i-- {
			b = 3*b + byte(cells[i])
		}
		dst = append(dst, b)
	}
	return dst
}

// appendSparse writes a varint for each stone. The varint is twice the number of empty cells since the previous stone. If the
// stone belongs to the second side, 1 is added.
func appendSparse(dst []byte, cells []game.Stone) []byte {
	gap := uint64(0)
	for _, stone := range cells {
		if stone == game.Empty {
			gap++
			continue
		}
		dst = binary.AppendUvarint(dst, gap<<1|uint64(stone-game.FirstStone))
		gap = 0
	}
	return dst
}

// link is a base64 encoding for links. It uses no padding and no characters that must be escaped in a URL. No two texts
// decode to the same bytes, except texts that differ only in line breaks, which are ignored.
var link = base64.RawURLEncoding.Strict()

// EncodeText returns p in the binary format as base64 text that can be part of a URL.
func EncodeText(p game.Position) (string, error) {
	data, err := Append(nil, p)
	if err != nil {
		return "", err
	}
	return link.EncodeToString(data), nil
}

// Decode and DecodeText return these errors, wrapped. ErrDamaged means a wrong checksum or invalid content.
var (
	ErrFormat    = errors.New("not a position of krow")
	ErrNewer     = errors.New("the position was written by a newer krow")
	ErrTruncated = errors.New("the position is truncated")
	ErrTrailing  = errors.New("unexpected bytes after the position")
	ErrDamaged   = errors.New("the position is damaged")
)

// Decode reads a position that Append wrote. It calls games with the spec of the position's game, and games must return this
// game.
func Decode(data []byte, games func(spec string) (game.Game, error)) (game.Position, error) {
	body, err := open(data)
	if err != nil {
		return nil, err
	}
	r := reader{rest: body}
	spec := string(r.bytes())
	flags := r.byte()
	s := game.Setup{Turn: game.Side(flags & flagSecond), Ply: r.number(math.MaxInt32)}
	if memory := r.bytes(); len(memory) > 0 {
		s.Memory = append(s.Memory, memory...)
	}
	if r.bad || flags&^(flagSecond|flagSparse) != 0 {
		return nil, ErrDamaged
	}
	g, err := games(spec)
	if err != nil {
		return nil, fmt.Errorf("position of %q: %w", spec, err)
	}
	if s.Cells, err = r.cells(g, flags&flagSparse != 0); err != nil {
		return nil, err
	}
	p, err := game.SetUp(g, s)
	if err != nil {
		return nil, fmt.Errorf("position of %s: %w", g, err)
	}
	return p, nil
}

// DecodeText reads a position that EncodeText wrote.
func DecodeText(s string, games func(spec string) (game.Game, error)) (game.Position, error) {
	data, err := link.DecodeString(s)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrFormat, err)
	}
	return Decode(data, games)
}

// open checks the header, the length and the checksum, and returns the body.
func open(data []byte) ([]byte, error) {
	switch {
	case len(data) == 0:
		return nil, ErrTruncated
	case data[0] != magic:
		return nil, ErrFormat
	case len(data) == 1:
		return nil, ErrTruncated
	case data[1] > version:
		return nil, fmt.Errorf("%w: version %d; this krow reads versions up to %d", ErrNewer, data[1], version)
	case data[1] == 0:
		return nil, ErrFormat
	}
	length, n := binary.Uvarint(data[2:])
	rest := uint64(len(data) - 2 - max(n, 0))
	switch {
	case n == 0:
		return nil, ErrTruncated
	case n < 0:
		return nil, ErrDamaged
	case rest < sumSize || rest-sumSize < length:
		return nil, ErrTruncated
	case rest-sumSize > length:
		return nil, ErrTrailing
	}
	end := len(data) - sumSize
	if crc32.ChecksumIEEE(data[:end]) != binary.BigEndian.Uint32(data[end:]) {
		return nil, ErrDamaged
	}
	return data[2+n : end], nil
}

// reader reads the parts of a body in order. After a missing or invalid part, bad is set, and all methods return zeros.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) number(limit uint64) int {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || v > limit {
		r.bad, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[n:]
	return int(v)
}

func (r *reader) bytes() []byte {
	n := r.number(uint64(len(r.rest)))
	if n > len(r.rest) {
		r.bad, r.rest = true, nil
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) byte() byte {
	if len(r.rest) == 0 {
		r.bad = true
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

// cells reads all remaining bytes as the cells of a position of g.
func (r *reader) cells(g game.Game, sparse bool) ([]game.Stone, error) {
	start, ok := g.Start().(game.Settable)
	if !ok {
		return nil, errSettable
	}
	cells := make([]game.Stone, len(start.Setup().Cells))
	read := r.dense
	if sparse {
		read = r.sparse
	}
	if !read(cells) {
		return nil, ErrDamaged
	}
	return cells, nil
}

func (r *reader) dense(cells []game.Stone) bool {
	if len(r.rest) != (len(cells)+perByte-1)/perByte {
		return false
	}
	for _, b := range r.rest {
		n := min(perByte, len(cells))
		for i := range n {
			cells[i] = game.Stone(b % 3)
			b /= 3
		}
		if b != 0 {
			return false
		}
		cells = cells[n:]
	}
	return true
}

func (r *reader) sparse(cells []game.Stone) bool {
	for len(r.rest) > 0 {
		v := r.number(uint64(2*len(cells)) + 1)
		if r.bad || v>>1 >= len(cells) {
			return false
		}
		cells[v>>1] = game.FirstStone + game.Stone(v&1)
		cells = cells[v>>1+1:]
	}
	return true
}
