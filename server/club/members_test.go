// SPDX-License-Identifier: Apache-2.0

package club

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pquerna/otp/totp"

	"github.com/krow-lab/krow/server/store"
	"github.com/krow-lab/krow/server/store/storetest"
)

func newClub(t *testing.T) *Club {
	t.Helper()
	return New(storetest.Open(t), Options{Cheap: true})
}

func TestCheckName(t *testing.T) {
	tests := []struct {
		name string
		ok   bool
	}{
		{"ann", true},
		{"Élodie_2", true},
		{"Анна", true},
		{"山田-太郎", true},
		{"42", true},
		{strings.Repeat("x", 40), true},
		{strings.Repeat("x", 41), false},
		{"", false},
		{"Ann B 2", true},
		{"ann  b", false},
		{" ann", false},
		{"ann\u00a0b", false},
		{"ann\n", false},
		{"аnn", false}, // the first letter is Cyrillic
		{"<b>", false},
		{"a\u0301", false}, // a mark apart
		{"\xff", false},
	}
	for _, tc := range tests {
		if err := CheckName(tc.name); (err == nil) != tc.ok || err != nil && (!errors.Is(err, ErrName) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("CheckName(%q) = %v, want ok %t", tc.name, err, tc.ok)
		}
	}
}

// TestPasswordHashes: a hash contains its own costs, and no two are equal. A comparison without a stored hash, as for an unknown
// name, computes a hash as well: it allocates the memory of one.
func TestPasswordHashes(t *testing.T) {
	k := cost{memory: 64, passes: 1}
	a, b := k.hash("correct horse"), k.hash("correct horse")
	if a == b || !strings.HasPrefix(a, "$argon2id$v=19$m=64,t=1,p=1$") {
		t.Errorf("hashes %q and %q", a, b)
	}
	if !usual.same(a, "correct horse") || usual.same(a, "correct horsf") || k.same("", "") || k.same("$argon2id$", "x") {
		t.Error("the wrong passwords are right")
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	usual.same("", "correct horse")
	runtime.ReadMemStats(&after)
	if got, want := after.TotalAlloc-before.TotalAlloc, uint64(usual.memory)<<10; got < want {
		t.Errorf("a comparison without a hash allocates %d bytes, want at least %d: an unknown name would be answered sooner", got, want)
	}
}

// TestFirst: what was one person's is the first member's, whose club it is from then on.
func TestFirst(t *testing.T) {
	c := newClub(t)
	if has, err := c.HasMembers(); has || err != nil {
		t.Fatalf("a new store has members: %t, %v", has, err)
	}
	if err := c.First("ann", "ann has a hat"); !errors.Is(err, ErrPassword) {
		t.Errorf("a password with the name: %v", err)
	}
	if err := c.First("ann", "correct horse"); err != nil {
		t.Fatal(err)
	}
	who, token, err := c.Login(t.Context(), "Ann", "correct horse", "", Browser{})
	if err != nil || who.Member != First || who.Role != Owner {
		t.Fatalf("Login = %+v, %v", who, err)
	}
	if got, err := c.Session(token); err != nil || got != who {
		t.Errorf("Session = %+v, %v", got, err)
	}
	again := New(c.db, Options{Cheap: true}) // the server after a restart
	if !again.Known(token) || again.Known("made up") || again.Known("") {
		t.Error("the tokens that are known are not those of sessions")
	}
	_, later, err := c.Login(t.Context(), "ann", "correct horse", "", Browser{})
	if _, err1 := again.Session(later); err != nil || err1 != nil || !again.Known(later) {
		t.Errorf("a session that another process began: %v, %v", err, err1)
	}
	if has, err := c.HasMembers(); !has || err != nil {
		t.Errorf("afterwards: %t, %v", has, err)
	}
}

// TestNewPassword: a link for a password ends the sessions of before and works once.
func TestNewPassword(t *testing.T) {
	c := newClub(t)
	if err := c.First("ann", "correct horse"); err != nil {
		t.Fatal(err)
	}
	ann, token, err := c.Login(t.Context(), "ann", "correct horse", "", Browser{})
	if err != nil {
		t.Fatal(err)
	}
	link, err := c.NewPassword(ann, First)
	if err != nil {
		t.Fatal(err)
	}
	if m, err := c.Link(link); err != nil || m.Name != "ann" || !m.Entered {
		t.Errorf("Link = %+v, %v", m, err)
	}
	first, err := c.Add(ann, "newcomer", Member)
	if err != nil {
		t.Fatal(err)
	}
	if m, err := c.Link(first); err != nil || m.Name != "newcomer" || m.Entered {
		t.Errorf("Link = %+v, %v", m, err)
	}
	if _, _, err := c.Join(link, "eve", "battery staple", Browser{}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Session(token); !errors.Is(err, store.ErrNoSession) {
		t.Errorf("a session of before: %v", err)
	}
	if _, _, err := c.Login(t.Context(), "ann", "correct horse", "", Browser{}); !errors.Is(err, ErrLogin) {
		t.Errorf("the password of before: %v", err)
	}
	if _, _, err := c.Login(t.Context(), "ann", "battery staple", "", Browser{}); err != nil {
		t.Errorf("the new password: %v", err)
	}
	if _, _, err := c.Join(link, "", "battery staples", Browser{}); !errors.Is(err, store.ErrNoLink) {
		t.Errorf("the link again: %v", err)
	}
}

// TestSecondFactor: with it a login needs a code, a code works only after the code used last, and a link for a new password removes it.
func TestSecondFactor(t *testing.T) {
	c := newClub(t)
	if err := c.First("ann", "correct horse"); err != nil {
		t.Fatal(err)
	}
	login := func(password, code string) error {
		_, _, err := c.Login(t.Context(), "ann", password, code, Browser{})
		return err
	}
	ann := Who{Member: First, Name: "ann", Role: Owner}
	key, err := c.NewSecond(ann)
	if err != nil {
		t.Fatal(err)
	}
	now, err := totp.GenerateCode(key.Secret(), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.SetSecond(ann, key.Secret(), "000000x"); !errors.Is(err, ErrCode) {
		t.Errorf("set with a wrong code: %v", err)
	}
	if err := c.SetSecond(ann, key.Secret(), now); err != nil {
		t.Fatal(err)
	}
	if err := login("wrong horse", now); !errors.Is(err, ErrLogin) {
		t.Errorf("a wrong password and a right code: %v", err)
	}
	for _, code := range []string{"", "x"} {
		if err := login("correct horse", code); !errors.Is(err, ErrCode) {
			t.Errorf("the code %q: %v", code, err)
		}
	}
	if err := login("correct horse", now); err != nil {
		t.Errorf("the right code: %v", err)
	}
	if err := login("correct horse", now); !errors.Is(err, ErrCode) {
		t.Errorf("a code used twice: %v", err)
	}
	before, err := totp.GenerateCode(key.Secret(), time.Now().Add(-30*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if err := login("correct horse", before); !errors.Is(err, ErrCode) {
		t.Errorf("a code of before the last one: %v", err)
	}
	link, err := c.NewPassword(ann, First)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Join(link, "", "battery staple", Browser{}); err != nil {
		t.Fatal(err)
	}
	if err := login("battery staple", ""); err != nil {
		t.Errorf("after a new password by link: %v", err)
	}
}

// TestLoginTime compares how long wrong logins take for a name that somebody has and for one that nobody has, with passwords as
// dear as on a server. With KROW_LONG alone: it measures time.
func TestLoginTime(t *testing.T) {
	if os.Getenv("KROW_LONG") == "" {
		t.Skip("it measures time: KROW_LONG=1 runs it")
	}
	c := newClub(t)
	c = New(c.db, Options{})
	if err := c.First("ann", "correct horse"); err != nil {
		t.Fatal(err)
	}
	// A pair is timed back to back, in either order, so that other work on the machine hits both alike. The more that is, the more
	// pairs it takes.
	names, differences := []string{"ann", "nobody"}, []time.Duration{}
	var all time.Duration
	for n := 1; ; n++ {
		var took [2]time.Duration
		for j := range 2 {
			which := (n + j) % 2
			start := time.Now()
			if _, _, err := c.Login(t.Context(), names[which], "battery staple", "", Browser{}); !errors.Is(err, ErrLogin) {
				t.Fatal(err)
			}
			took[which] = time.Since(start)
			all += took[which]
		}
		differences = append(differences, took[0]-took[1])
		if n%200 > 0 {
			continue
		}
		// The median of the differences lies between these two in 99 of 100 tries: ranks n/2 - 1.29 sqrt(n) and n/2 + 1.29 sqrt(n).
		slices.Sort(differences)
		rank := int(1.29 * math.Sqrt(float64(n)))
		least, most, login := differences[n/2-rank], differences[n/2+rank], all/time.Duration(2*n)
		if most-least > login/5 && n < 4000 {
			continue
		}
		t.Logf("a login takes %v; a known name takes %v to %v longer than an unknown one, by %d pairs", login, least, most, n)
		if least > login/50 || most < -login/50 || most-least > login/5 {
			t.Errorf("a known name takes %v to %v longer than an unknown one", least, most)
		}
		return
	}
}

// TestLookAlikeNames: nobody takes a name that looks like the name of another member.
func TestLookAlikeNames(t *testing.T) {
	c := newClub(t)
	for _, name := range []string{"bill10", "Carlo", "Сора"} {
		joined(t, c, name, Member)
	}
	dora, _ := joined(t, c, "dora", Member)
	for _, name := range []string{"BILL10", "biII10", "bi1l10", "bıll10", "billlO", "ｂｉｌｌ１０", "CarIo", "Car1o", "Carl0", "cɑrlo", "ᴄarlo", "Copa"} {
		t.Run(name, func(t *testing.T) {
			if _, err := c.Add(Alone, name, Member); !errors.Is(err, store.ErrNameTaken) && !errors.Is(err, ErrName) {
				t.Errorf("added: %v", err)
			}
			link, err := c.Invite(Alone, Member, "")
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := c.Join(link, name, "correct horse", Browser{}); !errors.Is(err, store.ErrNameTaken) && !errors.Is(err, ErrName) {
				t.Errorf("joined: %v", err)
			}
			if err := c.Rename(Alone, dora.Member, name); !errors.Is(err, store.ErrNameTaken) && !errors.Is(err, ErrName) {
				t.Errorf("renamed: %v", err)
			}
		})
	}
	if _, err := c.Add(Alone, "Élodie", Member); err != nil {
		t.Errorf("a name like no other: %v", err)
	}
	carlo, err := c.Find("carlo")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Rename(Alone, carlo.ID, "CARL0"); err != nil {
		t.Errorf("a name that looks like one's own: %v", err)
	}
}

// TestRenamesOfADay: a member takes five names a day, and an organiser may give another one then.
func TestRenamesOfADay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := storetest.Open(t)
		c := New(db, Options{Cheap: true})
		bob, _ := joined(t, c, "bob", Member)
		names := func() (n int) {
			for i := range 9 {
				if c.Rename(bob, bob.Member, fmt.Sprint("bob", i)) == nil {
					n++
				}
			}
			return n
		}
		if n := names(); n != 5 {
			t.Errorf("%d names on the first day, want 5", n)
		}
		if err := c.Rename(Alone, bob.Member, "robert"); err != nil {
			t.Errorf("by somebody else: %v", err)
		}
		time.Sleep(25 * time.Hour)
		if n := names(); n != 5 {
			t.Errorf("%d names on the next day, want 5", n)
		}
	})
}
