// SPDX-License-Identifier: Apache-2.0

// Package research is a framework for studies, which are repeatable experiments. It stores each expensive result as a piece, and
// makes reports only from stored pieces.
//
// # Basics
//
// A study is one function. It gets pieces from its [Session] and combines them into a document. A piece is a match, learned
// weights, or any value that the function [Piece] stores. The session reads a piece from the store or computes it at once.
//
//	func run(ctx context.Context, s *research.Session) (*report.Document, error) {
//		counts, err := s.Match(ctx, research.Match{Game: "connect4", A: a, B: b, Games: 100})
//		...
//	}
//
// In the session of "krow experiment run" missing pieces are computed. In the session of "krow experiment report" pieces can
// only be read. So both commands produce the same report.
//
// # Caveats
//
// The key of a piece must contain everything on which the piece depends. Each game of a match is stored when it ends, so a study
// that is killed loses only the games in progress.
package research

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/research/report"
	"github.com/krow-lab/krow/search"
)

// Study is an experiment.
type Study struct {
	Name, Doc, Cite string
	Chooses         bool // whether the user may choose the players and their time
	// Readings are the variants of an experiment whose publications leave settings open. The first variant is the default.
	Readings []Reading
	Run      func(ctx context.Context, s *Session) (*report.Document, error)
}

// Reading is a variant of an experiment: a choice of the settings that the experiment's publications leave open.
type Reading struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

