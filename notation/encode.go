// SPDX-License-Identifier: Apache-2.0

package notation

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/krow-lab/krow/game"
)

// The bytes of a position. Numbers are unsigned varints (LEB128, as in encoding/binary) unless a width is given.
// docs/formats/position.md has the cells and an example.
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
	// perByte cells are packed into a byte: 3^5 = 243 values fit.
	perByte = 5
)

var errSettable = errors.New("the position cannot tell its set-up")

// Append appends the bytes of p, from which Decode makes it again, without its history.
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

// appendDense packs five cells into a byte, the first of them the least digit in base 3.
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

// appendSparse writes a varint for each stone: twice the number of empty cells since the stone before it, and
// one more for the second side's.
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

// link is base64 for links: no padding, no character that a URL escapes, and no two texts for the same bytes.
var link = base64.RawURLEncoding.Strict()

// EncodeText returns the bytes of p as text that fits into a link.
func EncodeText(p game.Position) (string, error) {
	data, err := Append(nil, p)
	if err != nil {
		return "", err
	}
	return link.EncodeToString(data), nil
}
