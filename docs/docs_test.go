// SPDX-License-Identifier: Apache-2.0

// Package docs holds the tests of the pages: their commands run, their code compiles, their links lead somewhere.
//
// A page is tested by its fenced blocks:
//
//	```console   each line "$ COMMAND" runs, and must print the lines that follow it
//	```sh        each command runs and must succeed, whatever it prints; see notRun for the comments that prevent it
//	```go        a file of the project, named by the first line: // eval/spread/spread.go
//	```diff      a change of a file of the project, named by the first line: +++ players.go
//
// All commands of a page run in one new folder, in order. A line "..." stands for any lines, and "..." in a line for
// anything. Times and speeds are compared as figures of any size, spaces as one space. What the pages add to the project
// and change in it is made in one copy of it before the first command, so that the copy is compiled once for all of them:
// there their go commands run. A command must succeed, unless it ends with
// "# exit status 2" or whichever it has. go test ./docs -update writes what the commands print into the pages.
package docs_test

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/cli"
	"github.com/krow-lab/krow/server/bots"
)

var update = flag.Bool("update", false, "write what the commands print into the pages")

func TestMain(m *testing.M) {
	bots.Enable()
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	testscript.Main(m, map[string]func(){
		"krow":        func() { os.Exit(cli.Main()) },
		"pbrain-krow": func() { _ = krow.Brain("best", "test", 1).Run(context.Background(), os.Stdin, os.Stdout) },
	})
}

// root is the folder of the project, as seen from this package.
const root = ".."

// pages returns the Markdown pages of the project.
func pages(t *testing.T) []string {
	var list []string
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if name := d.Name(); err == nil && d.IsDir() && (name == "node_modules" || name == ".git" || name == "bin" || name == "parts") {
			return fs.SkipDir
		}
		if strings.HasSuffix(file, ".md") {
			list = append(list, file)
		}
		return err
	})
	if err != nil || len(list) < 30 {
		t.Fatalf("%d pages: %v", len(list), err)
	}
	return list
}

// A block is a fenced block of a page: lines[first:last] of it, without its fences.
type block struct {
	info        string
	first, last int
}

// blocks finds the fenced blocks of a page.
func blocks(lines []string) []block {
	var list []block
	open := -1
	for i, l := range lines {
		switch {
		case !strings.HasPrefix(l, "```"):
		case open < 0:
			open = i
		default:
			list = append(list, block{strings.TrimPrefix(lines[open], "```"), open + 1, i})
			open = -1
		}
	}
	return list
}

func TestPagesAreTrue(t *testing.T) {
	var tested []*page
	for _, file := range pages(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(data), "\n")
		if slices.ContainsFunc(blocks(lines), func(b block) bool { return b.info != "" }) {
			tested = append(tested, &page{T: t, file: file, lines: lines})
		}
	}
	c := &project{dir: t.TempDir(), bin: t.TempDir()}
	for _, p := range tested {
		p.project = c
		p.change()
	}
	for _, p := range tested {
		name, _ := filepath.Rel(root, p.file)
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			t.Parallel()
			p.T, p.dir = t, t.TempDir()
			p.run()
		})
	}
}

// A page is tested block by block.
type page struct {
	*testing.T
	file  string
	lines []string
	dir   string // where its commands run
	own   bool   // krow is the one of the copy, which the page has installed
	*project
}

// project is the copy of the project that the pages change.
type project struct {
	dir, bin string
	copied   bool
	install  sync.Once
}

// change makes in the copy of the project what the page adds and changes.
func (p *page) change() {
	for _, b := range blocks(p.lines) {
		text := p.lines[b.first:b.last]
		switch b.info {
		case "go":
			p.write(strings.TrimPrefix(text[0], "// "), strings.Join(text[1:], "\n")+"\n")
		case "diff":
			p.patch(b.first, text)
		}
	}
}

