// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// WorkerState is the state of a worker. The worker publishes it every second.
type WorkerState struct {
	Name    string   `json:"name"`
	Build   string   `json:"build"`
	Cores   int      `json:"cores"`
	Doing   []string `json:"doing"` // for each unit in progress, the name of its run
	Done    int      `json:"done"`
	Failed  int      `json:"failed"`
	Busy    float64  `json:"busy"` // share of the time in which the worker's cores did units
	Waiting string   `json:"waiting,omitempty"`
	Since   int64    `json:"since"` // when the worker began, in nanoseconds of Unix time
}

// RunState is the state of a run. Its organiser publishes it every second.
type RunState struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Build    string   `json:"build"`
	Priority int      `json:"priority"`
	Paused   bool     `json:"paused,omitempty"`
	Finished bool     `json:"finished,omitempty"`
	HandsOut bool     `json:"hands_out"` // whether the run has more units to publish
	Done     int      `json:"done"`
	Total    int      `json:"total,omitempty"` // 0 if unknown
	Open     int      `json:"open"`            // number of published units whose results are not delivered yet
	Queued   int      `json:"queued"`          // number of open units that are still in the stream
	Rate     float64  `json:"per_second"`
	Left     float64  `json:"seconds_left,omitempty"`
	Checked  int      `json:"checked"`
	Banned   []string `json:"banned,omitempty"`
	Trouble  string   `json:"trouble,omitempty"`
}

// View is the state of a cluster. Both lists are sorted by name.
type View struct {
	Workers []WorkerState `json:"workers" nullable:"false"`
	Runs    []RunState    `json:"runs" nullable:"false"`
}

// silence is the time without a report after which a worker or a run is considered gone.
const silence = 10 * time.Second

// roster contains the latest report of each worker and each run.
type roster struct {
	mu      sync.Mutex
	workers map[string]heard[WorkerState]
	runs    map[string]heard[RunState] // runs of all organisers on the server
}

type heard[T any] struct {
	state T
	at    time.Time
}

func newRoster(nc *nats.Conn) (*roster, error) {
	r := &roster{workers: map[string]heard[WorkerState]{}, runs: map[string]heard[RunState]{}}
	err := listen(nc, &r.mu, "krow.worker.*", func(w WorkerState) { r.workers[w.Name] = heard[WorkerState]{w, time.Now()} })
	if err == nil {
		err = listen(nc, &r.mu, "krow.run.*", func(s RunState) { r.runs[s.Name] = heard[RunState]{s, time.Now()} })
	}
	return r, err
}

// listen subscribes to a subject, and calls note with each valid message while it holds mu.
func listen[T any](nc *nats.Conn, mu *sync.Mutex, subject string, note func(T)) error {
	_, err := nc.Subscribe(subject, func(m *nats.Msg) {
		var state T
		if json.Unmarshal(m.Data, &state) == nil {
			mu.Lock()
			defer mu.Unlock()
			note(state)
		}
	})
	return err
}

// view deletes the workers and runs that have been silent for too long, and returns the remaining workers and runs.
func (r *roster) view() View {
	r.mu.Lock()
	defer r.mu.Unlock()
	v := View{listHeard(r.workers), listHeard(r.runs)}
	slices.SortFunc(v.Workers, func(a, b WorkerState) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(v.Runs, func(a, b RunState) int { return cmp.Compare(a.Name, b.Name) })
	return v
}

func listHeard[T any](all map[string]heard[T]) []T {
	list := []T{}
	for name, h := range all {
		if time.Since(h.at) > silence {
			delete(all, name)
			continue
		}
		list = append(list, h.state)
	}
	return list
}

// Order changes a run; absent fields change nothing. An empty Order only tests whether the run is in progress.
type Order struct {
	Pause    *bool `json:"pause,omitempty"`
	Cancel   bool  `json:"cancel,omitempty"`
	Priority *int  `json:"priority,omitempty"`
}

// Give sends an order to the organiser of a run. It returns an error if no run of this name is in progress.
func Give(nc *nats.Conn, run string, o Order) error {
	data, err := json.Marshal(o)
	if err != nil {
		return err
	}
	m, err := nc.Request("krow.order."+run, data, silence)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("there is no active run %s", run)
	case errors.Is(err, nats.ErrTimeout):
		return fmt.Errorf("run %s does not answer: %w", run, err)
	case err != nil:
		return err
	case len(m.Data) > 0:
		return fmt.Errorf("run %s: %s", run, m.Data)
	}
	return nil
}
