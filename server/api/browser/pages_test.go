// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/gate"
)

// pages are all the pages there are, by address, of a site with something on each. Whoever adds one adds it here.
var pages = []string{
	"/", "/play", "/analyze?game=gomoku&moves=h8+h9+i9+g7+j10+g10+i8+g8+g9+h10+i10+i11", "/analyze?game=connect4&moves=44", "/analyze?game=ultimate&moves=55",
	"/analyze?game=renju&moves=h8+a1+h9+c1+i10+e1+j10+g1", "/edit?game=gomoku:9&moves=e5",
	"/opening?game=gomoku:9&player=human&answers=a1+b2+c3", "/lessons", "/lessons/ultimate", "/lessons/plan-even", "/puzzles", "/puzzles/518f6ffc6c", "/games", "/explorer?game=gomoku:9", "/opening?game=renju&player=human", "/lab", "/lab?tab=players&game=gomoku:9",
	"/matches", "/matches/1", "/league", "/league/1", "/lobby", "/tournaments", "/tournaments/1", "/learning", "/learning/2", "/studies", "/reports", "/reports/published", "/values", "/machines", "/workshop", "/workshop/first?example=random&game=tictactoe", "/members", "/people/1", "/login", "/join",
}

// filled returns a site on which games, a match, a colony and a study have been played, and the address of a game.
func filled(t *testing.T) (*site, string) {
	s := newSite(t)
	game := s.begin("gomoku:9", "human", "human")
	var match api.MatchView
	s.post("/matches", map[string]any{"game": "connect4", "players": []string{"rules", "random", "greedy"}, "games": 4, "plies": 2, "millis": 0, "seed": 1}, &match)
	var league api.LeagueView
	s.post("/leagues", map[string]any{"name": "lunch", "game": "connect4", "nodes": 0, "plies": 2, "seed": 1, "field": "levels"}, &league)
	var cup struct{ ID int64 }
	s.post("/tournaments", map[string]any{"by": map[string]string{"name": "ann"}, "terms": map[string]any{"name": "friday", "kind": "swiss", "terms": map[string]any{"game": "connect4", "clock": map[string]int{"seconds": 60}}}}, &cup)
	var run api.RunView
	s.post("/runs", map[string]any{"learner": "genetic:generations=6,players=8,games=10", "game": "ultimate", "seed": 1}, &run)
	var work gate.Work
	s.post("/experiments/published/start?small=true", nil, &work)
	var study api.StudyView
	s.post("/studies", map[string]any{"name": "traps", "chapters": []map[string]any{{"name": "one", "game": "gomoku", "tree": map[string]any{}}}}, &study)
	if match.ID != 1 || run.ID != 2 {
		t.Fatalf("match %d and run %d, want 1 and 2", match.ID, run.ID)
	}
	return s, game
}

// see waits until a page shows what it is for.
func (p *page) see(path string) {
	p.t.Helper()
	p.visit(path)
	p.until(`document.querySelector('h1')`)
	name, _, _ := strings.Cut(path, "?")
	if what := shows[name]; what != "" {
		p.until(what)
	}
}

// shows is what tells that a page of the laboratory has its data.
var shows = map[string]string{
	"/puzzles":            `document.querySelector('.themes button') && document.querySelector('[role=grid]')`,
	"/puzzles/518f6ffc6c": `document.querySelector('[role=grid]')`,
	"/lab":                `document.querySelector('[data-count=visited]')?.innerText > 0 || document.querySelectorAll('section[aria-label^=Engine]').length === 2`,
	"/workshop":           `document.querySelector('main option[value=random]')`,
	"/workshop/first":     `document.querySelector('.editor')?.shadowRoot?.querySelector('.cm-content') && document.querySelector('[role=grid]')`,
	"/matches":            `document.querySelector('a[href="/matches/1"]')`,
	"/matches/1":          `document.querySelectorAll('table').length > 0`,
	"/lobby":              `document.querySelector('.lists h2')`,
	"/tournaments":        `document.querySelector('a[href="/tournaments/1"]')`,
	"/tournaments/1":      `document.querySelector('.buttons')`,
	"/league":             `document.querySelector('a[href="/league/1"]')`,
	"/league/1":           `document.querySelectorAll('tbody tr').length >= 7`,
	"/learning":           `document.querySelector('a[href="/learning/2"]')`,
	"/learning/2":         `document.querySelectorAll('.colony tbody tr').length === 8 && document.querySelector('figure svg')`,
	"/studies":            `document.querySelector('main li a')`,
	"/reports":            `document.querySelector('a[href="/reports/published"]')`,
	"/machines":           `document.querySelector('main .card')`,
	"/values":             `document.querySelector('.one [role=grid]')`,
	"/reports/published":  `document.querySelector('.cells button')`,
}

