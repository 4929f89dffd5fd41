// SPDX-License-Identifier: Apache-2.0

package club

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/krow-lab/krow/internal/store"
)

// Remove forgets a member. Games that the member played with others stay, under [Removed].
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
	if m.Role == Owner.String() { // before their games are resigned
		if err := c.ownerBesides(id); err != nil {
			return err
		}
	}
	if err := c.leaving(id); err != nil {
		return err
	}
	what := fmt.Sprintf("member %d", id) // not the name, which is forgotten
	if by.Member == id {
		by.Name, by.Address = removed, ""
	}
	return c.logged(by, id, "remove", what, c.db.RemoveClubMember(id, removed))
}

// ownerBesides returns [ErrLastOwner] unless another owner can log in.
func (c *Club) ownerBesides(id int64) error {
	all, err := c.db.ClubMembers()
	if err != nil {
		return err
	}
	for _, m := range all {
		if m.ID != id && m.Role == Owner.String() && m.Banned == "" && (m.Password != "" || m.Passkeys > 0) {
			return nil
		}
	}
	return ErrLastOwner
}

// Mine is all that a server keeps of a member, less what lets others in.
type Mine struct {
	Name     string              `json:"name"`
	Role     string              `json:"role"`
	Joined   time.Time           `json:"joined"`
	Sessions []store.Session     `json:"sessions"`
	Games    []store.WebGame     `json:"games"`
	Runs     []string            `json:"runs"`
	Tries    []store.Try         `json:"tries"`
	Repeats  []store.Repeat      `json:"repeats"`
	Puzzles  []store.OwnPuzzle   `json:"puzzles"`
	Bots     map[string][]string `json:"bots"` // the texts of their versions, the oldest first
}

// Export returns all that is kept of a member.
func (c *Club) Export(id int64) (mine Mine, err error) {
	m, err := c.db.ClubMember(id)
	if err != nil {
		return mine, err
	}
	mine.Name, mine.Role, mine.Joined = m.Name, m.Role, m.Created.UTC()
	sessions, err1 := c.db.Sessions(id)
	for _, x := range sessions {
		x.Hash = nil
		mine.Sessions = append(mine.Sessions, x)
	}
	games, err2 := c.db.WebGamesOf(id, "", allGames, 0)
	tries, err3 := c.db.Tries(id)
	repeats, err4 := c.db.Repeats(id)
	own, err5 := c.db.OwnPuzzles(id)
	runs, err6 := c.db.Runs("")
	for _, r := range runs {
		if r.Owner == id {
			mine.Runs = append(mine.Runs, r.Kind+" "+r.Key)
		}
	}
	bots, err7 := c.bots(id)
	mine.Games, mine.Tries, mine.Repeats, mine.Puzzles, mine.Bots = games, tries, repeats, own, bots
	return mine, errors.Join(err1, err2, err3, err4, err5, err6, err7)
}

// allGames is more games than a member may have.
const allGames = 1_000_000

func (c *Club) bots(id int64) (map[string][]string, error) {
	author := ""
	if id > First {
		author = strconv.FormatInt(id, 10)
	}
	all, err := c.db.Bots()
	if err != nil {
		return nil, err
	}
	texts := map[string][]string{}
	for _, b := range all {
		if b.Author != author {
			continue
		}
		versions, err := c.db.BotVersions(b.Name)
		if err != nil {
			return nil, err
		}
		for _, v := range slices.Backward(versions) {
			text, err := c.db.BotText(b.Name, v.Version)
			if err != nil {
				return nil, err
			}
			texts[b.Name] = append(texts[b.Name], string(text))
		}
	}
	return texts, nil
}
