// SPDX-License-Identifier: Apache-2.0

package web

import (
	"fmt"
	"net/http"
	"runtime"
	"sync/atomic"
	"time"
)

// numbers are what /metrics tells.
type numbers struct {
	queue                   *queue
	streams                 atomic.Int64
	games, moves, analyses  atomic.Int64
	answers                 [3]atomic.Int64 // good, refused, failed
	thoughts, thoughtMillis atomic.Int64
}

func (n *numbers) answered(status int) { n.answers[min(max(status/100-3, 0), 2)].Add(1) }

// moved counts a move, and the time that a player thought about it.
func (n *numbers) moved(thought time.Duration) {
	n.moves.Add(1)
	if thought > 0 {
		n.thoughts.Add(1)
		n.thoughtMillis.Add(thought.Milliseconds())
	}
}

// metrics writes the numbers in the text format of Prometheus.
//
// CITE: Prometheus, Exposition formats, version 0.0.4.
func (n *numbers) metrics(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	running, waiting := n.queue.lengths()
	for i, result := range []string{"good", "refused", "failed"} {
		fmt.Fprintf(w, "krow_requests_total{result=%q} %d\n", result, n.answers[i].Load())
	}
	write := func(name, kind, help string, value any) {
		fmt.Fprintf(w, "# HELP krow_%s %s\n# TYPE krow_%[1]s %[3]s\nkrow_%[1]s %[4]v\n", name, help, kind, value)
	}
	write("streams", "gauge", "streams of events that are open", n.streams.Load())
	write("analyses_running", "gauge", "analyses that search", running)
	write("analyses_waiting", "gauge", "analyses that wait", waiting)
	write("analyses_total", "counter", "analyses begun", n.analyses.Load())
	write("games_total", "counter", "games begun", n.games.Load())
	write("moves_total", "counter", "moves played", n.moves.Load())
	write("moves_by_players_total", "counter", "moves that players thought about", n.thoughts.Load())
	write("thinking_seconds_total", "counter", "time they took", float64(n.thoughtMillis.Load())/1000)
	write("goroutines", "gauge", "goroutines", runtime.NumGoroutine())
	write("heap_bytes", "gauge", "memory in use", mem.HeapInuse)
}
