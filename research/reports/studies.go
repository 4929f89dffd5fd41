// SPDX-License-Identifier: Apache-2.0

// Package reports holds the reports of studies that come with krow. tools/studies.sh makes them.
package reports

import (
	"embed"
	"encoding/json"

	"github.com/krow-lab/krow/research/report"
)

//go:embed */report.json
var files embed.FS

// Report returns the report of a study's full version in one of its readings, "" for the first, and reports whether there is one.
func Report(name, reading string) (report.Data, bool) {
	if reading != "" {
		name += "-" + reading
	}
	var d report.Data
	data, err := files.ReadFile(name + "/report.json")
	return d, err == nil && json.Unmarshal(data, &d) == nil
}
