// SPDX-License-Identifier: Apache-2.0

// Package gamefile reads and writes games in every format that krow knows.
//
// # Basics
//
//	format := gamefile.Look(data)
//	games, err := gamefile.Read(data, format, gamefile.Options{})
//	data, err = gamefile.Write("sgf", games)
//	for g, err := range gamefile.All(data, name, gamefile.Options{}) // continues after a bad game
//
// The formats are sgf, psq (Piskvork), binpack (c-gomoku-cli), renlib (libraries of RenLib), games (package record), position (a drawn board) and
// moves (a list). [Names] lists them.
//
// # Caveats
//
// No format can contain everything. Variations are read only from renlib, and written only to renlib and sgf. The scores of a
// binpack file are dropped. Only the formats games and psq contain the times of moves. The formats position and moves do not
// name the game, so they need [Options.Game].
package gamefile

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/inputfile"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/notation/renlib"
	"github.com/krow-lab/krow/notation/tree"
)

// Game is a game that was read from a file or is to be written to a file. The players' names may be empty, and the game may be
// unfinished.
type Game struct {
	record.Game
	Position game.Board // final position; its history contains the moves
	Event    string     // name of the tournament, if the file contains it
	Year     int        // 0 if unknown
	// Tree contains the moves with variations and comments. It is nil if the game has only the moves of Position.
	Tree *tree.Node
	Cut  int // number of moves cut off from the file's tree: illegal ones and their continuations
}

// New returns the game that led to p. The game has an outcome only if it is over by the rules.
func New(p game.Board, names [2]string) Game {
	return Game{Game: record.New(p, names), Position: p}
}

// finished returns the game that led to p. If the game is over by the rules, it has the outcome by the rules, otherwise the outcome
// and the reason from the file (said and reason).
func finished(p game.Board, names [2]string, said game.Outcome, reason string) (Game, error) {
	g := New(p, names)
	switch {
	case g.Outcome == game.Ongoing:
		g.Outcome, g.Reason = said, reason
	case said != game.Ongoing && said != g.Outcome:
		return g, fmt.Errorf("the result in the file is %s, but by the moves it is %s", said, g.Outcome)
	}
	return g, nil
}

// Merge joins the variations of the tree that are symmetric to each other.
func (g *Game) Merge() {
	if g.Tree != nil {
		g.Tree = tree.Merge(g.Position.Game(), g.Tree)
	}
}

// Start returns the position before the first move of p's history.
func Start(p game.Board) game.Board {
	p = p.Clone().(game.Board)
	for range p.AppendHistory(nil) {
		p.Undo()
	}
	return p
}

// Options control how data is read.
type Options struct {
	Game string                               // spec of the game for data that does not name its game
	Open func(spec string) (game.Game, error) // opens a spec; nil means krow.Game
}

// ErrGame is returned, wrapped, by Read if neither the data nor Options name the game.
var ErrGame = errors.New("a list of moves or a drawing does not name its game")

var errCertificate = errors.New("this is a certificate, not a file of games: see krow verify")

type format struct {
	name     string
	ends     []string // extensions of files in this format
	all      func(data []byte, o Options) iter.Seq2[Game, error]
	append   func(dst []byte, i int, g Game) ([]byte, error)
	one      bool // whether a file contains only one game
	start    bool // whether every game must begin at the start position
	finished bool // whether every game must be finished
}

var formats = []format{
	{name: "sgf", ends: []string{".sgf"}, all: allSGF, append: appendSGF},
	{name: "psq", ends: []string{".psq"}, all: single(readPSQ), append: appendPSQ, one: true, start: true},
	{name: "binpack", ends: []string{".binpack"}, all: allBinpack, append: appendBinpack, start: true, finished: true},
	{name: "renlib", ends: []string{".lib"}, all: single(readRenLib), append: appendRenLib, one: true, start: true},
	{name: "games", ends: []string{".jsonl", ".json"}, all: allRecords, append: appendRecord, start: true, finished: true},
	{name: "position", ends: []string{".pos"}, all: single(readPosition), append: appendPosition, one: true},
	{name: "moves", all: single(readMoves), append: appendMoves, one: true},
}

// single converts the function read, which returns the only game of a file, to a function that yields the games of a file.
func single(read func(data []byte, o Options) (Game, error)) func(data []byte, o Options) iter.Seq2[Game, error] {
	return func(data []byte, o Options) iter.Seq2[Game, error] {
		return func(yield func(Game, error) bool) { yield(read(data, o)) }
	}
}

// Names returns the names of the formats.
func Names() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// ByName returns the format of a file by the ending of its name, or "" if no format has that ending.
func ByName(file string) string {
	end := strings.ToLower(filepath.Ext(file))
	for _, f := range formats {
		if slices.Contains(f.ends, end) {
			return f.name
		}
	}
	return ""
}

var byteOrderMark = []byte("\ufeff") // some editors write this mark at the beginning of a text

// Look returns the format that data looks like. It returns moves if data looks like no format.
func Look(data []byte) string {
	text := bytes.TrimSpace(bytes.TrimPrefix(data, byteOrderMark))
	switch {
	case renlib.Is(data):
		return "renlib"
	case !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0:
		return "binpack"
	case bytes.HasPrefix(text, []byte("(")):
		return "sgf"
	case bytes.HasPrefix(text, []byte("Piskvor")):
		return "psq"
	case bytes.HasPrefix(text, []byte("{")):
		return "games"
	case notation.IsBoard(string(text)):
		return "position"
	}
	return "moves"
}

