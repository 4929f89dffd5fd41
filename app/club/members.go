// SPDX-License-Identifier: Apache-2.0

package club

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/krow-lab/krow/internal/store"
)

// These errors say why something about members was not done.
var (
	ErrName     = errors.New("a name has at most 40 letters, digits, - and _, its letters of one script")
	ErrPassword = errors.New("the password is too weak")
	// ErrLogin is the one answer to a wrong name and to a wrong password.
	ErrLogin = errors.New("the name or the password is wrong")
	// ErrBanned is told to nobody but who has the right password.
	ErrBanned = errors.New("this member is banned")
	// ErrRight is returned where somebody may not do that to that member.
	ErrRight = errors.New("your role does not allow that")
	// ErrLastOwner is returned where the club would be without an owner.
	ErrLastOwner = errors.New("the club needs an owner who can log in")
	// ErrPasskey is the one answer to a passkey that does not prove anything.
	ErrPasskey = errors.New("the passkey was not accepted")
	// ErrNoPasskeys is returned where browsers give no passkeys to the server.
	ErrNoPasskeys = errors.New("passkeys need HTTPS, or http://localhost")
	// ErrLastWay is returned where a member could not log in any more.
	ErrLastWay = errors.New("nobody could log in without it: set a password first")
	// ErrStale is returned where a member without a password must have logged in lately.
	ErrStale = errors.New("log in again first")
	// ErrBusy is returned where too many log in at this moment.
	ErrBusy = errors.New("too many log in at once")
)

// How long things last.
const (
	sessionTime  = 90 * 24 * time.Hour // since it was last used
	inviteTime   = 14 * 24 * time.Hour
	passwordTime = 24 * time.Hour
	maxSessions  = 30 // of a member
	maxDevices   = 30 // of a member
	seenEvery    = 10 * time.Minute
	freshTime    = 10 * time.Minute // after a login
)

// removed is the name under which the games of members stand who were removed.
const removed = "removed member"

// Club is the people of a store. It may be used by several goroutines.
type Club struct {
	db      *store.Store
	cost    cost
	leaving func(member int64) error
	// Room for those who hash a password, which takes 19 MiB and a core. Who has proved to be a member before has their own.
	strangers, known chan struct{}

	nobody string // a stored password that nobody has
	seals  *seals
	tokens tokens
}

// Options are what differs from the usual.
type Options struct {
	// Cheap makes passwords cheap to hash and to guess. It is for tests.
	Cheap bool
	// Leaving is called before a member is removed, and ends what they play with others. It may be nil.
	Leaving func(member int64) error
}

// New returns the club of a store.
func New(db *store.Store, o Options) *Club {
	places := max(runtime.GOMAXPROCS(0)/2, 1)
	c := &Club{db: db, cost: usual, strangers: make(chan struct{}, places), known: make(chan struct{}, places), seals: newSeals(), leaving: o.Leaving}
	if c.leaving == nil {
		c.leaving = func(int64) error { return nil }
	}
	if o.Cheap {
		c.cost = cost{memory: 64, passes: 1}
	}
	token, _ := secret()
	c.nobody = c.cost.hash(token)
	return c
}

// HasMembers says whether somebody can prove who they are, or was invited. Until then a server is one person's.
func (c *Club) HasMembers() (bool, error) { return c.db.HasClub() }

// maxName is how many letters a name has at most.
const maxName = 40

// scripts are those of names. A name has letters of one line only, so that fewer look like others.
var scripts = [][]*unicode.RangeTable{
	{unicode.Latin},
	{unicode.Cyrillic},
	{unicode.Greek},
	{unicode.Hangul},
	{unicode.Han, unicode.Hiragana, unicode.Katakana},
	{unicode.Arabic},
	{unicode.Hebrew},
	{unicode.Devanagari},
	{unicode.Thai},
}

// CheckName says whether somebody can have a name.
func CheckName(name string) error {
	n := utf8.RuneCountInString(name)
	if n == 0 || n > maxName || !utf8.ValidString(name) {
		return fmt.Errorf("name %q: %w", name[:min(len(name), 3*maxName)], ErrName)
	}
	var script []*unicode.RangeTable
	for _, r := range name {
		switch {
		case r >= '0' && r <= '9', r == '-', r == '_':
		case unicode.IsLetter(r) && (script == nil || unicode.In(r, script...)):
			for _, s := range scripts {
				if script == nil && unicode.In(r, s...) {
					script = s
				}
			}
			if script == nil {
				return fmt.Errorf("name %q: %w", name, ErrName)
			}
		default:
			return fmt.Errorf("name %q: %w", name, ErrName)
		}
	}
	return nil
}

func nameKey(name string) string { return strings.ToLower(name) }

func whoOf(m store.Member) Who {
	role, _ := ParseRole(m.Role)
	return Who{Member: m.ID, Name: m.Name, Role: role}
}

