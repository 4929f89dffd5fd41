// SPDX-License-Identifier: Apache-2.0

package bot_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/bot"
	"github.com/krow-lab/krow/search"
)

// attack is a program that wants more than its share, and the reasons for which it may forfeit.
type attack struct {
	program bot.Program
	reasons string
}

// attacks returns one of each kind. n varies them.
func attacks(n int) (all []attack) {
	for _, a := range []struct{ body, reasons string }{
		{"while True: pass", "steps"},
		{"x = [N]; while True: x = x + x", "memory time"},
		{"x = 'abc' * 300000000; return x + x + x", "memory time"},
		{"while True: print('x' * 1000)", "output"},
		{"while True: draw(0, N)", "output"},
		{"return f(N)", "depth"},
		{"x = N + 3; while True: x = x * x", "memory time"},
		{"return max(range(1 << 40))", "time"},
		{"return sorted(range(1 << 40))", "memory time"},
		{"x = []; for i in range(1000000): x = [x]; return str(x)", "steps memory depth time"},
		{"return -1 - N", "illegal"},
		{"return 'z99'", "illegal"},
		{"position.play(0); position.play(0)", "illegal"},
		{"position.undo()", "error"},
		{"fail('x' * 100000)", "error"},
		{"while True: memory[len(memory)] = 'y' * 1000", "memory steps time"},
	} {
		source := fmt.Sprintf("N = %d\ndef f(x):\n    return f(x + 1)\ndef choose(position, clock):\n    %s\n", n, strings.ReplaceAll(a.body, "; ", "\n    "))
		all = append(all, attack{bot.Program{Name: "hostile", Text: []byte(source)}, a.reasons})
	}
	for _, a := range []struct {
		module  []byte
		reasons string
	}{
		{module(forever, nil, wasi, fmt.Sprint(n)), "time"},
		{module(nil, forever, wasi, fmt.Sprint(n)), "time"},
		{module(grow, nil, wasi, fmt.Sprint(n)), "time memory"},
		{module(deep, nil, wasi, fmt.Sprint(n)), "error depth memory time"},
		{module(trap, nil, wasi, fmt.Sprint(n)), "error"},
		{module(joined(reading, reading), nil, wasi, fmt.Sprint(n)), "error"},
		{answers("z99", nil), "illegal"},
		{threads(), "error"},
		{[]byte("\x00asm\x01\x00\x00\x00" + fmt.Sprint(n)), "error"},
	} {
		all = append(all, attack{bot.Program{Kind: bot.WASM, Name: "hostile", Text: a.module}, a.reasons})
	}
	return all
}

// honestGame plays a game of an honest, step-limited bot and returns its moves.
func honestGame(g game.Game, seed uint64) (string, error) {
	pl, err := bot.Open(g, programOf(bot.Examples()[3]), bot.Options{Seed: seed, Limits: bot.Limits{Steps: 20_000, CPU: time.Minute}})
	if err != nil {
		return "", err
	}
	defer player.Close(pl)
	other := player.NewRandom(seed)
	p := g.Start()
	for p.Outcome() == game.Ongoing {
		mover := player.Player(other)
		if p.Turn() == game.First {
			mover = pl
		}
		m, err := mover.Move(context.Background(), p, search.Limits{})
		if err == nil {
			err = game.Play(p, m)
		}
		if err != nil {
			return "", err
		}
	}
	return notation.FormatMoves(g, p.AppendHistory(nil)), nil
}

