// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/store"
)

// write puts a text into a field, as somebody who types.
func (p *page) write(selector, text string) {
	p.t.Helper()
	p.until(fmt.Sprintf(`document.querySelector(%q)`, selector))
	js[bool](p, fmt.Sprintf(`(() => { const f = document.querySelector(%q); f.value = %q; f.dispatchEvent(new Event('input', {bubbles: true})); return true })()`, selector, text))
}

// newClub returns a site of ann's club, and an invitation to it.
func newClub(t *testing.T) (s *site, link string) {
	t.Helper()
	s = prepare(t, "127.0.0.1:0") // localhost
	s.club = true
	db, err := store.Open(s.file)
	if err != nil {
		t.Fatal(err)
	}
	c := club.New(db, club.Options{Cheap: true})
	if err := c.First("ann", "correct horse"); err != nil {
		t.Fatal(err)
	}
	if link, err = c.Invite(club.Who{Member: club.First, Name: "ann", Role: club.Owner}, club.Member, "for Bob"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s.start()
	return s, link
}

// TestClubMemberVisits: somebody follows an invitation, becomes a member, logs out and in again, and is refused with a wrong password. He ends a
// session of his. An owner takes an invitation back, bans him, lets him in again, and removes him when the question is answered.
func TestClubMemberVisits(t *testing.T) {
	t.Parallel()
	s, link := newClub(t)
	p := s.somebody("/join#" + link)
	p.write(`[name=username]`, "Bob")
	p.write(`[name=password]`, "battery staple")
	p.write(`[name=again]`, "battery stable")
	p.click(`form .main`)
	p.until(`document.querySelector('[role=alert]')?.textContent.includes('differ')`)
	p.write(`[name=again]`, "battery staple")
	p.click(`form .main`)
	p.until(`location.pathname === '/lobby' && document.querySelector('header .me')?.textContent === 'Bob'`)
	p.until(`location.hash === ''`)

	// Logged out, every page asks who one is; afterwards the page that was asked for is there.
	p.visit("/members")
	p.until(`document.body.innerText.includes('ann')`)
	p.click(`#logout`)
	p.until(`document.querySelector('form [name=password]')`)
	p.visit("/lab")
	p.write(`[name=username]`, "bob")
	p.write(`[name=password]`, "wrong wrong wrong")
	p.click(`form .main`)
	p.until(`document.querySelector('[role=alert]')?.textContent.includes('wrong')`)
	p.write(`[name=password]`, "battery staple")
	p.click(`form .main`)
	p.until(`location.pathname === '/lab' && !document.querySelector('[name=password]') && document.querySelector('h1')`)

	var bob struct{ Name string }
	s.post("/club/login", map[string]string{"name": "bob", "password": "battery staple"}, &bob) // elsewhere
	p.visit("/members")
	p.press("End")
	p.until(`document.querySelector('#logout') && document.querySelectorAll('.own li').length === 1`)

	ann := s.somebody("/members")
	ann.write(`[name=username]`, "ann")
	ann.write(`[name=password]`, "correct horse")
	ann.click(`form .main`)
	ann.write(`[name=note]`, "for Cyd")
	ann.click(`form.row .main`)
	ann.click(`[aria-label="Take back: for Cyd"]`)
	ann.until(`document.querySelector('#link') && !document.querySelector('[aria-label^="Take back"]')`)
	// He is banned in the middle of a game, which then asks who he is.
	game := js[string](p, `fetch('/api/games', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({game: 'tictactoe', first: 'human', second: 'human'})}).then(r => r.json()).then(g => '/play/' + g.id)`)
	p.visit(game)
	p.until(mine)
	ann.click(`[aria-label="Ban: Bob"]`)
	ann.until(`document.querySelector('dialog .danger')?.disabled`)
	ann.write(`dialog input`, "noise")
	ann.click(`dialog .danger`)
	ann.write(`[name=proof]`, "wrong wrong wrong")
	ann.click(`dialog .main`)
	ann.until(`document.querySelector('dialog [role=alert]')`)
	ann.write(`[name=proof]`, "correct horse")
	ann.click(`dialog .main`)
	ann.until(`document.body.innerText.includes('noise')`)
	// The page learns it from its next request, or from its stream, and says why; so does a page that is opened later.
	js[bool](p, `document.querySelector('[data-cell="4"]')?.dispatchEvent(new MouseEvent('click', {bubbles: true})) ?? true`)
	why := `document.querySelector('form [role=status]')?.innerText === 'This member is banned. noise' && document.querySelector('form [name=password]') && location.pathname === '` + game + `'`
	p.until(why)
	p.visit(game)
	p.until(why)
	ann.click(`[aria-label="Let in again: Bob"]`)
	ann.click(`[aria-label="Remove: Bob"]`)
	ann.press("No, continue")
	ann.until(`!document.querySelector('dialog') && document.querySelectorAll('table tr').length === 2`)
	ann.click(`[aria-label="Remove: Bob"]`)
	ann.click(`dialog .danger`)
	ann.until(`document.querySelectorAll('table tr').length === 1`)
}

// TestSecondFactor: a member adds an authenticator app, and the next login asks for its code.
func TestSecondFactor(t *testing.T) {
	t.Parallel()
	s, _ := newClub(t)
	p := s.somebody("/login")
	enter := func() {
		p.write(`[name=username]`, "ann")
		p.write(`[name=password]`, "correct horse")
		p.click(`form .main`)
	}
	enter()
	p.until(`document.querySelector('header .me')?.textContent === 'ann'`)
	p.visit("/members")
	p.click(`#second`)
	p.write(`[name=proof]`, "correct horse")
	p.click(`dialog .main`)
	p.until(`document.querySelector('.own img')?.naturalWidth === 240`)
	secret := js[string](p, `document.querySelector('.own code').textContent`)
	code, err := totp.GenerateCode(secret, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	p.write(`[name=code]`, code)
	p.click(`form:has([name=code]) button`)
	p.until(`document.querySelector('#no-second')`)
	p.click(`#logout`)
	p.until(`document.querySelector('form [name=password]')`)
	p.visit("/login")
	enter()
	p.until(`document.querySelector('[name=code]') && document.querySelector('[role=alert]')?.textContent.includes('authenticator')`)
	p.write(`[name=code]`, code)
	p.click(`form .main`)
	p.until(`document.querySelector('header .me')?.textContent === 'ann'`)
}

// TestPasskeyMember: somebody who was invited joins with a passkey, logs out, comes back with it, and leaves the club.
func TestPasskeyMember(t *testing.T) {
	t.Parallel()
	s, link := newClub(t)
	_, port, err := net.SplitHostPort(s.addr)
	if err != nil {
		t.Fatal(err)
	}
	p := s.somebody("/join#" + link)
	p.until(`document.querySelector('[name=username]') && document.querySelector('main').innerText.includes('localhost')`) // no passkeys for a number
	s.addr = "localhost:" + port
	p.withDevice()
	p.visit("/join#" + link)
	p.write(`[name=username]`, "Bob")
	p.click(`#passkey`)
	p.until(`location.pathname === '/lobby' && document.querySelector('header .me')?.textContent === 'Bob'`)
	p.visit("/members")
	p.until(`document.querySelectorAll('#passkeys li').length === 1`)

	p.click(`#passkeys button`) // nobody could log in without it
	p.until(`document.querySelector('[role=alert]')?.textContent.includes('Without this passkey')`)
	p.click(`#logout`)
	p.until(`document.querySelector('form [name=password]')`)
	p.visit("/login")
	p.click(`#passkey`)
	p.until(`document.querySelector('header .me')?.textContent === 'Bob'`)
	p.visit("/members")
	p.until(`document.querySelectorAll('#passkeys li').length === 1`) // what loads would move the page under the mouse
	p.click(`details:has([name=leave]) summary`)
	p.write(`[name=leave]`, "Rob")
	p.click(`form:has([name=leave]) button`)
	p.until(`document.querySelector('p.error')`) // another name
	p.write(`[name=leave]`, "Bob")
	p.click(`form:has([name=leave]) button`)
	p.until(`document.querySelector('form [name=password]')`)
}

// TestChallengeByNameArrives: a challenge by name reaches the other one on another page, and the game stands in the profile afterwards.
func TestChallengeByNameArrives(t *testing.T) {
	t.Parallel()
	s, link := newClub(t)
	bob := s.somebody("/join#" + link)
	bob.write(`[name=username]`, "bob")
	bob.write(`[name=password]`, "battery staple")
	bob.write(`[name=again]`, "battery staple")
	bob.click(`form [type=submit]`)
	bob.until(`location.pathname === '/lobby'`)
	bob.visit("/members")
	bob.until(`document.querySelector('tbody a')?.textContent === 'ann'`)
	bob.click(`tbody a`)
	bob.until(`document.querySelector('h1')?.textContent === 'ann'`)
	bob.click(`.act a`)
	challenge := func() {
		bob.choose(`[name=to]`, "1")
		bob.until(`document.querySelector('[name=to]').value === '1' && document.querySelector('form button[type=submit]')`)
		bob.click(`form button[type=submit]`)
		bob.until(`location.pathname.match(/^\/lobby\/\w+$/)`)
	}
	challenge()

	ann := s.somebody("/lab")
	ann.write(`[name=username]`, "ann")
	ann.write(`[name=password]`, "correct horse")
	ann.click(`form .main`)
	ann.until(`document.title.startsWith('(1)')`)
	ann.click(`.news summary`)
	ann.click(`.news a`)
	ann.press("Decline")
	bob.until(`document.querySelector('main').innerText.includes('ann has declined.') && !document.querySelector('.one')`)
	bob.visit("/lobby?to=1")
	challenge()
	ann.until(`document.title.startsWith('(1)')`)
	ann.click(`.news summary`)
	ann.click(`.news a`)
	ann.click(`.one button.main`)
	for _, p := range []*page{ann, bob} {
		p.until(`location.pathname.startsWith('/play/') && document.querySelector('[data-act=abort]')`)
	}
	ann.click(`[data-act=abort]`)
	bob.until(over)
	bob.visit("/people/1")
	bob.until(`document.querySelectorAll('td a').length === 2`)
}

// TestSessionOver: a member whose session has ended elsewhere logs in again where they are, and goes on with the game.
func TestSessionOver(t *testing.T) {
	t.Parallel()
	s, _ := newClub(t)
	in := func() *page {
		p := s.somebody("/login")
		p.write(`[name=username]`, "ann")
		p.write(`[name=password]`, "correct horse")
		p.click(`form .main`)
		p.until(`document.querySelector('header .me')?.textContent === 'ann'`)
		return p
	}
	ann, elsewhere := in(), in()
	game := js[string](ann, `fetch('/api/games', {method: 'POST', headers: {'Content-Type': 'application/json'},
		body: JSON.stringify({game: 'tictactoe', first: 'human', second: 'human'})}).then(r => r.json()).then(g => g.id)`)
	ann.visit("/play/" + game)
	ann.until(mine)
	js[bool](elsewhere, `fetch('/api/club/sessions/others', {method: 'DELETE'}).then(r => r.ok)`)
	// The page learns it from its next request, or from its stream, which the server ends: then the board is gone already.
	js[bool](ann, `document.querySelector('[data-cell="4"]')?.dispatchEvent(new MouseEvent('click', {bubbles: true})) ?? true`)
	ann.until(`document.querySelector('form [role=status]')?.innerText.includes('has ended') && location.pathname === '/play/` + game + `'`)
	ann.write(`[name=username]`, "ann")
	ann.write(`[name=password]`, "correct horse")
	ann.click(`form .main`)
	ann.until(mine)
	ann.cell(4)
	ann.until(plies + ` == 1`)
}
