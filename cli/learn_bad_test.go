// SPDX-License-Identifier: Apache-2.0

//go:build unix

package cli_test

import (
	"bytes"
	"database/sql"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // the driver
)

// krow runs krow to its end and returns its exit status and stderr.
func krow(t *testing.T, args ...string) (status int, stderr string) {
	t.Helper()
	p := start(t, args...)
	_, status = p.end(t)
	return status, p.stderr.String()
}

// learnSmall is a run of some milliseconds.
func learnSmall(out, db string, episodes ...string) []string {
	learner := "qlearning"
	if len(episodes) > 0 {
		learner += ":episodes=" + episodes[0]
	}
	return []string{"learn", learner, "mnk:4,4,3", "--out", out, "--db", db}
}

// finished returns a directory with a database of a finished run, and the weights that it wrote.
func finished(t *testing.T) (out, db string) {
	t.Helper()
	dir := t.TempDir()
	out, db = filepath.Join(dir, "out.json"), filepath.Join(dir, "krow.db")
	if status, trouble := krow(t, learnSmall(out, db, "2")...); status != 0 {
		t.Fatal(trouble)
	}
	return out, db
}

// files returns the contents of all files of a directory.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	contents := map[string]string{}
	for _, e := range all {
		if e.Type().IsRegular() {
			contents[e.Name()] = string(read(t, filepath.Join(dir, e.Name())))
		}
	}
	return contents
}

// refuses runs krow, which is to fail with one line and to change nothing in the directory.
func refuses(t *testing.T, dir string, status int, line string, args ...string) {
	t.Helper()
	before := files(t, dir)
	got, trouble := krow(t, args...)
	if got != status || !regexp.MustCompile("^krow: "+line+"\n(krow: hint: .*\n)?$").MatchString(trouble) {
		t.Errorf("krow %s: exit status %d, want %d; stderr %q, want %s", strings.Join(args, " "), got, status, trouble, line)
	}
	if after := files(t, dir); !maps.Equal(before, after) {
		t.Errorf("krow %s changed the files: there were %q, and are %q", strings.Join(args, " "),
			slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after)))
	}
}

