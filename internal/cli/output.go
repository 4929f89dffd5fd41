// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
)

// output is standard output. It remembers that a write failed, and is still a file, so that it can be a terminal.
type output struct {
	*os.File
	err error
}

// Write writes p, unless a write failed before.
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

// terminalWidth returns the columns of the terminal behind a file, or 0 where there is none.
func terminalWidth(file any) int {
	f, ok := file.(interface{ Fd() uintptr })
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

// answer prints the result of a command: v as an object with --json, and else the text.
func answer(cmd *cobra.Command, v any, format string, args ...any) error {
	if asJSON(cmd) {
		return printJSON(cmd.OutOrStdout(), v)
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), format, args...)
	return err
}

// printRows prints rows as objects, or as lines in columns below a header, if there is one. Tabs part the columns.
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

// count writes n for people: 950, 12.3 k, 4.7 M.
func count(n uint64) string {
	x := float64(n)
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case x < 99_950:
		return fmt.Sprintf("%.1f k", x/1e3)
	case x < 999_500:
		return fmt.Sprintf("%.0f k", x/1e3)
	case x < 999_950_000:
		return fmt.Sprintf("%.1f M", x/1e6)
	}
	return fmt.Sprintf("%.1f G", x/1e9)
}

// amount writes how many there are of something: 1 ply, 2 plies.
func amount(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func rate(n uint64, d time.Duration) string {
	return count(uint64(float64(n)/max(d.Seconds(), 1e-3))) + " nodes/s"
}
