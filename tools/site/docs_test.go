// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

var (
	linked = regexp.MustCompile(`(?:href|src)="([^"#]*)(?:#([^"]*))?"`)
	named  = regexp.MustCompile(`id="([^"]*)"`)
)

// TestLinks follows the links of all documents: their files and the parts of pages are there.
func TestLinks(t *testing.T) {
	t.Chdir("../..")
	s := site{}
	if err := errors.Join(s.addDocs(), s.addPage()); err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for name, data := range s {
		for _, id := range named.FindAllSubmatch(data, -1) {
			ids[name+"#"+string(id[1])] = true
		}
	}
	count := 0
	for name, data := range s {
		if path.Ext(name) != ".html" || name == "index.html" {
			continue
		}
		for _, link := range linked.FindAllSubmatch(data, -1) {
			count++
			to, part := string(link[1]), string(link[2])
			if file, ok := strings.CutPrefix(to, "https://github.com/krow-lab/krow/blob/main/"); ok {
				if _, err := os.Stat(file); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			if strings.Contains(to, "://") {
				continue
			}
			file := name
			if to != "" {
				file = path.Join(path.Dir(name), to)
			}
			if _, ok := s[file]; !ok && file != "." {
				t.Errorf("%s leads to %s, which is not there", name, file)
			}
			if part != "" && path.Ext(file) == ".html" && !ids[file+"#"+part] {
				t.Errorf("%s leads to %s#%s, which is not there", name, file, part)
			}
		}
	}
	if count < 500 {
		t.Errorf("%d links, want more", count)
	}
}

func TestSearchedText(t *testing.T) {
	got := newEntry("docs/a.md", []byte("# Play a game\n\nSee [the *guide*](b.md#c) and `krow play`.\n"))
	if want := (entry{"Play a game", "docs/a.html", "See the guide and krow play ."}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
