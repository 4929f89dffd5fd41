// SPDX-License-Identifier: Apache-2.0

package network

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
)

// The file of a network. Version 2 has a policy, version 3 the chance of a draw as well. What follows the first line is packed
// by zlib, which detects damage. Numbers are little-endian.
//
//	krow gomoku network 1\n           or 2, or 3
//	patterns, masks, width, hidden   2 bytes each: 2381, 2048, 64, 32
//	share, offset                    4 bytes each
//	game, recipe                     2 bytes of length each, and as many of text
//	rows                             2381 patterns of 128 weights of 2 bytes: the side's own, and its enemy's
//	hidden                           64 pairs of inputs of 32 weights of 2 x 2 bytes
//	masks                            2048 masks of 32 numbers of 4 bytes
//	out                              32 numbers of 4 bytes
//
// and from version 2 on
//
//	base                             64 numbers of 4 bytes
//	query                            16 pairs of hidden numbers of 64 weights of 2 x 2 bytes
//	near                             169 numbers of 2 bytes
//	looks                            4 bytes
//
// and in version 3
//
//	draws                            32 numbers of 4 bytes for hidden, then base, full, room and clear
var magics = []string{"krow gomoku network 1\n", "krow gomoku network 2\n", "krow gomoku network 3\n"}

// maxFile bounds what is read of a file, packed or not.
const maxFile = 1 << 21

type header struct {
	Patterns, Masks, Width, Hidden uint16
	Share, Offset                  int32
}

type weights struct {
	Rows   [none]row
	Hidden [Width][Hidden][2]int16
	Masks  [Masks][Hidden]int32
	Out    [Hidden]int32
}

type policyWeights struct {
	Base  [Width]int32
	Query [Hidden / 2][Width][2]int16
	Near  [Places]int16
	Looks int32
}

type drawWeights struct {
	Weights                 [Hidden]int32
	Base, Full, Room, Clear int32
}

var shape = header{Patterns: none, Masks: Masks, Width: Width, Hidden: Hidden}

// Append appends the network as a file.
func (n *Network) Append(dst []byte) []byte {
	var b bytes.Buffer
	z, _ := zlib.NewWriterLevel(&b, zlib.BestCompression) // a buffer takes everything, and the level exists
	h := shape
	h.Share, h.Offset = n.share, n.offset
	_ = binary.Write(z, binary.LittleEndian, h)
	for _, text := range []string{n.game, n.recipe} {
		_ = binary.Write(z, binary.LittleEndian, uint16(len(text)))
		_, _ = io.WriteString(z, text)
	}
	w := weights{[none]row(n.rows[:none]), n.hidden, n.masks, n.out}
	_ = binary.Write(z, binary.LittleEndian, &w)
	version := 0
	if n.ordered || n.draws.told {
		version = 1
		_ = binary.Write(z, binary.LittleEndian, &policyWeights{n.base, n.query, n.near, n.looks})
	}
	if n.draws.told {
		version = 2
		_ = binary.Write(z, binary.LittleEndian, &drawWeights{n.draws.weights, n.draws.base, n.draws.full, n.draws.room, n.draws.clear})
	}
	_ = z.Close()
	return append(append(dst, magics[version]...), b.Bytes()...)
}

// Parse reads the file of a network. It refuses in one line anything else, and weights with which a sum could overflow.
func Parse(data []byte) (*Network, error) {
	version := slices.IndexFunc(magics, func(m string) bool { return bytes.HasPrefix(data, []byte(m)) })
	if version < 0 {
		return nil, errors.New("no network for five in a row, version 1 to 3")
	}
	body := data[len(magics[version]):]
	z, err := zlib.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, errDamaged
	}
	r := io.LimitReader(z, maxFile)
	n, h := new(Network), header{}
	if err := binary.Read(r, binary.LittleEndian, &h); err != nil {
		return nil, errDamaged
	}
	n.share, n.offset = h.Share, h.Offset
	if h.Share, h.Offset = 0, 0; h != shape {
		return nil, fmt.Errorf("a network of %d patterns, %d masks, %d numbers a cell and %d hidden, where krow's has %d, %d, %d and %d",
			h.Patterns, h.Masks, h.Width, h.Hidden, shape.Patterns, shape.Masks, shape.Width, shape.Hidden)
	}
	for _, text := range []*string{&n.game, &n.recipe} {
		var size uint16
		if err := binary.Read(r, binary.LittleEndian, &size); err != nil {
			return nil, errDamaged
		}
		part := make([]byte, size)
		if _, err := io.ReadFull(r, part); err != nil {
			return nil, errDamaged
		}
		*text = string(part)
	}
	w := new(weights)
	if err := binary.Read(r, binary.LittleEndian, w); err != nil {
		return nil, errDamaged
	}
	if version >= 1 {
		p := new(policyWeights)
		if err := binary.Read(r, binary.LittleEndian, p); err != nil {
			return nil, errDamaged
		}
		n.policy = policy{*p != (policyWeights{}), p.Base, p.Query, p.Near, p.Looks}
	}
	if version >= 2 {
		d := new(drawWeights)
		if err := binary.Read(r, binary.LittleEndian, d); err != nil {
			return nil, errDamaged
		}
		n.draws = draws{true, d.Weights, d.Base, d.Full, d.Room, d.Clear}
	}
	if rest, err := io.ReadAll(r); err != nil || len(rest) > 0 {
		return nil, errDamaged
	}
	n.hidden, n.masks, n.out = w.Hidden, w.Masks, w.Out
	copy(n.rows[:], w.Rows[:])
	for j := range n.rows[none] {
		n.rows[none][j] = noneRow
	}
	return n, n.check()
}

var errDamaged = errors.New("the network's file is truncated or damaged")

// check refuses weights with which a sum could overflow.
func (n *Network) check() error {
	most := int64(maxCells * One >> sumShift)
	total := int64(0)
	for j := range Hidden {
		sum := int64(0)
		for i := range n.hidden {
			for _, w := range n.hidden[i][j] {
				sum += magnitude(w) * most
			}
		}
		for i := range n.masks {
			if sum+magnitude(n.masks[i][j]) > math.MaxInt32 {
				return fmt.Errorf("the network's weights of hidden number %d are so great that it could overflow", j)
			}
		}
		total += magnitude(n.out[j]) * (hiddenOne >> hiddenShift)
	}
	for i := range n.rows[:none] {
		for _, w := range n.rows[i] {
			if w >= -noneRow || w < noneRow {
				return fmt.Errorf("the network's weights of pattern %d are so great that a cell could overflow", i)
			}
		}
	}
	for _, x := range n.base {
		if x > mostBase || x < -mostBase {
			return errors.New("the network's weights of the policy are so great that it could overflow")
		}
	}
	const bound = 1 << 16
	if total > math.MaxInt32 || max(magnitude(n.share), magnitude(n.offset), 2*magnitude(n.looks)) > bound {
		return errors.New("the network's weights are so great that it could overflow")
	}
	return nil
}

// magnitude returns the size of a weight. The least number has none in its own type.
func magnitude[T int16 | int32](w T) int64 { return max(int64(w), -int64(w)) }

// Load reads the network of a file of that name.
func Load(name string) (*Network, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // nothing was written
	data, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, err
	}
	n, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return n, nil
}
