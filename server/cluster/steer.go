// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// RunState is how a run goes.
type RunState struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Build    string   `json:"build"`
	Priority int      `json:"priority"`
	Share    float64  `json:"share"`
	Paused   bool     `json:"paused,omitempty"`
	Finished bool     `json:"finished,omitempty"`
	HandsOut bool     `json:"hands_out"` // it has units that nobody has got yet
	Done     int      `json:"done"`
	Total    int      `json:"total,omitempty"` // 0 where nobody knows
	Open     int      `json:"open"`            // units handed out and not delivered
	Queued   int      `json:"queued"`          // of them in the stream
	Rate     float64  `json:"per_second"`
	Left     float64  `json:"seconds_left,omitempty"`
	Checked  int      `json:"checked"`
	Banned   []string `json:"banned,omitempty"`
	// GivenBack counts the units that machines gave back because their cores were busy.
	GivenBack int    `json:"given_back,omitempty"`
	Trouble   string `json:"trouble,omitempty"`
}

// tell says how the run goes.
func (r *running) tell() {
	s := &r.state
	s.Name, s.Title, s.Build, s.Priority, s.Share, s.Paused = r.run.Name, r.run.Title, r.Build, r.run.Priority, r.run.Share, r.paused
	s.HandsOut, s.Done, s.Open, s.Total = !r.exhausted, r.done, len(r.order), r.run.Units
	s.Rate = float64(r.done) / max(time.Since(r.began).Seconds(), 0.001)
	if s.Left = 0; s.Rate > 0 && s.Total > 0 {
		s.Left = float64(s.Total-s.Done) / s.Rate
	}
	if data, err := json.Marshal(s); err == nil {
		r.nc.Publish("krow.run."+s.Name, data)
	}
}

// window is how many units of a run may be without a result: enough for its share of the workers twice over, so that
// they always find a unit, and few enough that the order of runs changes soon.
func (r *running) window() int {
	_, slots := r.team()
	return window(RunState{Priority: r.run.Priority, Share: r.run.Share}, r.others(r.run.Name), slots)
}

func window(mine RunState, others []RunState, slots int) int {
	shares := mine.Share
	for _, o := range others {
		switch {
		case o.Paused || o.Finished || !o.HandsOut || o.Priority < mine.Priority:
		case o.Priority > mine.Priority:
			return 0
		default:
			shares += o.Share
		}
	}
	return int(math.Ceil(float64(2*slots+16) * mine.Share / shares))
}

// Order changes a run.
type Order struct {
	Pause    *bool    `json:"pause,omitempty"`
	Cancel   bool     `json:"cancel,omitempty"`
	Priority *int     `json:"priority,omitempty"`
	Share    *float64 `json:"share,omitempty"`
}

// takeOrders obeys what krow cluster says.
func (r *running) takeOrders(ctx context.Context) (*nats.Subscription, error) {
	orders := make(chan Order)
	r.orders = orders
	return r.nc.Subscribe("krow.order."+r.run.Name, func(m *nats.Msg) {
		var o Order
		if err := json.Unmarshal(m.Data, &o); err != nil {
			m.Respond([]byte(err.Error()))
			return
		}
		select {
		case orders <- o:
			m.Respond(nil)
		case <-ctx.Done():
		}
	})
}

func (r *running) obey(o Order) {
	if o.Pause != nil {
		r.paused = *o.Pause
	}
	if o.Priority != nil {
		r.run.Priority = *o.Priority
	}
	if o.Share != nil && *o.Share > 0 {
		r.run.Share = *o.Share
	}
	if o.Cancel {
		r.cancel(ErrCancelled)
	}
	r.tell()
}

// Give sends an order to the organiser of a run.
func Give(nc *nats.Conn, run string, o Order) error {
	data, err := json.Marshal(o)
	if err != nil {
		return err
	}
	m, err := nc.Request("krow.order."+run, data, silence)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("no run %s goes on", run)
	case errors.Is(err, nats.ErrTimeout):
		return fmt.Errorf("run %s does not answer: %w", run, err)
	case err != nil:
		return err
	case len(m.Data) > 0:
		return fmt.Errorf("run %s: %s", run, m.Data)
	}
	return nil
}

// View is what goes on in a cluster.
type View struct {
	Workers []WorkerState `json:"workers"`
	Runs    []RunState    `json:"runs"`
	Dead    []DeadLetter  `json:"dead,omitempty"`
}

// View returns what goes on, as an organiser has heard it.
func (o *Organiser) View(ctx context.Context) View {
	o.team() // forgets those that are gone
	o.others("")
	workers, runs := map[string]WorkerState{}, map[string]RunState{}
	o.mu.Lock()
	for name, w := range o.workers {
		workers[name] = w.state
	}
	for name, r := range o.runs {
		runs[name] = r.state
	}
	o.mu.Unlock()
	dead, _ := deadLetters(ctx, o.nc) // a server that is away tells none
	return newView(workers, runs, dead)
}

// Give sends an order to a run, of this organiser or of another one.
func (o *Organiser) Give(run string, order Order) error { return Give(o.nc, run, order) }

// Employ has a worker of this process do units, until ctx is done.
func (o *Organiser) Employ(ctx context.Context, w *Worker) error { return w.Run(ctx, o.nc) }

func newView(workers map[string]WorkerState, runs map[string]RunState, dead []DeadLetter) View {
	v := View{slices.AppendSeq([]WorkerState{}, maps.Values(workers)), slices.AppendSeq([]RunState{}, maps.Values(runs)), dead}
	slices.SortFunc(v.Workers, func(a, b WorkerState) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(v.Runs, func(a, b RunState) int { return cmp.Compare(a.Name, b.Name) })
	return v
}

// Look listens for a while to what workers and runs say.
func Look(ctx context.Context, nc *nats.Conn, listen time.Duration) (v View, err error) {
	var mu sync.Mutex
	workers, runs := map[string]WorkerState{}, map[string]RunState{}
	if err := hear(nc, "krow.worker.*", func(w WorkerState) { workers[w.Name] = w }, &mu); err != nil {
		return v, err
	}
	if err := hear(nc, "krow.run.*", func(r RunState) { runs[r.Name] = r }, &mu); err != nil {
		return v, err
	}
	select {
	case <-time.After(listen):
	case <-ctx.Done():
		return v, context.Cause(ctx)
	}
	dead, _ := deadLetters(ctx, nc) // a server without one has none
	mu.Lock()
	defer mu.Unlock()
	return newView(workers, runs, dead), nil
}
