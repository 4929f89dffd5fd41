// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"encoding/json"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/krow-lab/krow/arena/work"
)

// DeadLetter is a unit that could not be done, for people to look into. The stream keeps the last 1000 for a week.
type DeadLetter struct {
	Run    string    `json:"run"`
	Index  int       `json:"index"`
	Unit   work.Unit `json:"unit"`
	Reason string    `json:"reason"`
	Worker string    `json:"worker"` // that gave up last
	When   time.Time `json:"when"`
}

// bury keeps a unit that could not be done. Nothing depends on it.
func (r *running) bury(e *open) {
	d := DeadLetter{r.run.Name, e.index, e.unit, e.final.failed, e.final.worker, time.Now().UTC().Truncate(time.Second)}
	if data, err := json.Marshal(d); err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_, _ = r.js.Publish(ctx, "krow.dead."+r.run.Name, data)
	}
}

// shown is how many dead letters are shown, the last ones.
const shown = 20

func deadLetters(ctx context.Context, nc *nats.Conn) (all []DeadLetter, err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, err
	}
	stream, err := js.Stream(ctx, deadStream)
	if err != nil {
		return nil, err
	}
	state := stream.CachedInfo().State
	first := state.FirstSeq
	if state.LastSeq >= shown {
		first = max(first, state.LastSeq-shown+1)
	}
	for seq := first; seq <= state.LastSeq; seq++ {
		m, err := stream.GetMsg(ctx, seq)
		var d DeadLetter
		if err == nil && json.Unmarshal(m.Data, &d) == nil {
			all = append(all, d)
		}
	}
	return all, nil
}
