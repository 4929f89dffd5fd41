// SPDX-License-Identifier: Apache-2.0

//go:build !site

package network

import "embed"

//go:embed default.net
var files embed.FS
