// SPDX-License-Identifier: Apache-2.0

package bot

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed examples/*.star lessons/*.star
var sources embed.FS

// Example is a program for learners to read and change.
type Example struct {
	Name  string `json:"name"`
	Title string `json:"title"` // one sentence
	Game  string `json:"game"`  // spec of a game in which to try the program
	Text  string `json:"text"`
}

var exampleGames = []struct{ name, game string }{
	{"random", "tictactoe"},
	{"win-block", "gomoku"},
	{"threats", "gomoku"},
	{"windows", "ultimate"},
	{"alphabeta", "connect4"},
	{"learned", "gomoku"},
}

// Examples returns the example programs, the simplest first.
func Examples() []Example {
	var all []Example
	for _, e := range exampleGames {
		text := source("examples/" + e.name)
		title, _, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
		all = append(all, Example{e.name, title, e.game, text})
	}
	return all
}

// ExampleNames returns the names of the example programs, the simplest first.
func ExampleNames() (names []string) {
	for _, e := range exampleGames {
		names = append(names, e.name)
	}
	return names
}

// StartingSource returns the text of an example or, if lesson is not 0, the final program of the lesson.
func StartingSource(example string, lesson int) string {
	if lesson > 0 {
		l := Lessons()[lesson-1]
		return fmt.Sprintf("# Lesson %d: %s.\n\n%s", lesson, l.Title, l.Finished)
	}
	return source("examples/" + example)
}

// Lesson is a step of the course, which leads from a first bot to a bot that beats the player named "rules".
type Lesson struct {
	Title    string `json:"title"`
	Text     string `json:"text"`    // a paragraph, with code between backquotes
	Game     string `json:"game"`    // spec of the game of the lesson
	Against  string `json:"against"` // spec of the opponent
	Start    string `json:"start"`   // the source with which the lesson begins
	Finished string `json:"finished"`
	Uses     string `json:"uses"`  // a name that the lesson teaches, which the source must contain
	Check    string `json:"check"` // the tests of the lesson, in Starlark, to be appended to the source; in the last lesson the learner writes them
}

// lessonCount is the number of lessons.
const lessonCount = 10

// Lessons returns the lessons in order. Each lesson begins with the finished source of the previous lesson.
func Lessons() []Lesson {
	start := "def choose(position, clock):\n    pass\n"
	var all []Lesson
	for i := range lessonCount {
		l := parseLesson(source(fmt.Sprintf("lessons/%02d", i+1)))
		l.Start, start = start, l.Finished
		all = append(all, l)
	}
	return all
}

// parseLesson reads the file of a lesson:
//
//	# TITLE
//	# GAME OPPONENT USES
//	#
//	# the text, in lines
//
//	the finished source
//
//	# check
//	tests = [...]
func parseLesson(text string) (l Lesson) {
	head, finished, _ := strings.Cut(text, "\n\n")
	lines := strings.Split(head, "\n")
	for i := range lines {
		lines[i] = strings.TrimPrefix(strings.TrimPrefix(lines[i], "#"), " ")
	}
	l.Title = lines[0]
	l.Finished, l.Check, _ = strings.Cut(finished, "\n# check\n")
	words := strings.Fields(lines[1])
	l.Game, l.Against, l.Uses = words[0], words[1], words[2]
	l.Text = strings.Join(lines[3:], " ")
	return l
}

// source returns the contents of a source file that is embedded in the binary.
func source(name string) string {
	text, err := sources.ReadFile(name + ".star")
	if err != nil {
		panic(err)
	}
	return string(text)
}
