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
	file, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	at := len(file) - sha256.Size
	head, _, ok := bytes.Cut(file[:max(at, 0)], []byte("\n"))
	var h bookHead
	if !ok || json.Unmarshal(head, &h) != nil || h.Krow != "book" {
		return nil, errors.New("this is no book")
	}
	if h.Version != bookVersion {
		return nil, fmt.Errorf("version %d of books is not %d, the one known here", h.Version, bookVersion)
	}
	if sum := sha256.Sum256(file[:at]); !bytes.Equal(sum[:], file[at:]) {
		return nil, errors.New("the book is damaged: its checksum is wrong")
	}
	b := &Book{h.Columns, h.Rows, h.K, h.Plies, map[uint64]int8{}}
	in, k := bufio.NewReader(bytes.NewReader(file[len(head)+1:at])), uint64(0)
	for range h.Entries {
		d, err := binary.ReadUvarint(in)
		v, missing := in.ReadByte()
		if err != nil || missing != nil {
			return nil, errors.New("the book ends before its entries do")
		}
		k += d
		b.scores[k] = int8(v)
	}
	if _, err := in.ReadByte(); err != io.EOF || len(b.scores) != h.Entries {
		return nil, errors.New("the book does not hold the entries that it says")
	}
	return b, nil
}
