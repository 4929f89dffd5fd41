// SPDX-License-Identifier: Apache-2.0

// Package notices contains the licences of the modules that krow links. `make notices` collects them, and a test of
// tools/notices fails if a licence is missing.
package notices

import _ "embed"

// Modules has the name, the version and the licence of each module, one after another.
//
//go:embed modules.txt
var Modules string
