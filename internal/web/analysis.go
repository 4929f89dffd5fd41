// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

type analysisInput struct {
	Place
	Player  string `query:"player" default:"best" maxLength:"200" doc:"spec of a player who says what it thinks"`
	Lines   int    `query:"lines" minimum:"1" maximum:"10" default:"1" doc:"how many best moves to report"`
	Seconds int    `query:"seconds" minimum:"1" maximum:"600" default:"10"`
	Tab     string `cookie:"krow" maxLength:"40"`

	client string
}

// Resolve finds the position and makes the player, since a stream that has begun cannot be refused.
func (in *analysisInput) Resolve(ctx huma.Context) []error {
	err := in.find()
	if err == nil {
		err = analyst(in.position.Game(), in.Player)
	}
	if err == nil && in.position.Outcome() != game.Ongoing {
		err = gameOver.plain()
	}
	if err != nil {
		return []error{err}
	}
	in.client = clientOf(ctx.RemoteAddr(), in.Tab)
	return nil
}

// analyst returns an error unless a spec is of a player who says what it thinks. The one that searches is made when
// its turn has come.
func analyst(g game.Game, text string) error {
	p, err := playerOf(g, text, 1)
	if err != nil {
		return err
	}
	defer leave(p)
	if _, ok := p.(player.Analyst); !ok {
		return noAnalyst.because(text+" has nothing to say about a position", text)
	}
	return nil
}

// Queued says that others come first.
type Queued struct {
	Place   int     `json:"place" doc:"how many come first, this one included"`
	Seconds float64 `json:"seconds" doc:"about how long that takes"`
}

// Info is an answer of a search. The score is for the side to move.
type Info struct {
	Line   int      `json:"line" doc:"1 for the best move"`
	Depth  int      `json:"depth"`
	Score  int64    `json:"score" doc:"in thousandths of the heuristic's unit"`
	Chance float64  `json:"chance" doc:"of the side to move to win, from 0 to 1: a drawing of the score, not a measurement"`
	Bound  string   `json:"bound,omitempty" enum:"lower,upper"`
	WinIn  *int     `json:"win_in,omitempty" doc:"plies"`
	LossIn *int     `json:"loss_in,omitempty" doc:"plies"`
	Solved bool     `json:"solved" doc:"proved"`
	Value  string   `json:"value,omitempty" enum:"win,draw,loss" doc:"of a solved position"`
	PV     []string `json:"pv" nullable:"false"`
	Cells  []int    `json:"cells" nullable:"false" doc:"the cell of each move of pv"`
	Nodes  uint64   `json:"nodes"`
	TimeMS int64    `json:"time_ms"`
}

// Lines are the latest answers, the best move first.
type Lines struct {
	Player string `json:"player" doc:"name of the search"`
	Lines  []Info `json:"lines" nullable:"false"`
	TimeMS int64  `json:"time_ms"`
}

// Done ends an analysis.
type Done struct {
	Reason string `json:"reason" enum:"finished,turn,stopped,error" doc:"turn: its turn is over, and others wait"`
	Error  string `json:"error,omitempty"`
	Code   string `json:"code,omitempty" doc:"of the problem that the error is"`
}

// trouble ends an analysis that went wrong.
func trouble(err error) Done {
	p := problemOf(err)
	return Done{Reason: "error", Error: p.Detail, Code: p.Code}
}

// beat is how often the latest answers are sent.
const beat = 100 * time.Millisecond

// analysis waits for its turn, searches, and sends what the search says.
func (s *Server) analysis(ctx context.Context, in *analysisInput, send sse.Sender) {
	ctx, cancel := s.linked(ctx)
	defer cancel()
	t, err := s.queue.join(in.client)
	if err != nil {
		_ = send.Data(trouble(err))
		return
	}
	defer s.queue.leave(t)
	if !s.wait(ctx, t, send) {
		return
	}
	s.numbers.analyses.Add(1)
	_ = send.Data(s.search(ctx, cancel, in, t, send)) // whoever has gone need not know
}

// wait sends the place in the queue until the turn has come, and says whether it has.
func (s *Server) wait(ctx context.Context, t *ticket, send sse.Sender) bool {
	tick := time.NewTicker(pulse)
	defer tick.Stop()
	told := 0
	for {
		place, wait := s.queue.place(t)
		if place != told && place > 0 {
			if send.Data(Queued{place, wait.Seconds()}) != nil {
				return false
			}
			told = place
		}
		select {
		case <-t.turn:
			return true
		case <-ctx.Done():
			return false
		case <-tick.C:
			if send.Data(Pulse{}) != nil {
				return false
			}
		case <-t.moved:
		}
	}
}

