// SPDX-License-Identifier: Apache-2.0

//go:build unix

// Cluster measures the queue of many machines, and tries to break it. docs/RUNBOOK.md says how it is run.
//
//	go run ./tools/cluster speed            units a second through an embedded server, in memory and on disk
//	go run ./tools/cluster workers 1000     how busy so many workers are with units of a second, or of -takes
//	go run ./tools/cluster kill KROW        a match by that program, its processes killed all the time
//	go run ./tools/cluster slow KROW        a match by that program, over workers that each have an eighth of a core
//	go run ./tools/cluster three            three servers, one killed in turn every ten seconds
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/krow-lab/krow/internal/cluster"
	"github.com/krow-lab/krow/internal/cpu"
	"github.com/krow-lab/krow/work"
)

var (
	units = flag.Int("units", 10000, "units of work")
	kills = flag.Int("kills", 200, "processes to kill")
	takes = flag.Duration("takes", time.Second, "how long a unit sleeps, with workers")
)

func main() {
	flag.Parse()
	var err error
	switch flag.Arg(0) {
	case "speed":
		err = speed()
	case "workers":
		err = workers()
	case "kill":
		err = kill(flag.Arg(1))
	case "slow":
		err = slow(flag.Arg(1))
	case "three":
		err = three()
	case "server":
		err = one(flag.Arg(1), flag.Arg(2), flag.Arg(3))
	default:
		err = errors.New("speed, workers, kill, slow or three?")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

func counted(n int) iter.Seq2[work.Unit, error] {
	return func(yield func(work.Unit, error) bool) {
		for i := range n {
			if !yield(work.New("nothing", i, 1)) {
				return
			}
		}
	}
}

func nothing(_ context.Context, u work.Unit) ([]byte, error) { return u.Args, nil }

func ignore(int, []byte) error { return nil }

func speed() error {
	ctx, kinds := context.Background(), work.Kinds{"nothing": nothing}
	start := time.Now()
	if err := (work.Pool{Jobs: 2, Kinds: kinds}).Run(ctx, counted(*units), ignore); err != nil {
		return err
	}
	fmt.Printf("in this process: %.1f µs a unit\n", time.Since(start).Seconds()*1e6/float64(*units))
	dir, err := os.MkdirTemp("", "krow-speed-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, place := range []struct{ name, dir string }{{"in memory", ""}, {"on disk, SyncAlways", dir}} {
		rate, err := through(ctx, place.dir, *units, 1, 16, kinds)
		if err != nil {
			return err
		}
		fmt.Printf("embedded server, %s: %.0f units a second\n", place.name, rate)
	}
	return nil
}

// workers has many workers sleep.
func workers() error {
	n, err := strconv.Atoi(flag.Arg(1))
	if err != nil {
		return err
	}
	var asleep, slept atomic.Int64
	sleeping := work.Kinds{"nothing": func(ctx context.Context, u work.Unit) ([]byte, error) {
		asleep.Add(1)
		time.Sleep(*takes)
		asleep.Add(-1)
		slept.Add(1)
		return u.Args, nil
	}}
	over, busy := make(chan struct{}), make(chan float64)
	go func() {
		sum, looks := 0.0, 0
		for tick := time.Tick(20 * time.Millisecond); ; looks++ {
			select {
			case <-tick:
			case <-over:
				busy <- sum / float64(max(looks, 1))
				return
			}
			if done := slept.Load(); done < int64(n) || done > int64(*units) { // a check of each worker comes on top
				looks-- // the first units, and the last
				continue
			}
			sum += float64(asleep.Load()) / float64(n)
		}
	}()
	rate, err := through(context.Background(), "", *units, n, 1, sleeping)
	close(over)
	if share := <-busy; err == nil {
		fmt.Printf("%d workers, units of %v: %.0f units a second, busy %.1f %% between the first units and the last; %v of a processor a unit, %d MB\n",
			n, *takes, rate, 100*share, (cpu.Time() / time.Duration(*units)).Round(time.Microsecond), resident())
	}
	return err
}

// resident returns the memory of this process, of workers and server together, in MB.
func resident() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys >> 20
}

// through returns how many units a second go through an embedded server to workers in this process, each with a
// connection of its own. The time begins when all have come.
func through(ctx context.Context, dir string, units, n, cores int, kinds work.Kinds) (float64, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s, err := cluster.Serve(cluster.ServerOptions{Addr: "127.0.0.1:0", Dir: dir})
	if err != nil {
		return 0, err
	}
	defer s.Close()
	nc, err := s.Connect()
	if err != nil {
		return 0, err
	}
	defer nc.Close()
	o, err := cluster.NewOrganiser(ctx, nc, cluster.OrganiserOptions{Build: "b", Kinds: kinds, Memory: dir == "", Log: func(text string) { fmt.Fprintln(os.Stderr, text) }})
	if err != nil {
		return 0, err
	}
	var all sync.WaitGroup
	for i := range n {
		conn, err := cluster.Access{URL: s.URL()}.Connect()
		for tries := 0; err != nil && tries < 20; tries++ { // the server may be busy with those before
			conn, err = cluster.Access{URL: s.URL()}.Connect()
		}
		if err != nil {
			return 0, err
		}
		defer conn.Close()
		w := &cluster.Worker{Name: "w" + strconv.Itoa(i), Build: "b", Cores: cores, Kinds: kinds}
		all.Go(func() { w.Run(ctx, conn) })
	}
	for len(o.View(ctx).Workers) < n {
		time.Sleep(100 * time.Millisecond)
	}
	start := time.Now()
	err = o.Queue(cluster.Run{Name: "speed"}).Run(ctx, counted(units), ignore)
	took := time.Since(start)
	cancel()
	all.Wait()
	return float64(units) / took.Seconds(), err
}

// kill plays a match alone and on eight workers. It kills workers and the organiser, with its server, by SIGKILL, and wants
// the same file.
func kill(krow string) error {
	dir, err := os.MkdirTemp("", "krow-kill-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	addr := l.Addr().String()
	l.Close()
	match := []string{"match", "tictactoe", "mcts:sims=200", "mcts:sims=100", "--games", strconv.Itoa(*units), "--out"}
	alone, away := filepath.Join(dir, "alone"), filepath.Join(dir, "away")
	if out, err := exec.Command(krow, append(match, alone)...).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	var over atomic.Bool
	var all sync.WaitGroup
	var mu sync.Mutex
	running := map[*exec.Cmd]string{}
	keep := func(what string, until func(error) bool, args ...string) {
		for !over.Load() {
			c := exec.Command(krow, args...)
			var trouble bytes.Buffer
			c.Stderr = &trouble
			mu.Lock()
			if over.Load() { // whoever ends all that runs has been here already
				mu.Unlock()
				return
			}
			err := c.Start()
			if err != nil {
				mu.Unlock()
				fmt.Println(what, err)
				return
			}
			running[c] = what
			mu.Unlock()
			err = c.Wait()
			mu.Lock()
			delete(running, c)
			mu.Unlock()
			if until(err) {
				return
			}
			if c.ProcessState.Exited() && !over.Load() {
				fmt.Printf("%s: %v: %s", what, err, trouble.String())
			}
		}
	}
	for i := range 8 {
		all.Go(func() {
			keep("worker", func(error) bool { return false }, "work", "--join", "nats://"+addr, "--cores", "1", "--name", "w"+strconv.Itoa(i))
		})
	}
	start := time.Now()
	all.Go(func() {
		keep("organiser", func(err error) bool { return err == nil }, append(append(match, away), "--cluster", addr)...)
		over.Store(true)
		mu.Lock()
		defer mu.Unlock()
		for c := range running {
			c.Process.Kill()
		}
	})
	killed := map[string]int{}
	for n := 0; n < *kills && !over.Load(); n++ {
		time.Sleep(time.Duration(200+rand.IntN(800)) * time.Millisecond)
		mu.Lock()
		for c, what := range running { // any of them: maps are walked in random order
			if n%20 == 0 && what != "organiser" {
				continue
			}
			c.Process.Kill()
			killed[what]++
			break
		}
		mu.Unlock()
	}
	all.Wait()
	a, err := os.ReadFile(alone)
	if err != nil {
		return err
	}
	b, err := os.ReadFile(away)
	if err != nil {
		return err
	}
	fmt.Printf("%d games, killed %v, %v; the file is the same: %t\n", *units, killed, time.Since(start).Round(time.Second), bytes.Equal(a, b))
	if !bytes.Equal(a, b) {
		return errors.New("the files differ")
	}
	return nil
}
