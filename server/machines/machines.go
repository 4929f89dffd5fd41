// SPDX-License-Identifier: Apache-2.0

// Package machines distributes the work of a command to other machines: games of a match, a league or a study, and self-play
// games to learn from. It decides which work can be distributed, to which builds, and through which server. Package
// server/cluster implements the queue through which the work reaches the other machines.
//
// # Basics
//
//	o, err := machines.Begin(ctx, machines.Server{Listen: "127.0.0.1:4222"}, log)
//	defer o.Close()
//	err = machines.Enter(m, machines.Spec)
//	m.Terms.Queue = o.Queue(machines.Of(m))
//
//	w, err := machines.Worker(ctx, "host-1", 4, log)
//	err = w.Run(ctx, conn)
package machines

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/VictoriaMetrics/metrics"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/bench"
	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/cpu"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/learn/selfplay"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/server/cluster"
	"github.com/krow-lab/krow/server/match"
)

// kinds returns the kinds of units that a worker does. The specs of players come from other machines and are not trusted. So
// these players start no program, and read no files except the files that the unit names.
func kinds() work.Kinds {
	all := arena.Kinds(krow.Game, untrustedPlayer, Speed)
	maps.Copy(all, selfplay.Kinds(krow.Game, publicEngine))
	return all
}

// untrustedPlayer makes a player for a unit from another machine.
func untrustedPlayer(g game.Game, text string, seed uint64) (player.Player, error) {
	return krow.PlayerBy(spec.Untrusted, g, text, seed)
}

// publicEngine returns the engine for a unit from another machine. The engine can use the default network, no network, or a
// network in a file that the unit names.
func publicEngine(g game.Game, net string) (selfplay.Engine, error) {
	if path, ok := spec.Input(net); ok {
		net = path
	} else if net != "default" && net != "none" {
		return nil, fmt.Errorf("the player uses the network in a file: %s", net)
	}
	return krow.SelfPlay(g, net)
}

// speed contains the result of the function Speed, as the bits of a float64.
var speed atomic.Uint64

// Speed returns the speed of this machine, in nodes of krow bench per second of processor time. It is 0 until an organiser or a
// worker is made. It stays 0 if the system does not report processor times.
func Speed() float64 { return math.Float64frombits(speed.Load()) }

// build returns the name of this build, and measures [Speed]. It runs the bench, which takes about a second.
func build(ctx context.Context) (string, error) {
	before := cpu.Time()
	signature, err := bench.Run(ctx, func(bench.Result) error { return nil })
	if err != nil {
		return "", err
	}
	if took := cpu.Time() - before; took > 0 {
		speed.Store(math.Float64bits(float64(signature) / took.Seconds()))
	}
	return cluster.Build(signature)
}

// Enter lets other machines play a match. It calls of, which is Spec or Kept, for each player, and sets Away to the returned
// specs. It returns an error if a player cannot be made on other machines.
func Enter(m *match.Match, of func(g game.Game, text string, lim search.Limits) (string, error)) error {
	t := m.Terms
	lim := t.Limits
	lim.Time = max(lim.Time, t.Clock.Match)
	var away []string
	for _, p := range m.Players {
		text, err := of(t.Game, p.Name, lim)
		if err != nil {
			return err
		}
		away = append(away, text)
	}
	m.Away = away
	return nil
}

// Run returns the description of a run. identity must contain everything that affects its results, so that a run that continues
// gets the same name.
func Run(kind, identity, title string, units int) cluster.Run {
	return cluster.Run{Name: kind + "-" + work.Hash([]byte(identity))[:12], Title: title, Units: units}
}

// Of returns the description of a run for a match.
func Of(m *match.Match) cluster.Run {
	return Run("match", m.Identity(), m.Title(), m.Games()-m.Played())
}

// OfLeague returns the description of a run for the games of a league.
func OfLeague(id int64, name string) cluster.Run {
	return Run("league", fmt.Sprint(id), "league "+name, 0)
}

// OfStudy returns the description of a run for a study with a choice of settings: see research.Session.Choice.
func OfStudy(name, choice string) cluster.Run { return Run("study", name+choice, "study "+name, 0) }

// Server describes the server that connects an organiser with its workers. If Listen is set, the server runs in this process;
// otherwise it is the server at Access.URL.
type Server struct {
	Listen    string // address and port, or empty
	Cert, Key string // names of the files for TLS at Listen
	Access    cluster.Access
}

