// SPDX-License-Identifier: Apache-2.0

// Package training manages a person's training with puzzles: it chooses the next puzzle, rates tries, shows failed puzzles
// again after some days, and stores puzzles of the person's own games.
//
// # Basics
//
//	t := training.New(db, all)       // db is a Keeper, all is the result of puzzles.Load
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
// CITE: Glickman, Example of the Glicko-2 system, 2013, for the ratings.
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

// first is the number of the member whose training New returns.
const first = 1

// Training is a person's training, whose data a [Keeper] stores. Several goroutines may use it at once.
type Training struct {
	db   Keeper
	who  int64 // the member
	all  []puzzles.Puzzle
	byID map[string]*puzzles.Puzzle
	days []int // indices of the puzzles of the day, in the order in which they are shown
}

// The lowest and the highest grade of a puzzle of the day: not trivial, but possible for a beginner. All these puzzles are of
// one game, so that a person who solves one each day learns one game.
const (
	easiestOfDay, hardestOfDay = 900, 1500
	gameOfDay                  = "gomoku"
)

// New returns the training of the first member, with a collection of puzzles.
func New(db Keeper, all []puzzles.Puzzle) *Training {
	t := &Training{db: db, who: first, all: all, byID: map[string]*puzzles.Puzzle{}}
	for i := range all {
		p := &all[i]
		t.byID[p.ID()] = p
		if p.Game == gameOfDay && p.Grade >= easiestOfDay && p.Grade <= hardestOfDay {
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

// Of returns the training of another member with the same puzzles.
func (t *Training) Of(member int64) *Training {
	o := *t
	o.who = member
	return &o
}

func hash(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s)) // a write to a hash never fails
	return h.Sum64()
}

// Today returns the puzzle of the given day, which has the form 2006-01-02. The puzzles of the day have a fixed order, in
// which the first puzzle follows again after the last.
func (t *Training) Today(day string) (puzzles.Puzzle, error) {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return puzzles.Puzzle{}, fmt.Errorf("%q is not a date: write it as 2006-01-02", day)
	}
	if len(t.days) == 0 {
		return puzzles.Puzzle{}, ErrNoPuzzle
	}
	n := int(at.Unix()/(24*3600)) % len(t.days)
	return t.all[t.days[(n+len(t.days))%len(t.days)]], nil
}

// Find returns the puzzle with the given name from the collection or from the person's own puzzles.
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

// Wish describes the puzzle that Next is to choose. Empty fields allow any puzzle.
type Wish struct {
	Game  string // spec of the game, or the part of the spec before the colon
	Theme puzzles.Theme
	Near  int           // wanted rating of the puzzle; 0 means the person's rating
	Due   bool          // choose only puzzles that must be shown again at the time Now or earlier
	After string        // name of a puzzle that must not be chosen
	Now   time.Time     // the current time, for Due
	Draw  func(int) int // returns a random number that is at least 0 and less than its argument
}

func (w *Wish) wants(p *puzzles.Puzzle) bool {
	return (w.Game == "" || p.Game == w.Game) && (w.Theme == "" || p.Theme == w.Theme) && p.ID() != w.After
}

// reach is the maximum difference of a puzzle's grade from the wanted grade. If no puzzle is within reach, the nearest puzzles
// are allowed.
const reach = 120

// Next returns a random puzzle that has a grade near the wanted grade and that the person has not tried. If the person has
// tried every puzzle that fits the Wish, Next chooses among the tried puzzles.
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

// gradeDeviation is the rating deviation of a puzzle's initial grade.
const gradeDeviation = 150

func grade(grades map[string]stats.Glicko, p *puzzles.Puzzle) stats.Glicko {
	if g, ok := grades[p.ID()]; ok {
		return g
	}
	return stats.Glicko{Rating: float64(p.Grade), Deviation: gradeDeviation, Volatility: stats.NewGlicko().Volatility}
}

// Grade returns the current rating of a puzzle: its initial grade, as changed by the results of people who tried the puzzle.
func (t *Training) Grade(p *puzzles.Puzzle) (int, error) {
	grades, err := t.db.Grades()
	return int(math.Round(grade(grades, p).Rating)), err
}

// beginner returns the rating of a person who has not tried any puzzle.
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

// intervals are the numbers of days until a failed puzzle is shown again. The first interval begins when the person fails to
// solve the puzzle; each later interval begins when the person solves the repeated puzzle.
var intervals = []int{1, 3, 7, 21}

// Tried stores a try at a puzzle and returns the new progress. score is 1 if the puzzle was solved, 0.5 if it was solved with a
// hint, and 0 if not.
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
		me = me.Idle(max(0, now.Sub(tries[len(tries)-1].At).Hours()/24))
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

// Take rates and stores tries that the person made elsewhere and another Keeper has stored, and returns the number of tries
// that it stored. The list tries begins with the oldest try. Take ignores tries that this Training already contains, tries
// in the future, and tries at unknown puzzles.
func (t *Training) Take(tries []Try, now time.Time) (n int, err error) {
	known, err := t.db.Tries(t.who)
	if err != nil {
		return 0, err
	}
	for _, try := range tries {
		at := try.At.Truncate(time.Millisecond)
		_, unknown := t.Find(try.Puzzle)
		if unknown != nil || at.After(now) || slices.ContainsFunc(known, func(k Try) bool { return k.Puzzle == try.Puzzle && k.At.UnixMilli() == at.UnixMilli() }) {
			continue
		}
		if _, err := t.Tried(try.Puzzle, min(max(try.Score, 0), 1), at); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// again returns the new Repeat of a puzzle after a try. If the Due of the Repeat is zero, the puzzle is not shown again.
func again(repeats []Repeat, id string, score float64, now time.Time) Repeat {
	r := Repeat{Puzzle: id}
	at := slices.IndexFunc(repeats, func(r Repeat) bool { return r.Puzzle == id })
	switch {
	case score < 1: // the puzzle was failed or solved with a hint: begin with the first interval
	case at < 0:
		return r
	case repeats[at].Due.After(now): // the puzzle was solved before it was due: nothing changes
		return repeats[at]
	default:
		r.Step = repeats[at].Step + 1
	}
	if r.Step < len(intervals) {
		r.Due = now.AddDate(0, 0, intervals[r.Step])
	}
	return r
}

// Progress contains the rating of a person, and the numbers of puzzles that the person has tried, solved and must repeat.
type Progress struct {
	Rating    int     `json:"rating"`
	Deviation int     `json:"deviation" doc:"standard error of the rating"`
	Tried     int     `json:"tried" doc:"number of different puzzles that were tried"`
	Solved    int     `json:"solved" doc:"number of these that were solved at the first try and without a hint"`
	Due       int     `json:"due" doc:"number of puzzles to be repeated now"`
	Later     int     `json:"later" doc:"number of puzzles to be repeated on a later day"`
	Curve     []Rated `json:"curve" nullable:"false" doc:"rating after each rated try"`
	Themes    []Kind  `json:"themes" nullable:"false" doc:"the caller's results by game and theme"`
}

// Rated is a rating with its time.
type Rated struct {
	At     time.Time `json:"at"`
	Rating int       `json:"rating"`
}

// Kind contains the number of puzzles of a game and a theme, and the number of them that were solved at the first try.
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

// Keep makes a puzzle of a position of the person's own game, and stores it. If Keep can prove that exactly one move wins or
// saves the game, the puzzle asks for this move. Otherwise the puzzle asks for the first move of line, the moves that the
// engine considers best.
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

// Forget deletes one of the person's own puzzles.
func (t *Training) Forget(id string) error { return t.db.DeleteOwnPuzzle(t.who, id) }
