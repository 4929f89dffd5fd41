// SPDX-License-Identifier: Apache-2.0

package cli

import "time"

// Hush makes an end of lines of progress where the output is no terminal.
func Hush() { quiet = 1000 * time.Hour }
