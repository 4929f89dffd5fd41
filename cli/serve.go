// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/solve"
	"github.com/krow-lab/krow/internal/buildinfo"
	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/player/bot"
	"github.com/krow-lab/krow/proof"
	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/gate"
	"github.com/krow-lab/krow/server/store"
)

type serveCommand struct {
	addr          string
	hosts, proofs []string
	open, quiet   bool
	club          bool
	guests        string
	cert, key     string
	acme, proxy   string
	name          string
	authority     string
	db            databaseFlag
	on            clusterFlags
}

func newServe() *cobra.Command {
	var o serveCommand
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the web app: play, analyse, study and watch",
		Long: `Serve the web app until Ctrl-C. Games and learning runs are stored in the database. On a loopback address such as
127.0.0.1 the server is for one person. If it has members, or if other machines can reach it, the server is a club, in which
everybody must log in. See krow club and docs/guide/host.md.`,
		Example: `  krow serve --open
  krow serve --addr 127.0.0.1:9000 --db games.db
  krow serve --proof gomoku.proof
  krow serve --addr :443 --acme club.example
  krow serve --behind-proxy 127.0.0.1 --host club.example`,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.serve(cmd) },
	}
	f := cmd.Flags()
	f.StringVar(&o.addr, "addr", "127.0.0.1:8080", "`ADDRESS` and port of the server; port 0 means any free port")
	f.StringArrayVar(&o.hosts, "host", nil, "another host `NAME` under which browsers reach the server; can be repeated")
	f.StringArrayVar(&o.proofs, "proof", nil, "certificate `FILE` of krow solve --certificate; the page gets an opponent that plays by it; can be repeated")
	f.BoolVar(&o.open, "open", false, "open the page in a browser")
	f.BoolVar(&o.quiet, "quiet", false, "do not log each request")
	f.BoolVar(&o.club, "club", false, "require a login, also on a loopback address")
	f.StringVar(&o.name, "name", "", "`NAME` of the club, which its lobby shows")
	o.guests = "none"
	addChoice(cmd, &o.guests, "guests", "`RIGHTS` of visitors who are not members of the club: none, watch or play", "none", "watch", "play")
	o.on.addShared(cmd)
	addTLS(cmd, &o.cert, &o.key)
	f.StringVar(&o.acme, "acme", "", "host `NAME` of the server, for which it gets a TLS certificate from Let's Encrypt")
	f.StringVar(&o.authority, "acme-directory", "", "with --acme: `URL` of another certificate authority")
	f.StringVar(&o.proxy, "behind-proxy", "", "IP `ADDRESS` of a proxy whose X-Forwarded-For header is trusted")
	cmd.MarkFlagsMutuallyExclusive("acme", "tls-cert", "behind-proxy")
	o.db.add(cmd)
	return cmd
}

// guestRoles maps the words of --guests to the roles of visitors.
var guestRoles = map[string]club.Role{"none": club.Nobody, "watch": club.Watcher, "play": club.Guest}

// checkFlags returns the address of the proxy. It returns an error for flags that contradict each other.
func (o *serveCommand) checkFlags() (proxy netip.Addr, err error) {
	_, port, err := net.SplitHostPort(o.addr)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil {
		return proxy, misusef("for example --addr 127.0.0.1:8080", "--addr needs an address and a port from 0 to 65535, not %q", o.addr)
	}
	if o.authority != "" && o.acme == "" {
		return proxy, misusef("", "--acme-directory belongs to --acme")
	}
	if o.proxy != "" {
		if proxy, err = netip.ParseAddr(o.proxy); err != nil {
			return proxy, misusef("for example --behind-proxy 127.0.0.1", "--behind-proxy needs an address, not %q", o.proxy)
		}
	}
	return proxy.Unmap(), nil
}

// isReachable reports whether other machines can reach the server.
func (o *serveCommand) isReachable() bool {
	return gate.IsReachable(o.addr) || o.acme != "" || o.proxy != ""
}

