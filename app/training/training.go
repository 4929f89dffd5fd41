// SPDX-License-Identifier: Apache-2.0

// Package training is a person's training with puzzles: which one comes next, what a try is worth, what comes again after
// days, and puzzles of the person's own games.
//
// # Basics
//
//	t := training.New(db, all)       // db is a Keeper, all what puzzles.Load returns
//	p, err := t.Today("2026-11-22")  // the same for everybody
//	p, err = t.Next(training.Wish{Game: "renju"})
//	a, err := p.Answer(ctx, "", "h8")
//	progress, err := t.Tried(p.ID(), 1, now)
//
// # Caveats
//
// Only the first try at a puzzle changes the ratings of the person and of the puzzle. A person's own puzzles are not
// rated.
//
// CITE: Glickman, Example of the Glicko-2 system, 2013.
package training

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"time"

	"github.com/krow-lab/krow/app/puzzles"
	"github.com/krow-lab/krow/arena/stats"
)

// first is the first member.
const first = 1

// Training is a person's training, kept by a [Keeper]. It may be used by several goroutines.
type Training struct {
	db   Keeper
	who  int64 // the member
	all  []puzzles.Puzzle
	byID map[string]*puzzles.Puzzle
	days []int // indices of the puzzles of the day, in their order
}

// A puzzle of the day is of such a grade: somebody who has just learned the game may solve it, and it is not plain.
const easiestOfDay, hardestOfDay = 900, 1500

// New returns the training with a collection of puzzles.
func New(db Keeper, all []puzzles.Puzzle) *Training {
	t := &Training{db: db, who: first, all: all, byID: map[string]*puzzles.Puzzle{}}
	for i := range all {
		p := &all[i]
		t.byID[p.ID()] = p
		if p.Grade >= easiestOfDay && p.Grade <= hardestOfDay {
			t.days = append(t.days, i)
		}
	}
	if len(t.days) == 0 {
		for i := range all {
			t.days = append(t.days, i)
		}
	}
	slices.SortFunc(t.days, func(a, b int) int { return cmp.Compare(hash(all[a].ID()), hash(all[b].ID())) })
	return t
}

// Of returns the training of a member, with the same puzzles. New returns the training of the first member.
func (t *Training) Of(member int64) *Training {
	o := *t
	o.who = member
	return &o
}

func hash(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s)) // never fails
	return h.Sum64()
}

// Today returns the puzzle of a day, written 2006-01-02. It comes again when all puzzles of the day have been shown.
func (t *Training) Today(day string) (puzzles.Puzzle, error) {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return puzzles.Puzzle{}, fmt.Errorf("%q is no day: write it 2006-01-02", day)
	}
	if len(t.days) == 0 {
		return puzzles.Puzzle{}, ErrNoPuzzle
	}
	n := int(at.Unix()/(24*3600)) % len(t.days)
	return t.all[t.days[(n+len(t.days))%len(t.days)]], nil
}

// Find returns a puzzle of the collection, or one of the person's own.
func (t *Training) Find(id string) (puzzles.Puzzle, error) {
	if p := t.byID[id]; p != nil {
		return *p, nil
	}
	own, err := t.Own()
	if err != nil {
		return puzzles.Puzzle{}, err
	}
	for _, p := range own {
		if p.ID() == id {
			return p, nil
		}
	}
	return puzzles.Puzzle{}, fmt.Errorf("puzzle %s: %w", id, ErrNoPuzzle)
}

// Wish says which puzzle is wanted next. Empty fields allow all.
type Wish struct {
	Game  string // spec, or the name before its colon
	Theme puzzles.Theme
	Near  int           // grade; 0 for the person's rating
	Due   bool          // one that comes again now
	After string        // not this one
	Now   time.Time     // what is due
	Draw  func(int) int // a number below n
}

func (w *Wish) wants(p *puzzles.Puzzle) bool {
	return (w.Game == "" || p.Game == w.Game) && (w.Theme == "" || p.Theme == w.Theme) && p.ID() != w.After
}

// reach is the greatest distance of a grade from the wanted grade, before it is widened.
const reach = 120

