// SPDX-License-Identifier: Apache-2.0

// Package club manages the people of a server: their names, roles and rights, and their logins.
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
// A server on which no member can log in belongs to one person: everybody who reaches it is [Alone], who may do everything.
// The store gives that person the number 1. Things without an owner belong to that person too.
package club

import "context"

// Role is the role of a person. A greater role has all the rights of a smaller one.
type Role int

// The roles.
const (
	Nobody    Role = iota // a visitor of a server that shows visitors nothing
	Watcher               // a visitor who may watch
	Guest                 // a visitor who may also play unrated games
	Member                // somebody with an account
	Organiser             // runs leagues, tournaments and studies, and may ban members
	Owner                 // runs the server
)

var roles = [...]string{"nobody", "watcher", "guest", "member", "organiser", "owner"}

func (r Role) String() string { return roles[r] }

// ParseRole returns the role with this name, and reports whether there is one.
func ParseRole(text string) (Role, bool) {
	for r, name := range roles {
		if name == text {
			return Role(r), true
		}
	}
	return Nobody, false
}

// Who is the person who makes a request.
type Who struct {
	Member int64  // number of the member, or 0 if the person is not a member
	Guest  string // secret name that the server gave the browser; empty if it has none
	Name   string
	Role   Role
	Second bool // whether the member has a second factor
	// Address is the network address of the request, for the audit log. It is empty if the request comes from the command line.
	Address string
}

// First is the number of the first member, who owns the games and bots without an owner.
const First = 1

// Alone is the only person of a server without members.
var Alone = Who{Member: First, Name: "owner", Role: Owner}

type key struct{}

// With returns a copy of ctx that contains the person who makes the request.
func With(ctx context.Context, who Who) context.Context { return context.WithValue(ctx, key{}, who) }

// From returns the person set by With, who makes the request of ctx. If ctx does not come from With, From returns the zero
// Who, a visitor without rights.
func From(ctx context.Context) Who {
	who, _ := ctx.Value(key{}).(Who)
	return who
}

// Visibility determines who may look at a [Thing].
type Visibility string

// The visibilities. The zero value is ByLink.
const (
	Private Visibility = "private" // only the owner may see the thing
	ByLink  Visibility = "link"    // everybody who knows the link may see the thing
	Public  Visibility = "public"  // everybody may see the thing, and lists show it
)

// Thing describes something that a person owns, such as a game, a run or a bot, by the properties that determine the rights on
// it.
type Thing struct {
	Owner      int64  // number of the member; 0: the first member, unless Guest is set
	Guest      string // secret name of the guest who owns it, see Who.Guest
	Shared     bool   // the thing is a game in which people have seats: nobody owns it alone
	Visibility Visibility
}

// Action is a kind of action on a thing.
type Action int

// The actions.
const (
	Look   Action = iota // see it
	List                 // see it in a list, without knowing its link
	Change               // change or continue it: play a move in a game, restart a run, rename a thing
	Stop                 // stop the work on it
	Delete               // delete it
)

// Owns reports whether the thing t belongs to this person.
func (who Who) Owns(t Thing) bool {
	if t.Shared {
		return false
	}
	if t.Owner == 0 && t.Guest != "" {
		return who.Guest == t.Guest && who.Role >= Guest
	}
	return who.Member != 0 && who.Member == max(t.Owner, First)
}

// May reports whether a person is allowed to perform the action do on the thing t. An owner of the server may do everything,
// because that person also has the file of the database. Organisers may stop and delete things that are not private.
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
