// SPDX-License-Identifier: Apache-2.0

// Package gomocup implements both ends of the protocol of Gomocup and Piskvork.
//
// In the protocol a manager runs a game, and a brain plays one side of it. A [Brain] lets any player of krow act as a brain. A
// [Program] is a player of krow whose moves come from a brain in another process. [Check] tests whether a program follows the
// protocol.
//
// # Basics
//
//	b := gomocup.Brain{New: func(g game.Game, s gomocup.Settings) (player.Player, error) { ... }}
//	err := b.Run(ctx, os.Stdin, os.Stdout)
//
//	p, err := gomocup.NewProgram(g, gomocup.Options{Path: "./pbrain-other"})
//	defer p.Close()
//	m, err := p.Move(ctx, position, search.Limits{Time: time.Second})
//
// # Terms
//
// A point is the protocol's name of a cell: x,y counted from 0 at the upper left corner. In a game.Board row 0 is at the bottom:
//
//	0,0  1,0  2,0        a3  b3  c3
//	0,1  1,1  2,1        a2  b2  c2
//	0,2  1,2  2,2        a1  b1  c1
//
// docs/reference/gomocup.md lists every command and INFO key.
//
// # Caveats
//
// The continuous game (rule 2), in which play continues after a win, is not supported. The program Yixin added commands to
// the protocol. Of these a brain supports YXBOARD, YXSHOWFORBID and YXSTOP.
//
// CITE: Petr Lastovicka, Gomoku AI Protocol (protocl2en.htm, with Piskvork); the text GomocupProtocol of GomocupJudge;
// Kai Sun, Yixin-protocol (accreator/Yixin-protocol).
package gomocup

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/clock"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/subprocess"
)

// Settings are the options that a manager sets for a player. Zero means that an option is not set.
type Settings struct {
	Memory  int64 // memory limit of the whole process, in bytes
	Hash    int64 // size of the transposition table, in bytes
	Threads int
}

// Brain is the brain's end of the protocol: it answers a manager.
type Brain struct {
	// About is the answer to ABOUT: name="...", version="...", and so on.
	About string
	// New returns a player for a game. If the player is no player.Analyst, the brain cannot report scores.
	New func(g game.Game, s Settings) (player.Player, error)
	// Seed is the seed for drawing the openings from which the brain chooses its proposal for swap2.
	Seed uint64
}

type session struct {
	Brain
	out *subprocess.Printer

	set     variant
	options options
	left    time.Duration // remaining time of the match
	b       game.Board    // the board of the game; nil before the command START

	mind    *mind              // the player; nil until it is made with the settings
	list    *list              // the list that is being read, or nil
	think   *thinking          // the search in progress, or nil
	rest    context.CancelFunc // ends pondering
	waiting []subprocess.Line  // commands that arrived during the search
	eof     bool
}

// Run answers commands until the command END arrives, the input ends, or ctx is done. At the end of the input it stops thinking
// at once, but still answers the pending commands that request moves. It returns only errors of writing to out.
func (b Brain) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	s := &session{Brain: b, out: &subprocess.Printer{W: out}, options: unset, left: clock.Unlimited, rest: func() {}}
	defer s.drop()
	quit := make(chan struct{})
	defer close(quit)
	commands := subprocess.Lines(in, maxLine, maxWaiting, quit)
	for !s.eof || s.think != nil {
		select {
		case c, ok := <-commands:
			if !ok {
				s.eof, commands = true, nil
				if s.rest(); s.think != nil {
					s.think.stop()
				}
			} else if s.takeCommand(c) {
				s.stop()
				return s.out.Err()
			}
		case conclude := <-s.answers():
			s.think = nil
			conclude()
			s.goOn()
			s.ponder()
		case <-ctx.Done():
			s.stop()
			return s.out.Err()
		}
	}
	return s.out.Err()
}

// maxWaiting is the number of commands that may wait while the brain thinks about a move. A manager that sends more violates the
// protocol.
const maxWaiting = 1024

// takeCommand executes a command, or keeps it while the brain still thinks about a previous one. It reports whether the command was
// END.
func (s *session) takeCommand(c subprocess.Line) (end bool) {
	word, _ := cut(c.Text)
	s.rest()
	switch {
	case word == "END":
		return true
	case s.think == nil:
		s.obey(c)
	case word == "STOP" || word == "YXSTOP":
		s.think.stop()
	case len(s.waiting) == maxWaiting:
		s.reportError(errors.New("too many commands while thinking"))
	default:
		s.waiting = append(s.waiting, c)
	}
	return false
}

// goOn executes the waiting commands, up to and including the next one that requires thinking.
func (s *session) goOn() {
	for len(s.waiting) > 0 && s.think == nil {
		c := s.waiting[0]
		s.waiting = s.waiting[1:]
		c.At = time.Now() // the time of this command begins now, not when it arrived
		s.obey(c)
	}
}

func (s *session) reportError(err error) {
	if err != nil {
		s.out.Say("ERROR %s", subprocess.Shown(err.Error()))
	}
}

// stop ends the session, after which nothing is written.
func (s *session) stop() {
	s.out.Mute()
	if s.think != nil {
		s.think.stop()
		<-s.think.conclude
	}
}

// drop closes the player. A player is made for one game and one set of settings, so drop is called when the game or the
// settings change.
func (s *session) drop() {
	s.rest()
	if s.mind != nil {
		s.mind.close()
		s.mind = nil
	}
}

// ready makes a player for the current game and settings, unless there is one.
func (s *session) ready() error {
	want := s.options.settings
	if s.mind != nil && s.mind.made == want {
		return nil
	}
	s.drop()
	pl, err := s.New(s.b.Game(), want)
	if err != nil {
		return err
	}
	s.mind = newMind(pl, want)
	return nil
}

// reset begins a game on an empty board, with the current rules.
func (s *session) reset() error {
	g, err := s.set.game()
	if err != nil {
		return err
	}
	s.drop()
	s.b, s.left = start(g), s.options.control.Match
	return s.ready()
}
