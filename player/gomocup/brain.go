// SPDX-License-Identifier: Apache-2.0

// Package gomocup speaks the protocol of Gomocup and Piskvork, on both ends.
//
// The protocol knows a manager, which runs a game, and a brain, which plays one side of it. A [Brain] makes any player of
// krow a brain. A [Program] makes a brain in a process of its own a player of krow. [Check] tests whether a program keeps
// the protocol.
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
// A point is a cell as the protocol names it: x,y counted from 0 at the upper left corner. Row 0 of a game.Board is
// the bottom one:
//
//	0,0  1,0  2,0        a3  b3  c3
//	0,1  1,1  2,1        a2  b2  c2
//	0,2  1,2  2,2        a1  b1  c1
//
// docs/reference/gomocup.md lists every command and INFO key.
//
// # Caveats
//
// The continuous game (rule 2), in which play continues after a win, is not supported. Of the commands that Yixin added, a
// brain knows YXBOARD, YXSHOWFORBID and YXSTOP.
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

// Settings are the options that a manager sets for a player. Zero stands for an option that was not set.
type Settings struct {
	Memory  int64 // bytes for the whole process
	Hash    int64 // bytes for the transposition table
	Threads int
}

// Brain is one end of the protocol: it answers a manager.
type Brain struct {
	// About is the answer to ABOUT: name="...", version="...", and so on.
	About string
	// New returns a player for a game. A player that is no player.Analyst has no scores to tell.
	New func(g game.Game, s Settings) (player.Player, error)
	// Seed draws the openings among which a proposal for swap2 is chosen.
	Seed uint64
}

type session struct {
	Brain
	out *printer

	set     variant
	options options
	left    time.Duration // of the match
	b       game.Board    // nil before START

	mind    *mind              // nil: to be made for the settings
	list    *list              // what is being read
	think   *thinking          // what is being thought about
	rest    context.CancelFunc // ends what is thought about on the other side's time
	waiting []command          // commands that came meanwhile
	eof     bool
}

// command is an input line with a time: when the line arrived or, if the brain was still thinking then, when that thinking ended.
type command struct {
	line string
	err  error // subprocess.ErrLong
	at   time.Time
}

// Run answers commands until END, the end of in, or ctx is done. At the end of in thinking ends at once, and the moves
// asked for are answered. The error is the error of out.
func (b Brain) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	s := &session{Brain: b, out: &printer{w: out}, options: unset, left: clock.Unlimited, rest: func() {}}
	s.set.k = usualK
	defer s.drop()
	quit := make(chan struct{})
	defer close(quit)
	commands := read(in, quit)
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
				return s.out.err
			}
		case conclude := <-s.answers():
			s.think = nil
			conclude()
			s.goOn()
			s.ponder()
		case <-ctx.Done():
			s.stop()
			return s.out.err
		}
	}
	return s.out.err
}

// read returns a channel of the lines of in. After quit it ends with the next line. It reads while the session is busy,
// so that a line has the time when it came.
func read(in io.Reader, quit <-chan struct{}) <-chan command {
	c := make(chan command, maxWaiting)
	go func() {
		defer close(c)
		r := subprocess.NewReader(in, maxLine)
		for {
			line, err := r.Next()
			if err != nil && !errors.Is(err, subprocess.ErrLong) {
				return
			}
			select {
			case c <- command{line, err, time.Now()}:
			case <-quit:
				return
			}
		}
	}()
	return c
}

// maxWaiting is how many commands may wait for a move. A manager that sends more breaks the protocol.
const maxWaiting = 1024

// takeCommand obeys a command, or keeps it until the brain has answered the previous command. It reports whether the
// command was END.
func (s *session) takeCommand(c command) (end bool) {
	word, _ := cut(c.line)
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

// goOn obeys the commands that waited, up to the next one that takes thinking.
func (s *session) goOn() {
	for len(s.waiting) > 0 && s.think == nil {
		c := s.waiting[0]
		s.waiting = s.waiting[1:]
		c.at = time.Now() // it is only now the brain's turn
		s.obey(c)
	}
}

func (s *session) reportError(err error) {
	if err != nil {
		s.out.say("ERROR %s", subprocess.Shown(err.Error()))
	}
}

// stop ends the session: nothing is said any more.
func (s *session) stop() {
	s.out.mute()
	if s.think != nil {
		s.think.stop()
		<-s.think.conclude
	}
}

// drop closes the player, which is for one game and one choice of settings.
func (s *session) drop() {
	s.rest()
	if s.mind != nil {
		s.mind.close()
		s.mind = nil
	}
}

// ready makes a player for the game and the settings, if there is none.
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

// reset begins a game on an empty board, by the rules that are set.
func (s *session) reset() error {
	g, err := s.set.game()
	if err != nil {
		return err
	}
	b, err := start(g)
	if err != nil {
		return err
	}
	s.drop()
	s.b, s.left = b, s.options.control.Match
	return s.ready()
}
