// SPDX-License-Identifier: Apache-2.0

package live

import (
	"slices"
	"sync"
	"time"

	"github.com/krow-lab/krow/player"
)

const (
	// maxKept is the maximum number of computer players that are kept in memory between their moves because they remember their
	// game. Each of them may have a separate process.
	maxKept = 16
	// maxKeptOf is the maximum number of kept players in the games of one person, so that one person cannot take all places.
	maxKeptOf = 2
	// maxKeptOfGuests is the maximum number of kept players in the games of all guests together, because a guest can take a
	// new identity at any time.
	maxKeptOfGuests = 4
	// keptFor is the time for which a player is kept for its next move.
	keptFor = 5 * time.Minute
)

// seat identifies a side of a game.
type seat struct {
	id   string
	spec string
	side int
	of   person
}

// person identifies the owner of a game: the number of a member, the constant guest, or the constant nobody if the server
// belongs to one person.
type person int64

const (
	nobody person = 0
	guest  person = -1
)

// ownerOf returns the owner of a game.
func ownerOf(g Game) person {
	if g.Owner == 0 && g.Guest != "" {
		return guest
	}
	return person(g.Owner)
}

// room returns the maximum number of computer players that are kept for a person.
func (p person) room() int {
	switch p {
	case nobody:
		return maxKept
	case guest:
		return maxKeptOfGuests
	}
	return maxKeptOf
}

// thinking returns the maximum number of computer players that think at once in the games of a person, so that one person
// cannot take all places.
func (p person) thinking() int {
	switch p {
	case nobody:
		return maxThinking
	case guest:
		return maxThinking / 2
	}
	return maxThinking / 4
}

// cache keeps computer players between their moves, if they remember their games (see player.Rememberer). Its size is limited:
// the least recently used player is removed first. The zero value is ready to use.
type cache struct {
	mu     sync.Mutex
	all    map[seat]*cachedPlayer
	order  int
	closed bool
}

type cachedPlayer struct {
	p     player.Player
	plies int // length of the game, in moves, just after the player's last move
	order int
	timer *time.Timer
}

// takePlayer removes the player of a seat from the cache and returns it, or nil if there is none. plies is the number of moves
// that the game now has. If the player remembers more moves, some moves were taken back. Then takePlayer closes the player and
// returns nil.
func (s *cache) takePlayer(at seat, plies int) player.Player {
	s.mu.Lock()
	x := s.all[at]
	s.remove(at)
	s.mu.Unlock()
	if x == nil {
		return nil
	}
	if x.plies > plies {
		player.Close(x.p)
		return nil
	}
	return x.p
}

// put keeps a player until it is taken, or closes it if it has no memory.
func (s *cache) put(at seat, p player.Player, plies int) {
	if r, ok := p.(player.Rememberer); !ok || !r.Remembers() {
		player.Close(p)
		return
	}
	for _, old := range s.keep(at, p, plies) {
		player.Close(old)
	}
}

// keep stores a player that remembers its game. It returns the players that the caller must close: a player that was removed
// to make room, or p itself if the cache is closed.
func (s *cache) keep(at seat, p player.Player, plies int) []player.Player {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return []player.Player{p}
	}
	if s.all == nil {
		s.all = map[seat]*cachedPlayer{}
	}
	s.order++
	x := &cachedPlayer{p: p, plies: plies, order: s.order}
	x.timer = time.AfterFunc(keptFor, func() { s.drop(func(_ seat, y *cachedPlayer) bool { return y == x }) })
	s.all[at] = x
	own := s.oldest(func(other seat) bool { return other.of == at.of })
	if len(own) > at.of.room() {
		return []player.Player{s.remove(own[0])}
	}
	if all := s.oldest(func(seat) bool { return true }); len(all) > maxKept {
		return []player.Player{s.remove(all[0])}
	}
	return nil
}

// oldest returns the seats that its argument accepts, the least recently used seat first. The caller holds the lock.
func (s *cache) oldest(which func(seat) bool) (found []seat) {
	for at := range s.all {
		if which(at) {
			found = append(found, at)
		}
	}
	slices.SortFunc(found, func(a, b seat) int { return s.all[a].order - s.all[b].order })
	return found
}

// remove removes the player of a seat from the cache and returns it, or nil if there is none. The caller holds the lock.
func (s *cache) remove(at seat) player.Player {
	x := s.all[at]
	if x == nil {
		return nil
	}
	x.timer.Stop()
	delete(s.all, at)
	return x.p
}

// drop removes and closes the players that its argument accepts.
func (s *cache) drop(which func(seat, *cachedPlayer) bool) {
	var old []player.Player
	s.mu.Lock()
	for at, x := range s.all {
		if which(at, x) {
			old = append(old, s.remove(at))
		}
	}
	s.mu.Unlock()
	for _, p := range old {
		player.Close(p)
	}
}

// forget closes the players of a game.
func (s *cache) forget(id string) {
	s.drop(func(at seat, _ *cachedPlayer) bool { return at.id == id })
}

// close closes all players. A player that is passed to put afterwards is closed at once.
func (s *cache) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.drop(func(seat, *cachedPlayer) bool { return true })
}
