// SPDX-License-Identifier: Apache-2.0

package store

import (
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/krow-lab/krow/internal/fault"
)

// The errors of members.
var (
	// ErrNoPerson is returned for a name or number that no member has.
	ErrNoPerson = fault.New("no-member", "there is no such member")
	// ErrNameTaken is returned when another member has the name.
	ErrNameTaken = fault.New("taken", "another member has that name")
	// ErrNoLink is returned for a link that was used, has expired, or never existed.
	ErrNoLink = fault.New("no-link", "the link was used, has expired, or never existed")
	// ErrNoSession is returned for a session that has ended.
	ErrNoSession = fault.New("no-member", "there is no such session")
	// errOwnersLink is returned if the caller may not delete a link because an owner made it.
	errOwnersLink = fault.New("not-allowed", "an owner made that link")
	// ErrLastOwner is returned for a change after which no owner could log in.
	ErrLastOwner = fault.New("last-owner", "the club needs an owner who can log in")
	// errRenames is returned if a member takes too many new names in a day.
	errRenames = fault.New("too-many", fmt.Sprintf("a member takes at most %d names a day", maxRenames))
)

// maxRenames is the number of names that a member may take in a day.
const maxRenames = 5

// Member is a member of the club.
type Member struct {
	ID       int64     `json:"id"`
	Name     string    `json:"name"`
	Key      string    `json:"-" db:"name_key,null"` // the name in a normalized form for comparison; empty after removal
	Role     string    `json:"role"`
	Password string    `json:"-"` // hash of the password; empty if there is none
	Second   string    `json:"-"` // secret of the second factor; empty if there is none
	Banned   string    `json:"banned,omitempty" doc:"reason why the member is banned; empty if not banned"`
	Passkeys int       `json:"passkeys,omitempty" db:"(SELECT count(*) FROM passkeys WHERE member = members.id)"`
	Entered  bool      `json:"entered,omitempty" doc:"whether the member has a password or a passkey" db:"(password <> '' OR EXISTS (SELECT 1 FROM passkeys WHERE member = members.id))"`
	Created  time.Time `json:"joined"`
	Seen     time.Time `json:"seen,omitzero" doc:"when a session of the member was last used" db:"(SELECT max(seen) FROM sessions WHERE member = members.id)"`
	Removed  time.Time `json:"-"` // zero if the member was not removed
}

// AddClubMember adds a member and returns the member's number.
func (s *Store) AddClubMember(m Member) (id int64, err error) {
	err = s.update(func(tx *sql.Tx) error { id, err = addMember(tx, m); return err })
	return id, err
}

func addMember(tx *sql.Tx, m Member) (int64, error) {
	if err := nameIsFree(tx, m.Name, 0); err != nil {
		return 0, err
	}
	res, err := tx.Exec("INSERT INTO members (name, name_key, role, password, created) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING", m.Name, m.Key, m.Role, m.Password, now())
	if err != nil {
		return 0, err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return 0, cmp.Or(err, fmt.Errorf("member %s: %w", m.Name, ErrNameTaken))
	}
	return res.LastInsertId()
}

// ChangeClubMember lets f change the name, role, password, second factor and ban of a member in one transaction, so that no
// concurrent change is lost. by is the number of the member who requests the change, or 0 for the command line. id is the
// number of the member who is changed. f gets the current state of both members, because the member who requests the change may
// have lost a role since the request arrived. If f returns an error, nothing changes; otherwise the deed that f returns is
// added to the audit log. A ban ends the sessions and the challenges of the member. A ban or a new role also cancels the links
// that the member made.
func (s *Store) ChangeClubMember(by, id int64, f func(by Member, m *Member) (Deed, error)) error {
	return s.update(func(tx *sql.Tx) error {
		old, err := memberIn(tx, id)
		if err != nil {
			return err
		}
		asks := old
		if by != id {
			asks = Member{}
		}
		if by != id && by != 0 {
			if asks, err = memberIn(tx, by); err != nil {
				return err
			}
		}
		m := old
		deed, err := f(asks, &m)
		if err != nil {
			return err
		}
		if m.Name != old.Name {
			if err := mayRename(tx, m, deed.Own); err != nil {
				return err
			}
		}
		if m.Role != ownerRole || m.Banned != "" {
			if err := keepsOwner(tx, old); err != nil {
				return err
			}
		}
		if err := change(tx, ErrNoPerson, "UPDATE members SET name = $1, name_key = $2, role = $3, password = $4, second = $5, banned = $6 WHERE id = $7 AND removed IS NULL",
			m.Name, m.Key, m.Role, m.Password, m.Second, m.Banned, id); err != nil {
			return err
		}
		switch {
		case m.Banned != "":
			// The sessions stay, without rights, so that the open pages of the member can say why they have no access.
			of := "session IN (SELECT hash FROM sessions WHERE member = $1)"
			if err := changeAll(tx, sqlOf("DELETE FROM subscriptions WHERE "+of, id), sqlOf("DELETE FROM challenges WHERE member = $1 AND game = ''", id)); err != nil {
				return err
			}
		case old.Banned != "":
			if err := change(tx, nil, "DELETE FROM sessions WHERE member = $1", id); err != nil {
				return err
			}
		}
		if m.Banned != "" || m.Role != old.Role {
			if err := change(tx, nil, "DELETE FROM member_links WHERE maker = $1", id); err != nil {
				return err
			}
		}
		return addDeed(tx, deed)
	})
}