func (o *serveCommand) serve(cmd *cobra.Command) (err error) {
	proxy, err := o.checkFlags()
	if err != nil {
		return err
	}
	o.on.cert, o.on.key = o.cert, o.key
	if err := errors.Join(o.checkMembers(), o.on.checkAddress()); err != nil {
		return err
	}
	// The server listens before it opens the database, so that no database is created if the port is taken.
	l, err := net.Listen("tcp", o.addr)
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	defer l.Close()
	scheme := "http"
	secure, err := o.encrypt()
	if err != nil {
		return err
	}
	if err := o.offerProofs(cmd); err != nil {
		return err
	}
	s, err := o.db.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	asks, err := o.requiresLogin(s)
	if err != nil {
		return err
	}
	level := slog.LevelInfo
	if o.quiet {
		level = slog.LevelWarn
	}
	others, leave, err := o.on.begin(cmd)
	if err != nil {
		return err
	}
	defer leave()
	if others != nil {
		defer others.WorkHere(cmd.Context())()
	}
	log := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: level}))
	if w, err := bot.StandingWalls(cmd.Context()); err != nil {
		log.Warn("bots cannot play", "error", err)
	} else {
		log.Info("walls around bots", "limits", w.Limits, "filter", w.Filter, "landlock", w.Landlock, "namespaces", w.Namespaces)
	}
	server, err := api.New(api.Options{
		Machines: others,
		Store:    s, Version: buildinfo.Version(), Hosts: o.hosts, Club: asks, Name: o.name, Guests: guestRoles[o.guests], Proxy: proxy,
		Log: log,
	})
	if err != nil {
		return err
	}
	address := l.Addr().String()
	if secure != nil {
		l, scheme = tls.NewListener(l, secure), "https"
	}
	url := scheme + "://" + address + "/"
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "serving %s   Ctrl-C ends it\n", url); err != nil {
		return err
	}
	if o.open {
		browse(url)
	}
	return server.Serve(cmd.Context(), l)
}

// offerProofs reads the certificates of --proof, and offers them to players with the spec "proof", which follow a
// certificate.
func (o *serveCommand) offerProofs(cmd *cobra.Command) error {
	var all []*proof.Strategy
	for _, name := range o.proofs {
		s, err := readProof(cmd, name)
		if err != nil {
			return err
		}
		all = append(all, s)
		c := s.Result().Claim
		if _, err := fmt.Fprintf(cmd.OutOrStdout(), "proof %s: %s; %s; %s positions\n", name, solve.Played(c), solve.Says(c), humanize.Count(s.Result().Positions)); err != nil {
			return err
		}
	}
	krow.OfferProofs(all...)
	return nil
}

// checkMembers returns an error if there is no database and the server needs members. It needs members if it serves a club, or
// if other machines can reach it.
func (o *serveCommand) checkMembers() error {
	if !o.isReachable() && !o.club {
		return nil
	}
	name, err := o.db.file()
	if err != nil {
		return err
	}
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return o.empty()
	}
	return nil
}

func (o *serveCommand) empty() error {
	const hint = "krow club add NAME --owner makes the first"
	if o.isReachable() {
		return misusef(hint, "other machines can reach %s: it needs members", o.addr)
	}
	return misusef(hint, "a club needs members")
}

// requiresLogin reports whether everybody must log in.
func (o *serveCommand) requiresLogin(s *store.Store) (bool, error) {
	c := club.New(s, club.Options{})
	has, err := c.HasMembers()
	if err != nil {
		return false, err
	}
	if !has && (o.isReachable() || o.club) {
		return false, o.empty()
	}
	return has || o.club || o.isReachable(), nil
}

// encrypt returns the TLS configuration of the server, or nil for plain HTTP.
func (o *serveCommand) encrypt() (*tls.Config, error) {
	name, err := o.db.file()
	if err != nil {
		return nil, err
	}
	c := gate.Certificate{File: o.cert, Key: o.key, Host: o.acme, Authority: o.authority, Cache: name + ".acme"}
	secure, hosts, err := c.Config()
	if err != nil {
		return nil, fmt.Errorf("--tls-cert: %w", err)
	}
	o.hosts = append(o.hosts, hosts...)
	return secure, nil
}

// browse opens a page in the browser, if the system has a command for that. It ignores errors, because the caller also
// prints the address.
func browse(url string) {
	c := exec.Command("xdg-open", url)
	switch runtime.GOOS {
	case "darwin":
		c = exec.Command("open", url)
	case "windows":
		c = exec.Command("rundll32", "url.dll,FileProtocolHandler", url)
	}
	if c.Start() == nil {
		go func() { _ = c.Wait() }()
	}
}
