// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"fmt"
	"testing"
)

// TestLanguageIsKept changes the language of a game, reads it again after a reload, and goes back to English.
func TestLanguageIsKept(t *testing.T) {
	t.Parallel()
	p := newSite(t).ready("/games")
	p.click("header > details summary")
	p.choose("header > details select", "fr")
	p.until(`document.documentElement.lang === 'fr' && document.querySelector('h1').innerText === 'Parties'`)
	p.visit("/games")
	p.until(`document.querySelector('h1')?.innerText === 'Parties'`)
	p.choose("header > details select", "zh")
	p.until(`document.documentElement.lang === 'zh-Hans'`)
	p.choose("header > details select", "en")
	p.until(`document.querySelector('h1').innerText === 'Games'`)
}

// TestBracketsByAltGr types a bracket as keyboards do that need AltGr for it.
func TestBracketsByAltGr(t *testing.T) {
	t.Parallel()
	const stones = `document.querySelectorAll('.stone').length`
	s := newSite(t)
	p := s.open(s.begin("gomoku:9", "human", "human"))
	p.until(mine)
	p.cell(40)
	p.until(plies + ` === 1`)
	js[bool](p, `document.body.dispatchEvent(new KeyboardEvent('keydown', {bubbles: true, key: '[', ctrlKey: true, altKey: true, modifierAltGraph: true}))`)
	p.until(stones + ` === 0`)
	js[bool](p, `document.body.dispatchEvent(new KeyboardEvent('keydown', {bubbles: true, key: ']', ctrlKey: true}))`) // belongs to the browser
	js[bool](p, `document.body.dispatchEvent(new KeyboardEvent('keydown', {bubbles: true, key: ']', altKey: true}))`)  // Option of a Mac
	p.until(stones + ` === 1`)
}

// TestFrenchReport reads the report of a study in French: its list, headings, sentences with figures and columns. In Chinese no space
// stands between two sentences.
func TestFrenchReport(t *testing.T) {
	t.Parallel()
	p := newSite(t).tab("/reports", `{"language": "fr"}`)
	p.until(`document.querySelector('main')?.innerText.includes('les trente tableaux de la thèse, rejoués')`)
	p.visit("/reports/published")
	p.until(`/\d+ cases sur 240 concordent/.test(document.querySelector('article')?.innerText)`)
	for _, text := range []string{"Alpha-bêta à profondeur 4 des deux côtés, plateaux de taille k à 11, k = 3, 4, 5", "comme publié", "Nœuds pour un coup", "nœuds du joueur"} {
		p.until(fmt.Sprintf(`document.querySelector('article')?.innerText.includes(%q)`, text))
	}
	p.shoot("report-french")
	p.click("header > details summary")
	p.choose("header > details select", "zh")
	p.until(`/\d+ 格一致，共 240 格。我们的结果：胜 \d+/.test(document.querySelector('article')?.innerText)`)
}

// TestLongWordsOnNarrowPhone: the longer words of Russian fit on the narrowest phone, also those of a lesson and of a report.
func TestLongWordsOnNarrowPhone(t *testing.T) {
	t.Parallel()
	p := newSite(t).tab("/", `{"language": "ru"}`)
	for _, path := range []string{"/", "/play", "/puzzles", "/lab"} {
		p.see(path)
		p.narrow(path, 320)
	}
	for path, text := range map[string]string{"/workshop/lesson-1": "Бот — это функция", "/reports/learners": "Чего стоят способы обучения"} {
		p.see(path)
		p.until(fmt.Sprintf(`document.querySelector('main').innerText.includes(%q)`, text))
		p.narrow(path, 320)
	}
}

// TestPlaces goes to each place and each of its pages: the bar shows the place, and the line below it the page.
func TestPlaces(t *testing.T) {
	t.Parallel()
	p := newSite(t).tab("/play", `{"language": "fr"}`)
	for place, pages := range map[string][]string{
		"Jouer": {"/play", "/games", "/lobby", "/tournaments"}, "Apprendre": {"/puzzles"},
		"Analyser": {"/analyze", "/explorer", "/values", "/lab"}, "Bots": {"/workshop", "/league", "/matches", "/learning"},
	} {
		p.click(fmt.Sprintf(`header nav a[href="%s"]`, pages[0]))
		for _, path := range pages {
			if len(pages) > 1 {
				p.click(fmt.Sprintf(`.inner a[href="%s"]`, path))
			}
			p.until(fmt.Sprintf(`location.pathname === %q && document.querySelector('header nav [aria-current]').innerText === %q`, path, place))
		}
	}
}
