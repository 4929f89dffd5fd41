// SPDX-License-Identifier: Apache-2.0

package connect4

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
)

// bookHead is the first line of the file of a book. Its entries follow, in the order of their keys, each the
// difference of its key to the one before as a varint and a byte of its score; and the SHA-256 of all before.
type bookHead struct {
	Krow    string `json:"krow"` // "book"
	Version int    `json:"version"`
	Columns int    `json:"columns"`
	Rows    int    `json:"rows"`
	K       int    `json:"k"`
	Plies   int    `json:"plies"`
	Entries int    `json:"entries"`
}

const bookVersion = 1

// The most entries of a book that are read, and the most bytes of one.
const (
	mostEntries = 1 << 32
	mostBytes   = binary.MaxVarintLen64 + 1
)

// WriteTo writes the file of the book.
func (b *Book) WriteTo(w io.Writer) (int64, error) {
	head, err := json.Marshal(bookHead{"book", bookVersion, b.Columns, b.Rows, b.K, b.Plies, len(b.scores)})
	if err != nil {
		return 0, err
	}
	file, before := append(head, '\n'), uint64(0)
	for _, k := range slices.Sorted(maps.Keys(b.scores)) {
		file = binary.AppendUvarint(file, k-before)
		file = append(file, byte(b.scores[k]))
		before = k
	}
	sum := sha256.Sum256(file)
	n, err := w.Write(append(file, sum[:]...))
	return int64(n), err
}

// ReadBook reads the file of a book. That the entries are true is for Check to say.
func ReadBook(r io.Reader) (*Book, error) {
	file := bufio.NewReader(r)
	head, err := file.ReadSlice('\n')
	if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
		return nil, err
	}
	var h bookHead
	if json.Unmarshal(head, &h) != nil || h.Krow != "book" {
		return nil, errors.New("this is no book")
	}
	if h.Version != bookVersion {
		return nil, fmt.Errorf("version %d of books is not %d, the one known here", h.Version, bookVersion)
	}
	if line, _ := json.Marshal(h); string(head) != string(line)+"\n" {
		return nil, fmt.Errorf("the first line of the book is not %s", line)
	}
	sum := sha256.New()
	sum.Write(head)
	entries, err := io.ReadAll(io.LimitReader(file, min(int64(max(h.Entries, 0)), mostEntries)*mostBytes+sha256.Size+1))
	if err != nil {
		return nil, err
	}
	at := max(0, len(entries)-sha256.Size)
	if sum.Write(entries[:at]); !bytes.Equal(sum.Sum(nil), entries[at:]) {
		return nil, errors.New("the book is damaged: its checksum is wrong")
	}
	if h.Plies < 0 || h.Plies >= h.Columns*h.Rows {
		return nil, fmt.Errorf("this is a book of %d plies for a board of %d columns and %d rows", h.Plies, h.Columns, h.Rows)
	}
	b := &Book{h.Columns, h.Rows, h.K, h.Plies, map[uint64]int8{}}
	in, k := bufio.NewReader(bytes.NewReader(entries[:at])), uint64(0)
	most := int8(min(b.Columns*b.Rows/2+1, math.MaxInt8))
	for range h.Entries {
		d, err := binary.ReadUvarint(in)
		v, missing := in.ReadByte()
		if err != nil || missing != nil {
			return nil, errors.New("the book ends before its entries do")
		}
		if score := int8(v); score < -most || score > most {
			return nil, fmt.Errorf("the book says that a position is worth %+d", score)
		}
		k += d
		b.scores[k] = int8(v)
	}
	if _, err := in.ReadByte(); err != io.EOF || len(b.scores) != h.Entries {
		return nil, errors.New("the book does not hold the entries that it says")
	}
	return b, nil
}
