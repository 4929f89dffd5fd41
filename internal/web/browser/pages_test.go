// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// pages are all the pages there are, by address. Whoever adds one adds it here.
var pages = []string{
	"/", "/analyze?game=gomoku&moves=h8+h9", "/analyze?game=connect4&moves=44", "/analyze?game=ultimate&moves=55", "/edit?game=gomoku:9&moves=e5", "/swap2?game=gomoku:9&player=human&moves=a1+b2+c3", "/games",
}

// axe is the source of axe-core, which npm installs with the rest.
func axe(t *testing.T) string {
	data, err := os.ReadFile("../../../web/node_modules/axe-core/axe.min.js")
	if os.IsNotExist(err) {
		t.Skip("axe-core is not installed: make web does that")
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestAccessible asks axe about every page, light and dark.
func TestAccessible(t *testing.T) {
	source := axe(t)
	s := newSite(t)
	game := s.begin("gomoku:9", "human", "human")
	p := s.open(game)
	p.until(mine)
	p.cell(40)
	p.until(plies + ` == 1`)
	for _, theme := range []string{"light", "dark", "contrast"} {
		js[bool](p, fmt.Sprintf(`(localStorage.setItem('krow', JSON.stringify({theme: %q, language: 'en'})), true)`, theme))
		for _, path := range append([]string{game}, pages...) {
			p.visit(path)
			p.until(`document.querySelector('h1')`)
			p.do(chromedp.Evaluate[chromedp.Void](source))
			for _, v := range violations(t, p) {
				t.Errorf("%s, %s: %s", path, theme, v)
			}
		}
	}
}

func violations(t *testing.T, p *page) []string {
	var found []struct {
		ID, Impact, Help string
		Nodes            []struct {
			HTML string `json:"html"`
		}
	}
	text := js[string](p, `axe.run({resultTypes: ['violations']}).then(r => JSON.stringify(r.violations))`)
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

// TestScreenshots writes pictures of every page to the folder that KROW_SCREENSHOTS names, to be looked at.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("KROW_SCREENSHOTS")
	if dir == "" {
		t.Skip("KROW_SCREENSHOTS names no folder")
	}
	s := newSite(t)
	game := s.begin("gomoku", "human", "best:time=100ms")
	p := s.open(game)
	p.until(mine)
	p.cell(112)
	p.until(plies + ` == 2`)
	for i, path := range append([]string{game}, pages...) {
		for _, theme := range []string{"light", "dark"} {
			for _, width := range []int64{390, 1280} {
				p.do(chromedp.EmulateViewport(width, 800))
				js[bool](p, fmt.Sprintf(`(localStorage.setItem('krow', JSON.stringify({theme: %q, language: 'en'})), true)`, theme))
				p.visit(path)
				p.do(chromedp.Sleep(1500e6))
				ctx := p.ctx
				data, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d-%s-%d.png", i, theme, width)), data, fs.ModePerm); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
