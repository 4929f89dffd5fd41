// SPDX-License-Identifier: Apache-2.0

// Package rif reads games in the XML format of RenjuNet's database.
//
// # Basics
//
//	for g, err := range rif.All(data) { ... }
//
// # Format
//
//	<database>
//	  <rules><rule id="5" name="Soosyrv-8"/></rules>
//	  <players><player id="7" name="Anna" surname="Lind"/> ...</players>
//	  <tournaments><tournament id="3" name="City" year="2019"/></tournaments>
//	  <games>
//	    <game id="1" tournament="3" rule="5" black="7" white="8" bresult="0.5"><move>h8 h9 i9 ...</move></game>
//	  </games>
//	</database>
//
// bresult is Black's result: 1, 0.5 or 0. A cell is the letter of its column and the number of its row, counted from the lower
// left. Other elements and attributes are ignored.
//
// # Caveats
//
// RenjuNet has published no schema; this description is derived from existing files. If a file is truncated, All yields the
// games before the end.
package rif

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"github.com/krow-lab/krow/internal/humanize"
)

// Game is a game of a database. Its board has 15 x 15 cells.
type Game struct {
	ID         string
	Names      [2]string // names of Black and White; may be empty
	Tournament string
	Year       int     // 0 if unknown
	Rule       string  // the opening rule, such as RIF or Taraguchi-10
	Black      float64 // Black's result: 1, 0.5 or 0; -1 if unknown
	Moves      string  // the moves as they are in the file
}

// longest is the maximum number of characters that an error message quotes from a file.
const longest = 120

type element struct {
	ID         string `xml:"id,attr"`
	Name       string `xml:"name,attr"`
	Surname    string `xml:"surname,attr"`
	Year       string `xml:"year,attr"`
	Tournament string `xml:"tournament,attr"`
	Rule       string `xml:"rule,attr"`
	Black      string `xml:"black,attr"`
	White      string `xml:"white,attr"`
	Result     string `xml:"bresult,attr"`
	Move       string `xml:"move"`
}

// All yields each game of a database. If the file is damaged, it yields an error after the games before the damage, and stops.
func All(data []byte) iter.Seq2[Game, error] {
	return func(yield func(Game, error) bool) {
		d := xml.NewDecoder(bytes.NewReader(data))
		// Every character set except UTF-8 is read as ISO 8859-1. Moves are read correctly in any case, but names may be wrong.
		d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return charmap.ISO8859_1.NewDecoder().Reader(r), nil }
		names, tournaments, rules := map[string]string{}, map[string]element{}, map[string]string{}
		games := 0
		for {
			token, err := d.Token()
			if err == io.EOF {
				if games == 0 {
					yield(Game{}, errors.New("the file contains no game"))
				}
				return
			}
			var e element
			start, is := token.(xml.StartElement)
			if err == nil && is {
				switch start.Name.Local {
				case "player", "tournament", "rule", "game":
					err = d.DecodeElement(&e, &start)
				}
			}
			if err != nil {
				line, _ := d.InputPos()
				text := err.Error()
				if s, ok := errors.AsType[*xml.SyntaxError](err); ok {
					line, text = s.Line, s.Msg
				}
				yield(Game{}, fmt.Errorf("line %d: %s", line, humanize.OneLine(text, longest)))
				return
			}
			if !is {
				continue
			}
			switch start.Name.Local {
			case "player":
				names[e.ID] = strings.TrimSpace(e.Name + " " + e.Surname)
			case "tournament":
				tournaments[e.ID] = e
			case "rule":
				rules[e.ID] = e.Name
			case "game":
				games++
				t := tournaments[e.Tournament]
				g := Game{ID: e.ID, Names: [2]string{names[e.Black], names[e.White]}, Tournament: t.Name, Rule: rules[e.Rule], Moves: strings.TrimSpace(e.Move)}
				if g.Year, err = strconv.Atoi(t.Year); err != nil {
					g.Year = 0
				}
				if g.Black, err = strconv.ParseFloat(e.Result, 64); err != nil || g.Black != 1 && g.Black != 0.5 && g.Black != 0 {
					g.Black = -1
				}
				if !yield(g, nil) {
					return
				}
			}
		}
	}
}
