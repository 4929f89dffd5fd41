// SPDX-License-Identifier: Apache-2.0

//go:build site

package gomoku

import "github.com/krow-lab/krow/internal/sitefile"

const networkFiles sitefile.Folder = "engine/gomoku"
