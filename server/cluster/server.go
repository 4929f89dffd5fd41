// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/internal/atomicfile"
)

// ServerOptions say what an embedded server is like.
type ServerOptions struct {
	Addr      string            // host and port to listen at; port 0 takes a free one
	Dir       string            // for the streams, written to disk at once; empty keeps them in memory
	Keys      *Keys             // who may connect; nil lets everybody who reaches the port
	Cert, Key string            // files, for TLS
	MaxStore  int64             // bytes of the streams at most; 0 leaves it to the server
	Log       func(text string) // unless nil, hears what a person may want to know; of a server with Dir
	// Name, Peer and Peers are of one of several servers that are one cluster: what it is called, the address at which the
	// others find it, and those of all of them. Such a server needs Dir. Replicas keep what it has, so it does not sync.
	Name, Peer string
	Peers      []string

	room func(dir string) bool // set by a test
}

// Server is a NATS server in this process.
type Server struct {
	options *server.Options
	owner   *Keys    // this process; nil without keys
	temp    string   // a directory to remove
	lock    *os.File // of the directory; nil without one
	stop    chan struct{}
	tended  sync.WaitGroup

	mu   sync.Mutex
	nats *server.Server // see tend
}

// startup is how long a server may take to start. It takes milliseconds.
const startup = 30 * time.Second

// Serve starts a server.
func Serve(o ServerOptions) (*Server, error) {
	host, port, err := net.SplitHostPort(o.Addr)
	if err != nil {
		return nil, err
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return nil, fmt.Errorf("port %q is no number", port)
	}
	if err := free(o.Addr); err != nil {
		return nil, err
	}
	s := &Server{stop: make(chan struct{})}
	opts := &server.Options{
		ServerName: "krow", Host: cmp.Or(host, "0.0.0.0"), Port: number, NoSigs: true, NoLog: true, JetStream: true, StoreDir: o.Dir,
		JetStreamMaxMemory: o.MaxStore, JetStreamMaxStore: o.MaxStore,
		SyncAlways: true, MaxPayload: maxMessage, WriteDeadline: 10 * time.Second,
	}
	if len(o.Peers) > 0 {
		if err := o.join(opts); err != nil {
			return nil, err
		}
	}
	if number == 0 {
		opts.Port = server.RANDOM_PORT
	}
	if o.Keys != nil {
		if err := o.Keys.restrict(opts); err != nil {
			return nil, err
		}
		s.owner = o.Keys
	}
	if o.Cert != "" {
		pair, err := tls.LoadX509KeyPair(o.Cert, o.Key)
		if err != nil {
			return nil, err
		}
		opts.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	s.options = opts
	err = s.claim(o.Dir)
	if err == nil {
		err = s.start()
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	if o.Dir != "" {
		s.options.Port = s.nats.Addr().(*net.TCPAddr).Port
		s.tended.Go(func() { s.tend(o) })
	}
	return s, nil
}

// free says why nobody can listen at an address. The server would wait for long.
func free(addr string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	return l.Close()
}

// claim claims the directory for the streams, or makes one for this process. Two servers would destroy what is in it.
func (s *Server) claim(dir string) (err error) {
	if dir == "" {
		s.temp, err = os.MkdirTemp("", "krow-cluster-")
		s.options.StoreDir = s.temp
		return err
	}
	if err = os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if s.lock, err = os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return err
	}
	if err = atomicfile.Lock(s.lock); errors.Is(err, atomicfile.ErrBusy) {
		return fmt.Errorf("%s: another server keeps its work there", dir)
	}
	return err
}

// start starts a server of the options.
func (s *Server) start() error {
	made, err := server.NewServer(s.options.Clone())
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.nats = made
	s.mu.Unlock()
	made.Start()
	if !made.ReadyForConnections(startup) || s.options.Cluster.Name == "" && !made.JetStreamEnabled() {
		return errors.New("the server of the cluster did not start: is its port in use?")
	}
	return nil
}

// now returns the server as it is now.
func (s *Server) now() *server.Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.nats
}

