// SPDX-License-Identifier: Apache-2.0

package lobby

import (
	"slices"
	"time"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/server/live"
	"github.com/krow-lab/krow/server/store"
)

const (
	// Everybody may analyse any position with at most freeStones stones, because opening books contain such positions anyway.
	freeStones = 3
	// The analysis of a position is barred if the position is similar to the position of a rated game. A similar position has
	// at most aheadStones stones more than the game. It lacks at most backStones stones of the game, and at most a quarter of
	// the game's stones.
	aheadStones = 6
	backStones  = 2
	// maxAddresses is the maximum number of addresses whose members Saw remembers. When there are more addresses, all are
	// forgotten.
	maxAddresses = 10_000
)

// Saw notes that a member sent a request from an address. Room then lists the member as present for a while, and Barred treats
// everybody at the address as that member.
func (m *Lobby) Saw(member int64, address string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.here[member] = time.Now()
	if slices.Contains(m.members[address], member) {
		return
	}
	if len(m.members) >= maxAddresses || m.members == nil {
		m.members = map[string][]int64{}
	}
	m.members[address] = append(m.members[address], member)
}

// A person who plays a rated game, and everybody at the same address, may not see an analysis of a similar position. Barred
// returns the id of the rated game in progress that bars the analysis of board b, and reports whether the given person plays
// that game. The id is empty if there is no such game.
func (m *Lobby) Barred(by live.Seat, address string, b game.Board) (id string, own bool, err error) {
	m.mu.Lock()
	members := append([]int64{by.Member}, m.members[address]...)
	m.mu.Unlock()
	for _, member := range members {
		if member == 0 {
			continue // guests play no rated games
		}
		going, err := m.o.Store.Games(store.GameFilter{By: live.Seat{Member: member}, Going: true, Count: maxGoing})
		if err != nil {
			return "", false, err
		}
		for _, g := range going {
			if !g.Rated {
				continue
			}
			p, err := request.PositionOf(g.Game, g.Start, g.Moves)
			if err != nil {
				return "", false, err
			}
			if near(p, b) {
				return g.ID, member == by.Member, nil
			}
		}
	}
	return "", false, nil
}

type stone struct{ x, y, side int }

func stonesOf(b game.Board) (all []stone) {
	columns, _ := b.Size()
	for c, s := range b.Cells() {
		if s != game.Empty {
			all = append(all, stone{c % columns, c / columns, int(s - game.FirstStone)})
		}
	}
	return all
}

// turned returns the place and the colour of the stone in one of the 16 views of a board. A view is the board after a rotation
// or reflection, with or without an exchange of the colours.
func (s stone) turned(view int) stone {
	if view&1 != 0 {
		s.x = -s.x
	}
	if view&2 != 0 {
		s.y = -s.y
	}
	if view&4 != 0 {
		s.x, s.y = s.y, s.x
	}
	if view&8 != 0 {
		s.side = 1 - s.side
	}
	return s
}

// near reports whether the board asked is similar to the board played. It is similar if it contains the stones of played, or of
// a position a few moves earlier or later, at any place and in any of the 16 views. The boards may have different sizes.
func near(played, asked game.Board) bool {
	g, a := stonesOf(played), stonesOf(asked)
	needed := max(len(g)-min(backStones, len(g)/4), freeStones+1)
	if len(g) < needed || len(a) < needed || len(a) > len(g)+aheadStones {
		return false
	}
	there := map[stone]bool{}
	for _, s := range a {
		there[s] = true
	}
	for view := range 16 {
		for _, anchor := range g[:len(g)-needed+1] { // a similar board contains at least one of these stones
			from := anchor.turned(view)
			for _, to := range a {
				same := 0
				for _, s := range g {
					s = s.turned(view)
					if there[stone{s.x + to.x - from.x, s.y + to.y - from.y, s.side}] {
						same++
					}
				}
				if from.side == to.side && same >= needed && len(a) <= same+aheadStones {
					return true
				}
			}
		}
	}
	return false
}
