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

// Format describes the files in which games of an engine are stored.
type Format struct {
	Kind     string // name of the kind of games, which is in the first line of a file
	Version  int
	Games    int                                // number of games in a file
	EachKind bool                               // files of each kind are numbered from 0; otherwise all kinds share one numbering
	Seed     func(h *Header, number int) uint64 // returns the seed of a game from its number in the file
}

// File is a file of games. The whole file is compressed by gzip, which detects damage:
//
//	krow KIND VERSION\n
//	{...}\n             the header
//	body                the games, one after the other, in the engine's encoding
type File struct {
	Header
	Body []byte
}

// Header describes how the games of a file were made. Files with the same header contain the same games.
type Header struct {
	Game   string `json:"game"`
	Seed   uint64 `json:"seed"`
	Number int    `json:"number"`
	Games  int    `json:"games"`
	Nodes  uint64 `json:"nodes"` // number of nodes for each move
	// Weights is the checksum of the engine's weights; it is empty for the built-in weights.
	Weights string `json:"weights,omitempty"`
	// Net is the checksum of the engine's network; it is empty if there is no network.
	Net       string `json:"net,omitempty"`
	Positions int    `json:"positions,omitempty"` // number of searched positions; missing in files of five in a row made before 2026-11-27
}

// maxFile is the maximum size of an unpacked file in bytes.
const maxFile = 1 << 30

func (f *File) write(name string, format Format) error {
	head, err := json.Marshal(f.Header)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	fmt.Fprintf(z, "krow %s %d\n%s\n", format.Kind, format.Version, head) // writing to a buffer cannot fail
	_, _ = z.Write(f.Body)
	if err := z.Close(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(name, out.Bytes())
}

// Open reads the file with this name.
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

// Unpack reads a file from its bytes.
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
		Shard   int    `json:"shard"`   // name of the field Number in files of ultimate made before 2026-11-27
		Network string `json:"network"` // name of the field Net in files of ultimate made before 2026-11-27
	}
	switch {
	case err != nil || len(text) > maxFile || !ours || !ok:
		return nil, damaged
	case string(version) != strconv.Itoa(format.Version):
		return nil, fmt.Errorf("the %s have version %.10q; this krow reads version %d", format.Kind, version, format.Version)
	case json.Unmarshal(head, &h) != nil:
		return nil, damaged
	}
	h.Number += h.Shard
	h.Net += h.Network
	return &File{h.Header, body}, nil
}
