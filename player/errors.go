// SPDX-License-Identifier: Apache-2.0

package player

import "errors"

// These errors can be returned by Player.Move; each forfeits the game.
var (
	// ErrTimeout is returned when the clock ran out before the move came.
	ErrTimeout = errors.New("out of time")
	// ErrCrashed is returned when the engine's process ended.
	ErrCrashed = errors.New("engine stopped")

	errNoMove = errors.New("the search found no move")
)
