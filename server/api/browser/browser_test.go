// SPDX-License-Identifier: Apache-2.0

// Package browser plays in the page, with a real browser. It has nothing but tests.
//
//	p := open(t, "/play")
//	p.until(`document.querySelector('h1')`)
//	p.cell(112)
//
// A browser that is missing is a failure; KROW_NO_BROWSER=1 passes without one.
package browser

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/bots"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/machines"
	"github.com/krow-lab/krow/server/store"
	"github.com/krow-lab/krow/server/store/storetest"
)

// chrome is the browser that all tests share, each in a tab of its own.
var chrome context.Context

func TestMain(m *testing.M) {
	bots.Enable()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	if os.Getenv("KROW_NO_BROWSER") == "1" {
		fmt.Println("KROW_NO_BROWSER=1: the page is not tested")
		return 0
	}
	name := ""
	for _, n := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(n); err == nil && name == "" {
			name = found
		}
	}
	if name == "" {
		fmt.Println("no browser: make browser installs one, KROW_NO_BROWSER=1 does without")
		return 1
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(name), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("accept-lang", "en-US"),
		chromedp.Flag("in-process-gpu", true), // without a process of its own for drawing, the tests take a tenth less processor time
		chromedp.WSURLReadTimeout(time.Hour))  // a busy machine may take long to start it
	alloc, end := chromedp.NewExecAllocator(context.Background(), options...)
	defer end()
	var cancel context.CancelFunc
	chrome, cancel = chromedp.NewContext(alloc)
	defer cancel()
	if err := chromedp.Do(chrome); err != nil {
		fmt.Println("the browser does not start:", err)
		return 1
	}
	// A browser with a tab for each of many processors would take much memory.
	if err := flag.Set("test.parallel", strconv.Itoa(min(runtime.GOMAXPROCS(0), 4))); err != nil {
		fmt.Println(err)
		return 1
	}
	return m.Run()
}

// slowly runs before a page does. What was deleted can be taken back until the test is in a hurry, not for ten seconds.
const slowly = `{ const old = setTimeout
	window.patience = 2 ** 30
	window.setTimeout = (f, ms, ...more) => old(f, ms === 10000 ? window.patience : ms, ...more) }`

// site is a server of a store of its own, which can be stopped and started again at the same address.
type site struct {
	t    testing.TB
	file string
	addr string
	club bool // whoever comes must log in
	// proxy is true if clients send their addresses as a proxy does.
	proxy bool
	stop  func()
	// machines, unless nil, work for it.
	machines *machines.Organiser
}

func newSite(t testing.TB) *site {
	s := prepare(t, ownAddress())
	s.start()
	return s
}

// prepare returns a site that has not been started.
func prepare(t testing.TB, addr string) *site {
	s := &site{t: t, file: storetest.File(t), addr: addr, stop: func() {}}
	t.Cleanup(func() { s.stop() })
	return s
}

var sites atomic.Uint32

// ownAddress returns an address of loopback for one site alone: nobody takes its port while the site is stopped, and no
// other site, at the same port later, finds what the browser has kept of this one.
func ownAddress() string {
	if runtime.GOOS == "darwin" { // has one address of loopback
		return "127.0.0.1:0"
	}
	n := sites.Add(1)
	return fmt.Sprintf("127.0.%d.%d:0", 1+n>>8&127, n&255)
}

func (s *site) start() {
	s.t.Helper()
	db, err := store.Open(s.file)
	if err != nil {
		s.t.Fatal(err)
	}
	var proxy netip.Addr
	if s.proxy {
		proxy = netip.MustParseAddr("127.0.0.1")
	}
	server, err := api.New(api.Options{Store: db, Version: "test", Proxy: proxy, Hosts: []string{}, Cores: 2, Club: s.club, Name: "Five Stones", People: club.Options{Cheap: true}, Patience: 100, Machines: s.machines})
	if err != nil {
		s.t.Fatal(err)
	}
	l, err := net.Listen("tcp", s.addr)
	if err != nil {
		s.t.Fatal(err)
	}
	s.addr = l.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- server.Serve(ctx, l) }()
	s.stop = func() {
		cancel()
		if err := <-done; err != nil {
			s.t.Error(err)
		}
		if err := db.Close(); err != nil {
			s.t.Error(err)
		}
		s.stop = func() {}
	}
}

// client asks the interface without the page. It keeps no connection that a server may end while it is used.
var client = http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// post asks the interface without the page.
func (s *site) post(path string, body, answer any) {
	s.t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		s.t.Fatal(err)
	}
	a, err := client.Post("http://"+s.addr+"/api"+path, "application/json", strings.NewReader(string(data)))
	if err != nil {
		s.t.Fatal(err)
	}
	defer a.Body.Close()
	if err := json.NewDecoder(a.Body).Decode(answer); err != nil || a.StatusCode != http.StatusOK {
		s.t.Fatalf("POST %s: %s, %v", path, a.Status, err)
	}
}

// begin begins a game and returns its address in the page.
func (s *site) begin(game, first, second string) string {
	s.t.Helper()
	return s.beginAfter(game, "", first, second)
}

// beginAfter begins a game after some moves.
func (s *site) beginAfter(game, moves, first, second string) string {
	s.t.Helper()
	var g api.Game
	s.post("/games", map[string]string{"game": game, "moves": moves, "first": first, "second": second}, &g)
	return "/play/" + g.ID
}

// page is a tab of the browser.
type page struct {
	t    testing.TB
	site *site
	ctx  context.Context
}

// open opens a page of a new server in a tab.
func open(t testing.TB, path string) *page { t.Helper(); return newSite(t).open(path) }

