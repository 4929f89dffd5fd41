// SPDX-License-Identifier: Apache-2.0

package store

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// gamesOf opens a database and returns the number of games at the board.
func gamesOf(t *testing.T, file string) int {
	t.Helper()
	s, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	games, err := s.Games(GameFilter{Count: 1000})
	if err != nil {
		t.Fatal(err)
	}
	return len(games)
}

func addGames(t *testing.T, s *Store, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		if err := s.AddGame(Game{ID: fmt.Sprintf("g%04d", i), Game: "tictactoe", First: "human", Second: "human", Outcome: "ongoing"}, ""); err != nil {
			t.Fatal(err)
		}
	}
}

// These are the numbers of games in the files of backedUp.
const (
	gamesBackedUp = 40
	gamesInAll    = 42 // so few more that the log has no copy of the first page
)

// backedUp returns a backup with some games, and a database that has more of them. Its server was killed if killed: the last games
// are in the log.
func backedUp(t *testing.T, killed bool) (backup, file string) {
	t.Helper()
	dir := t.TempDir()
	live := filepath.Join(dir, "live.db")
	backup, file = filepath.Join(dir, "backup.db"), filepath.Join(dir, "krow.db")
	s, err := Open(live)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	addGames(t, s, 0, gamesBackedUp)
	if err := s.Backup(backup); err != nil {
		t.Fatal(err)
	}
	if _, err := s.writer.Exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
	addGames(t, s, gamesBackedUp, gamesInAll)
	if killed {
		write(t, file+"-wal", read(t, live+"-wal"))
		write(t, file+"-shm", read(t, live+"-shm"))
	} else if _, err := s.writer.Exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
	write(t, file, read(t, live))
	return backup, file
}

// damages are what happens to a file. None means that it is as it was.
var damages = []struct {
	name  string
	spoil func(b []byte) []byte
}{
	{"none", func(b []byte) []byte { return b }},
	{"header", func(b []byte) []byte { return append(make([]byte, 100), b[100:]...) }},
	{"first page", func(b []byte) []byte { return noise(b, 100, 4096) }},
	{"pages in the middle", func(b []byte) []byte { return noise(b, 4*4096, len(b)-4*4096) }},
	{"cut in half", func(b []byte) []byte { return b[:len(b)/2] }},
	{"empty", func([]byte) []byte { return nil }},
	{"random bytes", func(b []byte) []byte { return noise(b, 0, len(b)) }},
}

// noise replaces some bytes.
func noise(b []byte, from, to int) []byte {
	rng := rand.New(rand.NewPCG(1, 0))
	for i := from; i < to; i++ {
		b[i] = byte(rng.Uint32())
	}
	return b
}

// checkRestored wants the games of the backup in a sound file.
func checkRestored(t *testing.T, file string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var answer string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&answer); err != nil || answer != "ok" {
		t.Fatalf("integrity_check: %q, %v", answer, err)
	}
	if n := gamesOf(t, file); n != gamesBackedUp {
		t.Errorf("%d games are there, want %d", n, gamesBackedUp)
	}
}

// kept returns the files to which a restore has moved the previous database, by their suffixes.
func kept(t *testing.T, file string) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob(file + ".before-restore-*")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	for _, name := range names {
		suffix := name[len(file+".before-restore-20060102T150405.000"):]
		if all[suffix] != nil {
			t.Errorf("two files %s were kept", suffix)
		}
		all[suffix] = read(t, name)
	}
	return all
}

// copyOf copies a database with its log to a directory of its own.
func copyOf(t *testing.T, file string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "krow.db")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if b, err := os.ReadFile(file + suffix); err == nil {
			write(t, to+suffix, b)
		}
	}
	return to
}

// TestRestoreDamaged restores a backup over a database in every state, and keeps what was there.
func TestRestoreDamaged(t *testing.T) {
	for _, killed := range []bool{false, true} {
		backup, original := backedUp(t, killed)
		for _, d := range damages {
			t.Run(fmt.Sprintf("%s/log=%t", d.name, killed), func(t *testing.T) {
				file := copyOf(t, original)
				write(t, file, d.spoil(read(t, file)))
				was, log := read(t, file), []byte(nil)
				if killed {
					log = read(t, file+"-wal")
				}
				r, err := Restore(backup, file)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := os.Stat(r.Previous); err != nil || r.Games != gamesBackedUp {
					t.Errorf("%+v, %v", r, err)
				}
				checkRestored(t, file)
				old := kept(t, file)
				if d.name == "none" {
					if n := gamesOf(t, r.Previous); n != gamesInAll || len(old) != 1 {
						t.Errorf("%d games were kept in %d files, want %d in one", n, len(old), gamesInAll)
					}
					return
				}
				if !bytes.Equal(old[""], was) || !bytes.Equal(old["-wal"], log) {
					t.Errorf("kept: %d and %d bytes, want the %d and %d that were there", len(old[""]), len(old["-wal"]), len(was), len(log))
				}
			})
		}
	}
}

// TestRestoreLeftLog: a log whose database was moved away does not get into the restored database, and is kept.
func TestRestoreLeftLog(t *testing.T) {
	backup, file := backedUp(t, true)
	if err := os.Rename(file, file+".broken"); err != nil {
		t.Fatal(err)
	}
	log := read(t, file+"-wal")
	r, err := Restore(backup, file)
	if err != nil || !strings.HasSuffix(r.Previous, "-wal") {
		t.Fatalf("%+v, %v", r, err)
	}
	checkRestored(t, file)
	if old := kept(t, file); !bytes.Equal(old["-wal"], log) {
		t.Errorf("%d bytes of the log are kept, want %d", len(old["-wal"]), len(log))
	}
}

