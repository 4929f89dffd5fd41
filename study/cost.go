// SPDX-License-Identifier: Apache-2.0

package study

import (
	"sync"
	"time"

	"github.com/krow-lab/krow/internal/cpu"
	"github.com/krow-lab/krow/study/report"
)

// meter counts what a study costs, and keeps it now and then, so that a study that was killed several times knows it too.
type meter struct {
	sync.Mutex
	key    string // empty: nothing is counted
	before time.Duration
	from   time.Duration // what the process had taken when it began
	last   time.Duration // and when the cost was kept
}

// costEvery is the processor time between two times that the cost is kept.
const costEvery = 10 * time.Second

// costKey is where the cost of a study is kept.
func (s *Session) costKey(study string) string { return "cost/1/" + study + s.Choice() }

// cost returns what a study has cost so far, or nothing if that was not counted.
func (s *Session) cost(study string) (c report.Cost, err error) {
	if s.Store == nil {
		return c, nil
	}
	if _, err = s.get(s.costKey(study), &c); err == nil && !s.Quick {
		var small report.Cost
		_, err = s.get((&Session{Quick: true, Reading: s.Reading, Players: s.Players, Time: s.Time}).costKey(study), &small)
		c.Small = small.Seconds
	}
	return c, err
}

// count begins to count.
func (s *Session) count(study string) error {
	c, err := s.cost(study)
	m := &s.meter
	m.key, m.before, m.from = s.costKey(study), time.Duration(c.Seconds*float64(time.Second)), cpu.Time()
	m.last = m.from
	return err
}

// keepCost keeps the cost, at the end or when it is time. It may be called by several goroutines.
func (s *Session) keepCost(end bool) error {
	m := &s.meter
	m.Lock()
	defer m.Unlock()
	now := cpu.Time()
	if m.key == "" || !end && now-m.last < costEvery {
		return nil
	}
	m.last = now
	return s.putPiece(m.key, report.Cost{Seconds: (m.before + now - m.from).Seconds(), Machine: cpu.Model()})
}
