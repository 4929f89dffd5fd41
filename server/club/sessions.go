// SPDX-License-Identifier: Apache-2.0

package club

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/server/store"
)

// Browser describes the browser in which a person logs in.
type Browser struct {
	Agent   string // its User-Agent header
	Address string
	Name    string // secret name of the browser, which the server keeps in a cookie; empty if there is no such cookie
}

// tokens contains the hash of the token of each session that this process knows. Some of the sessions may have ended.
type tokens struct {
	mu  sync.Mutex
	all map[string]bool // the set of the hashes; nil until they are read from the store
}

// Known reports whether there could be a session with this token. Known is a quick check before a call of Session. It also
// returns true if the store cannot be read. Known reads the store only at the first call, so that made-up tokens cost nothing.
// A session that another process began is not known until [Club.Session] has found it.
func (c *Club) Known(token string) bool {
	c.tokens.mu.Lock()
	defer c.tokens.mu.Unlock()
	if c.tokens.all == nil {
		hashes, err := c.db.SessionHashes()
		if err != nil {
			return true
		}
		c.tokens.all = map[string]bool{}
		for _, h := range hashes {
			c.tokens.all[string(h)] = true
		}
	}
	return c.tokens.all[string(digest(token))]
}

// learn adds the hash of a session's token to the known tokens.
func (c *Club) learn(hash []byte) {
	c.tokens.mu.Lock()
	defer c.tokens.mu.Unlock()
	if c.tokens.all != nil {
		c.tokens.all[string(hash)] = true
	}
}

// Session returns the person whose session has this token. The error is store.ErrNoSession if no valid session has this token.
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
	c.learn(x.Hash)
	if time.Since(x.Seen) > seenEvery {
		if err := c.db.SeeSession(x.Hash); err != nil {
			return Who{}, err
		}
	}
	return whoOf(m), nil
}

// WhyBanned returns the reason why the member whose session had this token is banned, or "".
func (c *Club) WhyBanned(token string) (string, error) {
	if token == "" {
		return "", nil
	}
	_, m, err := c.db.Session(digest(token))
	if errors.Is(err, store.ErrNoSession) || errors.Is(err, store.ErrNoPerson) {
		return "", nil
	}
	return m.Banned, err
}

// beginSession begins a session of a member, and returns its new token.
func (c *Club) beginSession(m store.Member, b Browser) (Who, string, error) {
	if err := c.db.DeleteOldSessions(time.Now().Add(-sessionTime), time.Now()); err != nil {
		return Who{}, "", err
	}
	if b.Name != "" {
		if err := c.db.AddDevice(m.ID, b.Name, maxDevices); err != nil {
			return Who{}, "", err
		}
	}
	token, hash := secret()
	agent := b.Agent[:min(len(b.Agent), 200)]
	err := c.db.AddSession(store.Session{Hash: hash, Member: m.ID, Browser: strings.ToValidUTF8(agent, ""), Address: b.Address}, maxSessions)
	if err != nil {
		return Who{}, "", err
	}
	// If the member was banned, removed or given a new password after the check of the login but before this session began,
	// that change did not end this session. So the session is ended here.
	if now, err := c.db.ClubMember(m.ID); err != nil || now.Banned != "" || now.Password != m.Password || !now.Removed.IsZero() {
		return Who{}, "", cmp.Or(err, c.EndSession(m.ID, hash), ErrLogin)
	}
	c.learn(hash)
	return whoOf(m), token, nil
}

// Knows reports whether the member with this name has logged in before in this browser. If so, wrong guesses in other browsers
// do not prevent the member from logging in here.
func (c *Club) Knows(name string, b Browser) (bool, error) {
	if b.Name == "" {
		return false, nil
	}
	return c.db.HasDevice(nameKey(name), b.Name)
}

// Login checks the name and the password of a member and, if the member has a second factor, the code. Then Login begins a
// session. A login with a name that nobody has takes as long as a login with a wrong password, so that the time does not
// reveal which names exist.
func (c *Club) Login(ctx context.Context, name, password, code string, b Browser) (Who, string, error) {
	m, err := c.db.ClubMemberByKey(nameKey(name))
	if err != nil && !errors.Is(err, store.ErrNoPerson) {
		return Who{}, "", err
	}
	room := c.strangers
	if known, err := c.Knows(name, b); err == nil && known {
		// Password checks of browsers that the member has used before wait in a separate queue. So thousands of guesses from
		// other browsers do not lock the member out.
		room = c.known
	}
	ok, err := c.proves(ctx, room, m.Password, password)
	switch {
	case err != nil:
		return Who{}, "", err
	case !ok || m.ID == 0:
		return Who{}, "", ErrLogin
	case m.Banned != "":
		return Who{}, "", fault.Errorf("%w: %s", ErrBanned, m.Banned)
	case m.Second != "" && !c.fits(m, code):
		return Who{}, "", ErrCode
	}
	return c.beginSession(m, b)
}

