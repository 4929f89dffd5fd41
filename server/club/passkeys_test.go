// SPDX-License-Identifier: Apache-2.0

package club

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/krow-lab/krow/server/store"
	"github.com/krow-lab/krow/server/store/storetest"
)

var home = Site{Name: "club.example", Origin: "https://club.example"}

// device is an authenticator with one passkey, and the browser in front of it.
type device struct {
	t       *testing.T
	key     *ecdsa.PrivateKey
	id      []byte
	handle  []byte
	origin  string
	counter uint32
}

func newDevice(t *testing.T) *device {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &device{t: t, key: key, id: newHandle()[:16], origin: home.Origin, counter: 1}
}

// asked returns what the server asks a browser.
func asked(t *testing.T, c Ceremony) (challenge, handle string) {
	t.Helper()
	data, err := json.Marshal(c.Options)
	if err != nil {
		t.Fatal(err)
	}
	var o struct {
		PublicKey struct {
			Challenge string
			User      struct{ ID string }
		}
	}
	if err := json.Unmarshal(data, &o); err != nil || o.PublicKey.Challenge == "" {
		t.Fatalf("%s, %v", data, err)
	}
	return o.PublicKey.Challenge, o.PublicKey.User.ID
}

func code(data []byte) string { return base64.RawURLEncoding.EncodeToString(data) }

// said returns the authenticator's data: hash of the server's name, flags (present, verified, with a key), counter.
func (d *device) said(flags byte) []byte {
	sum := sha256.Sum256([]byte(home.Name))
	return binary.BigEndian.AppendUint32(append(sum[:], flags), d.counter)
}

func (d *device) client(kind, challenge string) []byte {
	data, err := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": d.origin, "crossOrigin": false})
	if err != nil {
		d.t.Fatal(err)
	}
	return data
}

func (d *device) answer(response map[string]string) []byte {
	data, err := json.Marshal(map[string]any{"id": code(d.id), "rawId": code(d.id), "type": "public-key", "response": response})
	if err != nil {
		d.t.Fatal(err)
	}
	return data
}

// makes answers a ceremony that makes a passkey.
func (d *device) makes(c Ceremony) []byte {
	challenge, handle := asked(d.t, c)
	var err error
	if d.handle, err = base64.RawURLEncoding.DecodeString(handle); err != nil {
		d.t.Fatal(err)
	}
	point, err := d.key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		d.t.Fatal(err)
	}
	// {1: 2, 3: -7, -1: 1, -2: x, -3: y} in CBOR
	cose := append([]byte{0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32}, point[1:33]...)
	cose = append(append(cose, 0x22, 0x58, 32), point[33:]...)
	data := append(d.said(0x45), make([]byte, 16)...) // the kind of authenticator: not told
	data = binary.BigEndian.AppendUint16(data, uint16(len(d.id)))
	data = append(append(data, d.id...), cose...)
	// {"fmt": "none", "attStmt": {}, "authData": data}
	object := append([]byte("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58"), byte(len(data)))
	return d.answer(map[string]string{"clientDataJSON": code(d.client("webauthn.create", challenge)), "attestationObject": code(append(object, data...))})
}

// signs answers a ceremony that asks for a passkey.
func (d *device) signs(c Ceremony) []byte {
	challenge, _ := asked(d.t, c)
	client, data := d.client("webauthn.get", challenge), d.said(0x05)
	told := sha256.Sum256(client)
	sum := sha256.Sum256(append(bytes.Clone(data), told[:]...))
	sign, err := ecdsa.SignASN1(rand.Reader, d.key, sum[:])
	if err != nil {
		d.t.Fatal(err)
	}
	return d.answer(map[string]string{"clientDataJSON": code(client), "authenticatorData": code(data), "signature": code(sign), "userHandle": code(d.handle)})
}

