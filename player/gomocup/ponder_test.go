// SPDX-License-Identifier: Apache-2.0

package gomocup_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player/gomocup"
	"github.com/krow-lab/krow/search"
)

// A brain ponders after its move, if it is told to, until the next command. A player that goes on is waited for.
func TestPonderingEndsAtCommand(t *testing.T) {
	for _, wait := range []time.Duration{0, 100 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			p := &ponderer{asked: make(chan search.Limits, 9), wait: wait}
			k := begin(t, gomocup.Brain{New: with(p)})
			k.send("START 15")
			k.expect("OK")
			k.send("INFO pondering 1")
			k.send("INFO timeout_turn 10030")
			k.send("BEGIN")
			k.expect("MESSAGE .*")
			k.expect("0,14")
			synctest.Wait()
			k.send("INFO pondering 0")
			k.send("TURN 7,7")
			k.expect("MESSAGE .*")
			k.expect("1,14")
			synctest.Wait()
			k.send("END")
			k.end()
			close(p.asked)
			want := []time.Duration{10 * time.Second, time.Hour, 10*time.Second - wait}
			for lim := range p.asked {
				if len(want) == 0 || lim.Time != want[0] {
					t.Fatalf("a search of %v, want %v", lim.Time, want)
				}
				want = want[1:]
			}
			if len(want) > 0 {
				t.Errorf("no search of %v", want)
			}
		})
	}
}

// ponderer answers at once. It ponders until it is stopped, and a while longer.
type ponderer struct {
	thinker
	asked chan search.Limits
	wait  time.Duration
}

func (p *ponderer) Analyze(ctx context.Context, pos game.Position, lim search.Limits, _ func(search.Info)) (search.Info, error) {
	p.asked <- lim
	if lim.Time == time.Hour {
		<-ctx.Done()
		time.Sleep(p.wait)
	}
	return search.Info{PV: pos.AppendMoves(nil)[:1]}, nil
}
