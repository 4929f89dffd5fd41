// SPDX-License-Identifier: Apache-2.0

// Package local answers requests of the page where there is no server, as package server/api does where there is one.
//
// # Basics
//
//	v, err := local.Answer("GET", "/position?game=gomoku&moves=h8", nil)
//	err = local.Stream("/analysis?game=gomoku&seconds=1", func(event string, v any) { ... })
//
// # Caveats
//
// The package keeps nothing. The caller keeps the games and sends a whole game with each request that changes it.
package local

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/analysis"
	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/app/puzzles"
	"github.com/krow-lab/krow/app/solve"
	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/internal/rescue"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// ErrPath means that nothing answers requests to the path.
var ErrPath = fault.New("no-page", "this needs a server")

var errPuzzle = fault.New("no-puzzle", "there is no such puzzle")

// answers are the operations without parts in their paths.
var answers = map[string]func(q url.Values, body []byte) (any, error){
	"GET /catalog":      func(url.Values, []byte) (any, error) { return catalog(), nil },
	"GET /opponents":    opponents,
	"GET /heuristics":   heuristics,
	"GET /position":     position,
	"GET /overlay":      overlay,
	"GET /line":         line,
	"POST /local/game":  playGame,
	"POST /local/reply": reply,
}

// Answer returns the answer to a request, whose address may have a query.
func Answer(method, address string, body []byte) (v any, err error) {
	defer rescue.Into(&err)
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	if f := answers[method+" "+u.Path]; f != nil {
		return f(u.Query(), body)
	}
	if rest, ok := strings.CutPrefix(u.Path, "/puzzles/"); ok && method == "GET" {
		return puzzle(rest, u.Query())
	}
	return nil, ErrPath
}

// Stream passes the events of a stream to send until the work is finished. The last event is not an event done: the caller adds it.
func Stream(address string, send func(event string, v any)) (err error) {
	defer rescue.Into(&err)
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	b, err := boardOf(u.Query())
	if err != nil {
		return err
	}
	switch u.Path {
	case "/analysis":
		return analyse(b, u.Query(), send)
	case "/review":
		return analysis.Review(b, func(p game.Board) (analysis.Info, error) {
			return ask(p, u.Query().Get("player"), search.Limits{Time: time.Duration(number(u.Query(), "millis", 300)) * time.Millisecond}, nil)
		}, func(j analysis.Judgement) error {
			send("judgement", j)
			return nil
		})
	}
	return ErrPath
}

func number(q url.Values, key string, usual int) int {
	n, err := strconv.Atoi(q.Get(key))
	if err != nil {
		return usual
	}
	return n
}

func gameOf(text string) (game.Game, error) {
	g, err := krow.Game(text)
	if err != nil {
		return nil, fault.As("bad-game", err)
	}
	if _, ok := g.Start().(game.Board); !ok {
		return nil, fault.As("bad-game", fmt.Errorf("%s has no board to draw", g))
	}
	return g, nil
}

// boardOf returns the position that the values game, start and moves describe.
func boardOf(q url.Values) (game.Board, error) {
	g, err := gameOf(q.Get("game"))
	if err != nil {
		return nil, err
	}
	p := g.Start()
	if start := q.Get("start"); start != "" {
		if p, err = notation.DecodeText(start, func(string) (game.Game, error) { return g, nil }); err != nil {
			return nil, fault.As("bad-start", err)
		}
	}
	return p.(game.Board), fault.As("bad-move", notation.Play(p, q.Get("moves")))
}

type family struct {
	Name    string        `json:"name"`
	Usage   string        `json:"usage"`
	Doc     string        `json:"doc"`
	Specs   []string      `json:"specs"`
	Look    string        `json:"look"`
	Solver  bool          `json:"solver,omitempty"`
	Options []spec.Option `json:"options"`
}

func catalog() any {
	var games []family
	for _, item := range krow.List("games") {
		specs := krow.Sizes(item.Name)
		if g, err := gameOf(specs[0]); err == nil {
			games = append(games, family{item.Name, item.Usage, item.Doc, specs, diagram.Look(g.Start().(game.Board)), solve.Knows(g), krow.GameOptions(item.Name)})
		}
	}
	return map[string]any{"version": "", "games": games, "players": krow.List("players"), "heuristics": krow.List("heuristics"), "learners": []string{}}
}

