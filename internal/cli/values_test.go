// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"os"
	"testing"
)

// TestValuesPage: docs/values.md is made of docs/values.jsonl, of which every row has a certificate.
func TestValuesPage(t *testing.T) {
	rows, err := readValues(t.Context(), "../../docs/values.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Value == "" || r.Bytes == 0 {
			t.Errorf("%s: no value or no certificate: %+v", r.Game, r)
		}
	}
	var page bytes.Buffer
	if err := writeValues(&page, rows); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile("../../docs/values.md"); err != nil || !bytes.Equal(got, page.Bytes()) {
		t.Errorf("docs/values.md is not what krow values --results docs/values.jsonl prints (%v)", err)
	}
}
