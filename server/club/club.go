// SPDX-License-Identifier: Apache-2.0

// Package club knows the people of a server: who they are, what they may do, and how they prove it.
//
// # Basics
//
//	c := club.New(db, club.Options{})
//	link, err := c.Invite(by, club.Member, "for Ann")
//	who, token, err := c.Join(link, "ann", password, club.Browser{})
//	who, err = c.Session(token) // at each request
//	ctx = club.With(ctx, who)
//	if !club.May(club.From(ctx), club.Change, club.Thing{Owner: 7}) { ... }
//
// # Caveats
//
// A server without members with a password is one person's: everybody who reaches it is [Alone], who may do everything.
// The store gives that person the number 1; what has no owner is that person's too.
package club

import "context"

// Role is the role of a person. A greater role has all the rights of a smaller one.
type Role int

// The roles.
const (
	Nobody    Role = iota // a visitor, where visitors see nothing
	Watcher               // a visitor who may watch
	Guest                 // a visitor who may also play unrated games
	Member                // somebody with a name here
	Organiser             // runs leagues, tournaments and studies, and sees to good manners
	Owner                 // runs the server
)

var roles = [...]string{"nobody", "watcher", "guest", "member", "organiser", "owner"}

func (r Role) String() string { return roles[r] }

// ParseRole reads a role, or says that there is none of that name.
func ParseRole(text string) (Role, bool) {
	for r, name := range roles {
		if name == text {
			return Role(r), true
		}
	}
	return Nobody, false
}

// Who is somebody who asks for something.
type Who struct {
	Member int64  // 0: no member
	Guest  string // the name that the server gave the browser, which nobody else knows; empty: none
	Name   string
	Role   Role
	// Address is where the request comes from, for the audit log; empty: the command line.
	Address string
}

// First is the number of the first member, who owns the games and bots without an owner.
const First = 1

// Alone is the person of a server that has one.
var Alone = Who{Member: First, Name: "owner", Role: Owner}

type key struct{}

// With returns a context in which who asks.
func With(ctx context.Context, who Who) context.Context { return context.WithValue(ctx, key{}, who) }

// From returns the person who makes the request of a context, set by With. Without With the result is nobody.
func From(ctx context.Context) Who {
	who, _ := ctx.Value(key{}).(Who)
	return who
}

// Visibility names the people who may look at a thing.
type Visibility string

// The visibilities. The zero value is ByLink.
const (
	Private Visibility = "private" // its owner
	ByLink  Visibility = "link"    // whoever knows its link
	Public  Visibility = "public"  // everybody, and it is listed
)

// Thing is something that is somebody's.
type Thing struct {
	Owner      int64  // the member; 0: the first one's, unless it is a guest's
	Guest      string // the guest, as in Who
	Shared     bool   // a game in which people have seats: nobody owns it alone
	Visibility Visibility
}

// Action is an action on a thing.
type Action int

// The actions.
const (
	Look   Action = iota // see it
	List                 // see it among others, without its link
	Change               // continue it: move, begin again, rename
	Stop                 // stop what works on it
	Delete               // forget it
)

// Owns reports whether a thing belongs to who.
func (who Who) Owns(t Thing) bool {
	if t.Shared {
		return false
	}
	if t.Owner == 0 && t.Guest != "" {
		return who.Guest == t.Guest && who.Role >= Guest
	}
	return who.Member != 0 && who.Member == max(t.Owner, First)
}

// May reports whether who may do the action to the thing. An owner of the server may do everything, because the
// store's file is theirs. Organisers may stop and delete things that others can see.
func May(who Who, do Action, t Thing) bool {
	if who.Role >= Owner || who.Owns(t) {
		return true
	}
	switch do {
	case Look:
		return who.Role >= Watcher && t.Visibility != Private
	case List:
		return who.Role >= Watcher && t.Visibility == Public
	case Stop, Delete:
		return who.Role >= Organiser && t.Visibility != Private
	}
	return false
}
