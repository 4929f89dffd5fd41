// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	_ "embed"
	"sync"

	"github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/game"
)

//go:embed networks/gomoku.net
var gomokuNet []byte

var defaultNet = sync.OnceValue(func() *network.Network {
	n, err := network.Parse(gomokuNet)
	if err != nil {
		panic(err) // a test reads it
	}
	return n
})

// DefaultNet returns the network that the engine comes with for g, or nil: only games of five in a row have one. It has
// learned from games of gomoku, and plays standard, caro and renju better, too.
func DefaultNet(g game.Game) *network.Network {
	r, err := newRule(g)
	if err != nil || r.side[0].k != 5 || r.side[1].k != 5 {
		return nil
	}
	return defaultNet()
}