// find returns the format with the given name, which must be one of Names.
func find(name string) format { return formats[slices.Index(Names(), name)] }

// Read reads all games of a file, and returns an error if there are none. An error contains the number of the line or of the
// game. Read returns the games before the error together with the error.
func Read(data []byte, format string, o Options) (games []Game, err error) {
	if o.Open == nil {
		o.Open = krow.Game
	}
	for g, err := range find(format).games(data, o) {
		if err != nil {
			return games, err
		}
		games = append(games, g)
	}
	if len(games) == 0 {
		return nil, errors.New("no game in it")
	}
	return games, nil
}

// ReadFile reads the games of a file, or of standard input if the name is -. If format is "", the name or the content of the
// file determines the format. ReadFile also returns the format.
func ReadFile(ctx context.Context, name, format string, o Options) (games []Game, from string, err error) {
	var data []byte
	err = inputfile.Read(ctx, name, func(in *inputfile.File) (err error) {
		data, err = io.ReadAll(in)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	from = cmp.Or(format, ByName(name), Look(data))
	if games, err = Read(data, from, o); err != nil {
		err = fmt.Errorf("%s: %w", inputfile.Name(name), err)
	}
	return games, from, err
}

// games yields the games of a file. It ignores a byte order mark at the beginning of a text file.
func (f format) games(data []byte, o Options) iter.Seq2[Game, error] {
	if bytes.HasPrefix(data, []byte(`{"krow":"certificate"`)) {
		return func(yield func(Game, error) bool) { yield(Game{}, errCertificate) }
	}
	if f.name != "binpack" && f.name != "renlib" {
		data = bytes.TrimPrefix(data, byteOrderMark)
	}
	return f.all(data, o)
}

// Write returns a file with the games, or an error if the format cannot contain them.
func Write(format string, games []Game) ([]byte, error) {
	f := find(format)
	if f.one && len(games) != 1 {
		return nil, fmt.Errorf("%s can contain one game, not %d", format, len(games))
	}
	var data []byte
	for i, g := range games {
		var err error
		switch {
		case f.finished && g.Outcome == game.Ongoing:
			return nil, fmt.Errorf("game %d is not finished, and files of %s contain only finished games", i+1, format)
		case f.start && len(g.Moves) != g.Position.Ply():
			err = fmt.Errorf("files of %s contain only games that begin with an empty board", format)
		default:
			data, err = f.append(data, i, g)
		}
		if err != nil && !f.one {
			err = fmt.Errorf("game %d: %w", i+1, err)
		}
		if err != nil {
			return nil, err
		}
	}
	return data, nil
}

// startOf returns the start position of Options.Game. If Options.Game is empty, it returns the start position of the game
// that the file names (named), or of gomoku if the file names no known game. startOf returns an error if the board of the
// game does not have the size that the file gives.
func (o Options) startOf(named string, columns, rows int) (game.Board, error) {
	spec := o.Game
	if spec == "" {
		spec = usualSpec(named, columns, rows)
	}
	b, err := o.board(spec)
	if err != nil {
		return nil, err
	}
	if c, r := b.Size(); c != columns || r != rows {
		return nil, fmt.Errorf("the board of %s has %d x %d cells, but the board of the game has %d x %d", b.Game(), c, r, columns, rows)
	}
	return b, nil
}

func (o Options) board(spec string) (game.Board, error) {
	if spec == "" {
		return nil, ErrGame
	}
	g, err := o.Open(spec)
	if err != nil {
		return nil, err
	}
	b, ok := g.Start().(game.Board)
	if !ok {
		return nil, fmt.Errorf("%s has no board of stones", g)
	}
	return b, nil
}

// usualSpec returns the spec of the game that a file names by a krow spec or a common name. For an unknown name it returns the spec
// of free-style gomoku.
func usualSpec(named string, columns, rows int) string {
	word, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(named)), " ")
	switch word {
	case "standard", "renju", "caro":
		return fmt.Sprintf("%s:%dx%d", word, columns, rows)
	case "", "gomoku", "freestyle":
	default:
		if strings.Contains(named, ":") {
			word = named
		}
		if _, err := krow.Game(word); err == nil {
			return word
		}
	}
	return fmt.Sprintf("gomoku:%dx%d", columns, rows)
}

func playCell(b game.Board, cell int) error {
	for _, m := range b.AppendMoves(nil) {
		if b.Cell(m) == cell {
			b.Play(m)
			return nil
		}
	}
	columns, _ := b.Size()
	return fmt.Errorf("move %d: no stone can be placed on %s", len(b.AppendHistory(nil))+1, game.FormatCell(cell, columns))
}

// ReadOpenings reads the file with the given name. Each line is an opening, written as moves or as offsets from the centre of
// the board; empty lines and comments (#) are ignored.
func ReadOpenings(g game.Game, name string) ([][]game.Move, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("openings: %w", err)
	}
	var all [][]game.Move
	n := 0
	for text := range strings.Lines(string(data)) {
		n++
		text = strings.TrimSpace(text)
		if text == "" || text[0] == '#' {
			continue
		}
		p := g.Start()
		if err := notation.Play(p, text); err != nil {
			return nil, fmt.Errorf("openings %s: line %d: %w", name, n, err)
		}
		if p.Outcome() != game.Ongoing {
			return nil, fmt.Errorf("openings %s: line %d: the game is over: %s", name, n, p.Outcome())
		}
		all = append(all, p.AppendHistory(nil))
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("openings %s: the file contains no opening", name)
	}
	return all, nil
}