// Next returns a puzzle that was not tried yet, of a grade near the wished one; when all were tried, one of those.
func (t *Training) Next(w Wish) (puzzles.Puzzle, error) {
	if w.Due {
		return t.due(w)
	}
	tries, err := t.db.Tries(t.who)
	if err != nil {
		return puzzles.Puzzle{}, err
	}
	grades, err := t.db.Grades()
	if err != nil {
		return puzzles.Puzzle{}, err
	}
	had := map[string]bool{}
	for _, x := range tries {
		had[x.Puzzle] = true
	}
	near := float64(w.Near)
	if near == 0 {
		near = person(tries).Rating
	}
	type candidate struct {
		p   *puzzles.Puzzle
		far float64
	}
	var fresh, old []candidate
	for i := range t.all {
		if p := &t.all[i]; w.wants(p) {
			c := candidate{p, math.Abs(grade(grades, p).Rating - near)}
			if had[p.ID()] {
				old = append(old, c)
			} else {
				fresh = append(fresh, c)
			}
		}
	}
	if len(fresh) == 0 {
		fresh = old
	}
	if len(fresh) == 0 {
		return puzzles.Puzzle{}, ErrNoPuzzle
	}
	slices.SortStableFunc(fresh, func(a, b candidate) int { return cmp.Compare(a.far, b.far) })
	n := 1
	for n < len(fresh) && fresh[n].far <= max(reach, fresh[0].far) {
		n++
	}
	return *fresh[w.Draw(n)].p, nil
}

func (t *Training) due(w Wish) (puzzles.Puzzle, error) {
	repeats, err := t.db.Repeats(t.who)
	if err != nil {
		return puzzles.Puzzle{}, err
	}
	for _, r := range repeats {
		if r.Due.After(w.Now) || r.Puzzle == w.After {
			continue
		}
		if p, err := t.Find(r.Puzzle); err == nil && w.wants(&p) {
			return p, nil
		}
	}
	return puzzles.Puzzle{}, ErrNoPuzzle
}

// gradeDeviation is how unsure the first grade of a puzzle is.
const gradeDeviation = 150

func grade(grades map[string]stats.Glicko, p *puzzles.Puzzle) stats.Glicko {
	if g, ok := grades[p.ID()]; ok {
		return g
	}
	return stats.Glicko{Rating: float64(p.Grade), Deviation: gradeDeviation, Volatility: stats.NewGlicko().Volatility}
}

// Grade returns the rating of a puzzle as people's results have moved it.
func (t *Training) Grade(p *puzzles.Puzzle) (int, error) {
	grades, err := t.db.Grades()
	return int(math.Round(grade(grades, p).Rating)), err
}

// beginner is the rating of a person who has not tried a puzzle.
func beginner() stats.Glicko {
	g := stats.NewGlicko()
	g.Rating = 1200
	return g
}

func person(tries []Try) stats.Glicko {
	if len(tries) == 0 {
		return beginner()
	}
	return tries[len(tries)-1].Person
}

// intervals are the days after which a failed puzzle comes again: once it is failed, and each time that it is solved then.
var intervals = []int{1, 3, 7, 21}

// Tried keeps a try with its score: 1 for a puzzle that was solved, 0.5 for one with a hint, 0 for one that was not.
func (t *Training) Tried(id string, score float64, now time.Time) (Progress, error) {
	p, err := t.Find(id)
	if err != nil {
		return Progress{}, err
	}
	tries, err := t.db.Tries(t.who)
	if err != nil {
		return Progress{}, err
	}
	grades, err := t.db.Grades()
	if err != nil {
		return Progress{}, err
	}
	repeats, err := t.db.Repeats(t.who)
	if err != nil {
		return Progress{}, err
	}
	me := person(tries)
	if len(tries) > 0 {
		me = me.Idle(now.Sub(tries[len(tries)-1].At).Hours() / 24)
	}
	try := Try{Owner: t.who, Puzzle: id, Game: p.Game, Theme: string(p.Theme), Score: score, Person: me, At: now}
	_, shipped := t.byID[id]
	try.Rated = shipped && !slices.ContainsFunc(tries, func(x Try) bool { return x.Puzzle == id })
	var moved *stats.Glicko
	if try.Rated {
		g := grade(grades, &p)
		try.Person = me.After([]stats.Encounter{{Opponent: g, Score: score}})
		g = g.After([]stats.Encounter{{Opponent: me, Score: 1 - score}})
		moved = &g
	}
	if err := t.db.AddTry(try, moved, again(repeats, id, score, now)); err != nil {
		return Progress{}, err
	}
	return t.Progress(now)
}