// TestPasskeys: somebody joins with a passkey, comes back, adds another, and cannot be locked out by removing both.
func TestPasskeys(t *testing.T) {
	c := newClub(t)
	link, err := c.Invite(Alone, Member, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.BeginJoin(link, "owner", home); !errors.Is(err, store.ErrNameTaken) {
		t.Errorf("a name that is taken: %v", err)
	}
	begin := func(of func() (Ceremony, error)) Ceremony {
		t.Helper()
		x, err := of()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	login := func() (Ceremony, error) { return c.BeginLogin(home) }

	phone := newDevice(t)
	x := begin(func() (Ceremony, error) { return c.BeginJoin(link, "bob", home) })
	answer := phone.makes(x)
	bob, token, err := c.JoinByPasskey(link, "bob", home, x.State, answer, "phone", Browser{})
	if err != nil || bob.Name != "bob" || bob.Role != Member {
		t.Fatalf("joined as %+v, %v", bob, err)
	}
	if _, _, err := c.Login(t.Context(), "bob", "", "", Browser{}); !errors.Is(err, ErrLogin) {
		t.Errorf("without a password: %v", err)
	}

	phone.counter++
	x = begin(login)
	answer = phone.signs(x)
	if who, token, err := c.LoginByPasskey(home, x.State, answer, Browser{}); err != nil || who != bob || token == "" {
		t.Fatalf("came back as %+v, %v", who, err)
	}

	tests := []struct {
		name string
		do   func(x Ceremony) []byte
		at   Site
		seal func(string) string
	}{
		{"the answer again", nil, home, nil},
		{"the counter of before", phone.signs, home, nil},
		{"another site", func(x Ceremony) []byte {
			e := *phone
			e.counter, e.origin = 9, "https://evil.example"
			return e.signs(x)
		}, home, nil},
		{"another key", func(x Ceremony) []byte {
			e := newDevice(t)
			e.id, e.handle, e.counter = phone.id, phone.handle, 9
			return e.signs(x)
		}, home, nil},
		{"another member's handle", func(x Ceremony) []byte {
			e := *phone
			e.handle, e.counter = newHandle(), 9
			return e.signs(x)
		}, home, nil},
		{"a passkey that nobody has", func(x Ceremony) []byte {
			e := newDevice(t)
			e.handle = phone.handle
			return e.signs(x)
		}, home, nil},
		{"no answer", func(Ceremony) []byte { return []byte("{}") }, home, nil},
		{"a state of one's own", phone.signs, home, func(s string) string { return "e30." + s }},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			y := x
			data := answer
			if tc.do != nil {
				y = begin(login)
				data = tc.do(y)
			}
			if tc.seal != nil {
				y.State = tc.seal(y.State)
			}
			if who, _, err := c.LoginByPasskey(tc.at, y.State, data, Browser{}); !errors.Is(err, ErrPasskey) {
				t.Errorf("logged in as %+v, %v", who, err)
			}
		})
	}

	if err := c.RemovePasskey(bob, phone.id); !errors.Is(err, store.ErrLastWay) {
		t.Errorf("the last way to log in: %v", err)
	}
	laptop := newDevice(t)
	if _, err := c.BeginPasskey(t.Context(), bob, Proof{Token: "another"}, home); err == nil {
		t.Error("a passkey without a session")
	}
	x = begin(func() (Ceremony, error) { return c.BeginPasskey(t.Context(), bob, Proof{Token: token}, home) })
	if err := c.AddPasskey(Who{Member: First, Role: Owner}, home, x.State, laptop.makes(x), "stolen"); !errors.Is(err, ErrPasskey) {
		t.Errorf("a passkey of somebody else's ceremony: %v", err)
	}
	if err := c.AddPasskey(bob, home, x.State, laptop.makes(x), "laptop"); err != nil {
		t.Fatal(err)
	}
	if err := c.RemovePasskey(Who{Member: First, Role: Owner}, laptop.id); err == nil {
		t.Error("somebody removed another's passkey")
	}
	if err := c.RemovePasskey(bob, phone.id); err != nil {
		t.Error(err)
	}
	all, err := c.db.Passkeys(bob.Member)
	if err != nil || len(all) != 1 || all[0].Name != "laptop" {
		t.Errorf("left are %v, %v", all, err)
	}
	if _, err := c.BeginLogin(Site{}); !errors.Is(err, errNoPasskeys) {
		t.Errorf("where there are none: %v", err)
	}
}

// TestPasskeyNeedsRecentLogin: who has no password makes another passkey, or a password, only for a while after a login.
func TestPasskeyNeedsRecentLogin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := storetest.Open(t)
		c := New(db, Options{Cheap: true})
		link, err := c.Invite(Alone, Member, "")
		if err != nil {
			t.Fatal(err)
		}
		phone := newDevice(t)
		x, err := c.BeginJoin(link, "bob", home)
		if err != nil {
			t.Fatal(err)
		}
		bob, token, err := c.JoinByPasskey(link, "bob", home, x.State, phone.makes(x), "phone", Browser{})
		if err != nil {
			t.Fatal(err)
		}
		tries := func() (passkey, password error) {
			_, passkey = c.BeginPasskey(t.Context(), bob, Proof{Token: token}, home)
			return passkey, c.ChangePassword(t.Context(), bob, Proof{Token: token}, "correct horse")
		}
		time.Sleep(freshTime + time.Second)
		if err1, err2 := tries(); !errors.Is(err1, errStale) || !errors.Is(err2, errStale) {
			t.Errorf("long after the login: %v, %v", err1, err2)
		}
		phone.counter++
		if x, err = c.BeginLogin(home); err != nil {
			t.Fatal(err)
		}
		if bob, token, err = c.LoginByPasskey(home, x.State, phone.signs(x), Browser{}); err != nil {
			t.Fatal(err)
		}
		if err1, err2 := tries(); err1 != nil || err2 != nil {
			t.Errorf("after a login: %v, %v", err1, err2)
		}
	})
}