// proves reports whether a password matches the stored hash.
func (c *Club) proves(ctx context.Context, room chan struct{}, stored, password string) (ok bool, err error) {
	if len(password) > 4*longest {
		password = ""
	}
	err = inRoom(ctx, room, func() { ok = c.cost.same(stored, password) })
	return ok, err
}

// hash returns the hash that is stored in place of a password.
func (c *Club) hash(password string) (hash string, err error) {
	err = inRoom(context.Background(), c.known, func() { hash = c.cost.hash(password) })
	return hash, err
}

// inRoom waits for a free place in room and then calls work, which hashes a password. Places are limited because hashing takes
// much memory. If no place becomes free within five seconds, the error is [errBusy].
func inRoom(ctx context.Context, room chan struct{}, work func()) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	select {
	case room <- struct{}{}:
		defer func() { <-room }()
		work()
		return nil
	case <-ctx.Done():
		return errBusy
	}
}

// Logout ends the session of a token.
func (c *Club) Logout(who Who, token string) error {
	return c.db.DeleteSessions(who.Member, digest(token), nil)
}

// EndSessions ends all sessions of a member except the session with this token.
func (c *Club) EndSessions(member int64, token string) error {
	return c.db.DeleteSessions(member, nil, digest(token))
}

// EndSession ends one session of a member: the session whose token has this hash.
func (c *Club) EndSession(member int64, hash []byte) error {
	return c.db.DeleteSessions(member, hash, nil)
}

// Proof shows that a request comes from the member, and not from a person who has stolen the session. It is the password or, for a
// member without a password, the token of a session that began with a recent login.
type Proof struct{ Password, Token string }

// proven checks a proof, and returns the data of the member who makes the request.
func (c *Club) proven(ctx context.Context, who Who, p Proof) (store.Member, error) {
	m, err := c.db.ClubMember(who.Member)
	if err != nil {
		return m, err
	}
	if m.Password != "" {
		ok, err := c.proves(ctx, c.known, m.Password, p.Password)
		if err == nil && !ok {
			err = ErrLogin
		}
		return m, err
	}
	x, _, err := c.db.Session(digest(p.Token))
	if err == nil && (x.Member != m.ID || time.Since(x.Created) > freshTime) {
		err = errStale
	}
	return m, err
}

// proofs maps the hash of a session's token to the time at which the member proved their identity. The times are lost when the
// server restarts.
type proofs struct {
	mu sync.Mutex
	at map[string]time.Time
}

func (p *proofs) note(token string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.at == nil {
		p.at = map[string]time.Time{}
	}
	maps.DeleteFunc(p.at, func(_ string, at time.Time) bool { return time.Since(at) > freshTime })
	p.at[string(digest(token))] = time.Now()
}

func (p *proofs) fresh(token string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, ok := p.at[string(digest(token))]
	return ok && time.Since(at) <= freshTime
}

// Prove checks a proof, and then allows this session for some minutes to do actions that cannot be undone. For a member without a
// password a recent login is the proof, and the minutes are counted from that login.
func (c *Club) Prove(ctx context.Context, who Who, p Proof) error {
	m, err := c.proven(ctx, who, p)
	if err == nil && m.Password != "" {
		c.proofs.note(p.Token)
	}
	return err
}

// Fresh returns [errStale] unless the member has confirmed their identity within the last minutes, by [Club.Prove] or by a
// login with a passkey. So a person who has stolen a session cannot do actions that cannot be undone.
func (c *Club) Fresh(who Who, token string) error {
	if c.proofs.fresh(token) {
		return nil
	}
	x, m, err := c.db.Session(digest(token))
	if err == nil && (x.Member != who.Member || m.Password != "" || time.Since(x.Created) > freshTime) {
		err = errStale
	}
	return err
}

// ChangePassword changes a member's own password, and ends the member's other sessions.
func (c *Club) ChangePassword(ctx context.Context, who Who, p Proof, password string) error {
	proved, err := c.proven(ctx, who, p)
	if err != nil {
		return err
	}
	if err := CheckPassword(password, proved.Name); err != nil {
		return err
	}
	hash, err := c.hash(password)
	if err != nil {
		return err
	}
	if err := c.change(who, who.Member, "new password", func(_ Who, m *store.Member) (string, error) {
		if m.Password != proved.Password { // another password was set after the proof was checked
			return "", ErrLogin
		}
		m.Password = hash
		return m.Name, nil
	}); err != nil {
		return err
	}
	return c.EndSessions(who.Member, p.Token)
}

// Is reports whether a session has this token.
func (c *Club) Is(x store.Session, token string) bool { return bytes.Equal(x.Hash, digest(token)) }
