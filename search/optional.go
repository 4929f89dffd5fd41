// SPDX-License-Identifier: Apache-2.0

package search

// Timed is a Searcher or a player that reports whether the clock limits its thinking under lim; if so, its moves depend on the
// speed of the machine. The engines of gomoku and ultimate, mics, and players that use a search implement it. A Searcher that holds
// threads or much memory is also an io.Closer.
type Timed interface {
	Timed(lim Limits) bool
}
