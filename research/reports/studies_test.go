// SPDX-License-Identifier: Apache-2.0

package reports_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow/research/experiments"
	"github.com/krow-lab/krow/research/reports"
)

// TestReports holds each report.json against the README beside it, and its folder against the studies there are.
func TestReports(t *testing.T) {
	files, err := filepath.Glob("*/report.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d reports: %v", len(files), err)
	}
	for _, file := range files {
		name := filepath.Dir(file)
		study, reading, found := name, "", false
		for _, s := range experiments.All() {
			if rest, ok := strings.CutPrefix(name, s.Name+"-"); ok && len(s.Readings) > 0 && !slices.Contains(experiments.Names(), name) {
				study, reading = s.Name, rest
			}
		}
		st, err := experiments.Find(study)
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		for _, r := range st.Readings {
			found = found || r.Name == reading
		}
		if reading != "" && !found {
			t.Errorf("%s: %s has no reading %s", file, study, reading)
		}
		d, ok := reports.Report(study, reading)
		readme, err := os.ReadFile(filepath.Join(name, "README.md"))
		if !ok || err != nil || d.Made == "" || !strings.HasPrefix(string(readme), "# "+d.Title+"\n") {
			t.Errorf("%s: %t, %q made %q, %v", file, ok, d.Title, d.Made, err)
		}
	}
	if _, ok := reports.Report("nothing", ""); ok {
		t.Error("a report of no study")
	}
}
