// SPDX-License-Identifier: Apache-2.0

//go:build !site

package gomoku

import "embed"

//go:embed networks
var networkFiles embed.FS
