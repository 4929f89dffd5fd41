// SPDX-License-Identifier: Apache-2.0

package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/krow-lab/krow/internal/wholefile"
)

// partSuffix ends the name of a file that is not finished.
const partSuffix = ".part"

// Writer writes a file of games beside its final place.
type Writer struct {
	path string
	f    *os.File // nil once committed or closed
	kept int      // games in the file
	err  error    // the first error of Write
}

// Open begins the file at path, or continues the part of it that an interrupted run of the same match left,
// and returns the games that are in there already. It returns an error and changes nothing if the part belongs
// to another match or another process, or is broken in any way but a last line cut off.
func Open(path string, match string, open Opener) (*Writer, []Game, error) {
	f, err := os.OpenFile(path+partSuffix, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, nil, err
	}
	w := &Writer{path: path, f: f}
	games, err := w.begin(match, open)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	w.kept = len(games)
	return w, games, nil
}

func (w *Writer) begin(match string, open Opener) ([]Game, error) {
	if err := wholefile.Lock(w.f); err != nil {
		return nil, fmt.Errorf("%s: %w", w.f.Name(), err)
	}
	if err := w.still(); err != nil {
		return nil, err
	}
	header := Header{Krow: Format, Version: Version, Match: match}
	games, whole, err := w.left(header, open)
	if err != nil {
		return nil, err
	}
	if err := w.f.Truncate(whole); err != nil {
		return nil, err
	}
	if _, err := w.f.Seek(whole, io.SeekStart); err != nil {
		return nil, err
	}
	if whole > 0 {
		return games, nil
	}
	return nil, w.line(header)
}

// still returns an error if the file has been finished and renamed by the process that had it locked.
func (w *Writer) still() error {
	mine, err := w.f.Stat()
	if err != nil {
		return err
	}
	if now, err := os.Stat(w.f.Name()); err != nil || !os.SameFile(mine, now) {
		return fmt.Errorf("%s: another process has just finished it", w.f.Name())
	}
	return nil
}

// left reads what an earlier run left: its games, and how many bytes of the file are good. A last line
// without its newline is not, even when nothing else is missing.
func (w *Writer) left(want Header, open Opener) ([]Game, int64, error) {
	info, err := w.f.Stat()
	if err != nil || info.Size() == 0 {
		return nil, 0, err
	}
	r, err := NewReader(w.f, w.f.Name(), open)
	if errors.Is(err, ErrTruncated) {
		return nil, 0, w.begun(want, info.Size())
	}
	if err != nil {
		return nil, 0, err
	}
	if r.Header() != want {
		return nil, 0, fmt.Errorf("%s is of another match (%s): finish that one, or remove the file", w.f.Name(), r.Header().Match)
	}
	games, err := r.rest()
	if err != nil && !errors.Is(err, ErrTruncated) {
		return nil, 0, err
	}
	if err == nil && r.partial && len(games) > 0 {
		games = games[:len(games)-1]
	}
	return games, r.whole, nil
}

// begun returns an error unless the file is a first part of the line that the header is.
func (w *Writer) begun(h Header, size int64) error {
	line, err := AppendLine(nil, h)
	if err != nil {
		return err
	}
	have := make([]byte, min(size, int64(len(line))+1))
	if _, err := w.f.ReadAt(have, 0); err != nil {
		return err
	}
	if !bytes.HasPrefix(line, have) {
		return fmt.Errorf("%s is no unfinished file of games: remove it, or choose another name", w.f.Name())
	}
	return nil
}

// Write appends a game. It reaches the file before Write returns, whole.
func (w *Writer) Write(g Game) error {
	if w.err == nil {
		w.err = w.line(g)
	}
	if w.err == nil {
		w.kept++
	}
	return w.err
}

func (w *Writer) line(v any) error {
	if w.f == nil {
		return os.ErrClosed
	}
	text, err := AppendLine(nil, v)
	if err == nil {
		_, err = w.f.Write(text)
	}
	return err
}

// AppendLine appends a Header or a Game as a line of a file.
func AppendLine(dst []byte, v any) ([]byte, error) {
	b := bytes.NewBuffer(dst)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// Commit finishes the file and gives it its name, in place of any file that has it. It refuses to after an
// error of Write.
func (w *Writer) Commit() error {
	if w.err != nil {
		return w.err
	}
	if w.f == nil {
		return os.ErrClosed
	}
	if err := w.f.Sync(); err != nil {
		return err
	}
	name := w.f.Name()
	if err := w.f.Close(); err != nil {
		return err
	}
	w.f = nil
	return os.Rename(name, w.path)
}

// Close leaves the part as it is, to be continued, and removes one without games. After Commit it does
// nothing.
func (w *Writer) Close() error {
	if w.f == nil {
		return nil
	}
	name := w.f.Name()
	err := w.f.Close()
	w.f = nil
	if w.kept == 0 {
		err = errors.Join(err, os.Remove(name))
	}
	return err
}
