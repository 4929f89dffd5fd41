// SPDX-License-Identifier: Apache-2.0

// Release builds all files of a release of krow, from the commit that is checked out:
//
//	make release VERSION=v1.0.0
//
// The files are in release/VERSION: archives for each system, packages for Debian and Fedora, an image for containers, the brains
// for Gomocup, the page that needs no server, a list of components (SBOM), files for package managers, and the checksums of all.
// The same commit, version and Go version produce the same bytes. KROW_SIGN_KEY names the file of a minisign key, which signs the
// checksums; KROW_SIGN_PASSWORD is its password.
package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// target is an operating system and a processor for which programs are built.
type target struct{ os, arch string }

func (t target) String() string { return t.os + "-" + t.arch }

var targets = []target{
	{"linux", "amd64"},
	{"linux", "arm64"},
	{"darwin", "amd64"},
	{"darwin", "arm64"},
	{"windows", "amd64"},
	{"windows", "arm64"},
	{"freebsd", "amd64"},
}

// release is the state of a release that is being built.
type release struct {
	version string    // for example v1.0.0
	time    time.Time // time of the commit, which is also the time of every file
	source  string    // a clone of the repository at that commit, tagged with the version
	work    string    // folder of the programs and documents before they are packed
	out     string
	made    []string // names of the files that were written to out
}

var version = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$`)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 || !version.MatchString(args[0]) {
		return errors.New("give a version such as v1.0.0, and the folder of the repository")
	}
	r := &release{version: args[0], out: filepath.Join(args[1], "release", args[0])}
	if entries, err := os.ReadDir(r.out); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s exists: remove it to make the release again", r.out)
	}
	temp, err := os.MkdirTemp("", "krow-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	r.source, r.work = filepath.Join(temp, "source"), filepath.Join(temp, "work")
	for _, dir := range []string{r.work, r.out} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"clone", func() error { return r.clone(args[1]) }},
		{"programs", r.build},
		{"documents", r.document},
		{"archives", r.archive},
		{"packages", r.pack},
		{"image", r.image},
		{"components", r.components},
		{"package managers", r.manifests},
		{"checksums", r.checksums},
	} {
		begin := time.Now()
		if err := step.do(); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
		fmt.Printf("%-17s %s\n", step.name, time.Since(begin).Round(time.Second/10))
	}
	fmt.Printf("%d files in %s\n", len(r.made), r.out)
	return nil
}

// clone makes a clean clone of the commit that is checked out. It returns an error if there are uncommitted changes, because a
// release would not contain them.
func (r *release) clone(repository string) error {
	if status, err := output(repository, "git", "status", "--porcelain", "--untracked-files=no"); err != nil || status != "" {
		return errors.Join(err, errors.New("the working tree has changes: commit them first"))
	}
	commit, err := output(repository, "git", "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	if tagged, err := output(repository, "git", "rev-parse", "--verify", "--quiet", r.version+"^{commit}"); err == nil && tagged != commit {
		return fmt.Errorf("the tag %s belongs to another commit", r.version)
	}
	if _, err := output(repository, "git", "clone", "--quiet", "--no-local", ".", r.source); err != nil {
		return err
	}
	if _, err := output(r.source, "git", "checkout", "--quiet", "--detach", commit); err != nil {
		return err
	}
	if _, err := output(r.source, "git", "tag", "--force", r.version); err != nil {
		return err
	}
	seconds, err := output(r.source, "git", "show", "-s", "--format=%ct", commit)
	if err != nil {
		return err
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	r.time = time.Unix(n, 0).UTC()
	return err
}

// programs are the commands of the repository that are part of a release.
var programs = []string{"krow", "pbrain-krow"}

// build compiles the programs for each target. The Go command embeds the tag and the commit in them.
func (r *release) build() error {
	for _, t := range targets {
		dir := filepath.Join(r.work, t.String())
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
		args := []string{"build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w -buildid=", "-o", dir + string(filepath.Separator)}
		for _, name := range programs {
			args = append(args, "./cmd/"+name)
		}
		cmd := exec.Command("go", args...)
		cmd.Dir = r.source
		cmd.Env = append(os.Environ(), "GOOS="+t.os, "GOARCH="+t.arch, "CGO_ENABLED=0", "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=")
		if t.arch == "arm64" {
			// The code that uses vector instructions needs this version of Go, in which package simd is an experiment.
			cmd.Env = append(cmd.Env, "GOTOOLCHAIN=go1.27.3", "GOEXPERIMENT=simd")
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", t, err, out)
		}
	}
	return nil
}

// document writes the files that accompany the programs: manual pages, completions, the licence and the notices.
func (r *release) document() error {
	native := filepath.Join(r.work, "native")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=true", "-o", native, "./cmd/krow")
	build.Dir, build.Env = r.source, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	says, err := output(r.work, native, "version")
	if err != nil || !strings.HasPrefix(says, "krow "+r.version+"\n") {
		return errors.Join(err, fmt.Errorf("the program says %q, not %s", says, r.version))
	}
	if err := os.MkdirAll(filepath.Join(r.work, "man"), 0o755); err != nil {
		return err
	}
	if _, err := output(r.work, native, "man", "man"); err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(r.work, "completions"), 0o755); err != nil {
		return err
	}
	for shell, name := range completions {
		text, err := output(r.work, native, "completion", shell)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(r.work, "completions", name), []byte(text+"\n"), 0o644); err != nil {
			return err
		}
	}
	notices, err := output(r.work, native, "licenses")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.work, "NOTICES"), []byte(notices+"\n"), 0o644)
}

// completions maps each shell to the name of its completion file.
var completions = map[string]string{"bash": "krow.bash", "zsh": "_krow", "fish": "krow.fish"}

// write adds a file to the release.
func (r *release) write(name string, data []byte) error {
	r.made = append(r.made, name)
	return os.WriteFile(filepath.Join(r.out, name), data, 0o644)
}

// checksums writes the SHA-256 of each file, and signs them if there is a key.
func (r *release) checksums() error {
	slices.Sort(r.made)
	var sums bytes.Buffer
	for _, name := range r.made {
		sum, err := r.sum(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%s  %s\n", sum, name)
	}
	if err := r.write("SHA256SUMS", sums.Bytes()); err != nil {
		return err
	}
	return r.sign("SHA256SUMS", sums.Bytes())
}

// sum returns the SHA-256 of a file of the release, in hexadecimal digits.
func (r *release) sum(name string) (string, error) {
	data, err := os.ReadFile(filepath.Join(r.out, name))
	return fmt.Sprintf("%x", sha256.Sum256(data)), err
}

// output runs a command in a folder and returns what it prints, without the last line feed.
func output(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s %s: %w: %s", filepath.Base(name), strings.Join(args, " "), err, problems.Bytes())
	}
	return strings.TrimSuffix(string(out), "\n"), err
}
