// SPDX-License-Identifier: Apache-2.0

package subprocess

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// ErrLong is the error for a line that exceeds the Reader's limit. The Reader has skipped the line.
var ErrLong = errors.New("the line is too long")

// Reader reads lines that end with CR, LF or both. Empty lines are ignored.
type Reader struct {
	in  *bufio.Reader
	max int
}

// NewReader returns a Reader that accepts lines of up to max bytes. The limit protects from hostile input.
func NewReader(in io.Reader, max int) *Reader { return &Reader{bufio.NewReader(in), max} }

// Next returns the next line without spaces around it. After ErrLong reading may continue. The last line is also returned if no
// line end follows it.
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

// Line is a line of an input. If the line was too long, it has the error ErrLong in place of the text.
type Line struct {
	Text string
	Err  error
	At   time.Time // when the line arrived
}

// Lines returns a channel with the lines of in. The channel is closed when the input in ends, or when the next line arrives
// after quit was closed. ahead is the maximum number of lines that wait in the channel. Each line contains the time at which it
// arrived.
func Lines(in io.Reader, max, ahead int, quit <-chan struct{}) <-chan Line {
	c := make(chan Line, ahead)
	go func() {
		defer close(c)
		r := NewReader(in, max)
		for {
			text, err := r.Next()
			if err != nil && !errors.Is(err, ErrLong) {
				return
			}
			select {
			case c <- Line{text, err, time.Now()}:
			case <-quit:
				return
			}
		}
	}()
	return c
}

// Printer writes whole lines. It may be used by several goroutines.
type Printer struct {
	W     io.Writer
	mu    sync.Mutex
	muted atomic.Bool
	err   error
}

// Say writes a line, unless the printer is muted or has failed.
func (p *Printer) Say(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.muted.Load() && p.err == nil {
		_, p.err = fmt.Fprintf(p.W, format+"\n", args...)
	}
}

// Mute makes the printer drop all later lines. It does not wait for a line that is being written.
func (p *Printer) Mute() { p.muted.Store(true) }

// Err returns the first error of writing.
func (p *Printer) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// Split returns the first word of a line, unchanged, and the rest of the line.
func Split(line string) (word, rest string) {
	end := strings.IndexAny(line, " \t")
	if end < 0 {
		end = len(line)
	}
	return line[:end], strings.TrimSpace(line[end:])
}

// Shown returns a line from another program in a form that is safe to print: shortened, and with printable characters only.
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
