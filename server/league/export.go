// SPDX-License-Identifier: Apache-2.0

package league

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/krow-lab/krow/app/gamefile"
	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/server/match"
	"github.com/krow-lab/krow/server/store"
)

// errFormat is returned for a format that Export does not know.
var errFormat = fault.New("no-file", "unknown format")

// Formats returns the formats that Export can write: our own formats, and the game formats of package gamefile.
func Formats() []string { return append([]string{"json", "csv", "games-csv"}, gamefile.Names()...) }

// Document is the JSON form of an exported league.
type Document struct {
	League  string             `json:"league"`
	Game    string             `json:"game"`
	Terms   Terms              `json:"terms"`
	Created time.Time          `json:"created"`
	Members []Member           `json:"members"`
	Table   Standings          `json:"table"`
	Games   []match.PlayedGame `json:"games"` // in the order in which they ended
}

// Export returns the league as a file in one of the formats that Formats names.
func (l *League) Export(format string) ([]byte, error) {
	if !slices.Contains(Formats(), format) {
		return nil, fault.Errorf("%w %q", errFormat, format)
	}
	if slices.Contains(gamefile.Names(), format) {
		return l.gamesAs(format)
	}
	d, err := l.document()
	if err != nil {
		return nil, err
	}
	switch format {
	case "json":
		data, err := json.MarshalIndent(d, "", " ")
		return append(data, '\n'), err
	case "csv":
		return tableCSV(d.Table)
	}
	return gamesCSV(d.Games)
}

func (l *League) document() (*Document, error) {
	t, err := l.Table()
	if err != nil {
		return nil, err
	}
	d := &Document{League: l.Name, Game: l.Game.String(), Terms: l.Terms, Created: l.Created.UTC(), Table: t, Games: []match.PlayedGame{}}
	if d.Members, err = l.Members(); err != nil {
		return nil, err
	}
	rows, err := l.db.Games(store.GameFilter{League: l.ID})
	for _, g := range rows {
		g.Extra = nil // drawings are left out, because only the latest games have them
		d.Games = append(d.Games, match.View(g))
	}
	return d, err
}

func tableCSV(t Standings) ([]byte, error) {
	rows := [][]string{{"rank", "member", "spec", "elo", "low", "high", "games", "score", "won", "drawn", "lost", "forfeits"}}
	for _, r := range t.Rows {
		number := func(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }
		rows = append(rows, []string{
			strconv.Itoa(r.Rank), r.Name, cell(r.Spec), number(r.Elo), number(r.Lo), number(r.Hi), strconv.Itoa(r.Games), number(r.Score),
			strconv.Itoa(r.Won), strconv.Itoa(r.Drawn), strconv.Itoa(r.Lost), strconv.Itoa(r.Forfeits),
		})
	}
	return writeCSV(rows)
}

func gamesCSV(games []match.PlayedGame) ([]byte, error) {
	rows := [][]string{{"game", "round", "first", "second", "outcome", "winner", "reason", "opening", "moves", "played"}}
	for _, g := range games {
		rows = append(rows, []string{
			strconv.FormatInt(g.ID, 10), strconv.Itoa(g.Round), g.First, g.Second, g.Outcome, g.Winner, cell(g.Reason),
			strconv.Itoa(g.Opening), g.Moves, g.Played.Format(time.RFC3339),
		})
	}
	return writeCSV(rows)
}

// cell prefixes a text with an apostrophe if a spreadsheet would take it for a formula.
func cell(text string) string {
	if text != "" && bytes.ContainsRune([]byte("=+-@\t\r"), rune(text[0])) {
		return "'" + text
	}
	return text
}

func writeCSV(rows [][]string) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll(rows); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// gamesAs returns the games of the league in a file format of package gamefile.
func (l *League) gamesAs(format string) ([]byte, error) {
	rows, err := l.db.Games(store.GameFilter{League: l.ID})
	if err != nil {
		return nil, err
	}
	var all []gamefile.Game
	for _, row := range rows {
		g, err := row.Played(l.Game)
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", row.Number, err)
		}
		g.Seed = l.Terms.Seed
		f, err := gamefile.FromRecord(g)
		if err != nil {
			return nil, err
		}
		f.Event = l.Name
		all = append(all, f)
	}
	return gamefile.Write(format, all)
}
