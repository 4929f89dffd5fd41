// SPDX-License-Identifier: Apache-2.0

package api

import (
	"net/http"
	"strings"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"github.com/krow-lab/krow/server/gate"
)

// numbers holds the metrics of a server, which /metrics shows.
//
// CITE: Prometheus, Exposition formats, version 0.0.4.
type numbers struct {
	set     *metrics.Set
	streams *metrics.Gauge
	games   *metrics.Counter
	moves   *metrics.Counter
	panics  *metrics.Counter

	requestTime, moveTime, analysisTime *metrics.PrometheusHistogram // in seconds
}

// The upper bounds of the buckets of the histograms, in seconds: about three bounds for each factor of ten, or two for work that
// takes minutes.
var (
	shortTimes = metrics.ExponentialBuckets(0.001, 2.15, 14) // bounds of the buckets, from 1 ms to 20 s
	longTimes  = metrics.ExponentialBuckets(0.01, 3, 11)     // bounds of the buckets, from 10 ms to 10 minutes
)

// newNumbers returns the metrics of a server whose analyses wait in queue.
func newNumbers(queue *gate.Gate) *numbers {
	set := metrics.NewSet()
	set.NewGauge("krow_analyses_running", func() float64 { running, _ := queue.Lengths(); return float64(running) })
	set.NewGauge("krow_analyses_waiting", func() float64 { _, waiting := queue.Lengths(); return float64(waiting) })
	return &numbers{
		set: set, streams: set.NewGauge("krow_streams", nil),
		games: set.NewCounter("krow_games_total"), moves: set.NewCounter("krow_moves_total"), panics: set.NewCounter("krow_panics_total"),
		requestTime:  set.NewPrometheusHistogramExt("krow_request_seconds", shortTimes),
		moveTime:     set.NewPrometheusHistogramExt("krow_move_seconds", shortTimes),
		analysisTime: set.NewPrometheusHistogramExt("krow_analysis_seconds", longTimes),
	}
}

// countAnswer counts an answer by its status.
func (n *numbers) countAnswer(status int) {
	result := "good"
	if status >= 500 {
		result = "failed"
	} else if status >= 400 {
		result = "refused"
	}
	n.set.GetOrCreateCounter(`krow_requests_total{result="` + result + `"}`).Inc()
}

// countRequest counts an answered request. It also counts how long the request took, unless it was a stream, which lasts as long
// as its client stays.
func (n *numbers) countRequest(w *gate.Answer, start time.Time) {
	n.countAnswer(w.Status)
	if !strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream") {
		n.requestTime.UpdateDuration(start)
	}
}

// countMove counts a move, and the time that a player thought about it. For a person's move thought is 0, and the time is not
// counted.
func (n *numbers) countMove(thought time.Duration) {
	n.moves.Inc()
	if thought > 0 {
		n.moveTime.Update(thought.Seconds())
	}
}

// showMetrics writes the metrics of the server and of its process.
func (s *Server) showMetrics(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	s.numbers.set.WritePrometheus(w)
	metrics.WriteProcessMetrics(w)
	if s.o.Machines != nil {
		s.o.Machines.WriteMetrics(w)
	}
}