func memberIn(tx *sql.Tx, id int64) (Member, error) {
	return findIn[Member](tx, ErrNoPerson, "FROM members WHERE id = $1 AND removed IS NULL", id)
}

// ownerRole is the role of members who own the server.
const ownerRole = "owner"

// keepsOwner returns [ErrLastOwner] if m is an owner and no other owner can log in.
func keepsOwner(tx *sql.Tx, m Member) error {
	if m.Role != ownerRole {
		return nil
	}
	others, err := findIn[int](tx, nil, `SELECT count(*) FROM members WHERE id <> $1 AND role = $2 AND banned = '' AND removed IS NULL
		AND (password <> '' OR EXISTS (SELECT 1 FROM passkeys WHERE member = members.id))`, m.ID, ownerRole)
	if err == nil && others == 0 {
		err = ErrLastOwner
	}
	return err
}

// mayRename returns an error if the new name in m is taken. own is true if the member asks for the change, and false if another
// person asks for it. If own is true, mayRename also returns an error if the member has already taken maxRenames names within
// 24 hours.
func mayRename(tx *sql.Tx, m Member, own bool) error {
	if err := nameIsFree(tx, m.Name, m.ID); err != nil || !own {
		return err
	}
	n, err := findIn[int](tx, nil, "SELECT count(*) FROM audit WHERE member = $1 AND own = 1 AND action = $2 AND at > $3",
		m.ID, Rename, time.Now().Add(-24*time.Hour).UnixMilli())
	if err == nil && n >= maxRenames {
		err = errRenames
	}
	return err
}

// NameIsFree returns [ErrNameTaken] if a member already has the name, or a name that looks like it.
func (s *Store) NameIsFree(name string) error { return wrap(s.name, nameIsFree(s.readers, name, 0)) }

// nameIsFree does the same as NameIsFree, but ignores the current name of one member, whose number is own.
func nameIsFree(db querier, name string, own int64) error {
	names, err := listIn[string](db, "SELECT name FROM members WHERE id <> $1 AND removed IS NULL", own)
	for _, other := range names {
		if lookAlike(name, other) {
			return fmt.Errorf("%s looks like the name %s: %w", name, other, ErrNameTaken)
		}
	}
	return err
}

// ClubMember returns the member with this number, even if the member was removed.
func (s *Store) ClubMember(id int64) (Member, error) {
	return find[Member](s, ErrNoPerson, "FROM members WHERE id = $1", id)
}

// ClubMemberByKey returns the member whose normalized name is key.
func (s *Store) ClubMemberByKey(key string) (Member, error) {
	return find[Member](s, ErrNoPerson, "FROM members WHERE name_key = $1", key)
}

// ClubMembers returns the members who were not removed, sorted by number.
func (s *Store) ClubMembers() ([]Member, error) {
	return list[Member](s, "FROM members WHERE removed IS NULL ORDER BY id")
}

// HasClub reports whether there is a member who can log in.
func (s *Store) HasClub() (bool, error) {
	return find[bool](s, nil, "SELECT EXISTS (SELECT 1 FROM members WHERE password <> '' OR id > 1) OR EXISTS (SELECT 1 FROM passkeys) OR EXISTS (SELECT 1 FROM member_links)")
}