func opponents(q url.Values, _ []byte) (any, error) {
	g, err := gameOf(q.Get("game"))
	if err != nil {
		return nil, err
	}
	return map[string]any{"opponents": krow.Opponents(g)}, nil
}

func heuristics(q url.Values, _ []byte) (any, error) {
	g, err := gameOf(q.Get("game"))
	all := []string{}
	for _, item := range krow.List("heuristics") {
		if err != nil {
			return nil, err
		}
		if _, err := krow.EvaluatorBy(spec.Untrusted, g, item.Name); err == nil {
			all = append(all, item.Name)
		}
	}
	return map[string]any{"heuristics": all}, nil
}

func position(q url.Values, _ []byte) (any, error) {
	b, err := boardOf(q)
	if err != nil {
		return nil, err
	}
	v := diagram.New(b)
	v.Played = notation.MoveNames(b.Game(), b.AppendHistory(nil))
	return v, nil
}

func overlay(q url.Values, _ []byte) (any, error) {
	b, err := boardOf(q)
	if err != nil {
		return nil, err
	}
	var scorer eval.MoveScorer
	if name := q.Get("heuristic"); name != "" && b.Outcome() == game.Ongoing {
		if scorer, err = krow.ScorerBy(spec.Untrusted, b.Game(), name); err != nil {
			return nil, fault.As("bad-heuristic", err)
		}
	}
	return diagram.NewOverlay(b, scorer), nil
}

func line(q url.Values, _ []byte) (any, error) {
	b, err := boardOf(q)
	if err != nil {
		return nil, err
	}
	few := 0
	if q.Get("makes") == "true" {
		few = 40
	}
	steps, err := diagram.Line(context.Background(), b, q.Get("line"), few)
	return map[string]any{"steps": steps}, fault.As("bad-move", err)
}

// ask makes a player and lets it answer.
func ask(p game.Board, text string, lim search.Limits, report func(analysis.Info)) (analysis.Info, error) {
	pl, err := krow.PlayerBy(spec.Untrusted, p.Game(), cmp.Or(text, "best"), 1)
	if err != nil {
		return analysis.Info{}, fault.As("bad-player", err)
	}
	defer player.Close(pl)
	return analysis.Ask(context.Background(), pl, p, lim, report)
}

// beat is how often an analysis sends its lines at most.
const beat = 100 * time.Millisecond

// analyse sends the lines of a player. Without a number of seconds it ends only with the process.
func analyse(b game.Board, q url.Values, send func(string, any)) error {
	seconds := number(q, "seconds", 10)
	if seconds == 0 {
		seconds = 1 << 20
	}
	var latest analysis.Latest
	began := time.Now()
	told := began
	tell := func() {
		v := latest.Lines()
		v.Player, v.TimeMS = cmp.Or(q.Get("player"), "best"), time.Since(began).Milliseconds()
		send("lines", v)
		told = time.Now()
	}
	first := true
	info, err := ask(b, q.Get("player"), search.Limits{Time: time.Duration(seconds) * time.Second, Lines: number(q, "lines", 1)}, func(i analysis.Info) {
		if latest.Put(i); first || time.Since(told) >= beat {
			first = false
			tell()
		}
	})
	if err == nil {
		latest.Put(info)
		tell()
	}
	return err
}

var collection = sync.OnceValues(func() ([]puzzles.Puzzle, error) { return puzzles.Load("") })

