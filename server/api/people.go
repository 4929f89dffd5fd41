// SPDX-License-Identifier: Apache-2.0

package api

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/gate"
	"github.com/krow-lab/krow/server/store"
)

// leastRole names the extension of an operation that holds the least role of its callers.
const leastRole = "x-least-role"

// browserCookie holds a name that the server gave the browser. Guests are known by it: nobody else knows theirs.
const browserCookie = "krow"

// greet gives the browser a name.
func (s *Server) greet(w http.ResponseWriter, r *http.Request) {
	v := visitOf(r.Context())
	if _, err := r.Cookie(v.cookie(browserCookie)); err != nil {
		http.SetCookie(w, &http.Cookie{
			Name: v.cookie(browserCookie), Value: rand.Text(), Path: "/", HttpOnly: true, Secure: v.secure, SameSite: http.SameSiteLaxMode, MaxAge: 365 * 24 * 3600,
		})
	}
}

// sessionCookie holds the token of a member's session.
const sessionCookie = "krow-session"

// visit describes the connection and the browser of a request.
type visit struct {
	address netip.Addr
	prefix  string      // of address: all of it, or the 64 bits that a home has
	secure  bool        // the browser speaks TLS, to us or to the proxy
	host    string      // as the browser calls the server, with its port
	token   string      // of the session
	agent   string      // what the browser calls itself
	device  string      // the name that the server gave the browser, hashed
	client  gate.Client // the client whose quotas it uses
	answer  *watched
}

type visitKey struct{}

func visitOf(ctx context.Context) visit {
	v, _ := ctx.Value(visitKey{}).(visit)
	return v
}

// cookie returns the name of a cookie. The prefix, which browsers take over TLS alone, keeps other hosts of the domain from setting
// it.
//
// CITE: West and Wilander, Cookies: HTTP State Management Mechanism (RFC 6265bis), section 4.1.3.
func (v visit) cookie(name string) string {
	if v.secure {
		return "__Host-" + name
	}
	return name
}

func (v visit) browser() club.Browser {
	return club.Browser{Agent: v.agent, Address: v.address.String(), Name: v.device}
}

// visit finds out who sends a request, and from where.
func (s *Server) visit(r *http.Request) (v visit, who club.Who, err error) {
	v.secure, v.agent, v.host = r.TLS != nil, r.UserAgent(), r.Host
	if at, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
		v.address = at.Addr().Unmap().WithZone("")
	}
	if s.o.Proxy.IsValid() && v.address == s.o.Proxy {
		v.secure = v.secure || r.Header.Get("X-Forwarded-Proto") == "https"
		// The proxy saw the last address; the visitor may have made up the others.
		all := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
		if at, err := netip.ParseAddr(strings.TrimSpace(all[len(all)-1])); err == nil {
			v.address = at.Unmap().WithZone("")
		}
	}
	v.prefix = gate.Prefix(v.address)
	guest := ""
	if c, err := r.Cookie(v.cookie(browserCookie)); err == nil && c.Value != "" {
		// What is stored and shown does not let anybody pretend to be this browser.
		sum := sha256.Sum256([]byte("guest " + c.Value))
		guest = hex.EncodeToString(sum[:12])
	}
	if !s.o.Club {
		who, v.client = club.Alone, gate.Client{Name: v.prefix, Trusted: true}
	} else if c, err := r.Cookie(v.cookie(sessionCookie)); err == nil && (s.club.Known(c.Value) || s.shares.Tokens.Take(gate.Client{}, time.Now()) == nil) {
		v.token = c.Value
		if who, err = s.club.Session(c.Value); err != nil && !errors.Is(err, store.ErrNoSession) {
			return v, who, err
		}
		if v.client = (gate.Client{Name: strconv.FormatInt(who.Member, 10), Trusted: true}); who.Member != 0 {
			s.meet.Saw(who.Member, v.prefix)
		}
	}
	if who.Member == 0 {
		who, v.client = club.Who{Role: s.o.Guests}, gate.Client{Name: v.prefix}
	}
	who.Guest, who.Address, v.device = guest, v.address.String(), guest
	return v, who, nil
}

// allowed restricts an operation to callers with its least role. An operation without a role is refused to everybody.
func (s *Server) allowed(ctx huma.Context, next func(huma.Context)) {
	name, _ := ctx.Operation().Extensions[leastRole].(string)
	least, ok := club.ParseRole(name)
	if p := refusal(club.From(ctx.Context()), least); p != nil || !ok {
		s.refuse(ctx, cmp.Or(p, notAllowed.new()))
		return
	}
	next(ctx)
}

// refusal returns why somebody may not do what takes a role, or nil.
func refusal(who club.Who, least club.Role) *Problem {
	switch {
	case who.Role >= least:
		return nil
	case who.Member == 0:
		return noPassword.new()
	}
	return notAllowed.new()
}

// only restricts a page to callers with a role.
func (s *Server) only(least club.Role, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if p := refusal(club.From(r.Context()), least); p != nil {
			p.writeTo(w, r)
			return
		}
		next(w, r)
	}
}
