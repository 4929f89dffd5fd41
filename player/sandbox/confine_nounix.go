// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package sandbox

import "time"

var begun = time.Now()

// used returns the time since the process began, which is at least what it has used.
func used() time.Duration { return time.Since(begun) }
