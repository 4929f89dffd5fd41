// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"fmt"
	"testing"
	"time"
)

// TestSharesAreBounded takes at one moment as much as a client, and then all visitors, can get.
func TestSharesAreBounded(t *testing.T) {
	now := time.Now()
	one := func(c Client) func(int) Client { return func(int) Client { return c } }
	each := func(c Client) func(int) Client { return func(n int) Client { return Client{fmt.Sprint(n), c.Trusted} } }
	visitor, member := one(Client{Name: "a"}), one(Client{"1", true})
	begin := func(h *Shares, client Client) error { return h.Games.Take(client, now) }
	admit := func(h *Shares, client Client) error { return h.Requests.Take(client, now) }
	file := func(h *Shares, client Client) error { return h.Files.Take(client, now) }
	tests := []struct {
		name string
		take func(*Shares, Client) error
		who  func(n int) Client
		most int
		code string
	}{
		{"streams of the visitors at one address", (*Shares).Open, visitor, 160, "too-many"},
		{"streams of a member", (*Shares).Open, member, 160, "too-many"},
		{"streams of all visitors", (*Shares).Open, each(Client{}), 2000, "busy"},
		{"games of a member", begin, member, 60, "too-many"},
		{"games of all visitors", begin, each(Client{}), 200, "busy"},
		{"requests of a visitor", admit, visitor, 200, "too-many"},
		{"requests of all visitors", admit, each(Client{}), 300, "busy"},
		{"files of a visitor", file, visitor, 1000, "too-many"},
		{"files of all visitors", file, each(Client{}), 3000, "busy"},
		{"requests of a member", admit, member, 1000, "too-many"},
		{"tries of a member", func(h *Shares, client Client) error { return h.Tries.Take(client, now) }, member, 100, "too-many"},
		{"guesses at a name", func(h *Shares, client Client) error { return h.Guess([]string{client.Name}, now) }, visitor, 10, "too-many"},
		{"guesses of an address", func(h *Shares, client Client) error { return h.Guess([]string{ByAddress + client.Name}, now) }, visitor, 40, "too-many"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			h := NewShares(1)
			for n := range tc.most {
				if err := tc.take(h, tc.who(n)); err != nil {
					t.Fatalf("number %d of %d: %v", n+1, tc.most, err)
				}
			}
			if err := tc.take(h, tc.who(tc.most)); codeOf(err) != tc.code {
				t.Errorf("number %d: %v, want %s", tc.most+1, err, tc.code)
			}
			if err := tc.take(h, Client{"another", true}); err != nil {
				t.Errorf("another member: %v", err)
			}
		})
	}
}

// TestAnalysesAreBounded has a client, and then all visitors, wait with as many analyses as they can.
func TestAnalysesAreBounded(t *testing.T) {
	tests := []struct {
		name string
		who  func(n int) Client
		most int
		want string
	}{
		{"of a member", func(int) Client { return Client{"1", true} }, 16, "too-many"},
		{"of a visitor", func(int) Client { return Client{Name: "a"} }, 4, "too-many"},
		{"of all visitors", func(n int) Client { return Client{Name: fmt.Sprint(n)} }, 201, "busy"}, // one of them runs
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			q := NewQueue(1)
			for n := range tc.most {
				if _, err := q.Join(tc.who(n)); err != nil {
					t.Fatalf("number %d of %d: %v", n+1, tc.most, err)
				}
			}
			if _, err := q.Join(tc.who(tc.most)); codeOf(err) != tc.want {
				t.Errorf("number %d: %v, want %s", tc.most+1, err, tc.want)
			}
			if _, err := q.Join(Client{"another", true}); err != nil {
				t.Errorf("another member: %v", err)
			}
		})
	}
}
