// SPDX-License-Identifier: Apache-2.0

//go:build site

package network

import "github.com/krow-lab/krow/internal/sitefile"

const files sitefile.Folder = "engine/ultimate/network"