// again returns when a puzzle comes again after a try.
func again(repeats []Repeat, id string, score float64, now time.Time) Repeat {
	r := Repeat{Puzzle: id}
	at := slices.IndexFunc(repeats, func(r Repeat) bool { return r.Puzzle == id })
	switch {
	case score < 1: // from the beginning
	case at < 0:
		return r
	case repeats[at].Due.After(now): // solved before its time
		return repeats[at]
	default:
		r.Step = repeats[at].Step + 1
	}
	if r.Step < len(intervals) {
		r.Due = now.AddDate(0, 0, intervals[r.Step])
	}
	return r
}

// Progress is the progress of a person.
type Progress struct {
	Rating    int     `json:"rating"`
	Deviation int     `json:"deviation" doc:"a standard error of the rating"`
	Tried     int     `json:"tried" doc:"different puzzles"`
	Solved    int     `json:"solved" doc:"of those, at the first try and without a hint"`
	Due       int     `json:"due" doc:"puzzles that come again now"`
	Later     int     `json:"later" doc:"puzzles that come again another day"`
	Curve     []Rated `json:"curve" nullable:"false" doc:"the rating after each rated try"`
	Themes    []Kind  `json:"themes" nullable:"false" doc:"the collection by game and theme"`
}

// Rated is a rating with its time.
type Rated struct {
	At     time.Time `json:"at"`
	Rating int       `json:"rating"`
}

// Kind counts the puzzles of a game and a theme, and how many of them were solved at the first try.
type Kind struct {
	Game   string        `json:"game"`
	Theme  puzzles.Theme `json:"theme"`
	All    int           `json:"all"`
	Tried  int           `json:"tried"`
	Solved int           `json:"solved"`
}

// Progress returns the progress of the person.
func (t *Training) Progress(now time.Time) (Progress, error) {
	tries, err := t.db.Tries(t.who)
	if err != nil {
		return Progress{}, err
	}
	repeats, err := t.db.Repeats(t.who)
	if err != nil {
		return Progress{}, err
	}
	me := person(tries)
	p := Progress{Rating: int(math.Round(me.Rating)), Deviation: int(math.Round(me.Deviation)), Curve: []Rated{}, Themes: []Kind{}}
	type kind struct {
		game  string
		theme puzzles.Theme
	}
	at := map[kind]int{}
	for i := range t.all {
		k := kind{t.all[i].Game, t.all[i].Theme}
		if _, ok := at[k]; !ok {
			at[k] = len(p.Themes)
			p.Themes = append(p.Themes, Kind{Game: k.game, Theme: k.theme})
		}
		p.Themes[at[k]].All++
	}
	for _, x := range tries {
		if !x.Rated {
			continue
		}
		p.Tried++
		solved := 0
		if x.Score == 1 {
			solved = 1
		}
		p.Solved += solved
		p.Curve = append(p.Curve, Rated{x.At, int(math.Round(x.Person.Rating))})
		if i, ok := at[kind{x.Game, puzzles.Theme(x.Theme)}]; ok {
			p.Themes[i].Tried++
			p.Themes[i].Solved += solved
		}
	}
	for _, r := range repeats {
		if r.Due.After(now) {
			p.Later++
		} else {
			p.Due++
		}
	}
	return p, nil
}

// Own returns the person's own puzzles, the newest first.
func (t *Training) Own() ([]puzzles.Puzzle, error) {
	kept, err := t.db.OwnPuzzles(t.who)
	if err != nil {
		return nil, err
	}
	own := []puzzles.Puzzle{}
	for _, k := range kept {
		var p puzzles.Puzzle
		if err := json.Unmarshal(k.Data, &p); err != nil {
			return nil, fmt.Errorf("puzzle %s: %w", k.ID, err)
		}
		own = append(own, p)
	}
	return own, nil
}

// Keep makes a puzzle of a position of a person's own game, and keeps it: a proved one where one move wins or saves, and
// else one that asks for the move that the engine prefers, with its line.
func (t *Training) Keep(ctx context.Context, game, moves, line string, now time.Time) (puzzles.Puzzle, error) {
	p, err := puzzles.Of(ctx, game, moves, line)
	if err != nil {
		return p, err
	}
	p.From = "own " + now.Format(time.DateOnly)
	data, err := json.Marshal(p)
	if err != nil {
		return p, err
	}
	return p, t.db.AddOwnPuzzle(t.who, OwnPuzzle{ID: p.ID(), Data: data})
}

// Forget forgets a person's own puzzle.
func (t *Training) Forget(id string) error { return t.db.DeleteOwnPuzzle(t.who, id) }
