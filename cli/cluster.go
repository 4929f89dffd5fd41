// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/server/cluster"
	"github.com/krow-lab/krow/server/machines"
)

type clusterCommand struct {
	nats   string
	listen time.Duration
	access accessFlags
}

func (o *clusterCommand) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.nats, "nats", "nats://127.0.0.1:"+clusterPort, "`URL` of the NATS server")
	o.access.add(cmd)
}

func newCluster() *cobra.Command {
	var o clusterCommand
	cmd := &cobra.Command{
		Use:   "cluster",
		Short: "Show workers and runs, and pause or cancel runs",
		Long: `Listen to a server for two seconds, and print the state of its workers and runs. A line for a worker shows
its build, the number of units of work that it does at the same time, the units done and failed, the share of the time
that it was busy, and its runs. A line for a run shows its progress and the remaining time. The subcommands control a run,
which they find by its name.`,
		Example: `  krow cluster
  krow cluster --nats nats://192.168.1.10:4222 --creds organiser.keys
  krow cluster pause match-1f3a5c77a0b2`,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.showState(cmd) },
	}
	o.add(cmd)
	addNumber(cmd, &o.listen, "listen", 2*time.Second, time.Millisecond, 0, "how long to listen")
	yes, no := true, false
	cmd.AddCommand(
		newOrder("pause RUN", "Give workers no more units (pieces of work) of a run", "krow cluster pause match-1f3a5c77a0b2", "is paused", func(string) (cluster.Order, error) { return cluster.Order{Pause: &yes}, nil }),
		newOrder("resume RUN", "Continue a paused run", "krow cluster resume match-1f3a5c77a0b2", "continues", func(string) (cluster.Order, error) { return cluster.Order{Pause: &no}, nil }),
		newOrder("cancel RUN", "End a run; its results stay, and it can be started again", "krow cluster cancel match-1f3a5c77a0b2", "is cancelled", func(string) (cluster.Order, error) { return cluster.Order{Cancel: true}, nil }),
		newOrder("priority RUN N", "Set a run's priority to N; runs of lower priority wait", "krow cluster priority match-1f3a5c77a0b2 5", "has a new priority", func(text string) (o cluster.Order, err error) {
			n, err := strconv.Atoi(text)
			if err != nil {
				return o, misusef("", "a priority is an integer, not %q", text)
			}
			return cluster.Order{Priority: &n}, nil
		}),
		newClusterKeys(), newClusterServe(),
	)
	return cmd
}

func (o *clusterCommand) showState(cmd *cobra.Command) error {
	nc, err := o.access.to(o.nats).ConnectOwner()
	if err != nil {
		return err
	}
	defer nc.Close()
	v, err := cluster.Look(cmd.Context(), nc, o.listen)
	if err != nil {
		return errInterrupted
	}
	if asJSON(cmd) {
		return printJSON(cmd.OutOrStdout(), v)
	}
	if err := printRows(cmd.OutOrStdout(), false, "worker\tbuild\tat once\tdone\tfailed\tbusy\tworks for", v.Workers, workerRow); err != nil {
		return err
	}
	if err := printRows(cmd.OutOrStdout(), false, "run\tbuild\tdone\topen\tin queue\ta second\tleft\tpriority\t", v.Runs, runRow); err != nil {
		return err
	}
	if len(v.Workers)+len(v.Runs) == 0 {
		_, err = fmt.Fprintln(cmd.OutOrStdout(), "no workers and no runs")
	}
	return err
}

func workerRow(w cluster.WorkerState) string {
	does := cmp.Or(strings.Join(slices.Compact(slices.Sorted(slices.Values(w.Doing))), " "), w.Waiting, "-")
	return fmt.Sprintf("%s\t%s\t%d\t%d\t%d\t%.0f %%\t%s", w.Name, w.Build, w.Cores, w.Done, w.Failed, 100*w.Busy, does)
}

func runRow(r cluster.RunState) string {
	done, left, state := humanize.Count(uint64(r.Done)), "-", r.Trouble
	if r.Total > 0 {
		done = fmt.Sprintf("%d/%d", r.Done, r.Total)
	}
	if r.Left > 0 {
		left = time.Duration(r.Left * float64(time.Second)).Round(time.Second).String()
	}
	if r.Paused {
		state = "paused"
	}
	if len(r.Banned) > 0 {
		state += " excluded: " + strings.Join(r.Banned, " ")
	}
	return fmt.Sprintf("%s\t%s\t%s\t%d\t%d\t%.1f\t%s\t%d\t%s", r.Name, r.Build, done, r.Open, r.Queued, r.Rate, left, r.Priority, state)
}

