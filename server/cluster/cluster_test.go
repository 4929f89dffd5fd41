// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/krow-lab/krow/arena/work"
)

// hashes are n units of kind "hash".
func hashes(n int) iter.Seq2[work.Unit, error] {
	return func(yield func(work.Unit, error) bool) {
		for i := range n {
			if !yield(work.New("hash", i, 1)) {
				return
			}
		}
	}
}

func hash(_ context.Context, u work.Unit) ([]byte, error) {
	sum := sha256.Sum256(u.Args)
	return []byte(hex.EncodeToString(sum[:])), nil
}

var honest = work.Kinds{"hash": hash}

// gather runs a queue and returns its results.
func gather(ctx context.Context, q work.Queue, units iter.Seq2[work.Unit, error]) (string, error) {
	var all strings.Builder
	err := q.Run(ctx, units, func(i int, r []byte) error {
		fmt.Fprintln(&all, i, string(r))
		return nil
	})
	return all.String(), err
}

// each is gather for n units by a queue that may take results back.
func each(ctx context.Context, q work.Queue, n int) (string, error) {
	all := make([]string, n)
	_, err := work.Each(ctx, q, n, func(i int) (work.Unit, error) { return work.New("hash", i, 1) }, func(i int, r []byte) error {
		all[i] = fmt.Sprintln(i, string(r))
		return nil
	})
	return strings.Join(all, ""), err
}

