// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/krow-lab/krow/internal/cluster"
	"github.com/krow-lab/krow/work"
)

// down is how long a server that was killed is away. It has eight seconds to catch up before the next one is killed.
const down = 2 * time.Second

// three has units done by workers of a cluster of three servers, of which one is killed in turn, and measures the longest time
// without a result. Each server is a process of its own.
func three() error {
	dir, err := os.MkdirTemp("", "krow-three-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ports, err := freePorts(6)
	if err != nil {
		return err
	}
	servers, urls := make([]*exec.Cmd, 3), []string{}
	begin := func(i int) error {
		servers[i] = exec.Command(os.Args[0], "server", strconv.Itoa(i), filepath.Join(dir, strconv.Itoa(i)), strings.Join(ports, ","))
		servers[i].Stderr = os.Stderr
		return servers[i].Start()
	}
	for i := range servers {
		urls = append(urls, "nats://127.0.0.1:"+ports[i])
		if err := begin(i); err != nil {
			return err
		}
		defer func() {
			servers[i].Process.Kill()
			servers[i].Wait()
		}()
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	access := cluster.Access{URL: strings.Join(urls, ",")}
	kinds := work.Kinds{"nothing": func(ctx context.Context, u work.Unit) ([]byte, error) {
		time.Sleep(50 * time.Millisecond)
		return u.Args, nil
	}}
	o, err := organise(ctx, access, kinds)
	if err != nil {
		return err
	}
	var all sync.WaitGroup
	for i := range 8 {
		conn, err := access.Connect()
		if err != nil {
			return err
		}
		defer conn.Close()
		w := &cluster.Worker{Name: "w" + strconv.Itoa(i), Build: "b", Cores: 2, Kinds: kinds}
		all.Go(func() { w.Run(ctx, conn) })
	}
	over, killed := make(chan struct{}), 0
	start, last, longest, wrong := time.Now(), time.Now(), time.Duration(0), 0
	var done atomic.Int64
	all.Go(func() {
		tick := time.NewTicker(10 * time.Second)
		defer tick.Stop()
		for i := 0; ; i = (i + 1) % 3 {
			select {
			case <-tick.C:
			case <-over:
				return
			}
			fmt.Fprintf(os.Stderr, "%.1f s: server %d is killed after %d units\n", time.Since(start).Seconds(), i, done.Load())
			servers[i].Process.Kill()
			servers[i].Wait()
			killed++
			time.Sleep(down)
			if err := begin(i); err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
		}
	})
	err = o.Queue(cluster.Run{Name: "three"}).Run(ctx, counted(*units), func(i int, data []byte) error {
		done.Store(int64(i + 1))
		if d := time.Since(last); d > longest {
			fmt.Fprintf(os.Stderr, "%.1f s: nothing came for %.1f s\n", time.Since(start).Seconds(), d.Seconds())
		}
		longest, last = max(longest, time.Since(last)), time.Now()
		if string(data) != strconv.Itoa(i) {
			wrong++
		}
		return nil
	})
	took := time.Since(start)
	close(over)
	cancel()
	all.Wait()
	fmt.Printf("three servers, one killed every ten seconds: %d units in %v, %d kills, %d wrong; the longest stall %.1f s\n",
		*units, took.Round(time.Second), killed, wrong, longest.Seconds())
	return err
}

// organise waits for servers that are just starting.
func organise(ctx context.Context, access cluster.Access, kinds work.Kinds) (o *cluster.Organiser, err error) {
	for range 30 {
		nc, e := access.Connect()
		if err = e; err == nil {
			options := cluster.OrganiserOptions{Build: "b", Kinds: kinds, Replicas: 3, Log: func(text string) { fmt.Fprintln(os.Stderr, text) }}
			if o, err = cluster.NewOrganiser(ctx, nc, options); err == nil {
				return o, nil
			}
			nc.Close()
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func freePorts(n int) (all []string, err error) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		all = append(all, strconv.Itoa(l.Addr().(*net.TCPAddr).Port))
	}
	return all, nil
}

// one is one of three servers, until it is killed. Its arguments are its number, its directory, and three ports for clients
// and three for servers.
func one(number, dir, list string) error {
	i, err := strconv.Atoi(number)
	if err != nil {
		return err
	}
	var ports []string
	for port := range strings.SplitSeq(list, ",") {
		ports = append(ports, net.JoinHostPort("127.0.0.1", port))
	}
	s, err := cluster.Serve(cluster.ServerOptions{Addr: ports[i], Dir: dir, Name: "krow-" + number, Peer: ports[3+i], Peers: ports[3:]})
	if err != nil {
		return err
	}
	defer s.Close()
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, os.Interrupt)
	<-stop
	return nil
}
