// SPDX-License-Identifier: Apache-2.0

// Package reports contains the reports of studies that are embedded in krow. The script tools/studies.sh makes them.
package reports

import (
	"embed"
	"encoding/json"

	"github.com/krow-lab/krow/research/report"
)

//go:embed */report.json
var files embed.FS

// Report returns the report of the full version of a study. reading selects one of the study's variants; "" selects the first.
// Report also reports whether there is such a report.
func Report(name, reading string) (report.Data, bool) {
	if reading != "" {
		name += "-" + reading
	}
	var d report.Data
	data, err := files.ReadFile(name + "/report.json")
	return d, err == nil && json.Unmarshal(data, &d) == nil
}
