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
)

type clusterCommand struct {
	nats   string
	listen time.Duration
	access accessFlags
}

func (o *clusterCommand) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.nats, "nats", "nats://127.0.0.1:"+clusterPort, "the server")
	completeFlag(cmd, "nats", nothing)
	o.access.add(cmd)
}

func newCluster() *cobra.Command {
	var o clusterCommand
	cmd := &cobra.Command{
		Use:   "cluster",
		Short: "Show what workers and runs do, and steer the runs",
		Long: `Listen for two seconds to what workers and runs say at a server, and print it: of each worker its build, units at once, units
done and failed, the share of its time that it was busy, and the runs it works for; of each run what is done and how long the
rest takes; of the units that could not be done the last twenty, with their reasons. The commands below steer a run, by its
name.`,
		Example: `  krow cluster
  krow cluster --nats nats://192.168.1.10:4222 --creds organiser.keys
  krow cluster pause match-1f3a5c77a0b2`,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.show(cmd) },
	}
	o.add(cmd)
	cmd.Flags().DurationVar(&o.listen, "listen", 2*time.Second, "how long to listen")
	yes, no := true, false
	cmd.AddCommand(
		newOrder("pause RUN", "Hand out no more units of a run", "krow cluster pause match-1f3a5c77a0b2", func(string) (cluster.Order, error) { return cluster.Order{Pause: &yes}, nil }),
		newOrder("resume RUN", "Hand out units of a paused run again", "krow cluster resume match-1f3a5c77a0b2", func(string) (cluster.Order, error) { return cluster.Order{Pause: &no}, nil }),
		newOrder("cancel RUN", "End a run; what it has kept stays, and it can be begun again", "krow cluster cancel match-1f3a5c77a0b2", func(string) (cluster.Order, error) { return cluster.Order{Cancel: true}, nil }),
		newOrder("priority RUN N", "Let runs of less priority wait until this one has no units left", "krow cluster priority match-1f3a5c77a0b2 5", func(text string) (o cluster.Order, err error) {
			n, err := strconv.Atoi(text)
			if err != nil {
				return o, misusef("", "a priority is a whole number, not %q", text)
			}
			return cluster.Order{Priority: &n}, nil
		}),
		newOrder("share RUN X", "Give a run X times the workers of a run with share 1", "krow cluster share match-1f3a5c77a0b2 2", func(text string) (o cluster.Order, err error) {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil || !(x >= 0.01 && x <= 100) {
				return o, misusef("", "a share is a number from 0.01 to 100, not %q", text)
			}
			return cluster.Order{Share: &x}, nil
		}),
		newClusterKeys(), newClusterServe(),
	)
	return cmd
}

func (o *clusterCommand) show(cmd *cobra.Command) error {
	if o.listen <= 0 {
		return misusef("", "--listen must be longer than nothing: %v", o.listen)
	}
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
	if err := printRows(cmd.OutOrStdout(), false, "run\tbuild\tdone\topen\tin queue\ta second\tleft\tpriority\tshare\t", v.Runs, runRow); err != nil {
		return err
	}
	if len(v.Dead) > 0 {
		if err := printRows(cmd.OutOrStdout(), false, "could not be done\tunit\tkind\tby\twhen\treason", v.Dead, deadRow); err != nil {
			return err
		}
	}
	if len(v.Workers)+len(v.Runs) == 0 {
		_, err = fmt.Fprintln(cmd.OutOrStdout(), "no workers and no runs")
	}
	return err
}

func workerRow(w cluster.WorkerState) string {
	var runs []string
	for _, d := range w.Doing {
		if !slices.Contains(runs, d.Run) {
			runs = append(runs, d.Run)
		}
	}
	does := cmp.Or(strings.Join(runs, " "), w.Waiting, "-")
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
	if r.GivenBack > 0 {
		state += fmt.Sprintf(" given back by busy machines: %d", r.GivenBack)
	}
	if len(r.Banned) > 0 {
		state += " set aside: " + strings.Join(r.Banned, " ")
	}
	return fmt.Sprintf("%s\t%s\t%s\t%d\t%d\t%.1f\t%s\t%d\t%g\t%s", r.Name, r.Build, done, r.Open, r.Queued, r.Rate, left, r.Priority, r.Share, state)
}

func deadRow(d cluster.DeadLetter) string {
	return fmt.Sprintf("%s\t%d\t%s\t%s\t%s\t%s", d.Run, d.Index+1, d.Unit.Kind, d.Worker, d.When.Local().Format(time.DateTime), d.Reason)
}

// newOrder returns a command that steers a run. order reads its last argument.
func newOrder(use, short, example string, order func(text string) (cluster.Order, error)) *cobra.Command {
	var o clusterCommand
	cmd := &cobra.Command{
		Use: use, Short: short, Long: short + ". See krow cluster for the names of runs.", Example: "  " + example,
		RunE: func(_ *cobra.Command, args []string) error {
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
			return cluster.Give(nc, args[0], order)
		},
	}
	o.add(cmd)
	return cmd
}

func newClusterKeys() *cobra.Command {
	var worker string
	cmd := &cobra.Command{
		Use:   "keys NAME",
		Short: "Make keys for the organiser and for a worker",
		Long: `Write new files of keys. NAME.organiser is for the command with --cluster, and for krow cluster: keep it to yourself. It is
made if it is not there. NAME.worker, or with --worker another name, is for one machine that works: it lets it take units and
give results under that name, and nothing else. Each machine needs its own. One that is made while a run goes on lets its
machine in at once.`,
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
			return answer(cmd, map[string]string{"organiser": organiser, "worker": file}, "%s\n%s\n", organiser, file)
		},
	}
	cmd.Flags().StringVar(&worker, "worker", "worker", "name of the machine that works")
	completeFlag(cmd, "worker", nothing)
	return cmd
}
