// SPDX-License-Identifier: Apache-2.0

package tui

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// sleeper thinks until it is told to stop, talks all the time, and takes a while to end.
type sleeper struct {
	asked atomic.Int32 // how often
	busy  atomic.Int32 // how many searches run now
	most  atomic.Int32 // the greatest busy
}

func (*sleeper) Name() string { return "sleeper" }

func (s *sleeper) Move(context.Context, game.Position, search.Limits) (game.Move, error) {
	panic("an analyst is asked to analyze")
}

func (s *sleeper) Analyze(ctx context.Context, p game.Position, _ search.Limits, report func(search.Info)) (search.Info, error) {
	s.asked.Add(1)
	s.most.Store(max(s.most.Load(), s.busy.Add(1)))
	defer s.busy.Add(-1)
	best := search.Info{PV: p.AppendMoves(nil)[:1]}
	for ctx.Err() == nil {
		best.Depth++
		report(best)
		time.Sleep(time.Millisecond)
	}
	time.Sleep(20 * time.Millisecond)
	return best, nil
}

// TestUndoWhileThinking takes moves back under a thinker, again and again: each search is stopped before the
// next begins, and what the old ones say counts for nothing.
func TestUndoWhileThinking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &sleeper{}
		m := newTable(t, "gomoku", "", s)
		var old []tea.Cmd
		for range 5 {
			_, cmd := m.Update(keyMsg("enter"))
			old = append(old, cmd)
			time.Sleep(time.Millisecond)
			if _, cmd := m.Update(keyMsg("u")); cmd != nil || m.talk != nil || history(m) != "" {
				t.Fatalf("after undo somebody thinks (%v) about %q", m.talk != nil, history(m))
			}
		}
		synctest.Wait()
		time.Sleep(time.Second)
		for _, hear := range old {
			if _, cmd := m.Update(hear()); cmd != nil || history(m) != "" || len(m.said.info.PV) > 0 {
				t.Fatalf("an old answer was heard: %q, %v", history(m), m.said)
			}
		}
		if s.most.Load() != 1 || s.busy.Load() != 0 {
			t.Errorf("%d searches at once, %d still run", s.most.Load(), s.busy.Load())
		}
	})
}

// TestLastInfoReachesScreen lets a thinker talk faster than the screen listens: the last word comes through.
func TestLastInfoReachesScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newTable(t, "gomoku", "", &sleeper{})
		_, hear := m.Update(keyMsg("enter"))
		time.Sleep(100*time.Millisecond + time.Microsecond)
		_, hear = m.Update(hear())
		if m.said.info.Depth != 101 {
			t.Errorf("heard of depth %d, want 101", m.said.info.Depth)
		}
		m.thinker.Stop()
		for hear != nil {
			_, hear = m.Update(hear())
		}
		if history(m) != "h8 a1" {
			t.Errorf("played %q, want h8 a1", history(m))
		}
	})
}

// TestPause stops a thinker and lets it think again.
func TestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &sleeper{}
		m := newTable(t, "gomoku", "", s)
		m.Update(keyMsg("enter"))
		time.Sleep(time.Millisecond)
		if _, cmd := m.Update(keyMsg("p")); cmd != nil || !m.paused {
			t.Error("p did not pause")
		}
		if _, cmd := m.Update(keyMsg("p")); cmd == nil || m.paused {
			t.Error("p did not go on")
		}
		time.Sleep(time.Second)
		if s.asked.Load() != 2 || s.most.Load() != 1 {
			t.Errorf("asked %d times, %d at once; want 2, 1", s.asked.Load(), s.most.Load())
		}
		m.thinker.Stop()
		m.thinker.Wait(time.Hour)
	})
}

// TestPlayGoesOnDuringHint plays on while the hinter thinks.
func TestPlayGoesOnDuringHint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newTable(t, "gomoku", "", &sleeper{})
		m.o.Players[1] = player.Human{}
		_, hear := m.Update(keyMsg("h"))
		if _, again := m.Update(keyMsg("h")); hear == nil || again != nil {
			t.Error("h asks once")
		}
		m.Update(keyMsg("enter"))
		m.Update(hear())
		if m.hint != game.NoMove || history(m) != "h8" {
			t.Errorf("hint %d after %q", m.hint, history(m))
		}
		m.thinker.Wait(time.Hour)
	})
}

