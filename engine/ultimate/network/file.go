// SPDX-License-Identifier: Apache-2.0

package network

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/krow-lab/krow/engine/nnue"
)

// The format of a network's file; its numbers are little-endian:
//
//	krow ultimate network 2\n
//	inputs, hidden, second, one   2 bytes each: 4439, 128, 16, 1019
//	unit, offset                  floats of 4 bytes: a logit is offset + unit * sum
//	length, recipe                4 bytes, and a text of that length
//	rows                          4439 inputs of 128 weights of 2 bytes each
//	weights                       of four neurons of the first layer to each neuron of the second, a byte each, 32 times
//	bias, out                     16 numbers of 4 bytes each
//	checksum                      4 bytes: CRC-32 (IEEE) of all before
const magic = "krow ultimate network 2\n"

const (
	maxFile   = 2 << 20
	maxRecipe = 1 << 16
)

// header is the part between the magic and the recipe.
type header struct {
	Inputs, Hidden, Second, One uint16
	Unit, Offset                float32
	Recipe                      uint32
}

// numbers are the part after the recipe.
type numbers struct {
	Rows      [Inputs]row
	Weights   [Hidden / 4][Second][4]int8
	Bias, Out [Second]int32
}

// Append appends the network to dst in the format of its file.
func (n *Network) Append(dst []byte) []byte {
	from := len(dst)
	dst = append(dst, magic...)
	w := numbers{n.inputs, n.last.weights, n.last.bias, n.last.out}
	// Append returns no error, because all numbers have a fixed size.
	dst, _ = binary.Append(dst, binary.LittleEndian, header{Inputs, Hidden, Second, firstOne, n.unit, n.offset, uint32(len(n.recipe))})
	dst = append(dst, n.recipe...)
	dst, _ = binary.Append(dst, binary.LittleEndian, &w)
	return binary.LittleEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[from:]))
}

// Parse reads the file of a network. It returns an error for other data, and for weights with which a sum could overflow.
func Parse(data []byte) (*Network, error) {
	body, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok {
		return nil, errors.New("not a network for ultimate tic-tac-toe of version 2")
	}
	var h header
	size, rest := binary.Size(h), binary.Size(numbers{})
	if len(body) < size {
		return nil, errTruncated
	}
	_, _ = binary.Decode(body, binary.LittleEndian, &h)
	switch want := size + int(h.Recipe) + rest + 4; {
	case h.Inputs != Inputs || h.Hidden != Hidden || h.Second != Second || h.One != firstOne:
		return nil, fmt.Errorf("the network has %d inputs, layers of %d and %d neurons and the unit %d; krow's has %d, %d, %d and %d",
			h.Inputs, h.Hidden, h.Second, h.One, Inputs, Hidden, Second, firstOne)
	case h.Recipe > maxRecipe:
		return nil, errDamaged
	case len(body) < want:
		return nil, errTruncated
	case len(body) > want:
		return nil, fmt.Errorf("the network's file has %d bytes after its end", len(body)-want)
	}
	end := len(data) - 4
	if crc32.ChecksumIEEE(data[:end]) != binary.LittleEndian.Uint32(data[end:]) {
		return nil, errDamaged
	}
	var w numbers
	_, _ = binary.Decode(body[size+int(h.Recipe):], binary.LittleEndian, &w)
	return build(&w, h.Unit, h.Offset, string(body[size:size+int(h.Recipe)]))
}

var (
	errTruncated = errors.New("the network's file is truncated")
	errDamaged   = errors.New("the network's file is damaged: its checksum is wrong")
)

func build(w *numbers, unit, offset float32, recipe string) (*Network, error) {
	n := &Network{inputs: w.Rows, last: tail{weights: w.Weights, bias: w.Bias, out: w.Out}, unit: unit, offset: offset, recipe: recipe}
	if !(unit > 0 && unit < 1) || !(math.Abs(float64(offset)) < reach) {
		return nil, errors.New("the unit or the offset of the network is not a finite number")
	}
	least, most := extremes(func(input, j int) float64 { return float64(n.inputs[input][j]) })
	for j := range Hidden {
		if least[j] < math.MinInt16 || most[j] > math.MaxInt16 {
			return nil, fmt.Errorf("the weights of neuron %d of the network are so large that its sum could overflow", j)
		}
	}
	total := int64(0)
	for k, x := range n.last.out {
		// An output of the first layer is at most 127, and a weight is at least -128.
		if b := int64(n.last.bias[k]); b != int64(int32(b)) || max(b, -b) > math.MaxInt32-Hidden*127*128 {
			return nil, errors.New("the bias of the network is so large that the value could overflow")
		}
		total += nnue.Magnitude(x) * secondOne
	}
	if total > math.MaxInt32 {
		return nil, errors.New("the output weights of the network are so large that the value could overflow")
	}
	for _, g := range &n.last.weights {
		for _, w := range &g {
			if min(w[0], w[1], w[2], w[3]) == math.MinInt8 {
				return nil, errors.New("a weight of the network is less than -127")
			}
		}
	}
	n.last.spread()
	return n, nil
}

