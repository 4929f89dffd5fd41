// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
)

// output is standard output. It records whether a write has failed. It also has a file descriptor, so that
// terminalWidth can recognize a terminal.
type output struct {
	*os.File
	err error
}

// Write writes p, unless an earlier write has failed.
func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.File.Write(p)
	o.err = err
	return n, err
}

// WriteString writes s as Write does.
func (o *output) WriteString(s string) (int, error) { return o.Write([]byte(s)) }

// descriptor is implemented by files, such as *os.File, but not by buffers in memory.
type descriptor interface{ Fd() uintptr }

// terminalWidth returns the number of columns of the terminal if file is a terminal, otherwise 0.
func terminalWidth(file any) int {
	f, ok := file.(descriptor)
	if !ok || !term.IsTerminal(f.Fd()) {
		return 0
	}
	if n, _, err := term.GetSize(f.Fd()); err == nil && n > 0 {
		return n
	}
	return 80
}

func asJSON(cmd *cobra.Command) bool {
	on, err := cmd.Flags().GetBool("json")
	return err == nil && on
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// printAnswer prints the result of a command: v as an object with --json, otherwise the formatted text.
func printAnswer(cmd *cobra.Command, v any, format string, args ...any) error {
	if asJSON(cmd) {
		return printJSON(cmd.OutOrStdout(), v)
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), format, args...)
	return err
}

// printRows prints rows as JSON objects or as lines of a table. The table begins with the line header, unless header is "".
// Tabs in header and in the result of line separate the columns.
func printRows[T any](w io.Writer, json bool, header string, rows []T, line func(T) string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if !json && len(rows) > 0 && header != "" {
		fmt.Fprintln(t, header)
	}
	for _, r := range rows {
		if json {
			if err := printJSON(w, r); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintln(t, line(r))
	}
	return t.Flush()
}

// quiet is the time between two lines of progress if the output is not a terminal. On a terminal, a hundredth of this time
// is used. Tests change quiet.
var quiet = 10 * time.Second

// statusLine shows the progress of some work: on a terminal it replaces a single line, elsewhere it prints a new line
// every ten seconds.
type statusLine struct {
	w       io.Writer
	columns func() int // returns the number of columns of the terminal; nil if w is no terminal
	last    time.Time
}

func newStatusLine(w io.Writer) *statusLine {
	s := &statusLine{w: w, last: time.Now()}
	if terminalWidth(w) > 0 {
		s.columns = func() int { return terminalWidth(w) }
	}
	return s
}

// working calls do with a line for its progress, and returns its result. After Ctrl-C the error is errInterrupted.
func working[T any](cmd *cobra.Command, do func(*statusLine) (T, error)) (T, error) {
	line := newStatusLine(cmd.ErrOrStderr())
	defer line.clear()
	v, err := do(line)
	if cmd.Context().Err() != nil {
		err = errInterrupted
	}
	return v, err
}

// due reports whether enough time has passed since the last line. If it returns true, it begins to measure the time until the
// next line.
func (s *statusLine) due() bool {
	wait := quiet
	if s.columns != nil {
		wait = quiet / 100
	}
	if time.Since(s.last) < wait {
		return false
	}
	s.last = time.Now()
	return true
}

// showWhenDue shows the formatted text if it is time for another line.
func (s *statusLine) showWhenDue(format string, args ...any) {
	if s.due() {
		s.show(fmt.Sprintf(format, args...))
	}
}

// show writes a line of text. On a terminal the text replaces the line that was shown before. The text is cut to the width
// of the terminal, because a wrapped line could not be replaced.
func (s *statusLine) show(text string) {
	if s.columns == nil {
		fmt.Fprintln(s.w, text)
		return
	}
	fmt.Fprintf(s.w, "\r\x1b[K%s", ansi.Truncate(text, s.columns()-1, "…"))
}

func (s *statusLine) keep(text string) {
	s.clear()
	fmt.Fprintln(s.w, text)
}

func (s *statusLine) clear() {
	if s.columns != nil {
		fmt.Fprint(s.w, "\r\x1b[K")
	}
}