// join makes a server one of several. They know each other by the organiser's keys.
func (o ServerOptions) join(opts *server.Options) error {
	host, text, err := net.SplitHostPort(o.Peer)
	if err != nil {
		return err
	}
	port, err := strconv.Atoi(text)
	if err != nil {
		return fmt.Errorf("port %q is no number", text)
	}
	if o.Dir == "" || o.Name == "" {
		return errors.New("one of several servers needs a name and a directory")
	}
	opts.ServerName, opts.SyncAlways = o.Name, false
	opts.Cluster = server.ClusterOpts{Name: "krow", Host: host, Port: port}
	var password string
	if o.Keys != nil {
		seed, err := o.Keys.pair.Seed()
		if err != nil {
			return err
		}
		password = work.Hash(append([]byte("krow servers "), seed...))
		opts.Cluster.Username, opts.Cluster.Password = "krow", password
	}
	for _, peer := range o.Peers {
		u := &url.URL{Scheme: "nats", Host: peer}
		if password != "" {
			u.User = url.UserPassword("krow", password)
		}
		opts.Routes = append(opts.Routes, u)
	}
	return nil
}

// URL returns where workers find the server.
func (s *Server) URL() string { return s.now().ClientURL() }

// InProcessConn implements [nats.InProcessConnProvider]: of the server as it is now, since one that was started again is another.
func (s *Server) InProcessConn() (net.Conn, error) { return s.now().InProcessConn() }

// Connect connects to the server without the network, with the rights of an organiser.
func (s *Server) Connect() (*nats.Conn, error) {
	opts := append(connectOptions(), nats.InProcessServer(s), nats.Timeout(startup))
	if s.owner != nil {
		mine, err := s.owner.option()
		if err != nil {
			return nil, err
		}
		opts = append(opts, mine)
	}
	return nats.Connect("", opts...)
}

// Close stops the server.
func (s *Server) Close() {
	close(s.stop)
	s.tended.Wait()
	s.shutdown()
	if s.temp != "" {
		os.RemoveAll(s.temp)
	}
	if s.lock != nil {
		s.lock.Close()
	}
}

func (s *Server) shutdown() {
	if s.nats != nil {
		s.nats.Shutdown()
		s.nats.WaitForShutdown()
	}
}

// connectOptions make a connection that never gives up.
func connectOptions() []nats.Option {
	return []nats.Option{
		nats.Name("krow"), nats.MaxReconnects(-1), nats.ReconnectWait(500 * time.Millisecond), nats.ReconnectBufSize(-1),
		nats.Timeout(5 * time.Second), nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(3),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
	}
}

// Access is how to reach a server.
type Access struct {
	URL  string // nats://HOST:PORT, or tls://HOST:PORT; several with commas between them
	Keys string // file of keys, or empty
	CA   string // file of certificates to believe, or empty for the system's
}

// ConnectOwner connects to a server as an organiser, or as one who looks and steers. A worker's keys would be told nothing.
func (a Access) ConnectOwner() (*nats.Conn, error) {
	if a.Keys != "" {
		if keys, err := ReadKeys(a.Keys); err != nil {
			return nil, err
		} else if keys.Name != "" {
			return nil, errWorkersKeys
		}
	}
	return a.Connect()
}

// Connect connects to a server.
func (a Access) Connect() (*nats.Conn, error) {
	opts := connectOptions()
	if a.Keys != "" {
		keys, err := ReadKeys(a.Keys)
		if err != nil {
			return nil, err
		}
		mine, err := keys.option()
		if err != nil {
			return nil, err
		}
		opts = append(opts, mine)
	}
	if a.CA != "" {
		opts = append(opts, nats.RootCAs(a.CA))
	}
	nc, err := nats.Connect(a.URL, opts...)
	switch {
	case errors.Is(err, nats.ErrAuthorization) && a.Keys == "":
		return nil, fmt.Errorf("%s wants keys: --creds", a.URL)
	case errors.Is(err, nats.ErrAuthorization):
		return nil, fmt.Errorf("%s does not know these keys", a.URL)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", a.URL, err)
	}
	return nc, nil
}
