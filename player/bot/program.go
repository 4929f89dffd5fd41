// SPDX-License-Identifier: Apache-2.0

package bot

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/sandbox"
)

// Serve does nothing unless this process was started as a child for bots. In such a child it runs bots and does not return. A
// main function must call Serve first. games returns the game that a spec, such as gomoku:15, names.
func Serve(games func(spec string) (game.Game, error)) { sandbox.Serve(games) }

// ReadPlayer reads a program from a file and returns it as a player.Program. Package krow uses it.
func ReadPlayer(path string) (player.Program, error) {
	p, err := Read(path)
	return p.Player(), err
}

// Player returns p as a player.Program. Package krow uses it.
func (p Program) Player() player.Program { return program{p} }

// program adapts a Program to the interface player.Program.
type program struct{ p Program }

func (p program) Name() string { return p.p.Name }

func (p program) Hash() string {
	sum := sha256.Sum256(p.p.Text)
	return hex.EncodeToString(sum[:])
}

// Declare returns the parameters that the program declares for g. A WebAssembly module declares none and is not started.
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
