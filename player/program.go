// SPDX-License-Identifier: Apache-2.0

package player

import "github.com/krow-lab/krow/game"

// Program is the program of a bot. Package bot implements this interface.
type Program interface {
	// Name returns the name of the program, for messages.
	Name() string
	// Hash returns a hash of the program's text.
	Hash() string
	// Declare returns the parameters that the program declares in a game.
	Declare(g game.Game) ([]Param, error)
	// Open returns a player for a game of g. The caller must close the player.
	Open(g game.Game, o ProgramOptions) (Player, error)
}

// Param is a parameter that a program declares.
type Param struct {
	Name    string  `json:"name"`
	Default float64 `json:"default"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
}

// ProgramOptions are the settings with which a program plays a game.
type ProgramOptions struct {
	Seed   uint64             // seed of the program's random choices
	Params map[string]float64 // values of parameters that the program declares
	Steps  uint64             // maximum number of steps of the Starlark interpreter for one move; 0 means the default
}
