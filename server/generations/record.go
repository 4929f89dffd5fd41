// SPDX-License-Identifier: Apache-2.0

package generations

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

const (
	format  = "generations"
	version = 1
)

// header is the first line of a record.
type header struct {
	Krow    string `json:"krow"`
	Version int    `json:"version"`
	Settings
}

// Read returns the settings and the generations in the record of a folder. It may be called while a run
// appends to the record.
func Read(dir string) (Settings, []Generation, error) {
	return readRecord(filepath.Join(dir, recordName))
}

func writeRecord(w io.Writer, s Settings, done []Generation) error {
	e := json.NewEncoder(w)
	if err := e.Encode(header{format, version, s}); err != nil {
		return err
	}
	for _, g := range done {
		if err := e.Encode(g); err != nil {
			return err
		}
	}
	return nil
}

func readRecord(name string) (Settings, []Generation, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return Settings{}, nil, err
	}
	var h header
	var done []Generation
	n := 0
	for line := range bytes.Lines(data) {
		n++
		var err error
		if n == 1 {
			err = h.parse(line)
		} else {
			var g Generation
			if err = json.Unmarshal(line, &g); err == nil && g.Generation != n-1 {
				err = fmt.Errorf("found generation %d instead of %d", g.Generation, n-1)
			}
			done = append(done, g)
		}
		if err != nil {
			return Settings{}, nil, fmt.Errorf("%s: line %d: %w", name, n, err)
		}
	}
	if n == 0 {
		return Settings{}, nil, fmt.Errorf("%s is empty", name)
	}
	return h.Settings, done, nil
}

func (h *header) parse(line []byte) error {
	switch err := json.Unmarshal(line, h); {
	case err != nil || h.Krow != format || h.Version < 1:
		return errors.New("not the record of generations")
	case h.Version > version:
		return fmt.Errorf("the record has version %d; this krow reads version %d", h.Version, version)
	}
	return nil
}

// games returns the names of the files of games in the folder.
func (r *Run) games() (names []string, err error) {
	all, err := os.ReadDir(r.dir)
	for _, f := range all {
		if strings.HasSuffix(f.Name(), ".games.gz") {
			names = append(names, f.Name())
		}
	}
	return names, err
}
