// SPDX-License-Identifier: Apache-2.0

package gomoku

import (
	"fmt"
	"sync"

	"github.com/krow-lab/krow/engine/gomoku/network"
	"github.com/krow-lab/krow/game"
)

// networks contains krow's networks, by name of the rule.
var networks = embedded(networkFiles, "networks/%s.net", func(_ string, data []byte) (*network.Network, error) { return network.Parse(data) })

// embedded returns for each rule a function that returns the parsed contents of the rule's file. The file is parsed when the
// returned function is called for the first time.
func embedded[T any](files interface {
	ReadFile(name string) ([]byte, error)
}, path string, parse func(name string, data []byte) (T, error),
) map[string]func() T {
	all := map[string]func() T{}
	for _, name := range []string{"gomoku", "standard", "renju", "caro"} {
		all[name] = sync.OnceValue(func() T {
			data, err := files.ReadFile(fmt.Sprintf(path, name))
			if err != nil {
				panic(err) // impossible, because a test reads all files
			}
			made, err := parse(name, data)
			if err != nil {
				panic(err)
			}
			return made
		})
	}
	return all
}

// name returns the name of the rule whose weights and network the engine uses for r. The name does not depend on the length of
// the winning row.
func (r *rule) name() string {
	switch side := &r.side[0]; {
	case side.renju:
		return "renju"
	case side.blocked:
		return "caro"
	case side.exact:
		return "standard"
	}
	return "gomoku"
}

// DefaultNet returns the engine's own network for g, or nil if there is none: only games of five in a row have one. Each rule
// has its own network, for boards of all sizes.
func DefaultNet(g game.Game) *network.Network {
	r, err := newRule(g)
	if err != nil || r.side[0].k != 5 || r.side[1].k != 5 {
		return nil
	}
	return networks[r.name()]()
}
