// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"html/template"
	"maps"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

//go:embed docs.html
var docsHTML string

var docsPage = template.Must(template.New("docs").Parse(docsHTML))

var markdown = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// addDocs adds a page for README.md and for each Markdown file in the folder docs of the repository. The page of guide.md, for
// example, is guide.html. addDocs also adds the pictures of the folder, and an index for the search in the documents.
func (s site) addDocs() error {
	list, err := exec.Command("git", "ls-files", "README.md", "docs/*.md", "docs/*.png").Output()
	if err != nil {
		return err
	}
	names := map[string]bool{}
	for _, name := range strings.Fields(string(list)) {
		names[name] = true
	}
	var index []entry
	for _, name := range slices.Sorted(maps.Keys(names)) {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if path.Ext(name) == ".md" {
			index = append(index, newEntry(name, data))
			data, err = render(name, data, names)
		}
		s[htmlName(name)] = data
		if err != nil {
			return err
		}
	}
	s["search.json"], err = json.Marshal(index)
	return err
}

// entry is a page of the documents in search.json.
type entry struct {
	Title string `json:"title"`
	Name  string `json:"name"`
	Text  string `json:"text"`
}

// marks matches the parts of Markdown that are no words: the targets of links, and signs.
var marks = regexp.MustCompile("\\]\\([^)]*\\)|[][#*`|]|---+")

func newEntry(name string, data []byte) entry {
	title, text, _ := strings.Cut(strings.TrimPrefix(string(data), "# "), "\n")
	return entry{title, htmlName(name), strings.Join(strings.Fields(marks.ReplaceAllString(text, " ")), " ")}
}

func htmlName(name string) string { return strings.Replace(name, ".md", ".html", 1) }

// render returns the page of a Markdown file. A link to a file in names leads to the page of the file. A link to another file
// leads to the repository.
func render(name string, data []byte, names map[string]bool) ([]byte, error) {
	doc, root := markdown.Parser().Parse(text.NewReader(data)), strings.Repeat("../", strings.Count(name, "/"))
	_ = ast.Walk(doc, func(n ast.Node, enter bool) (ast.WalkStatus, error) { // no error, because the function below returns none
		if link, ok := n.(*ast.Link); ok && enter {
			link.Destination = []byte(linkFrom(name, string(link.Destination), root, names))
		}
		return ast.WalkContinue, nil
	})
	var body, page bytes.Buffer
	if err := markdown.Renderer().Render(&body, data, doc); err != nil {
		return nil, err
	}
	// A scrolling part of the page must be reachable by keyboard.
	scrolls := strings.NewReplacer("<pre>", `<pre tabindex="0">`, "<table>", `<table tabindex="0">`).Replace(body.String())
	title, _, _ := strings.Cut(strings.TrimPrefix(string(data), "# "), "\n")
	err := docsPage.Execute(&page, map[string]any{"Title": title, "Body": template.HTML(scrolls), "Root": root})
	return page.Bytes(), err
}

func linkFrom(name, to, root string, names map[string]bool) string {
	file, _, _ := strings.Cut(to, "#")
	if file == "" || strings.Contains(to, "://") {
		return to
	}
	to, file = path.Join(path.Dir(name), to), path.Join(path.Dir(name), file)
	if names[file] {
		return root + htmlName(to)
	}
	return "https://github.com/krow-lab/krow/blob/main/" + to
}