// sized gives the page the size of a screen.
func (p *page) sized(width int64) { p.do(chromedp.EmulateViewport(width, 800)) }

// axe is the source of axe-core, which npm installs with the rest.
func axe(t *testing.T) string {
	data, err := os.ReadFile("../../../page/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Fatalf("axe-core, which make web-compare installs: %v", err)
	}
	return string(data)
}

// TestEveryPageAccessible asks axe about every page, and looks for pages that are wider than a phone and for pages in which things move
// while they load. The other themes have colours of their own and nothing else, so there axe looks at the contrast alone. It does so
// once for all texts that look the same: contrast takes it longer than all the rest.
func TestEveryPageAccessible(t *testing.T) {
	t.Parallel()
	source := axe(t)
	s, game := filled(t)
	p := s.open(game)
	p.until(mine)
	p.cell(40)
	p.until(plies + ` == 1`)
	js[bool](p, `(localStorage.setItem('krow', JSON.stringify({theme: 'light', language: 'en'})), true)`)
	p.before(watcher)
	for _, path := range append([]string{game, "/explorer?game=renju"}, pages...) {
		p.still(path)
		p.do(chromedp.Evaluate[chromedp.Void](source))
		if theme := js[string](p, `document.documentElement.dataset.theme`); theme != "light" {
			t.Errorf("%s comes in theme %q, want light", path, theme)
		}
		p.accessible(path, "light", structure)
		p.accessible(path, "light", contrast)
		p.narrow(path, 360)
		js[bool](p, `(document.adoptedStyleSheets.push(new CSSStyleSheet()), document.adoptedStyleSheets.at(-1).replaceSync('* { transition: none !important }'), true)`)
		for _, theme := range []string{"dark", "contrast"} {
			js[string](p, fmt.Sprintf(`document.documentElement.dataset.theme = %q`, theme))
			p.accessible(path, theme, contrast)
		}
	}
}

const (
	// structure asks axe for everything but contrast.
	structure = `axe.run({resultTypes: ['violations'], rules: {'color-contrast': {enabled: false}}})`
	// contrast asks axe for the contrast of texts. Two texts look the same if they have one size and weight, one colour, and one
	// colour each of what they stand on. The tab remembers those that were asked for.
	contrast = `(() => {
		const theme = document.documentElement.dataset.theme, seen = new Set(JSON.parse(sessionStorage.getItem(theme)) ?? [])
		const all = root => [...root.querySelectorAll('*')].flatMap(e => e.shadowRoot ? [e, ...all(e.shadowRoot)] : e)
		const says = e => e.matches('input, select, textarea') || [...e.childNodes].some(n => n.nodeType === Node.TEXT_NODE && n.data.trim())
		const include = all(document.body).filter(text => {
			if (!text.checkVisibility({visibilityProperty: true}) || !says(text)) return false
			const own = getComputedStyle(text), look = [own.color, own.fontSize, own.fontWeight, own.textShadow]
			for (let e = text; e; e = e.parentElement ?? e.getRootNode().host) {
				const style = getComputedStyle(e)
				look.push(style.backgroundColor, style.backgroundImage, style.opacity)
			}
			return seen.size < seen.add(look.join()).size
		})
		sessionStorage.setItem(theme, JSON.stringify([...seen]))
		return include.length ? axe.run({include}, {resultTypes: ['violations'], runOnly: ['color-contrast']}) : Promise.resolve({violations: []})
	})()`
)

// accessible tells what axe finds on a page that is shown: run is the expression that asks it.
func (p *page) accessible(path, theme, run string) {
	for _, v := range violations(p.t, p, run) {
		p.t.Errorf("%s, %s: %s", path, theme, v)
	}
}

