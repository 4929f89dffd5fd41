// SPDX-License-Identifier: Apache-2.0

package store

import (
	"bufio"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	gamesOfMember = `(SELECT id FROM games WHERE ` + atBoard + ` AND (owner = $1 OR $1 = 1 AND owner = 0 AND guest = '')
		OR pool <> '' AND (first_member = $1 OR second_member = $1) OR run IN (SELECT id FROM runs WHERE owner = $1))`
	runsOfMember = "(SELECT id FROM runs WHERE owner = $1)"
	botsOfMember = "(SELECT id FROM bots WHERE author = $2)"
)

// memberTables lists the tables with rows about a member. In where, $1 is the member's number, and $2 is the text that
// identifies the member as an author of bots (see authorOf). The columns in without are left out: they hold secrets or data
// about other people. TestExportHasEveryTable checks that no table is missing.
var memberTables = []struct{ name, table, where, without string }{
	{"members", "members", "id = $1", "password second"},
	{"sessions", "sessions", "member = $1", "hash"},
	{"subscriptions", "subscriptions", "session IN (SELECT hash FROM sessions WHERE member = $1)", "session auth"},
	{"links", "member_links", "member = $1 OR maker = $1", "hash"},
	{"passkeys", "passkeys", "member = $1", ""}, // no column is left out, because passkeys contain only public keys
	{"devices", "devices", "member = $1", ""},
	{"games", "games", "id IN " + gamesOfMember, "guest first_guest second_guest"},
	{"collected", "collected", "origin IN " + gamesOfMember, ""},
	{"ratings", "ratings", "member = $1", ""},
	{"challenges", "challenges", "member = $1 OR invited = $1", "guest"},
	{"tournaments", "tournaments", "member = $1 OR id IN (SELECT tournament FROM tournament_players WHERE member = $1)", "guest"},
	{"tournament_players", "tournament_players", "member = $1", "guest"},
	{"puzzle_tries", "puzzle_tries", "owner = $1", ""},
	{"puzzle_repeats", "puzzle_repeats", "owner = $1", ""},
	{"puzzle_own", "puzzle_own", "owner = $1", ""},
	{"progress", "progress", "member = $1", ""},
	{"studies", "studies", "owner = $1", ""},
	{"bots", "bots", "author = $2", ""},
	{"bot_versions", "bot_versions", "bot IN " + botsOfMember, ""},
	{"bot_texts", "bot_texts", "hash IN (SELECT hash FROM bot_versions WHERE bot IN " + botsOfMember + ")", ""},
	{"away_bots", "away_bots", "author = $2", "token"},
	{"league_members", "league_members", "author = (SELECT name FROM members WHERE id = $1) COLLATE NOCASE", ""},
	{"runs", "runs", "owner = $1", ""},
	{"points", "points", "run IN " + runsOfMember, ""},
	{"deeds", "audit", "member = $1", ""},
	{"deeds_of_others", "audit", "about = $1 AND member <> $1", "address"},
}

// ExportMember writes all stored data about a member as a JSON object. The object contains a list for each table. The list
// contains an object for each row. The fields of this object are the columns of the table, which
// docs/reference/formats/store.md describes. Bytes that are no text are in base64.
func (s *Store) ExportMember(w io.Writer, id int64) error {
	out := bufio.NewWriter(w)
	for i, t := range memberTables {
		_, _ = fmt.Fprintf(out, "%s%q: [", []string{"{\n", "\n],\n"}[min(i, 1)], t.name) // Flush returns the error later
		if err := s.exportRows(out, "SELECT * FROM "+t.table+" WHERE "+t.where, strings.Fields(t.without), id, authorOf(id)); err != nil {
			return wrap(s.name, fmt.Errorf("export %s: %w", t.table, err))
		}
	}
	_, _ = out.WriteString("\n]\n}\n")
	return out.Flush()
}

// exportRows writes the rows of a query, each in a line.
func (s *Store) exportRows(out *bufio.Writer, query string, without []string, args ...any) error {
	rows, err := s.readers.Query(query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	for n := 0; rows.Next(); n++ {
		row, err := exportedRow(rows, columns, without)
		if err != nil {
			return err
		}
		_, _ = out.WriteString([]string{"\n ", ",\n "}[min(n, 1)])
		if _, err := out.Write(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

func exportedRow(rows *sql.Rows, columns, without []string) ([]byte, error) {
	values, fields := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		fields[i] = &values[i]
	}
	if err := rows.Scan(fields...); err != nil {
		return nil, err
	}
	object := map[string]any{}
	for i, name := range columns {
		if !slices.Contains(without, name) {
			object[name] = exported(values[i], without)
		}
	}
	return json.Marshal(object)
}

// exported returns the JSON value to write for a value of a column. A text that is JSON is written as JSON, without the
// fields named in without.
func exported(v any, without []string) any {
	if data, ok := v.([]byte); ok && utf8.Valid(data) {
		v = string(data)
	}
	text, ok := v.(string)
	if !ok || !strings.ContainsAny(text[:min(len(text), 1)], "{[") || !json.Valid([]byte(text)) {
		return v
	}
	var value any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if len(without) == 0 || d.Decode(&value) != nil {
		return json.RawMessage(text)
	}
	strip(value, without)
	return value
}

// strip removes fields from all objects in a JSON value.
func strip(value any, fields []string) {
	switch v := value.(type) {
	case []any:
		for _, x := range v {
			strip(x, fields)
		}
	case map[string]any:
		for _, f := range fields {
			delete(v, f)
		}
		for _, x := range v {
			strip(x, fields)
		}
	}
}
