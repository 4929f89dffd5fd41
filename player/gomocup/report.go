// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player/subprocess"
	"github.com/krow-lab/krow/search"
)

// printer writes whole lines, from any goroutine.
type printer struct {
	mu    sync.Mutex
	w     io.Writer
	muted atomic.Bool
	err   error // the first one
}

// say writes a line, unless the printer is muted.
func (p *printer) say(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.muted.Load() || p.err != nil {
		return
	}
	_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
}

// mute drops all later lines. It does not wait for a line that is being written.
func (p *printer) mute() { p.muted.Store(true) }

// The bits of INFO show_detail.
const (
	detailRealtime = 1
	detailFull     = 2
)

// reporter returns a function that tells the answers of a search as they come. It may be called from any goroutine.
func (s *session) reporter(lines int) func(game.Board, search.Info) {
	detail, out := s.options.detail, s.out
	best, told := game.NoMove, map[game.Move]int{}
	if detail&detailRealtime != 0 {
		out.say("MESSAGE REALTIME REFRESH")
	}
	return func(b game.Board, i search.Info) {
		if len(i.PV) == 0 {
			return
		}
		m := i.PV[0]
		if detail&detailRealtime != 0 {
			if told[m] != i.Depth+1 {
				told[m] = i.Depth + 1
				realtime(out, b, i)
			}
			if i.Line <= 1 && m != best {
				best = m
				out.say("MESSAGE REALTIME BEST %v", pointOf(b, m))
			}
		}
		if detail&detailFull != 0 {
			full(out, b, i, lines)
		}
	}
}

// realtime reports that the first move of an answer has been searched.
func realtime(out *printer, b game.Board, i search.Info) {
	pt := pointOf(b, i.PV[0])
	out.say("MESSAGE REALTIME POS %v", pt)
	out.say("MESSAGE REALTIME DONE %v", pt)
	if _, sign := i.Score.Distance(); sign < 0 {
		out.say("MESSAGE REALTIME LOST %v", pt)
	}
}

// full tells an answer in the lines that Yixin-Board reads. There is no WINRATE, since each heuristic has its own unit.
func full(out *printer, b game.Board, i search.Info, lines int) {
	ms := i.Time.Milliseconds()
	for _, l := range []struct {
		key   string
		value any
	}{
		{"PV", max(i.Line, 1) - 1},
		{"NUMPV", lines},
		{"DEPTH", i.Depth},
		{"SELDEPTH", len(i.PV)},
		{"NODES", i.Nodes},
		{"TOTALNODES", i.Nodes},
		{"TOTALTIME", ms},
		{"SPEED", i.Nodes * 1000 / uint64(max(ms, 1))},
		{"EVAL", evalText(i.Score)},
		{"BESTLINE", lineText(b, i.PV)},
		{"PV", "DONE"},
	} {
		out.say("INFO %s %v", l.key, l.value)
	}
}

// reportInfo tells depth, score, nodes, time and line of an answer, before the move.
func (s *session) reportInfo(i search.Info, err error) {
	if err != nil {
		s.out.say("MESSAGE %s", subprocess.Shown(err.Error()))
	}
	s.out.say("MESSAGE depth %d eval %s nodes %d time %d ms pv %s",
		i.Depth, evalText(i.Score), i.Nodes, i.Time.Milliseconds(), lineText(s.b, i.PV))
}

// evalText writes a score in the heuristic's unit, or +M5 for a game that is won in five plies.
func evalText(s eval.Score) string {
	switch plies, sign := s.Distance(); sign {
	case 1:
		return fmt.Sprintf("+M%d", plies)
	case -1:
		return fmt.Sprintf("-M%d", plies)
	}
	return fmt.Sprint(int64(math.Round(s.Units())))
}

// lineText writes the moves as points, as far as they can be played from b.
func lineText(b game.Board, moves []game.Move) string {
	b = clone(b)
	var all []string
	for _, m := range moves {
		if !game.Legal(b, m) || b.Outcome() != game.Ongoing {
			break
		}
		all = append(all, pointOf(b, m).String())
		b.Play(m)
	}
	return strings.Join(all, " ")
}
