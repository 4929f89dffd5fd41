// SPDX-License-Identifier: Apache-2.0

package search

// Timed is a Searcher or a player that reports whether the clock decides how long it thinks within lim: then its moves depend on
// the speed of the machine. The engines of gomoku and ultimate, mics, and the players around a search implement it. A Searcher that
// holds threads or much memory is also an io.Closer.
type Timed interface {
	Timed(lim Limits) bool
}
