// SPDX-License-Identifier: Apache-2.0

package club

import (
	"fmt"

	"github.com/krow-lab/krow/server/store"
)

// Remove deletes a member's account. The member's games with others stay, and show the name
// "removed member".
func (c *Club) Remove(by Who, id int64) error {
	m, err := c.db.ClubMember(id)
	if err != nil {
		return err
	}
	if by.Member != id {
		if m, err = c.other(by, id); err != nil {
			return err
		}
		if by.Role < Owner {
			return ErrRight
		}
	}
	if m.Role == Owner.String() { // checked before the member's games are resigned below
		if err := c.ownerBesides(id); err != nil {
			return err
		}
	}
	if err := c.leaving(id); err != nil {
		return err
	}
	what := fmt.Sprintf("member %d", id) // the log contains the number, because the name must be forgotten
	if by.Member == id {
		by.Name, by.Address = removed, ""
	}
	return c.logged(by, id, "remove", what, c.db.RemoveClubMember(id, removed))
}

// ownerBesides returns [store.ErrLastOwner] unless an owner other than the member with the number id can log in.
func (c *Club) ownerBesides(id int64) error {
	all, err := c.db.ClubMembers()
	if err != nil {
		return err
	}
	for _, m := range all {
		if m.ID != id && m.Role == Owner.String() && m.Banned == "" && m.Entered {
			return nil
		}
	}
	return store.ErrLastOwner
}
