// SPDX-License-Identifier: Apache-2.0

package web

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow/bot"
	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/study/experiments"
)

var (
	entry = regexp.MustCompile(`(?m)^  '?([\w.\- ]+?)'?: *(?:\n *)?(['"` + "`" + `])(.*?[^\\]|)['"` + "`" + `],?$`)
	value = regexp.MustCompile(`\{\w+\}`)
)

// textsOf returns the texts of a language by key, from LANGUAGE.ts and LANGUAGE.PART.ts.
func textsOf(t *testing.T, language string) map[string]string {
	t.Helper()
	files, err := filepath.Glob("src/texts/" + language + ".*ts")
	if err != nil || len(files) == 0 {
		t.Fatalf("no texts of %s: %v", language, err)
	}
	all := map[string]string{}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range entry.FindAllStringSubmatch(string(data), -1) {
			if _, twice := all[m[1]]; twice {
				t.Errorf("%s: %s is there twice", name, m[1])
			}
			all[m[1]] = m[3]
		}
	}
	return all
}

// valuesOf returns the names of the values in a text, each once, sorted.
func valuesOf(text string) []string {
	names := value.FindAllString(text, -1)
	slices.Sort(names)
	return slices.Compact(names)
}

// TestTexts holds the languages against English: the same keys, and the same values in each text.
func TestTexts(t *testing.T) {
	english := textsOf(t, "en")
	if len(english) < 400 {
		t.Fatalf("only %d texts of English were found", len(english))
	}
	for _, language := range []string{"fr", "cs", "ru", "vi", "zh", "ja"} {
		t.Run(language, func(t *testing.T) {
			texts := textsOf(t, language)
			for key, text := range texts {
				if _, known := english[key]; !known {
					t.Errorf("%s: English has no such text", key)
					continue
				}
				// Every problem is told with its values; English has them in the words of the server.
				if got, want := valuesOf(text), valuesOf(english[key]); !strings.HasPrefix(key, "problem.") && !slices.Equal(got, want) {
					t.Errorf("%s has the values %v, in English %v: %q", key, got, want, text)
				}
			}
			for key := range english {
				if texts[key] == "" {
					t.Errorf("%s is missing", key)
				}
			}
		})
	}
}

// TestTitles: the titles of lessons and examples in English are those of the server.
func TestTitles(t *testing.T) {
	want := map[string]string{}
	for i, l := range bot.Lessons() {
		want[fmt.Sprintf("workshop.lesson.%d", i+1)] = l.Title
	}
	for _, e := range bot.Examples() {
		want["workshop.example."+e.Name] = e.Title
	}
	english := textsOf(t, "en")
	for key, title := range want {
		if english[key] != title {
			t.Errorf("%s is %q, and %q in the page", key, title, english[key])
		}
	}
}

// TestStudies: what each study asks is known in every language.
func TestStudies(t *testing.T) {
	digits := regexp.MustCompile(`\d+`)
	for _, language := range []string{"fr", "cs", "ru", "vi", "zh", "ja"} {
		data, err := os.ReadFile("src/texts/reports." + language + ".ts")
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range experiments.All() {
			if doc := digits.ReplaceAllString(s.Doc, "#"); !strings.Contains(string(data), "  '"+doc+"': '") {
				t.Errorf("%s lacks %q", language, doc)
			}
		}
	}
}

// TestForms: what the arguments of learners mean is known in every language.
func TestForms(t *testing.T) {
	want := map[string]bool{}
	for _, spec := range []string{"gomoku", "gomoku:9", "connect4", "ultimate", "mnk:5,5,4"} {
		g, err := catalog.Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range catalog.LearnersOf(g) {
			for _, o := range l.Options {
				if o.About != "" {
					want[o.About] = true
				}
			}
		}
	}
	if len(want) < 40 {
		t.Fatalf("only %d sentences were found", len(want))
	}
	sentence := regexp.MustCompile(`(?m)^  (?:'([^']*)'|"([^"]*)"): (?:'[^']+'|"[^"]+"),$`)
	for _, language := range []string{"fr", "cs", "ru", "vi", "zh", "ja"} {
		data, err := os.ReadFile("src/texts/forms." + language + ".ts")
		if err != nil {
			t.Fatal(err)
		}
		known := map[string]bool{}
		for _, m := range sentence.FindAllStringSubmatch(string(data), -1) {
			known[m[1]+m[2]] = true
		}
		for text := range want {
			if !known[text] {
				t.Errorf("%s lacks %q", language, text)
			}
		}
	}
}
