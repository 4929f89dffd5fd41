// SPDX-License-Identifier: Apache-2.0

package cli_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// A disk that is full ends the run in one line. What was stored until then stays, and the old weights too; with
// more space the run goes on and ends as one that was never stopped.
func TestLearnDiskFull(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	whole, disk := t.TempDir(), t.TempDir()
	mount := func(flags uintptr, size string) error {
		return syscall.Mount("tmpfs", disk, "tmpfs", flags, "size="+size)
	}
	if err := mount(0, "1400k"); err != nil {
		t.Skip("only root can mount a small disk: ", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, 0) })
	args := func(out, db string) []string {
		return []string{
			"learn", "genetic:players=100,games=1,generations=40", "ultimate",
			"--out", filepath.Join(out, "out.json"), "--db", filepath.Join(db, "krow.db"), "--force",
		}
	}
	if status, trouble := krow(t, args(whole, whole)...); status != 0 {
		t.Fatal(trouble)
	}
	const old = "the old file\n"
	out := filepath.Join(disk, "out.json")
	write(t, out, []byte(old))
	status, trouble := krow(t, args(disk, disk)...)
	if status != 1 || !regexp.MustCompile(`(?m)^krow: saving step ([2-9]|\d\d): store .*/krow.db: no space left\n$`).MatchString(trouble) {
		t.Fatalf("exit status %d: %s", status, trouble)
	}
	if got := read(t, out); string(got) != old {
		t.Errorf("the old weights became %q", got)
	}
	if err := mount(syscall.MS_REMOUNT, "8m"); err != nil {
		t.Fatal(err)
	}
	status, trouble = krow(t, args(disk, disk)...)
	if status != 0 || !strings.HasPrefix(trouble, "continuing run 1 after step ") {
		t.Errorf("exit status %d: %s", status, trouble)
	}
	want := read(t, filepath.Join(whole, "out.json"))
	if !bytes.Equal(read(t, out), want) {
		t.Error("the run that went on wrote other weights")
	}
	// Weights that do not fit: the old file stays, and what was learned does in the database, which is elsewhere.
	if err := os.WriteFile(filepath.Join(disk, "ballast"), make([]byte, 16<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	status, trouble = krow(t, args(disk, whole)...)
	if status != 1 || !strings.Contains(trouble, "no space left on device; the weights are in the database") {
		t.Errorf("exit status %d: %s", status, trouble)
	}
	if !bytes.Equal(read(t, out), want) {
		t.Error("the weights were spoilt by a full disk")
	}
}

// nobody is the user without rights, whom the modes of files stop.
const nobody = 65534

// forNobody copies krow to where a user without rights can run it, and returns a command of theirs.
func forNobody(t *testing.T, dir string) func(args ...string) *exec.Cmd {
	t.Helper()
	if os.Getuid() != 0 {
		return func(args ...string) *exec.Cmd { return exec.CommandContext(t.Context(), "krow", args...) }
	}
	from, err := exec.LookPath("krow")
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "krow")
	if err := os.WriteFile(bin, read(t, from), 0o755); err != nil {
		t.Fatal(err)
	}
	return func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), bin, args...)
		cmd.Dir = dir
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		return cmd
	}
}

// A database that may not be written is refused before anything is learned, and so is a directory that takes no
// weights once they are there: then they are kept.
func TestLearnReadOnly(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	base, err := os.MkdirTemp("", "krow")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(base, "data")
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700); _ = os.RemoveAll(base) })
	if err := errors.Join(os.Chmod(base, 0o777), os.Mkdir(dir, 0o700)); err != nil {
		t.Fatal(err)
	}
	out, db := filepath.Join(dir, "out.json"), filepath.Join(dir, "krow.db")
	if status, trouble := krow(t, learnSmall(out, db, "2")...); status != 0 {
		t.Fatal(trouble)
	}
	before := files(t, dir)
	run := forNobody(t, base)
	tests := []struct {
		name      string
		dir, file os.FileMode
		db, line  string
	}{
		{"database", 0o777, 0o444, db, "store " + db + ": cannot be written: .*"},
		{"database in its directory", 0o555, 0o444, db, "store " + db + ": cannot be written: .*"},
		{"no database where none can be made", 0o555, 0o666, filepath.Join(dir, "new.db"), "store .*/new.db: cannot be written.*"},
		{
			"weights", 0o555, 0o666, filepath.Join(base, "new.db"),
			"write .*/out.json: permission denied; the weights are in the database: the same command writes the file without learning again",
		},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if err := errors.Join(os.Chmod(db, tc.file), os.Chmod(out, tc.file), os.Chmod(dir, tc.dir)); err != nil {
				t.Fatal(err)
			}
			cmd := run(append(learnSmall(out, tc.db, "3"), "--force")...)
			var trouble bytes.Buffer
			cmd.Stderr = &trouble
			_ = cmd.Run()
			if !regexp.MustCompile("(^|\n)krow: "+tc.line+"\n$").Match(trouble.Bytes()) || cmd.ProcessState.ExitCode() != 1 {
				t.Errorf("%v: %q", cmd.ProcessState, &trouble)
			}
			after := files(t, dir)
			for name, text := range before {
				if after[name] != text {
					t.Errorf("%s was changed", name)
				}
			}
			if len(after) != len(before) {
				t.Errorf("there are %d files, and were %d", len(after), len(before))
			}
		})
	}
}
