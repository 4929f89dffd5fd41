// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/krow-lab/krow/arena/work"
)

// proxy is a line to a server that can be cut: nothing goes through, and nobody is told.
type proxy struct {
	net.Listener
	to    string
	rate  int // bytes a second; 0: as many as come
	mu    sync.Mutex
	open  sync.Cond
	cut   bool
	conns []net.Conn
}

func newProxy(t *testing.T, to string, rate int) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{Listener: l, rate: rate, to: strings.TrimPrefix(to, "nats://")}
	p.open.L = &p.mu
	go p.accept()
	t.Cleanup(p.end)
	return p
}

func (p *proxy) end() {
	p.Close()
	p.set(false)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		c.Close()
	}
}

func (p *proxy) accept() {
	for {
		a, err := p.Accept()
		if err != nil {
			return
		}
		b, err := net.Dial("tcp", p.to)
		if err != nil {
			a.Close()
			continue
		}
		p.mu.Lock()
		p.conns = append(p.conns, a, b)
		p.mu.Unlock()
		go p.pass(a, b)
		go p.pass(b, a)
	}
}

func (p *proxy) pass(to, from net.Conn) {
	defer to.Close()
	buf := make([]byte, 1<<16)
	for {
		n, err := from.Read(buf)
		p.mu.Lock()
		for p.cut {
			p.open.Wait()
		}
		p.mu.Unlock()
		if p.rate > 0 {
			time.Sleep(time.Duration(n) * time.Second / time.Duration(p.rate))
		}
		if _, e := to.Write(buf[:n]); err != nil || e != nil {
			return
		}
	}
}

func (p *proxy) set(cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = cut
	p.open.Broadcast()
}

