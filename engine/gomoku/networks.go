// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"embed"
	"sync"

	"github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/game"
)

//go:embed networks
var networkFiles embed.FS

// networks holds the networks that the engine comes with, by rule. Each is unpacked when it is first asked for.
var networks = func() map[string]func() *network.Network {
	all := map[string]func() *network.Network{}
	for _, name := range []string{"gomoku", "standard", "renju", "caro"} {
		all[name] = sync.OnceValue(func() *network.Network {
			data, err := networkFiles.ReadFile("networks/" + name + ".net")
			if err != nil {
				panic(err) // a test reads them all
			}
			n, err := network.Parse(data)
			if err != nil {
				panic(err)
			}
			return n
		})
	}
	return all
}()

// DefaultNet returns the network that the engine comes with for g, or nil: only games of five in a row have one. Each rule
// has its own, for boards of all sizes.
func DefaultNet(g game.Game) *network.Network {
	r, err := newRule(g)
	if err != nil || r.side[0].k != 5 || r.side[1].k != 5 {
		return nil
	}
	name := "gomoku"
	switch {
	case r.side[0].renju:
		name = "renju"
	case r.side[0].blocked:
		name = "caro"
	case r.side[0].exact:
		name = "standard"
	}
	return networks[name]()
}