// TestHostileBotsForfeit: hostile programs beside honest ones forfeit, each for a reason of its own; the games of the honest ones are
// those that they play alone. With KROW_LONG there are a thousand, and the memory of this process stays as it was.
func TestHostileBotsForfeit(t *testing.T) {
	rounds, honest, steps, cpu := 1, 2, 100_000, 30*time.Millisecond
	long := os.Getenv("KROW_LONG") != ""
	if long {
		rounds, honest, steps, cpu = 40, 100, 1_000_000, 300*time.Millisecond
	}
	g, err := krow.Game("connect4")
	if err != nil {
		t.Fatal(err)
	}
	alone := make([]string, honest)
	for i := range alone {
		if alone[i], err = honestGame(g, uint64(i)); err != nil {
			t.Fatal(err)
		}
	}
	before, start := heap(), time.Now()
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range alone {
			if beside, err := honestGame(g, uint64(i)); err != nil || beside != alone[i] {
				t.Errorf("seed %d: beside hostile bots %q, %v, alone %q", i, beside, err, alone[i])
			}
		}
	})
	reasons := map[string]int{}
	for n := range rounds {
		for kind, a := range attacks(n) {
			if !long && (a.program.Kind == bot.WASM || kind%4 != 0) { // a sample; see TestWASM, too
				continue
			}
			pl, err := bot.Open(g, a.program, bot.Options{Limits: bot.Limits{Steps: uint64(steps), CPU: cpu}})
			if err == nil {
				_, err = pl.Move(context.Background(), g.Start(), search.Limits{})
				player.Close(pl)
			}
			f, ok := err.(*bot.Failure)
			if !ok || !slices.Contains(strings.Fields(a.reasons), f.Reason) || len(f.Error()) > 500 {
				t.Errorf("hostile program %d of round %d: %.500v, want a reason among %s", kind, n, err, a.reasons)
				continue
			}
			reasons[f.Reason]++
		}
	}
	took := time.Since(start)
	wg.Wait()
	after := heap()
	t.Logf("%d honest games alone and beside, reasons %v in %.0f s, heap %d kB before, %d kB after", honest, reasons, took.Seconds(), before>>10, after>>10)
	if after > before+8<<20 {
		t.Errorf("the heap has grown from %d kB to %d kB", before>>10, after>>10)
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkCalls measures each call of the interface by itself, in the midst of a game and right after a move, so that nothing
// is known of the position. A call is one that a bot writes: a method, or an attribute.
//
//	for i in range(20000):                the time of this loop
//	    position.play(legal[i % 7])
//	    position.near()                   less that of the same loop without this line
//	    position.undo()
func BenchmarkCalls(b *testing.B) {
	const gomoku = "h8 h9 i9 g7 j8 i8 i10 g8 k7 l6 g10 f11 j10 h10 j9 j11 h11 k8 f9 g12"
	for _, tc := range []struct{ game, moves, calls string }{
		{"gomoku", gomoku, "at(i % 15, 3);cells[i % 225];cell(i % 225);near();near(2);windows(1);wins(1);threats(1);moves();forbidden();lines(i % 225);lines();history;last;key;state;result;name(i % 225);move(\"h8\")"},
		{"renju", "h8 h9 i9 g7 j8 i8 i10 g8 k7 l6", "moves();wins(1);near();forbidden()"},
		{"connect4", "4 4 3 5 5 2 6", "moves();wins(1);threats(1);windows(1)"},
		{"ultimate", "55 51 11 19 99 95", "moves();wins(1);windows(1);nested(1);boards"},
	} {
		for call := range strings.SplitSeq(tc.calls, ";") {
			b.Run("game="+tc.game+"/call="+strings.ReplaceAll(call, " ", ""), func(b *testing.B) {
				const calls = 20_000
				g, err := krow.Game(tc.game)
				if err != nil {
					b.Fatal(err)
				}
				p := g.Start()
				if err := notation.Play(p, tc.moves); err != nil {
					b.Fatal(err)
				}
				var took [2]time.Duration // without the call, and with it
				var bots [2]player.Player
				for i, line := range []string{"", "        position." + call + "\n"} {
					source := fmt.Sprintf("def choose(position, clock):\n    legal = position.moves()\n    for i in range(%d):\n        position.play(legal[i %% 7])\n%s        position.undo()\n    return legal[0]\n", calls, line)
					bots[i], err = bot.Open(g, bot.Program{Name: "bench", Text: []byte(source)}, bot.Options{Limits: bot.Limits{Steps: 1 << 40, CPU: time.Minute}})
					if err != nil {
						b.Fatal(err)
					}
					defer player.Close(bots[i])
				}
				for b.Loop() {
					for i, pl := range bots {
						start := time.Now()
						if _, err := pl.Move(context.Background(), p, search.Limits{}); err != nil {
							b.Fatal(err)
						}
						took[i] += time.Since(start)
					}
				}
				b.ReportMetric(float64(calls)*float64(b.N)/max(took[1]-took[0], 1).Seconds(), "calls/s")
				b.ReportMetric(2*float64(calls)*float64(b.N)/took[0].Seconds(), "play+undo/s")
			})
		}
	}
}

// BenchmarkGames plays tic-tac-toe between two bots, as many at once as there are processors.
func BenchmarkGames(b *testing.B) {
	const source = "def score(position, move):\n    return random()\n"
	g, err := krow.Game("tictactoe")
	if err != nil {
		b.Fatal(err)
	}
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			var two [2]player.Player
			for i := range two {
				if two[i], err = bot.Open(g, bot.Program{Name: "bench", Text: []byte(source)}, bot.Options{Seed: uint64(i)}); err != nil {
					b.Error(err)
					return
				}
			}
			p := g.Start()
			for p.Outcome() == game.Ongoing {
				m, err := two[p.Turn()].Move(context.Background(), p, search.Limits{})
				if err != nil {
					b.Error(err)
					return
				}
				p.Play(m)
			}
			player.Close(two[0])
			player.Close(two[1])
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Minutes(), "games/min")
}