// TestPace watches two players that need no time.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newGame(t, "tictactoe").Start()
		m, err := newModel(t.Context(), Options{Position: p, Players: [2]player.Player{player.NewRandom(1), player.NewRandom(2)}})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		for cmd := m.Init(); cmd != nil; {
			_, cmd = m.Update(cmd())
		}
		if got, want := time.Since(start), time.Duration(p.Ply())*pace; got != want || !m.over() {
			t.Errorf("%d moves took %v, want %v", p.Ply(), got, want)
		}
	})
}

// bad is a player that does not play.
type bad func() (game.Move, error)

func (bad) Name() string { return "bad" }

func (b bad) Move(context.Context, game.Position, search.Limits) (game.Move, error) { return b() }

// TestBadPlayers shows what is wrong with a player, and lets the person go on.
func TestBadPlayers(t *testing.T) {
	tests := []struct {
		name string
		pl   player.Player
		want string
	}{
		{"error", bad(func() (game.Move, error) { return 0, errors.New("engine stopped") }), "O bad: engine stopped"},
		{"panic", bad(func() (game.Move, error) { panic("index out of range") }), "O bad: panic: index out of range"},
		{"illegal", bad(func() (game.Move, error) { return 4, nil }), "O bad: illegal move b2 at ply 2"},
		{"no such move", bad(func() (game.Move, error) { return 99, nil }), "O bad: illegal move 99 at ply 2"},
		{"no move", bad(func() (game.Move, error) { return game.NoMove, nil }), "O bad: illegal move -1 at ply 2"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			m := newTable(t, "tictactoe", "", tc.pl)
			press(m, "enter")
			if m.status != tc.want || !m.paused || history(m) != "b2" {
				t.Errorf("%q, paused %v, after %q; want %q", m.status, m.paused, history(m), tc.want)
			}
			press(m, "u")
			if history(m) != "" || m.paused {
				t.Errorf("after undo: %q, paused %v", history(m), m.paused)
			}
		})
	}
}

// TestRun leaves a program while a player thinks, by a key and by the end of its context. The search ends.
func TestRun(t *testing.T) {
	for _, key := range []string{"q", "\x03", ""} {
		t.Run("key="+key, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			s := &sleeper{}
			in, keyboard := io.Pipe()
			defer keyboard.Close()
			go func() {
				for s.busy.Load() == 0 {
					time.Sleep(time.Millisecond)
				}
				if key == "" {
					cancel()
					return
				}
				keyboard.Write([]byte(key))
				keyboard.Close()
			}()
			o := Options{Position: newGame(t, "gomoku").Start(), Players: [2]player.Player{s, player.Human{}}}
			err := runProgram(ctx, o, tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithInput(in), tea.WithOutput(io.Discard))
			if err != nil {
				t.Errorf("Run = %v", err)
			}
			// Nobody but Run has told the search to stop.
			for s.busy.Load() != 0 {
				time.Sleep(time.Millisecond)
			}
		})
	}
}

// TestAsk: whoever leaves, or begins a new game, is asked once whether to save the moves that are not saved.
func TestAsk(t *testing.T) {
	for keys, want := range map[string]struct {
		saved int
		left  bool
	}{
		"q":               {0, true},
		"enter q":         {0, false},
		"enter q y":       {1, true},
		"enter q n":       {0, true},
		"enter q x":       {0, false},
		"enter q q":       {0, true},
		"enter s q":       {1, true},
		"enter s u n q":   {1, true},
		"enter n y esc":   {1, true},
		"enter n n enter": {0, false},
	} {
		m := newTable(t, "gomoku", "", player.Human{})
		saved, left := 0, false
		m.o.Save = func() (string, error) { saved++; return "gomoku-1.sgf", nil }
		for key := range strings.FieldsSeq(keys) {
			left = drive(m, keyMsg(key))
		}
		if saved != want.saved || left != want.left {
			t.Errorf("%s: saved %d times, left: %v; want %+v", keys, saved, left, want)
		}
	}
}
