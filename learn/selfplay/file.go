// SPDX-License-Identifier: Apache-2.0

package selfplay

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/krow-lab/krow/internal/atomicfile"
)

// Format describes the files of games of an engine.
type Format struct {
	Kind     string // of games, in the first line
	Version  int
	Games    int                                // in a file
	EachKind bool                               // the files of each kind of game are numbered from 0; otherwise the files of all kinds are numbered together
	Seed     func(h *Header, number int) uint64 // of a game of a file
}

// File is a file of games. The whole file is compressed by gzip, which detects damage:
//
//	krow KIND VERSION\n
//	{...}\n             the header
//	body                as the engine writes games, one after the other
type File struct {
	Header
	Body []byte
}

// Header describes how the games of a file were made. Files of the same header hold the same games.
type Header struct {
	Game   string `json:"game"`
	Seed   uint64 `json:"seed"`
	Number int    `json:"number"`
	Games  int    `json:"games"`
	Nodes  uint64 `json:"nodes"` // for each move
	// Weights is the checksum of the file of the weights that played, or empty for the engine's own.
	Weights string `json:"weights,omitempty"`
	// Net is the checksum of the file of the network that played, or empty without one.
	Net       string `json:"net,omitempty"`
	Positions int    `json:"positions,omitempty"` // that were searched; files of five in a row before 2026-11-27 do not have it
}

// maxFile bounds a file, in bytes when unpacked.
const maxFile = 1 << 30

func (f *File) write(name string, format Format) error {
	head, err := json.Marshal(f.Header)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	fmt.Fprintf(z, "krow %s %d\n%s\n", format.Kind, format.Version, head) // a buffer takes everything
	_, _ = z.Write(f.Body)
	if err := z.Close(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(name, out.Bytes())
}

// Open reads a file of that name.
func Open(name string, format Format) (*File, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	f, err := Unpack(data, format)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

// Unpack reads a file.
func Unpack(data []byte, format Format) (*File, error) {
	damaged := fmt.Errorf("not a file of %s, or a damaged one", format.Kind)
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, damaged
	}
	text, err := io.ReadAll(io.LimitReader(z, maxFile+1))
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	head, body, ok := bytes.Cut(rest, []byte("\n"))
	version, ours := bytes.CutPrefix(first, []byte("krow "+format.Kind+" "))
	var h struct {
		Header
		Shard   int    `json:"shard"`   // the name of Number in files of ultimate before 2026-11-27
		Network string `json:"network"` // and of Net
	}
	switch {
	case err != nil || len(text) > maxFile || !ours || !ok:
		return nil, damaged
	case string(version) != strconv.Itoa(format.Version):
		return nil, fmt.Errorf("%s of version %.10q, and this krow reads %d", format.Kind, version, format.Version)
	case json.Unmarshal(head, &h) != nil:
		return nil, damaged
	}
	h.Number += h.Shard
	h.Net += h.Network
	return &File{h.Header, body}, nil
}
