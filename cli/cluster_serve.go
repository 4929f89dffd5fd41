// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"fmt"
	"net"
	"slices"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/server/cluster"
)

func newClusterServe() *cobra.Command {
	var o cluster.ServerOptions
	var creds string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run a server that outlives organisers, alone or as one of three",
		Long: `Run a NATS server for organisers (--nats) and workers (krow work --join), until Ctrl-C. What is in it is kept in the directory.

With --peers it is one of three or five servers that are one cluster: each has a name, a directory and an address --peer of
its own, and knows the addresses of all. An organiser with --replicas 3 then goes on while one of them is down. All use the
same file of keys. What they say to each other is not encrypted: let them have a network of their own.`,
		Example: `  krow cluster serve --listen 127.0.0.1:4222 --dir work
  krow cluster serve --listen 10.0.0.1:4222 --creds lab.organiser --dir work --name a --peer 10.0.0.1:6222 --peers 10.0.0.1:6222,10.0.0.2:6222,10.0.0.3:6222`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case o.Dir == "":
				return misusef("", "a server needs a directory to keep the work in: --dir")
			case (o.Cert == "") != (o.Key == ""):
				return misusef("", "--tls-cert and --tls-key go together")
			}
			if err := cmp.Or(checkListen("--listen", o.Addr, creds), checkPeers(o)); err != nil {
				return err
			}
			if creds != "" {
				var err error
				if o.Keys, err = cluster.ReadKeys(creds); err != nil {
					return err
				}
			}
			o.Log = func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), text) }
			s, err := cluster.Serve(o)
			if err != nil {
				return err
			}
			defer s.Close()
			fmt.Fprintf(cmd.ErrOrStderr(), "workers join by: krow work --join %s\n", s.URL())
			<-cmd.Context().Done()
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Addr, "listen", "", "address to listen at for organisers and workers, such as 127.0.0.1:"+clusterPort)
	f.StringVar(&o.Dir, "dir", "", "directory to keep the work in")
	f.StringVar(&o.Name, "name", "", "name of one of several servers")
	f.StringVar(&o.Peer, "peer", "", "address at which the other servers find this one")
	f.StringSliceVar(&o.Peers, "peers", nil, "such addresses of all servers, with commas between them")
	f.StringVar(&creds, "creds", "", "file of the organiser's keys: see krow cluster keys")
	f.StringVar(&o.Cert, "tls-cert", "", "file of the certificate, with --tls-key")
	f.StringVar(&o.Key, "tls-key", "", "file of the certificate's key")
	for _, name := range []string{"listen", "name", "peer", "peers"} {
		completeFlag(cmd, name, nothing)
	}
	return cmd
}

// checkPeers says what is wrong with the flags of one of several servers.
func checkPeers(o cluster.ServerOptions) error {
	if len(o.Peers) == 0 && o.Peer == "" {
		return nil
	}
	switch {
	case len(o.Peers) != 3 && len(o.Peers) != 5:
		return misusef("", "a cluster has 3 or 5 servers, not %d: --peers", len(o.Peers))
	case !humanize.Name(o.Name):
		return misusef("", "--name names one of several servers by letters, digits, - and _, at most 40, not %q", o.Name)
	case !slices.Contains(o.Peers, o.Peer):
		return misusef("", "--peer must be one of --peers, not %q", o.Peer)
	}
	for _, peer := range o.Peers {
		if _, _, err := net.SplitHostPort(peer); err != nil {
			return misusef("", "--peers are addresses and ports, not %q", peer)
		}
	}
	return nil
}
