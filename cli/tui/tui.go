// SPDX-License-Identifier: Apache-2.0

// Package tui shows a board in the terminal. A person plays on this board with keys and mouse against any player, or watches
// two players.
//
// The model never blocks. Players think in goroutines on a clone of the position, one player at a time. The analysis of a
// player arrives as a message, which names the request that it answers. A message for an older request, for example after an
// undo, is dropped.
//
// # Caveats
//
// A person is represented by a player.Human, whose method Move is never called. Run does not close the players.
package tui

import (
	"cmp"
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/krow-lab/krow/app/analysis"
	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

const (
	// At its end Run stops the search. grace is the maximum time for which Run waits for the search to end.
	grace = 100 * time.Millisecond
	// pace is the minimum time for a move in a game without a person, so that spectators can follow it.
	pace = 300 * time.Millisecond
)

// Options are the settings of a game in the terminal.
type Options struct {
	Position game.Position // the position at the start, ongoing or over; Run plays moves in this position
	Opening  int           // number of moves at the beginning of Position's history that undo does not take back
	Players  [2]player.Player
	Names    [2]string              // names of the players to show; if a name is "", the player's own Name is shown
	Hinter   player.Player          // the player that gives hints
	Limits   search.Limits          // search limits for each move and each hint
	Status   string                 // a line to show below the board until something else happens
	Save     func() (string, error) // writes the game of Position to a file, and returns its name; nil: the game is not saved
}

// Run shows the board until the person leaves or ctx is done; neither is an error. It stops all searches before it
// returns.
func Run(ctx context.Context, o Options) error {
	return runProgram(ctx, o, tea.WithContext(ctx), tea.WithoutSignalHandler())
}

func runProgram(ctx context.Context, o Options, with ...tea.ProgramOption) error {
	m, err := newModel(ctx, o)
	if err != nil {
		return err
	}
	_, err = tea.NewProgram(m, with...).Run()
	m.thinker.Stop()
	m.thinker.Wait(grace)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// model is the state of the screen. Its methods change the model in place. This is safe because bubbletea calls them from only
// one goroutine.
type model struct {
	ctx context.Context
	o   Options

	// The position of the game, and the data that the method settle computes from the position.
	p     game.Board
	v     diagram.Board        // drawing of p
	row   []int                // cells of the winning row
	moves map[int]game.Move    // the legal moves, by cell
	marks map[int]diagram.Mark // winning cells and forbidden points, by cell

	// The state of the display.
	x, y          int // column and row of the cursor, counted from the left and from the top
	width, height int
	across, down  diagram.Axis // the part of the board that is shown
	showThreats   bool
	help, paused  bool
	status        string
	saved         string         // the moves of the game when it was last saved
	then          func() tea.Cmd // is called after the person has answered whether to save; nil if there is no such question
	hint          game.Move

	// The state of the player that is thinking: see startThinker.
	thinker analysis.Thinker
	talk    <-chan analysis.Thought // carries the thoughts about the last request; nil when no player thinks
	said    said                    // the last analysis
}

func newModel(ctx context.Context, o Options) (*model, error) {
	b, ok := o.Position.(game.Board)
	if !ok {
		return nil, fmt.Errorf("%s has no board to draw", o.Position.Game())
	}
	m := &model{ctx: ctx, o: o, p: b, width: 80, height: 24, showThreats: true, status: o.Status, hint: game.NoMove}
	if !m.anyHuman() {
		m.thinker.Pace = pace
	}
	m.settle()
	m.x, m.y = m.v.Columns/2, (m.v.Rows-1)/2
	m.arrange()
	return m, nil
}

// name returns the name under which the screen shows a player.
func (m *model) name(s game.Side) string { return cmp.Or(m.o.Names[s], m.o.Players[s].Name()) }

// Init lets the player to move think, unless it is a person.
func (m *model) Init() tea.Cmd { return m.letPlayerThink() }

// settle updates the model after a change of the position. It stops the current search and starts none.
func (m *model) settle() {
	m.thinker.Stop()
	m.talk, m.hint = nil, game.NoMove
	m.v = diagram.New(m.p)
	m.moves = map[int]game.Move{}
	for _, mv := range m.p.AppendMoves(nil) {
		m.moves[m.p.Cell(mv)] = mv
	}
	m.marks, m.row = diagram.Marks(m.p), m.v.WonCells()
	if m.over() {
		m.status = m.ending() + "   u: undo   s: save   n: new game   q: leave"
	}
}

func (m *model) over() bool { return m.p.Outcome() != game.Ongoing }

func (m *model) isHuman(s game.Side) bool {
	_, ok := m.o.Players[s].(player.Human)
	return ok
}

func (m *model) anyHuman() bool { return m.isHuman(game.First) || m.isHuman(game.Second) }

func (m *model) mine() bool { return !m.over() && m.isHuman(m.p.Turn()) }

// target returns the cell of the cursor. In a game with falling stones it returns the cell on which a stone would land.
func (m *model) target() int { return m.v.Landing(m.x, m.y) }
