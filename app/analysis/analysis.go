// SPDX-License-Identifier: Apache-2.0

// Package analysis lets a player analyse a position. It returns the best lines with their scores, the review of a whole
// game, or the trace of one search, node by node. The terminal, the server and the web page use it in the same way.
//
// # Basics
//
//	var latest analysis.Latest // the newest answer for each line of moves
//	final, err := analysis.Ask(ctx, pl, p, search.Limits{Time: time.Second, Lines: 3}, latest.Put)
//	fmt.Println(final.Best, final.Words(), final.Chance)
//
// # Caveats
//
// In an answer, the score and the chance to win are for the side to move. Only the values of a [Judgement] are always for the
// first side. A chance is computed from the score, so that it can be drawn as a bar; it is not a measured frequency.
package analysis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/rescue"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// Answer is a player's analysis of a position. Its JSON is the output of krow analyze --json.
type Answer struct {
	Line   int        `json:"line" doc:"number of the line, 1 for the best move"`
	Depth  int        `json:"depth"`
	Best   string     `json:"best" doc:"the first move of pv"`
	Score  eval.Score `json:"score" doc:"in thousandths of the heuristic's unit"`
	Bound  string     `json:"bound,omitempty" enum:"lower,upper" doc:"whether the score is only a bound: a win in at most a number of plies has a lower bound, a loss an upper bound"`
	WinIn  *int       `json:"win_in,omitempty" doc:"number of plies, if it is known; with a bound, the greatest or smallest possible number"`
	LossIn *int       `json:"loss_in,omitempty" doc:"number of plies, if it is known; with a bound, the greatest or smallest possible number"`
	Solved bool       `json:"solved" doc:"whether the value is proved"`
	Value  string     `json:"value,omitempty" enum:"win,draw,loss" doc:"value of a solved position"`
	WDL    *WDL       `json:"wdl,omitempty" doc:"probabilities of win, draw and loss, if the player has learned them"`
	PV     []string   `json:"pv" nullable:"false"`
	Nodes  uint64     `json:"nodes"`
	TimeMS int64      `json:"time_ms"`
}

// WDL holds the probabilities of a win, a draw and a loss for the side to move. They add up to 1.
type WDL struct {
	Win  float64 `json:"win"`
	Draw float64 `json:"draw"`
	Loss float64 `json:"loss"`
}

// String returns the probabilities in per cent.
func (w *WDL) String() string {
	win, draw := math.Round(100*w.Win), math.Round(100*w.Draw)
	return fmt.Sprintf("win %.0f%%, draw %.0f%%, loss %.0f%%", win, draw, 100-win-draw)
}

// Info is an Answer with additional fields for showing the answer on a board.
type Info struct {
	Answer
	Chance float64       `json:"chance" doc:"chance of the side to move to win, from 0 to 1, where a draw counts half; it is derived from the score, and was measured only for five in a row"`
	Cells  []int         `json:"cells" nullable:"false" doc:"the cell of each move of pv"`
	Moves  []game.Move   `json:"-"` // the moves of Answer.PV
	Time   time.Duration `json:"-"`
	Silent bool          `json:"-"` // the player returns only a move, without a score
	Root   []Candidate   `json:"-"`
}

// Candidate is a legal move with the player's evaluation of it.
type Candidate struct {
	Move   string   `json:"move"`
	Cell   int      `json:"cell"`
	Effort float64  `json:"effort" doc:"share of the search that was spent on this move, from 0 to 1"`
	Chance *float64 `json:"chance,omitempty" doc:"chance of the side to move to win with this move, if the player has a value for it"`
}

// Ask lets pl search p and returns the player's answer, whose first move is always legal. p is unchanged afterwards. If pl is a
// player.Analyst and report is not nil, Ask calls report in the caller's goroutine each time the player finds a better answer.
// A panic of the player is returned as an error.
func Ask(ctx context.Context, pl player.Player, p game.Position, lim search.Limits, report func(Info)) (info Info, err error) {
	if p.Outcome() != game.Ongoing {
		return info, fmt.Errorf("the game is over: %s", p.Outcome())
	}
	defer rescue.Into(&err)
	root, scale := p.Clone(), player.Scale(pl)
	a, ok := pl.(player.Analyst)
	if !ok {
		m, err := pl.Move(ctx, p, lim)
		if err != nil {
			return Info{}, err
		}
		info, err = newInfo(root, scale, search.Info{PV: []game.Move{m}})
		info.Silent = true
		return info, err
	}
	found, err := a.Analyze(ctx, p, lim, func(i search.Info) {
		if info, err := newInfo(root, scale, i); err == nil && report != nil {
			report(info)
		}
	})
	if err != nil {
		return Info{}, err
	}
	return newInfo(root, scale, found)
}

