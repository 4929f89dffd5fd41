// SPDX-License-Identifier: Apache-2.0

// Site writes the page that needs no server into a folder, for any static web host:
//
//	go run ./tools/site site
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/local"
	"github.com/krow-lab/krow/internal/notices"
	"github.com/krow-lab/krow/page"
)

// static holds the files that the site has in addition to the page that a server sends.
//
//go:embed static
var static embed.FS

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: site FOLDER")
	}
	if err := write(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

// site holds the contents of the files by name.
type site map[string][]byte

func write(folder string) error {
	s := site{}
	if err := errors.Join(s.addPage(), s.addEngine(), s.addFiles(), s.addFirst()); err != nil {
		return err
	}
	s.addVersion()
	// The documents can be read only online. So they are added after addVersion, which lists the files that the
	// browser keeps for use without a network.
	if err := s.addDocs(); err != nil {
		return err
	}
	for name, data := range s {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// addPage adds the files of the same web page that the server of krow sends to a browser. A note in index.html tells the
// page that there is no server.
func (s site) addPage() error {
	for root, files := range map[string]fs.FS{"dist": page.Dist, "static": static} {
		sub, err := fs.Sub(files, root)
		if err != nil {
			return err
		}
		if err := fs.WalkDir(sub, ".", func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				s[name], err = fs.ReadFile(sub, name)
			}
			return err
		}); err != nil {
			return err
		}
	}
	index := strings.NewReplacer(
		`"/`, `"./`,
		"<title>", `<meta name="krow" content="local" /><link rel="manifest" href="./manifest.webmanifest" /><title>`,
		"The server of krow does not answer. Start it again, then load this page again.", "krow did not load. Load this page again.",
	).Replace(string(s["index.html"]))
	s["index.html"] = []byte(index)
	return nil
}

// addEngine adds the engine as a WebAssembly program for the browser, and the script of the Go distribution that starts such
// programs.
func (s site) addEngine() error {
	temp, err := os.MkdirTemp("", "krow-site-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	file := filepath.Join(temp, "krow.wasm")
	build := exec.Command("go", "build", "-trimpath", "-tags=site", "-ldflags=-s -w", "-o", file, "github.com/krow-lab/krow/cmd/krow-wasm")
	env := append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if os.Getenv("GOTOOLCHAIN") == "" {
		// The code that uses vector instructions needs this version of Go, in which package simd is an experiment.
		env = append(env, "GOTOOLCHAIN=go1.27.3", "GOEXPERIMENT=simd")
	}
	build.Env, build.Stderr = env, os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("go build for the browser: %w", err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // no error: the level is valid
	_, _ = z.Write(data)                                       // writing to a buffer cannot fail
	_ = z.Close()
	s["krow.wasm.gz"] = packed.Bytes()
	goEnv := exec.Command("go", "env", "GOROOT")
	goEnv.Env = env
	root, err := goEnv.Output()
	if err != nil {
		return err
	}
	s["notices-engine.txt"] = []byte(notices.Modules)
	s["wasm_exec.js"], err = os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	return err
}

// addFiles adds the networks and books, which the engine's build with the tag site does not contain.
func (s site) addFiles() error {
	root, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/krow-lab/krow").Output()
	if err != nil {
		return err
	}
	files := os.DirFS(strings.TrimSpace(string(root)))
	for _, pattern := range []string{"engine/gomoku/networks/*.net", "engine/ultimate/network/default.net", "player/opening/books/*.book"} {
		names, err := fs.Glob(files, pattern)
		if err != nil {
			return err
		}
		for _, name := range names {
			if s["files/"+name], err = fs.ReadFile(files, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// addFirst adds the answers that the page needs before the engine is loaded, as files with the paths of the requests.
func (s site) addFirst() error {
	paths := []string{"/catalog"}
	for _, item := range krow.List("games") {
		for _, spec := range krow.Sizes(item.Name) {
			paths = append(paths, "/position?game="+url.QueryEscape(spec), "/opponents?game="+url.QueryEscape(spec))
		}
	}
	first := map[string]json.RawMessage{}
	for _, path := range paths {
		if a := local.Answer("GET", path, nil); a.Status == 200 {
			first[path] = a.Body
		}
	}
	var err error
	s["first.json"], err = json.Marshal(first)
	return err
}

// addVersion writes the list of files into the service worker, and a version that changes if any file changes.
func (s site) addVersion() {
	hash, names := sha256.New(), slices.Sorted(maps.Keys(s))
	for _, name := range names {
		hash.Write(s[name])
	}
	names[slices.Index(names, "index.html")] = "./"
	list, _ := json.Marshal(slices.DeleteFunc(names, func(name string) bool { return name == "sw.js" })) // Marshal cannot fail, because texts can always be encoded
	s["sw.js"] = fmt.Appendf(nil, "const version = '%.8x', files = %s\n%s", hash.Sum(nil), list, s["sw.js"])
}
