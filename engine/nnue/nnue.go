// SPDX-License-Identifier: Apache-2.0

// Package nnue contains code that the networks of several engines share: it reads and packs their files, and converts their
// weights from floats to the integers with which the engines compute.
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
// The inputs, the sizes and the forward pass differ between games: see packages engine/gomoku/network and engine/ultimate/network.
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

// Load reads the file with this name and parses the network in it. It reads at most limit+1 bytes, so that the function
// parse can detect a file that is too long.
func Load[N any](name string, limit int64, parse func([]byte) (N, error)) (n N, err error) {
	f, err := os.Open(name)
	if err != nil {
		return n, err
	}
	defer f.Close() //nolint:errcheck // nothing was written, so an error of Close does no harm
	// Reading one byte more than the limit is enough to detect a file that is too long or endless.
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

// Reader reads the parts of a packed file. After an error all further parts are empty, and End returns the error.
type Reader struct {
	from io.Reader
	err  error
}

// Unpack returns a Reader of data that Pack packed. The Reader reads no more unpacked bytes than limit.
func Unpack(data []byte, limit int64) *Reader {
	z, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return &Reader{err: err}
	}
	return &Reader{from: io.LimitReader(z, limit)}
}

// Numbers reads little-endian numbers of a fixed size and stores them where the parameter to points, as binary.Read does.
func (r *Reader) Numbers(to any) {
	if r.err == nil {
		r.err = binary.Read(r.from, binary.LittleEndian, to)
	}
}

// Text reads a length of 2 bytes and then a text of this length.
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

// End returns errDamaged if a part could not be read, or if the file continues after the last part.
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
// reads. All other parts must be numbers of a fixed size.
func Pack(dst []byte, parts ...any) []byte {
	var b bytes.Buffer
	z, _ := zlib.NewWriterLevel(&b, zlib.BestCompression) // no error: the level is valid, and writing to a buffer cannot fail
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

// Quantizer converts floats to integers; unit is the integer that represents 1. If Back is set, it converts integers to floats.
// Err reports a weight outside the bounds.
type Quantizer struct {
	Back bool
	Err  error
}

// Number sets *integer from *float, or *float from *integer if q.Back is set. The integer must be from -most to most.
func Number[T int16 | int32](q *Quantizer, integer *T, float *float32, unit float64, most int32) {
	if q.Back {
		*float = float32(float64(*integer) / unit)
		return
	}
	v := math.Round(float64(*float) * unit)
	if !(math.Abs(v) <= float64(most)) {
		q.Err, v = fmt.Errorf("the training of the network diverged: a weight is %v", *float), 0
	}
	*integer = T(v)
}

// Row calls Number for all elements of the slices.
func Row[T int16 | int32](q *Quantizer, integers []T, floats []float32, unit float64, most int32) {
	for i := range integers {
		Number(q, &integers[i], &floats[i], unit, most)
	}
}

// Magnitude returns the absolute value of a weight, as int64, since the absolute value of the smallest T does not fit into T.
func Magnitude[T int16 | int32](w T) int64 { return max(int64(w), -int64(w)) }