func (p *page) run() {
	var out []string
	done := 0
	for _, b := range blocks(p.lines) {
		text := p.lines[b.first:b.last]
		out = append(out, p.lines[done:b.first]...)
		done = b.last
		switch b.info {
		case "console":
			text = p.console(b.first, text)
		case "sh":
			p.script(b.first, text)
		case "", "go", "diff":
		default:
			p.Errorf("%s:%d: no test knows blocks of %q", p.file, b.first, b.info)
		}
		out = append(out, text...)
	}
	out = append(out, p.lines[done:]...)
	if *update {
		if err := os.WriteFile(p.file, []byte(strings.Join(out, "\n")), 0o644); err != nil {
			p.Fatal(err)
		}
	}
}

// console runs the commands of a block, and returns it as it is when they print what they do.
func (p *page) console(at int, text []string) []string {
	var out []string
	for i := 0; i < len(text); {
		command, ok := strings.CutPrefix(text[i], "$ ")
		if !ok {
			p.Fatalf("%s:%d: no command: %s", p.file, at+i+1, text[i])
		}
		line := at + i + 1
		out = append(out, text[i])
		i++
		for strings.HasSuffix(command, `\`) {
			out = append(out, text[i])
			command = strings.TrimSuffix(command, `\`) + text[i]
			i++
		}
		end := i
		for end < len(text) && !strings.HasPrefix(text[end], "$ ") {
			end++
		}
		want := text[i:end]
		i = end
		if testing.Short() {
			p.Skip("without -short: the commands of the page")
		}
		got, status := p.command(line, command)
		wanted := "exit status 0"
		if _, s, ok := strings.Cut(command, " # "); ok {
			wanted = s
		}
		if status != wanted {
			p.Fatalf("%s:%d: %s: %s, want %s\n%s", p.file, line, command, status, wanted, strings.Join(got, "\n"))
		}
		if !matches(want, got) {
			// A line with "..." that the command prints itself stands for no other lines, so the block may be written again.
			stands := func(l string) bool { return strings.Contains(l, "...") && !slices.Contains(got, l) }
			if *update && !slices.ContainsFunc(want, stands) {
				want = got
			} else {
				p.Errorf("%s:%d: %s prints\n%s\nwant\n%s", p.file, line, command, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
		out = append(out, want...)
	}
	return out
}

// command runs a command as a shell does, and returns the lines that it prints and its exit status.
func (p *page) command(line int, command string) (printed []string, status string) {
	cmd := exec.CommandContext(p.Context(), "sh", "-c", command)
	cmd.Dir = p.dir
	path := os.Getenv("PATH")
	if p.own {
		path = p.bin + string(filepath.ListSeparator) + path
	}
	cmd.Env = append(os.Environ(), "HOME="+p.dir, "XDG_DATA_HOME="+p.dir, "COLUMNS=100", "PATH="+path)
	run := cmd.Output
	if strings.HasPrefix(command, "go ") {
		cmd.Dir = p.project.dir
		// With -trimpath what is compiled in one copy serves the next one, too.
		cmd.Env = append(os.Environ(), "GOBIN="+p.bin, "GOFLAGS="+os.Getenv("GOFLAGS")+" -trimpath -count=1")
	}
	if strings.HasPrefix(command, "go install ") {
		p.own = true
		run = func() (data []byte, err error) {
			p.install.Do(func() { data, err = cmd.Output() })
			return data, err
		}
	}
	data, err := run()
	// Of the standard error only trouble belongs to the page, and no progress.
	status = "exit status 0"
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		status = exit.Error()
		data = append(data, exit.Stderr...)
	} else if err != nil {
		p.Fatalf("%s:%d: %v", p.file, line, err)
	}
	text := strings.TrimSuffix(string(data), "\n")
	if text == "" {
		return nil, status
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines, status
}

var (
	spaces = regexp.MustCompile(`\s+`)
	// measured are times and speeds: what a machine takes for what it does.
	measured = regexp.MustCompile(`[0-9][0-9.]*( [kMG])?( nodes/s| ?(s|ms|µs|min)\b)|("[a-z_]*(time|_ms|_us|nps|speed)[a-z_]*":)[0-9.]+`)
)

// matches reports whether the lines are what a page shows of them.
func matches(want, got []string) bool {
	var b strings.Builder
	for _, l := range want {
		if strings.TrimSpace(l) == "..." {
			b.WriteString(`(.*\n)*`)
			continue
		}
		b.WriteString(strings.ReplaceAll(regexp.QuoteMeta(plain(l)), `\.\.\.`, `.*`) + `\n`)
	}
	var have strings.Builder
	for _, l := range got {
		have.WriteString(plain(l) + "\n")
	}
	return regexp.MustCompile(`^` + b.String() + `$`).MatchString(have.String())
}

// plain is a line without what may differ from machine to machine.
func plain(line string) string {
	return strings.TrimSpace(spaces.ReplaceAllString(measured.ReplaceAllString(line, "N $2$4"), " "))
}

// notRun are the comments that mark commands of sh blocks that the tests do not run, with the reasons. A comment follows its command, or
// stands on a line of its own above all commands that it is about. The krow commands among them must have flags that exist.
var notRun = []struct{ comment, reason string }{
	{"# takes ", "a test ends after seconds"},
	{"# needs root", "the tests have a user's rights"},
	{"# needs a domain", "the tests have no name, no port below 1024 and no certificate"},
	{"# needs Docker", "the tests need Go alone"},
	{"# needs a network", "the tests use no other machine"},
	{"# needs a second terminal", "the commands of a page run one after the other"},
	{"# needs another engine", "krow comes with no engine of others"},
}

// timely reports whether the commands of a page can be run: those of measurements and of the runbook take minutes to hours.
func timely(file string) bool {
	name, err := filepath.Rel(root, file)
	return err == nil && (name == "README.md" || strings.HasPrefix(filepath.ToSlash(name), "docs/guide/") || strings.HasPrefix(filepath.ToSlash(name), "docs/reference/"))
}

// script runs the commands of a sh block, except for the marked ones.
func (p *page) script(at int, text []string) {
	marked := func(l string) bool {
		for _, n := range notRun {
			if strings.Contains(l, n.comment) {
				return true
			}
		}
		return false
	}
	all := !timely(p.file)
	for i, l := range text {
		if strings.HasPrefix(l, "#") {
			all = all || marked(l)
			continue
		}
		command, comment, _ := strings.Cut(l, " #")
		// In the page the server has a user and folders of its own.
		command = strings.NewReplacer("go run ./cmd/krow", "krow", "sudo -u krow ", "", "/var/lib/krow/", "", "/var/backups/krow/", "", "127.0.0.1:4222", "127.0.0.1:0").Replace(strings.TrimSpace(command))
		krows := strings.HasPrefix(command, "krow ")
		switch {
		case krows && (all || marked("# "+strings.TrimSpace(comment)) || testing.Short()):
			if out, err := exec.CommandContext(p.Context(), "sh", "-c", command+" --help").CombinedOutput(); err != nil {
				p.Errorf("%s:%d: %s: %s", p.file, at+i+1, command, out)
			}
		case all || marked("# "+strings.TrimSpace(comment)) || testing.Short():
		case strings.HasPrefix(command, "krow serve "):
			p.serve(at+i+1, command)
		default:
			if strings.HasPrefix(command, "krow play ") {
				command = "echo quit | " + command
			}
			if out, status := p.command(at+i+1, command); status != "exit status 0" {
				p.Errorf("%s:%d: %s: %s\n%s", p.file, at+i+1, command, status, strings.Join(out, "\n"))
			}
		}
	}
}

// serve starts a server at a free port, with a browser that does nothing, and ends it as soon as it says that it serves.
func (p *page) serve(line int, command string) {
	browser := p.TempDir()
	for _, name := range []string{"xdg-open", "open"} {
		if err := os.WriteFile(filepath.Join(browser, name), []byte("#!/bin/sh\n"), 0o700); err != nil {
			p.Fatal(err)
		}
	}
	cmd := exec.CommandContext(p.Context(), "sh", "-c", "exec "+command+" --addr 127.0.0.1:0")
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "HOME="+p.dir, "XDG_DATA_HOME="+p.dir, "PATH="+browser+string(filepath.ListSeparator)+os.Getenv("PATH"))
	var trouble strings.Builder
	cmd.Stderr = &trouble
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		p.Fatalf("%s:%d: %s: %v", p.file, line, command, err)
	}
	lines := bufio.NewScanner(out)
	for serving := false; lines.Scan(); {
		if !serving && strings.HasPrefix(lines.Text(), "serving http") {
			serving = true
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				p.Errorf("%s:%d: %v", p.file, line, err)
			}
		}
	}
	if err := cmd.Wait(); err != nil {
		p.Errorf("%s:%d: %s: %v\n%s", p.file, line, command, err, trouble.String())
	}
}

// copyProject copies the files of the project, the first time.
func (p *page) copyProject() {
	if p.copied {
		return
	}
	p.copied = true
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch d.Name() {
			case ".git", "bin", "node_modules", ".cache":
				return fs.SkipDir
			}
			return nil
		}
		page := strings.HasPrefix(file, root+"/docs/") && !slices.Contains([]string{".go", ".json", ".jsonl", ".proof"}, filepath.Ext(file))
		if !d.Type().IsRegular() || page {
			return nil
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		p.write(name, string(data))
		return nil
	})
	if err != nil {
		p.Fatal(err)
	}
}

// write puts a file into the copy of the project.
func (p *page) write(name, text string) {
	p.copyProject()
	at := filepath.Join(p.project.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(text), 0o666); err != nil {
		p.Fatal(err)
	}
}

// patch changes a file as a block says, whose lines begin with a space, a - or a +. A line that ends with "..." stands for any line that
// begins like it. The file is left alone if it has the change already: whoever follows the page has made it.
func (p *page) patch(at int, text []string) {
	name, ok := strings.CutPrefix(text[0], "+++ ")
	if !ok {
		p.Fatalf("%s:%d: the first line of a diff names its file: +++ FILE", p.file, at)
	}
	p.copyProject()
	data, err := os.ReadFile(filepath.Join(p.project.dir, filepath.FromSlash(name)))
	if err != nil {
		p.Fatal(err)
	}
	changed, err := patched(string(data), text[1:])
	if err != nil {
		p.Fatalf("%s:%d: %s: %v", p.file, at, name, err)
	}
	p.write(name, changed)
}

// patched returns a file with a change, or as it is if it has the change.
func patched(file string, change []string) (string, error) {
	var before, after []string
	for _, l := range change {
		if l == "" {
			l = " "
		}
		if l[0] != '+' {
			before = append(before, l[1:])
		}
		if l[0] != '-' {
			after = append(after, l[1:])
		}
	}
	find := func(lines []string) *regexp.Regexp {
		text := regexp.QuoteMeta(strings.Join(lines, "\n"))
		return regexp.MustCompile(`(?m)^` + strings.ReplaceAll(text, `\.\.\.`, `(.*)`) + `$`)
	}
	if find(after).MatchString(file) {
		return file, nil
	}
	found := find(before).FindAllStringSubmatchIndex(file, -1)
	if len(found) != 1 {
		return "", fmt.Errorf("%d places have these lines, want 1:\n%s", len(found), strings.Join(before, "\n"))
	}
	m := found[0]
	text := strings.Join(after, "\n")
	for i := 2; i < len(m); i += 2 {
		text = strings.Replace(text, "...", file[m[i]:m[i+1]], 1)
	}
	return file[:m[0]] + text + file[m[1]:], nil
}

// TestChangesOfPagesInFiles shows how a change of a page is made in a file.
func TestChangesOfPagesInFiles(t *testing.T) {
	const file = "one\ntwo three four\nfive\n"
	tests := []struct {
		name, change, want string
	}{
		{"adds a line", " one\n+new", "one\nnew\ntwo three four\nfive\n"},
		{"keeps the rest of a line", "-two ...\n+two and ...", "one\ntwo and three four\nfive\n"},
		{"is there already", " two three four\n+five", file},
		{"has no place", " six\n+seven", ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got, err := patched(file, strings.Split(tc.change, "\n"))
			if got != tc.want || (err != nil) != (tc.want == "") {
				t.Errorf("patched = %q, %v, want %q", got, err, tc.want)
			}
		})
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	mark    = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// TestThreatsNameTests: each test that the threat model names exists.
func TestThreatsNameTests(t *testing.T) {
	page, err := os.ReadFile("reference/threats.md")
	if err != nil {
		t.Fatal(err)
	}
	exists := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git") {
			return fs.SkipDir
		}
		if err != nil || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		data, err := os.ReadFile(file)
		for _, m := range declared.FindAllSubmatch(data, -1) {
			exists[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllSubmatch(page, -1)
	if len(named) < 50 {
		t.Errorf("the threat model names %d tests, want at least 50", len(named))
	}
	for _, m := range named {
		if !exists[string(m[1])] {
			t.Errorf("the threat model names %s, which does not exist", m[1])
		}
	}
}

// TestLinksLeadSomewhere: every relative link of a page leads to a file, and to a heading of it if it names one.
func TestLinksLeadSomewhere(t *testing.T) {
	anchors := func(file string) map[string]bool {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil
		}
		set := map[string]bool{}
		for _, m := range heading.FindAllStringSubmatch(string(data), -1) {
			set[strings.ReplaceAll(mark.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")] = true
		}
		return set
	}
	links := 0
	for _, file := range pages(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(data), -1) {
			if strings.Contains(m[1], ":") {
				continue
			}
			links++
			name, anchor, _ := strings.Cut(m[1], "#")
			to := filepath.Join(filepath.Dir(file), filepath.FromSlash(name))
			if name == "" {
				to = file
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: %s leads nowhere", file, m[1])
			} else if anchor != "" && !anchors(to)[anchor] {
				t.Errorf("%s: %s: %s has no such heading", file, m[1], name)
			}
		}
	}
	if links < 50 {
		t.Errorf("%d links found, want more than 50", links)
	}
}

// TestComparisonOfOutput: what the comparison leaves free, and what not.
func TestComparisonOfOutput(t *testing.T) {
	tests := []struct {
		want, got string
		ok        bool
	}{
		{"best j7   589 k nodes   720 k nodes/s", "best j7  589 k nodes  1.2 M nodes/s", true},
		{"best j7   589 k nodes   720 k nodes/s", "best j7  590 k nodes  720 k nodes/s", false},
		{"8 +41 212 k 0.1 s g7", "8 +41 212 k 13 s g7", true},
		{`{"nodes":5,"time_ms":7}`, `{"nodes":5,"time_ms":8}`, true},
		{`{"nodes":5,"time_ms":7}`, `{"nodes":6,"time_ms":7}`, false},
		{"a\n...\nd", "a\nb\nc\nd", true},
		{"a\n...\nd", "a\nb\nc", false},
		{"win a1 ...", "win a1 b2 c3", true},
		{"", "a", false},
	}
	for _, tc := range tests {
		t.Run(fmt.Sprint(tc.want, " ", tc.got), func(t *testing.T) {
			if got := matches(strings.Split(tc.want, "\n"), strings.Split(tc.got, "\n")); got != tc.ok {
				t.Errorf("matches(%q, %q) = %v, want %v", tc.want, tc.got, got, tc.ok)
			}
		})
	}
}