// execute runs statements on a database, as another program would.
func execute(t *testing.T, file string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, q := range statements {
		if _, err := db.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A database that cannot be used is told of in one line, by every command, and left as it is, and so are the
// weights that would have been replaced.
func TestLearnBadDatabase(t *testing.T) {
	overwrite := func(from int) func(t *testing.T, db string) {
		return func(t *testing.T, db string) {
			b := read(t, db)
			for i := from; i < len(b); i++ {
				b[i] = 0xa5
			}
			write(t, db, b)
		}
	}
	tests := []struct {
		name  string
		spoil func(t *testing.T, db string)
		line  string
	}{
		{"text", func(t *testing.T, db string) { write(t, db, []byte("a diary\n")) }, "not a krow database"},
		{"weights", func(t *testing.T, db string) { write(t, db, read(t, filepath.Join(filepath.Dir(db), "out.json"))) }, "not a krow database"},
		{"cut in the header", func(t *testing.T, db string) { write(t, db, read(t, db)[:99]) }, "the database is damaged: truncated in the header"},
		{"cut in the middle", func(t *testing.T, db string) { b := read(t, db); write(t, db, b[:len(b)/2]) }, `the database is damaged: truncated after \d+ of \d+ bytes`},
		{"cut by a byte", func(t *testing.T, db string) { b := read(t, db); write(t, db, b[:len(b)-1]) }, `the database is damaged: truncated after \d+ of \d+ bytes`},
		{"overwritten", overwrite(100), "the database is damaged"},
		{"pages overwritten", overwrite(4096), "the database is damaged"},
		{"another program's", func(t *testing.T, db string) {
			os.Remove(db)
			execute(t, db, "CREATE TABLE letters (text TEXT)", "INSERT INTO letters VALUES ('dear')")
		}, "not a krow database"},
		{"a newer krow's", func(t *testing.T, db string) {
			execute(t, db, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)")
		}, "made by a newer krow: .*"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			out, db := finished(t)
			tc.spoil(t, db)
			dir, line := filepath.Dir(db), "store "+regexp.QuoteMeta(db)+": "+tc.line
			refuses(t, dir, 1, line, learnSmall(out, db)...)
			refuses(t, dir, 1, line, "learn", "list", "--db", db)
		})
	}
}

// A state in the database that is none of the learner's is told of, and what to do.
func TestLearnBadState(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	for name, change := range map[string]string{
		"no state":            `UPDATE runs SET state = 'nonsense'`,
		"of another learner":  `UPDATE runs SET state = replace(state, '"qlearning"', '"sarsa"')`,
		"of another game":     `UPDATE runs SET state = replace(state, 'mnk:4,4,3', 'mnk:5,4,3')`,
		"of other settings":   `UPDATE runs SET state = replace(state, '"depth":4', '"depth":5')`,
		"with a damaged part": `UPDATE runs SET state = replace(state, '"done":2', '"done":-2')`,
		"of another step":     `UPDATE runs SET state = replace(state, '"done":2', '"done":1')`,
	} {
		t.Run(name, func(t *testing.T) {
			out, db := finished(t)
			execute(t, db, change)
			refuses(t, filepath.Dir(db), 1, "run 1: .*; krow learn delete 1 removes it", learnSmall(out, db, "2")...)
			if status, trouble := krow(t, "learn", "delete", "1", "--db", db, "--yes"); status != 0 {
				t.Fatal(trouble)
			}
			want := read(t, out)
			if status, trouble := krow(t, append(learnSmall(out, db, "2"), "--force")...); status != 0 || !bytes.Equal(read(t, out), want) {
				t.Errorf("learned anew: exit status %d: %s", status, trouble)
			}
		})
	}
}

// What is named on the command line cannot be used: nothing is begun, and nothing changed.
func TestLearnBadFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	out, db := finished(t)
	dir := filepath.Dir(db)
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := os.Mkdir(in("sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	quoted := regexp.QuoteMeta
	refuses(t, dir, 2, `unknown learner "qlerning"`, "learn", "qlerning", "mnk:4,4,3", "--out", out, "--db", db)
	refuses(t, dir, 1, "--out "+quoted(in("none/out.json"))+": .*no such file or directory", learnSmall(in("none/out.json"), db, "3")...)
	refuses(t, dir, 2, "--out needs a file, and "+quoted(in("sub"))+" is a directory", learnSmall(in("sub"), db)...)
	refuses(t, dir, 2, "--out and the database are the same file, .*", learnSmall(db, db)...)
	refuses(t, dir, 2, "--out and the database are the same file, .*", learnSmall(db+"-wal", db)...)
	if err := os.Symlink(db, in("link.db")); err != nil {
		t.Fatal(err)
	}
	refuses(t, dir, 2, "--out and the database are the same file, .*", learnSmall(db, in("link.db"))...)
	refuses(t, dir, 2, "--out and the database are the same file, .*", learnSmall(in("link.db"), db)...)
	refuses(t, dir, 1, "store "+quoted(in("sub"))+": .*", learnSmall(out, in("sub"))...)
	refuses(t, dir, 1, "store "+quoted(in("out.json/krow.db"))+": .*", learnSmall(out, in("out.json/krow.db"))...)
	refuses(t, dir, 1, "store "+quoted(in("none.db"))+": there is no such file: nothing has been learned yet", "learn", "export", "1", "--out", in("w.json"), "--db", in("none.db"))
	refuses(t, dir, 1, "store "+quoted(db)+": run 7: there is no such run", "learn", "export", "7", "--out", in("w.json"), "--db", db)
	refuses(t, dir, 1, "store "+quoted(db)+": run 7: there is no such run", "learn", "delete", "7", "--db", db)
}

// Weights that do not fit the game, or are none, are refused by whoever is to play with them.
func TestLearnBadWeights(t *testing.T) {
	out, db := finished(t)
	dir := filepath.Dir(db)
	whole := read(t, out)
	bred := filepath.Join(dir, "bred.json")
	if status, trouble := krow(t, "learn", "genetic:generations=1,players=2,games=1", "ultimate", "--out", bred, "--db", db); status != 0 {
		t.Fatal(trouble)
	}
	wide := filepath.Join(dir, "wide.json")
	if status, trouble := krow(t, "learn", "spsa:target=mics(nodes=20),games=4", "mnk:4,4,3", "--out", wide, "--db", db); status != 0 {
		t.Fatal(trouble)
	}
	refuses(t, dir, 1, "weights: "+regexp.QuoteMeta(wide)+`: the weights are for the game "mnk:4,4,3", not mnk:5,4,3`,
		"match", "mnk:5,4,3", "mics:nodes=20,weights="+wide, "random", "--games", "2")
	bad := filepath.Join(dir, "bad.json")
	tests := []struct{ name, game, heuristic, file, text, line string }{
		{"another k", "connect4", "generic", out, "", "weights for 3 in a row, not 4"},
		{"another game's", "mnk:4,4,3", "generic", bred, "", `the weights are for the heuristic "indicators", not generic`},
		{"another game's, the other way", "ultimate", "indicators", out, "", `the weights are for the heuristic "generic", not indicators`},
		{"cut in the middle", "mnk:4,4,3", "generic", bad, string(whole[:len(whole)/2]), "not a krow weights file"},
		{"cut by two bytes", "mnk:4,4,3", "generic", bad, string(whole[:len(whole)-2]), "not a krow weights file"},
		{"empty", "mnk:4,4,3", "generic", bad, "", "not a krow weights file"},
		{"text", "mnk:4,4,3", "generic", bad, "a diary\n", "not a krow weights file"},
		{"the database", "mnk:4,4,3", "generic", db, "", "not a krow weights file"},
		{"another version", "mnk:4,4,3", "generic", bad, strings.Replace(string(whole), `"version":1`, `"version":9`, 1), "the weights file has version 9; this krow reads versions up to 1"},
		{"a number that is none", "mnk:4,4,3", "generic", bad, strings.Replace(string(whole), `"k":3`, `"k":"3"`, 1), "weights file: weights: .*"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if tc.file == bad {
				write(t, bad, []byte(tc.text))
			}
			refuses(t, dir, 1, "weights: "+regexp.QuoteMeta(tc.file)+": "+tc.line,
				"match", tc.game, "greedy:eval="+tc.heuristic+"(weights="+tc.file+")", "random", "--games", "2")
		})
	}
}

// A file may not grow beyond a limit, as under a quota: what was stored until then stays, and the run goes on
// once there is space again.
func TestLearnLimited(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	dir := t.TempDir()
	args := func(name string) []string {
		return []string{
			"learn", "genetic:players=100,games=1,generations=40", "ultimate",
			"--out", filepath.Join(dir, name+".json"), "--db", filepath.Join(dir, name+".db"), "--force",
		}
	}
	if status, trouble := krow(t, args("whole")...); status != 0 {
		t.Fatal(trouble)
	}
	const old = "the old file\n"
	out := filepath.Join(dir, "limited.json")
	write(t, out, []byte(old))
	cmd := exec.CommandContext(t.Context(), "sh", append([]string{"-c", `ulimit -f 2400; exec krow "$@"`, "sh"}, args("limited")...)...)
	var trouble bytes.Buffer
	cmd.Stderr = &trouble
	_ = cmd.Run()
	if !regexp.MustCompile(`(?m)^krow: saving step ([2-9]|\d\d): store .*: writing failed: .*\n$`).Match(trouble.Bytes()) || cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("%v: %s", cmd.ProcessState, &trouble)
	}
	if got := read(t, out); string(got) != old {
		t.Errorf("the old weights became %q", got)
	}
	status, again := krow(t, args("limited")...)
	if status != 0 || !strings.HasPrefix(again, "continuing run 1 after step ") {
		t.Errorf("exit status %d: %s", status, again)
	}
	if !bytes.Equal(read(t, out), read(t, filepath.Join(dir, "whole.json"))) {
		t.Error("the run that went on wrote other weights")
	}
}
