// SPDX-License-Identifier: Apache-2.0

package search

// Timed is a Searcher or a player that can report whether the clock limits its thinking under the limits lim. If the clock does
// so, the moves depend on the speed of the machine. A Searcher that holds threads or much memory is also an io.Closer.
type Timed interface {
	Timed(lim Limits) bool
}
