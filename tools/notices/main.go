// SPDX-License-Identifier: Apache-2.0

// Notices collects the licences of all modules that are linked into krow on at least one system of a release. It writes the
// licences to internal/notices/modules.txt, which `krow licenses` prints:
//
//	go run ./tools/notices            # make notices
//
// It reports an error if a module has no known licence. It leaves out the JavaScript packages of the web page: the build of
// the page writes their notices.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/krow-lab/krow/internal/atomicfile"
)

const file = "internal/notices/modules.txt"

// systems are the operating systems for which a release has programs. The linked modules depend on the system, not on the
// processor.
var systems = []string{"linux", "darwin", "windows", "freebsd"}

func main() {
	text, err := collect(".")
	if err == nil {
		err = atomicfile.Write(file, text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

// module is a Go module with the folder of its sources.
type module struct{ path, version, dir string }

// collect returns the notices of the modules linked into the commands of the repository in a folder.
func collect(root string) ([]byte, error) {
	modules, err := linked(root)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for _, m := range modules {
		texts, err := licences(m.dir)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", m.path, m.version, err)
		}
		fmt.Fprintf(&b, "==== %s\n\n%s\n", strings.TrimSpace(m.path+" "+m.version), strings.Join(texts, "\n"))
	}
	return b.Bytes(), nil
}

// linked returns Go's standard library and the modules whose packages are linked into the commands on any of the systems,
// sorted by path.
func linked(root string) ([]module, error) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	all := []module{{path: "Go's standard library", dir: strings.TrimSpace(string(goroot))}}
	for _, system := range systems {
		list := exec.Command("go", "list", "-deps", "-f", `{{with .Module}}{{if not .Main}}{{.Path}}{{"\t"}}{{.Version}}{{"\t"}}{{.Dir}}{{end}}{{end}}`, "./cmd/...")
		list.Dir, list.Stderr = root, os.Stderr
		list.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		out, err := list.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", system, err)
		}
		for line := range strings.Lines(string(out)) {
			path, rest, _ := strings.Cut(strings.TrimSpace(line), "\t")
			version, dir, _ := strings.Cut(rest, "\t")
			if m := (module{path, version, dir}); path != "" && !slices.Contains(all, m) {
				all = append(all, m)
			}
		}
	}
	slices.SortFunc(all[1:], func(a, b module) int { return strings.Compare(a.path, b.path) })
	return all, nil
}

var (
	licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)(\.(md|txt|rst))?$`)
	known       = regexp.MustCompile(`(?s)Apache License|Permission is hereby granted, free of charge|Redistribution and use in source and binary forms|` +
		`Mozilla Public License|Permission to use, copy, modify, and(/or)? distribute|CC0 1\.0 Universal|This is free and unencumbered software`)
)

// licences returns the texts of the licence files in a module's folder. It returns an error if none of them is a known
// licence.
func licences(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var texts []string
	found := false
	for _, e := range entries {
		if e.Type()&fs.ModeType != 0 || !licenceFile.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		found = found || known.Match(text)
		texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n"))+"\n")
	}
	if !found {
		return nil, errors.New("it has no licence that is known")
	}
	return texts, nil
}
