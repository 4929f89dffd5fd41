// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/server/gate"
	"github.com/krow-lab/krow/server/store/storetest"
)

// TestSolvingTakesTurns: a turn that is over is no end.
func TestSolvingTakesTurns(t *testing.T) { synctest.Test(t, testSolvingTakesTurns) }

func testSolvingTakesTurns(t *testing.T) {
	db := storetest.Open(t)
	s, err := New(Options{Store: db, Cores: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	send := sse.Sender(func(sse.Message) error { return nil })
	// The work lasts until another client waits and the turn is long over.
	var other *gate.Ticket
	begun := false
	work := func(ctx context.Context) error {
		if other, err = s.queue.Join(gate.Client{Name: "b"}); err != nil {
			return err
		}
		time.Sleep(time.Hour) // of the test's own clock
		begun = true
		<-ctx.Done()
		return ctx.Err()
	}
	if err := s.workInTurn(t.Context(), gate.Client{Name: "a"}, false, send, work, func() error { return nil }); err != errTurn || !begun {
		t.Errorf("while another waits: %v", err)
	}
	s.queue.Leave(other)
	gone := errors.New("gone")
	if err := s.workInTurn(t.Context(), gate.Client{Name: "a"}, false, send, func(ctx context.Context) error { <-ctx.Done(); return nil }, func() error { return gone }); err != gate.ErrGone {
		t.Errorf("without a reader: %v", err)
	}
}

// TestGivesWay: an analysis without a time begins when no player of a game needs its core, and makes room for one.
func TestGivesWay(t *testing.T) {
	db := storetest.Open(t)
	s, err := New(Options{Store: db, Cores: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	send := sse.Sender(func(sse.Message) error { return nil })
	leave, err := s.live.Room(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	thinking := -1
	go func() {
		ended <- s.workInTurn(t.Context(), gate.Client{Name: "a"}, true, send, func(ctx context.Context) error {
			thinking = s.live.Thinking()
			again, err := s.live.Room(ctx)
			if err != nil {
				return err
			}
			defer again()
			<-ctx.Done()
			return ctx.Err()
		}, func() error { return nil })
	}()
	leave()
	if err := <-ended; err != errTurn || thinking != 0 {
		t.Errorf("%v, begun while %d players thought", err, thinking)
	}
}