type orderedJSON struct {
	Final bool   `json:"final"`
	Run   string `json:"run"`
	cluster.Order
}

// newOrder returns a command that sends an order, such as a pause, to a run of the cluster, and prints what the run then does. The
// function order parses the last argument of the command.
func newOrder(use, short, example, does string, order func(text string) (cluster.Order, error)) *cobra.Command {
	var o clusterCommand
	cmd := &cobra.Command{
		Use: use, Short: short, Long: short + ". See krow cluster for the names of runs.", Example: "  " + example,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !humanize.Name(args[0]) {
				return misusef("", "a run's name has letters, digits, - and _, at most 40, not %q", args[0])
			}
			order, err := order(args[len(args)-1])
			if err != nil {
				return err
			}
			nc, err := o.access.to(o.nats).ConnectOwner()
			if err != nil {
				return err
			}
			defer nc.Close()
			if err := cluster.Give(nc, args[0], order); err != nil {
				return err
			}
			return printAnswer(cmd, orderedJSON{true, args[0], order}, "run %s %s\n", args[0], does)
		},
	}
	o.add(cmd)
	return cmd
}

func newClusterServe() *cobra.Command {
	var o cluster.ServerOptions
	var creds string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run a server for several organisers",
		Long: `Run a NATS server until Ctrl-C. Organisers connect with --nats, workers with krow work --join. The server keeps
the work in memory. After a restart of the server, organisers again send all units without a result.`,
		Example: "  krow cluster serve --listen 127.0.0.1:4222\n  krow cluster serve --listen 10.0.0.1:4222 --creds lab.organiser",
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := checkListen("--listen", o.Addr, creds)
			if err == nil && creds != "" {
				o.Keys, err = cluster.ReadKeys(creds)
			}
			if err != nil {
				return err
			}
			s, err := cluster.Serve(o)
			if err != nil {
				return err
			}
			defer s.Close()
			fmt.Fprintf(cmd.ErrOrStderr(), "workers join by: krow work --join %s\n", machines.JoinFlags(s.URL(), creds))
			<-cmd.Context().Done()
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Addr, "listen", "", "`ADDRESS` at which organisers and workers can connect, such as 127.0.0.1:"+clusterPort)
	f.StringVar(&creds, "creds", "", "`FILE` of the organiser's keys: see krow cluster keys")
	addTLS(cmd, &o.Cert, &o.Key)
	return cmd
}

func newClusterKeys() *cobra.Command {
	var worker string
	cmd := &cobra.Command{
		Use:   "keys NAME",
		Short: "Make the keys of the organiser and of a worker",
		Long: `Write new files of keys. NAME.organiser contains the keys for a command with --cluster and for krow cluster: keep
this file secret. The file is written only if it does not exist. NAME.worker contains the keys of one machine, which can
only take units and return results under its name; --worker chooses another name than worker. Each machine needs its own
file. The keys are valid at once, also during a run.`,
		Example: "  krow cluster keys lab\n  krow cluster keys lab --worker attic",
		RunE: func(cmd *cobra.Command, args []string) error {
			organiser, file := args[0]+".organiser", args[0]+"."+worker
			keys, err := cluster.ReadKeys(organiser)
			made := errors.Is(err, fs.ErrNotExist)
			if made {
				keys, err = cluster.NewKeys()
			}
			if err != nil {
				return err
			}
			its, err := keys.Worker(worker)
			if err != nil {
				return misusef("", "%w", err)
			}
			if made {
				err = keys.Write(organiser)
			}
			if err == nil {
				err = its.Write(file)
			}
			if errors.Is(err, fs.ErrExist) {
				return misusef("keys are not replaced; --worker names another machine", "%w", err)
			} else if err != nil {
				return err
			}
			return printAnswer(cmd, map[string]string{"organiser": organiser, "worker": file}, "%s\n%s\n", organiser, file)
		},
	}
	cmd.Flags().StringVar(&worker, "worker", "worker", "`NAME` of the machine")
	return cmd
}
