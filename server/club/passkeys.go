// SPDX-License-Identifier: Apache-2.0

package club

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/server/store"
)

// Site is the address at which browsers reach the server. Passkeys are bound to it: a browser offers them to no other site.
type Site struct {
	Name   string // host name of the server, without a port; empty if passkeys are not possible
	Origin string // scheme, host and port of the page, such as https://club.example:8443
}

// Ceremony describes the next step of a browser: to ask the user for a passkey, or to make a new passkey.
//
// CITE: Hodges, Jones, Jones, Kumar and Lundberg, Web Authentication: An API for accessing Public Key Credentials, Level
// 3, W3C, 2025.
type Ceremony struct {
	State   string `json:"state" doc:"the client sends it back with the answer"`
	Options any    `json:"options" doc:"argument for the browser's interface for passkeys"`
}

const (
	ceremonyTime = 5 * time.Minute
	maxPasskeys  = 20 // maximum number of passkeys of one member
)

// state contains the data that the server needs when the browser answers a ceremony. The browser keeps it, with an
// authentication code, so that ceremonies of strangers take no memory on the server.
type state struct {
	For    string // purpose: join, add or login
	Member int64  // number of the member who adds a passkey
	Link   string // token of the link with which a person joins
	Data   webauthn.SessionData
}

// seals authenticates states with a secret key, and remembers which states were used.
type seals struct {
	key  [32]byte
	mu   sync.Mutex
	used map[string]time.Time // maps each challenge that was answered to its expiry time
}

func newSeals() *seals {
	s := &seals{used: map[string]time.Time{}}
	_, _ = rand.Read(s.key[:]) // never fails
	return s
}

func (s *seals) sum(text string) []byte {
	h := hmac.New(sha256.New, s.key[:])
	h.Write([]byte(text))
	return h.Sum(nil)
}

// seal returns a state with its authentication code, as STATE.SUM.
func (s *seals) seal(st state) (string, error) {
	data, err := json.Marshal(st)
	text := base64.RawURLEncoding.EncodeToString(data)
	return text + "." + base64.RawURLEncoding.EncodeToString(s.sum(text)), err
}

// open returns the state in a sealed text. It returns an error unless the state was made for this purpose.
func (s *seals) open(sealed, purpose string) (st state, err error) {
	text, sum, _ := strings.Cut(sealed, ".")
	raw, err1 := base64.RawURLEncoding.DecodeString(sum)
	data, err2 := base64.RawURLEncoding.DecodeString(text)
	if err1 != nil || err2 != nil || !hmac.Equal(raw, s.sum(text)) || json.Unmarshal(data, &st) != nil || st.For != purpose {
		return state{}, ErrPasskey
	}
	return st, nil
}

// use marks the challenge of a state as used, or returns an error if it was used before.
func (s *seals) use(st state) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c, ends := range s.used {
		if time.Now().After(ends) {
			delete(s.used, c)
		}
	}
	if _, used := s.used[st.Data.Challenge]; used {
		return ErrPasskey
	}
	s.used[st.Data.Challenge] = st.Data.Expires
	return nil
}

// person is a member in the form that package webauthn needs.
type person struct {
	handle []byte
	name   string
	keys   []webauthn.Credential
}

func (p person) WebAuthnID() []byte                         { return p.handle }
func (p person) WebAuthnName() string                       { return p.name }
func (p person) WebAuthnDisplayName() string                { return p.name }
func (p person) WebAuthnCredentials() []webauthn.Credential { return p.keys }

func relying(site Site) (*webauthn.WebAuthn, error) {
	if site.Name == "" {
		return nil, errNoPasskeys
	}
	limit := webauthn.TimeoutConfig{Enforce: true, Timeout: ceremonyTime, TimeoutUVD: ceremonyTime}
	return webauthn.New(&webauthn.Config{
		RPID: site.Name, RPDisplayName: "krow", RPOrigins: []string{site.Origin},
		AttestationPreference:             protocol.PreferNoAttestation,
		AuthenticatorSelection:            protocol.AuthenticatorSelection{ResidentKey: protocol.ResidentKeyRequirementRequired, UserVerification: protocol.VerificationRequired},
		Timeouts:                          webauthn.TimeoutsConfig{Login: limit, Registration: limit},
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore,
	})
}