// TestPartition: the units of a worker that is cut off go to another. When the line is whole again it goes on working.
func TestPartition(t *testing.T) {
	const n = 30
	s := serve(t, ServerOptions{})
	line := newProxy(t, s.URL(), 0)
	nc := dial(t, "nats://"+line.Addr().String())
	began := make(chan struct{})
	begin := sync.OnceFunc(func() {
		line.set(true)
		close(began)
	})
	var late atomic.Bool
	works(t, nc, "far", work.Kinds{"hash": func(ctx context.Context, u work.Unit) ([]byte, error) {
		begin()
		late.Store(true)
		return hash(ctx, u)
	}})
	works(t, dial(t, s.URL()), "near", work.Kinds{"hash": func(ctx context.Context, u work.Unit) ([]byte, error) {
		select {
		case <-began: // so that the far one has a unit
		case <-ctx.Done():
		}
		return hash(ctx, u)
	}})
	o := organiserOf(t, s, -1, 2*time.Second)
	got, err := gather(t.Context(), o.Queue(Run{Name: "cut"}), hashes(n))
	if want := alone(t, n); err != nil || got != want {
		t.Errorf("%v, got\n%s", err, got)
	}
	line.set(false)
	late.Store(false)
	for i := 0; !late.Load() && t.Context().Err() == nil; i++ {
		if _, err := gather(t.Context(), o.Queue(Run{Name: fmt.Sprint("whole-", i)}), hashes(n)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// TestSlowLine: a file comes by a line that needs longer for it than the server may take to answer.
func TestSlowLine(t *testing.T) {
	s := serve(t, ServerOptions{})
	const rate = 200_000
	line := newProxy(t, s.URL(), rate)
	own, there := NewFiles(), NewFiles()
	defer own.Close()
	defer there.Close()
	name, err := own.Add("my.net", make([]byte, int(1.2*rate*requestTime.Seconds())))
	if err != nil {
		t.Fatal(err)
	}
	nc, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	o, err := NewOrganiser(t.Context(), nc, OrganiserOptions{Build: "b", Kinds: honest, Memory: true, Files: own, Checks: -1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	w, done := &Worker{Name: "w", Build: "b", Kinds: honest, Files: there}, make(chan error)
	far := dial(t, "nats://"+line.Addr().String())
	go func() { done <- w.Run(ctx, far) }()
	got, err := gather(t.Context(), o.Queue(Run{Name: "run"}), func(yield func(work.Unit, error) bool) {
		for u, err := range hashes(1) {
			u.Inputs = []string{name}
			yield(u, err)
		}
	})
	if err != nil || got != alone(t, 1) || !there.has(name) {
		t.Errorf("%v, got %q", err, got)
	}
	cancel()
	<-done
}

// TestTwice: every unit is delivered twice, and counted once.
func TestTwice(t *testing.T) {
	const n = 100
	s := serve(t, ServerOptions{})
	o := organiser(t, s, -1)
	twins := 0
	sub, err := o.nc.Subscribe(workSubject("b", "run"), func(m *nats.Msg) {
		if m.Header.Get("Twin") != "" {
			return
		}
		twins++
		m.Header.Set("Twin", "yes")
		m.Header.Del(nats.MsgIdHdr)
		o.nc.PublishMsg(&nats.Msg{Subject: m.Subject, Header: m.Header, Data: m.Data})
	})
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Unsubscribe()
	for i := range 4 {
		join(t, s, fmt.Sprint("w", i), 1, honest)
	}
	got, err := gather(t.Context(), o.Queue(Run{Name: "run"}), hashes(n))
	if err != nil || got != alone(t, n) {
		t.Errorf("%v, got\n%s", err, got)
	}
	if twins < n {
		t.Errorf("%d units came twice, want %d", twins, n)
	}
}

// largeHashes are units whose results have so many bytes.
func largeHashes(size int) work.Kinds {
	return work.Kinds{"hash": func(_ context.Context, u work.Unit) ([]byte, error) {
		sum := sha256.Sum256(u.Args)
		return []byte(strings.Repeat(hex.EncodeToString(sum[:]), size/64)), nil
	}}
}

// TestFull: a server on a disk whose quota is smaller than all results. The run waits, throws away results that were delivered,
// and goes on; none is lost.
func TestFull(t *testing.T) {
	const n, size = 40, 10 << 10
	s := serve(t, ServerOptions{Dir: t.TempDir(), MaxStore: 200 << 10})
	large := largeHashes(size)
	want, err := gather(t.Context(), work.Pool{Kinds: large}, hashes(n))
	if err != nil {
		t.Fatal(err)
	}
	nc, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	var told atomic.Int32
	o, err := NewOrganiser(t.Context(), nc, OrganiserOptions{
		Build: "b", Kinds: large, Patience: patient, Tick: 100 * time.Millisecond, Checks: -1, Log: func(text string) { told.Add(1); t.Log(text) },
	})
	if err != nil {
		t.Fatal(err)
	}
	join(t, s, "w", 2, large)
	got, err := gather(t.Context(), o.Queue(Run{Name: "run"}), hashes(n))
	if err != nil || got != want {
		t.Errorf("%v, %d bytes, want %d", err, len(got), len(want))
	}
}

// TestFullDisk: a server whose disk is full is started again by itself when there is room, and no result is lost.
func TestFullDisk(t *testing.T) {
	const n, size = 20, maxResult // more than one file of the stream
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("needs a file that is always full")
	}
	large := largeHashes(size)
	want, err := gather(t.Context(), work.Pool{Kinds: large}, hashes(n))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	second := filepath.Join(dir, "jetstream", "$G", "streams", resultStream, "msgs", "2.blk")
	var full atomic.Bool
	s := serve(t, ServerOptions{Dir: dir, Log: func(text string) { t.Log(text) }, room: func(string) bool {
		full.Store(true)
		if err := os.Remove(second); err != nil {
			t.Error(err)
		}
		return true
	}})
	nc, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	o, err := NewOrganiser(t.Context(), nc, OrganiserOptions{
		Build: "b", Kinds: large, Patience: patient, Tick: 250 * time.Millisecond, Checks: -1, Log: func(text string) { t.Log(text) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/full", second); err != nil {
		t.Fatal(err)
	}
	join(t, s, "w", 2, large)
	got, err := gather(t.Context(), o.Queue(Run{Name: "run"}), hashes(n))
	if err != nil || got != want {
		t.Errorf("%v, %d bytes, want %d", err, len(got), len(want))
	}
	if !full.Load() {
		t.Error("the disk was not full")
	}
}

// TestThreeServers: a run on three servers goes on while one of them is shut down and begun again; with KROW_LONG each of them is, in
// turn.
func TestThreeServers(t *testing.T) {
	n := 120
	if os.Getenv("KROW_LONG") != "" {
		n = 360
	}
	c := newTrio(t)
	for i := range c.servers {
		c.start(i)
	}
	join := func() *nats.Conn {
		nc, err := connect(Access{URL: strings.Join(c.urls, ","), Keys: c.keys})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(nc.Close)
		return nc
	}
	var o *Organiser
	for {
		var err error
		o, err = NewOrganiser(t.Context(), join(), OrganiserOptions{
			Build: "b", Kinds: honest, Replicas: 3, Patience: patient, Tick: 250 * time.Millisecond, Checks: -1, Log: func(text string) { t.Log(text) },
		})
		if err == nil {
			break
		}
		time.Sleep(100 * time.Millisecond) // until they have chosen who leads
	}
	for i := range 2 {
		works(t, join(), fmt.Sprint("w", i), honest)
	}
	var all strings.Builder
	err := o.Queue(Run{Name: "run"}).Run(t.Context(), hashes(n), func(i int, r []byte) error {
		if i%120 == 40 {
			c.restart(i / 120)
		}
		fmt.Fprintln(&all, i, string(r))
		return nil
	})
	if err != nil || all.String() != alone(t, n) {
		t.Errorf("%v, got\n%s", err, &all)
	}
}

// trio is three servers that are one cluster.
type trio struct {
	t       *testing.T
	options [3]ServerOptions
	servers [3]*Server
	urls    []string
	keys    string // file
}

func newTrio(t *testing.T) *trio {
	t.Helper()
	c := &trio{t: t, keys: filepath.Join(t.TempDir(), "keys")}
	keys, err := NewKeys()
	if err == nil {
		err = keys.Write(c.keys)
	}
	if err != nil {
		t.Fatal(err)
	}
	var addrs []string
	for range 6 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		addrs = append(addrs, l.Addr().String())
	}
	for i := range c.options {
		c.options[i] = ServerOptions{Addr: addrs[i], Dir: t.TempDir(), Keys: keys, Name: fmt.Sprint("s", i), Peer: addrs[3+i], Peers: addrs[3:]}
		c.urls = append(c.urls, "nats://"+addrs[i])
	}
	t.Cleanup(func() {
		for _, s := range c.servers {
			if s != nil {
				s.Close()
			}
		}
	})
	return c
}

func (c *trio) start(i int) {
	s, err := Serve(c.options[i])
	if err != nil {
		c.t.Error(err)
	}
	c.servers[i] = s
}

func (c *trio) restart(i int) {
	c.servers[i].Close()
	c.start(i)
}

// TestFits: a file that cannot be written is closed too.
func TestFits(t *testing.T) {
	f, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("needs a file that is always full")
	}
	if fits(f, leastRoom) {
		t.Error("there is room on a full disk")
	}
	if err := f.Close(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("the file was left open: %v", err)
	}
}
