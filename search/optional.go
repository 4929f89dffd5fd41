// SPDX-License-Identifier: Apache-2.0

package search

// Timed is a Searcher or a player that reports whether it thinks by the clock within lim: then its moves depend on the speed of
// the machine. The engines of gomoku and ultimate, mics, and the players around a search have it. A Searcher that holds threads or much memory is
// an io.Closer too.
type Timed interface {
	Timed(lim Limits) bool
}
