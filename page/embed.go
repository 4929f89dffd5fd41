// SPDX-License-Identifier: Apache-2.0

// Package page holds the built web app: web/README.md says how it is made.
package page

import "embed"

// Dist is the directory dist, as Vite writes it.
//
//go:embed all:dist
var Dist embed.FS