// refused wraps err, the reason why a passkey was not accepted, in [ErrPasskey].
func refused(err error) error {
	if p, ok := errors.AsType[*protocol.Error](err); ok {
		err = fmt.Errorf("%s: %s", p.Details, p.DevInfo)
	}
	return fmt.Errorf("%w: %w", ErrPasskey, err)
}

// register returns the ceremony by which a browser makes a passkey for p.
func (c *Club) register(site Site, p person, st state) (Ceremony, error) {
	w, err := relying(site)
	if err != nil {
		return Ceremony{}, err
	}
	var known []protocol.CredentialDescriptor
	for _, k := range p.keys {
		known = append(known, k.Descriptor())
	}
	options, data, err := w.BeginRegistration(p, webauthn.WithExclusions(known))
	if err != nil {
		return Ceremony{}, err
	}
	st.Data = *data
	sealed, err := c.seals.seal(st)
	return Ceremony{sealed, options}, err
}

// registered checks a browser's answer to the ceremony of register, and returns the passkey that the browser made.
func (c *Club) registered(site Site, st state, answer []byte, name string) (k store.Passkey, err error) {
	w, err := relying(site)
	if err != nil {
		return k, err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return k, refused(err)
	}
	made, err := w.CreateCredential(person{handle: st.Data.UserID}, st.Data, parsed)
	if err != nil {
		return k, refused(err)
	}
	if err := c.seals.use(st); err != nil {
		return k, err
	}
	data, err := json.Marshal(made)
	name = cmp.Or(strings.TrimSpace(strings.ToValidUTF8(name[:min(len(name), maxNote)], "")), "passkey")
	return store.Passkey{ID: made.ID, Handle: st.Data.UserID, Name: name, Credential: data, Counter: made.Authenticator.SignCount}, err
}

// newHandle returns a random handle, by which passkeys identify a person without revealing anything else.
func newHandle() []byte {
	handle := make([]byte, 32)
	_, _ = rand.Read(handle) // never fails
	return handle
}

// BeginPasskey returns the ceremony that makes another passkey for a member. The member must prove their identity first.
func (c *Club) BeginPasskey(ctx context.Context, who Who, proof Proof, site Site) (Ceremony, error) {
	if _, err := c.proven(ctx, who, proof); err != nil {
		return Ceremony{}, err
	}
	p := person{handle: newHandle(), name: who.Name}
	all, err := c.db.Passkeys(who.Member)
	if err != nil {
		return Ceremony{}, err
	}
	for _, k := range all {
		made, err := credential(k)
		if err != nil {
			return Ceremony{}, err
		}
		p.handle, p.keys = k.Handle, append(p.keys, made)
	}
	return c.register(site, p, state{For: "add", Member: who.Member})
}

func credential(k store.Passkey) (made webauthn.Credential, err error) {
	if err := json.Unmarshal(k.Credential, &made); err != nil {
		return made, fmt.Errorf("passkey %s: %w", k.Name, err)
	}
	return made, nil
}

// AddPasskey stores the passkey that a member's browser made in the ceremony of BeginPasskey.
func (c *Club) AddPasskey(who Who, site Site, sealed string, answer []byte, name string) error {
	st, err := c.seals.open(sealed, "add")
	if err != nil || st.Member != who.Member {
		return cmp.Or(err, ErrPasskey)
	}
	k, err := c.registered(site, st, answer, name)
	if err != nil {
		return err
	}
	k.Member = who.Member
	return c.logged(who, who.Member, "add passkey", k.Name, c.db.AddPasskey(k, maxPasskeys))
}

// RemovePasskey deletes a passkey of a member. It returns an error if the member has no other way to log in.
func (c *Club) RemovePasskey(who Who, id []byte) error {
	return c.logged(who, who.Member, "remove passkey", "", c.db.DeletePasskey(who.Member, id))
}

