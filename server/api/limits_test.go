// SPDX-License-Identifier: Apache-2.0

package api

import (
	"fmt"
	"testing"
	"time"
)

// TestSharesAreBounded takes at one moment as much as a client, and then all visitors, can get.
func TestSharesAreBounded(t *testing.T) {
	now := time.Now()
	one := func(name string) func(int) string { return func(int) string { return name } }
	each := func(kind string) func(int) string { return func(n int) string { return fmt.Sprint(kind, n) } }
	visitor, member := one(visitorKey+"a"), one(memberKey+"1")
	begin := func(h *shares, client string) *Problem { return h.begin(client, now) }
	admit := func(h *shares, client string) *Problem { return h.admit(client, "/api/games", now) }
	file := func(h *shares, client string) *Problem { return h.admit(client, "/assets/Play.js", now) }
	tests := []struct {
		name string
		take func(*shares, string) *Problem
		who  func(n int) string
		most int
		code string
	}{
		{"streams of a visitor", (*shares).open, visitor, 48, "too-many"},
		{"streams of a member", (*shares).open, member, 48, "too-many"},
		{"streams of all visitors", (*shares).open, each(visitorKey), 2000, "busy"},
		{"games of a member", begin, member, 60, "too-many"},
		{"games of all visitors", begin, each(visitorKey), 200, "busy"},
		{"requests of a visitor", admit, visitor, 200, "too-many"},
		{"requests of all visitors", admit, each(visitorKey), 300, "busy"},
		{"files of a visitor", file, visitor, 1000, "too-many"},
		{"files of all visitors", file, each(visitorKey), 3000, "busy"},
		{"requests of a member", admit, member, 1000, "too-many"},
		{"tries of a member", func(h *shares, client string) *Problem { return h.try(client, now) }, member, 100, "too-many"},
		{"guesses at a name", func(h *shares, client string) *Problem { return h.guess([]string{client}, now) }, visitor, 10, "too-many"},
		{"guesses of an address", func(h *shares, client string) *Problem { return h.guess([]string{addressKey + client}, now) }, visitor, 40, "too-many"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			h := newShares()
			for n := range tc.most {
				if p := tc.take(h, tc.who(n)); p != nil {
					t.Fatalf("number %d of %d: %v", n+1, tc.most, p)
				}
			}
			if p := tc.take(h, tc.who(tc.most)); p == nil || p.Code != tc.code {
				t.Errorf("number %d: %v, want %s", tc.most+1, p, tc.code)
			}
			if p := tc.take(h, memberKey+"another"); p != nil {
				t.Errorf("another member: %v", p)
			}
		})
	}
}

// TestAnalysesAreBounded has a client, and then all visitors, wait with as many analyses as they can.
func TestAnalysesAreBounded(t *testing.T) {
	tests := []struct {
		name string
		who  func(n int) string
		most int
		want string
	}{
		{"of a member", func(int) string { return memberKey + "1" }, 16, "too-many"},
		{"of a visitor", func(int) string { return visitorKey + "a" }, 4, "too-many"},
		{"of all visitors", func(n int) string { return fmt.Sprint(visitorKey, n) }, 201, "busy"}, // one of them runs
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			q := newQueue(1)
			for n := range tc.most {
				if _, err := q.join(tc.who(n)); err != nil {
					t.Fatalf("number %d of %d: %v", n+1, tc.most, err)
				}
			}
			if _, err := q.join(tc.who(tc.most)); codeOf(err) != tc.want {
				t.Errorf("number %d: %v, want %s", tc.most+1, err, tc.want)
			}
			if _, err := q.join(memberKey + "another"); err != nil {
				t.Errorf("another member: %v", err)
			}
		})
	}
}
