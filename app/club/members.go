// SPDX-License-Identifier: Apache-2.0

package club

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
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
	// ErrBusy is returned where too many log in at this moment.
	ErrBusy = errors.New("too many log in at once")
)

// How long things last.
const (
	sessionTime  = 90 * 24 * time.Hour // since it was last used
	inviteTime   = 14 * 24 * time.Hour
	passwordTime = 24 * time.Hour
	maxSessions  = 30 // of a member
	seenEvery    = 10 * time.Minute
)

// Removed is the name under which the games of members stand who were removed.
const Removed = "removed member"

// Club is the people of a store. It may be used by several goroutines.
type Club struct {
	db     *store.Store
	cost   cost
	room   chan struct{} // for those who log in: each takes 19 MiB and a core
	nobody string        // a stored password that nobody has
}

// Options are what differs from the usual.
type Options struct {
	// Cheap makes passwords cheap to hash and to guess. It is for tests.
	Cheap bool
}

// New returns the club of a store.
func New(db *store.Store, o Options) *Club {
	c := &Club{db: db, cost: usual, room: make(chan struct{}, max(runtime.GOMAXPROCS(0)/2, 1))}
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

// Browser is where somebody logs in.
type Browser struct {
	Agent   string // what the browser calls itself
	Address string
}

func whoOf(m store.Member) Who {
	role, _ := ParseRole(m.Role)
	return Who{Member: m.ID, Name: m.Name, Role: role}
}

// Session returns who has a session, or store.ErrNoSession.
func (c *Club) Session(token string) (Who, error) {
	if token == "" {
		return Who{}, store.ErrNoSession
	}
	x, m, err := c.db.Session(digest(token))
	switch {
	case err != nil:
		return Who{}, err
	case m.Banned != "", time.Since(x.Seen) > sessionTime:
		return Who{}, store.ErrNoSession
	}
	if time.Since(x.Seen) > seenEvery {
		if err := c.db.SeeSession(x.Hash); err != nil {
			return Who{}, err
		}
	}
	return whoOf(m), nil
}

// begin begins a session of a member, always with a new token.
func (c *Club) begin(m store.Member, b Browser) (Who, string, error) {
	if err := c.db.DeleteOldSessions(time.Now().Add(-sessionTime), time.Now()); err != nil {
		return Who{}, "", err
	}
	token, hash := secret()
	agent := b.Agent[:min(len(b.Agent), 200)]
	err := c.db.AddSession(store.Session{Hash: hash, Member: m.ID, Browser: strings.ToValidUTF8(agent, ""), Address: b.Address}, maxSessions)
	return whoOf(m), token, err
}

// Login begins a session of whoever has the password. It takes as long for a name that nobody has.
func (c *Club) Login(ctx context.Context, name, password string, b Browser) (Who, string, error) {
	m, err := c.db.ClubMemberByKey(nameKey(name))
	stored := cmp.Or(m.Password, c.nobody)
	if err != nil {
		stored = c.nobody
	}
	if err != nil && !errors.Is(err, store.ErrNoPerson) {
		return Who{}, "", err
	}
	ok, err := c.proves(ctx, stored, password)
	switch {
	case err != nil:
		return Who{}, "", err
	case !ok || m.ID == 0:
		return Who{}, "", ErrLogin
	case m.Banned != "":
		return Who{}, "", fmt.Errorf("%w: %s", ErrBanned, m.Banned)
	}
	return c.begin(m, b)
}

// proves says whether a stored password is this one.
func (c *Club) proves(ctx context.Context, stored, password string) (ok bool, err error) {
	if len(password) > 4*longest {
		password = ""
	}
	err = c.inRoom(ctx, func() { ok = c.cost.same(stored, password) })
	return ok, err
}

// hash returns a password as it is stored.
func (c *Club) hash(password string) (hash string, err error) {
	err = c.inRoom(context.Background(), func() { hash = c.cost.hash(password) })
	return hash, err
}

// inRoom hashes a password. Few do so at once, since each takes memory; who waits too long gets [ErrBusy].
func (c *Club) inRoom(ctx context.Context, work func()) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	select {
	case c.room <- struct{}{}:
		defer func() { <-c.room }()
		work()
		return nil
	case <-ctx.Done():
		return ErrBusy
	}
}

// Logout ends a session.
func (c *Club) Logout(who Who, token string) error {
	return c.db.DeleteSessions(who.Member, digest(token), nil)
}

// Sessions returns the sessions of a member. Their numbers are the first bytes of their hashes.
func (c *Club) Sessions(member int64) ([]store.Session, error) { return c.db.Sessions(member) }

// EndSessions ends the sessions of a member but the one of token.
func (c *Club) EndSessions(member int64, token string) error {
	return c.db.DeleteSessions(member, nil, digest(token))
}