// RemoveClubMember deletes a member with everything that belongs to this member alone. Games with other people and places in
// tournaments stay. They show the text removed in place of the name.
func (s *Store) RemoveClubMember(id int64, removed string) error {
	return s.update(func(tx *sql.Tx) (err error) {
		if _, err := tx.Exec("PRAGMA secure_delete = 1"); err != nil { // with this pragma SQLite overwrites deleted data with zeros
			return err
		}
		defer func() {
			_, off := tx.Exec("PRAGMA secure_delete = 0")
			err = errors.Join(err, off)
		}()
		m, err := memberIn(tx, id)
		if err != nil {
			return err
		}
		if err := keepsOwner(tx, m); err != nil {
			return err
		}
		author := authorOf(id)
		if err := change(tx, ErrNoPerson, "UPDATE members SET name = $1, name_key = NULL, role = 'member', password = '', second = '', banned = '', removed = $2 WHERE id = $3 AND removed IS NULL", removed, now(), id); err != nil {
			return err
		}
		for _, table := range []string{"bots", "away_bots"} {
			if err := endBots(tx, table, "b.author = $1", author); err != nil {
				return err
			}
		}
		err = changeAll(
			tx,
			sqlOf("DELETE FROM sessions WHERE member = $1", id),
			sqlOf("DELETE FROM member_links WHERE member = $1 OR maker = $1", id),
			sqlOf("DELETE FROM passkeys WHERE member = $1", id),
			sqlOf("DELETE FROM puzzle_tries WHERE owner = $1", id),
			sqlOf("DELETE FROM puzzle_repeats WHERE owner = $1", id),
			sqlOf("DELETE FROM puzzle_own WHERE owner = $1", id),
			sqlOf("DELETE FROM studies WHERE owner = $1", id),
			sqlOf("UPDATE games SET first_name = $1 WHERE pool <> '' AND first_member = $2", removed, id),
			sqlOf("UPDATE games SET second_name = $1 WHERE pool <> '' AND second_member = $2", removed, id),
			sqlOf("DELETE FROM ratings WHERE member = $1", id),
			sqlOf("DELETE FROM challenges WHERE member = $1 OR invited = $1", id),
			sqlOf("UPDATE tournament_players SET name = $1 WHERE member = $2", removed, id),
			sqlOf("DELETE FROM games WHERE "+atBoard+" AND pool = '' AND (owner = $1 OR $1 = 1 AND owner = 0 AND guest = '')", id),
			sqlOf("DELETE FROM runs WHERE owner = $1", id),
			sqlOf("DELETE FROM bots WHERE author = $1", author),
			sqlOf("DELETE FROM away_bots WHERE author = $1", author),
			sqlOf("DELETE FROM devices WHERE member = $1", id),
			sqlOf("UPDATE league_members SET author = '' WHERE author = $1 COLLATE NOCASE", m.Name),
			sqlOf("UPDATE audit SET what = $1 WHERE about = $2 OR member = $2 AND (own = 1 OR action = 'join')", removed, id),
			sqlOf("UPDATE audit SET name = $1, address = '' WHERE member = $2", removed, id),
		)
		if err != nil {
			return err
		}
		return sweep(tx)
	})
}

// Session is the login of a member in one browser.
type Session struct {
	ID      string    `json:"id" db:"lower(hex(hash))"`
	Hash    []byte    `json:"-"` // hash of the session's token
	Member  int64     `json:"-"`
	Browser string    `json:"browser"`
	Address string    `json:"address"`
	Created time.Time `json:"created"`
	Seen    time.Time `json:"seen" doc:"when the session was last used, accurate to ten minutes"`
	This    bool      `json:"this" db:"-"` // whether it is the session of the request; set by the caller of the store
}

// AddSession stores a session. Only the most recently used sessions of a member are kept; room is their maximum number.
func (s *Store) AddSession(x Session, room int) error {
	return s.update(func(tx *sql.Tx) error {
		x.Created = time.Now()
		x.Seen = x.Created
		if _, err := insert(tx, "sessions", x, ""); err != nil {
			return err
		}
		_, err := tx.Exec("DELETE FROM sessions WHERE member = $1 AND hash NOT IN (SELECT hash FROM sessions WHERE member = $1 ORDER BY seen DESC, rowid DESC LIMIT $2)", x.Member, room)
		return err
	})
}

// Session returns a session and its member, or [ErrNoSession].
func (s *Store) Session(hash []byte) (x Session, m Member, err error) {
	if x, err = find[Session](s, ErrNoSession, "FROM sessions WHERE hash = $1", hash); err != nil {
		return x, m, err
	}
	m, err = s.ClubMember(x.Member)
	return x, m, err
}

// SessionHashes returns the hashes of all sessions.
func (s *Store) SessionHashes() ([][]byte, error) {
	return list[[]byte](s, "SELECT hash FROM sessions")
}

