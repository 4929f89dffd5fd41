// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// ServerOptions are the settings of a server in this process.
type ServerOptions struct {
	Addr      string // host and port to listen at; port 0 takes a free one
	Keys      *Keys  // keys that clients need to connect; if nil, everybody who reaches the port can connect
	Cert, Key string // names of the files for TLS
}

// Server is a NATS server in this process. It keeps units in memory.
type Server struct {
	nats  *server.Server
	owner *Keys  // keys with which this process connects; nil without keys
	temp  string // a directory that JetStream requires, although units stay in memory
}

// startup is the time limit for the start of a server, which usually takes milliseconds.
const startup = 30 * time.Second

// Serve starts a NATS server in this process.
func Serve(o ServerOptions) (*Server, error) {
	host, port, err := net.SplitHostPort(o.Addr)
	if err != nil {
		return nil, err
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return nil, fmt.Errorf("port %q is not a number", port)
	}
	if number == 0 {
		number = server.RANDOM_PORT
	}
	if err := findFree(o.Addr); err != nil {
		return nil, err
	}
	opts := &server.Options{
		ServerName: "krow", Host: cmp.Or(host, "0.0.0.0"), Port: number, NoSigs: true, NoLog: true, JetStream: true,
		MaxPayload: maxMessage, WriteDeadline: 10 * time.Second,
	}
	if o.Keys != nil {
		if err := o.Keys.restrict(opts); err != nil {
			return nil, err
		}
	}
	if o.Cert != "" {
		pair, err := tls.LoadX509KeyPair(o.Cert, o.Key)
		if err != nil {
			return nil, err
		}
		opts.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	if opts.StoreDir, err = os.MkdirTemp("", "krow-cluster-"); err != nil {
		return nil, err
	}
	s := &Server{owner: o.Keys, temp: opts.StoreDir}
	if s.nats, err = server.NewServer(opts); err == nil {
		if s.nats.Start(); !s.nats.ReadyForConnections(startup) || !s.nats.JetStreamEnabled() {
			err = errors.New("the server of the cluster did not start: is its port in use?")
		}
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// findFree returns an error if nobody can listen at an address. It is called before the NATS server starts, because that server
// would wait for a long time if the address were taken.
func findFree(addr string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	return l.Close()
}

// URL returns the URL with which workers connect to the server.
func (s *Server) URL() string { return s.nats.ClientURL() }

// Connect connects to the server inside the process, with the rights of an organiser.
func (s *Server) Connect() (*nats.Conn, error) {
	opts := append(connectOptions(), nats.InProcessServer(s.nats), nats.Timeout(startup))
	if s.owner != nil {
		mine, err := s.owner.option()
		if err != nil {
			return nil, err
		}
		opts = append(opts, mine)
	}
	return nats.Connect("", opts...)
}

// Close stops the server. Its units are lost.
func (s *Server) Close() {
	if s.nats != nil {
		s.nats.Shutdown()
		s.nats.WaitForShutdown()
	}
	os.RemoveAll(s.temp)
}

// connectOptions returns the options of a connection that never stops trying to reconnect.
func connectOptions() []nats.Option {
	return []nats.Option{
		nats.Name("krow"), nats.MaxReconnects(-1), nats.ReconnectWait(500 * time.Millisecond), nats.ReconnectBufSize(-1),
		nats.Timeout(5 * time.Second), nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(3),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
	}
}

// Access describes how to connect to a server.
type Access struct {
	URL  string // one or more of nats://HOST:PORT or tls://HOST:PORT, separated by commas
	Keys string // name of the file of keys, or empty
	CA   string // name of a file of certificates to trust; if empty, the certificates of the system are trusted
}

// ConnectOwner connects to a server with the rights of an organiser: to run units, or to observe and control runs. It returns
// an error if the keys belong to a worker, because a worker has no right to read reports of other workers and runs.
func (a Access) ConnectOwner() (*nats.Conn, error) {
	if a.Keys != "" {
		if keys, err := ReadKeys(a.Keys); err != nil {
			return nil, err
		} else if keys.Name != "" {
			return nil, errWorkersKeys
		}
	}
	return a.connect()
}

// WaitConnect connects to a server that may start after its workers: while the server cannot be reached, WaitConnect tries
// again each second until ctx ends. It calls waiting once, with the first error.
func (a Access) WaitConnect(ctx context.Context, waiting func(error)) (*nats.Conn, error) {
	for first := true; ; first = false {
		nc, err := a.connect()
		if !isUnreachable(err) {
			return nc, err
		}
		if first {
			waiting(err)
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// isUnreachable reports whether err means that the server cannot be reached now.
func isUnreachable(err error) bool {
	var network *net.OpError
	return errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrTimeout) ||
		errors.As(err, &network) && (network.Op == "dial" || network.Op == "read")
}

// connect connects to a server with the rights that the keys give.
func (a Access) connect() (*nats.Conn, error) {
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
		return nil, fmt.Errorf("%s requires keys: use --creds", a.URL)
	case errors.Is(err, nats.ErrAuthorization):
		return nil, fmt.Errorf("%s does not accept these keys", a.URL)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", a.URL, err)
	}
	return nc, nil
}
