// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"regexp"
	"strings"
)

// Heading begins a section. Level is 2, 3 or 4, because level 1 is the title of the document.
type Heading struct {
	Level int
	Text  string
}

// Text is a paragraph, or several paragraphs separated by empty lines.
type Text string

// Code is a text that is shown exactly as it is, such as the command that makes the report again.
type Code string

// List is a list of paragraphs, each with a bullet.
type List []string

func (h Heading) render() (r rendered, err error) {
	if h.Level < 2 || h.Level > 4 {
		return r, fmt.Errorf("heading %q: level %d, want 2 to 4", h.Text, h.Level)
	}
	r.markdown = strings.Repeat("#", h.Level) + " " + toMarkdown(h.Text) + "\n"
	return r, nil
}

func (t Text) render() (r rendered, err error) {
	for p := range strings.SplitSeq(strings.ReplaceAll(string(t), "\r\n", "\n"), "\n\n") {
		if p = strings.TrimSpace(p); p == "" {
			continue
		}
		if r.markdown != "" {
			r.markdown += "\n"
		}
		r.markdown += toMarkdown(p) + "\n"
	}
	return r, nil
}

// render encloses c in a fence that has more backticks than the longest row of backticks in c.
func (c Code) render() (r rendered, err error) {
	text, fence := strings.TrimRight(string(c), "\n"), "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return rendered{markdown: fence + "\n" + text + "\n" + fence + "\n"}, nil
}

func (l List) render() (r rendered, err error) {
	for _, item := range l {
		r.markdown += "- " + toMarkdown(item) + "\n"
	}
	return r, nil
}

// span is a piece of a paragraph. mark is 0 for plain text, '`' for code and '*' for emphasis.
type span struct {
	mark byte
	text string
}

// marks matches code, and emphasis whose stars touch its words.
var marks = regexp.MustCompile("`([^`]+)`" + `|\*([^*\s](?:[^*]*[^*\s])?)\*`)

// spans splits a paragraph into spans. Line ends become spaces.
func spans(text string) []span {
	text = oneLine(text)
	var all []span
	at := 0
	for _, m := range marks.FindAllStringIndex(text, -1) {
		if m[0] > at {
			all = append(all, span{text: text[at:m[0]]})
		}
		all = append(all, span{text[m[0]], text[m[0]+1 : m[1]-1]})
		at = m[1]
	}
	if at < len(text) {
		all = append(all, span{text: text[at:]})
	}
	return all
}

// oneLine joins the words of text with single spaces. Invalid UTF-8 becomes U+FFFD.
func oneLine(text string) string {
	return strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "\ufffd")
}

func toMarkdown(text string) (markdown string) {
	for i, s := range spans(text) {
		switch t := escapeMarkdown(s.text); {
		case s.mark == '`':
			markdown += "`" + s.text + "`"
		case s.mark == '*':
			markdown += "*" + t + "*"
		case i == 0:
			markdown = escapeStart(t)
		default:
			markdown += t
		}
	}
	return markdown
}

// markdownMarks matches the characters with a meaning inside a line of CommonMark or GitHub Markdown.
var markdownMarks = regexp.MustCompile("[\\\\`*_\\[\\]<>&|~$]")

func escapeMarkdown(text string) string { return markdownMarks.ReplaceAllString(text, `\$0`) }

// markdownStart matches the start of a heading, a list, or a rule.
var markdownStart = regexp.MustCompile(`^(#|[-+=]|\d+[.)])`)

func escapeStart(line string) string {
	m := markdownStart.FindString(line)
	if m == "" {
		return line
	}
	return line[:len(m)-1] + `\` + line[len(m)-1:]
}
