// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTablesOfReadme holds the tables of README against the measurements, which are the home of their numbers.
func TestTablesOfReadme(t *testing.T) {
	for heading, home := range map[string]string{"How strong": "strength.md", "What is solved": "solve.md"} {
		measured := tableRows(t, filepath.Join("measurements", home), "")
		rows := tableRows(t, filepath.Join(root, "README.md"), heading)
		if len(rows) < 3 {
			t.Errorf("README.md has %d rows under %q", len(rows), heading)
		}
		for _, row := range rows {
			if !slices.Contains(measured, row) {
				t.Errorf("README.md, %q: measurements/%s does not have the row %s", heading, home, row)
			}
		}
	}
}

// tableRows returns the rows of the tables under a heading of a page, or of the whole page if heading is empty.
func tableRows(t *testing.T, file, heading string) (rows []string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	inside := heading == ""
	for l := range strings.Lines(string(data)) {
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, "## ") {
			inside = heading == "" || l == "## "+heading
		}
		if inside && strings.HasPrefix(l, "|") {
			rows = append(rows, l)
		}
	}
	return rows
}