// TestOpenLeftLog refuses to begin a new database next to the log of another one, which SQLite would delete.
func TestOpenLeftLog(t *testing.T) {
	for _, empty := range []bool{false, true} {
		_, file := backedUp(t, true)
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		if empty {
			write(t, file, nil)
		}
		log := read(t, file+"-wal")
		s, err := Open(file)
		if err == nil {
			s.Close()
		}
		if !errors.Is(err, errDamaged) {
			t.Errorf("empty=%t: %v, want %v", empty, err, errDamaged)
		}
		if now, err := os.ReadFile(file + "-wal"); err != nil || !bytes.Equal(now, log) {
			t.Errorf("empty=%t: the log has changed, %v", empty, err)
		}
	}
}

// TestRestoreKilled kills a restore after each of its steps. The previous database is there then, or the restored one, and the
// next restore does it all.
func TestRestoreKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	for _, d := range damages[:2] { // one that is sound, and one that is not
		backup, original := backedUp(t, true)
		for step := 0; ; step++ {
			file := copyOf(t, original)
			was := d.spoil(read(t, file))
			write(t, file, was)
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), childFile+"="+file, childBackup+"="+backup, childRun+"="+strconv.Itoa(step))
			if out, err := cmd.CombinedOutput(); err == nil {
				if step < 5 {
					t.Fatalf("only %d steps: the test shows nothing", step)
				}
				checkRestored(t, file)
				break
			} else if cmd.ProcessState.Exited() {
				t.Fatalf("%s, step %d: %v: %s", d.name, step, err, out)
			}
			now, err := os.ReadFile(file)
			switch {
			case err != nil:
				t.Fatalf("%s, step %d: %v", d.name, step, err)
			case d.name != "none" && bytes.Equal(now, was): // Open may refuse it
			default:
				if n := gamesOf(t, file); n != gamesBackedUp && n != gamesInAll {
					t.Errorf("%s, step %d: %d games", d.name, step, n)
				}
			}
			if _, err := Restore(backup, file); err != nil {
				t.Fatalf("%s, step %d: %v", d.name, step, err)
			}
			checkRestored(t, file)
		}
	}
}

// TestRestoreBusy refuses a database that another process has open, also if it is damaged or was moved away.
func TestRestoreBusy(t *testing.T) {
	backup, original := backedUp(t, false)
	for _, d := range append(damages, struct {
		name  string
		spoil func([]byte) []byte
	}{"moved away", nil}) {
		file := copyOf(t, original)
		cmd := child(t, file, "killed")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil { // it has stored a step
			t.Fatal(err)
		}
		if d.spoil == nil {
			err = os.Rename(file, file+".away")
		} else {
			err = os.WriteFile(file, d.spoil(read(t, file)), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Restore(backup, file); !errors.Is(err, errBusy) {
			t.Errorf("%s: %v, want %v", d.name, err, errBusy)
		}
		if old := kept(t, file); len(old) != 0 {
			t.Errorf("%s: %d files were moved", d.name, len(old))
		}
		if _, err := os.Stat(file + ".restored"); err == nil {
			t.Errorf("%s: the copy of the backup was left", d.name)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed
	}
}

// TestRestoreOpenedMeanwhile: a server that begins during a restore does not use the database that was moved away.
func TestRestoreOpenedMeanwhile(t *testing.T) {
	backup, file := backedUp(t, false)
	b := read(t, file)
	write(t, file, noise(b, len(b)-2*4096, len(b))) // damaged, so that it is moved as it is, but Open does not see it
	var cmd *exec.Cmd
	r, err := restore(backup, file, func() {
		if names, _ := filepath.Glob(file + ".before-restore-*"); len(names) == 0 || cmd != nil {
			return
		}
		cmd = child(t, file, "meanwhile")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(200 * time.Millisecond) // it waits for the lock now; if not, the test shows less
	})
	if err != nil {
		t.Fatal(err)
	}
	opened := cmd.Wait() == nil
	if n := checkRun(t, r.Previous, "meanwhile"); n != 0 {
		t.Errorf("the previous database has %d more steps", n)
	}
	checkRestored(t, file)
	if n := checkRun(t, file, "meanwhile"); opened != (n > 0) {
		t.Errorf("opened=%t, but %d steps were stored", opened, n)
	}
}

// TestRestoreRefusesNewer: the tables of a backup are ones that this program knows.
func TestRestoreRefusesNewer(t *testing.T) {
	backup, file := backedUp(t, false)
	execute(t, backup, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)")
	if _, err := Restore(backup, file); !errors.Is(err, errNewer) {
		t.Errorf("%v, want %v", err, errNewer)
	}
	if n := gamesOf(t, file); n != gamesInAll || len(kept(t, file)) != 0 {
		t.Errorf("%d games are there, and files were moved: %d", n, len(kept(t, file)))
	}
}

// TestRestoreFromReadOnly: a backup may be a file that cannot be written, and have any name.
func TestRestoreFromReadOnly(t *testing.T) {
	backup, file := backedUp(t, false)
	odd := filepath.Join(t.TempDir(), "a ?b#c%20.db")
	if err := os.Rename(backup, odd); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(odd, 0o400); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(odd, file); err != nil {
		t.Fatal(err)
	}
	checkRestored(t, file)
}