// SeeSession records the current time as the last use of a session.
func (s *Store) SeeSession(hash []byte) error {
	return s.exec(ErrNoSession, "UPDATE sessions SET seen = $1 WHERE hash = $2", now(), hash)
}

// Sessions returns the sessions of a member, the most recently used first.
func (s *Store) Sessions(member int64) ([]Session, error) {
	return list[Session](s, "FROM sessions WHERE member = $1 ORDER BY seen DESC", member)
}

// DeleteSessions ends the session of a member that has the given hash. If hash is nil, it ends all sessions of the member except
// the session with the hash in the parameter except.
func (s *Store) DeleteSessions(member int64, hash, except []byte) error {
	if hash != nil {
		return s.exec(ErrNoSession, "DELETE FROM sessions WHERE member = $1 AND hash = $2", member, hash)
	}
	return s.exec(nil, "DELETE FROM sessions WHERE member = $1 AND hash IS NOT $2", member, except)
}

// DeleteOldSessions ends the sessions that have not been used since the time seen, and deletes the links that expired before
// the time ended.
func (s *Store) DeleteOldSessions(seen, ended time.Time) error {
	return s.update(func(tx *sql.Tx) error {
		return changeAll(tx, sqlOf("DELETE FROM sessions WHERE seen < $1", seen.UnixMilli()), sqlOf("DELETE FROM member_links WHERE expires < $1", ended.UnixMilli()))
	})
}

// AddDevice records that a member has logged in with a browser. Only the most recently used browsers of a member are kept; room
// is their maximum number.
func (s *Store) AddDevice(member int64, browser string, room int) error {
	return s.update(func(tx *sql.Tx) error {
		return changeAll(
			tx,
			sqlOf("INSERT INTO devices (member, browser, seen) VALUES ($1, $2, $3) ON CONFLICT DO UPDATE SET seen = excluded.seen", member, browser, now()),
			sqlOf("DELETE FROM devices WHERE member = $1 AND browser NOT IN (SELECT browser FROM devices WHERE member = $1 ORDER BY seen DESC, rowid DESC LIMIT $2)", member, room),
		)
	})
}

// HasDevice reports whether the member whose normalized name is key has ever logged in with a browser.
func (s *Store) HasDevice(key, browser string) (bool, error) {
	return find[bool](s, nil, "SELECT EXISTS (SELECT 1 FROM devices JOIN members ON members.id = member WHERE name_key = $1 AND browser = $2)", key, browser)
}

// BytesOf returns the approximate number of bytes stored for a member, or for all guests if member is 0: games, puzzles and tries, studies,
// challenges, tournaments, bots, and runs with their games. The bytes of a game between two members are counted for both.
func (s *Store) BytesOf(member int64) (int64, error) {
	return find[int64](s, nil, `SELECT
		(SELECT coalesce(sum(200 + length(start) + length(moves) + length(extra)), 0) FROM games WHERE `+atBoard+` AND ($1 > 0 AND owner = $1 OR $1 = 0 AND `+ofGuests+`))
		+ (SELECT coalesce(sum(500 + length(start) + length(moves) + length(extra)), 0) FROM games WHERE number IN
			(SELECT number FROM games WHERE $1 <> 0 AND pool <> '' AND first_member = $1 UNION
			SELECT number FROM games WHERE $1 <> 0 AND pool <> '' AND second_member = $1))
		+ (SELECT coalesce(sum(200 + length(terms)), 0) FROM challenges WHERE member = $1)
		+ (SELECT coalesce(sum(200 + length(terms) + length(rounds)), 0) FROM tournaments WHERE member = $1)
		+ (SELECT coalesce(sum(100 + length(data)), 0) FROM puzzle_own WHERE owner = $1)
		+ (SELECT coalesce(sum(100 + length(chapters)), 0) FROM studies WHERE owner = $1)
		+ (SELECT 150 * count(*) FROM puzzle_tries WHERE owner = $1)
		+ (SELECT 100 * count(*) FROM puzzle_repeats WHERE owner = $1)
		+ (SELECT coalesce(sum(size), 0) FROM bot_versions JOIN bots ON bots.id = bot WHERE author = CAST($1 AS TEXT))
		+ (SELECT coalesce(sum(length(spec) + length(coalesce(state, ''))), 0) FROM runs WHERE owner = $1)
		+ (SELECT coalesce(sum(50 + length(curve)), 0) FROM points JOIN runs ON runs.id = run WHERE runs.owner = $1)
		+ (SELECT coalesce(sum(100 + length(first) + length(second) + length(moves)), 0) FROM games JOIN runs ON runs.id = run WHERE runs.owner = $1)`, member)
}