// TestProveProlongsNoLogin: who has no password proves nothing more with a recent login than the login itself.
func TestProveProlongsNoLogin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(storetest.Open(t), Options{Cheap: true})
		bob, token := byPasskey(t, c, "bob", newDevice(t))
		time.Sleep(freshTime - time.Second)
		if err := errors.Join(c.Prove(t.Context(), bob, Proof{Token: token}), c.Fresh(bob, token)); err != nil {
			t.Error(err)
		}
		time.Sleep(2 * time.Second)
		if err := c.Fresh(bob, token); !errors.Is(err, errStale) {
			t.Errorf("long after the login: %v", err)
		}
	})
}

// byPasskey adds a member without a password, and returns the member and the token of a session.
func byPasskey(t *testing.T, c *Club, name string, d *device) (Who, string) {
	t.Helper()
	link, err1 := c.Invite(Alone, Member, "")
	x, err2 := c.BeginJoin(link, name, home)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	who, token, err := c.JoinByPasskey(link, name, home, x.State, d.makes(x), "", Browser{})
	if err != nil {
		t.Fatal(err)
	}
	return who, token
}

// TestLastPasskeyStays: of two passkeys of a member without a password that are removed at once, one stays.
func TestLastPasskeyStays(t *testing.T) {
	c := newClub(t)
	for i := range 30 {
		devices := []*device{newDevice(t), newDevice(t)}
		bob, token := byPasskey(t, c, fmt.Sprint("bob", i), devices[0])
		x, err := c.BeginPasskey(t.Context(), bob, Proof{Token: token}, home)
		if err == nil {
			err = c.AddPasskey(bob, home, x.State, devices[1].makes(x), "")
		}
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		start := make(chan struct{})
		for _, d := range devices {
			wg.Go(func() { <-start; _ = c.RemovePasskey(bob, d.id) }) // one is refused
		}
		close(start)
		wg.Wait()
		if all, err := c.db.Passkeys(bob.Member); err != nil || len(all) != 1 {
			t.Errorf("try %d: %d passkeys left, %v", i, len(all), err)
		}
	}
}

// TestResetEndsLogins: a passkey that a thief has planted has no session after a reset, also if it logs in at that moment.
func TestResetEndsLogins(t *testing.T) {
	c := newClub(t)
	for i := range 20 {
		name := fmt.Sprint("bob", i)
		bob, token := byPasskey(t, c, name, newDevice(t))
		planted := []*device{newDevice(t), newDevice(t), newDevice(t), newDevice(t)}
		for _, d := range planted {
			x, err := c.BeginPasskey(t.Context(), bob, Proof{Token: token}, home)
			if err == nil {
				err = c.AddPasskey(bob, home, x.State, d.makes(x), "")
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		link, err1 := c.NewPassword(Alone, bob.Member)
		x, err2 := c.BeginJoin(link, "", home)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		answer := newDevice(t).makes(x)
		whileBusy(func(n int) {
			d := planted[n%4]
			d.counter++
			if y, err := c.BeginLogin(home); err == nil {
				_, _, _ = c.LoginByPasskey(home, y.State, d.signs(y), Browser{}) // may be refused
			}
		}, func() {
			if _, _, err := c.JoinByPasskey(link, "", home, x.State, answer, "", Browser{}); err != nil {
				t.Error(err)
			}
		})
		if all, err := c.db.Sessions(bob.Member); err != nil || len(all) != 1 {
			t.Errorf("try %d: %d sessions after the reset, %v", i, len(all), err)
		}
	}
}

// TestResetTakesPasskeysAway: a link for a new password takes away passkeys that a thief may have added, and other links.
func TestResetTakesPasskeysAway(t *testing.T) {
	c := newClub(t)
	bob, token := joined(t, c, "bob", Member)
	x, err := c.BeginPasskey(t.Context(), bob, Proof{Password: "correct horse", Token: token}, home)
	if err != nil {
		t.Fatal(err)
	}
	thief := newDevice(t)
	if err := c.AddPasskey(bob, home, x.State, thief.makes(x), "planted"); err != nil {
		t.Fatal(err)
	}
	older, err1 := c.NewPassword(Alone, bob.Member)
	link, err2 := c.NewPassword(Alone, bob.Member)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Join(link, "", "battery staple", Browser{}); err != nil {
		t.Fatal(err)
	}
	if all, err := c.db.Passkeys(bob.Member); err != nil || len(all) != 0 {
		t.Errorf("%d passkeys left, %v", len(all), err)
	}
	if _, err := c.Session(token); !errors.Is(err, store.ErrNoSession) {
		t.Errorf("an older session: %v", err)
	}
	if _, err := c.Link(older); !errors.Is(err, store.ErrNoLink) {
		t.Errorf("an older link: %v", err)
	}
	thief.counter++
	if x, err = c.BeginLogin(home); err != nil {
		t.Fatal(err)
	}
	if who, _, err := c.LoginByPasskey(home, x.State, thief.signs(x), Browser{}); err == nil {
		t.Errorf("a planted passkey logged in as %+v", who)
	}
}
