// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"embed"
	"io/fs"
	"path"
	"strings"
	"text/template"
)

//go:embed templates
var templates embed.FS

// manifests writes the files for Homebrew, Scoop, winget, the AUR and nix, with the checksums of the archives.
func (r *release) manifests() error {
	number := strings.TrimPrefix(r.version, "v")
	sum := func(name string) (string, error) { return r.sum(strings.ReplaceAll(name, "VERSION", number)) }
	data := struct {
		Version, Number, Description, Homepage, Download, Date string
	}{r.version, number, description, homepage, homepage + "/releases/download/" + r.version, r.time.Format("2006-01-02")}
	return fs.WalkDir(templates, "templates", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		t, err := template.New(path.Base(name)).Funcs(template.FuncMap{"sum": sum}).ParseFS(templates, name)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := t.Execute(&b, data); err != nil {
			return err
		}
		return r.write(path.Base(name), b.Bytes())
	})
}