// narrow gives a page the width of a phone for a while, and says what does not fit. What takes its size from its surroundings, as a
// chart, has it some frames later.
func (p *page) narrow(path string, phone int64) {
	p.t.Helper()
	p.sized(phone)
	wide := js[int64](p, fmt.Sprintf(`(async () => {
		const wide = () => document.documentElement.scrollWidth
		for (let frames = 0; frames < 50 && (!frames || wide() > %d); frames++)
			await new Promise(next => { requestAnimationFrame(next); setTimeout(next, 100) })
		return wide() })()`, phone))
	if wide > phone {
		p.t.Errorf("%s is %d wide: %s", path, wide, js[string](p, `[...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('[class*=scroll], .way, svg')).slice(0, 3).map(e => e.outerHTML.slice(0, 120)).join(' | ')`))
	}
	p.sized(1280)
}

// violations are the serious ones of those that axe finds.
func violations(t testing.TB, p *page, run string) []string {
	var found []struct {
		ID, Impact, Help string
		Nodes            []struct {
			HTML string `json:"html"`
		}
	}
	text := js[string](p, run+`.then(r => JSON.stringify(r.violations))`)
	if err := json.Unmarshal([]byte(text), &found); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, f := range found {
		if f.Impact == "serious" || f.Impact == "critical" {
			all = append(all, fmt.Sprintf("%s (%s): %s: %.200s, and %d more", f.ID, f.Impact, f.Help, f.Nodes[0].HTML, len(f.Nodes)-1))
		}
	}
	return all
}

// TestScreenshotsOfPages writes pictures of every page to the folder that KROW_SCREENSHOTS names, to be looked at.
func TestScreenshotsOfPages(t *testing.T) {
	dir := os.Getenv("KROW_SCREENSHOTS")
	if dir == "" {
		t.Skip("KROW_SCREENSHOTS names no folder")
	}
	s, _ := filled(t)
	game := s.begin("gomoku", "human", "best:time=100ms")
	p := s.open(game)
	p.until(mine)
	p.cell(112)
	p.until(plies + ` == 2`)
	for i, path := range append([]string{game}, pages...) {
		for _, as := range looks {
			if !as.few || i%4 == 0 {
				p.picture(path, as, filepath.Join(dir, fmt.Sprintf("%02d-%s-%d.png", i, as.name, as.width)))
			}
		}
	}
}

// TestDocPictures writes the pictures of README and the guides to the folder that KROW_PICTURES names: see docs/RUNBOOK.md.
func TestDocPictures(t *testing.T) {
	dir := os.Getenv("KROW_PICTURES")
	if dir == "" {
		t.Skip("KROW_PICTURES names no folder")
	}
	s := newSite(t)
	game := s.begin("gomoku", "human", "level:5")
	p := s.ready(game)
	for i, cell := range []int{112, 97, 128} {
		p.until(mine)
		p.cell(cell)
		p.until(fmt.Sprintf(plies+` >= %d`, 2*i+2))
	}
	for name, path := range map[string]string{
		"play": game, "analyze": "/analyze?game=gomoku&moves=h8+h9+i9+g7+j10+g10+i8+g8", "lab": "/lab",
	} {
		p.see(path)
		p.do(chromedp.Sleep(4e9))
		data, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".png"), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// look is how somebody sees a page; few is for some pages only.
type look struct {
	name, theme, language string
	width                 int64
	few                   bool
}

var looks = []look{
	{"light", "light", "en", 390, false},
	{"light", "light", "en", 1280, false},
	{"dark", "dark", "en", 390, false},
	{"dark", "dark", "en", 1280, false},
	{"french", "light", "fr", 390, true},
	{"french", "light", "fr", 1280, true},
	{"contrast", "contrast", "en", 390, true},
	{"contrast", "contrast", "en", 1280, true},
}

// picture writes a picture of the whole of a page to a file.
func (p *page) picture(path string, as look, file string) {
	p.sized(as.width)
	js[bool](p, fmt.Sprintf(`(localStorage.setItem('krow', JSON.stringify({theme: %q, language: %q, threats: true})), true)`, as.theme, as.language))
	p.see(path)
	p.do(chromedp.Sleep(1500e6))
	data, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		p.t.Fatal(err)
	}
}
