// SPDX-License-Identifier: Apache-2.0

// Package tui is the board in the terminal: play with keys and mouse against any player, or watch two.
//
// Model is a bubbletea model: it never blocks. Players think in goroutines on a clone of the position, and
// what they say comes back as messages that carry the number of the position they thought about; messages
// about an older one, after an undo say, are dropped.
//
// # Caveats
//
// A person's seat is a player.Human, whose Move is never called.
package tui

import (
	"context"
	"fmt"
	"sync"

	tea "charm.land/bubbletea/v2"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// Options is what a game at the terminal begins with.
type Options struct {
	Position game.Position // ongoing or over; Run plays on it
	Players  [2]player.Player
	Hinter   player.Player // gives the hints
	Limits   search.Limits // for each move and hint
}

// Run shows the board until the person leaves. It returns when all searches have ended.
func Run(ctx context.Context, o Options) error {
	m, err := newModel(ctx, o)
	if err != nil {
		return err
	}
	_, err = tea.NewProgram(m, tea.WithContext(ctx)).Run()
	m.stop()
	m.thinkers.Wait()
	if ctx.Err() != nil {
		return nil // interrupted: that is how one leaves
	}
	return err
}

// model is the state of the screen. It is shared by pointer: bubbletea calls it from one goroutine.
type model struct {
	ctx      context.Context
	o        Options
	g        game.Game
	p        game.Board
	columns  int
	rows     int
	moves    []game.Move // legal here
	cells    []int       // on which each of moves would place its stone
	last     []int       // the cell of each move played, -1 if unknown
	cursor   int         // a cell
	status   string
	info     search.Info // what the thinker says, for position number of
	showInfo bool
	threats  bool
	help     bool
	width    int
	height   int

	number   int // of the position: every move and every undo makes a new one
	thinking bool
	hint     game.Move
	stop     context.CancelFunc // ends what thinks now
	thinkers *sync.WaitGroup
	talk     chan tea.Msg // what thinkers say
}

// infoMsg is an answer on the way; moveMsg is the final one.
type infoMsg struct {
	number int
	info   search.Info
}

type moveMsg struct {
	number int
	move   game.Move
	hint   bool
	err    error
}

func newModel(ctx context.Context, o Options) (*model, error) {
	b, ok := o.Position.(game.Board)
	if !ok {
		return nil, fmt.Errorf("%s has no board to draw", o.Position.Game())
	}
	m := &model{
		ctx: ctx, o: o, g: b.Game(), p: b, width: 80, height: 24, hint: game.NoMove, threats: true,
		stop: func() {}, thinkers: &sync.WaitGroup{}, talk: make(chan tea.Msg, 64),
	}
	m.columns, m.rows = b.Size()
	for range b.AppendHistory(nil) {
		m.last = append(m.last, -1)
	}
	m.cursor = m.columns/2 + m.rows/2*m.columns
	m.settle()
	return m, nil
}

// Init starts the first thinker, if a player begins who is no person.
func (m *model) Init() tea.Cmd { return tea.Batch(m.listen(), m.think()) }

// listen waits for what the thinkers say next.
func (m *model) listen() tea.Cmd {
	return func() tea.Msg { return <-m.talk }
}

// settle follows a change of the position.
func (m *model) settle() {
	m.stop()
	m.number++
	m.thinking = false
	m.hint = game.NoMove
	m.info = search.Info{}
	m.moves = m.p.AppendMoves(m.moves[:0])
	m.cells = m.cells[:0]
	for _, mv := range m.moves {
		m.cells = append(m.cells, m.p.Cell(mv))
	}
}

func (m *model) human() bool {
	_, ok := m.o.Players[m.p.Turn()].(player.Human)
	return ok
}

// think lets the player to move think, if it is no person and the game goes on.
func (m *model) think() tea.Cmd {
	if m.p.Outcome() != game.Ongoing || m.human() {
		return nil
	}
	return m.ask(m.o.Players[m.p.Turn()], false)
}

// ask sets pl thinking about the position as it stands.
func (m *model) ask(pl player.Player, hint bool) tea.Cmd {
	m.stop()
	ctx, cancel := context.WithCancel(m.ctx)
	m.stop, m.thinking = cancel, true
	p, number, lim, talk := m.p.Clone(), m.number, m.o.Limits, m.talk
	m.thinkers.Add(1)
	go func() {
		defer m.thinkers.Done()
		say := func(msg tea.Msg) {
			select {
			case talk <- msg:
			case <-ctx.Done():
			}
		}
		mv, err := consult(ctx, pl, p, lim, func(i search.Info) {
			i.PV = append([]game.Move(nil), i.PV...)
			say(infoMsg{number, i})
		})
		say(moveMsg{number, mv, hint, err})
	}()
	return nil
}

// consult asks a player for a move, and for what it thinks on the way if it can tell.
func consult(ctx context.Context, pl player.Player, p game.Position, lim search.Limits, report func(search.Info)) (game.Move, error) {
	a, ok := pl.(player.Analyst)
	if !ok {
		return pl.Move(ctx, p, lim)
	}
	info, err := a.Analyze(ctx, p, lim, report)
	if err != nil {
		return game.NoMove, err
	}
	report(info)
	return info.PV[0], nil
}

// play makes a move, from a person or a player.
func (m *model) play(mv game.Move) tea.Cmd {
	cell := -1
	if game.Legal(m.p, mv) {
		cell = m.p.Cell(mv)
	}
	side, name := m.p.Turn(), m.g.Format(mv)
	if err := game.Play(m.p, mv); err != nil {
		m.status = err.Error()
		return nil
	}
	m.last = append(m.last, cell)
	m.status = fmt.Sprintf("%s played %s", side, name)
	m.settle()
	return m.think()
}

// undo goes back to the last move of a person, or by one move where no person plays.
func (m *model) undo() tea.Cmd {
	if len(m.p.AppendHistory(nil)) == 0 {
		m.status = "nothing to undo"
		return nil
	}
	for len(m.last) > 0 {
		m.p.Undo()
		m.last = m.last[:len(m.last)-1]
		if m.human() {
			break
		}
	}
	m.status = "taken back"
	m.settle()
	return m.think()
}
