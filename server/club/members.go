// SPDX-License-Identifier: Apache-2.0

package club

import (
	"cmp"
	"log/slog"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/server/store"
)

// These errors are the reasons why an action on a member was refused.
var (
	ErrName     = fault.New("bad-name", "a name must consist of at most 40 letters of one script, digits, single spaces, - and _")
	ErrPassword = fault.New("weak-password", "the password is too weak")
	// ErrLogin is returned both for a wrong name and for a wrong password, so that an attacker does not learn which names exist.
	ErrLogin = fault.New("wrong-password", "the name or the password is wrong")
	// ErrBanned is returned only after the right password was given.
	ErrBanned = fault.New("banned", "this member is banned")
	// ErrRight is returned if the caller may not perform the action on the member.
	ErrRight = fault.New("not-allowed", "your role does not allow that")
	// ErrPasskey is returned for every passkey that is not accepted, whatever the reason.
	ErrPasskey = fault.New("bad-passkey", "the passkey was not accepted")
	// errNoPasskeys is returned if browsers do not offer passkeys to the server, because its address is not safe.
	errNoPasskeys = fault.New("no-passkeys", "passkeys need HTTPS, or http://localhost")
	// errStale is returned if the member must first enter the password or use a passkey again, because the session could be
	// stolen.
	errStale = fault.New("log-in-again", "prove first who you are: by your password, or by a login with a passkey")
	// errBusy is returned if too many people log in at this moment.
	errBusy = fault.New("busy", "too many log in at once")
)

// These constants limit how long sessions, links and proofs are valid, and how much is stored for each member.
const (
	sessionTime  = 90 * 24 * time.Hour // a session ends this long after its last use
	inviteTime   = 14 * 24 * time.Hour
	passwordTime = 24 * time.Hour
	maxSessions  = 30 // maximum number of sessions of one member
	maxDevices   = 30 // maximum number of browsers that are remembered for one member
	seenEvery    = 10 * time.Minute
	freshTime    = 10 * time.Minute // time for which a member's proof of identity is valid: see Fresh
)

// removed is the name under which games show a member who was removed.
const removed = "removed member"

// Club manages the people of a store. It may be used by several goroutines.
type Club struct {
	db      *store.Store
	cost    cost
	leaving func(member int64) error
	// The semaphores strangers and known limit the number of password hashes that are computed at the same time, because a hash
	// takes 19 MiB and a core. known is for logins in browsers that the member has used before, and for the passwords of
	// members who are logged in or set a new password. strangers is for all other logins.
	strangers, known chan struct{}

	seals  *seals
	tokens tokens
	// Each code of the second factor belongs to a period of 30 seconds. codes contains, for each member, the number of the period
	// of the last code that the member used, so that no code is accepted twice.
	codes  sync.Map
	proofs proofs
	log    *slog.Logger

	push     *http.Client // sends messages to push services
	site     string       // address of the server, for the operators of push services
	pushKeys func() (pushKeys, error)
}

// Options are the settings of a Club.
type Options struct {
	// Cheap makes passwords cheap to hash and to guess. It is for tests.
	Cheap bool
	// Leaving, unless nil, is called before a member is removed. It ends the member's games with others.
	Leaving func(member int64) error
	// Push, unless nil, replaces the client that sends messages to push services. It is for tests.
	Push *http.Client
	// Site is the address of the server, such as https://club.example. Push services may require it.
	Site string
	// Log, unless nil, receives a line for each action of organisers and owners.
	Log *slog.Logger
}

// New returns a Club that manages the people in the store db.
func New(db *store.Store, o Options) *Club {
	places := max(runtime.GOMAXPROCS(0)/2, 1)
	c := &Club{db: db, cost: usual, strangers: make(chan struct{}, places), known: make(chan struct{}, places), seals: newSeals(), leaving: o.Leaving, log: o.Log}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	if c.leaving == nil {
		c.leaving = func(int64) error { return nil }
	}
	c.push, c.site = cmp.Or(o.Push, newPushClient()), cmp.Or(o.Site, "https://localhost")
	c.pushKeys = sync.OnceValues(func() (pushKeys, error) { return makePushKeys(db) })
	if o.Cheap {
		c.cost = cost{memory: 64, passes: 1}
	}
	return c
}

// HasMembers reports whether a person can log in or was invited. If not, the server belongs to one person.
func (c *Club) HasMembers() (bool, error) { return c.db.HasClub() }

// maxName is the maximum number of letters in a name.
const maxName = 40

// scripts are the alphabets that names can use. All letters of a name must be from one row of the table, because names with
// letters of different scripts can look alike.
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

// CheckName returns an error if a name is not allowed.
func CheckName(name string) error {
	n := utf8.RuneCountInString(name)
	if n == 0 || n > maxName || !utf8.ValidString(name) || name != strings.Join(strings.Fields(name), " ") {
		return fault.Errorf("name %q: %w", name[:min(len(name), 3*maxName)], ErrName)
	}
	var script []*unicode.RangeTable
	for _, r := range name {
		switch {
		case r >= '0' && r <= '9', r == '-', r == '_', r == ' ':
		case unicode.IsLetter(r) && (script == nil || unicode.In(r, script...)):
			for _, s := range scripts {
				if script == nil && unicode.In(r, s...) {
					script = s
				}
			}
			if script == nil {
				return fault.Errorf("name %q: %w", name, ErrName)
			}
		default:
			return fault.Errorf("name %q: %w", name, ErrName)
		}
	}
	return nil
}

// taken returns an error if a new name is not allowed or already belongs to a member.
func (c *Club) taken(name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	return c.db.NameIsFree(name)
}

func nameKey(name string) string { return strings.ToLower(name) }

