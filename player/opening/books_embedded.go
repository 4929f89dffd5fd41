// SPDX-License-Identifier: Apache-2.0

//go:build !site

package opening

import "embed"

//go:embed books
var bookFiles embed.FS
