// SPDX-License-Identifier: Apache-2.0

package training

import (
	"errors"
	"testing"
	"time"

	"github.com/krow-lab/krow/app/puzzles"
)

func fresh(t *testing.T) *Training {
	t.Helper()
	all, err := puzzles.Load("")
	if err != nil {
		t.Fatal(err)
	}
	return New(&Memory{}, all)
}

// TestToday: each day has its puzzle, the same in every store, and days that follow have others.
func TestToday(t *testing.T) {
	a, b, seen := fresh(t), fresh(t), map[string]bool{}
	for day := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC); day.Year() == 2026; day = day.AddDate(0, 0, 1) {
		p, err := a.Today(day.Format(time.DateOnly))
		q, err2 := b.Today(day.Format(time.DateOnly))
		if err != nil || err2 != nil || p.ID() != q.ID() || seen[p.ID()] || p.Grade < easiestOfDay || p.Grade > hardestOfDay {
			t.Errorf("%v: %+v, %v; %+v, %v", day, p, err, q, err2)
		}
		seen[p.ID()] = true
	}
	if _, err := a.Today("tomorrow"); err == nil {
		t.Error("tomorrow is a day")
	}
}

// TestSchedule: a failed puzzle comes again after 1, 3, 7 and 21 days, and no more when it was solved each time. Only the
// first try is rated.
func TestSchedule(t *testing.T) {
	tr := fresh(t)
	p := tr.all[0]
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	failed, err := tr.Tried(p.ID(), 0, now)
	if err != nil || failed.Rating >= 1200 || failed.Tried != 1 || failed.Solved != 0 || failed.Later != 1 || len(failed.Curve) != 1 {
		t.Fatalf("%+v, %v", failed, err)
	}
	first := func(int) int { return 0 }
	for i, days := range []int{1, 3, 7, 21} {
		if _, err := tr.Next(Wish{Due: true, Now: now.AddDate(0, 0, days).Add(-time.Hour), Draw: first}); !errors.Is(err, ErrNoPuzzle) {
			t.Errorf("step %d: it is due early: %v", i, err)
		}
		now = now.AddDate(0, 0, days)
		due, err := tr.Next(Wish{Due: true, Now: now, Draw: first})
		if err != nil || due.ID() != p.ID() {
			t.Fatalf("step %d: %+v, %v", i, due, err)
		}
		after, err := tr.Tried(p.ID(), 1, now)
		if err != nil || after.Tried != 1 || len(after.Curve) != 1 {
			t.Fatalf("step %d: %+v, %v", i, after, err)
		}
	}
	if end, err := tr.Progress(now.AddDate(1, 0, 0)); err != nil || end.Due+end.Later != 0 {
		t.Errorf("%+v, %v", end, err)
	}
}

// TestNext: what comes next is of the kind that is wanted, near the rating, and not one that was tried.
func TestNext(t *testing.T) {
	tr := fresh(t)
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	had := map[string]bool{}
	for i := range 15 {
		w := Wish{Game: "renju", Theme: puzzles.VCT, Now: now, Draw: func(n int) int { return i % n }}
		p, err := tr.Next(w)
		if err != nil || p.Game != "renju" || p.Theme != puzzles.VCT || had[p.ID()] {
			t.Fatalf("%+v, %v", p, err)
		}
		had[p.ID()] = true
		before, err := tr.Grade(&p)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tr.Tried(p.ID(), 1, now); err != nil {
			t.Fatal(err)
		}
		if after, err := tr.Grade(&p); err != nil || after >= before {
			t.Errorf("a puzzle that was solved went from %d to %d, %v", before, after, err)
		}
	}
	got, err := tr.Progress(now)
	if err != nil || got.Rating < 1400 || got.Solved != 15 || got.Deviation >= 350 {
		t.Errorf("after 15 solved: %+v, %v", got, err)
	}
	for _, near := range []int{900, 2000} {
		p, err := tr.Next(Wish{Near: near, Now: now, Draw: func(n int) int { return n - 1 }})
		if err != nil || p.Grade < near-reach || p.Grade > near+reach {
			t.Errorf("near %d: %d, %v", near, p.Grade, err)
		}
	}
	if _, err := tr.Next(Wish{Game: "chess", Draw: func(int) int { return 0 }}); !errors.Is(err, ErrNoPuzzle) {
		t.Errorf("a puzzle of chess: %v", err)
	}
}

// TestOwn: a puzzle of a person's own is kept, found, tried without a rating, and forgotten.
func TestOwn(t *testing.T) {
	tr := fresh(t)
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	p, err := tr.Keep(t.Context(), "gomoku", "h8", "i9", now)
	if err != nil || p.Theme != puzzles.Best {
		t.Fatalf("%+v, %v", p, err)
	}
	if q, err := tr.Find(p.ID()); err != nil || q.ID() != p.ID() {
		t.Errorf("%+v, %v", q, err)
	}
	if got, err := tr.Tried(p.ID(), 0, now); err != nil || got.Rating != 1200 || got.Later != 1 || got.Tried != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	if err := tr.Forget(p.ID()); err != nil {
		t.Error(err)
	}
	if _, err := tr.Find(p.ID()); !errors.Is(err, ErrNoPuzzle) {
		t.Errorf("it is still there: %v", err)
	}
}
