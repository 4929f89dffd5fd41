// SPDX-License-Identifier: Apache-2.0

package store

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"go.uber.org/goleak"

	"github.com/krow-lab/krow/learn"
)

// childFile and childRun tell a copy of the test program which store to fill, and with which run. With childBackup it restores that,
// and childRun is the number of the step after which it kills itself.
const (
	childFile   = "KROW_STORE_TEST_FILE"
	childRun    = "KROW_STORE_TEST_RUN"
	childBackup = "KROW_STORE_TEST_BACKUP"
)

func TestMain(m *testing.M) {
	if file := os.Getenv(childFile); file != "" {
		do := fill
		if os.Getenv(childBackup) != "" {
			do = restoreHalf
		}
		if err := do(file, os.Getenv(childRun)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// restoreHalf restores a backup, and kills its process after a step.
func restoreHalf(file, step string) error {
	left, err := strconv.Atoi(step)
	if err != nil {
		return err
	}
	_, err = restore(os.Getenv(childBackup), file, func() {
		if left--; left < 0 {
			p, _ := os.FindProcess(os.Getpid()) // it is there
			_ = p.Kill()
			select {}
		}
	})
	return err
}

// childSteps is more than a child that will be killed has time for.
const childSteps = 20_000

// fill goes on with a run until it is killed or done, and prints each step once it is stored.
func fill(file, key string) error {
	s, err := Open(file)
	if err != nil {
		return err
	}
	defer s.Close()
	steps := childSteps
	if key != "killed" {
		steps = 20
	}
	r, err := s.Run("test", key, json.RawMessage(`{}`), steps)
	if err != nil {
		return err
	}
	for step := r.Step + 1; step <= steps; step++ {
		if err := s.SaveStep(r, stateOf(step), pointOf(step)); err != nil {
			return err
		}
		fmt.Println(step)
	}
	return s.Finish(r)
}

// stateOf is a state of several pages, which is torn if it is not all of one step.
func stateOf(step int) []byte { return bytes.Repeat(fmt.Appendf(nil, "%8d", step), 3000) }

func pointOf(step int) learn.CurvePoint {
	return learn.CurvePoint{Step: step, Games: uint64(10 * step), Values: map[string]float64{"share": 1 / float64(step)}}
}

func child(t *testing.T, file, run string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childFile+"="+file, childRun+"="+run)
	return cmd
}

// checkRun reopens the file, holds the run against its prefix, and returns how many steps it has.
func checkRun(t *testing.T, file, key string) int {
	t.Helper()
	s, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	runs, err := s.Runs("test")
	if err != nil {
		t.Fatal(err)
	}
	for _, listed := range runs {
		if listed.Key != key {
			continue
		}
		r, err := s.Run("test", key, json.RawMessage(`{}`), listed.Steps)
		if err != nil {
			t.Fatal(err)
		}
		checkPrefix(t, s, r)
		return r.Step
	}
	return 0
}

// checkPrefix fails unless the points of r go from 1 to its step, and its state is that of the step.
func checkPrefix(t *testing.T, s *Store, r *Run) {
	t.Helper()
	points, err := s.Points(r.ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(points) != r.Step {
		t.Fatalf("%d points, but the run is at step %d", len(points), r.Step)
	}
	for i, p := range points {
		if want := pointOf(i + 1); p.Step != want.Step || p.Games != want.Games || p.Values["share"] != want.Values["share"] {
			t.Fatalf("point %d = %v, want %v", i+1, p, want)
		}
	}
	if r.Step > 0 && !bytes.Equal(r.State, stateOf(r.Step)) {
		t.Fatalf("the state is not that of step %d: %.20q", r.Step, r.State)
	}
}

// TestKilledWriterKeepsSteps kills a writing process at random moments. What it had said was stored is there, and at most the
// step after.
func TestKilledWriterKeepsSteps(t *testing.T) {
	const seed = 1
	rng := rand.New(rand.NewPCG(seed, 0))
	file := filepath.Join(t.TempDir(), "krow.db")
	for round := range 12 {
		before := checkRunIfAny(t, file)
		acknowledged := max(before, killAfter(t, file, rng.IntN(60)))
		got := checkRun(t, file, "killed")
		if got < acknowledged || got > acknowledged+1 {
			t.Fatalf("seed=%d round=%d: at step %d, but %d was the last that was said to be stored", seed, round, got, acknowledged)
		}
	}
	if checkRun(t, file, "killed") < 12 {
		t.Error("hardly a step was stored: the test shows nothing")
	}
}

func checkRunIfAny(t *testing.T, file string) int {
	t.Helper()
	if _, err := os.Stat(file); err != nil {
		return 0
	}
	return checkRun(t, file, "killed")
}

// killAfter starts a child, kills it after so many of its steps, and returns the last step it told of.
func killAfter(t *testing.T, file string, lines int) int {
	t.Helper()
	cmd := child(t, file, "killed")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	last := 0
	in := bufio.NewScanner(out)
	for n := 0; ; n++ {
		if n == lines {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
		if !in.Scan() {
			break
		}
		if step, err := strconv.Atoi(in.Text()); err == nil {
			last = step
		}
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() == 1 {
		t.Fatalf("the child was to be killed, but ended: %v", err)
	}
	return last
}

// TestProcessesShareFile has several processes make one file and write to it at the same time.
func TestProcessesShareFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "krow.db")
	var all []*exec.Cmd
	var trouble [4]bytes.Buffer
	for i := range trouble {
		cmd := child(t, file, fmt.Sprint("run ", i))
		cmd.Stderr = &trouble[i]
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	for i, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Errorf("process %d: %v: %s", i, err, &trouble[i])
		}
	}
	for i := range all {
		if got := checkRun(t, file, fmt.Sprint("run ", i)); got != 20 {
			t.Errorf("run %d has %d steps, want 20", i, got)
		}
	}
}
