// SPDX-License-Identifier: Apache-2.0

package bot

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/sandbox"
)

// Serve turns this process into the cage of a bot, if it was started as one, and does not return then. A main function
// calls it first. games reads the spec of a game.
func Serve(games func(spec string) (game.Game, error)) { sandbox.Serve(games) }

// ReadPlayer reads a program from a file, as the catalog needs it.
func ReadPlayer(path string) (player.Program, error) {
	p, err := Read(path)
	return p.Player(), err
}

// Player returns p as the catalog needs it.
func (p Program) Player() player.Program { return program{p} }

// program is a Program that plays.
type program struct{ p Program }

func (p program) Name() string { return p.p.Name }

func (p program) Hash() string {
	sum := sha256.Sum256(p.p.Text)
	return hex.EncodeToString(sum[:])
}

// Declare returns nothing for a module of WebAssembly, which declares no parameters, and does not start it.
func (p program) Declare(g game.Game) ([]player.Param, error) {
	if p.p.Kind == WASM {
		return nil, nil
	}
	d, err := Declare(g, p.p)
	return d.Params, err
}

func (p program) Open(g game.Game, o player.ProgramOptions) (player.Player, error) {
	return Open(g, p.p, Options{Seed: o.Seed, Params: o.Params, Limits: Limits{Steps: o.Steps}})
}
