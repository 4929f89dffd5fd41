// SPDX-License-Identifier: Apache-2.0

package krow_test

import (
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// A habit is a way of writing that makes readers go back to the start of a sentence.
type habit struct {
	name    string
	instead string
	phrases []string // words, with | between alternatives; ^ stands for the start of the sentence
}

var habits = []habit{
	{"relative clause as a noun", "name the thing", []string{
		"returns|says|tells|is|are|of|with|by|than|and|from|about|in|on|for|as|names|shows|keeps|knows what|who|whoever|whom|whose|whatever",
	}},
	{"fronted object", "subject first, 'if' for a condition", []string{
		"^ of a|an|the|two|three|several|those|these|all|each", "^ where", "^ whoever|whatever|whose", "^ what a|an|the|it|they|was|has|cannot|follows|else",
	}},
	{"go on", "continue, resume, run", []string{"go|goes|gone|going|went on"}},
	{"so far, of late as an adjective", "current, previous, recent", []string{
		"so far", "of before|late", "network|build|version|engine|password before",
	}},
	{"that of", "repeat the noun", []string{"that|those|one of", "those that|who"}},
	{"but for", "except, unless", []string{"but for|where|that|those", "nothing but"}},
	{"rare adverb", "again, next to, also, the number of", []string{"anew|beside|besides|likewise", "so many|much"}},
	{"told", "is reported, prints", []string{"is|are|was|were|be told", "unless told", "tells how|which|of|no|its|each"}},
	{"in one line", "prints an error", []string{"in one line", "error in one|a line"}},
	{"says whether", "reports whether", []string{"says|tells whether"}},
	{"private word", "the word of HOUSE_STYLE", []string{
		"whole number|numbers", "passed over", "looked through", "draw|draws lots", "hidden ones", "numbers a cell", "nothing seen",
		"hero|villain|fixture|fixtures|rung|rungs|cage|dossier", "ticket|tickets", "run|runs of learning",
	}},
}

// allowed holds the share of marked sentences, in percent, that each kind of text may have. Lower it after a rewrite, and do not
// raise it for one.
var allowed = map[string]float64{"docs": 2, "comments": 3.1, "page": 1.2, "help": 1.2}

// patterns are the phrases of habits by their first words.
type pattern struct {
	habit *habit
	rest  []map[string]bool
}

func alternatives(word string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.SplitSeq(word, "|") {
		set[w] = true
	}
	return set
}

func patterns() map[string][]pattern {
	byFirst := map[string][]pattern{}
	for i := range habits {
		for _, phrase := range habits[i].phrases {
			first, rest, _ := strings.Cut(phrase, " ")
			p := pattern{habit: &habits[i]}
			for _, w := range strings.Fields(rest) {
				p.rest = append(p.rest, alternatives(w))
			}
			for w := range alternatives(first) {
				byFirst[w] = append(byFirst[w], p)
			}
		}
	}
	return byFirst
}

// words splits a sentence into words of small letters, with the punctuation after a word as a word of its own. "^" comes first if
// the sentence begins with a capital; comments of a field or a line often do not.
func words(sentence string) []string {
	var list []string
	if r, _ := utf8.DecodeRuneInString(strings.TrimLeft(sentence, " *_(\"'[")); unicode.IsUpper(r) {
		list = append(list, "^")
	}
	for f := range strings.FieldsSeq(strings.ToLower(sentence)) {
		f = strings.TrimLeft(f, "*_(\"'[")
		w := strings.TrimRightFunc(f, unicode.IsPunct)
		list = append(list, w)
		if end := strings.Trim(f[len(w):], "*_"); end != "" {
			list = append(list, end)
		}
	}
	return list
}

// find returns the first habit of a sentence, or nil.
func find(byFirst map[string][]pattern, sentence string) *habit {
	list := words(sentence)
	for i, w := range list {
	next:
		for _, p := range byFirst[w] {
			for j, set := range p.rest {
				if i+1+j >= len(list) || !set[list[i+1+j]] {
					continue next
				}
			}
			return p.habit
		}
	}
	return nil
}

// A passage is running text at a line of a file.
type passage struct {
	line int
	text string
}

// sentences splits running text where a stop is followed by a capital, and leaves out what has fewer than four words.
func sentences(text string) (list []string) {
	fields := strings.Fields(text)
	begin := 0
	for i, f := range fields {
		stops := strings.HasSuffix(f, ".") || strings.HasSuffix(f, "?") || strings.HasSuffix(f, "!")
		if i+1 == len(fields) || stops && strings.ContainsAny(fields[i+1][:1], "ABCDEFGHIJKLMNOPQRSTUVWXYZ`\"(*") {
			if i+1-begin >= 4 {
				list = append(list, strings.Join(fields[begin:i+1], " "))
			}
			begin = i + 1
		}
	}
	return list
}

var item = regexp.MustCompile(`^\s*(?:[-*]|\d+\.)\s+(.*)`)

// markdown returns the paragraphs and the items of a page, without tables, code and headings.
func markdown(data []byte) (list []passage) {
	code, open := false, false
	add := func(i int, text string) {
		if open {
			list[len(list)-1].text += " " + text
		} else {
			list, open = append(list, passage{i + 1, text}), true
		}
	}
	for i, l := range strings.Split(string(data), "\n") {
		fence := strings.HasPrefix(strings.TrimSpace(l), "```")
		if fence {
			code = !code
		}
		if fence || code || strings.TrimSpace(l) == "" || strings.ContainsAny(l[:1], "|#!<") || strings.HasPrefix(l, "    ") {
			open = false
			continue
		}
		if m := item.FindStringSubmatch(l); m != nil {
			open, l = false, m[1]
		}
		add(i, l)
	}
	return list
}

// source returns the comments of a Go file, or its string literals if the file belongs to the command line.
func source(data []byte, literals bool) (list []passage) {
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(data))
	var s scanner.Scanner
	s.Init(file, data, nil, scanner.ScanComments)
	last, code := -1, -1 // the lines of the last comment that stands alone, and of the last code
	for {
		pos, tok, text := s.Scan()
		line := file.Line(pos)
		if tok != token.COMMENT && text != "\n" {
			code = line
		}
		switch {
		case tok == token.EOF:
			return list
		case tok == token.STRING && literals:
			if text, err := strconv.Unquote(text); err == nil {
				for p := range strings.SplitSeq(text, "\n\n") {
					list = append(list, passage{line, p})
				}
			}
		case tok == token.COMMENT && !literals:
			text = strings.TrimPrefix(text, "//")
			example := strings.HasPrefix(text, "\t") || strings.HasPrefix(text, "   ") || strings.HasPrefix(text, " #") ||
				strings.HasPrefix(text, "go:") || strings.HasPrefix(text, " SPDX") || strings.HasPrefix(text, " CITE") || strings.HasPrefix(text, "nolint")
			switch {
			case example || strings.TrimSpace(text) == "":
				last = -1
			case code == line:
				list = append(list, passage{line, text})
			case last == line-1:
				list[len(list)-1].text += " " + text
				last = line
			default:
				list = append(list, passage{line, text})
				last = line
			}
		}
	}
}