// extremes returns the least and the greatest possible sum of each neuron of the first layer. The function weight must return
// the weight of an input for neuron j.
func extremes(weight func(input, j int) float64) (least, most [Hidden]float64) {
	for j := range Hidden {
		// span handles n inputs of which at most one is set. It adds the least of their weights to low, and the greatest to high.
		span := func(low, high *float64, first, n int) {
			l, h := 0.0, 0.0
			for i := first; i < first+n; i++ {
				l, h = min(l, weight(i, j)), max(h, weight(i, j))
			}
			*low, *high = *low+l, *high+h
		}
		least[j], most[j] = min(weight(rules, j), weight(rules+1, j)), max(weight(rules, j), weight(rules+1, j))
		toLow, toHigh := 0.0, 0.0
		for i := range 9 {
			var low, high, l, h, ownLow, ownHigh float64
			for k := range 8 {
				span(&low, &high, lines+27*(8*i+k), 27)
				span(&ownLow, &ownHigh, ownLines+27*(8*i+k), 27)
			}
			span(&l, &h, decided+3*i, 3)
			least[j], most[j] = least[j]+min(low, l), most[j]+max(high, h)
			to := weight(forced+i, j)
			toLow, toHigh = min(toLow, ownLow+to), max(toHigh, ownHigh+to)
		}
		span(&least[j], &most[j], forced+9, 1)
		for k := range 8 {
			span(&least[j], &most[j], results+64*k, 64)
		}
		least[j], most[j] = least[j]+toLow, most[j]+toHigh
	}
	return least, most
}

// Load reads a network from the file with this name.
func Load(name string) (*Network, error) { return nnue.Load(name, maxFile, Parse) }

// Parameters are a network with float weights, which can be trained. Let x be the sum of In over all inputs that are set, and
// let a be the elements of x, clipped to 0..1 and squared. Let h[k] be Bias[k] plus the sum over j of Weights[k][j] * a[j], and
// let c be the elements of h, clipped to 0..1. Then the logit of the expected score is
//
//	Offset + sum over k of Out[k] * c[k]
type Parameters struct {
	In        [Inputs][Hidden]float32
	Weights   [Second][Hidden]float32
	Bias, Out [Second]float32
	Offset    float32
}

// Weights must be from -MaxWeight to MaxWeight.
const MaxWeight = 127.0 / weightOne

// Network returns the network with integer weights. If the sum of a neuron of the first layer could overflow, all weights of
// this neuron are reduced.
func (p *Parameters) Network(recipe string) (*Network, error) {
	var w numbers
	least, most := extremes(func(input, j int) float64 { return float64(p.In[input][j]) })
	for j := range Hidden {
		// The margin of 100 is for rounding: a sum has fewer than 100 weights, and each weight is rounded by at most a half.
		const room = math.MaxInt16 - 100
		fit := float32(min(firstOne, room/max(most[j], -least[j])))
		for i := range Inputs {
			w.Rows[i][j] = whole(p.In[i][j] * fit)
		}
	}
	total := float32(0)
	for k := range Second {
		for j, x := range &p.Weights[k] {
			w.Weights[j/4][k][j%4] = int8(math.RoundToEven(float64(min(max(x, -MaxWeight), MaxWeight) * weightOne)))
		}
		w.Bias[k] = int32(math.RoundToEven(float64(min(max(p.Bias[k], -1e3), 1e3) * secondOne)))
		total += abs(p.Out[k])
	}
	const room = math.MaxInt32/secondOne - Second // limit of the sum of all weights, with a margin because each weight is rounded
	scale := room / max(total, 1e-3)
	for k, x := range p.Out {
		w.Out[k] = int32(math.RoundToEven(float64(x * scale)))
	}
	return build(&w, 1/(secondOne*scale), p.Offset, recipe)
}

// Parameters returns the parameters of a network, from which its training can continue.
func (n *Network) Parameters() *Parameters {
	p := &Parameters{Offset: n.offset}
	for i := range p.In {
		for j, x := range &n.inputs[i] {
			p.In[i][j] = float32(x) / firstOne
		}
	}
	for k := range Second {
		for j := range Hidden {
			p.Weights[k][j] = float32(n.last.weights[j/4][k][j%4]) / weightOne
		}
		p.Bias[k] = float32(n.last.bias[k]) / secondOne
		p.Out[k] = float32(n.last.out[k]) * n.unit * secondOne
	}
	return p
}

func whole(x float32) int16 { return int16(math.RoundToEven(float64(x))) }

func abs(x float32) float32 { return max(x, -x) }