// newInfo converts the result of a search in the position root to an Info. It drops the first illegal move of the line of moves
// and all later moves, and returns an error if no move is left.
func newInfo(root game.Position, scale float64, i search.Info) (Info, error) {
	if len(i.PV) == 0 {
		return Info{}, errors.New("it found no move")
	}
	v := Info{
		Answer: Answer{
			Line: max(i.Line, 1), Depth: i.Depth, Score: i.Score, Bound: [...]string{"", "lower", "upper"}[i.Bound],
			Solved: i.Solved, PV: []string{}, Nodes: i.Nodes, TimeMS: i.Time.Milliseconds(),
		},
		Chance: player.Chance(scale, i), Cells: []int{}, Time: i.Time,
	}
	v.WDL = ends(v.Chance, i)
	p := root.Clone()
	b, drawn := p.(game.Board)
	for _, c := range i.Root {
		if !drawn || !game.Legal(p, c.Move) {
			continue
		}
		r := Candidate{Move: p.Game().Format(c.Move), Cell: b.Cell(c.Move), Effort: math.Round(c.Effort*1e4) / 1e4}
		if c.Scored {
			x := player.Chance(scale, search.Info{Score: c.Score})
			r.Chance = &x
		}
		v.Root = append(v.Root, r)
	}
	for _, m := range i.PV {
		if !game.Legal(p, m) {
			break
		}
		v.Moves, v.PV = append(v.Moves, m), append(v.PV, p.Game().Format(m))
		if drawn {
			v.Cells = append(v.Cells, b.Cell(m))
		}
		p.Play(m)
	}
	if len(v.Moves) == 0 {
		return Info{}, &game.IllegalMoveError{Move: nameOf(root.Game(), i.PV[0]), Ply: root.Ply()}
	}
	v.Best = v.PV[0]
	if i.Solved {
		v.Value = i.Value()
	}
	switch plies, sign := i.Score.Distance(); {
	case plies == eval.Unknown:
	case sign > 0:
		v.WinIn = &plies
	case sign < 0:
		v.LossIn = &plies
	}
	return v, nil
}

func nameOf(g game.Game, m game.Move) string {
	if m < 0 || int(m) >= g.Moves() {
		return fmt.Sprint(int(m))
	}
	return g.Format(m)
}

// Lines contains the newest answer for each line of a search, the line with the best move first.
type Lines struct {
	Player string      `json:"player" doc:"name of the player's search"`
	Lines  []Info      `json:"lines" nullable:"false"`
	Root   []Candidate `json:"root" nullable:"false" doc:"the player's values of all moves; empty if the player gives none"`
	TimeMS int64       `json:"time_ms"`
}

// Latest keeps the newest answer for each line of a search. One goroutine may call Put while others call Lines.
type Latest struct {
	mu   sync.Mutex
	all  []Info // in the order of Info.Line
	root []Candidate
}

// Put stores an answer in place of the previous answer for the same line.
func (l *Latest) Put(i Info) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at, found := slices.BinarySearchFunc(l.all, i.Line, func(o Info, line int) int { return o.Line - line })
	if !found {
		l.all = slices.Insert(l.all, at, i)
	}
	l.all[at] = i
	if len(i.Root) > 0 {
		l.root = i.Root
	}
}

// Clear removes all answers.
func (l *Latest) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all, l.root = nil, nil
}

// Lines returns the newest answers in the order of their scores. During a search, an older answer for one line number may
// begin with the same move as a newer answer for another line number. Then Lines returns only the deeper of these two
// answers.
func (l *Latest) Lines() Lines {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := Lines{Lines: []Info{}, Root: slices.Clone(l.root)}
	for _, i := range l.all {
		same := slices.IndexFunc(v.Lines, func(o Info) bool { return o.Best == i.Best })
		switch {
		case same < 0:
			v.Lines = append(v.Lines, i)
		case v.Lines[same].Depth < i.Depth:
			v.Lines[same] = i
		}
	}
	slices.SortStableFunc(v.Lines, func(a, b Info) int { return cmp.Compare(b.Score, a.Score) })
	for n := range v.Lines {
		v.Lines[n].Line = n + 1
	}
	if v.Root == nil {
		v.Root = []Candidate{}
	}
	return v
}

// Short returns the score in a few characters, for example +41, >=-3.5 (at least -3.5), win 11 (in 11 plies) or loss <=8 (in at
// most 8 plies).
func (a Answer) Short() string {
	return a.write(map[string]string{"lower": ">=", "upper": "<="}, "")
}

// Words returns the score in words, for example "at least -3.5", "win in 11", "loss in at most 8" or "draw, solved".
func (a Answer) Words() string {
	text := a.write(map[string]string{"lower": "at least ", "upper": "at most "}, "in ")
	if a.Solved && a.Value == "draw" {
		text = a.Value
	}
	if a.Solved {
		text += ", solved"
	}
	return text
}