// First gives the first member a name and a password. What was the one person's before is that member's.
func (c *Club) First(name, password string) error {
	m, err := c.db.ClubMember(First)
	if err != nil {
		return err
	}
	if err := cmp.Or(CheckName(name), CheckPassword(password, name)); err != nil {
		return err
	}
	m.Name, m.Key, m.Role, m.Password = name, nameKey(name), Owner.String(), c.cost.hash(password)
	return c.logged(Alone, "first member", name, c.db.SaveClubMember(m))
}

// Add adds a member by name, for whom the returned secret of a link sets the password. The first member of a club is the
// one who was alone.
func (c *Club) Add(by Who, name string, role Role) (link string, err error) {
	if err := CheckName(name); err != nil {
		return "", err
	}
	if err := mayGive(by, role); err != nil {
		return "", err
	}
	has, err := c.HasMembers()
	if err != nil {
		return "", err
	}
	id := int64(First)
	if !has && role == Owner {
		m, err := c.db.ClubMember(First)
		if err != nil {
			return "", err
		}
		m.Name, m.Key = name, nameKey(name)
		if err := c.db.SaveClubMember(m); err != nil {
			return "", err
		}
	} else if id, err = c.db.AddClubMember(store.Member{Name: name, Key: nameKey(name), Role: role.String()}); err != nil {
		return "", err
	}
	return c.link(by, store.MemberLink{Member: id, Role: role.String()}, passwordTime, "add member", name)
}

// mayGive says whether somebody may make others what role says: organisers make members, and owners make everybody.
func mayGive(by Who, role Role) error {
	if role < Member || role > Owner || by.Role < Organiser || by.Role < Owner && role >= Organiser {
		return ErrRight
	}
	return nil
}

// Rename gives a member another name: the member's own wish, or an organiser's.
func (c *Club) Rename(by Who, id int64, name string) error {
	m, err := c.other(by, id)
	if err != nil && by.Member == id {
		m, err = c.db.ClubMember(id)
	}
	if err != nil {
		return err
	}
	if err := CheckName(name); err != nil {
		return err
	}
	old := m.Name
	m.Name, m.Key = name, nameKey(name)
	return c.logged(by, "rename", old+" to "+name, c.db.SaveClubMember(m))
}

// Ban bars a member from the club for a reason, or lets the member in again where there is none. The member's sessions end.
func (c *Club) Ban(by Who, id int64, reason string) error {
	m, err := c.other(by, id)
	if err != nil {
		return err
	}
	if m.Role == Owner.String() && reason != "" {
		if err := c.ownerBesides(id); err != nil {
			return err
		}
	}
	m.Banned = strings.ToValidUTF8(reason[:min(len(reason), maxNote)], "")
	action := "ban"
	if reason == "" {
		action = "unban"
	}
	if err := c.db.SaveClubMember(m); err != nil {
		return err
	}
	return c.logged(by, action, strings.TrimSpace(m.Name+" "+m.Banned), c.db.DeleteSessions(id, nil, nil))
}

// SetRole makes a member somebody else. Only owners do.
func (c *Club) SetRole(by Who, id int64, role Role) error {
	if by.Role < Owner || role < Member {
		return ErrRight
	}
	m, err := c.db.ClubMember(id)
	if err != nil {
		return err
	}
	if m.Role == Owner.String() && role != Owner {
		if err := c.ownerBesides(id); err != nil {
			return err
		}
	}
	m.Role = role.String()
	return c.logged(by, "role", m.Name+" "+m.Role, c.db.SaveClubMember(m))
}

// ownerBesides says whether another owner can log in.
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

// other returns a member over whom somebody has a say: organisers over members, owners over everybody.
func (c *Club) other(by Who, id int64) (store.Member, error) {
	m, err := c.db.ClubMember(id)
	if err != nil {
		return m, err
	}
	if !m.Removed.IsZero() {
		return m, store.ErrNoPerson
	}
	role, _ := ParseRole(m.Role)
	if by.Role < Organiser || by.Role < Owner && role >= Organiser {
		return m, ErrRight
	}
	return m, nil
}

// Members returns everybody.
func (c *Club) Members() ([]store.Member, error) { return c.db.ClubMembers() }

// Find returns the member of a name.
func (c *Club) Find(name string) (store.Member, error) { return c.db.ClubMemberByKey(nameKey(name)) }

// Name returns what a member is called, or nothing of one who was removed.
func (c *Club) Name(id int64) (string, error) { return c.db.MemberName(id) }

// Log keeps a line of the audit log.
func (c *Club) Log(by Who, action, what string) error {
	return c.db.AddDeed(store.Deed{Member: by.Member, Name: by.Name, Action: action, What: what})
}

// logged keeps a line of what was done, unless err says that it was not.
func (c *Club) logged(by Who, action, what string, err error) error {
	if err != nil {
		return err
	}
	return c.Log(by, action, what)
}

// Deeds returns the last lines of the audit log, the latest first.
func (c *Club) Deeds(n int) ([]store.Deed, error) { return c.db.Deeds(n) }
