// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
)

// withDevice gives a tab a device that keeps passkeys.
func (p *page) withDevice() {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, webauthn.Enable, webauthn.EnableParams{}); err != nil {
		p.t.Fatal(err)
	}
	device := webauthn.VirtualAuthenticatorOptions{
		Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
		HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
	}
	if _, err := chromedp.Call(p.ctx, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &device}); err != nil {
		p.t.Fatal(err)
	}
}

// offline takes the network from a tab, or gives it back.
func (p *page) offline(is bool) {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, network.Enable, network.EnableParams{}); err != nil {
		p.t.Fatal(err)
	}
	how := network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{{Offline: is, DownloadThroughput: -1, UploadThroughput: -1}}}
	if _, err := chromedp.Call(p.ctx, network.EmulateNetworkConditionsByRule, how); err != nil {
		p.t.Fatal(err)
	}
}

// TestWholeWay, with KROW_LONG, goes the way of a club in three browsers: an owner invites in English; a member joins by a
// passkey in French, on a phone; another joins by a password. They are challenged by name, play, lose the network and come back,
// play again, and are watched; one leaves, and the game stands under another name. With KROW_SCREENSHOTS it takes pictures.
func TestWholeWay(t *testing.T) {
	if os.Getenv("KROW_LONG") == "" {
		t.Skip("KROW_LONG is not set")
	}
	s, link := newClub(t)
	s.addr = strings.Replace(s.addr, "127.0.0.1", "localhost", 1)
	speak := func(p *page, language, theme string) {
		js[bool](p, fmt.Sprintf(`(localStorage.setItem('krow', JSON.stringify({theme: %q, language: %q})), true)`, theme, language))
	}

	ann := s.somebody("/login")
	speak(ann, "en", "light")
	ann.visit("/login")
	ann.write(`[name=username]`, "ann")
	ann.write(`[name=password]`, "correct horse")
	ann.shoot("login-en")
	ann.click(`form .main`)
	ann.until(`document.querySelector('header .me')?.textContent === 'ann'`)
	ann.visit("/members")
	ann.write(`[name=note]`, "for Cyd")
	ann.click(`form.row .main`)
	ann.until(`document.querySelector('#link')`)
	second := js[string](ann, `document.querySelector('#link').textContent.replace(location.origin, '')`)

	bob := s.somebody("/login")
	bob.sized(390)
	bob.withDevice()
	speak(bob, "fr", "dark")
	bob.visit("/join#" + link)
	bob.write(`[name=username]`, "Bob")
	bob.shoot("join-fr-390")
	bob.click(`#passkey`)
	bob.until(`location.pathname === '/lobby'`)
	bob.visit("/members")
	bob.until(`document.querySelectorAll('#passkeys li').length === 1`)
	bob.shoot("members-fr-390")

	cyd := s.somebody(second)
	speak(cyd, "fr", "light")
	cyd.visit("/lobby")
	cyd.visit(second)
	cyd.write(`[name=username]`, "cyd")
	cyd.write(`[name=password]`, "battery staple")
	cyd.write(`[name=again]`, "battery staple")
	cyd.click(`form [type=submit]`)
	cyd.until(`document.querySelector('header .me')?.textContent === 'cyd'`)

	ann.visit("/lobby?game=tictactoe&to=2")
	ann.until(`document.querySelector('[name=to]')?.value === '2'`)
	ann.choose(`form select:has(option[value=first])`, "first")
	ann.shoot("lobby-en")
	ann.click(`form button[type=submit]`)
	bob.until(`document.title.startsWith('(1)')`)
	bob.visit("/lobby")
	bob.until(`document.querySelector('.offer button.main')`)
	bob.shoot("lobby-fr-390")
	bob.click(`.offer button.main`)
	for _, p := range []*page{ann, bob} {
		p.until(`location.pathname.startsWith('/play/') && document.querySelector('[data-act=abort]')`)
	}
	game := js[string](ann, `location.pathname`)
	cyd.visit(game)
	cyd.until(`document.querySelector('[role=grid]')`)
	ann.until(mine)
	ann.cell(4)
	bob.until(mine)
	bob.shoot("play-fr-390")
	cyd.shoot("watch-fr")
	ann.shoot("play-en")

	bob.offline(true)
	ann.until(`document.querySelector('[role=grid]')`)
	bob.offline(false)
	bob.visit(game)
	bob.until(mine)
	bob.cell(0)
	ann.until(mine)
	ann.cell(3)
	bob.until(mine)
	bob.cell(1)
	ann.until(mine)
	bob.offline(true) // the last move comes while the network is away
	ann.cell(5)
	ann.until(over)
	bob.offline(false)
	for _, p := range []*page{bob, cyd} {
		p.until(over)
	}
	bob.shoot("over-fr-390")
	bob.click(`[data-act=rematch]`)
	ann.until(`document.querySelector('.offer button.main')`)
	ann.shoot("rematch-en")
	ann.click(`.offer button.main`)
	for _, p := range []*page{ann, bob} {
		p.until(fmt.Sprintf(`location.pathname.startsWith('/play/') && location.pathname != %q && document.querySelector('[data-act=abort]')`, game))
	}
	bob.until(mine)
	bob.cell(4)
	ann.until(mine)
	ann.cell(0)
	next := js[string](ann, `location.pathname`)

	ann.visit("/tournaments")
	ann.shoot("tournaments-en")
	ann.write(`form [pattern]`, "friday")
	ann.click(`form button[type=submit]`)
	ann.until(`location.pathname.match(/tournaments\/\d/) && document.querySelector('.buttons .main')`)
	cup := js[string](ann, `location.pathname`)
	for _, p := range []*page{ann, bob, cyd} {
		p.visit(cup)
		p.click(`.buttons .main`)
		p.until(`document.querySelectorAll('.buttons button').length && [...document.querySelectorAll('main li')].length > 0`)
	}
	ann.until(`document.querySelectorAll('main ul li').length === 3`)
	ann.click(`.buttons .main`)
	bob.until(`document.querySelector('.pairs a')`)
	ann.shoot("cup-en")
	bob.shoot("cup-fr-390")
	bob.visit("/tournaments")
	bob.shoot("tournaments-fr-390")
	bob.visit("/people/1")
	bob.until(`document.querySelector('.act')`)
	bob.shoot("profile-fr-390")
	ann.visit("/people/1")
	ann.until(`document.querySelector('td')`)
	ann.shoot("profile-en")
	ann.visit("/members")
	ann.until(`document.querySelector('#logout') && document.querySelectorAll('tbody tr').length === 3`)
	ann.shoot("members-en")

	bob.visit("/members")
	bob.click(`details:has([name=leave]) summary`)
	bob.write(`[name=leave]`, "Bob")
	bob.click(`form:has([name=leave]) button`)
	bob.until(`document.querySelector('form [name=password]')`)
	ann.visit(next)
	ann.until(over + ` && document.querySelector('.players').innerText.includes('removed member')`)
	ann.shoot("left-en")
	ann.visit("/people/1")
	ann.until(`document.body.innerText.includes('removed member')`)
	ann.visit(cup)
	ann.until(`document.body.innerText.includes('removed member')`)
	ann.shoot("cup-left-en")
}
