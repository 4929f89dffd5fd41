// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/internal/web"
)

type serveCommand struct {
	addr, password string
	hosts          []string
	open, quiet    bool
	db             databaseFlag
}

func newServe() *cobra.Command {
	var o serveCommand
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the web app: play, analyse, study and watch",
		Long: `Serve the web app until Ctrl-C. Games and runs are kept in the database. Only this machine can reach
it; at another address than that of loopback it needs --password-file, and something in front that encrypts.`,
		Example: `  krow serve --open
  krow serve --addr 127.0.0.1:9000 --db games.db
  krow serve --addr 0.0.0.0:8080 --password-file secret`,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	f := cmd.Flags()
	f.StringVar(&o.addr, "addr", "127.0.0.1:8080", "address and port to listen at; port 0 takes a free one")
	f.StringVar(&o.password, "password-file", "", "file whose first line is the password that everyone is asked for")
	f.StringArrayVar(&o.hosts, "host", nil, "a name by which browsers call the server, besides localhost")
	f.BoolVar(&o.open, "open", false, "open the page in a browser")
	f.BoolVar(&o.quiet, "quiet", false, "no line in the log for each request")
	o.db.add(cmd)
	completeFlag(cmd, "addr", nothing)
	completeFlag(cmd, "host", nothing)
	return cmd
}

func (o *serveCommand) run(cmd *cobra.Command) (err error) {
	password, err := o.secret()
	if err != nil {
		return err
	}
	// The port comes first: where it is taken, no database is made.
	l, err := net.Listen("tcp", o.addr)
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	defer l.Close()
	s, err := o.db.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	level := slog.LevelInfo
	if o.quiet {
		level = slog.LevelWarn
	}
	server, err := web.New(web.Options{
		Store: s, Version: Version, Password: password, Hosts: o.hosts,
		Log: slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: level})),
	})
	if err != nil {
		return err
	}
	url := "http://" + l.Addr().String() + "/"
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "serving %s   Ctrl-C ends it\n", url); err != nil {
		return err
	}
	if o.open {
		browse(url)
	}
	return server.Serve(cmd.Context(), l)
}

// secret returns the password, which an address that others can reach needs.
func (o *serveCommand) secret() (string, error) {
	host, port, err := net.SplitHostPort(o.addr)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil {
		return "", misusef("for example --addr 127.0.0.1:8080", "--addr needs an address and a port from 0 to 65535, not %q", o.addr)
	}
	if o.password == "" {
		if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			return "", misusef("", "others can reach %s: it needs --password-file", o.addr)
		}
		return "", nil
	}
	data, err := os.ReadFile(o.password)
	if err != nil {
		return "", fmt.Errorf("--password-file: %w", err)
	}
	line, _, _ := strings.Cut(string(data), "\n")
	if line = strings.TrimRight(line, "\r"); line == "" {
		return "", fmt.Errorf("--password-file %s: its first line is empty", o.password)
	}
	return line, nil
}

// browse opens a page, if the system has a command for that. The address is printed in any case.
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
