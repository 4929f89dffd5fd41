// SPDX-License-Identifier: Apache-2.0

// Gomocup builds the brains that a tournament of Gomocup takes, for Windows and for Linux, each in a zip file with a note:
//
//	go run ./tools/gomocup            # make gomocup: into bin/gomocup
//
// A zip file holds one program, which needs no other files. The same sources make the same files.
package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/krow-lab/krow/internal/atomicfile"
)

// most is the size of a zip file that Gomocup takes without being asked. CITE: gomocup.org, detailed information, 2025.
const most = 8 << 20

const note = `krow, a brain for the Gomocup protocol

Games: freestyle, exactly five (standard), renju and caro, on boards of 5x5 to 22x22. Swap2, pass and undo are known.
It uses one thread, and keeps to INFO max_memory.
The program needs a processor of x86-64. Where there is AVX2 it uses that.
The networks in it learned from games of krow against itself.
`

// targets are the programs: the system they run on, and their names. Gomocup asks for a name that ends with 64.
var targets = []struct{ system, name string }{{"windows", "pbrain-krow64.exe"}, {"linux", "pbrain-krow64"}}

func main() {
	if err := buildBrains(filepath.Join("bin", "gomocup")); err != nil {
		fmt.Fprintln(os.Stderr, "gomocup:", err)
		os.Exit(1)
	}
}

func buildBrains(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, t := range targets {
		program := filepath.Join(dir, t.name)
		build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, "./cmd/pbrain-krow")
		build.Env = append(os.Environ(), "GOOS="+t.system, "GOARCH=amd64", "CGO_ENABLED=0")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		packed, err := pack(program)
		if err != nil {
			return err
		}
		if len(packed) > most {
			return fmt.Errorf("%s: the zip file has %d bytes, and Gomocup takes %d", t.name, len(packed), most)
		}
		name := filepath.Join(dir, "krow-"+t.system+".zip")
		if err := atomicfile.Write(name, packed); err != nil {
			return err
		}
		fmt.Printf("%s: %.1f MB\n", name, float64(len(packed))/1e6)
	}
	return nil
}

// pack returns a zip file of a program and the note, without times.
func pack(program string) ([]byte, error) {
	code, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range []struct {
		name string
		data []byte
		mode os.FileMode
	}{{filepath.Base(program), code, 0o755}, {"readme.txt", []byte(note), 0o644}} {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate}
		h.SetMode(f.mode)
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = w.Write(f.data)
		}
		if err != nil {
			return nil, err
		}
	}
	err = z.Close()
	return b.Bytes(), err
}
