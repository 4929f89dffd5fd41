// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

// description is the text that package managers show.
const (
	description = "game engine, solver and web app for k-in-a-row games"
	longer      = description + "\nGomoku, renju, caro, pente, Connect Four, Connect6 and tic-tac-toe, in the\n" +
		"browser and in the terminal: play, analysis, puzzles, proofs, and a server."
	homepage   = "https://github.com/krow-lab/krow"
	maintainer = "krow <krow@krow-lab.org>"
)

// pack writes the packages for Debian and Fedora. They install a systemd service, the server of krow, which starts only
// after the administrator has enabled it. An upgrade restarts the service if it is running. Neither an upgrade nor a removal
// changes the database.
func (r *release) pack() error {
	for _, t := range targets {
		if t.os != "linux" {
			continue
		}
		for _, format := range []string{"deb", "rpm"} {
			contents, err := r.installed(t, format)
			if err != nil {
				return err
			}
			scripts := filepath.Join(r.source, "tools/release/packaging")
			info := nfpm.WithDefaults(&nfpm.Info{
				Name: "krow", Arch: t.arch, Platform: "linux", Version: r.version, Release: "1", Section: "games", Priority: "optional",
				Maintainer: maintainer, Description: longer, Homepage: homepage, License: "Apache-2.0", MTime: r.time,
				Overridables: nfpm.Overridables{
					Contents: contents,
					Scripts: nfpm.Scripts{
						PostInstall: filepath.Join(scripts, "postinstall.sh"),
						PreRemove:   filepath.Join(scripts, "preremove.sh"),
						PostRemove:  filepath.Join(scripts, "postremove.sh"),
					},
					RPM: nfpm.RPM{Group: "Amusements/Games", Summary: description, BuildHost: "localhost"},
					Deb: nfpm.Deb{Compression: "xz"},
				},
			})
			packager, err := nfpm.Get(format)
			if err != nil {
				return err
			}
			var b bytes.Buffer
			if err := packager.Package(info, &b); err != nil {
				return err
			}
			if err := r.write(packager.ConventionalFileName(info), b.Bytes()); err != nil {
				return err
			}
		}
	}
	return nil
}

// installed returns the files of a package for a target.
func (r *release) installed(t target, format string) (files.Contents, error) {
	var all files.Contents
	add := func(source, destination string, mode os.FileMode) {
		all = append(all, &files.Content{Source: source, Destination: destination, FileInfo: &files.ContentFileInfo{Mode: mode, MTime: r.time}})
	}
	for _, name := range programs {
		add(filepath.Join(r.work, t.String(), name), "/usr/bin/"+name, 0o755)
	}
	packaging := filepath.Join(r.source, "tools/release/packaging")
	add(filepath.Join(packaging, "krow.service"), "/usr/lib/systemd/system/krow.service", 0o644)
	add(filepath.Join(packaging, "sysusers.conf"), "/usr/lib/sysusers.d/krow.conf", 0o644)
	all = append(all, &files.Content{
		Source: filepath.Join(packaging, "krow.default"), Destination: "/etc/default/krow", Type: files.TypeConfigNoReplace,
		FileInfo: &files.ContentFileInfo{Mode: 0o644, MTime: r.time},
	})
	add(filepath.Join(r.work, "completions/krow.bash"), "/usr/share/bash-completion/completions/krow", 0o644)
	zsh := map[string]string{"deb": "vendor-completions", "rpm": "site-functions"}[format]
	add(filepath.Join(r.work, "completions/_krow"), "/usr/share/zsh/"+zsh+"/_krow", 0o644)
	add(filepath.Join(r.work, "completions/krow.fish"), "/usr/share/fish/vendor_completions.d/krow.fish", 0o644)
	addPacked := func(file string, text []byte, destination string) error {
		packed, err := compress(text)
		if err != nil {
			return err
		}
		file = filepath.Join(r.work, file)
		add(file, destination, 0o644)
		return os.WriteFile(file, packed, 0o644)
	}
	pages, err := filesIn(filepath.Join(r.work, "man"))
	if err != nil {
		return nil, err
	}
	for _, p := range pages {
		if err := addPacked("man-"+t.String()+"-"+p.name+".gz", p.data, "/usr/share/man/man1/"+p.name+".gz"); err != nil {
			return nil, err
		}
	}
	all = append(all, &files.Content{Source: "krow-gomocup.1.gz", Destination: "/usr/share/man/man1/pbrain-krow.1.gz", Type: files.TypeSymlink})
	copyright, err := r.copyright()
	if err != nil {
		return nil, err
	}
	add(copyright, "/usr/share/doc/krow/copyright", 0o644)
	text, err := os.ReadFile(filepath.Join(r.source, "CHANGELOG.md"))
	if err != nil {
		return nil, err
	}
	// Debian also requires a list of changes in its own format.
	debian := fmt.Sprintf("krow (%s-1) unstable; urgency=medium\n\n  * %s: see changelog.gz.\n\n -- %s  %s\n",
		strings.TrimPrefix(r.version, "v"), r.version, maintainer, r.time.Format(time.RFC1123Z))
	if err := addPacked("changelog.gz", text, "/usr/share/doc/krow/changelog.gz"); err != nil {
		return nil, err
	}
	err = addPacked("changelog.Debian.gz", []byte(debian), "/usr/share/doc/krow/changelog.Debian.gz")
	return all, err
}

// copyright writes the copyright file that Debian requires: the licence of krow and the notices.
func (r *release) copyright() (string, error) {
	license, err := os.ReadFile(filepath.Join(r.source, "LICENSE"))
	if err != nil {
		return "", err
	}
	notices, err := os.ReadFile(filepath.Join(r.work, "NOTICES"))
	if err != nil {
		return "", err
	}
	name := filepath.Join(r.work, "copyright")
	return name, os.WriteFile(name, []byte(strings.TrimSpace(string(license))+"\n\n"+string(notices)), 0o644)
}
