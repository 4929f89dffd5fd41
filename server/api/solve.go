// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/app/solve"
)

// maxSolving is the maximum number of positions that are being solved at the same time. Each solver keeps its table of
// positions in memory while it waits for its turn.
const maxSolving = 4

type solveInput struct{ request.SolveInput }

// Resolve finds the position before the stream begins, because the server cannot answer with an error status after the stream
// has begun.
func (in *solveInput) Resolve(huma.Context) []error {
	return wrong(in.Solvable())
}

// solve waits in the queue for each of its turns, and works until the position is solved or the time is over.
func (s *Server) solve(ctx context.Context, in *solveInput, send sse.Sender) {
	if err := s.fair(ctx, in.Board()); err != nil {
		sendDone(send, err)
		return
	}
	leave, ok := s.solving.Try(clientOf(ctx))
	if !ok {
		sendDone(send, busy.with("too many positions are being solved", ""))
		return
	}
	defer leave()
	defer s.numbers.analysisTime.UpdateDuration(time.Now())
	w := solve.NewSession(in.Board(), solve.Options{Hash: in.Hash << 20})
	left, err := s.within(time.Duration(in.Seconds)*time.Second), errTurn
	for err == errTurn && left > 0 {
		err = s.workInTurn(ctx, clientOf(ctx), false, send, func(ctx context.Context) error {
			began := time.Now()
			defer func() { left -= time.Since(began) }()
			limited, cancel := context.WithTimeout(ctx, left)
			defer cancel()
			err := w.Work(limited)
			if limited.Err() != nil {
				return ctx.Err() // reaching the time limit is not an error
			}
			return err
		}, func() error { return w.Report(send.Data) })
	}
	sendDone(send, err)
}
