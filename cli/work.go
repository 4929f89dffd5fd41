// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/server/cluster"
	"github.com/krow-lab/krow/server/gate"
	"github.com/krow-lab/krow/server/machines"
)

// accessFlags are the flags of a command that connects to a server.
type accessFlags struct{ creds, ca string }

func (f *accessFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.creds, "creds", "", "`FILE` with the keys for the server: see krow keys")
	cmd.Flags().StringVar(&f.ca, "tls-ca", "", "`FILE` with the certificate to trust for connections to tls://HOST")
}

func (f *accessFlags) to(url string) cluster.Access {
	return cluster.Access{URL: url, Keys: f.creds, CA: f.ca}
}

// clusterFlags are the flags of a command that can distribute its work to workers on other machines.
type clusterFlags struct {
	listen, nats string
	cert, key    string
	access       accessFlags
}

// clusterPort is the default port of an organiser.
const clusterPort = "4222"

func (f *clusterFlags) add(cmd *cobra.Command) {
	f.addShared(cmd)
	addTLS(cmd, &f.cert, &f.key)
}

// addTLS adds the flags for the certificate of a server and its private key.
func addTLS(cmd *cobra.Command, cert, key *string) {
	cmd.Flags().StringVar(cert, "tls-cert", "", "`FILE` with the TLS certificate of the server")
	cmd.Flags().StringVar(key, "tls-key", "", "`FILE` with the private key of the TLS certificate")
	cmd.MarkFlagsRequiredTogether("tls-cert", "tls-key")
}

// addShared adds all flags of f except those for a TLS certificate.
func (f *clusterFlags) addShared(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.listen, "cluster", "", "`ADDRESS` at which workers can connect, such as 127.0.0.1:"+clusterPort+": see krow work")
	flags.StringVar(&f.nats, "nats", "", "`URL` of a NATS server that distributes the work, such as nats://HOST:"+clusterPort)
	f.access.add(cmd)
	cmd.MarkFlagsMutuallyExclusive("cluster", "nats")
}

// checkAddress returns an error if --cluster is not an address, or if other machines can reach it and there are no keys.
func (f *clusterFlags) checkAddress() error {
	if f.listen == "" {
		return nil
	}
	if _, _, err := net.SplitHostPort(f.listen); err != nil {
		return misusef("for example --cluster 127.0.0.1:"+clusterPort, "--cluster needs an address and a port, not %q", f.listen)
	}
	if gate.IsReachable(f.listen) && f.access.creds == "" {
		return misusef("krow keys makes them", "others can reach %s: --cluster needs --creds there", f.listen)
	}
	return nil
}

// asked reports whether the user has set a flag that lets workers join.
func (f *clusterFlags) asked() bool { return f.listen != "" || f.nats != "" }

// If a flag requests a cluster, begin starts an organiser, and prints the command by which workers join. Otherwise the organiser
// is nil. The function done ends the connection to the workers.
func (f *clusterFlags) begin(cmd *cobra.Command) (o *machines.Organiser, done func(), err error) {
	if err := f.checkAddress(); err != nil || !f.asked() {
		return nil, func() {}, err
	}
	server := machines.Server{Listen: f.listen, Cert: f.cert, Key: f.key, Access: f.access.to(f.nats)}
	o, err = machines.Begin(cmd.Context(), server, func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), text) })
	if err != nil {
		_ = machines.Close()
		return nil, nil, interrupted(cmd, err)
	}
	if o.Join != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "workers join by: krow work --join %s\n", o.Join)
	}
	return o, func() {
		o.Close()
		_ = machines.Close() // deletes the temporary files of units; an error would only leave these files
	}, nil
}

// open returns a queue that distributes the units of run, pieces of work such as games, over the cluster that begin starts. It
// returns nil without a cluster, because this process does the work then.
func (f *clusterFlags) open(cmd *cobra.Command, run cluster.Run) (work.Queue, func(), error) {
	o, done, err := f.begin(cmd)
	if o == nil {
		return nil, done, err
	}
	return o.Queue(run), done, nil
}

type workCommand struct {
	join, name string
	jobs       int
	access     accessFlags
}

func newWork() *cobra.Command {
	var o workCommand
	cmd := &cobra.Command{
		Use:   "work",
		Short: "Let this machine work for a match or another command",
		Long: `Work for the organisers at a server until Ctrl-C. A unit of work is, for example, a game. An organiser is a
command with --cluster or --nats, such as krow match. An organiser gives work only to workers that have the same build and
the same signature (krow bench). A worker runs only krow, and bots in their sandbox. It starts no other program, and reads
no files except the weights, networks and bots that the organiser sent.`,
		Example: `  krow work --join nats://192.168.1.10:4222 --creds worker.keys
  krow work --join nats://127.0.0.1:4222 --jobs 4`,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.workForServer(cmd) },
	}
	f := cmd.Flags()
	f.StringVar(&o.join, "join", "", "`URL` of the server, such as nats://HOST:"+clusterPort)
	_ = cmd.MarkFlagRequired("join")
	addNumber(cmd, &o.jobs, "jobs", runtime.NumCPU(), 1, maxJobs, "units at once")
	f.StringVar(&o.name, "name", "", "unique `NAME` of the worker (default: made from the name of the machine)")
	o.access.add(cmd)
	return cmd
}

func (o *workCommand) workForServer(cmd *cobra.Command) error {
	if o.access.creds != "" {
		keys, err := cluster.ReadKeys(o.access.creds)
		if err != nil {
			return err
		}
		if o.name != "" && keys.Name != "" {
			return misusef("", "these keys have a name: without --name the worker is %s", keys.Name)
		}
		o.name = keys.Name
	}
	o.name = cmp.Or(o.name, cluster.NewName())
	if !humanize.Name(o.name) {
		return misusef("", "a worker's name has letters, digits, - and _, at most 40, not %q", o.name)
	}
	w, err := machines.Worker(cmd.Context(), o.name, o.jobs, func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), text) })
	if err != nil {
		return interrupted(cmd, err)
	}
	nc, err := o.access.to(o.join).WaitConnect(cmd.Context(), func(err error) { fmt.Fprintf(cmd.ErrOrStderr(), "waiting for %v\n", err) })
	if err != nil {
		return interrupted(cmd, err)
	}
	defer nc.Close()
	defer machines.Close()
	fmt.Fprintf(cmd.ErrOrStderr(), "worker %s of build %s, units at once: %d\n", o.name, w.Build, o.jobs)
	if err := w.Run(cmd.Context(), nc); !errors.Is(err, context.Canceled) {
		return err
	}
	s := w.State()
	return printAnswer(cmd, s, "%s did %d units, and %d failed\n", s.Name, s.Done, s.Failed)
}

// interrupted returns errInterrupted if Ctrl-C has ended the command, otherwise err.
func interrupted(cmd *cobra.Command, err error) error {
	if err != nil && cmd.Context().Err() != nil {
		return errInterrupted
	}
	return err
}
