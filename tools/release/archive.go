// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// entry is a file of an archive or a package: its name in the archive, and its contents. The name of a folder ends with a slash.
type entry struct {
	name string
	data []byte
	mode os.FileMode
}

// extension returns the extension of a program's file name on a system.
func extension(t target) string {
	if t.os == "windows" {
		return ".exe"
	}
	return ""
}

// contents returns the files of an archive for a target.
func (r *release) contents(t target) (all []entry, err error) {
	add := func(from, name string, mode os.FileMode) {
		data, e := os.ReadFile(from)
		all, err = append(all, entry{name, data, mode}), cmp.Or(err, e)
	}
	for _, name := range programs {
		add(filepath.Join(r.work, t.String(), name+extension(t)), name+extension(t), 0o755)
	}
	for _, name := range []string{"README.md", "CHANGELOG.md", "LICENSE"} {
		add(filepath.Join(r.source, name), name, 0o644)
	}
	add(filepath.Join(r.work, "NOTICES"), "NOTICES", 0o644)
	for _, dir := range []string{"man", "completions"} {
		if t.os == "windows" && dir == "man" {
			continue
		}
		files, e := filesIn(filepath.Join(r.work, dir))
		for _, f := range files {
			all = append(all, entry{dir + "/" + f.name, f.data, f.mode})
		}
		err = cmp.Or(err, e)
	}
	return all, err
}

// mostBrain is the maximum size of a zip file that Gomocup accepts without an agreement. CITE: gomocup.org, detailed information,
// 2025.
const mostBrain = 8 << 20

const note = `krow, a brain for the Gomocup protocol

Games: freestyle, exactly five (standard), renju and caro, on boards of 5x5 to 22x22. Swap2, pass and undo are known.
It uses one thread, and keeps to INFO max_memory.
The program needs a processor of x86-64. Where there is AVX2 it uses that.
The networks in it learned from games of krow against itself.
`

// archive writes the archives of all targets, the brains for Gomocup, the site, and the sources.
func (r *release) archive() error {
	for _, t := range targets {
		files, err := r.contents(t)
		if err != nil {
			return err
		}
		folder := r.archiveName(t)
		for i := range files {
			files[i].name = folder + "/" + files[i].name
		}
		if t.os == "windows" {
			err = r.writeZip(folder+".zip", files)
		} else {
			err = r.writeTar(folder+".tar.gz", files)
		}
		if err != nil {
			return err
		}
	}
	for _, t := range []target{{"windows", "amd64"}, {"linux", "amd64"}} {
		brain, err := os.ReadFile(filepath.Join(r.work, t.String(), "pbrain-krow"+extension(t)))
		if err != nil {
			return err
		}
		name := "krow-gomocup-" + t.os + ".zip"
		if err := r.writeZip(name, []entry{{"pbrain-krow64" + extension(t), brain, 0o755}, {"readme.txt", []byte(note), 0o644}}); err != nil {
			return err
		}
		if file, err := os.Stat(filepath.Join(r.out, name)); err != nil || file.Size() > mostBrain {
			return errors.Join(err, fmt.Errorf("%s has more than the %d bytes that Gomocup accepts", name, mostBrain))
		}
	}
	folder := "krow-" + strings.TrimPrefix(r.version, "v")
	if err := r.site(folder + "-site.tar.gz"); err != nil {
		return err
	}
	sources, err := output(r.source, "git", "archive", "--format=tar", "--prefix="+folder+"/", "HEAD")
	if err != nil {
		return err
	}
	packed, err := compress([]byte(sources))
	if err != nil {
		return err
	}
	return r.write(folder+"-source.tar.gz", packed)
}

// site writes the web page that needs no server, as files for any static web host.
func (r *release) site(name string) error {
	dir := filepath.Join(r.work, "site")
	if _, err := output(r.source, "go", "run", "-trimpath", "./tools/site", dir); err != nil {
		return err
	}
	files, err := filesIn(dir)
	if err != nil {
		return err
	}
	for i := range files {
		files[i].name = strings.TrimSuffix(name, ".tar.gz") + "/" + files[i].name
	}
	return r.writeTar(name, files)
}

// filesIn returns all files in a folder, with their names relative to the folder.
func filesIn(dir string) (all []entry, err error) {
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		all = append(all, entry{filepath.ToSlash(rel), data, 0o644})
		return err
	})
	return all, err
}

// archiveName returns the name of a target's archive without the extension. The folder in the archive has the same name.
func (r *release) archiveName(t target) string {
	return "krow-" + strings.TrimPrefix(r.version, "v") + "-" + t.String()
}

// compress returns data compressed by gzip. The header of the compressed data contains no file name and no time.
func compress(data []byte) ([]byte, error) {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // no error, because the level is valid
	_, err := z.Write(data)
	err = cmp.Or(err, z.Close())
	return b.Bytes(), err
}

// tarOf returns a tar file of entries. Folders come before their files.
func tarOf(files []entry, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	made := map[string]bool{}
	for _, f := range files {
		for i, c := range strings.TrimSuffix(f.name, "/") {
			if c == '/' && i > 0 && !made[f.name[:i]] {
				made[f.name[:i]] = true
				h := &tar.Header{Name: f.name[:i+1], Typeflag: tar.TypeDir, Mode: 0o755, ModTime: at, Format: tar.FormatUSTAR}
				if err := w.WriteHeader(h); err != nil {
					return nil, err
				}
			}
		}
		h := &tar.Header{Name: f.name, Mode: int64(f.mode.Perm()), Size: int64(len(f.data)), ModTime: at, Format: tar.FormatUSTAR}
		if strings.HasSuffix(f.name, "/") {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

func (r *release) writeTar(name string, files []entry) error {
	data, err := tarOf(files, r.time)
	if err == nil {
		data, err = compress(data)
	}
	if err != nil {
		return err
	}
	return r.write(name, data)
}

func (r *release) writeZip(name string, files []entry) error {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: r.time}
		h.SetMode(f.mode)
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = io.Copy(w, bytes.NewReader(f.data))
		}
		if err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return r.write(name, b.Bytes())
}
