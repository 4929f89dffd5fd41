// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/puzzles"
	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
)

// puzzleOf returns the first short puzzle of a game and a theme.
func puzzleOf(t *testing.T, game string, theme puzzles.Theme) puzzles.Puzzle {
	t.Helper()
	all, err := puzzles.Load("")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if p.Game == game && p.Theme == theme && p.Plies <= 7 {
			return p
		}
	}
	t.Fatalf("no puzzle of %s and %s", game, theme)
	return puzzles.Puzzle{}
}

const puzzleStatus = `(document.querySelector('.status')?.innerText ?? '')`

// TestSolvePuzzle finds the moves of a puzzle of Connect Four, and is rated.
func TestSolvePuzzle(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	puzzle := puzzleOf(t, "connect4", puzzles.Column)
	p := s.ready("/puzzles/" + puzzle.ID())
	p.until(puzzleStatus + `.includes('to move and win')`)
	for i, column := range strings.Fields(puzzle.Line) {
		if i%2 == 1 {
			continue // the answer
		}
		p.until(mine)
		p.cell(int(column[0] - '1'))
		p.until(puzzleStatus + fmt.Sprintf(`.startsWith('Solved') || document.querySelectorAll('.cell.legal').length && %s.startsWith('Right')`, puzzleStatus))
		if js[bool](p, puzzleStatus+`.startsWith('Solved')`) {
			break
		}
	}
	p.until(puzzleStatus + `.startsWith('Solved')`)
	p.until(`document.querySelector('aside').innerText.includes('Rating')`)
	p.visit("/puzzles")
	p.until(`document.querySelector('main').innerText.includes('1 of 1 solved')`)
}

// TestSolvePuzzles solves puzzles drawn from the collection by clicks on the board, move by move, to their ends: KROW_PUZZLES
// says how many. The answers are the page's own.
func TestSolvePuzzles(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("KROW_PUZZLES"))
	if n == 0 {
		t.Skip("KROW_PUZZLES is not set")
	}
	all, err := puzzles.Load("")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 16))
	s := newSite(t)
	p := s.ready("/puzzles")
	for range n {
		puzzle := all[rng.IntN(len(all))]
		g, err := krow.Game(puzzle.Game)
		if err != nil {
			t.Fatal(err)
		}
		p.visit("/puzzles/" + puzzle.ID())
		board := g.Start().(game.Board)
		if err := notation.Play(board, puzzle.Moves); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s %s, %s to move, difficulty %d: %s; moves %s; line %s", puzzle.Game, puzzle.ID(), board.Turn(), puzzle.Grade, puzzle.Theme, puzzle.Moves, puzzle.Line)
		me := board.Turn()
		for _, name := range strings.Fields(puzzle.Line) {
			m, err := g.Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			if board.Turn() == me { // a turn of Connect6 has two stones
				p.until(mine)
				p.cell(board.Cell(m))
				p.until(puzzleStatus + `.startsWith('Solved') || document.querySelectorAll('.cell.legal').length && ` + puzzleStatus + `.startsWith('Right')`)
				if js[bool](p, puzzleStatus+`.startsWith('Solved')`) {
					break
				}
				if answer := js[string](p, `document.querySelector('[role=grid]') && location.pathname`); !strings.HasSuffix(answer, puzzle.ID()) {
					t.Fatalf("at %s", answer)
				}
			}
			board.Play(m)
		}
		p.until(puzzleStatus + `.startsWith('Solved')`)
	}
}

// TestFailPuzzle plays a wrong move: it is refuted in words and on the board, and the puzzle comes again. Then it takes all
// hints and finds the move.
func TestFailPuzzle(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	puzzle := puzzleOf(t, "gomoku", puzzles.FourThree)
	p := s.ready("/puzzles/" + puzzle.ID())
	p.until(mine)
	stones := js[int](p, `document.querySelectorAll('.cell:not(.legal)').length`)
	p.cell(0) // a corner
	p.until(puzzleStatus + `.startsWith('a1 ')`)
	p.until(fmt.Sprintf(`document.querySelectorAll('.cell:not(.legal)').length > %d`, stones))
	p.until(`document.querySelector('aside').innerText.includes('This puzzle comes again tomorrow')`)
	p.press("Try again")
	for _, text := range []string{"Four and three", "Look at the marked part", "The move is "} {
		p.until(mine)
		p.keys("h")
		p.until(fmt.Sprintf(`document.querySelector('aside').innerText.includes(%q)`, text))
	}
	move := strings.Fields(puzzle.Line)[0]
	cell, err := game.ParseCell(move, 15, 15)
	if err != nil {
		t.Fatal(err)
	}
	p.cell(cell)
	p.until(puzzleStatus + `.startsWith('Right') || ` + puzzleStatus + `.startsWith('Solved')`)
	p.visit("/puzzles")
	p.until(`document.querySelector('main').innerText.includes('Coming again later: 1')`)
}

// TestPuzzlePages: the puzzle of the day leads to itself, a theme to a puzzle of it, and a puzzle of one's own can be tried
// and deleted.
func TestPuzzlePages(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	var own request.PuzzleView
	s.post("/puzzles/own", map[string]string{"game": "gomoku", "moves": "h8 i9 h9", "line": "h10 h7"}, &own)
	if own.Theme != puzzles.Best {
		t.Errorf("a quiet position is a puzzle of the theme %s", own.Theme)
	}
	p := s.ready("/puzzles")
	p.click(`a[href^="/puzzles/` + own.ID + `"]`)
	p.until(puzzleStatus + `.includes('find the best move')`)
	p.until(mine)
	p.cell(0)
	p.until(puzzleStatus + `.includes('It is not proved')`)
	p.visit("/puzzles")
	p.until(`document.querySelector('li button')`)
	p.click(`li button`)
	p.until(`!document.querySelector('li button')`)
	p.press("Undo")
	p.until(`document.querySelector('li button')`)
	if !s.there("/puzzles/" + own.ID) {
		t.Error("a deletion that was taken back")
	}
	p.hurry()
	p.click(`li button`)
	s.gone("/puzzles/" + own.ID)
	p.click(`#todays-puzzle a`)
	p.until(`location.pathname.startsWith('/puzzles/') && document.querySelector('[role=grid]')`)
	today := js[string](p, `location.pathname`)
	p.press("Next puzzle")
	p.until(`location.search.includes('game=gomoku') && location.pathname !== '` + today + `' && document.querySelector('.status')`) // the game of the puzzle of the day
	p.click(`.actions a[href="/puzzles"]`)
	p.until(`document.querySelector('.themes button')`)
	p.choose(`.column select`, "renju")
	p.press("Start")
	p.until(`location.search.includes('game=renju') && document.querySelector('.status')`)
	p.click(`.actions a[href="/puzzles"]`)
	p.until(`document.querySelector('.themes button') && document.querySelector('.column select').value === 'renju'`)
	p.click(`.themes button`)
	p.until(`location.search.includes('theme=') && document.querySelector('.status')`)
	p.visit("/puzzles/none")
	p.until(`document.querySelector('[role=alert]')?.innerText.includes('no such puzzle')`)
}
