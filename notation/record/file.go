// SPDX-License-Identifier: Apache-2.0

package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/atomicfile"
)

// An error that wraps ErrTruncated means that the last line of the file is incomplete. The previous lines are complete.
var ErrTruncated = errors.New("the last line is cut off")

// Opener returns the game that a spec names.
type Opener func(spec string) (game.Game, error)

// Read reads a file and replays its games. An error begins with name, unless that is empty, and with the number of the
// damaged line. The games before that line are returned with the error.
func Read(data []byte, name string, open Opener) (h Header, games []Game, err error) {
	n := 0
	for line := range bytes.Lines(data) {
		n++
		switch {
		case len(bytes.TrimSpace(line)) == 0:
			continue
		case h.Krow == "":
			h, err = parseHeader(line)
		default:
			var g Game
			if g, err = Parse(line, open); err == nil {
				games = append(games, g)
			}
		}
		if err != nil {
			break
		}
	}
	if err == nil && h.Krow == "" {
		n, err = n+1, errors.New("the file is empty, without even a header")
	}
	if err != nil {
		err = fmt.Errorf("line %d: %w", n, err)
		if name != "" {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}
	return h, games, err
}

func parseHeader(line []byte) (h Header, err error) {
	err = json.Unmarshal(line, &h)
	switch {
	case (err != nil || h.Krow != Format || h.Version < 1) && line[len(line)-1] != '\n':
		return Header{}, ErrTruncated
	case err != nil || h.Krow != Format || h.Version < 1:
		return Header{}, fmt.Errorf("not the header of krow's %s", Format)
	case h.Version > Version:
		return h, fmt.Errorf("the file has version %d of the format; this krow reads version %d", h.Version, Version)
	}
	return h, nil
}

// partSuffix is the suffix of the name of an unfinished file.
const partSuffix = ".part"

// Writer writes a file of games. Until Commit renames the file, its name is the final name with the suffix .part.
type Writer struct {
	path string
	f    *os.File // nil after Commit or Close
	kept int      // number of games in the file
	err  error    // the first error of Write
}

// Open returns a Writer and the games that its file already contains. If an interrupted process left an unfinished file of
// the same match, the Writer continues this file; otherwise the Writer begins a new file, which Commit renames to path. If
// the unfinished file belongs to another match, is open in another process, or is damaged before its last line, Open returns
// an error and changes nothing.
func Open(path string, match string, open Opener) (*Writer, []Game, error) {
	f, err := os.OpenFile(path+partSuffix, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, nil, err
	}
	w := &Writer{path: path, f: f}
	games, err := w.beginFile(match, open)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	w.kept = len(games)
	return w, games, nil
}

func (w *Writer) beginFile(match string, open Opener) ([]Game, error) {
	name := w.f.Name()
	if err := atomicfile.Lock(w.f); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	// Another process may have held the lock, and may have finished and renamed the file before it released the lock.
	mine, err := w.f.Stat()
	if err != nil {
		return nil, err
	}
	if now, err := os.Stat(name); err != nil || !os.SameFile(mine, now) {
		return nil, fmt.Errorf("%s: another process has just finished it", name)
	}
	header := Header{Krow: Format, Version: Version, Match: match}
	games, whole, err := w.readPart(header, open)
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

// readPart returns the games of an unfinished file, and the length in bytes of its complete lines.
func (w *Writer) readPart(want Header, open Opener) ([]Game, int64, error) {
	data, err := io.ReadAll(w.f)
	if err != nil {
		return nil, 0, err
	}
	whole := bytes.LastIndexByte(data, '\n') + 1
	if whole == 0 {
		line, err := AppendLine(nil, want)
		if err == nil && !bytes.HasPrefix(line, data) {
			err = fmt.Errorf("%s is not an unfinished file of games: remove it, or choose another name", w.f.Name())
		}
		return nil, 0, err
	}
	h, games, err := Read(data[:whole], w.f.Name(), open)
	if err == nil && h != want {
		err = fmt.Errorf("%s belongs to another match (%s): finish that match, or remove the file", w.f.Name(), h.Match)
	}
	return games, int64(whole), err
}

// Write appends a game. It returns after it has passed the whole line to the operating system.
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

// Cut removes all games except the first n.
func (w *Writer) Cut(n int) error {
	data, err := os.ReadFile(w.f.Name())
	if err != nil {
		return err
	}
	size := 0
	for range n + 1 { // the header and n games
		size += bytes.IndexByte(data[size:], '\n') + 1
	}
	if err := w.f.Truncate(int64(size)); err != nil {
		return err
	}
	w.kept = n
	_, err = w.f.Seek(int64(size), io.SeekStart)
	return err
}

// Commit renames the finished file to its final name. If a file with that name exists, Commit replaces it. If a Write has
// failed, Commit returns the error of that Write and does not rename.
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

// Close closes an unfinished file, which Open can continue later. It removes the file if it contains no games. After Commit
// it does nothing.
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
