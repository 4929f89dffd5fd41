// SPDX-License-Identifier: Apache-2.0

//go:build site

package opening

import "github.com/krow-lab/krow/internal/sitefile"

const bookFiles sitefile.Folder = "player/opening"
