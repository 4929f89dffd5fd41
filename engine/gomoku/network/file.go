// SPDX-License-Identifier: Apache-2.0

package network

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/krow-lab/krow/engine/nnue"
)

// The file of a network has this format. Version 2 adds a policy, and version 3 an estimate of draws. The bytes after the first
// line are compressed by zlib, which detects damage. Numbers are little-endian.
//
//	krow gomoku network 1\n           or 2, or 3
//	patterns, masks, width, hidden   2 bytes each: 2381, 2048, 64, 32
//	share, offset                    4 bytes each
//	game, recipe                     a length in 2 bytes and a text, each
//	rows                             2381 patterns of 128 weights of 2 bytes: the side's own, and its enemy's
//	hidden                           64 pairs of inputs of 32 weights of 2 x 2 bytes
//	masks                            2048 masks of 32 numbers of 4 bytes
//	out                              32 numbers of 4 bytes
//
// Versions 2 and 3 continue with
//
//	base                             64 numbers of 4 bytes
//	query                            16 pairs of hidden numbers of 64 weights of 2 x 2 bytes
//	near                             169 numbers of 2 bytes
//	looks                            4 bytes
//
// Version 3 continues with
//
//	draws                            32 numbers of 4 bytes for hidden, then base, full, room and clear
var magics = []string{"krow gomoku network 1\n", "krow gomoku network 2\n", "krow gomoku network 3\n"}

// maxFile is the maximum size of a file in bytes, packed or unpacked.
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

// Append appends the network to dst in the format of its file.
func (n *Network) Append(dst []byte) []byte {
	h := shape
	h.Share, h.Offset = n.share, n.offset
	parts := []any{h, n.game, n.recipe, &weights{[none]row(n.rows[:none]), n.hidden, n.masks, n.out}}
	version := 0
	if n.ordered || n.draws.told {
		version = 1
		parts = append(parts, &policyWeights{n.base, n.query, n.near, n.looks})
	}
	if n.draws.told {
		version = 2
		parts = append(parts, &drawWeights{n.draws.weights, n.draws.base, n.draws.full, n.draws.room, n.draws.clear})
	}
	return nnue.Pack(append(dst, magics[version]...), parts...)
}

// Parse reads the file of a network. It returns an error for other data, and for weights with which a sum could overflow.
func Parse(data []byte) (*Network, error) {
	version := slices.IndexFunc(magics, func(m string) bool { return bytes.HasPrefix(data, []byte(m)) })
	if version < 0 {
		return nil, errors.New("not a network for five in a row of version 1 to 3")
	}
	r := nnue.Unpack(data[len(magics[version]):], maxFile)
	n, h, w := new(Network), header{}, new(weights)
	r.Numbers(&h)
	n.share, n.offset = h.Share, h.Offset
	if h.Share, h.Offset = 0, 0; r.Err() == nil && h != shape {
		return nil, fmt.Errorf("the network has %d patterns, %d masks, %d numbers a cell and %d hidden units; krow's has %d, %d, %d and %d",
			h.Patterns, h.Masks, h.Width, h.Hidden, shape.Patterns, shape.Masks, shape.Width, shape.Hidden)
	}
	n.game, n.recipe = r.Text(), r.Text()
	r.Numbers(w)
	if version >= 1 {
		p := new(policyWeights)
		r.Numbers(p)
		n.policy = policy{*p != (policyWeights{}), p.Base, p.Query, p.Near, p.Looks}
	}
	if version >= 2 {
		d := new(drawWeights)
		r.Numbers(d)
		n.draws = draws{true, d.Weights, d.Base, d.Full, d.Room, d.Clear}
	}
	if err := r.End(); err != nil {
		return nil, err
	}
	n.hidden, n.masks, n.out = w.Hidden, w.Masks, w.Out
	copy(n.rows[:], w.Rows[:])
	for j := range n.rows[none] {
		n.rows[none][j] = noneRow
	}
	return n, n.checkRanges()
}

// checkRanges returns an error for weights with which a sum could overflow.
func (n *Network) checkRanges() error {
	most := int64(maxCells * cellOne >> sumShift)
	total := int64(0)
	for j := range Hidden {
		sum := int64(0)
		for i := range n.hidden {
			for _, w := range n.hidden[i][j] {
				sum += nnue.Magnitude(w) * most
			}
		}
		for i := range n.masks {
			if sum+nnue.Magnitude(n.masks[i][j]) > math.MaxInt32 {
				return fmt.Errorf("the weights of hidden unit %d of the network are so large that it could overflow", j)
			}
		}
		total += nnue.Magnitude(n.out[j]) * (hiddenOne >> hiddenShift)
	}
	for i := range n.rows[:none] {
		for _, w := range n.rows[i] {
			if w >= -noneRow || w < noneRow {
				return fmt.Errorf("the weights of pattern %d of the network are so large that a cell could overflow", i)
			}
		}
	}
	for _, x := range n.base {
		if x > mostBase || x < -mostBase {
			return errors.New("the policy weights of the network are so large that the policy could overflow")
		}
	}
	const bound = 1 << 16
	if total > math.MaxInt32 || max(nnue.Magnitude(n.share), nnue.Magnitude(n.offset), 2*nnue.Magnitude(n.looks)) > bound {
		return errors.New("the weights of the network are so large that the value could overflow")
	}
	return nil
}

// Load reads a network from the file with this name.
func Load(name string) (*Network, error) { return nnue.Load(name, maxFile, Parse) }
