// SPDX-License-Identifier: Apache-2.0

package gamefile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/notation/rif"
)

// All yields each game of a file, and an error for each bad game. After a bad game, reading continues if the format allows
// it: in SGF with the next game, in lists with the next line, in krow's own format with the next game that can be replayed.
// In other formats a bad game ends the file. In addition to the formats of [Names], All reads RenjuNet's XML and files with
// several lists of moves. Each list is a game, and may end with the result 1-0, 0-1, 1/2-1/2 or *. If a line begins with a
// move number greater than 1, its moves continue the list of the previous line; any other line begins a new list.
func All(data []byte, name string, o Options) iter.Seq2[Game, error] {
	if o.Open == nil {
		o.Open = krow.Game
	}
	o.Open = cached(o.Open)
	text := bytes.TrimPrefix(data, byteOrderMark)
	format := cmp.Or(ByName(name), Look(data))
	switch {
	case strings.HasSuffix(strings.ToLower(name), ".rif") || bytes.HasPrefix(bytes.TrimSpace(text), []byte("<")):
		return converted(rif.All(text), o.fromRIF)
	case format == "moves":
		return o.lists(string(text))
	}
	return find(format).games(data, o)
}

// Count estimates the number of games that All will yield, for a progress bar.
func Count(data []byte, name string) int {
	text := bytes.TrimSpace(data)
	switch {
	case bytes.HasPrefix(text, []byte("<")):
		return max(bytes.Count(data, []byte("<game ")), 1)
	case cmp.Or(ByName(name), Look(data)) == "sgf":
		return max(bytes.Count(data, []byte("SZ[")), 1)
	}
	return bytes.Count(text, []byte("\n")) + 1
}

// cached returns a function that calls open only once for each game spec, and later returns the same game again.
func cached(open func(string) (game.Game, error)) func(string) (game.Game, error) {
	games := map[string]game.Game{}
	return func(spec string) (game.Game, error) {
		if g, ok := games[spec]; ok {
			return g, nil
		}
		g, err := open(spec)
		if err == nil {
			games[spec] = g
		}
		return g, err
	}
}

func converted[T any](all iter.Seq2[T, error], convert func(T) (Game, error)) iter.Seq2[Game, error] {
	return func(yield func(Game, error) bool) {
		n := 0
		for t, err := range all {
			n++
			var g Game
			if err == nil {
				if g, err = convert(t); err != nil {
					err = fmt.Errorf("game %d: %w", n, err)
				}
			}
			if !yield(g, err) {
				return
			}
		}
	}
}

// fromRIF replays a game of RenjuNet as renju, because all opening rules of RenjuNet are opening rules of renju.
func (o Options) fromRIF(s rif.Game) (Game, error) {
	b, err := o.board("renju")
	if err != nil {
		return Game{}, err
	}
	if err := notation.Play(b, s.Moves); err != nil {
		return Game{}, err
	}
	said, reason := game.Ongoing, record.ReasonForfeit
	switch s.Black {
	case 1:
		said = game.FirstWins
	case 0:
		said = game.SecondWins
	case 0.5:
		said, reason = game.Draw, record.ReasonDraw
	}
	g, err := finished(b, s.Names, said, reason)
	g.Event, g.Year = s.Tournament, s.Year
	return g, err
}

var results = map[string]game.Outcome{"1-0": game.FirstWins, "0-1": game.SecondWins, "1/2-1/2": game.Draw, "*": game.Ongoing}

func (o Options) lists(text string) iter.Seq2[Game, error] {
	return func(yield func(Game, error) bool) {
		list, first, n := "", 0, 0
		read := func() (Game, error) {
			g, err := o.fromList(list)
			if err != nil {
				err = fmt.Errorf("line %d: %w", first, err)
			}
			list = ""
			return g, err
		}
		found := false
		for line := range strings.Lines(text) {
			n++
			line = strings.TrimSpace(line)
			if line == "" || line[0] == '#' {
				continue
			}
			found = true
			if number, _, ok := strings.Cut(line, "."); list != "" && !(ok && number != "1" && strings.Trim(number, "0123456789") == "") {
				if g, err := read(); !yield(g, err) {
					return
				}
			}
			if list == "" {
				first = n
			}
			list += " " + line
		}
		switch {
		case list != "":
			yield(read())
		case !found:
			yield(Game{}, errors.New("no game in it"))
		}
	}
}

// fromList reads a list of moves, with an optional result at its end.
func (o Options) fromList(list string) (Game, error) {
	b, err := o.board(o.Game)
	if err != nil {
		return Game{}, err
	}
	list = strings.TrimSpace(list)
	said, reason := game.Ongoing, ""
	at := strings.LastIndexAny(list, " \t") + 1
	if result, ok := results[list[at:]]; ok {
		said, reason, list = result, record.ReasonForfeit, list[:at]
		if result == game.Draw {
			reason = record.ReasonDraw
		}
	}
	if err := notation.Play(b, list); err != nil {
		return Game{}, err
	}
	return finished(b, [2]string{}, said, reason)
}

// allRecords reads a file in krow's own format line by line, and yields its games.
func allRecords(data []byte, o Options) iter.Seq2[Game, error] {
	return func(yield func(Game, error) bool) {
		header, rest, _ := bytes.Cut(data, []byte("\n"))
		header = append(header[:len(header):len(header)], '\n')
		if _, _, err := record.Read(header, "", o.Open); err != nil {
			yield(Game{}, err)
			return
		}
		n := 1
		for line := range bytes.Lines(rest) {
			n++
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			var g Game
			played, err := record.Parse(line, o.Open)
			if err == nil {
				g, err = FromRecord(played)
			}
			if err != nil {
				err = fmt.Errorf("line %d: %w", n, err)
			}
			if !yield(g, err) {
				return
			}
		}
		if n == 1 {
			yield(Game{}, errors.New("no game in it"))
		}
	}
}