// BeginJoin returns the ceremony that makes a passkey for a person who opened a link from an organiser: an invitation, or a link
// for a new password.
func (c *Club) BeginJoin(token, name string, site Site) (Ceremony, error) {
	name, err := c.joiner(token, name)
	if err != nil {
		return Ceremony{}, err
	}
	return c.register(site, person{handle: newHandle(), name: name}, state{For: "join", Link: token})
}

// JoinByPasskey uses a link as [Club.Join] does, but with the passkey that the browser made instead of a password. A previous
// password of the member is no longer valid.
func (c *Club) JoinByPasskey(token, name string, site Site, sealed string, answer []byte, keyName string, b Browser) (Who, string, error) {
	st, err := c.seals.open(sealed, "join")
	if err != nil || st.Link != token {
		return Who{}, "", cmp.Or(err, ErrPasskey)
	}
	if name, err = c.joiner(token, name); err != nil {
		return Who{}, "", err
	}
	k, err := c.registered(site, st, answer, keyName)
	if err != nil {
		return Who{}, "", err
	}
	return c.join(token, store.Member{Name: name, Key: nameKey(name)}, &k, b)
}

// BeginLogin returns the ceremony of a login. The browser's answer names the member.
func (c *Club) BeginLogin(site Site) (Ceremony, error) {
	w, err := relying(site)
	if err != nil {
		return Ceremony{}, err
	}
	options, data, err := w.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return Ceremony{}, err
	}
	sealed, err := c.seals.seal(state{For: "login", Data: *data})
	return Ceremony{sealed, options}, err
}

// LoginByPasskey begins a session of the member whose passkey signed the browser's answer.
func (c *Club) LoginByPasskey(site Site, sealed string, answer []byte, b Browser) (Who, string, error) {
	k, err := c.signed(site, sealed, answer)
	if err != nil {
		return Who{}, "", err
	}
	m, err := c.db.ClubMember(k.Member)
	switch {
	case err != nil:
		return Who{}, "", err
	case m.Banned != "":
		return Who{}, "", fault.Errorf("%w: %s", ErrBanned, m.Banned)
	}
	who, token, err := c.beginSession(m, b)
	if err != nil {
		return who, token, err
	}
	// A reset of the account deletes the passkeys and ends the sessions. If it came after the passkey was checked but before this
	// session began, it did not end this session. So the session is ended here.
	if _, err := c.db.Passkey(k.ID); err != nil {
		_ = c.EndSession(m.ID, digest(token)) // the error is ignored: nobody receives the token, so nobody can use the session
		return Who{}, "", refused(err)
	}
	c.proofs.note(token)
	return who, token, nil
}

// signed checks a browser's answer to a login, and returns the passkey that signed it. Each answer is accepted once.
func (c *Club) signed(site Site, sealed string, answer []byte) (k store.Passkey, err error) {
	st, err := c.seals.open(sealed, "login")
	if err != nil {
		return k, err
	}
	w, err := relying(site)
	if err != nil {
		return k, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return k, refused(err)
	}
	_, used, err := w.ValidatePasskeyLogin(func(id, _ []byte) (webauthn.User, error) {
		if k, err = c.db.Passkey(id); err != nil {
			return nil, err
		}
		made, err := credential(k)
		return person{handle: k.Handle, keys: []webauthn.Credential{made}}, err
	}, st.Data, parsed)
	if err != nil {
		return k, refused(err)
	}
	if err := c.seals.use(st); err != nil {
		return k, err
	}
	if used.Authenticator.CloneWarning {
		return k, fmt.Errorf("%w: its counter decreased, so it may be a copy", ErrPasskey)
	}
	if k.Credential, err = json.Marshal(used); err != nil {
		return k, err
	}
	k.Counter = used.Authenticator.SignCount
	if err := c.db.UsePasskey(k); err != nil {
		return k, refused(err)
	}
	return k, nil
}
