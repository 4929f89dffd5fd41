// SPDX-License-Identifier: Apache-2.0

package bot

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/krow-lab/krow/internal/atomicfile"
)

//go:embed kits
var kits embed.FS

// Kits lists the languages of the starter kits.
func Kits() []string { return []string{"go", "rust", "c", "typescript"} }

// WriteKit creates the folder dir with the files of a starter kit.
func WriteKit(dir, language string) error {
	files, err := Kit(language)
	if err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o777); errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already", dir)
	} else if err != nil {
		return err
	}
	for name, text := range files {
		if err := atomicfile.Write(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	return nil
}

// Kit returns the files of a starter kit, by name: a program to compile to WebAssembly, and a page with instructions.
func Kit(language string) (map[string][]byte, error) {
	dir := path.Join("kits", language)
	list, err := fs.ReadDir(kits, dir)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, f := range list {
		if files[f.Name()], err = kits.ReadFile(path.Join(dir, f.Name())); err != nil {
			return nil, err
		}
	}
	return files, nil
}
