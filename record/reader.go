// SPDX-License-Identifier: Apache-2.0

package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/krow-lab/krow/game"
)

// ErrTruncated is wrapped by the error for a last line that breaks off, as an interrupted writer leaves it. The
// games before it are whole.
var ErrTruncated = errors.New("the last line is cut off")

// maxLine bounds a line, so that hostile input cannot exhaust the memory; the longest game on the largest
// board takes about a tenth.
const maxLine = 4 << 20

// Opener returns the game that a spec names.
type Opener func(spec string) (game.Game, error)

// Reader reads a file game by game.
type Reader struct {
	header Header
	name   string
	in     *bufio.Reader
	open   Opener
	line   int
	spec   string
	rules  game.Game // of spec

	whole   int64 // bytes of the lines read that ended with a newline
	partial bool  // the last line read did not
}

// NewReader reads the header from in. Errors begin with name, usually the file's, unless it is empty,
// and with the line.
func NewReader(in io.Reader, name string, open Opener) (*Reader, error) {
	r := &Reader{name: name, in: bufio.NewReader(in), open: open}
	text, err := r.readLine()
	if err == io.EOF {
		return nil, r.errorf("the file is empty, without even a header")
	}
	if err != nil {
		return nil, err
	}
	err = json.Unmarshal(text, &r.header)
	switch h := r.header; {
	case err != nil || h.Krow != Format || h.Version < 1:
		if r.partial {
			return nil, r.errorf("%w", ErrTruncated)
		}
		return nil, r.errorf("not the header of krow's %s", Format)
	case h.Version > Version:
		return nil, r.errorf("version %d of the format is newer than this program, which reads version %d", h.Version, Version)
	}
	return r, nil
}

// Header returns the first line.
func (r *Reader) Header() Header { return r.header }

// Next returns the next game, replayed and found right. The error is io.EOF at the end, or names the line;
// one that wraps ErrTruncated means that all before it is good.
func (r *Reader) Next() (Game, error) {
	text, err := r.readLine()
	if err != nil {
		return Game{}, err
	}
	var g Game
	if err := json.Unmarshal(text, &g); err != nil {
		if r.partial {
			err = ErrTruncated
		}
		return Game{}, r.errorf("%w", err)
	}
	if err := r.replay(g); err != nil {
		return Game{}, r.errorf("%w", err)
	}
	return g, nil
}

func (r *Reader) replay(g Game) error {
	if r.rules == nil || r.spec != g.Game {
		rules, err := r.open(g.Game)
		if err != nil {
			return err
		}
		r.spec, r.rules = g.Game, rules
	}
	_, err := g.Replay(r.rules)
	return err
}

// readLine returns the next line that is not blank, with its newline where it has one.
func (r *Reader) readLine() ([]byte, error) {
	for {
		r.line++
		text, err := r.rawLine()
		if err != nil {
			return nil, err
		}
		if len(bytes.TrimSpace(text)) > 0 {
			r.partial = text[len(text)-1] != '\n'
			return text, nil
		}
	}
}

func (r *Reader) rawLine() ([]byte, error) {
	var text []byte
	for {
		piece, err := r.in.ReadSlice('\n')
		text = append(text, piece...)
		switch {
		case len(text) > maxLine:
			return nil, r.errorf("longer than %d bytes", maxLine)
		case err == nil:
			r.whole += int64(len(text))
			return text, nil
		case err == io.EOF && len(text) > 0:
			return text, nil
		case err == io.EOF:
			return nil, io.EOF
		case err != bufio.ErrBufferFull:
			return nil, r.errorf("%w", err)
		}
	}
}

func (r *Reader) errorf(format string, args ...any) error {
	err := fmt.Errorf("line %d: %w", r.line, fmt.Errorf(format, args...))
	if r.name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", r.name, err)
}

// ReadFile reads a whole file. With an error that wraps ErrTruncated it returns the games before it.
func ReadFile(path string, open Opener) (Header, []Game, error) {
	f, err := os.Open(path)
	if err != nil {
		return Header{}, nil, err
	}
	defer f.Close()
	r, err := NewReader(f, path, open)
	if err != nil {
		return Header{}, nil, err
	}
	games, err := r.rest()
	return r.Header(), games, err
}

// rest reads to the end. On an error it returns the games before it.
func (r *Reader) rest() ([]Game, error) {
	var games []Game
	for {
		g, err := r.Next()
		if err == io.EOF {
			return games, nil
		}
		if err != nil {
			return games, err
		}
		games = append(games, g)
	}
}
