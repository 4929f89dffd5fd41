// SPDX-License-Identifier: Apache-2.0

package club

import (
	"errors"
	"strings"
	"time"

	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/server/store"
)

// link stores a link and returns its secret. It returns an error if the caller (by) has lost the required role since the
// request arrived. This check is needed because a demotion deletes only the links that were made before it.
func (c *Club) link(by Who, l store.MemberLink, lasts time.Duration, action, what string) (string, error) {
	token, hash := secret()
	l.Hash, l.Maker, l.Expires = hash, max(by.Member, First), time.Now().Add(lasts)
	role := by.Role.String()
	if by.Member == 0 {
		role = "" // the caller is the command line, which has no role
	}
	if err := c.db.AddMemberLink(l, role); errors.Is(err, store.ErrNoPerson) {
		return "", ErrRight
	} else if err != nil {
		return "", err
	}
	return token, c.logged(by, l.Member, action, what, nil)
}

// maxNote is the maximum length of an invitation's note, which names the recipient.
const maxNote = 100

// Invite returns the secret of a link with which one person can become a member.
func (c *Club) Invite(by Who, role Role, note string) (string, error) {
	if err := mayGive(by, role); err != nil {
		return "", err
	}
	note = strings.ToValidUTF8(note[:min(len(note), maxNote)], "")
	return c.link(by, store.MemberLink{Role: role.String(), Note: note}, inviteTime, "invite", note)
}

// NewPassword returns the secret of a link with which a member can set a new password once.
func (c *Club) NewPassword(by Who, id int64) (string, error) {
	m, err := c.other(by, id)
	switch {
	case err != nil:
		return "", err
	case by.Role < Owner: // only owners get such a link, because everybody who has it can log in as the member
		return "", ErrRight
	}
	return c.link(by, store.MemberLink{Member: id, Role: m.Role}, passwordTime, "password link", m.Name)
}

// Link returns the member who may set a password with a link. If the link is an invitation, the member has no name.
func (c *Club) Link(token string) (m store.Member, err error) {
	l, err := c.db.MemberLink(digest(token))
	if err != nil || l.Member == 0 {
		return m, err
	}
	return c.db.ClubMember(l.Member)
}

// Join uses a link, which is invalid afterwards, and begins a session, whose token it returns. With an invitation the person
// becomes a member with the name and the password. With a link for a new password the member gets that password.
func (c *Club) Join(token, name, password string, b Browser) (Who, string, error) {
	name, err := c.joiner(token, name)
	if err != nil {
		return Who{}, "", err
	}
	if err := CheckPassword(password, name); err != nil {
		return Who{}, "", err
	}
	hash, err := c.hash(password)
	if err != nil {
		return Who{}, "", err
	}
	return c.join(token, store.Member{Name: name, Key: nameKey(name), Password: hash}, nil, b)
}

// joiner returns the name of the person who uses a link. If the link is for a new password, this is the name of the member. If
// the link is an invitation, it is the parameter name, which must be free.
func (c *Club) joiner(token, name string) (string, error) {
	known, err := c.Link(token)
	if err != nil || known.Name != "" {
		return known.Name, err
	}
	return name, c.taken(name)
}

func (c *Club) join(token string, m store.Member, k *store.Passkey, b Browser) (Who, string, error) {
	id, err := c.db.UseMemberLink(digest(token), m, k)
	if err != nil {
		return Who{}, "", err
	}
	if m, err = c.db.ClubMember(id); err != nil {
		return Who{}, "", err
	}
	if m.Banned != "" {
		return Who{}, "", fault.Errorf("%w: %s", ErrBanned, m.Banned)
	}
	who := whoOf(m)
	who.Address = b.Address
	d := deedOf(who, id, "join", m.Name)
	// logDeed leaves out members' changes of their own accounts. This deed must be in the log, because the link came from an
	// organiser.
	d.Own = false
	if err := c.logDeed(d, c.db.AddDeed(d)); err != nil {
		return Who{}, "", err
	}
	return c.beginSession(m, b)
}

// TakeBack deletes a link. Organisers cannot delete links that owners have made.
func (c *Club) TakeBack(by Who, hash []byte) error {
	l, err := c.db.DeleteMemberLink(hash, by.Role >= Owner)
	return c.logged(by, l.Member, "take back link", l.Note, err)
}
