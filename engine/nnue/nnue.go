// SPDX-License-Identifier: Apache-2.0

// Package nnue holds code that the networks of the engines share: it reads and packs their files, and converts their floats to the
// integers that the engines compute with.
//
// # Basics
//
//	n, err := nnue.Load("gomoku.net", 2<<20, network.Parse)
//
//	r := nnue.Unpack(body, 2<<20)
//	r.Numbers(&header)
//	recipe := r.Text()
//	err := r.End()
//
//	q := nnue.Quantizer{}
//	nnue.Row(&q, integers, floats, 511, math.MaxInt16)
//	err := q.Err
//
// Inputs, widths and the forward pass belong to each game: see packages engine/gomoku/network and engine/ultimate/network.
// Package learn/nnue trains networks.
//
// CITE: Nasu, Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi, 2018.
package nnue

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
)

// Load reads the named file, but at most limit+1 bytes of it, and parses the network in it.
func Load[N any](name string, limit int64, parse func([]byte) (N, error)) (n N, err error) {
	f, err := os.Open(name)
	if err != nil {
		return n, err
	}
	defer f.Close() //nolint:errcheck // nothing was written
	// One byte more than the limit suffices to refuse a file that is too long, perhaps endless.
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return n, err
	}
	if n, err = parse(data); err != nil {
		return n, fmt.Errorf("%s: %w", name, err)
	}
	return n, nil
}

// errDamaged is returned for a packed file that is truncated or damaged.
var errDamaged = errors.New("the network's file is truncated or damaged")

// Reader reads the parts of a packed file. After an error all parts are empty, and End returns the error.
type Reader struct {
	from io.Reader
	err  error
}

// Unpack returns a Reader of data that Pack packed. It yields at most limit unpacked bytes.
func Unpack(data []byte, limit int64) *Reader {
	z, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return &Reader{err: err}
	}
	return &Reader{from: io.LimitReader(z, limit)}
}

// Numbers reads little-endian numbers of a fixed size into to, as binary.Read does.
func (r *Reader) Numbers(to any) {
	if r.err == nil {
		r.err = binary.Read(r.from, binary.LittleEndian, to)
	}
}

// Text reads a length in 2 bytes, and a text of this length.
func (r *Reader) Text() string {
	var size uint16
	r.Numbers(&size)
	text := make([]byte, size)
	if r.err == nil {
		_, r.err = io.ReadFull(r.from, text)
	}
	return string(text)
}

// Err returns errDamaged if a part could not be read.
func (r *Reader) Err() error {
	if r.err != nil {
		return errDamaged
	}
	return nil
}

// End returns errDamaged if a part could not be read, or if anything follows the last part.
func (r *Reader) End() error {
	if r.err == nil {
		rest, err := io.ReadAll(r.from)
		if r.err = err; len(rest) > 0 {
			r.err = errDamaged
		}
	}
	return r.Err()
}

// Pack appends the parts to dst, compressed by zlib, which detects damage. A string is written in the form that [Reader.Text]
// reads. All other parts are numbers of a fixed size.
func Pack(dst []byte, parts ...any) []byte {
	var b bytes.Buffer
	z, _ := zlib.NewWriterLevel(&b, zlib.BestCompression) // a buffer takes everything, and the level exists
	for _, part := range parts {
		if text, ok := part.(string); ok {
			_ = binary.Write(z, binary.LittleEndian, uint16(len(text)))
			part = []byte(text)
		}
		_ = binary.Write(z, binary.LittleEndian, part)
	}
	_ = z.Close()
	return append(dst, b.Bytes()...)
}

// Quantizer converts floats to integers, where unit is the integer for 1, or with Back integers to floats. Err names a weight
// outside the bounds.
type Quantizer struct {
	Back bool
	Err  error
}

// Number sets *integer from *float, or back. The integer must lie between -most and most.
func Number[T int16 | int32](q *Quantizer, integer *T, float *float32, unit float64, most int32) {
	if q.Back {
		*float = float32(float64(*integer) / unit)
		return
	}
	v := math.Round(float64(*float) * unit)
	if !(math.Abs(v) <= float64(most)) {
		q.Err, v = fmt.Errorf("the network's training has run away: a weight is %v", *float), 0
	}
	*integer = T(v)
}

// Row sets integers from floats, or back, as Number does.
func Row[T int16 | int32](q *Quantizer, integers []T, floats []float32, unit float64, most int32) {
	for i := range integers {
		Number(q, &integers[i], &floats[i], unit, most)
	}
}

// Magnitude returns the absolute value of a weight, as int64, since the absolute value of the smallest T does not fit into T.
func Magnitude[T int16 | int32](w T) int64 { return max(int64(w), -int64(w)) }
