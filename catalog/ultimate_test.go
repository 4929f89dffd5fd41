// SPDX-License-Identifier: Apache-2.0

package catalog_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/krow-lab/krow/catalog"
)

// TestUltimateNet refuses what is no network in one line that offers the heuristic.
func TestUltimateNet(t *testing.T) {
	g, err := catalog.Game("ultimate")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "net")
	if err := os.WriteFile(name, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = catalog.Player(g, "ultimate:net="+name, 1)
	if err == nil || !strings.Contains(err.Error(), "net=none") || strings.Contains(err.Error(), "\n") {
		t.Errorf("a foreign file: %v", err)
	}
	for _, spec := range []string{"ultimate:net=none", "ultimate:level=1", "ultimate:nodes=100,proof=off", "best"} {
		if _, err := catalog.Player(g, spec, 1); err != nil {
			t.Errorf("%s: %v", spec, err)
		}
	}
}
