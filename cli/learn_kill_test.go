// SPDX-License-Identifier: Apache-2.0

//go:build unix

package cli_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// learning is a run of some steps that take some milliseconds each.
func learning(out, db string) []string {
	return []string{
		"learn", "genetic:players=10,generations=12,games=20", "ultimate", "--seed", "3",
		"--out", out, "--db", db, "--json", "--force",
	}
}

// learned runs to the end and returns the file of weights.
func learned(t *testing.T, out, db string) []byte {
	t.Helper()
	p := start(t, learning(out, db)...)
	if last, status := p.end(t); status != 0 || !strings.HasPrefix(last, `{"final":true,`) {
		t.Fatalf("exit status %d, %q: %s", status, last, &p.stderr)
	}
	return read(t, out)
}

// killLearning starts a run, kills it some time after so many of its lines, and returns the last step it told of,
// or 0. The run may have been faster.
func killLearning(t *testing.T, out, db string, lines int, wait time.Duration) int {
	t.Helper()
	p := start(t, learning(out, db)...)
	last := 0
	for range lines {
		line, err := p.stdout.ReadString('\n')
		if err != nil {
			break
		}
		last = max(last, stepOf(line))
	}
	time.Sleep(wait)
	p.Process.Signal(syscall.SIGKILL)
	rest, _ := p.end(t)
	return max(last, stepOf(rest))
}

func stepOf(line string) int {
	var s struct{ Step int }
	_ = json.Unmarshal([]byte(line), &s) // the line may be cut off
	return s.Step
}

var goingOn = regexp.MustCompile(`^continuing run 1 after step (\d+) of 12\n`)

// A run that was killed goes on when it is started again, loses no step that it told of, and writes the same
// file as one that was not: it is killed as it begins, between any two steps, and as it ends.
func TestLearnKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	dir := t.TempDir()
	want := learned(t, filepath.Join(dir, "whole.json"), filepath.Join(dir, "whole.db"))
	const seed = 1
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, lines := range []int{0, 1, 2, 6, 11, 12} {
		t.Run(strconv.Itoa(lines)+" lines", func(t *testing.T) {
			sub := t.TempDir()
			out, db := filepath.Join(sub, "out.json"), filepath.Join(sub, "krow.db")
			const old = "the old file\n"
			if err := os.WriteFile(out, []byte(old), 0o600); err != nil {
				t.Fatal(err)
			}
			told := killLearning(t, out, db, lines, time.Duration(rng.IntN(4000))*time.Microsecond)
			if got := read(t, out); string(got) != old && !bytes.Equal(got, want) {
				t.Fatalf("killed, it left %q", got)
			}
			checkGoesOn(t, out, db, told)
			if got := read(t, out); !bytes.Equal(got, want) {
				t.Errorf("the run that was killed after %d lines wrote\n%s\nwant\n%s", lines, got, want)
			}
		})
	}
}

// checkGoesOn runs to the end, and fails unless the run goes on after the step that was told of, or the next.
func checkGoesOn(t *testing.T, out, db string, told int) {
	t.Helper()
	p := start(t, learning(out, db)...)
	if _, status := p.end(t); status != 0 {
		t.Fatalf("exit status %d: %s", status, &p.stderr)
	}
	from := 0
	if m := goingOn.FindSubmatch(p.stderr.Bytes()); m != nil {
		from, _ = strconv.Atoi(string(m[1]))
	} else if bytes.HasPrefix(p.stderr.Bytes(), []byte("run 1 is finished")) {
		from = 12
	}
	if from < told || from > 12 {
		t.Errorf("step %d was told of, and the run goes on after step %d: %s", told, from, &p.stderr)
	}
}

// One run is killed again and again, at random, until it gets to its end.
func TestLearnKilledOften(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	dir := t.TempDir()
	want := learned(t, filepath.Join(dir, "whole.json"), filepath.Join(dir, "whole.db"))
	const seed = 2
	rng := rand.New(rand.NewPCG(seed, 0))
	out, db := filepath.Join(dir, "out.json"), filepath.Join(dir, "krow.db")
	last := 0
	for range 8 {
		told := killLearning(t, out, db, rng.IntN(3), time.Duration(rng.IntN(3000))*time.Microsecond)
		if told != 0 && told <= last {
			t.Fatalf("step %d was made again after step %d", told, last)
		}
		last = max(last, told)
	}
	if last == 0 {
		t.Fatal("no step was made: the test shows nothing")
	}
	if got := learned(t, out, db); !bytes.Equal(got, want) {
		t.Errorf("the run that was killed often wrote\n%s\nwant\n%s", got, want)
	}
}

