// SPDX-License-Identifier: Apache-2.0

package ugi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/clock"
	"github.com/krow-lab/krow/internal/rescue"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/subprocess"
	"github.com/krow-lab/krow/search"
)

// Engine answers the commands of a referee with the moves of a player.
type Engine struct {
	Name, Author string
	Settings     Settings // initial settings; the referee may change them by options

	// Open returns the game of a spec.
	Open func(spec string) (game.Game, error)
	// Player returns the player for a game. The engine calls Player again after the command uginewgame, and after options have
	// changed.
	Player func(g game.Game, s Settings) (player.Player, error)
}

// Settings are the values of the engine's options.
type Settings struct {
	Game    string // spec of the game
	Player  string // spec of the player
	Hash    int    // size of the table in MB; 0: the player's default
	Threads int    // number of threads; 0: the player's default
}

// session is the state of an engine that answers a referee.
type session struct {
	Engine
	out     *subprocess.Printer
	g       game.Game
	p       game.Position
	lines   int
	player  player.Player // nil until the player is needed
	stop    context.CancelFunc
	ended   chan string // receives the move of the current search; nil if no search runs
	hold    bool        // whether the move must wait for the command stop
	holding string      // the move to send after the command stop
}

// Run answers commands until the command quit arrives, the input ends, or ctx is done. Then it stops a search in progress and
// sends its move. It returns an error if writing to out fails, or if the game in the initial settings is invalid.
func (e Engine) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	s := &session{Engine: e, out: &subprocess.Printer{W: out}, lines: 1}
	if err := s.open(e.Settings.Game); err != nil {
		return err
	}
	defer s.drop()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	commands := subprocess.Lines(in, maxLine, 0, ctx.Done())
	for {
		select {
		case line, ok := <-commands:
			if !ok || line.Text == "quit" {
				s.end()
				return s.out.Err()
			}
			if line.Err != nil {
				s.complain(line.Err)
				break
			}
			s.do(ctx, line.Text)
		case m := <-s.ended:
			s.stop()
			s.ended = nil
			if s.hold {
				s.holding = m
				break
			}
			s.out.Say("bestmove %s", m)
		case <-ctx.Done():
			s.end()
			return s.out.Err()
		}
	}
}

// do executes a command. A command with an error is answered with the error and changes nothing.
func (s *session) do(ctx context.Context, line string) {
	word, rest := subprocess.Split(line)
	var err error
	switch word {
	case "ugi":
		s.introduce()
	case "isready":
		if s.ended == nil {
			err = s.ready()
		}
		defer s.out.Say("readyok")
	case "stop":
		s.release()
	case "query":
		err = s.query(rest)
	case "setoption", "uginewgame", "position", "go":
		if s.ended != nil || s.holding != "" {
			err = errors.New("a search is running: send stop first")
			break
		}
		err = map[string]func() error{
			"setoption":  func() error { return s.set(rest) },
			"uginewgame": func() error { s.drop(); return nil },
			"position":   func() error { return s.place(rest) },
			"go":         func() error { return s.search(ctx, rest) },
		}[word]()
	default:
		err = fmt.Errorf("unknown command %q", subprocess.Shown(line))
	}
	if err != nil {
		s.complain(err)
	}
}

func (s *session) complain(err error) {
	s.out.Say("info string error: %s", strings.ReplaceAll(err.Error(), "\n", " "))
}

func (s *session) introduce() {
	s.out.Say("id name %s", s.Name)
	s.out.Say("id author %s", s.Author)
	s.out.Say("option name Game type string default %s", s.Settings.Game)
	s.out.Say("option name Player type string default %s", s.Settings.Player)
	s.out.Say("option name Hash type spin default %d min 0 max %d", s.Settings.Hash, maxHash)
	s.out.Say("option name Threads type spin default %d min 0 max %d", s.Settings.Threads, maxThreads)
	s.out.Say("option name MultiPV type spin default 1 min 1 max %d", maxLines)
	s.out.Say("ugiok")
}

// The greatest values of options.
const maxHash, maxThreads, maxLines = 1 << 20, 1 << 10, 1 << 8

// set executes setoption.
func (s *session) set(text string) error {
	text, named := strings.CutPrefix(text, "name ")
	name, value, ok := strings.Cut(text, " value ")
	if !named || !ok {
		return errors.New("write setoption name NAME value VALUE")
	}
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	number := func(least, most int, n *int) error {
		v, err := strconv.Atoi(value)
		if err != nil || v < least || v > most {
			return fmt.Errorf("%s must be an integer from %d to %d, not %q", name, least, most, subprocess.Shown(value))
		}
		*n = v
		return nil
	}
	var err error
	switch strings.ToLower(name) {
	case "game":
		err = s.open(value)
	case "player":
		s.Settings.Player = value
	case "hash":
		err = number(0, maxHash, &s.Settings.Hash)
	case "threads":
		err = number(0, maxThreads, &s.Settings.Threads)
	case "multipv":
		return number(1, maxLines, &s.lines)
	default:
		return fmt.Errorf("unknown option %q", subprocess.Shown(name))
	}
	if err == nil {
		s.drop()
	}
	return err
}

