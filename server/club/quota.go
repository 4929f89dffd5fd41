// SPDX-License-Identifier: Apache-2.0

package club

import (
	"time"

	"github.com/krow-lab/krow/internal/fault"
)

// The quotas for stored data: of a member, of a guest, and of all guests together.
const (
	gamesOfMember = 20_000
	gamesOfGuest  = 200
	gamesOfGuests = 20_000
	bytesOfMember = 256 << 20
	bytesOfGuests = 256 << 20
	keptOfGuests  = 24 * time.Hour      // minimum time for which a finished game is kept, even if the quota is full
	idleOfGuests  = 30 * 24 * time.Hour // minimum time for which an unfinished game is kept after its last change
)

// These errors can be returned by Room and RoomForGames.
var (
	errFull       = fault.New("too-many", "the server keeps too much of you: delete games, bots or runs")
	errGuestsFull = fault.New("busy", "the server keeps too much of guests")
	errGames      = fault.New("too-many", "you have too many games: delete some")
	errGuestGames = fault.New("busy", "guests have too many games")
)

// Room returns an error if the person's quota for stored data is used up.
func (c *Club) Room(who Who) error {
	if who.Role >= Owner {
		return nil
	}
	kept, err := c.db.BytesOf(who.Member)
	switch {
	case err != nil:
		return err
	case who.Member != 0 && kept >= bytesOfMember:
		return errFull
	case who.Member == 0 && kept >= bytesOfGuests:
		return errGuestsFull
	}
	return nil
}

// RoomForGames returns an error if n more games would be too many for the person, or if the person's quota for stored data is
// used up.
func (c *Club) RoomForGames(who Who, n int) error {
	if who.Role >= Owner {
		return nil
	}
	count, err := c.db.CountGames(who.Member, who.Guest)
	switch {
	case err != nil:
		return err
	case who.Member != 0 && count.Mine+n > gamesOfMember, who.Member == 0 && count.Mine+n > gamesOfGuest:
		return errGames
	case who.Member != 0:
		return c.Room(who)
	}
	if err := c.Room(who); err == nil && count.Guests < gamesOfGuests {
		return nil
	}
	// The oldest games of guests are deleted. Recent games are kept (see keptOfGuests and idleOfGuests), so that a guest who
	// begins many games cannot displace the recent games of other guests.
	gone, err := c.db.ForgetGamesOfGuests(time.Now().Add(-keptOfGuests), time.Now().Add(-idleOfGuests), 100)
	if err == nil && gone == 0 {
		err = errGuestGames
	}
	return err
}
