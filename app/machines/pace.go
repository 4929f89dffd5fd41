// SPDX-License-Identifier: Apache-2.0

package machines

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"sync"
	"time"

	"github.com/krow-lab/krow/internal/cpu"
	"github.com/krow-lab/krow/work"
)

// own is the pace of this process.
var own pace

// pace is how quick this machine is for one unit, and whether it is quiet: a process whose units run all the time takes as
// much of the processor as they run, unless others want it too.
type pace struct {
	mu      sync.Mutex
	speed   float64 // nodes of krow bench in a second of a processor; 0 where it is not known
	running int     // units
	since   time.Time
	ran     time.Duration // of all units together, until since
}

func (p *pace) measured(nodes uint64, took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.speed = float64(nodes) / took.Seconds()
	if took <= 0 {
		p.speed = 0
	}
}

// Speed returns how quick this machine is, in nodes of krow bench in a second of a processor. It is known when an organiser or
// a worker was made, and 0 before, or where the system does not tell the time of a processor.
func Speed() float64 {
	own.mu.Lock()
	defer own.mu.Unlock()
	return own.speed
}

// runs notes that so many units more are running, and returns how long all have run together.
func (p *pace) runs(more int) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	p.ran += time.Duration(p.running) * now.Sub(p.since)
	p.since, p.running = now, p.running+more
	return p.ran
}

// counted returns do, counted while it runs.
func (p *pace) counted(do work.Do) work.Do {
	return func(ctx context.Context, u work.Unit) ([]byte, error) {
		p.runs(1)
		defer p.runs(-1)
		return do(ctx, u)
	}
}

// pace is an arena.Pace. It looks for a core that is idle before it begins.
func (p *pace) pace(ctx context.Context, speed float64) (scale float64, undisturbed func() bool, err error) {
	p.mu.Lock()
	mine := p.speed
	p.mu.Unlock()
	if mine <= 0 || speed <= 0 {
		return 0, nil, errors.New("how quick this machine is cannot be told")
	}
	p.runs(-1) // it does nothing while it looks
	idle, known := idleCores(ctx)
	ran, took := p.runs(1), cpu.Time()
	if known && idle < leastIdle {
		return 0, nil, work.ErrBusy
	}
	return math.Round(1000*speed/mine) / 1000, func() bool { return quiet(p.runs(0)-ran, cpu.Time()-took) }, nil
}

// leastIdle is how much of a core must be idle for a game to begin.
const leastIdle = 0.8

// A unit is disturbed if the process got less than so much of the processor, but for units that are too short to tell.
const (
	leastShare = 0.9
	tooShort   = 200 * time.Millisecond
)

// quiet says whether units that ran so long together were undisturbed.
func quiet(ran, took time.Duration) bool {
	return ran < tooShort || took >= time.Duration(leastShare*float64(ran))
}

// looking is how long it looks for idle cores.
const looking = 300 * time.Millisecond

// idleCores returns how many cores do nothing, where the system tells it.
func idleCores(ctx context.Context) (cores float64, known bool) {
	before, ok := readStat()
	select {
	case <-time.After(looking):
	case <-ctx.Done():
	}
	after, also := readStat()
	if !ok || !also || after.all <= before.all {
		return 0, false
	}
	return float64(after.cores) * float64(after.idle-before.idle) / float64(after.all-before.all), true
}

// stat is what Linux tells of its cores: ticks of all of them since the start, and those in which they did nothing.
type stat struct{ all, idle, cores uint64 }

func readStat() (s stat, ok bool) {
	data, err := os.ReadFile("/proc/stat")
	if err != nil {
		return s, false
	}
	return parseStat(data)
}

// parseStat reads the lines cpu and cpu0, cpu1 and so on of /proc/stat.
//
// CITE: proc_stat(5): user, nice, system, idle, iowait, irq, softirq, steal; the two after them are in user and nice already.
func parseStat(data []byte) (s stat, ok bool) {
	for line := range bytes.Lines(data) {
		var name string
		var ticks [8]uint64
		n, _ := fmt.Sscan(string(line), &name, &ticks[0], &ticks[1], &ticks[2], &ticks[3], &ticks[4], &ticks[5], &ticks[6], &ticks[7])
		switch {
		case name == "cpu" && n > 4:
			for _, t := range ticks {
				s.all += t
			}
			s.idle, ok = ticks[3]+ticks[4], true
		case len(name) > 3 && name[:3] == "cpu":
			s.cores++
		}
	}
	return s, ok && s.cores > 0
}
