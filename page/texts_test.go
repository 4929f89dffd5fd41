// SPDX-License-Identifier: Apache-2.0

package page

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/player/bot"
	"github.com/krow-lab/krow/research"
	"github.com/krow-lab/krow/research/experiments"
	"github.com/krow-lab/krow/research/report"
	"github.com/krow-lab/krow/research/reports"
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

// TestTextsOfLanguagesAgree holds the languages against English: the same keys, and the same values in each text.
func TestTextsOfLanguagesAgree(t *testing.T) {
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

// TestTitlesOfPages: the titles of lessons and examples in English are those of the server.
func TestTitlesOfPages(t *testing.T) {
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

var (
	sentence = regexp.MustCompile(`(?m)^  (\w+|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"): ('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"),$`)
	code     = regexp.MustCompile("`[^`]*`")
	digits   = regexp.MustCompile(`\d+(?:[.,]\d+)*`)
	between  = regexp.MustCompile("[.:!?]\\*? [A-Z*`\"]") // two sentences
	brackets = regexp.MustCompile(`\([^()]+\)`)
	// A column of a file, a part of a spec, a game and a scale are called the same in every language.
	name = regexp.MustCompile(`\w+_\w+|\b(importance|end|gap|cap|max|terminal|closed|gomoku|tictactoe|connect|ultimate|standard|caro|pente|renju|mnk|Elo)\b`)
	word = regexp.MustCompile(`\pL{2}`)
)

// sentencesOf returns the sentences of a part in a language by their English. It holds them against it: the same numbers, code
// and marks of emphasis.
func sentencesOf(t *testing.T, part, language string) map[string]string {
	t.Helper()
	data, err := os.ReadFile("src/texts/" + part + "." + language + ".ts")
	if err != nil {
		t.Fatal(err)
	}
	plain := func(literal string) string {
		if strings.ContainsAny(literal[:1], `'"`) {
			literal = literal[1 : len(literal)-1]
		}
		return strings.NewReplacer(`\'`, `'`, `\"`, `"`).Replace(literal)
	}
	all := map[string]string{}
	for _, m := range sentence.FindAllStringSubmatch(string(data), -1) {
		english, text := plain(m[1]), plain(m[2])
		if _, twice := all[english]; twice || text == "" {
			t.Errorf("%s: %q is there twice, or empty", part, english)
		}
		all[english] = text
		codes, want := code.FindAllString(text, -1), code.FindAllString(english, -1)
		slices.Sort(codes)
		slices.Sort(want)
		if strings.Count(text, "#") != strings.Count(english, "#") || strings.Count(text, "*") != strings.Count(english, "*") || !slices.Equal(codes, want) {
			t.Errorf("%s: the numbers, code or emphasis of %q are not those of %q", part, text, english)
		}
	}
	if lines := strings.Count(string(data), "\n  "); len(all) != lines {
		t.Errorf("%s: %d sentences were found in %d lines", part, len(all), lines)
	}
	return all
}

// told returns the sentences of a text as the page looks for them: see src/lib/reports.svelte.ts.
func told(text string) (all []string) {
	text = digits.ReplaceAllString(strings.TrimSpace(text), "#")
	for {
		at := between.FindStringIndex(text)
		if at == nil {
			return append(all, text)
		}
		end := at[0] + strings.Index(text[at[0]:], " ")
		all, text = append(all, text[:end]), text[end+1:]
	}
}

// TestReportsAreTranslated: every sentence of the reports that come with krow is known in every language, and so is what each study asks.
func TestReportsAreTranslated(t *testing.T) {
	want := map[string]bool{}
	need := func(texts ...string) {
		for _, text := range texts {
			for _, s := range told(text) {
				want[s] = true
			}
		}
	}
	for _, s := range experiments.All() {
		need(s.Doc)
		for _, r := range append(s.Readings, research.Reading{}) {
			need(r.Doc)
			if d, ok := reports.Report(s.Name, r.Name); ok {
				need(textsIn(d)...)
			}
		}
	}
	if len(want) < 250 {
		t.Fatalf("only %d sentences were found", len(want))
	}
	for _, language := range []string{"fr", "cs", "ru", "vi", "zh", "ja"} {
		t.Run(language, func(t *testing.T) {
			known := sentencesOf(t, "reports", language)
			for english := range known {
				if s := told(english); len(s) != 1 || s[0] != english {
					t.Errorf("the page never looks for %q", english)
				}
			}
			for s := range want {
				rest := brackets.ReplaceAllStringFunc(code.ReplaceAllString(s, ""), func(part string) string {
					if known[part] != "" {
						return ""
					}
					return part
				})
				if known[s] == "" && word.MatchString(name.ReplaceAllString(rest, "")) {
					t.Errorf("%q is missing", s)
				}
			}
		})
	}
}

// textsIn returns the texts of a report that are read in the language of the page. Cells of tables, and names in plots, are data.
func textsIn(d report.Data) []string {
	all := []string{d.Title}
	for _, b := range d.Blocks {
		if b.Kind == "heading" || b.Kind == "text" {
			all = append(all, b.Text)
		}
		all = append(all, b.Items...)
		if b.Table != nil {
			all = append(append(all, b.Table.Caption), b.Table.Columns...)
		}
		if b.Grid != nil {
			all = append(append(all, b.Grid.Caption), b.Grid.Tones[:]...)
		}
		if b.Curves != nil {
			all = append(all, b.Curves.Caption, b.Curves.X)
		}
		if b.Intervals != nil {
			all = append(all, b.Intervals.Caption, b.Intervals.Axis)
		}
	}
	return all
}

// TestLessonsAreTranslated: every sentence of the lessons, of the workshop and of games, is known in every language.
func TestLessonsAreTranslated(t *testing.T) {
	var all []string
	for _, l := range bot.Lessons() {
		all = append(all, l.Text)
	}
	for _, l := range lessons(t) {
		all = append(all, l.Title)
		for _, s := range l.Steps {
			all = append(all, s.Task, s.Done)
		}
	}
	for _, language := range []string{"fr", "cs", "ru", "vi", "zh", "ja"} {
		known := sentencesOf(t, "lessons", language)
		for _, text := range all {
			if known[text] == "" {
				t.Errorf("%s lacks %q", language, text)
			}
		}
		for _, text := range all {
			delete(known, text)
		}
		for text := range known {
			t.Errorf("%s: no lesson says %q", language, text)
		}
	}
}

// TestPluralForms: what the arguments of learners mean is known in every language.
func TestPluralForms(t *testing.T) {
	want := map[string]bool{}
	for _, spec := range []string{"gomoku", "gomoku:9", "connect4", "ultimate", "mnk:5,5,4"} {
		g, err := krow.Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range krow.LearnersOf(g) {
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
	for _, language := range []string{"fr", "cs", "ru", "vi", "zh", "ja"} {
		known := sentencesOf(t, "forms", language)
		for text := range want {
			if known[text] == "" {
				t.Errorf("%s lacks %q", language, text)
			}
		}
	}
}