var labelled = regexp.MustCompile("(?m)^\\s*'?[\\w.\\-= ,]+'?:\\s*['\"`](.*)['\"`],?\\s*$")

// texts returns the English texts of the page.
func texts(data []byte) (list []passage) {
	for i, l := range strings.Split(string(data), "\n") {
		if m := labelled.FindStringSubmatch(l); m != nil {
			list = append(list, passage{i + 1, m[1]})
		}
	}
	return list
}

// TestStyleShares holds the share of sentences that have one of the habits.
func TestStyleShares(t *testing.T) {
	byFirst := patterns()
	total, marked := map[string]int{}, map[string][]string{}
	count := func(kind, file string, list []passage) {
		for _, p := range list {
			for _, s := range sentences(p.text) {
				total[kind]++
				if h := find(byFirst, s); h != nil {
					marked[kind] = append(marked[kind], fmt.Sprintf("%s:%d: %s (%s): %.200s", file, p.line, h.name, h.instead, s))
				}
			}
		}
	}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == "node_modules" || name == "dist" || name == "bin" || name != "." && strings.HasPrefix(name, ".") {
				return fs.SkipDir
			}
			return nil
		}
		file = filepath.ToSlash(file)
		page := strings.HasPrefix(file, "page/src/texts/en") && strings.HasSuffix(file, ".ts")
		if ext := filepath.Ext(file); ext != ".md" && ext != ".go" && !page || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		data, err := os.ReadFile(file)
		switch {
		case err != nil:
			return err
		case page:
			count("page", file, texts(data))
		case strings.HasSuffix(file, ".md"):
			count("docs", file, markdown(data))
		default:
			count("comments", file, source(data, false))
			if strings.HasPrefix(file, "cli/") {
				count("help", file, source(data, true))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for kind, bound := range allowed {
		if total[kind] < 300 {
			t.Errorf("%s: %d sentences found, want at least 300", kind, total[kind])
			continue
		}
		share := 100 * float64(len(marked[kind])) / float64(total[kind])
		t.Logf("%s: %.2f %% of %d sentences are marked, %.2f %% are allowed", kind, share, total[kind], bound)
		if share > bound {
			t.Errorf("%s: too many marked sentences:\n%s", kind, strings.Join(marked[kind], "\n"))
		} else if testing.Verbose() {
			t.Logf("%s", strings.Join(marked[kind], "\n"))
		}
	}
}

// TestHabitsAreFound shows what counts as a habit, and what does not.
func TestHabitsAreFound(t *testing.T) {
	byFirst := patterns()
	tests := []struct{ sentence, want string }{
		{"Owner returns who has begun the game.", "relative clause as a noun"},
		{"Owner returns the member who has begun the game.", ""},
		{"Of the moves the first is played.", "fronted object"},
		{"Of course the first move is played.", ""},
		{"The server goes on with the match.", "go on"},
		{"The search returns the best move so far.", "so far, of late as an adjective"},
		{"The value is, what matters, exact.", ""},
		{"It is passed over.", "private word"},
	}
	for _, tc := range tests {
		got := ""
		if h := find(byFirst, tc.sentence); h != nil {
			got = h.name
		}
		if got != tc.want {
			t.Errorf("%q has the habit %q, want %q", tc.sentence, got, tc.want)
		}
	}
}
