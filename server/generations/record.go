// SPDX-License-Identifier: Apache-2.0

package generations

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/krow-lab/krow/internal/atomicfile"
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

// Read returns the settings and the generations that the record of a folder contains. The run may be in progress.
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
				err = fmt.Errorf("generation %d where %d is due", g.Generation, n-1)
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
		return fmt.Errorf("version %d of the record is newer than this krow, which reads %d", h.Version, version)
	}
	return nil
}

// differs names the settings in which other differs from r. It returns "" if there are none.
func (r *Run) differs(other Settings) string {
	mine, theirs := reflect.ValueOf(r.Settings), reflect.ValueOf(other)
	for i := range mine.NumField() {
		if a, b := mine.Field(i).Interface(), theirs.Field(i).Interface(); !reflect.DeepEqual(a, b) {
			name := mine.Type().Field(i).Tag.Get("json")
			return fmt.Sprintf("with %s %v and not %v", strings.ReplaceAll(name, "_", " "), b, a)
		}
	}
	return ""
}

// ofSeed matches the name of a file of games, and has its seed.
var ofSeed = regexp.MustCompile(`-seed-(\d+)-\d+\.games\.gz$`)

// games returns the names of the files of games.
func (r *Run) games() (names []string, err error) {
	all, err := os.ReadDir(r.dir)
	for _, f := range all {
		if strings.HasSuffix(f.Name(), ".games.gz") {
			names = append(names, f.Name())
		}
	}
	return names, err
}

// strangers refuses files of games that are not of the first n generations.
func (r *Run) strangers(n int) error {
	names, err := r.games()
	if err != nil {
		return err
	}
	for _, name := range names {
		found := ofSeed.FindStringSubmatch(name)
		ours := found != nil
		if ours {
			seed, err := strconv.ParseUint(found[1], 10, 64)
			ours = err == nil && seed > r.seed(0) && seed <= r.seed(n)
		}
		if !ours {
			return fmt.Errorf("%s has games that are not of this run, %s: name another folder", r.dir, name)
		}
	}
	return nil
}

// readJSON reads a file into v, and reports whether the file exists.
func readJSON(name string, v any) (found bool, err error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w; without the file it is made again", name, err)
	}
	return true, nil
}

func writeJSON(name string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return atomicfile.Write(name, data)
}
