// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"fmt"
	"net"
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

// TestWorkerIsCutOff: the units of a worker that is cut off go to another. When the line is whole again it goes on working.
func TestWorkerIsCutOff(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
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

// TestFileComesBySlowLine: a file comes by a line that needs longer for it than the server may take to answer.
func TestFileComesBySlowLine(t *testing.T) {
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
	o, err := NewOrganiser(t.Context(), nc, OrganiserOptions{Build: "b", Kinds: honest, Files: own, Checks: -1})
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

// TestUnitDeliveredTwiceCountsOnce: every unit is delivered twice, and counted once.
func TestUnitDeliveredTwiceCountsOnce(t *testing.T) {
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
