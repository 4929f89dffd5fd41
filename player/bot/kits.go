// SPDX-License-Identifier: Apache-2.0

package bot

import (
	"embed"
	"io/fs"
	"path"
)

//go:embed kits
var kits embed.FS

// Kits lists the languages of the starter kits.
func Kits() []string { return []string{"go", "rust", "c", "typescript"} }

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