// puzzle answers the requests about puzzles by the rest of their paths.
func puzzle(path string, q url.Values) (any, error) {
	all, err := collection()
	if err != nil {
		return nil, err
	}
	id, do, _ := strings.Cut(path, "/")
	switch id {
	case "progress":
		return progress(all), nil
	case "own":
		return map[string]any{"puzzles": []any{}}, nil
	case "today": // the same for everybody who has this version
		at, err := time.Parse(time.DateOnly, q.Get("day"))
		if err != nil {
			return nil, fault.As("bad-request", err)
		}
		r := rand.New(rand.NewPCG(uint64(at.Unix()), 0))
		easy := slices.DeleteFunc(slices.Clone(all), func(p puzzles.Puzzle) bool { return p.Grade < 900 || p.Grade > 1500 })
		return newPuzzle(easy[r.IntN(len(easy))])
	case "next":
		return nextPuzzle(all, q)
	}
	n := slices.IndexFunc(all, func(p puzzles.Puzzle) bool { return p.ID() == id })
	if n < 0 {
		return nil, errPuzzle
	}
	switch do {
	case "":
		return newPuzzle(all[n])
	case "hint":
		h, err := all[n].Hint(context.Background(), q.Get("played"), number(q, "step", 1))
		return h, fault.As("bad-move", err)
	case "answer":
		a, err := all[n].Answer(context.Background(), q.Get("played"), q.Get("move"))
		return a, fault.As("bad-move", err)
	}
	return nil, ErrPath
}

// nextPuzzle returns a random puzzle among the twenty whose grades are nearest to the wished one.
func nextPuzzle(all []puzzles.Puzzle, q url.Values) (any, error) {
	fit := slices.DeleteFunc(slices.Clone(all), func(p puzzles.Puzzle) bool {
		return q.Get("game") != "" && p.Game != q.Get("game") || q.Get("theme") != "" && string(p.Theme) != q.Get("theme") || p.ID() == q.Get("after")
	})
	if len(fit) == 0 || q.Get("due") != "" {
		return nil, errPuzzle
	}
	near := number(q, "near", 1200)
	far := func(p puzzles.Puzzle) float64 { return math.Abs(float64(p.Grade - near)) }
	slices.SortStableFunc(fit, func(a, b puzzles.Puzzle) int { return cmp.Compare(far(a), far(b)) })
	return newPuzzle(fit[rand.IntN(min(len(fit), 20))])
}

type kind struct {
	Game   string        `json:"game"`
	Theme  puzzles.Theme `json:"theme"`
	All    int           `json:"all"`
	Tried  int           `json:"tried"`
	Solved int           `json:"solved"`
}

// progress counts the puzzles. Tries are not kept yet.
func progress(all []puzzles.Puzzle) any {
	var kinds []kind
	for _, p := range all {
		n := slices.IndexFunc(kinds, func(k kind) bool { return k.Game == p.Game && k.Theme == p.Theme })
		if n < 0 {
			n, kinds = len(kinds), append(kinds, kind{Game: p.Game, Theme: p.Theme})
		}
		kinds[n].All++
	}
	return map[string]any{"rating": 1200, "deviation": 350, "tried": 0, "solved": 0, "due": 0, "later": 0, "curve": []any{}, "themes": kinds}
}

func newPuzzle(p puzzles.Puzzle) (any, error) {
	b, err := boardOf(url.Values{"game": {p.Game}, "moves": {p.Moves}})
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"id": p.ID(), "game": p.Game, "moves": p.Moves, "theme": p.Theme, "plies": p.Plies, "tempting": p.Tempting, "nodes": p.Nodes,
		"grade": p.Grade, "from": p.From, "board": diagram.New(b),
	}, nil
}

// problem is an error in the form of the server.
type problem struct {
	Code   string `json:"code"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
}

// Problem returns the document that describes an error.
func Problem(err error) any {
	p := problem{"failed", 500, err.Error()}
	if e, ok := errors.AsType[*fault.Error](err); ok {
		p.Code, p.Status = e.Code, 422
		switch {
		case strings.HasPrefix(e.Code, "no-"):
			p.Status = 404
		case e.Code == "changed":
			p.Status = 409
		}
	}
	return p
}

// Reply returns the JSON of the answer to a request, and whether it is a problem.
func Reply(method, address string, body []byte) (text []byte, ok bool) {
	v, err := Answer(method, address, body)
	if err == nil {
		if text, err = json.Marshal(v); err == nil {
			return text, true
		}
	}
	text, _ = json.Marshal(Problem(err)) // texts and numbers
	return text, false
}
