// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"strings"
)

// Heading begins a section. Level is 2 to 4, beneath the title.
type Heading struct {
	Level int
	Text  string
}

// Text is a paragraph, or several with empty lines between.
type Text string

// Code is shown as it stands, such as the command that makes the report again.
type Code string

// List is a list of paragraphs with bullets.
type List []string

func (h Heading) check() error {
	if h.Level < 2 || h.Level > 4 {
		return fmt.Errorf("heading %q: level %d, want 2 to 4", h.Text, h.Level)
	}
	return nil
}

func (h Heading) markdown() string {
	return strings.Repeat("#", h.Level) + " " + toMarkdown(h.Text) + "\n"
}

func (h Heading) html() string {
	return fmt.Sprintf("<h%d>%s</h%d>\n", h.Level, toHTML(h.Text), h.Level)
}

func (Heading) file() (name, data string) { return "", "" }

func (Text) check() error { return nil }

func (t Text) paragraphs() []string {
	var ps []string
	for p := range strings.SplitSeq(strings.ReplaceAll(string(t), "\r\n", "\n"), "\n\n") {
		if p = strings.TrimSpace(p); p != "" {
			ps = append(ps, p)
		}
	}
	return ps
}

func (t Text) markdown() string {
	var b strings.Builder
	for i, p := range t.paragraphs() {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(toMarkdown(p) + "\n")
	}
	return b.String()
}

func (t Text) html() string {
	var b strings.Builder
	for _, p := range t.paragraphs() {
		b.WriteString("<p>" + toHTML(p) + "</p>\n")
	}
	return b.String()
}

func (Text) file() (name, data string) { return "", "" }

func (Code) check() error { return nil }

// markdown fences c with more backticks than it has anywhere.
func (c Code) markdown() string {
	fence := "```"
	for strings.Contains(string(c), fence) {
		fence += "`"
	}
	return fence + "\n" + strings.TrimRight(string(c), "\n") + "\n" + fence + "\n"
}

func (c Code) html() string { return "<pre>" + escape(strings.TrimRight(string(c), "\n")) + "</pre>\n" }

func (Code) file() (name, data string) { return "", "" }

func (List) check() error { return nil }

func (l List) markdown() string {
	var b strings.Builder
	for _, item := range l {
		b.WriteString("- " + toMarkdown(item) + "\n")
	}
	return b.String()
}

func (l List) html() string {
	var b strings.Builder
	b.WriteString("<ul>\n")
	for _, item := range l {
		b.WriteString("<li>" + toHTML(item) + "</li>\n")
	}
	return b.String() + "</ul>\n"
}

func (List) file() (name, data string) { return "", "" }
