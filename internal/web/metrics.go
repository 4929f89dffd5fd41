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
	good, refused, failed   atomic.Int64
	thoughts, thoughtMillis atomic.Int64
}

func (n *numbers) answered(status int) {
	switch {
	case status < 400:
		n.good.Add(1)
	case status < 500:
		n.refused.Add(1)
	default:
		n.failed.Add(1)
	}
}

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
	for _, m := range []struct {
		name, kind, help string
		value            any
	}{
		{"krow_requests_total{result=\"good\"}", "", "", n.good.Load()},
		{"krow_requests_total{result=\"refused\"}", "", "", n.refused.Load()},
		{"krow_requests_total{result=\"failed\"}", "", "", n.failed.Load()},
		{"krow_streams", "gauge", "streams of events that are open", n.streams.Load()},
		{"krow_analyses_running", "gauge", "analyses that search", running},
		{"krow_analyses_waiting", "gauge", "analyses that wait", waiting},
		{"krow_analyses_total", "counter", "analyses begun", n.analyses.Load()},
		{"krow_games_total", "counter", "games begun", n.games.Load()},
		{"krow_moves_total", "counter", "moves played", n.moves.Load()},
		{"krow_moves_by_players_total", "counter", "moves that players thought about", n.thoughts.Load()},
		{"krow_thinking_seconds_total", "counter", "time they took", float64(n.thoughtMillis.Load()) / 1000},
		{"krow_goroutines", "gauge", "goroutines", runtime.NumGoroutine()},
		{"krow_heap_bytes", "gauge", "memory in use", mem.HeapInuse},
	} {
		if m.kind != "" {
			fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", m.name, m.help, m.name, m.kind)
		}
		fmt.Fprintf(w, "%s %v\n", m.name, m.value)
	}
}