// Report runs the study and returns its report, or an error, for example from Check. A session without a directory for
// weights gets a temporary one.
func (st Study) Report(ctx context.Context, s *Session) (*report.Document, error) {
	if err := st.Check(s); err != nil {
		return nil, err
	}
	if s.Dir == "" {
		dir, err := os.MkdirTemp("", "krow-study-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		s.Dir = dir
	}
	if s.Metered && !s.ReadOnly {
		if err := s.count(st.Name); err != nil {
			return nil, err
		}
	}
	d, err := st.Run(ctx, s)
	if e := s.keepCost(true); err == nil {
		err = e
	}
	if err != nil {
		return nil, err
	}
	d.Cost, err = s.cost(st.Name)
	return d, err
}

// Check returns an error if the study cannot be run with the settings of s. If s.Reading names the first reading, which is the
// default, Check makes s.Reading empty.
func (st Study) Check(s *Session) error {
	var names []string
	for _, r := range st.Readings {
		names = append(names, r.Name)
	}
	wrong := ""
	switch {
	case s.Reading != "" && len(names) == 0:
		wrong = st.Name + " has one reading and no other"
	case s.Reading != "" && s.Reading == names[0]:
		s.Reading = ""
	case s.Reading != "" && !slices.Contains(names, s.Reading):
		return spec.Unknown("reading", s.Reading, names)
	case !st.Chooses && len(s.Players) > 0:
		wrong = st.Name + " has its own players"
	case !st.Chooses && s.Time != 0:
		wrong = st.Name + " has its own limits of time"
	case len(s.Players) == 1:
		wrong = "one player meets nobody: give two or more"
	case s.Time < 0:
		wrong = fmt.Sprintf("a move cannot have a time of %v", s.Time)
	}
	if wrong != "" {
		return &spec.Error{Msg: wrong}
	}
	return checkPlayers(s.Players)
}

// checkPlayers returns an error if a player cannot be created, if a player is a person, or if two players are equal. To find
// out whether a player can be created, it creates the player for tic-tac-toe.
func checkPlayers(players []string) error {
	g, err := krow.Game("mnk:3,3,3")
	if err != nil {
		return err
	}
	for i, text := range players {
		p, err := krow.Player(g, text, 0)
		if err != nil {
			return err
		}
		player.Close(p)
		switch {
		case player.IsHuman(p):
			return &spec.Error{Msg: "a person cannot play a match"}
		case slices.Contains(players[:i], text):
			return &spec.Error{Msg: text + " plays twice"}
		}
	}
	return nil
}

// Store stores pieces, which are JSON values with keys. Several goroutines may use it at once.
type Store interface {
	// Piece returns the value of a key, or nil if it has none.
	Piece(key string) ([]byte, error)
	// PutPiece stores value under key. After an error, the previous value of the key is unchanged.
	PutPiece(key string, value []byte) error
}

// ErrMissing is wrapped by the error for a piece that is missing from the store, in a session that may not compute pieces.
var ErrMissing = errors.New("not computed yet")

// Session gives a study its store, its settings and its matches.
type Session struct {
	Store Store
	// If ReadOnly is true, nothing is computed. If the store lacks a piece, the error then wraps ErrMissing.
	ReadOnly bool
	// Jobs is the number of games played at the same time; 0 means 1. The results depend on Jobs only if moves have a time limit.
	Jobs int
	// Queue, unless nil, plays games on other machines, if moves have no time limit and these machines can create the players.
	// Spec returns the spec of a player for these machines, or an error if they cannot create the player.
	Queue   work.Queue
	Spec    func(g game.Game, text string, lim search.Limits) (string, error)
	Quick   bool   // if true, the session runs a small version that takes only minutes
	Dir     string // directory for files of weights
	Reading string // name of one of the study's variants; empty for the first
	// The user may set Players and Time if Chooses is true in the study. If they are empty, the study uses its defaults.
	Players []string
	Time    time.Duration // time for a move
	// Metered is true if the process does nothing except run the study. Its processor time is then stored as the cost of the
	// study, for the report.
	Metered bool
	// Progress, unless nil, is called after each step of the work. The study chooses the units in which it counts the work,
	// usually games.
	Progress func(Progress)

	progress Progress
	started  time.Time
	meter    meter
}

// Progress is the progress of a study.
type Progress struct {
	What        string // the part in progress
	Done, Total int    // number of finished units, and number of all units planned until now
	// Computed is the number of units in Done that this session has computed. The results of the other units were read from the
	// store.
	Computed int
	Elapsed  time.Duration
}

// String returns the progress in words, with an estimate of the remaining time if this session has computed a unit.
func (p Progress) String() string {
	left := ""
	if p.Computed > 0 && p.Total > p.Done {
		left = fmt.Sprintf("   %s left", time.Duration(float64(p.Elapsed)/float64(p.Computed)*float64(p.Total-p.Done)).Round(time.Second))
	}
	return fmt.Sprintf("%d/%d%s   %s", p.Done, p.Total, left, p.What)
}

// Plan adds n units to the total of the progress.
func (s *Session) Plan(n int) { s.progress.Total += n }

// Did adds n finished units to the progress. computed is false if they were read from the store. It is called by one goroutine
// at a time.
func (s *Session) Did(what string, n int, computed bool) {
	if s.started.IsZero() {
		s.started = time.Now()
	}
	s.progress.What = what
	s.progress.Done += n
	if computed {
		s.progress.Computed += n
	}
	s.progress.Elapsed = time.Since(s.started)
	if s.Progress != nil {
		s.Progress(s.progress)
	}
}

// Pick returns quick if s.Quick is true, otherwise full.
func (s *Session) Pick(quick, full int) int {
	if s.Quick {
		return quick
	}
	return full
}

// Choice returns the flags that make krow experiment use the settings of this session, each after a space.
func (s *Session) Choice() string {
	text := ""
	if s.Reading != "" {
		text += " --variant " + s.Reading
	}
	if s.Quick {
		text += " --quick"
	}
	for _, p := range s.Players {
		text += " --player '" + p + "'"
	}
	if s.Time > 0 {
		text += " --time " + s.Time.String()
	}
	return text
}

// Piece returns the stored value of a key. If there is none, it computes the value with f and stores it.
func Piece[T any](s *Session, key string, f func() (T, error)) (value T, err error) {
	found, err := s.get(key, &value)
	if err != nil || found {
		return value, err
	}
	if s.ReadOnly {
		return value, fmt.Errorf("%s: %w", key, ErrMissing)
	}
	if value, err = f(); err != nil {
		return value, err
	}
	return value, s.put(key, value)
}

// get reads the stored value of a key, and reports whether there is one.
func (s *Session) get(key string, value any) (bool, error) {
	data, err := s.Store.Piece(key)
	if err != nil || data == nil || string(data) == "null" { // null marks a piece that was withdrawn
		return false, err
	}
	if err := json.Unmarshal(data, value); err != nil {
		return false, fmt.Errorf("%s: %w", key, err)
	}
	return true, nil
}

func (s *Session) put(key string, value any) error {
	if err := s.putPiece(key, value); err != nil {
		return err
	}
	return s.keepCost(false)
}

func (s *Session) putPiece(key string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return s.Store.PutPiece(key, data)
}

// Resume restores a learner from the state stored under key, and makes the remaining steps. After each step, Resume first calls
// the function told, unless it is nil, with the point that the step adds to the learning curve. Then Resume stores the state.
func (s *Session) Resume(ctx context.Context, key string, l learn.Learner, told func(learn.CurvePoint) error) error {
	var state json.RawMessage
	found, err := s.get(key, &state)
	if err != nil {
		return err
	}
	if found {
		if err := l.Restore(state); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	if done, total := l.Steps(); s.ReadOnly && done < total {
		return fmt.Errorf("%s: %d of %d steps: %w", key, done, total, ErrMissing)
	}
	return learn.Run(ctx, l, func(state []byte, p learn.CurvePoint) error {
		if told != nil {
			if err := told(p); err != nil {
				return err
			}
		}
		return s.put(key, json.RawMessage(state))
	})
}

// Learned is the result of a learner.
type Learned struct {
	File  string // file of weights, in the session's directory
	Curve []learn.CurvePoint
}

// Learn makes the remaining steps of a learner, stores its state and its point on the learning curve after each step, and writes
// the weights to a file.
func (s *Session) Learn(ctx context.Context, gameSpec, learner string, seed uint64) (Learned, error) {
	title := fmt.Sprintf("%s: %s, seed %d", gameSpec, learner, seed)
	var curve []learn.CurvePoint
	file := ""
	g, err := krow.Game(gameSpec)
	if err != nil {
		return Learned{}, err
	}
	l, err := krow.Learner(g, learner, seed)
	if err == nil {
		key := fmt.Sprintf("learn/3/%s/%s/seed=%d", gameSpec, learner, seed)
		file = filepath.Join(s.Dir, fmt.Sprintf("%x.json", hash(key)))
		// The point is stored before the state. If a study is killed between these two writes, it repeats the step and gets the
		// same point.
		err = s.Resume(ctx, key, l, func(p learn.CurvePoint) error {
			s.Did(title, 0, false)
			return s.put(pointKey(key, p.Step), p)
		})
		if err == nil {
			_, steps := l.Steps()
			curve, err = s.curve(key, steps)
		}
	}
	if err != nil {
		return Learned{}, fmt.Errorf("%s: %w", title, err)
	}
	return Learned{file, curve}, l.Save(file)
}

func pointKey(key string, step int) string { return fmt.Sprintf("%s/%d", key, step) }

func (s *Session) curve(key string, steps int) ([]learn.CurvePoint, error) {
	points := make([]learn.CurvePoint, steps)
	for i := range points {
		found, err := s.get(pointKey(key, i+1), &points[i])
		if err == nil && !found {
			err = fmt.Errorf("step %d has no point", i+1)
		}
		if err != nil {
			return nil, err
		}
	}
	return points, nil
}
