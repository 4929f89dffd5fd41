// SPDX-License-Identifier: Apache-2.0

// Package page embeds the built web app. page/README.md describes how to build it.
package page

import "embed"

// Dist holds the directory dist, the output of Vite.
//
//go:embed all:dist
var Dist embed.FS