// open opens a page in a tab of its own. All such tabs of a site have one jar of cookies: whoever logs in is somebody.
func (s *site) open(path string) *page { s.t.Helper(); return s.tab(path, "") }

// ready opens a page and waits until it has come.
func (s *site) ready(path string) *page {
	s.t.Helper()
	p := s.open(path)
	p.until(`document.querySelector('h1')`)
	return p
}

// tab opens a page in a tab of its own, or a browser of its own. Where this browser has no settings yet, it has those in JSON;
// without any it is as a browser comes, in English.
func (s *site) tab(path, settings string, options ...chromedp.ContextOption) *page {
	s.t.Helper()
	ctx, cancel := chromedp.NewContext(chrome, options...)
	s.t.Cleanup(cancel)
	p := &page{s.t, s, ctx}
	// The tab lives as long as the context of the first call.
	if err := chromedp.Do(ctx); err != nil {
		s.t.Fatal(err)
	}
	// Every tab is as if it were the one in front: pages behind follow no game.
	if _, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		s.t.Fatal(err)
	}
	p.before(slowly)
	if settings != "" {
		p.before(fmt.Sprintf(`localStorage.krow ??= %q`, settings))
	}
	p.do(chromedp.EmulateViewport(1280, 800))
	p.visit(path)
	return p
}

// before runs a script before each page that is loaded from now on.
func (p *page) before(script string) {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: script}); err != nil {
		p.t.Fatal(err)
	}
}

// visit goes to another page in the same tab.
func (p *page) visit(path string) {
	p.t.Helper()
	p.do(chromedp.Navigate("http://" + p.site.addr + path))
}

func (p *page) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, steps...); err != nil {
		p.t.Fatal(err)
	}
}

// js evaluates an expression in the page.
func js[T any](p *page, expression string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// patience is how long a test waits for what never comes. However busy the machine, the page is quicker.
const patience = 5 * time.Minute

// until waits until an expression is true. Where it never is, the test fails with what the page says.
func (p *page) until(expression string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	poll := chromedp.Poll[bool]("!!("+expression+")", chromedp.WithPollingInterval(20*time.Millisecond), chromedp.WithPollingTimeout(0))
	_, err := chromedp.Run(ctx, poll)
	gone := func(err error) bool { // the page before was asked, and is gone
		return err != nil && (strings.Contains(err.Error(), "context with specified id") || strings.Contains(err.Error(), "target navigated"))
	}
	for gone(err) {
		_, err = chromedp.Run(ctx, poll)
	}
	if err != nil {
		text, _ := chromedp.Run(p.ctx, chromedp.Evaluate[string](`[location.pathname, ...[...document.querySelectorAll('[role=alert]')].map(e => e.innerText), document.querySelector('main')?.innerText.slice(0, 800)].join(': ')`))
		p.t.Fatalf("never: %s: %v\n%s", expression, err, text)
	}
}

// click clicks in the middle of the first element of a selector, with the mouse. A page that still loads moves its
// elements: click waits until this one stands still. When the mouse misses it, the page does not hear of that, and click
// tries again.
func (p *page) click(selector string) {
	p.t.Helper()
	element := fmt.Sprintf(`document.querySelector(%q)`, selector)
	for hit := false; !hit; {
		p.until(element)
		at := js[[]float64](p, fmt.Sprintf(`(async () => {
			const box = () => %s?.getBoundingClientRect() ?? new DOMRect()
			const frame = () => new Promise(next => { requestAnimationFrame(next); setTimeout(next, 100) })
			%s?.scrollIntoView({block: 'center', behavior: 'instant'})
			for (let r = box(), old; !old || r.x !== old.x || r.y !== old.y; r = box()) { old = r; await frame() }
			window.hit = false
			window.aim = new AbortController()
			const at = %s
			const inside = e => { const r = at.getBoundingClientRect()
				return !at.isConnected || e.clientX > r.left && e.clientX < r.right && e.clientY > r.top && e.clientY < r.bottom }
			const aim = e => {
				if (e.type === 'pointerdown') window.hit = inside(e)
				if (e.type === 'pointerup') window.hit &&= inside(e)
				if (!window.hit) { e.preventDefault(); e.stopImmediatePropagation() } }
			for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
				addEventListener(type, aim, {capture: true, signal: window.aim.signal})
			const r = box()
			return [r.x + r.width / 2, r.y + r.height / 2] })()`, element, element, element))
		p.do(chromedp.MouseClickXY(at[0], at[1]))
		hit = js[bool](p, `(window.aim?.abort(), window.hit !== false)`) // undefined on the next page, to which the click has led
	}
}

// choose takes a value in a list, as a person does.
func (p *page) choose(selector, value string) {
	p.t.Helper()
	p.until(fmt.Sprintf(`[...(document.querySelector(%q)?.options ?? [])].some(o => o.value === %q)`, selector, value))
	js[bool](p, fmt.Sprintf(`(() => { const s = document.querySelector(%q); s.value = %q; s.dispatchEvent(new Event('change', {bubbles: true})); return true })()`, selector, value))
}

// cell clicks on a cell of the board, when that is of the position that was asked for.
func (p *page) cell(cell int) {
	p.t.Helper()
	p.until(`document.querySelector('[role=grid]') && !document.querySelector('[role=grid][aria-busy=true]')`)
	p.click(fmt.Sprintf(`[data-cell="%d"]`, cell))
}

// keys types keys, wherever the focus is.
func (p *page) keys(keys string) { p.t.Helper(); p.do(chromedp.KeyEvent(keys)) }

// text returns what an element says.
func (p *page) text(selector string) string {
	p.t.Helper()
	return js[string](p, fmt.Sprintf(`document.querySelector(%q)?.innerText ?? ''`, selector))
}
