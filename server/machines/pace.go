// SPDX-License-Identifier: Apache-2.0

package machines

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"sync"
	"time"

	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/internal/cpu"
)

// pace is how quick this machine is for games on the clock, and whether it is quiet enough for them.
//
// It is quiet before a game if a core is idle. It was quiet during the game if this process got the processor for as long as
// its units ran: a unit needs it all the time, and waits only where others have it.
type pace struct {
	idle      func(ctx context.Context) (cores float64, known bool)
	processor func() time.Duration // that this process has had

	mu      sync.Mutex
	speed   float64       // nodes of krow bench in a second of a processor; 0 where it is not known
	running int           // units
	ran     time.Duration // of all units together, until since
	since   time.Time
	looking int // units that look for an idle core
}

// own is the pace of this process.
var own = &pace{idle: idleCores, processor: cpu.Time}

// Speed returns how quick this machine is, in nodes of krow bench in a second of a processor. It is known when an organiser or
// a worker was made, and 0 before, or where the system does not tell the time of a processor.
func Speed() float64 {
	own.mu.Lock()
	defer own.mu.Unlock()
	return own.speed
}

// measured sets the speed.
func (p *pace) measured(nodes uint64, took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if took > 0 {
		p.speed = float64(nodes) / took.Seconds()
	}
}

// counted returns do, counted while it runs. A unit with a bot is not: the bot has a process of its own, and this one waits for it.
func (p *pace) counted(do work.Do) work.Do {
	return func(ctx context.Context, u work.Unit) ([]byte, error) {
		if bytes.Contains(u.Args, []byte("bot:")) || bytes.Contains(u.Args, []byte("bot(")) {
			return do(ctx, u)
		}
		p.runs(1)
		defer p.runs(-1)
		return do(ctx, u)
	}
}

// runs records that more units are running, and returns how long all of them have run together.
func (p *pace) runs(more int) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	p.ran += time.Duration(p.running) * now.Sub(p.since)
	p.since, p.running = now, p.running+more
	return p.ran
}

// beginGame implements [arena.Pace].
func (p *pace) beginGame(ctx context.Context, speed float64) (scale float64, undisturbed func() bool, err error) {
	p.mu.Lock()
	mine := p.speed
	p.mu.Unlock()
	if mine <= 0 || speed <= 0 || !p.findCore(ctx) {
		return 0, nil, work.ErrBusy
	}
	ran, took := p.runs(0), p.processor()
	return math.Round(1000*speed/mine) / 1000, func() bool { return quiet(p.runs(0)-ran, p.processor()-took) }, nil
}

// leastIdle is how much of a core must be idle for a game to begin.
const leastIdle = 0.8

// findCore reports whether a core is idle. Units that look at once need a core each; if there are not enough cores,
// the first unit gives up.
func (p *pace) findCore(ctx context.Context) bool {
	p.runs(-1) // it does nothing while it looks
	defer p.runs(1)
	p.looks(1)
	cores, known := p.idle(ctx)
	all := p.looks(-1) + 1
	return !known || cores >= leastIdle*float64(all)
}

func (p *pace) looks(more int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.looking += more
	return p.looking
}

// A game was disturbed if the process got less than this share of the processor, unless it was too short to measure.
const (
	leastShare = 0.9
	tooShort   = 200 * time.Millisecond
)

// quiet reports whether units that ran together for this time were undisturbed.
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
	if !ok || !also {
		return 0, false
	}
	return before.idleUntil(after)
}

// stat contains Linux's counters of its cores: ticks of all cores since the start, and ticks in which they were idle.
type stat struct{ all, idle, cores int64 }

// idleUntil returns how many cores did nothing between s and after. Ticks that count as idle may become fewer: then it is less
// than none.
//
// CITE: proc_stat(5): the time of waiting for disks (iowait) may decrease.
func (s stat) idleUntil(after stat) (cores float64, known bool) {
	if after.all <= s.all {
		return 0, false
	}
	return float64(after.cores*(after.idle-s.idle)) / float64(after.all-s.all), true
}

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
		var ticks [8]int64
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