// Ctrl-C ends a run, gives up the step in progress, and the same command continues.
func TestLearnInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	dir := t.TempDir()
	run := func(name string) (*process, string) {
		out := filepath.Join(dir, name+".json")
		return start(t, "learn", "genetic:players=20,games=100,generations=8", "ultimate", "--out", out,
			"--db", filepath.Join(dir, name+".db"), "--json"), out
	}
	var p *process
	var cut, out string
	for n, status := 0, 0; status == 0; n++ { // until the signal comes before the last step
		cut = "cut" + strconv.Itoa(n)
		p, out = run(cut)
		for range 2 {
			if _, err := p.stdout.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		p.Process.Signal(os.Interrupt)
		_, status = p.end(t)
	}
	m := regexp.MustCompile(`^run 1 is kept in .*\nkrow: interrupted after step (\d) of 8; the same command continues\n$`).FindSubmatch(p.stderr.Bytes())
	if m == nil || p.ProcessState.ExitCode() != 130 {
		t.Fatalf("%v: %s", p.ProcessState, &p.stderr)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("an interrupted run wrote weights")
	}
	again, _ := run(cut)
	if _, status := again.end(t); status != 0 || !strings.HasPrefix(again.stderr.String(), "continuing run 1 after step "+string(m[1])+" of 8\n") {
		t.Errorf("exit status %d: %s", status, &again.stderr)
	}
	whole, other := run("whole")
	if _, status := whole.end(t); status != 0 {
		t.Fatal(&whole.stderr)
	}
	if a, b := read(t, out), read(t, other); !bytes.Equal(a, b) {
		t.Errorf("the run that was interrupted wrote\n%s\nwant\n%s", a, b)
	}
}

// Of two processes that go on with one run, the first to store a step has it, and the other gives way. Those who
// only look disturb nobody.
func TestLearnTwice(t *testing.T) {
	dir := t.TempDir()
	args := func(out string) []string {
		return []string{
			"learn", "genetic:players=20,generations=100000,games=20", "ultimate", "--out", filepath.Join(dir, out),
			"--db", filepath.Join(dir, "krow.db"), "--json",
		}
	}
	a := start(t, args("a.json")...)
	if _, err := a.stdout.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	look := start(t, "learn", "list", "--db", filepath.Join(dir, "krow.db"), "--json")
	if line, status := look.end(t); status != 0 || stepOf(line) < 1 {
		t.Errorf("looking at it: exit status %d, %q: %s", status, line, &look.stderr)
	}
	b := start(t, args("b.json")...)
	ended := make(chan *process)
	for _, p := range []*process{a, b} {
		go func() {
			_, _ = p.stdout.WriteTo(new(bytes.Buffer))
			ended <- p
		}()
	}
	loser, winner := <-ended, a
	if loser == a {
		winner = b
	}
	winner.Process.Signal(os.Interrupt)
	<-ended
	if _, status := loser.end(t); status != 1 || !strings.HasSuffix(loser.stderr.String(), "another process has gone on with this run\n") {
		t.Errorf("the one that lost: exit status %d: %s", status, &loser.stderr)
	}
	if _, status := winner.end(t); status != 130 || !strings.HasSuffix(winner.stderr.String(), "the same command continues\n") {
		t.Errorf("the one that won: exit status %d: %s", status, &winner.stderr)
	}
}

// TestRoundRobinInterrupted: Ctrl-C ends a match of many players.
func TestRoundRobinInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	args := []string{"match", "tictactoe", "--json", "--games", "1000"}
	for seed := range 30 { // 435 000 games: minutes
		args = append(args, "random:"+strconv.Itoa(seed))
	}
	p := start(t, args...)
	if line, err := p.stdout.ReadString('\n'); err != nil || !strings.HasPrefix(line, `{"index":0,"game":"tictactoe","a":"random:0","b":"random:1",`) {
		t.Fatalf("%q, %v", line, err)
	}
	p.Process.Signal(os.Interrupt)
	if _, status := p.end(t); status != 130 || !strings.HasSuffix(p.stderr.String(), "krow: interrupted\n") { // after a line of progress, if it took seconds
		t.Errorf("exit status %d: %s", status, &p.stderr)
	}
}