func whoOf(m store.Member) Who {
	role, _ := ParseRole(m.Role)
	return Who{Member: m.ID, Name: m.Name, Role: role, Second: m.Second != ""}
}

// change applies the function f to the member with the number id, in one transaction. f returns the text for the audit log. The
// transaction also reads the current role of the caller (by) and passes it to f, because another owner may have changed this
// role since the request arrived.
func (c *Club) change(by Who, id int64, action string, f func(by Who, m *store.Member) (what string, err error)) error {
	var d store.Deed
	err := c.db.ChangeClubMember(by.Member, id, func(asks store.Member, m *store.Member) (store.Deed, error) {
		if by.Member != 0 {
			if asks.Banned != "" {
				return d, ErrRight
			}
			by.Role = whoOf(asks).Role
		}
		what, err := f(by, m)
		d = deedOf(by, id, action, what)
		return d, err
	})
	return c.logDeed(d, err)
}

// First gives the first member a name and a password. That member already owns everything made before the server had members.
func (c *Club) First(name, password string) error {
	if err := cmp.Or(CheckName(name), CheckPassword(password, name)); err != nil {
		return err
	}
	hash := c.cost.hash(password)
	return c.change(Who{Name: Alone.Name}, First, "first member", func(_ Who, m *store.Member) (string, error) {
		m.Name, m.Key, m.Role, m.Password = name, nameKey(name), Owner.String(), hash
		return name, nil
	})
}

// Add adds a member with a name. It returns the secret of a link with which that person sets a password. If the club has no
// members and the role is Owner, the name is given to the person who used the server alone.
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
		if err := c.change(Who{Name: by.Name}, First, "first member", func(_ Who, m *store.Member) (string, error) {
			m.Name, m.Key = name, nameKey(name)
			return name, nil
		}); err != nil {
			return "", err
		}
	} else if id, err = c.db.AddClubMember(store.Member{Name: name, Key: nameKey(name), Role: role.String()}); err != nil {
		return "", err
	}
	return c.link(by, store.MemberLink{Member: id, Role: role.String()}, passwordTime, "add member", name)
}

// mayGive returns an error unless the caller (by) may give this role to others: organisers may give the role Member, and owners
// may give every role from Member to Owner.
func mayGive(by Who, role Role) error {
	if role < Member || role > Owner || by.Role < Organiser || by.Role < Owner && role >= Organiser {
		return ErrRight
	}
	return nil
}

// Rename gives a member another name. The member and organisers may do so.
func (c *Club) Rename(by Who, id int64, name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	return c.change(by, id, store.Rename, func(by Who, m *store.Member) (string, error) {
		old := m.Name
		m.Name, m.Key = name, nameKey(name)
		if by.Member == id {
			return old + " to " + name, nil
		}
		return old + " to " + name, over(by, *m)
	})
}

// Ban excludes a member from the club for a reason, and ends the member's sessions. If reason is empty, it lifts the ban, and the
// member must log in again.
func (c *Club) Ban(by Who, id int64, reason string) error {
	action := "ban"
	if reason == "" {
		action = "unban"
	}
	return c.change(by, id, action, func(by Who, m *store.Member) (string, error) {
		m.Banned = strings.ToValidUTF8(reason[:min(len(reason), maxNote)], "")
		return strings.TrimSpace(m.Name + " " + m.Banned), over(by, *m)
	})
}

// SetRole gives a member another role. Only owners may do so.
func (c *Club) SetRole(by Who, id int64, role Role) error {
	if role < Member || role > Owner {
		return ErrRight
	}
	return c.change(by, id, "role", func(by Who, m *store.Member) (string, error) {
		m.Role = role.String()
		if by.Role < Owner {
			return "", ErrRight
		}
		return m.Name + " " + m.Role, nil
	})
}

// over returns [ErrRight] unless the caller (by) may change the member m: organisers may change members below the role
// Organiser, and owners may change everybody.
func over(by Who, m store.Member) error {
	role, _ := ParseRole(m.Role)
	if by.Role < Organiser || by.Role < Owner && role >= Organiser {
		return ErrRight
	}
	return nil
}

// other returns the member with the number id. It returns an error if the caller (by) may not change that member.
func (c *Club) other(by Who, id int64) (store.Member, error) {
	m, err := c.db.ClubMember(id)
	if err != nil {
		return m, err
	}
	if !m.Removed.IsZero() {
		return m, store.ErrNoPerson
	}
	return m, over(by, m)
}

// Members returns all members.
func (c *Club) Members() ([]store.Member, error) { return c.db.ClubMembers() }

// Find returns the member with this name.
func (c *Club) Find(name string) (store.Member, error) { return c.db.ClubMemberByKey(nameKey(name)) }

// deedOf returns a record for the audit log: the caller (by) performed the action on the member with the number about, or on no
// member if about is 0.
func deedOf(by Who, about int64, action, what string) store.Deed {
	return store.Deed{Member: by.Member, Name: by.Name, Action: action, What: what, About: about, Own: about != 0 && about == by.Member, Address: by.Address}
}

// logged writes an action of the caller (by) to the audit log if err is nil. It returns err, or the error of writing to the
// log.
func (c *Club) logged(by Who, about int64, action, what string, err error) error {
	if err != nil {
		return err
	}
	d := deedOf(by, about, action, what)
	return c.logDeed(d, c.db.AddDeed(d))
}

// logDeed writes an action to the log of the process if err is nil, and returns err. The log leaves out the changes that members
// make to their own accounts.
func (c *Club) logDeed(d store.Deed, err error) error {
	if err == nil && !d.Own {
		c.log.Info("deed", "action", d.Action, "by", d.Name, "member", d.About, "what", d.What, "from", d.Address)
	}
	return err
}
