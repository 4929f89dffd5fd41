// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// maxLine is the longest line of either end. No command is longer, and the other end may be hostile.
const maxLine = 4096

// errLong is the error of a longer line. The line has been passed over.
var errLong = errors.New("the line is too long")

// lineReader reads lines that end with CR, LF or both. Empty ones are passed over.
type lineReader struct{ in *bufio.Reader }

func newLineReader(in io.Reader) lineReader { return lineReader{bufio.NewReader(in)} }

// next returns the next line without its end and the spaces around it. The error is errLong, after which reading may go
// on, or that of the input. The last line needs no end.
func (r lineReader) next() (string, error) {
	var text []byte
	long := false
	for {
		b, err := r.in.ReadByte()
		if err == nil && b != '\n' && b != '\r' {
			if len(text) == maxLine {
				long = true
				continue
			}
			text = append(text, b)
			continue
		}
		if long {
			return "", errLong
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

// cut returns the first word of a line, in capitals, and what follows it.
func cut(line string) (word, rest string) {
	word, rest = split(line)
	return strings.ToUpper(word), rest
}

// split returns the first word of a line as it is, and what follows it.
func split(line string) (word, rest string) {
	end := strings.IndexAny(line, " \t")
	if end < 0 {
		end = len(line)
	}
	return line[:end], strings.TrimSpace(line[end:])
}

// shown returns a line from outside as it may be quoted: short and printable.
func shown(s string) string {
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

// parseInts reads n whole numbers between commas, with or without spaces.
func parseInts(s string, n int) ([]int, error) {
	fields := strings.Split(s, ",")
	if len(fields) != n {
		return nil, fmt.Errorf("%q is not %d numbers between commas", shown(s), n)
	}
	numbers := make([]int, n)
	for i, f := range fields {
		v, err := strconv.Atoi(strings.TrimSpace(f))
		if err != nil {
			return nil, fmt.Errorf("%q is not a number", shown(f))
		}
		numbers[i] = v
	}
	return numbers, nil
}

// point is a cell as the protocol names it.
type point struct{ x, y int }

func (p point) String() string { return fmt.Sprintf("%d,%d", p.x, p.y) }

func parsePoint(s string) (point, error) {
	n, err := parseInts(s, 2)
	if err != nil {
		return point{}, err
	}
	return point{n[0], n[1]}, nil
}
