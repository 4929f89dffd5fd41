// SPDX-License-Identifier: Apache-2.0

package league

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/server/gate"
	"github.com/krow-lab/krow/server/store"
)

// Host keeps the leagues of a server open, to show them and to play their games as jobs. Use NewHost.
type Host struct {
	db      *store.Store
	jobs    *gate.Jobs
	busy    func() bool
	options func(*League) (o Options, end func())

	mu   sync.Mutex
	open map[int64]*League
}

// NewHost returns the host of the leagues in a store. The leagues wait before each move while the function busy returns true. The
// function options returns the options with which a league is played, and a function to call when the playing ends; the host sets
// Options.Most and Options.Spare.
func NewHost(db *store.Store, jobs *gate.Jobs, busy func() bool, options func(*League) (o Options, end func())) *Host {
	return &Host{db: db, jobs: jobs, busy: busy, options: options, open: map[int64]*League{}}
}

const (
	// The host stops a league when each member has played enoughGames games.
	enoughGames = 1000
	maxLeagues  = 100 // maximum number of leagues of a server
	maxEntries  = 3   // maximum number of bots of one member in a league
)

// Job returns the key of the job that plays a league.
func Job(id int64) string { return fmt.Sprintf("league %d", id) }

// Work returns the state of the job that plays a league.
func (h *Host) Work(id int64) gate.Work { return h.jobs.Look(Job(id)) }

// Create makes a league, unless the server has too many.
func (h *Host) Create(name, spec string, t Terms) (*League, error) {
	all, err := h.db.Leagues()
	if err != nil {
		return nil, err
	}
	if len(all) >= maxLeagues {
		return nil, fault.New("bad-league", fmt.Sprintf("there are %d leagues, and no more are kept", len(all)))
	}
	l, err := Create(h.db, name, spec, t)
	if err != nil {
		return nil, err
	}
	return h.League(l.ID)
}

// League returns the league with the number id. Only the first call opens it.
func (h *Host) League(id int64) (*League, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if l := h.open[id]; l != nil {
		if _, err := h.db.League(id); err != nil {
			delete(h.open, id)
			return nil, err
		}
		return l, nil
	}
	l, err := byID(h.db, id)
	if err != nil {
		return nil, err
	}
	h.open[id] = l
	return l, nil
}

// Play begins to play a league, or continues. The league is also continued when the server starts again.
func (h *Host) Play(l *League) error {
	if err := l.setPlaying(true); err != nil {
		return err
	}
	// In the queue of jobs, each league counts as a separate client with the quota of a member.
	job := Job(l.ID)
	return h.jobs.Start(gate.Client{Name: job, Trusted: true}, func() (string, error) { return job, nil },
		func(ctx context.Context, _ func(string)) error {
			o, end := h.options(l)
			defer end()
			o.Most, o.Spare = enoughGames, h.spare
			if err := l.Run(ctx, o); err != nil {
				return err
			}
			return l.setPlaying(false) // Run has ended because every member has played enoughGames games, so the league stops
		})
}

// Stop stops playing a league.
func (h *Host) Stop(ctx context.Context, l *League) error {
	if err := l.setPlaying(false); err != nil {
		return err
	}
	h.jobs.Stop(ctx, Job(l.ID))
	return nil
}

// Delete stops a league and deletes it with its games.
func (h *Host) Delete(ctx context.Context, l *League) error {
	h.jobs.Stop(ctx, Job(l.ID))
	return l.Delete()
}

// Resume continues the leagues that were in progress when the server ended.
func (h *Host) Resume() error {
	all, err := h.db.Leagues()
	for _, row := range all {
		if !row.Playing {
			continue
		}
		l, failed := h.League(row.ID)
		if failed == nil {
			failed = h.Play(l)
		}
		err = errors.Join(err, failed)
	}
	return err
}

// Quit is Quit of the jobs that play the leagues.
func (h *Host) Quit(end func()) { h.jobs.Quit(end) }

// spareTime is the interval at which a waiting league checks whether the server is still busy.
const spareTime = 50 * time.Millisecond

// spare waits until the server is not busy, or ctx is done.
func (h *Host) spare(ctx context.Context) {
	tick := time.NewTicker(spareTime)
	defer tick.Stop()
	for h.busy() {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
