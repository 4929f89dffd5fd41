// SPDX-License-Identifier: Apache-2.0

package store

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// notOfMembers are the tables that are not in the export of a member, with the reasons.
var notOfMembers = map[string]string{
	"goose_db_version": "the version of the tables",
	"sqlite_sequence":  "a table of SQLite",
	"served":           "when the server ran",
	"pieces":           "results of experiments, which have no owner",
	"collections":      "collections of games have no owner",
	"places":           "an index of the games of collections",
	"marks":            "an index of the games of collections",
	"puzzle_grades":    "ratings of puzzles, from the tries of all members",
	"leagues":          "leagues have no owner",
}

// TestExportHasEveryTable: each table of the schema is in the export of a member, or in notOfMembers. A table that is exported has
// the row that is the member's, and no row for another member.
func TestExportHasEveryTable(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "krow.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.writer.Exec("PRAGMA foreign_keys = 0"); err != nil {
		t.Fatal(err)
	}
	// Each table gets a row that has 2 in every column, so that it belongs to the member 2, whose name is 2.
	special := map[string]string{"kind": "starlark", "score": "1", "outcome": "2"}
	tables, err := collect(s, scanText, "SELECT name FROM sqlite_schema WHERE type = 'table'")
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]bool{}
	for _, x := range memberTables {
		exports[x.table] = true
	}
	for _, table := range tables {
		if exports[table] == (notOfMembers[table] != "") {
			t.Errorf("the table %s is neither in memberTables nor in notOfMembers, or in both", table)
		}
		if !exports[table] {
			continue
		}
		columns, err := collect(s, scanText, "SELECT name FROM pragma_table_info($1)", table)
		if err != nil {
			t.Fatal(err)
		}
		var values []string
		for _, c := range columns {
			v := special[c]
			if v == "" {
				v = "2"
			}
			if table == "members" && (c == "removed" || c == "banned") {
				v = ""
			}
			values = append(values, "'"+v+"'")
		}
		values2 := strings.ReplaceAll(strings.Join(values, ", "), "''", "NULL")
		if table == "members" {
			values2 = strings.Replace(values2, "NULL", "''", 1) // banned
		}
		if _, err := s.writer.Exec("INSERT INTO " + table + " VALUES (" + values2 + ")"); err != nil {
			t.Fatalf("%s: %v", table, err)
		}
	}
	if _, err := s.writer.Exec("INSERT INTO audit (at, member, name, action, what, about, address) VALUES (1, 7, 'olga', 'ban', '2 cheats', 2, '192.0.2.7')"); err != nil {
		t.Fatal(err)
	}
	for member, want := range map[int64]int{1: 0, 2: 1, 3: 0} {
		t.Run(fmt.Sprint("member ", member), func(t *testing.T) {
			var b bytes.Buffer
			if err := s.ExportMember(&b, member); err != nil {
				t.Fatal(err)
			}
			var got map[string][]map[string]any
			if err := json.Unmarshal(b.Bytes(), &got); err != nil {
				t.Fatalf("%v: %s", err, b.Bytes())
			}
			for _, x := range memberTables {
				rows, named := got[x.name]
				if !named || x.table != "members" && len(rows) != want {
					t.Errorf("%s has %v, want %d rows", x.name, rows, want)
				}
				for _, secret := range strings.Fields(x.without) {
					if len(rows) > 0 && rows[0][secret] != nil {
						t.Errorf("%s has the column %s", x.name, secret)
					}
				}
			}
			if strings.Contains(b.String(), "192.0.2.7") {
				t.Error("the export has the address of somebody else")
			}
		})
	}
}

func scanText(rows *sql.Rows) (text string, err error) { return text, rows.Scan(&text) }