// write returns the score as text. bounds contains the words for a lower and an upper bound. The parameter in is a text that
// write inserts before a number of plies. For a win, write takes the word for the opposite bound, because a lower bound of
// the score is an upper bound of the number of plies.
func (a Answer) write(bounds map[string]string, in string) string {
	switch {
	case a.WinIn != nil:
		return fmt.Sprintf("win %s%s%d", in, bounds[map[string]string{"lower": "upper", "upper": "lower"}[a.Bound]], *a.WinIn)
	case a.LossIn != nil:
		return fmt.Sprintf("loss %s%s%d", in, bounds[a.Bound], *a.LossIn)
	}
	return bounds[a.Bound] + Score(a.Score)
}

// Score returns a score as text: +41, -3.5, win 11 or loss 8. If the number of plies is unknown, the text is only win or
// loss.
func Score(s eval.Score) string {
	if plies, sign := s.Distance(); sign != 0 {
		word := map[int]string{1: "win", -1: "loss"}[sign]
		if plies == eval.Unknown {
			return word
		}
		return fmt.Sprintf("%s %d", word, plies)
	}
	x := s.Units()
	if size := math.Abs(x); size >= 1000 && size < 1e6 {
		return fmt.Sprintf("%+.0f", x)
	}
	return fmt.Sprintf("%+.4g", x)
}

// ends splits chance, in which a draw counts as half a win, into the probabilities of a win, a draw and a loss. It returns
// nil if the search reports no probability of a draw.
func ends(chance float64, i search.Info) *WDL {
	if _, sign := i.Score.Distance(); i.Draw <= 0 || sign != 0 || i.Solved {
		return nil
	}
	round := func(x float64) float64 { return math.Round(1e4*x) / 1e4 }
	draw := round(min(i.Draw, 2*chance, 2-2*chance))
	win := round(chance - draw/2)
	return &WDL{Win: win, Draw: draw, Loss: round(1 - win - draw)}
}

// Judgement is a player's evaluation of one position of a game. Its chance is the chance of the first side.
type Judgement struct {
	Ply    int     `json:"ply" doc:"moves since the start of the line"`
	Chance float64 `json:"chance" doc:"chance of the first side to win, from 0 to 1"`
	Best   string  `json:"best,omitempty" doc:"the best move; missing at the end of the game"`
	Cell   int     `json:"cell" doc:"cell of the best move, or -1"`
	Cells  []int   `json:"cells" nullable:"false" doc:"cells of the line that begins with the best move, at most eight"`
	Solved bool    `json:"solved"`
	Loss   float64 `json:"loss" doc:"how much the next move of the game lowers the chance of its side, from 0 to 1; 0 for the best move"`
}

// Accuracy returns the accuracy of a side, from 0 to 1, whose moves had the given losses. It is 1 if no move lowered the chance to
// win. The page computes the same value.
func Accuracy(losses []float64) float64 {
	kept := 0.0
	for _, loss := range losses {
		kept += math.Exp(-4 * loss)
	}
	return kept / max(float64(len(losses)), 1)
}

// Review judges every position of the game that led to p, the last position first, and calls tell with each judgement. Review
// calls ask only for positions in which the game is not over; ask must search the position. The first error of ask or tell ends
// the review.
func Review(p game.Board, ask func(game.Board) (Info, error), tell func(Judgement) error) error {
	p = p.Clone().(game.Board)
	moves := p.AppendHistory(nil)
	after := 0.0 // the chance in the position after moves[ply] that the first side wins
	for ply := len(moves); ply >= 0; ply-- {
		j, err := judge(p, ply, ask)
		if err != nil {
			return err
		}
		if ply < len(moves) && j.Best != p.Game().Format(moves[ply]) {
			j.Loss = max(0, j.Chance-after)
			if p.Turn() == game.Second {
				j.Loss = max(0, after-j.Chance)
			}
		}
		after = j.Chance
		if err := tell(j); err != nil {
			return err
		}
		if ply > 0 {
			p.Undo()
		}
	}
	return nil
}

func judge(p game.Board, ply int, ask func(game.Board) (Info, error)) (Judgement, error) {
	j := Judgement{Ply: ply, Cell: -1, Cells: []int{}, Chance: 0.5, Solved: true}
	if winner, won := p.Outcome().Winner(); won {
		j.Chance = float64(1 - winner)
	}
	if p.Outcome() != game.Ongoing {
		return j, nil
	}
	i, err := ask(p)
	if err != nil {
		return j, err
	}
	j.Chance, j.Best, j.Cell, j.Solved = i.Chance, i.Best, i.Cells[0], i.Solved
	j.Cells = i.Cells[:min(len(i.Cells), 8)]
	if p.Turn() == game.Second {
		j.Chance = 1 - j.Chance
	}
	return j, nil
}