// alone returns the results of n units in this process.
func alone(t *testing.T, n int) string {
	t.Helper()
	all, err := gather(t.Context(), work.Pool{Kinds: honest}, hashes(n))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func serve(t *testing.T, o ServerOptions) *Server {
	t.Helper()
	if o.Addr == "" {
		o.Addr = "127.0.0.1:0"
	}
	s, err := Serve(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func organiser(t *testing.T, s *Server, checks float64) *Organiser {
	return organiserOf(t, s, checks, 8*time.Second)
}

func organiserOf(t *testing.T, s *Server, checks float64, patience time.Duration) *Organiser {
	t.Helper()
	nc, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	o, err := NewOrganiser(t.Context(), nc, OrganiserOptions{Build: "b", Kinds: honest, Patience: patience, Checks: checks, Log: func(text string) { t.Log(text) }})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// dial connects to a server, also on a machine that stands still for a while.
func dial(t *testing.T, url string) *nats.Conn {
	t.Helper()
	nc, err := nats.Connect(url, append(connectOptions(), nats.Timeout(time.Minute))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// join has a worker do units until the returned function is called, which cuts its line.
func join(t *testing.T, s *Server, name string, cores int, kinds work.Kinds) (kill func()) {
	t.Helper()
	nc := dial(t, s.URL())
	ctx, cancel := context.WithCancel(t.Context())
	w := &Worker{Name: name, Build: "b", Cores: cores, Kinds: kinds}
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx, nc) }()
	kill = func() {
		nc.Close()
		cancel()
	}
	t.Cleanup(func() {
		kill()
		if err := <-done; !errors.Is(err, context.Canceled) && !errors.Is(err, errBanned) {
			t.Errorf("worker %s: %v", name, err)
		}
	})
	return kill
}

// TestResultsAreTheSameOnMachines: the same units have the same results alone and with any number of workers, on one server.
func TestResultsAreTheSameOnMachines(t *testing.T) {
	const n = 300
	want := alone(t, n)
	s := serve(t, ServerOptions{})
	for i, workers := range []int{1, 4, 16} {
		for w := range workers {
			join(t, s, fmt.Sprintf("w-%d-%d", i, w), 1, honest)
		}
		o := organiser(t, s, 0.05)
		got, err := gather(t.Context(), o.Queue(Run{Name: fmt.Sprint("run-", i)}), hashes(n))
		if err != nil || got != want {
			t.Errorf("%d workers: %v, results as alone: %t", workers, err, got == want)
		}
	}
}

// TestUnitsDependOnResults: a unit may depend on the results before it, here and on other machines, also when those are there already.
func TestUnitsDependOnResults(t *testing.T) {
	s := serve(t, ServerOptions{})
	join(t, s, "w", 2, honest)
	o := organiser(t, s, -1)
	stop := errors.New("stop")
	for _, tc := range []struct {
		name string
		q    work.Queue
		stop int
	}{{"here", work.Pool{Jobs: 2, Kinds: honest}, 0}, {"there", o.Queue(Run{Name: "run"}), 20}, {"there again", o.Queue(Run{Name: "run"}), 0}} {
		var mu sync.Mutex
		done := 0
		units := func(yield func(work.Unit, error) bool) {
			for i := 0; i < 40; {
				mu.Lock()
				u, err := work.Unit{}, error(work.ErrLater)
				if i <= done {
					u, err = work.New("hash", i, 1)
					i++
				}
				mu.Unlock()
				if !yield(u, err) {
					return
				}
			}
		}
		err := tc.q.Run(t.Context(), units, func(i int, _ []byte) error {
			mu.Lock()
			defer mu.Unlock()
			if done++; i+1 == tc.stop {
				return stop
			}
			return nil
		})
		if tc.stop > 0 && err == stop && done == tc.stop || err == nil && done == 40 {
			continue
		}
		t.Errorf("%s: %d units, %v", tc.name, done, err)
	}
}

// TestUnitOfKilledWorkerComesAgain: a unit of a worker whose line is cut comes again, and is counted once.
func TestUnitOfKilledWorkerComesAgain(t *testing.T) {
	s := serve(t, ServerOptions{})
	taken := make(chan struct{}, 1)
	stuck := work.Kinds{"hash": func(ctx context.Context, u work.Unit) ([]byte, error) {
		taken <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	kill := join(t, s, "stuck", 1, stuck)
	go func() {
		<-taken
		kill()
		join(t, s, "other", 1, honest)
	}()
	got, err := gather(t.Context(), organiserOf(t, s, -1, 2*time.Second).Queue(Run{Name: "run"}), hashes(20))
	if want := alone(t, 20); err != nil || got != want {
		t.Errorf("%v, got\n%s", err, got)
	}
}

// TestClockedUnitsAreNotCompared: the results of units with a clock are of one machine, and are not compared with those of another.
func TestClockedUnitsAreNotCompared(t *testing.T) {
	s := serve(t, ServerOptions{})
	for _, name := range []string{"w1", "w2"} {
		join(t, s, name, 1, work.Kinds{"hash": func(context.Context, work.Unit) ([]byte, error) { return []byte(name), nil }})
	}
	clocked := func(yield func(work.Unit, error) bool) {
		u, err := work.New("hash", 1, 1)
		u.Clock = true
		yield(u, err)
	}
	o := organiser(t, s, 1)
	got, err := gather(t.Context(), o.Queue(Run{Name: "run"}), clocked)
	if err != nil || got != "0 w1\n" && got != "0 w2\n" {
		t.Errorf("%v, got\n%s", err, got)
	}
	if o.isBanned("w1") || o.isBanned("w2") {
		t.Errorf("excluded: %v", o.banned)
	}
}

// TestUnitThatFailsEndsRun: it does so with its reason, after maxTries tries, and what is before it is delivered.
func TestUnitThatFailsEndsRun(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	s := serve(t, ServerOptions{})
	var tries atomic.Int32
	failing := work.Kinds{"hash": func(ctx context.Context, u work.Unit) ([]byte, error) {
		if string(u.Args) == "3" {
			tries.Add(1)
			panic("three")
		}
		return hash(ctx, u)
	}}
	join(t, s, "w", 1, failing)
	o := organiser(t, s, -1)
	got, err := gather(t.Context(), o.Queue(Run{Name: "run"}), hashes(9))
	var dead *work.DeadError
	if !errors.As(err, &dead) || dead.Index != 3 || dead.Reason != "panic: three" || got != alone(t, 3) {
		t.Errorf("%v, got\n%s", err, got)
	}
	if n := tries.Load(); n < maxTries { // a busy machine may lose an acknowledgement, which is another try
		t.Errorf("%d tries, want %d", n, maxTries)
	}
}

// TestLiarIsFoundBySampling: a worker that is wrong in some units is caught, all its results are withdrawn, and the rest goes on.
func TestLiarIsFoundBySampling(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	const n = 100
	s := serve(t, ServerOptions{})
	lied := make(chan struct{})
	lie := sync.OnceFunc(func() { close(lied) })
	lying := work.Kinds{"hash": func(ctx context.Context, u work.Unit) ([]byte, error) {
		r, err := hash(ctx, u)
		if len(u.Args) > 1 { // from 10 on
			r[0] = '-'
			defer lie()
		}
		return r, err
	}}
	waiting := work.Kinds{"hash": func(ctx context.Context, u work.Unit) ([]byte, error) {
		select { // so that the liar gets units
		case <-lied:
		case <-ctx.Done():
		}
		return hash(ctx, u)
	}}
	join(t, s, "liar", 1, lying)
	join(t, s, "honest-1", 1, waiting)
	join(t, s, "honest-2", 1, waiting)
	o := organiser(t, s, 1)
	waitForWorkers(t, o, 3)
	if got, err := each(t.Context(), o.Queue(Run{Name: "run"}), n); err != nil || got != alone(t, n) {
		t.Errorf("%v, got\n%s", err, got)
	}
	if !o.isBanned("liar") || o.isBanned("honest-1") || o.isBanned("honest-2") {
		t.Errorf("excluded: %v", o.banned)
	}
}

// waitForWorkers waits until an organiser has heard of so many workers.
func waitForWorkers(t *testing.T, o *Organiser, n int) {
	t.Helper()
	said, err := o.nc.SubscribeSync("krow.worker.*")
	if err != nil {
		t.Fatal(err)
	}
	defer said.Unsubscribe()
	for team, _ := o.team(); len(team) < n; team, _ = o.team() {
		if _, err := said.NextMsg(time.Minute); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOrganiserBeginsAgain: an organiser that was killed, as its connection and its units' results are gone, has a successor of the
// same run. It hands out what is asked of it, and nothing that was asked of the first.
func TestOrganiserBeginsAgain(t *testing.T) {
	const n, kept = 60, 20
	s := serve(t, ServerOptions{})
	ctx, kill := context.WithCancel(t.Context())
	first := organiser(t, s, -1)
	var mu sync.Mutex
	again := map[string]bool{}
	join(t, s, "w", 2, work.Kinds{"hash": func(ctx context.Context, u work.Unit) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		again[string(u.Args)] = true
		return hash(ctx, u)
	}})
	err := first.Queue(Run{Name: "run"}).Run(ctx, hashes(n), func(i int, _ []byte) error {
		if i+1 == kept {
			first.nc.Close()
			kill()
		}
		return nil
	})
	if err == nil {
		t.Fatal("the first organiser was not killed")
	}
	mu.Lock()
	clear(again)
	mu.Unlock()
	got, err := gather(t.Context(), organiser(t, s, -1).Queue(Run{Name: "run"}), func(yield func(work.Unit, error) bool) {
		for i := kept; i < n && yield(work.New("hash", i, 1)); i++ {
		}
	})
	want, _ := gather(t.Context(), work.Pool{Kinds: honest}, func(yield func(work.Unit, error) bool) {
		for i := kept; i < n && yield(work.New("hash", i, 1)); i++ {
		}
	})
	if err != nil || got != want {
		t.Errorf("%v, got\n%s", err, got)
	}
	mu.Lock()
	defer mu.Unlock()
	if again["0"] || !again[fmt.Sprint(n-1)] {
		t.Errorf("done again: %v", again)
	}
}

// TestServerBeginsAgain: a server that was killed has lost all units. Those without a result are handed out again.
func TestServerBeginsAgain(t *testing.T) {
	const n = 60
	s, err := Serve(ServerOptions{Addr: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	addr := strings.TrimPrefix(s.URL(), "nats://")
	o, err := NewOrganiser(t.Context(), dial(t, s.URL()), OrganiserOptions{Build: "b", Kinds: honest, Patience: 8 * time.Second, Checks: -1})
	if err != nil {
		t.Fatal(err)
	}
	join(t, s, "w", 2, honest)
	var all strings.Builder
	err = o.Queue(Run{Name: "run"}).Run(t.Context(), hashes(n), func(i int, r []byte) error {
		if i == n/2 {
			s.Close()
			serve(t, ServerOptions{Addr: addr})
		}
		fmt.Fprintln(&all, i, string(r))
		return nil
	})
	if err != nil || all.String() != alone(t, n) {
		t.Errorf("%v, got\n%s", err, all.String())
	}
}

// TestStreamsAreMadeAgain: when somebody deletes the stream, the units without a result are handed out again.
func TestStreamsAreMadeAgain(t *testing.T) {
	const n = 60
	s := serve(t, ServerOptions{})
	o := organiser(t, s, -1)
	join(t, s, "w", 2, honest)
	var all strings.Builder
	err := o.Queue(Run{Name: "run"}).Run(t.Context(), hashes(n), func(i int, r []byte) error {
		if i == n/2 {
			if err := o.js.DeleteStream(t.Context(), workStream); err != nil {
				return err
			}
		}
		fmt.Fprintln(&all, i, string(r))
		return nil
	})
	if err != nil || all.String() != alone(t, n) {
		t.Errorf("%v, got\n%s", err, all.String())
	}
}

// TestUnitThatKillsWorkersEndsRun: the server gives up a unit whose workers are silent maxTries times, and the run says so.
func TestUnitThatKillsWorkersEndsRun(t *testing.T) {
	s := serve(t, ServerOptions{})
	o := organiserOf(t, s, -1, 200*time.Millisecond)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	js, err := jetstream.New(dial(t, s.URL()))
	if err != nil {
		t.Fatal(err)
	}
	go func() { // takes units, and is never heard of again
		for ctx.Err() == nil {
			if units, err := js.Consumer(ctx, workStream, consumerName("b")); err == nil {
				_, _ = units.Next(jetstream.FetchMaxWait(time.Second))
			}
		}
	}()
	_, err = gather(t.Context(), o.Queue(Run{Name: "run"}), hashes(1))
	if dead := new(work.DeadError); !errors.As(err, &dead) || dead.Reason != "its workers were lost 5 times" {
		t.Error(err)
	}
}

// TestOtherBuildGetsNoUnits: a worker of another build waits, and says so.
func TestOtherBuildGetsNoUnits(t *testing.T) {
	s := serve(t, ServerOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	waits, done := make(chan string, 8), make(chan error)
	other := &Worker{Name: "other", Build: "c", Log: func(text string) { waits <- text }, Kinds: work.Kinds{"hash": func(context.Context, work.Unit) ([]byte, error) {
		t.Error("it got a unit")
		return nil, nil
	}}}
	o := organiser(t, s, -1)
	nc := dial(t, s.URL())
	go func() { done <- other.Run(ctx, nc) }()
	if text := <-waits; text != "waiting for an organiser of the same build" {
		t.Errorf("it says %q", text)
	}
	join(t, s, "w", 1, honest)
	if got, err := gather(t.Context(), o.Queue(Run{Name: "run"}), hashes(20)); err != nil || got != alone(t, 20) {
		t.Errorf("%v, got\n%s", err, got)
	}
	cancel()
	<-done
}

func shortly(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// TestRunsOfGreatestPriorityShareWorkers: each may have as many units without a result.
func TestRunsOfGreatestPriorityShareWorkers(t *testing.T) {
	run := func(name string, priority int) RunState {
		return RunState{Name: name, Build: "b", Priority: priority, HandsOut: true}
	}
	paused, exhausted, finished, foreign := run("p", 2), run("e", 2), run("f", 2), run("o", 2)
	paused.Paused, exhausted.HandsOut, finished.Finished, foreign.Build = true, false, true, "c"
	tests := []struct {
		name     string
		priority int
		others   []RunState
		want     int
	}{
		{"alone", 0, []RunState{run("mine", 0)}, 216},
		{"two", 0, []RunState{run("mine", 0), run("x", 0)}, 108},
		{"less urgent", 0, []RunState{run("x", 1)}, 0},
		{"more urgent", 1, []RunState{run("x", 0)}, 216},
		{"others want nothing", 0, []RunState{paused, exhausted, finished, foreign}, 216},
	}
	for _, tc := range tests {
		if got := window("mine", "b", tc.priority, tc.others, 100); got != tc.want {
			t.Errorf("%s: window = %d, want %d", tc.name, got, tc.want)
		}
	}
}

// TestRunObeysOrders: a run is paused, and then cancelled.
func TestRunObeysOrders(t *testing.T) {
	s := serve(t, ServerOptions{})
	join(t, s, "w", 1, honest)
	o := organiser(t, s, -1)
	yes, given := true, make(chan struct{})
	err := o.Queue(Run{Name: "run", Title: "hashes", Units: 5000}).Run(t.Context(), hashes(5000), func(i int, r []byte) error {
		if i != 5 {
			return nil
		}
		go func() {
			defer close(given)
			give(t, o, Order{Pause: &yes})
			v := o.View()
			for ; len(v.Runs) != 1 || !v.Runs[0].Paused; v = o.View() { // until the run has told it
				time.Sleep(10 * time.Millisecond)
			}
			if len(v.Runs) != 1 || !v.Runs[0].Paused || v.Runs[0].Total != 5000 || v.Runs[0].Title != "hashes" || v.Runs[0].Rate != 0 || v.Runs[0].Left != 0 {
				t.Errorf("%+v", v)
			}
			give(t, o, Order{Cancel: true})
		}()
		return nil
	})
	<-given
	if !errors.Is(err, work.ErrCancelled) {
		t.Error(err)
	}
	if err := Give(o.nc, "run", Order{}); err == nil {
		t.Error("a run that is over took an order")
	}
}

// give gives an order to the run. Where the answer is late it may be over then.
func give(t *testing.T, o *Organiser, order Order) {
	t.Helper()
	err := Give(o.nc, "run", order)
	if errors.Is(err, nats.ErrTimeout) {
		for errors.Is(err, nats.ErrTimeout) {
			err = Give(o.nc, "run", order)
		}
		return
	}
	if err != nil {
		t.Error(err)
	}
}

// TestRunsOfOneNameAreApart: of two runs that are called the same, on one server, each has its own units and results, and neither waits for the
// other.
func TestRunsOfOneNameAreApart(t *testing.T) {
	s := serve(t, ServerOptions{})
	taken, over := make(chan struct{}, 64), make(chan struct{})
	join(t, s, "w", 64, work.Kinds{"hash": func(ctx context.Context, u work.Unit) ([]byte, error) {
		if u.Seed == 1 { // of the first run, whose units are fewer than the cores
			taken <- struct{}{}
			select {
			case <-over:
			case <-ctx.Done():
			}
		}
		return hash(ctx, u)
	}})
	done := make(chan error, 1)
	one, two := organiser(t, s, -1), organiser(t, s, -1)
	go func() {
		got, err := gather(t.Context(), one.Queue(Run{Name: "run"}), hashes(20))
		if err == nil && got != alone(t, 20) {
			err = errors.New(got)
		}
		done <- err
	}()
	<-taken
	units, err := two.nc.SubscribeSync(workSubject("b", "run-2"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := gather(t.Context(), two.Queue(Run{Name: "run"}), func(yield func(work.Unit, error) bool) {
		for u, err := range hashes(30) {
			u.Seed = 2
			if !yield(u, err) {
				return
			}
		}
	})
	close(over)
	if err != nil || got != alone(t, 30) {
		t.Errorf("%v, got\n%s", err, got)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := units.NextMsg(time.Minute); err != nil {
		t.Errorf("the second run is not called run-2: %v", err)
	}
	again := &activeRun{Organiser: two, Run: Run{Name: "run"}}
	if again.chooseName(); again.Name != "run" {
		t.Errorf("when both are over a run is called %s", again.Name)
	}
}

// TestRefusedServerLeavesNothing: a server that cannot start leaves no directory behind.
func TestRefusedServerLeavesNothing(t *testing.T) {
	temp := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, temp)
	}
	organiser, err := newKeys()
	if err != nil {
		t.Fatal(err)
	}
	worker, err := organiser.Worker("w")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []ServerOptions{{Keys: worker}, {Cert: "none", Key: "none"}} {
		o.Addr = "127.0.0.1:0"
		if s, err := Serve(o); err == nil {
			s.Close()
			t.Errorf("%+v was not refused", o)
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestViewIsByName: it has lists for programs too where nobody is there, and forgets those who are silent.
func TestViewIsByName(t *testing.T) {
	now := time.Now()
	for _, tc := range []struct {
		workers map[string]heard[WorkerState]
		want    string
	}{
		{nil, `{"workers":[],"runs":[]}`},
		{map[string]heard[WorkerState]{"b": {WorkerState{Name: "b"}, now}, "a": {WorkerState{Name: "a"}, now}, "c": {WorkerState{Name: "c"}, now.Add(-2 * silence)}}, `a b`},
	} {
		v := (&roster{workers: tc.workers}).view()
		data, err := json.Marshal(v)
		if len(v.Workers) > 0 {
			data = []byte(v.Workers[0].Name + " " + v.Workers[len(v.Workers)-1].Name)
		}
		if err != nil || string(data) != tc.want {
			t.Errorf("%s, %v, want %s", data, err, tc.want)
		}
	}
}

// TestIdleWorkerWaitsForNothing: a worker for which there is no unit does not wait for the server any more.
func TestIdleWorkerWaitsForNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	s := serve(t, ServerOptions{})
	o := organiser(t, s, -1)
	units, err := o.js.Consumer(t.Context(), workStream, consumerName("b"))
	if err != nil {
		t.Fatal(err)
	}
	w := &Worker{Name: "w", Build: "b"}
	for w.waitFor("for the server"); w.State().Waiting != ""; { // on a busy machine it may take the server for dead
		_ = w.doNext(t.Context(), 0, units)
	}
}
