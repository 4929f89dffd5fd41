// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/krow-lab/krow/internal/spec"
)

// TestSecondSignalCounts: the second signal counts, unless it comes together with the first.
func TestSecondSignalCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		signals, called := make(chan os.Signal, 2), 0
		go func() {
			for _, wait := range []time.Duration{time.Minute, 0, 100 * time.Millisecond, 100 * time.Millisecond} {
				time.Sleep(wait)
				signals <- os.Interrupt
			}
		}()
		start := time.Now()
		waitTwice(signals, func(os.Signal) { called++ })
		if took := time.Since(start); took != time.Minute+200*time.Millisecond || called != 1 {
			t.Errorf("it ends after %v, and first was called %d times, want %v and once", took, called, time.Minute+200*time.Millisecond)
		}
	})
}

// Trouble is a line and a hint, whatever the error quotes, and its kind is the exit status.
func TestReport(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	tests := []struct {
		err    error
		want   string
		status int
	}{
		{nil, "", 0},
		{errors.New("no luck"), "krow: no luck\n", 1},
		{errors.New("two\n\tlines\n"), "krow: two lines\n", 1},
		{errors.New("red \x1b[31m\a\u202e"), "krow: red ?[31m??\n", 1},
		{errors.New("begin " + long + " end"), "krow: begin " + long[:longest*3/4-6] + "..." + long[:longest/4-4] + " end\n", 1},
		{misusef("", "not so"), "krow: not so\n", 2},
		{misusef("but so", "not %s", "so"), "krow: not so\nkrow: hint: but so\n", 2},
		{&spec.Error{Msg: "not so", Hint: "but\nso"}, "krow: not so\nkrow: hint: but so\n", 2},
		{fmt.Errorf("weights: %w", &spec.Error{Msg: "not so"}), "krow: weights: not so\n", 2},
		{misusef("", "outer: %w", &spec.Error{Msg: "inner", Hint: "of the inner"}), "krow: outer: inner\nkrow: hint: of the inner\n", 2},
	}
	for _, tc := range tests {
		var b bytes.Buffer
		if report(&b, tc.err); b.String() != tc.want {
			t.Errorf("%v: reported %q, want %q", tc.err, &b, tc.want)
		}
		if got := status(tc.err); got != tc.status {
			t.Errorf("%v: exit status %d, want %d", tc.err, got, tc.status)
		}
	}
}

func TestWrapUsage(t *testing.T) {
	tests := []struct {
		usage string
		most  int
		want  []string
	}{
		{"rules", 20, []string{"rules"}},
		{"mcts[:sims=N|time=D][,c=X][,seed=N]", 20, []string{"mcts[:sims=N|time=D]", "[,c=X][,seed=N]"}},
		{"x[:longer_than_a_line][,c=X]", 10, []string{"x[:longer_than_a_line]", "[,c=X]"}},
	}
	for _, tc := range tests {
		if got := spec.WrapUsage(tc.usage, tc.most); !slices.Equal(got, tc.want) {
			t.Errorf("WrapUsage(%q, %d) = %q, want %q", tc.usage, tc.most, got, tc.want)
		}
	}
}

// Every command has what its help and the manual are made of, and no flag without a word about it.
func TestCommandsExplainThemselves(t *testing.T) {
	for _, c := range allCommands(rootCommand()) {
		if c.Short == "" || c.Long == "" || c.Example == "" || c.RunE == nil {
			t.Errorf("%s: something is missing: %+v", c.CommandPath(), c)
		}
		if !strings.HasPrefix(c.Example, "  "+c.CommandPath()) {
			t.Errorf("%s: the first example is of something else: %s", c.CommandPath(), c.Example)
		}
		for line := range strings.Lines(c.Example) { // one may show how to go on with another command
			if !strings.HasPrefix(line, "  krow ") {
				t.Errorf("%s: the example %q is no command", c.CommandPath(), line)
			}
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" {
				t.Errorf("%s --%s: no usage", c.CommandPath(), f.Name)
			}
		})
	}
}

func rootCommand() *cobra.Command {
	root, _ := newRoot()
	return root
}

// allCommands returns root and every command below it that help lists.
func allCommands(root *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{root}
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			all = append(all, allCommands(c)...)
		}
	}
	return all
}

// TestHelpFitsWidth: no line of help is wider than the terminal, except examples.
func TestHelpFitsWidth(t *testing.T) {
	for _, c := range allCommands(rootCommand()) {
		var text bytes.Buffer
		c.SetOut(&text)
		if err := c.Help(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(strings.Replace(text.String(), c.Example, "", 1)) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
				t.Errorf("%s: %d columns: %q", c.CommandPath(), n, line)
			}
		}
	}
}

func TestWrapTextKeepsIndentedParagraphs(t *testing.T) {
	got := wrapText("one two\nthree --four\n\n\tfive  six seven")
	if want := "one two three --four\n\n\tfive  six seven"; got != want {
		t.Errorf("wrapText = %q, want %q", got, want)
	}
}
