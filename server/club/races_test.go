// SPDX-License-Identifier: Apache-2.0

package club

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/krow-lab/krow/server/store"
)

// joined adds a member with a password, and returns the member and the token of a session.
func joined(t *testing.T, c *Club, name string, role Role) (Who, string) {
	t.Helper()
	link, err := c.Add(Alone, name, role)
	if err != nil {
		t.Fatal(err)
	}
	who, token, err := c.Join(link, "", "correct horse", Browser{})
	if err != nil {
		t.Fatal(err)
	}
	return who, token
}

// whileBusy calls act while several goroutines call busy again and again.
func whileBusy(busy func(n int), act func()) {
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for i := range 4 {
		wg.Go(func() {
			for n := i; ; n += 4 {
				select {
				case <-stop:
					return
				default:
					busy(n)
				}
			}
		})
	}
	act()
	close(stop)
	wg.Wait()
}

// TestBanIsNotLost: a member who takes other names and passwords while being banned is banned afterwards.
func TestBanIsNotLost(t *testing.T) {
	c := newClub(t)
	lost := 0
	for i := range 15 {
		eve, token := joined(t, c, fmt.Sprint("eve", i), Member)
		whileBusy(func(n int) {
			if n%2 == 0 {
				_ = c.Rename(eve, eve.Member, fmt.Sprintf("eve%d-%d", i, n)) // may be refused
			} else {
				_ = c.ChangePassword(t.Context(), eve, Proof{Password: "correct horse", Token: token}, "correct horse")
			}
		}, func() {
			if err := c.Ban(Alone, eve.Member, "cheats"); err != nil {
				t.Error(err)
			}
		})
		if m, err := c.db.ClubMember(eve.Member); err != nil || m.Banned != "cheats" {
			lost++
		}
		if _, err := c.Session(token); err == nil {
			t.Errorf("try %d: the session of a banned member", i)
		}
	}
	if lost > 0 {
		t.Errorf("%d of 15 bans were lost", lost)
	}
}

// TestDemotionIsNotLost: an organiser who sets a new password while being demoted is a member afterwards.
func TestDemotionIsNotLost(t *testing.T) {
	c := newClub(t)
	lost := 0
	for i := range 15 {
		olga, token := joined(t, c, fmt.Sprint("olga", i), Organiser)
		whileBusy(func(int) {
			_ = c.ChangePassword(t.Context(), olga, Proof{Password: "correct horse", Token: token}, "correct horse") // may be refused
		}, func() {
			if err := c.SetRole(Alone, olga.Member, Member); err != nil {
				t.Error(err)
			}
		})
		if m, err := c.db.ClubMember(olga.Member); err != nil || m.Role != "member" {
			lost++
		}
	}
	if lost > 0 {
		t.Errorf("%d of 15 demotions were lost", lost)
	}
}

// TestOwnersDemoteEachOther: of two owners who demote, ban or remove each other at once, one succeeds.
func TestOwnersDemoteEachOther(t *testing.T) {
	deeds := map[string]func(c *Club, by Who, id int64) error{
		"demote": func(c *Club, by Who, id int64) error { return c.SetRole(by, id, Member) },
		"ban":    func(c *Club, by Who, id int64) error { return c.Ban(by, id, "cheats") },
		"remove": func(c *Club, by Who, id int64) error { return c.Remove(by, id) },
	}
	for name, do := range deeds {
		t.Run(name, func(t *testing.T) {
			for range 8 {
				c := newClub(t)
				if err := c.First("ann", "correct horse"); err != nil {
					t.Fatal(err)
				}
				zoe, _ := joined(t, c, "zoe", Owner)
				ann := Who{Member: First, Name: "ann", Role: Owner}
				var wg sync.WaitGroup
				var errs [2]error
				wg.Go(func() { errs[0] = do(c, ann, zoe.Member) })
				wg.Go(func() { errs[1] = do(c, zoe, First) })
				wg.Wait()
				if (errs[0] == nil) == (errs[1] == nil) {
					t.Fatalf("%v, %v: want one error", errs[0], errs[1])
				}
				for _, err := range errs {
					if err != nil && !errors.Is(err, store.ErrLastOwner) && !errors.Is(err, ErrRight) {
						t.Error(err)
					}
				}
			}
		})
	}
}

// TestDemotionTakesInvitationsBack: invitations and other links of a member who was banned or demoted no longer work.
func TestDemotionTakesInvitationsBack(t *testing.T) {
	c := newClub(t)
	for name, do := range map[string]func(id int64) error{
		"demoted": func(id int64) error { return c.SetRole(Alone, id, Member) },
		"banned":  func(id int64) error { return c.Ban(Alone, id, "cheats") },
	} {
		olga, _ := joined(t, c, name, Organiser)
		link, err := c.Invite(olga, Member, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := do(olga.Member); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Link(link); err == nil {
			t.Errorf("an invitation of an organiser who was %s still works", name)
		}
	}
}

// TestNoLinkAfterDemotion: an owner who makes invitations while being demoted keeps none of them.
func TestNoLinkAfterDemotion(t *testing.T) {
	c := newClub(t)
	if err := c.First("ann", "correct horse"); err != nil {
		t.Fatal(err)
	}
	left := 0
	for i := range 10 {
		olga, _ := joined(t, c, fmt.Sprint("olga", i), Owner)
		whileBusy(func(int) { _, _ = c.Invite(olga, Owner, "") }, func() { // may be refused
			if err := c.SetRole(Who{Member: First, Name: "ann", Role: Owner}, olga.Member, Member); err != nil {
				t.Error(err)
			}
		})
		all, err := c.db.MemberLinks()
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range all {
			if l.Maker == olga.Member {
				left++
			}
		}
	}
	if left > 0 {
		t.Errorf("%d invitations of demoted owners", left)
	}
}
