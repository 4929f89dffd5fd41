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

// The file of a network, with its numbers little-endian:
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

// header is the part between the magic and the recipe.
type header struct {
	Inputs, Hidden, One uint16
	Unit, Offset        float32
	Recipe              uint32
}

// weights are the part after the recipe.
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

// Parse reads the file of a network. It refuses in one line anything else, and weights with which a sum could overflow.
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

func build(w *weights, unit, offset float32, recipe string) (*Network, error) {
	n := &Network{bias: w.Bias, out: w.Out, unit: unit, offset: offset, recipe: recipe}
	copy(n.rows[:], w.Rows[:])
	n.combine()
	if !(unit > 0 && unit < 1) || !(math.Abs(float64(offset)) < reach) {
		return nil, errors.New("the network's unit or offset is no number to work with")
	}
	total := int64(0)
	for j := range Hidden {
		least, most := extremes(n.bias[j], func(input int) int16 { return n.rows[input][j] })
		if least < math.MinInt16 || most > math.MaxInt16 {
			return nil, fmt.Errorf("the network's weights of hidden cell %d are so great that it could overflow", j)
		}
		total += int64(max(n.out[j], -n.out[j])) * int64(square(One))
	}
	if total > math.MaxInt32 {
		return nil, errors.New("the network's weights of the output are so great that it could overflow")
	}
	return n, nil
}

// extremes returns the least and the greatest sum of a hidden cell, given its weights. A stone and a small board belong
// to one side or to none, and exactly one forced board is set.
func extremes[T int16 | float32](bias T, weight func(input int) T) (least, most float64) {
	either := func(own, enemy int) {
		x, y := float64(weight(own)), float64(weight(enemy))
		least, most = least+min(x, y, 0), most+max(x, y, 0)
	}
	for m := range enemyStones - ownStones {
		either(ownStones+m, enemyStones+m)
	}
	for i := range enemyBoards - ownBoards {
		either(ownBoards+i, enemyBoards+i)
	}
	low, high := weight(forced), weight(forced)
	for i := forced; i < Inputs; i++ {
		low, high = min(low, weight(i)), max(high, weight(i))
	}
	return least + float64(bias) + float64(low), most + float64(bias) + float64(high)
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

// Parameters are a network in numbers that can be learned. Let x[j] be Bias plus the In of all inputs that are set, clipped
// to 0..1. Then the logit of the expected score is
//
//	Offset + sum over j of Out[j] * x[j] * x[j]
type Parameters struct {
	In        [Inputs][Hidden]float32
	Bias, Out [Hidden]float32
	Offset    float32
}

// Network returns the network in whole numbers. The weights of hidden cells that could overflow are made smaller.
func (p *Parameters) Network(recipe string) (*Network, error) {
	var w weights
	for j := range Hidden {
		least, most := extremes(p.Bias[j], func(input int) float32 { return p.In[input][j] })
		const room = math.MaxInt16 - 100 // each of the 92 numbers of a sum is rounded
		fit := float32(min(One, room/max(most, -least)))
		for i := range Inputs {
			w.Rows[i][j] = whole(p.In[i][j] * fit)
		}
		w.Bias[j] = whole(p.Bias[j] * fit)
	}
	// As fine as the sum of 32 bits and a weight of 16 let it be.
	total, greatest := float32(0), float32(0)
	for _, x := range p.Out {
		total, greatest = total+abs(x), max(greatest, abs(x))
	}
	const room = math.MaxInt32/(1<<15) - Hidden // for the sum of all weights, each of which is rounded
	scale := min(room/max(total, 1e-3), math.MaxInt16/max(greatest, 1e-3))
	for j, x := range p.Out {
		w.Out[j] = whole(x * scale)
	}
	const squared = One * One / 8.0
	return build(&w, 1/(squared*scale), p.Offset, recipe)
}

func whole(x float32) int16 { return int16(math.RoundToEven(float64(x))) }

func abs(x float32) float32 { return max(x, -x) }