// EndSession ends a session of a member by its hash.
func (c *Club) EndSession(member int64, hash []byte) error {
	return c.db.DeleteSessions(member, hash, nil)
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

func (c *Club) link(by Who, l store.MemberLink, lasts time.Duration, action, what string) (string, error) {
	token, hash := secret()
	l.Hash, l.Maker, l.Expires = hash, max(by.Member, First), time.Now().Add(lasts)
	if err := c.db.AddMemberLink(l); err != nil {
		return "", err
	}
	return token, c.Log(by, action, what)
}

// maxNote bounds what an invitation says about whom it is for.
const maxNote = 100

// Invite returns the secret of a link by which somebody can join once.
func (c *Club) Invite(by Who, role Role, note string) (string, error) {
	if err := mayGive(by, role); err != nil {
		return "", err
	}
	note = strings.ToValidUTF8(note[:min(len(note), maxNote)], "")
	return c.link(by, store.MemberLink{Role: role.String(), Note: note}, inviteTime, "invite", note)
}

// NewPassword returns the secret of a link by which a member can set a new password once.
func (c *Club) NewPassword(by Who, id int64) (string, error) {
	m, err := c.other(by, id)
	switch {
	case err != nil:
		return "", err
	case by.Role < Owner: // who has the link is that member
		return "", ErrRight
	}
	return c.link(by, store.MemberLink{Member: id, Role: m.Role}, passwordTime, "password link", m.Name)
}

// Link returns what a link is for: the name of the member whose password it sets, or empty where it invites.
func (c *Club) Link(token string) (name string, err error) {
	l, err := c.db.MemberLink(digest(token))
	if err != nil || l.Member == 0 {
		return "", err
	}
	m, err := c.db.ClubMember(l.Member)
	return m.Name, err
}

// Join uses up a link: somebody becomes a member with a name and a password, or a member gets the password. A session
// begins.
func (c *Club) Join(token, name, password string, b Browser) (Who, string, error) {
	l, err := c.db.MemberLink(digest(token))
	if err != nil {
		return Who{}, "", err
	}
	if l.Member != 0 {
		m, err := c.db.ClubMember(l.Member)
		if err != nil {
			return Who{}, "", err
		}
		name = m.Name
	}
	if err := cmp.Or(CheckName(name), CheckPassword(password, name)); err != nil {
		return Who{}, "", err
	}
	hash, err := c.hash(password)
	if err != nil {
		return Who{}, "", err
	}
	return c.join(token, store.Member{Name: name, Key: nameKey(name), Password: hash}, b)
}

func (c *Club) join(token string, m store.Member, b Browser) (Who, string, error) {
	id, err := c.db.UseMemberLink(digest(token), m)
	if err != nil {
		return Who{}, "", err
	}
	if m, err = c.db.ClubMember(id); err != nil {
		return Who{}, "", err
	}
	if m.Banned != "" {
		return Who{}, "", fmt.Errorf("%w: %s", ErrBanned, m.Banned)
	}
	if err := c.Log(whoOf(m), "join", m.Name); err != nil {
		return Who{}, "", err
	}
	return c.begin(m, b)
}

// ChangePassword sets a member's own password, and ends the member's other sessions.
func (c *Club) ChangePassword(ctx context.Context, who Who, old, password, token string) error {
	m, err := c.db.ClubMember(who.Member)
	if err != nil {
		return err
	}
	if m.Password != "" {
		if ok, err := c.proves(ctx, m.Password, old); err != nil || !ok {
			return cmp.Or(err, ErrLogin)
		}
	}
	if err := CheckPassword(password, m.Name); err != nil {
		return err
	}
	if m.Password, err = c.hash(password); err != nil {
		return err
	}
	if err := c.db.SaveClubMember(m); err != nil {
		return err
	}
	return c.logged(who, "new password", m.Name, c.EndSessions(m.ID, token))
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
	if m.Role == Owner.String() {
		if err := c.ownerBesides(id); err != nil {
			return err
		}
	}
	what := fmt.Sprintf("member %d", id) // not the name, which is forgotten
	if by.Member == id {
		by.Name = Removed
	}
	return c.logged(by, "remove", what, c.db.RemoveClubMember(id, Removed))
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

// Is says whether a session is the one of a token.
func (c *Club) Is(x store.Session, token string) bool { return bytes.Equal(x.Hash, digest(token)) }

// Links returns the links that were not used, the newest first.
func (c *Club) Links() ([]store.MemberLink, error) { return c.db.MemberLinks() }

// TakeBack makes a link useless.
func (c *Club) TakeBack(by Who, hash []byte) error {
	return c.logged(by, "take back link", "", c.db.DeleteMemberLink(hash))
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

// Find returns the member of a name.
func (c *Club) Find(name string) (store.Member, error) { return c.db.ClubMemberByKey(nameKey(name)) }

// Name returns the name of a member for others, also of one who was removed.
func (c *Club) Name(id int64) (string, error) {
	m, err := c.db.ClubMember(id)
	return m.Name, err
}

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