// open changes to the game that a spec names, and sets the position to the start of this game.
func (s *session) open(spec string) error {
	g, err := s.Open(spec)
	if err != nil {
		return err
	}
	s.g, s.p, s.Settings.Game = g, g.Start(), spec
	return nil
}

// place executes the command position.
func (s *session) place(text string) error {
	p, err := ParsePosition(s.g, text)
	if err == nil {
		s.p = p
	}
	return err
}

// query answers a question about the position.
func (s *session) query(question string) error {
	o := s.p.Outcome()
	switch question {
	case "gameover":
		s.out.Say("response %t", o != game.Ongoing)
	case "p1turn":
		s.out.Say("response %t", s.p.Turn() == game.First)
	case "result":
		s.out.Say("response %s", [...]string{"none", "p1win", "p2win", "draw"}[o])
	default:
		return fmt.Errorf("unknown question %q", subprocess.Shown(question))
	}
	return nil
}

// ready makes the player, unless there is one.
func (s *session) ready() (err error) {
	if s.player == nil {
		s.player, err = s.Player(s.g, s.Settings)
	}
	return err
}

// drop closes the player.
func (s *session) drop() {
	if s.player != nil {
		player.Close(s.player)
		s.player = nil
	}
}

// search begins a search. The move is sent through s.ended.
func (s *session) search(ctx context.Context, text string) error {
	lim, infinite, err := s.limits(strings.Fields(text))
	if err == nil {
		err = s.ready()
	}
	if err == nil && s.p.Outcome() != game.Ongoing {
		err = errors.New("the game is over")
	}
	if err != nil {
		s.complain(err)
		s.out.Say("bestmove %s", noMove)
		return nil
	}
	ctx, s.stop = context.WithCancel(ctx)
	s.hold, s.ended = infinite, make(chan string, 1)
	p, pl, ended := s.p.Clone(), s.player, s.ended
	go func() {
		m, err := choose(ctx, pl, p, lim, func(i search.Info) { s.out.Say("%s", formatInfo(p.Game(), player.Scale(pl), i)) })
		if err != nil {
			s.complain(err)
			ended <- noMove
			return
		}
		ended <- p.Game().Format(m)
	}()
	return nil
}

// choose asks a player for its move. It returns an error if the player panics or its move is illegal.
func choose(ctx context.Context, pl player.Player, p game.Position, lim search.Limits, report func(search.Info)) (m game.Move, err error) {
	defer rescue.Into(&err)
	root := p.Clone()
	if a, ok := pl.(player.Analyst); ok {
		var i search.Info
		if i, err = a.Analyze(ctx, p, lim, report); err == nil {
			m = i.PV[0]
			report(i)
		}
	} else {
		m, err = pl.Move(ctx, p, lim)
	}
	if err == nil && !game.Legal(root, m) {
		err = fmt.Errorf("%s played an illegal move", pl.Name())
	}
	return m, err
}

// forever is the time limit of a search that ends only when it is stopped.
const forever = 1000 * time.Hour

// limits reads the arguments of go.
func (s *session) limits(words []string) (lim search.Limits, infinite bool, err error) {
	lim.Lines = s.lines
	var times [2]time.Duration
	var increments [2]time.Duration
	for i := 0; i < len(words) && err == nil; i++ {
		if words[i] == "infinite" {
			infinite, lim.Time = true, forever
			continue
		}
		n, failed := strconv.ParseInt(next(words, i), 10, 64)
		if failed != nil || n < 0 || n > int64(forever/time.Millisecond) {
			return lim, false, fmt.Errorf("%q needs an integer", subprocess.Shown(words[i]))
		}
		ms := time.Duration(n) * time.Millisecond
		switch words[i] {
		case "p1time", "p2time":
			times[words[i][1]-'1'] = max(ms, time.Millisecond)
		case "p1inc", "p2inc":
			increments[words[i][1]-'1'] = ms
		case "movetime":
			lim.Time = max(ms, time.Millisecond)
		case "depth":
			lim.Depth = int(min(n, 1<<20))
		case "nodes":
			lim.Nodes = uint64(n)
		default:
			return lim, false, fmt.Errorf("go: unknown word %q", subprocess.Shown(words[i]))
		}
		i++
	}
	if left := times[s.p.Turn()]; left > 0 {
		c := clock.New(clock.Control{Match: left, Increment: increments[s.p.Turn()]})
		plan, most := c.Budget(game.FreeCells(s.p))
		if lim.Time == 0 || plan < lim.Time {
			lim.Time, lim.Most = plan, cmp.Or(min(most, lim.Time), most)
		}
	}
	return lim, infinite, nil
}

// release stops the search that runs, but does not wait for its move, which arrives in s.ended. If a search has already ended
// and its move waits for the command stop, release sends that move.
func (s *session) release() {
	s.hold = false
	if s.ended != nil {
		s.stop()
	}
	if s.holding != "" {
		s.out.Say("bestmove %s", s.holding)
		s.holding = ""
	}
}

// end stops the search, waits for its move, and sends the move.
func (s *session) end() {
	s.release()
	if s.ended != nil {
		s.out.Say("bestmove %s", <-s.ended)
		s.ended = nil
	}
}
