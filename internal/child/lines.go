// SPDX-License-Identifier: Apache-2.0

package child

import (
	"bufio"
	"errors"
	"io"
	"strings"
)

// ErrLong is the error of a line that is longer than a Reader takes. The line has been passed over.
var ErrLong = errors.New("the line is too long")

// Reader reads lines that end with CR, LF or both. Empty ones are passed over.
type Reader struct {
	in  *bufio.Reader
	max int
}

// NewReader returns a reader of lines of up to max bytes, since the other end may be hostile.
func NewReader(in io.Reader, max int) *Reader { return &Reader{bufio.NewReader(in), max} }

// Next returns the next line without spaces around it. After ErrLong reading may go on. The last line needs no end.
func (r *Reader) Next() (string, error) {
	var text []byte
	long := false
	for {
		b, err := r.in.ReadByte()
		if err == nil && b != '\n' && b != '\r' {
			if len(text) == r.max {
				long = true
				continue
			}
			text = append(text, b)
			continue
		}
		if long {
			return "", ErrLong
		}
		if s := strings.TrimSpace(string(text)); s != "" {
			return s, nil
		}
		if err != nil {
			return "", err
		}
		text = text[:0]
	}
}

// Split returns the first word of a line as it is, and what follows it.
func Split(line string) (word, rest string) {
	end := strings.IndexAny(line, " \t")
	if end < 0 {
		end = len(line)
	}
	return line[:end], strings.TrimSpace(line[end:])
}

// Shown returns a line from outside as it may be quoted: short and printable.
func Shown(s string) string {
	const most = 60
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, s)
	if len(s) > most {
		s = s[:most] + "..."
	}
	return s
}