// MemberLink lets its holder become a member, or lets an existing member set a new password.
type MemberLink struct {
	ID      string    `json:"id" db:"lower(hex(hash))"`
	Hash    []byte    `json:"-"`                  // hash of the link's secret
	Member  int64     `json:"-" db:"member,null"` // number of the member whose password it sets; 0: it invites a new member
	Name    string    `json:"name,omitempty" doc:"name of the member whose password it sets" db:"coalesce((SELECT name FROM members WHERE id = member), '')"`
	Role    string    `json:"role"` // role of the person who joins with it
	Note    string    `json:"note"`
	Maker   int64     `json:"-"`
	By      string    `json:"maker" db:"(SELECT name FROM members WHERE id = maker)"`
	Created time.Time `json:"-"`
	Expires time.Time `json:"expires"`
}

// AddMemberLink stores a link. Unless role is empty, the maker of the link must have that role and not be banned; otherwise
// nothing is stored and the error is [ErrNoPerson].
func (s *Store) AddMemberLink(l MemberLink, role string) error {
	return s.exec(ErrNoPerson, `INSERT INTO member_links (hash, member, role, note, maker, created, expires) SELECT $1, nullif($2, 0), $3, $4, $5, $6, $7
		WHERE $8 = '' OR EXISTS (SELECT 1 FROM members WHERE id = $5 AND role = $8 AND banned = '' AND removed IS NULL)`,
		l.Hash, l.Member, l.Role, l.Note, l.Maker, now(), l.Expires.UnixMilli(), role)
}

// MemberLink returns a link that can be used, or [ErrNoLink].
func (s *Store) MemberLink(hash []byte) (MemberLink, error) {
	return find[MemberLink](s, ErrNoLink, "FROM member_links WHERE hash = $1 AND expires >= $2", hash, now())
}

// MemberLinks returns the links that can be used, the newest first.
func (s *Store) MemberLinks() ([]MemberLink, error) {
	return list[MemberLink](s, "FROM member_links WHERE expires >= $1 ORDER BY created DESC, hash", now())
}

// DeleteMemberLink deletes a link and returns it. For a link that an owner made, it returns [errOwnersLink] unless owners is true.
func (s *Store) DeleteMemberLink(hash []byte, owners bool) (l MemberLink, err error) {
	err = s.update(func(tx *sql.Tx) (err error) {
		if l, err = findIn[MemberLink](tx, ErrNoLink, "FROM member_links WHERE hash = $1", hash); err != nil {
			return err
		}
		return change(tx, errOwnersLink, "DELETE FROM member_links WHERE hash = $1 AND ($2 OR maker NOT IN (SELECT id FROM members WHERE role = $3))", hash, owners, ownerRole)
	})
	return l, err
}

// UseMemberLink uses a link, which is invalid afterwards. If the link is an invitation, m is added with the role of the link. If
// it is for a new password, the password of m is set, and all sessions, passkeys and other links of the member are deleted,
// because a thief may have made them. Unless key is nil, the member gets this passkey. UseMemberLink returns the number of the
// member.
func (s *Store) UseMemberLink(hash []byte, m Member, key *Passkey) (id int64, err error) {
	err = s.update(func(tx *sql.Tx) error {
		l, err := findIn[MemberLink](tx, ErrNoLink, "FROM member_links WHERE hash = $1 AND expires >= $2", hash, now())
		if err != nil {
			return err
		}
		if id = l.Member; id == 0 {
			m.Role = l.Role
			if id, err = addMember(tx, m); err != nil {
				return err
			}
		} else {
			if err := change(tx, ErrNoPerson, "UPDATE members SET password = $1, second = '' WHERE id = $2 AND removed IS NULL", m.Password, id); err != nil {
				return err
			}
			if err := changeAll(tx, sqlOf("DELETE FROM sessions WHERE member = $1", id), sqlOf("DELETE FROM passkeys WHERE member = $1", id),
				sqlOf("DELETE FROM member_links WHERE member = $1", id)); err != nil {
				return err
			}
		}
		if key != nil {
			key.Member = id
			if err := addPasskey(tx, *key); err != nil {
				return err
			}
		}
		_, err = tx.Exec("DELETE FROM member_links WHERE hash = $1", hash)
		return err
	})
	return id, err
}
