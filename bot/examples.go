// SPDX-License-Identifier: Apache-2.0

package bot

import (
	"embed"
	"strings"
)

//go:embed examples/*.star
var exampleFiles embed.FS

// Example is a program that teaches something.
type Example struct {
	Name  string `json:"name"`
	Title string `json:"title"` // one sentence
	Game  string `json:"game"`  // to try it on
	Text  string `json:"text"`
}

// Program returns the example's program.
func (e Example) Program() Program { return Program{Starlark, e.Name, []byte(e.Text)} }

var exampleNames = []struct{ name, game string }{
	{"random", "tictactoe"},
}

// Examples returns programs to begin with, the simplest first.
func Examples() []Example {
	var all []Example
	for _, e := range exampleNames {
		text := embedded("examples/" + e.name + ".star")
		title, _, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
		all = append(all, Example{e.name, title, e.game, text})
	}
	return all
}

// embedded returns a file of the program itself, which must be there.
func embedded(name string) string {
	text, err := exampleFiles.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Lesson is a step on the way from the first bot to a good one.
type Lesson struct {
	Title    string `json:"title"`
	Text     string `json:"text"`    // paragraphs, with code between backquotes
	Game     string `json:"game"`    // to play
	Against  string `json:"against"` // whom
	Start    string `json:"start"`   // source to begin with
	Finished string `json:"finished"`
}

// Lessons returns the lessons, the first one first.
func Lessons() []Lesson { return lessons }

var lessons []Lesson
