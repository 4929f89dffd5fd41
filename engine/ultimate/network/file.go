// SPDX-License-Identifier: Apache-2.0

package network

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
)

// A file of a network, its numbers little-endian:
//
//	krow ultimate network 1\n
//	inputs, hidden, one    2 bytes each: 190, 256, 511
//	unit, offset           floats of 4 bytes: a logit is offset + unit * sum
//	length, recipe         4 bytes, and as many of text
//	rows                   190 inputs of 256 weights of 2 bytes each
//	bias, out              256 weights of 2 bytes each
//	checksum               4 bytes: CRC-32 (IEEE) of all before
const magic = "krow ultimate network 1\n"

const (
	maxFile   = 1 << 20
	maxRecipe = 1 << 16
)

// header is what stands between the magic and the recipe.
type header struct {
	Inputs, Hidden, One uint16
	Unit, Offset        float32
	Recipe              uint32
}

// weights are what stands behind the recipe.
type weights struct {
	Rows      [Inputs][Hidden]int16
	Bias, Out [Hidden]int16
}

// Append appends the network as a file.
func (n *Network) Append(dst []byte) []byte {
	from := len(dst)
	dst = append(dst, magic...)
	w := weights{Rows: [Inputs][Hidden]int16(n.rows[:Inputs]), Bias: n.bias, Out: n.out}
	// Numbers of a fixed size always fit.
	dst, _ = binary.Append(dst, binary.LittleEndian, header{Inputs, Hidden, One, n.unit, n.offset, uint32(len(n.recipe))})
	dst = append(dst, n.recipe...)
	dst, _ = binary.Append(dst, binary.LittleEndian, &w)
	return binary.LittleEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[from:]))
}

// Parse reads a file of a network. It refuses anything else in one line, and weights with which a sum could overflow.
func Parse(data []byte) (*Network, error) {
	body, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok {
		return nil, errors.New("no network for ultimate tic-tac-toe, version 1")
	}
	var h header
	size, rest := binary.Size(h), binary.Size(weights{})
	if len(body) < size {
		return nil, errTruncated
	}
	_, _ = binary.Decode(body, binary.LittleEndian, &h)
	switch want := size + int(h.Recipe) + rest + 4; {
	case h.Inputs != Inputs || h.Hidden != Hidden || h.One != One:
		return nil, fmt.Errorf("a network of %d inputs, %d hidden cells and unit %d, where krow's has %d, %d and %d",
			h.Inputs, h.Hidden, h.One, Inputs, Hidden, One)
	case h.Recipe > maxRecipe:
		return nil, errDamaged
	case len(body) < want:
		return nil, errTruncated
	case len(body) > want:
		return nil, fmt.Errorf("the network's file goes on for %d bytes after its end", len(body)-want)
	}
	end := len(data) - 4
	if crc32.ChecksumIEEE(data[:end]) != binary.LittleEndian.Uint32(data[end:]) {
		return nil, errDamaged
	}
	var w weights
	_, _ = binary.Decode(body[size+int(h.Recipe):], binary.LittleEndian, &w)
	return build(&w, h.Unit, h.Offset, string(body[size:size+int(h.Recipe)]))
}

var (
	errTruncated = errors.New("the network's file is truncated")
	errDamaged   = errors.New("the network's file is damaged: its checksum is wrong")
)

// build makes a network of its weights.
func build(w *weights, unit, offset float32, recipe string) (*Network, error) {
	n := &Network{bias: w.Bias, out: w.Out, unit: unit, offset: offset, recipe: recipe}
	copy(n.rows[:], w.Rows[:])
	n.combine()
	if !(unit > 0 && unit < 1) || !(math.Abs(float64(offset)) < reach) {
		return nil, errors.New("the network's unit or offset is no number to work with")
	}
	total := int64(0)
	for j := range Hidden {
		if lo, hi := n.bounds(j); lo < math.MinInt16 || hi > math.MaxInt16 {
			return nil, fmt.Errorf("the network's weights of hidden cell %d are so great that it could overflow", j)
		}
		total += int64(max(n.out[j], -n.out[j])) * int64(square(One))
	}
	if total > math.MaxInt32 {
		return nil, errors.New("the network's weights of the output are so great that it could overflow")
	}
	return n, nil
}

// bounds returns how small and how great the sum of a hidden cell can become: a stone or a small board is of one
// side or the other, and there is one forced board.
func (n *Network) bounds(j int) (lo, hi int) {
	either := func(a, b int) {
		x, y := int(n.rows[a][j]), int(n.rows[b][j])
		lo, hi = lo+min(x, y, 0), hi+max(x, y, 0)
	}
	for m := range enemyStones - ownStones {
		either(ownStones+m, enemyStones+m)
	}
	for i := range enemyBoards - ownBoards {
		either(ownBoards+i, enemyBoards+i)
	}
	least, most := n.rows[forced][j], n.rows[forced][j]
	for _, r := range n.rows[forced:sending] {
		least, most = min(least, r[j]), max(most, r[j])
	}
	return lo + int(n.bias[j]) + int(least), hi + int(n.bias[j]) + int(most)
}

// Load reads the file of that name, as Parse does.
func Load(name string) (*Network, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// A byte more than there may be is enough to refuse the file, which may be endless.
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	n, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return n, nil
}
