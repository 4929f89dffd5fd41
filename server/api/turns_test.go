// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/server/gate"
	"github.com/krow-lab/krow/server/store/storetest"
)

// TestInTurns: whoever makes room for others waits for the next turn, however many wait by then.
func TestInTurns(t *testing.T) { synctest.Test(t, testInTurns) }

func testInTurns(t *testing.T) {
	s, err := New(Options{Store: storetest.Open(t), Cores: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var others []*gate.Ticket
	waited := false
	send := sse.Sender(func(m sse.Message) error {
		if _, waited = m.Data.(Queued); waited {
			for _, o := range others {
				s.queue.Leave(o)
			}
		}
		return nil
	})
	steps, err := inTurns(t.Context(), s, gate.Client{Name: "x"}, send, func(next func() error) (int, error) {
		for i := range 201 {
			o, err := s.queue.Join(gate.Client{Name: strconv.Itoa(i), Trusted: true})
			if err != nil {
				return 0, err
			}
			others = append(others, o)
		}
		time.Sleep(time.Hour) // of the test's own clock
		return 2, next()
	})
	if err != nil || steps != 2 || !waited {
		t.Errorf("%d steps, %v, waited: %t", steps, err, waited)
	}
	if running, waiting := s.queue.Lengths(); running+waiting > 0 {
		t.Errorf("%d run and %d wait when all have ended", running, waiting)
	}
}

// TestPublishingTakesATurn: a module is compiled when it is published, which may take seconds and hundreds of megabytes.
func TestPublishingTakesATurn(t *testing.T) {
	s, err := New(Options{Store: storetest.Open(t), Cores: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	client := gate.Client{Name: "1", Trusted: true}
	for range 16 {
		if _, err := s.queue.Join(client); err != nil {
			t.Fatal(err)
		}
	}
	in := &publishBotInput{BotRef: BotRef{"module"}}
	in.Body.Version = 1
	if _, err := s.publishBot(context.WithValue(t.Context(), visitKey{}, visit{client: client}), in); codeOf(err) != "too-many" {
		t.Errorf("got %v, want too-many", err)
	}
}

// codeOf returns the code of the problem that an error is.
func codeOf(err error) string {
	if err == nil {
		return ""
	}
	return problemOf(err).Code
}