// search runs the analysis and returns how it ended.
func (s *Server) search(ctx context.Context, cancel context.CancelFunc, in *analysisInput, t *ticket, send sse.Sender) Done {
	p, err := playerOf(in.position.Game(), in.Player, 1)
	if err != nil {
		return trouble(err)
	}
	defer leave(p)
	l := latest{player: p.Name(), start: time.Now()}
	finished := make(chan error, 1)
	root := in.position.Clone().(game.Board)
	go func() {
		finished <- consult(ctx, p.(player.Analyst), root, search.Limits{Time: time.Duration(in.Seconds) * time.Second, Lines: in.Lines}, func(i search.Info) {
			l.put(newInfo(p.Name(), in.position, i))
		})
	}()
	tick := time.NewTicker(beat)
	defer tick.Stop()
	reason := "finished"
	for {
		select {
		case err := <-finished:
			if lines := l.lines(); len(lines.Lines) > 0 {
				_ = send.Data(lines)
			}
			if err != nil {
				return trouble(err)
			}
			return Done{Reason: reason}
		case <-tick.C:
			if ctx.Err() == nil && s.queue.over(t) {
				reason = "turn"
				cancel()
			}
			if lines := l.lines(); len(lines.Lines) > 0 && reason == "finished" && send.Data(lines) != nil {
				reason = "stopped"
				cancel()
			}
		case <-ctx.Done():
			// The search ends within milliseconds; its slot is given back only then.
			if err := <-finished; err != nil && reason == "finished" {
				return Done{Reason: "stopped"}
			}
			if reason == "finished" {
				reason = "stopped"
			}
			if lines := l.lines(); len(lines.Lines) > 0 {
				_ = send.Data(lines)
			}
			return Done{Reason: reason}
		}
	}
}

// consult searches; a panic is an error like any other.
func consult(ctx context.Context, a player.Analyst, p game.Position, lim search.Limits, report func(search.Info)) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	info, err := a.Analyze(ctx, p, lim, report)
	if err == nil && len(info.PV) > 0 {
		report(info)
	}
	return err
}

// latest keeps the last answer of each line of a search.
type latest struct {
	player string
	start  time.Time
	mu     sync.Mutex
	all    []Info
}

func (l *latest) put(i Info) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := slices.IndexFunc(l.all, func(o Info) bool { return o.Line == i.Line })
	if at < 0 {
		l.all = append(l.all, i)
		slices.SortFunc(l.all, func(a, b Info) int { return a.Line - b.Line })
		return
	}
	l.all[at] = i
}

func (l *latest) lines() Lines {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Lines{l.player, slices.Clone(l.all), time.Since(l.start).Milliseconds()}
}

// newInfo copies what a search says about root.
func newInfo(name string, root game.Board, i search.Info) Info {
	v := Info{
		Line: max(i.Line, 1), Depth: i.Depth, Score: int64(i.Score), Solved: i.Solved, PV: []string{}, Cells: []int{},
		Bound: [...]string{"", "lower", "upper"}[i.Bound], Chance: chance(name, i), Nodes: i.Nodes, TimeMS: i.Time.Milliseconds(),
	}
	p := root.Clone().(game.Board)
	for _, m := range i.PV {
		if !game.Legal(p, m) {
			break
		}
		v.PV, v.Cells = append(v.PV, p.Game().Format(m)), append(v.Cells, p.Cell(m))
		p.Play(m)
	}
	if i.Solved {
		v.Value = i.Value()
	}
	switch plies, sign := i.Score.Distance(); sign {
	case 1:
		v.WinIn = &plies
	case -1:
		v.LossIn = &plies
	}
	return v
}

// scales are how many units of a search's score are an advantage worth showing as one: those at which three of
// four games look won. What is not listed has the units of the published heuristics.
var scales = map[string]float64{"gomoku": 3, "mics": 50}

const usualScale = 150

// chance draws a score as a chance to win. The share of playouts, and what a network expects, are one already.
func chance(name string, i search.Info) float64 {
	if _, sign := i.Score.Distance(); sign != 0 {
		return float64(1+sign) / 2
	}
	if i.Solved {
		return 0.5
	}
	u := i.Score.Units()
	if name == "mcts" || name == "connect4" || name == "ultimate" {
		return min(max((1+u)/2, 0), 1)
	}
	scale := scales[name]
	if scale == 0 {
		scale = usualScale
	}
	return math.Round(1e4/(1+math.Exp(-u*math.Log(3)/scale))) / 1e4
}
