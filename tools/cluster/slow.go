// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// Each slow worker runs for an eighth of a period, and is stopped for the rest.
const (
	slowWorkers = 8
	period      = 200 * time.Millisecond
)

// slow plays a match alone and over eight workers, each limited to an eighth of a core, and compares the files of games.
func slow(krow string) error {
	dir, err := os.MkdirTemp("", "krow-slow-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ports, err := freePorts(1)
	if err != nil {
		return err
	}
	addr := net.JoinHostPort("127.0.0.1", ports[0])
	alone, away := filepath.Join(dir, "alone"), filepath.Join(dir, "away")
	match := []string{"match", "mnk:5,4,4", "alphabeta:nodes=10000", "alphabeta:nodes=10000,eval=lines", "--games", strconv.Itoa(*units), "--random-plies", "3"}
	start := time.Now()
	if out, err := exec.Command(krow, append(match, "--out", alone, "--jobs", "2")...).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	first := time.Since(start)
	var workers []*exec.Cmd
	over := make(chan struct{})
	var all sync.WaitGroup
	for i := range slowWorkers {
		w := exec.Command(krow, "work", "--join", "nats://"+addr, "--cores", "1", "--name", "slow"+strconv.Itoa(i))
		if err := w.Start(); err != nil {
			return err
		}
		workers = append(workers, w)
		all.Go(func() { limit(w.Process, time.Duration(i)*period/slowWorkers, over) })
	}
	start = time.Now()
	out, err := exec.Command(krow, append(match, "--out", away, "--cluster", addr)...).CombinedOutput()
	took := time.Since(start)
	close(over)
	all.Wait()
	used := make([]float64, slowWorkers)
	for i, w := range workers {
		w.Process.Kill()
		w.Wait()
		used[i] = (w.ProcessState.UserTime() + w.ProcessState.SystemTime()).Seconds() / took.Seconds()
	}
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	a, err := os.ReadFile(alone)
	if err != nil {
		return err
	}
	b, err := os.ReadFile(away)
	if err != nil {
		return err
	}
	same := bytes.Equal(a, b)
	fmt.Printf("%d games, alone %v, over %d workers with these parts of a core %.3f %v; the file is the same: %t\n",
		*units, first.Round(time.Second), slowWorkers, used, took.Round(time.Second), same)
	if !same {
		return errors.New("the files differ")
	}
	return nil
}

// limit stops a process but for an eighth of each period, from an offset on.
func limit(p *os.Process, offset time.Duration, over <-chan struct{}) {
	time.Sleep(offset)
	for {
		p.Signal(syscall.SIGCONT)
		time.Sleep(period / slowWorkers)
		p.Signal(syscall.SIGSTOP)
		select {
		case <-time.After(period - period/slowWorkers):
		case <-over:
			return
		}
	}
}
