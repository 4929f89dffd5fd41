// SPDX-License-Identifier: Apache-2.0

package cli_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/krow-lab/krow/cli"
	"github.com/krow-lab/krow/server/bots"
)

var update = flag.Bool("update", false, "rewrite what the scripts compare with")

// raceless keeps the race detector, where it is on, from letting each process sleep for a second as it ends.
const raceless = "atexit_sleep_ms=0"

func TestMain(m *testing.M) {
	bots.Enable()
	os.Setenv("GORACE", raceless)
	testscript.Main(m, map[string]func(){"krow": func() {
		cli.Hush() // they compare what is said, however long a command takes
		os.Exit(cli.Main())
	}})
}

// The scripts are the manual of the command line: one for each subcommand.
func TestCommandScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Condition:           condition,
		Setup: func(e *testscript.Env) error {
			e.Setenv("GORACE", raceless)
			e.Setenv("escape", "\x1b[31mgomoku")
			old, err := filepath.Abs("testdata/0faa82d")
			if err != nil {
				return err
			}
			e.Setenv("old", old)
			e.Setenv("long", strings.Repeat("h8", 10_000))
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":   exits,
			"objects": objects,
			"unpack":  unpack,
		},
	})
}

// condition [full] says whether there is a device that takes nothing.
func condition(cond string) (bool, error) {
	if cond != "full" {
		return false, fmt.Errorf("unknown condition %q", cond)
	}
	_, err := os.Stat("/dev/full")
	return err == nil, nil
}

// exits STATUS COMMAND... runs a command that must exit with just that status. Of a failure it expects one
// line of trouble and at most one hint, and of a misuse nothing on stdout.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		got = e.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
	if want == 2 && ts.ReadFile("stdout") != "" {
		ts.Fatalf("a misuse wrote to stdout")
	}
	if want != 0 {
		trouble(ts, strings.Split(strings.TrimSuffix(ts.ReadFile("stderr"), "\n"), "\n"))
	}
}

func trouble(ts *testscript.TestScript, lines []string) {
	lines = slices.DeleteFunc(lines, func(l string) bool { return !strings.HasPrefix(l, "krow: ") })
	if n := len(lines); n == 0 || n > 2 || strings.HasPrefix(lines[0], "krow: hint:") ||
		n == 2 && !strings.HasPrefix(lines[1], "krow: hint:") {
		ts.Fatalf("stderr is not one line of trouble and one of a hint: %q", lines)
	}
}

// unpack FILE.gz FILE writes what a packed file holds.
func unpack(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: unpack FILE.gz FILE")
	}
	f, err := os.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	ts.Check(err)
	data, err := io.ReadAll(z)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o644))
}

// objects [KEY...] checks that every line of stdout is a JSON object without a space to spare, and that the
// last has these keys; "! objects KEY" that it has not.
func objects(ts *testscript.TestScript, neg bool, keys []string) {
	out := ts.ReadFile("stdout")
	if out == "" {
		ts.Fatalf("stdout is empty")
	}
	var last map[string]any
	for line := range strings.Lines(out) {
		var compact bytes.Buffer
		ts.Check(json.Compact(&compact, []byte(line)))
		if compact.String()+"\n" != line {
			ts.Fatalf("not compact: %s", line)
		}
		last = nil
		ts.Check(json.Unmarshal([]byte(line), &last))
	}
	for _, k := range keys {
		if _, has := last[k]; has == neg {
			ts.Fatalf("the last object has %q: %v", k, has)
		}
	}
}
