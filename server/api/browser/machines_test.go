// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/krow-lab/krow/server/api"
	"github.com/krow-lab/krow/server/machines"
)

// TestMachinesOnPage: a server hands out a match. The page shows who works and how the run goes, pauses it, lets it go on, sets its
// priority, cancels it, after
// which it can go on, and the match has the games that the server plays alone.
func TestMachinesOnPage(t *testing.T) {
	t.Parallel()
	spec := map[string]any{"game": "connect4", "players": []string{"alphabeta:depth=3", "random"}, "games": 40, "plies": 2, "millis": 0, "seed": 1}
	o, err := machines.Begin(t.Context(), machines.Server{Listen: "127.0.0.1:0"}, func(text string) { t.Log(text) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.Close)
	s := prepare(t, ownAddress())
	s.machines = o
	s.start()
	var match api.MatchView
	s.post("/matches", spec, &match)
	p := s.open("/machines")
	p.until(`document.querySelector('table.runs tbody tr')`) // nobody works yet
	if got := p.text("main"); !strings.Contains(got, "krow work --join nats://127.0.0.1:") || !strings.Contains(got, "No machine has reported") {
		t.Errorf("the page says %q", got)
	}
	p.until(`document.querySelector('header a[href="/machines"]')`)
	p.click(`table.runs button[aria-label^="Pause"]`)
	p.until(`document.querySelector('table.runs th small')?.innerText == 'paused'`)
	p.click(`table.runs button[aria-label^="Resume"]`)
	p.until(`document.querySelector('table.runs') && !document.querySelector('table.runs th small')`)
	js[bool](p, `(() => { const i = document.querySelector('table.runs input'); i.value = 3; return i.dispatchEvent(new Event('change', { bubbles: true })) })()`)
	for v := o.View(); len(v.Runs) != 1 || v.Runs[0].Priority != 3; v = o.View() {
		time.Sleep(10 * time.Millisecond)
	}
	p.click(`table.runs button[aria-label^="Cancel"]`)
	p.click(`dialog .danger`)
	p.until(`!document.querySelector('table.runs')`)
	p.visit(fmt.Sprint("/matches/", match.ID))
	p.until(`document.querySelector('main').innerText.includes('stopped') && !document.querySelector('main .error')`) // it has not failed
	p.press("Continue")
	p.visit("/machines")
	p.until(`document.querySelector('table.runs tbody tr')`)
	p.do(chromedp.Evaluate[chromedp.Void](axe(t)))
	p.accessible("/machines", "light", structure)
	p.accessible("/machines", "light", contrast)
	p.narrow("/machines", 360)
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan struct{})
	go func() {
		defer close(over)
		_ = o.Work(ctx, 1) // until it is told to stop
	}()
	defer func() { cancel(); <-over }()
	p.until(`document.querySelectorAll('table.workers tbody tr').length == 1`)
	p.visit(fmt.Sprint("/matches/", match.ID))
	p.until(`document.querySelector('main').innerText.includes('40')`)
	away := played(t, s, match.ID)
	alone := newSite(t)
	alone.post("/matches", spec, &match)
	if here := played(t, alone, match.ID); here != away {
		t.Errorf("on machines\n%s\nalone\n%s", away, here)
	}
}

// played waits for the end of a match, and returns its last games without their times.
func played(t *testing.T, s *site, id int64) string {
	t.Helper()
	p := s.open("/")
	return js[string](p, fmt.Sprintf(`(async () => {
		for (;;) {
			const m = await (await fetch('/api/matches/%d')).json()
			if (m.done || m.work.state == 'failed') return JSON.stringify([m.done, m.step, m.pairs, m.latest.map(g => ({ ...g, played: '' }))], null, 1)
			await new Promise(r => setTimeout(r, 50))
		}
	})()`, id))
}
