// SPDX-License-Identifier: Apache-2.0

package local

import (
	"context"
	"encoding/json"
	"net/url"
	"reflect"
	"runtime"
	"time"

	"github.com/krow-lab/krow/app/analysis"
	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/app/solve"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rescue"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// yielding is a context that lets other goroutines run whenever a search calls its method Err. A program in a browser has one
// thread, so without these pauses no timer would fire and no event would be sent during a search.
type yielding struct{ context.Context }

func (c yielding) Err() error {
	runtime.Gosched()
	return c.Context.Err()
}

// patient returns a yielding context that ends after limit.
func patient(limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	return yielding{ctx}, cancel
}

// beat is the time between two reports on work in progress.
const beat = 100 * time.Millisecond

// during runs work in a goroutine. It calls tell every 100 milliseconds (beat) until work returns, and one last time if work
// returns no error.
func during(work, tell func() error) error {
	done := make(chan error, 1)
	go func() {
		err := error(nil)
		defer func() { done <- err }()
		defer rescue.Into(&err)
		err = work()
	}()
	for {
		select {
		case err := <-done:
			if err == nil {
				err = tell()
			}
			return err
		case <-time.After(beat):
			if err := tell(); err != nil {
				return err
			}
		}
	}
}

// Stream runs the streaming operation at address and passes each event to send, with its data as JSON. The last event has the
// name "done". The parameter body is the body of the request; most operations need none.
func Stream(address string, body []byte, send func(event, data string)) {
	end := request.Done{Reason: "finished"}
	event := func(name string, v any) error {
		text, err := json.Marshal(v)
		if err == nil {
			send(name, string(text))
		}
		return err
	}
	if err := stream(address, body, event); err != nil {
		p := problem(err)
		end = request.Done{Reason: "error", Error: p.Detail, Code: p.Code, What: p.What}
	}
	_ = event("done", end) // event cannot fail, because end contains only texts
}

func stream(address string, body []byte, send func(string, any) error) (err error) {
	defer rescue.Into(&err)
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	r := &sent{query: u.Query(), body: body}
	switch u.Path {
	case "/analysis":
		return open(r, send, analyse)
	case "/review":
		return open(r, send, review)
	case "/solve":
		return open(r, send, solvePosition)
	case "/workshop/try":
		return open(r, send, tryBot)
	}
	return errPath
}

func open[I any](r *sent, send func(string, any) error, f func(*I, func(string, any) error) error) error {
	in := new(I)
	if err := r.decode(reflect.ValueOf(in).Elem()); err != nil {
		return err
	}
	return f(in, send)
}

// endless is the time limit of an analysis for which the page sets no limit. Such an analysis runs until the page stops its web
// worker.
const endless = 1000 * time.Hour

func analyse(in *request.AnalysisInput, send func(string, any) error) error {
	if err := in.Ongoing(); err != nil {
		return err
	}
	p, err := request.AnalystOf(in.Board().Game(), in.Player)
	if err != nil {
		return err
	}
	defer player.Close(p)
	limit := time.Duration(in.Seconds) * time.Second
	if limit == 0 {
		limit = endless
	}
	var latest analysis.Latest
	began := time.Now()
	return during(func() error {
		ctx, cancel := patient(2 * limit) // normally the search ends at limit; otherwise ctx ends it
		defer cancel()
		info, err := analysis.Ask(ctx, p, in.Board(), search.Limits{Time: limit, Lines: in.Lines}, latest.Put)
		if err == nil {
			latest.Put(info)
		}
		return err
	}, func() error {
		all := latest.Lines()
		if len(all.Lines) == 0 {
			return nil
		}
		all.Player, all.TimeMS = p.Name(), time.Since(began).Milliseconds()
		return send("lines", all)
	})
}

func review(in *request.ReviewInput, send func(string, any) error) error {
	if err := in.Find(); err != nil {
		return err
	}
	return analysis.Review(in.Board(), func(b game.Board) (info analysis.Info, err error) {
		p, err := request.AnalystOf(b.Game(), in.Player)
		if err != nil {
			return info, err
		}
		defer player.Close(p)
		ctx, cancel := patient(longest)
		defer cancel()
		return analysis.Ask(ctx, p, b, search.Limits{Time: time.Duration(in.Millis) * time.Millisecond}, nil)
	}, func(j analysis.Judgement) error { return send("judgement", j) })
}

func solvePosition(in *request.SolveInput, send func(string, any) error) error {
	if err := in.Solvable(); err != nil {
		return err
	}
	w := solve.NewSession(in.Board(), solve.Options{Hash: in.Hash << 20})
	return during(func() error {
		ctx, cancel := patient(time.Duration(in.Seconds) * time.Second)
		defer cancel()
		err := w.Work(ctx)
		if ctx.Err() != nil {
			return nil // a search that reaches the time limit is no error
		}
		return err
	}, func() error {
		return w.Report(func(v any) error {
			switch v.(type) {
			case solve.SolvedMove:
				return send("move", v)
			case solve.Certificate:
				return send("certificate", v)
			}
			return send("solution", v)
		})
	})
}