// Organiser hands out the units of several runs to workers.
type Organiser struct {
	*cluster.Organiser
	Join  string // what workers type after krow work --join, if the server is in this process; otherwise empty
	close func()
}

// joinFlags returns the text that follows krow work --join on the command line of a worker: the URL of the server and, if the
// organiser uses the key file creds, the key file of the first worker.
func joinFlags(url, creds string) string {
	if creds != "" {
		url += " --creds " + strings.TrimSuffix(creds, ".organiser") + ".worker"
	}
	return url
}

// Begin starts an organiser, and its server if s.Listen is set. log receives messages for the person who runs it.
func Begin(ctx context.Context, s Server, log func(text string)) (*Organiser, error) {
	join, stop, connect := "", func() {}, s.Access.ConnectOwner
	if s.Listen != "" {
		here, err := s.serve()
		if err != nil {
			return nil, err
		}
		join, stop, connect = joinFlags(here.URL(), s.Access.Keys), here.Close, here.Connect
	}
	nc, err := connect()
	if err != nil {
		stop()
		return nil, err
	}
	all := &Organiser{Join: join, close: func() { nc.Close(); stop() }}
	var mu sync.Mutex
	o := cluster.OrganiserOptions{Kinds: kinds(), Files: files(), Log: func(text string) {
		mu.Lock()
		defer mu.Unlock()
		log(text)
	}}
	if o.Build, err = build(ctx); err == nil {
		all.Organiser, err = cluster.NewOrganiser(ctx, nc, o)
	}
	if err != nil {
		all.Close()
		return nil, err
	}
	return all, nil
}

// Work lets this process do units as well, on a number of cores, until ctx is done.
func (o *Organiser) Work(ctx context.Context, cores int) error {
	return o.Employ(ctx, &cluster.Worker{Name: cluster.NewName(), Build: o.Build, Cores: cores, Kinds: kinds(), Files: files(), Log: o.Log})
}

// WorkHere lets this process do units as well, on all cores except one, until the returned function is called.
func (o *Organiser) WorkHere(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	over := make(chan struct{})
	go func() {
		defer close(over)
		if err := o.Work(ctx, max(runtime.NumCPU()-1, 1)); ctx.Err() == nil {
			o.Log(err.Error())
		}
	}()
	return func() {
		cancel()
		<-over
	}
}

// WriteMetrics writes the metrics of the machines in the format of Prometheus.
func (o *Organiser) WriteMetrics(w io.Writer) {
	v := o.View()
	var cores, doing, done, failed, open, queued int
	var rate float64
	for _, m := range v.Workers {
		cores, doing, done, failed = cores+m.Cores, doing+len(m.Doing), done+m.Done, failed+m.Failed
	}
	for _, r := range v.Runs {
		if !r.Finished {
			open, queued, rate = open+r.Open, queued+r.Queued, rate+r.Rate
		}
	}
	for _, m := range []struct {
		name  string
		count int
	}{
		{"workers", len(v.Workers)},
		{"cores", cores},
		{"units_running", doing},
		{"units_done", done},
		{"units_failed", failed},
		{"units_open", open},
		{"units_queued", queued},
	} {
		metrics.WriteGaugeUint64(w, "krow_machines_"+m.name, uint64(m.count))
	}
	metrics.WriteGaugeFloat64(w, "krow_machines_units_per_second", rate)
}

// Close ends the connection, and stops the server if it is in this process.
func (o *Organiser) Close() { o.close() }

// serve starts a server in this process. If Access has keys, workers need keys to connect.
func (s Server) serve() (here *cluster.Server, err error) {
	o := cluster.ServerOptions{Addr: s.Listen, Cert: s.Cert, Key: s.Key}
	if s.Access.Keys != "" {
		if o.Keys, err = cluster.ReadKeys(s.Access.Keys); err != nil {
			return nil, err
		}
	}
	return cluster.Serve(o)
}

// Worker returns a worker of this build. cores is the number of units that it does at once. log receives messages for the
// person who runs the worker.
func Worker(ctx context.Context, name string, cores int, log func(text string)) (*cluster.Worker, error) {
	b, err := build(ctx)
	return &cluster.Worker{Name: name, Build: b, Cores: cores, Kinds: kinds(), Files: files(), Log: log}, err
}
