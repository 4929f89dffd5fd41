// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// mouse sends an event of the mouse.
func (p *page) mouse(e input.DispatchMouseEventParams) {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, input.DispatchMouseEvent, e); err != nil {
		p.t.Fatal(err)
	}
}

// shoot writes what is seen to a file of the folder that KROW_SCREENSHOTS names, if it names one.
func (p *page) shoot(name string) {
	dir := os.Getenv("KROW_SCREENSHOTS")
	if dir == "" {
		return
	}
	data, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), data, 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// TestBigBoard zooms a board of 70 x 70 where the pointer is, drags it, and plays by a click.
func TestBigBoard(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := s.open(s.begin("gomoku:70", "human", "human"))
	p.until(mine)
	wide := 0.0 // of the cell that box was last asked for
	box := func(cell string) (at [2]float64) {
		t.Helper()
		all := js[[]float64](p, `(() => { const b = document.querySelector('[data-cell="`+cell+`"]').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2, b.width] })()`)
		wide = all[2]
		return [2]float64{all[0], all[1]}
	}
	near := func(a, b [2]float64) bool { return max(a[0]-b[0], b[0]-a[0], a[1]-b[1], b[1]-a[1]) < 2 }
	const cell = "1420" // u21
	at := box(cell)
	small, wheel := wide, [2]float64{math.Round(at[0]), math.Round(at[1])} // the event of a wheel has whole pixels
	p.shoot("big-whole")
	for range 4 {
		p.mouse(input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, X: wheel[0], Y: wheel[1], DeltaX: 1e-9, DeltaY: -300})
	}
	p.until(`document.querySelector('svg.map') && document.querySelector('svg.zoomed')`)
	now := box(cell)
	for i := range at { // what lies under the pointer stays, and what lies beside it moves away by the zoom
		at[i] = wheel[i] + (at[i]-wheel[i])*wide/small
	}
	if !near(now, at) {
		t.Errorf("the cell under the pointer went to %v, want %v", now, at)
	}
	if n := js[int](p, `[...document.querySelectorAll('[role=grid] .name')].filter(e => { const b = e.getBoundingClientRect(), o = document.querySelector('.port').getBoundingClientRect(); return b.left >= o.left - 1 && b.bottom <= o.bottom + 1 && b.right <= o.right + 1 && b.top >= o.top - 1 && b.height > 7 }).length`); n < 8 {
		t.Errorf("%d names are in sight", n)
	}
	press := func(kind input.DispatchMouseEventType, x, y float64) {
		p.mouse(input.DispatchMouseEventParams{Type: kind, X: x, Y: y, Button: "left", Buttons: 1, ClickCount: 1})
	}
	press(input.DispatchMouseEventTypeMousePressed, at[0], at[1])
	press(input.DispatchMouseEventTypeMouseMoved, at[0]-30, at[1]-20)
	press(input.DispatchMouseEventTypeMouseMoved, at[0]-60, at[1]-40)
	press(input.DispatchMouseEventTypeMouseReleased, at[0]-60, at[1]-40)
	p.until(`!document.querySelector('svg.dragging')`)
	if now, want := box(cell), [2]float64{at[0] - 60, at[1] - 40}; !near(now, want) {
		t.Errorf("dragged from %v to %v, want %v", at, now, want)
	}
	if n := js[int](p, plies); n != 0 {
		t.Errorf("dragging played %d moves", n)
	}
	p.shoot("big-zoomed")
	now = box(cell)
	p.do(chromedp.MouseClickXY(now[0], now[1]))
	p.until(plies + ` === 1 && document.querySelector('[data-cell="` + cell + `"]').ariaLabel.startsWith('u21')`)
}

// TestPhoneOnItsSide holds a phone on its side: the board has the height of the screen.
func TestPhoneOnItsSide(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := s.open(s.begin("gomoku", "human", "human"))
	p.do(chromedp.EmulateViewport(844, 390))
	p.until(mine)
	p.until(`document.querySelector('[role=grid]').getBoundingClientRect().height >= 320`)
	p.shoot("landscape")
}

// TestPinchZoomsBoard zooms a board of 70 x 70 by two fingers: what was between them stays there, and nothing is played.
func TestPinchZoomsBoard(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	p := s.open(s.begin("gomoku:70", "human", "human"))
	p.until(mine)
	box := js[[]float64](p, `(() => { const b = document.querySelector('[role=grid]').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2] })()`)
	touch := func(kind input.DispatchTouchEventType, apart float64) {
		t.Helper()
		var fingers []*input.TouchPoint
		if apart > 0 {
			for i, dx := range []float64{-apart / 2, apart / 2} {
				id := float64(i)
				fingers = append(fingers, &input.TouchPoint{X: box[0] + dx, Y: box[1], ID: &id})
			}
		}
		if _, err := chromedp.Call(p.ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: fingers}); err != nil {
			t.Fatal(err)
		}
	}
	width := func() float64 { return js[float64](p, `document.querySelector('[role=grid]').viewBox.baseVal.width`) }
	whole := width()
	touch(input.DispatchTouchEventTypeTouchStart, 60)
	for _, apart := range []float64{90, 120, 150, 180} {
		touch(input.DispatchTouchEventTypeTouchMove, apart)
	}
	touch(input.DispatchTouchEventTypeTouchEnd, 0)
	p.until(`document.querySelector('svg.map') && document.querySelector('svg.zoomed')`)
	view := js[[]float64](p, `(b => [b.x + b.width / 2, b.width])(document.querySelector('[role=grid]').viewBox.baseVal)`)
	if by := whole / view[1]; by < 2.5 || by > 3.5 {
		t.Errorf("fingers that go from 60 to 180 zoom by %.2f, want 3", by)
	}
	if d := view[0] - whole/2; d < -view[1]/20 || d > view[1]/20 {
		t.Errorf("the middle went by %.1f of %.1f that are seen", d, view[1])
	}
	if n := js[int](p, plies); n != 0 {
		t.Errorf("pinching played %d moves", n)
	}
}
