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

// leastRole is the name of the OpenAPI extension that names the least role that a caller of the operation needs.
const leastRole = "x-least-role"

// browserCookie is the name of the cookie that contains a random name for the browser. The random name identifies a guest,
// because only the guest's browser knows it.
const browserCookie = "krow"

// greet sets browserCookie if the browser has none.
func (s *Server) greet(w http.ResponseWriter, r *http.Request) {
	v := visitOf(r.Context())
	if _, err := r.Cookie(v.cookie(browserCookie)); err != nil {
		http.SetCookie(w, &http.Cookie{
			Name: v.cookie(browserCookie), Value: rand.Text(), Path: "/", HttpOnly: true, Secure: v.secure, SameSite: http.SameSiteLaxMode, MaxAge: 365 * 24 * 3600,
		})
	}
}

// sessionCookie is the name of the cookie with the token of a member's session.
const sessionCookie = "krow-session"

// visit describes the connection and the browser of a request.
type visit struct {
	address netip.Addr
	// prefix is the part of address that one household shares: all of an IPv4 address, or the first 64 bits of an IPv6 address.
	prefix string
	secure bool        // the browser uses TLS to reach the server or its proxy
	host   string      // the server's name or address in the request, with the port
	token  string      // secret of the member's session
	agent  string      // the request's User-Agent
	device string      // hash of the name that the server gave the browser
	client gate.Client // the client whose quotas the request uses
	answer *gate.Answer
}

type visitKey struct{}

func visitOf(ctx context.Context) visit {
	v, _ := ctx.Value(visitKey{}).(visit)
	return v
}

// cookie returns the full name of a cookie. Over TLS it has the prefix __Host-, by which browsers keep other hosts of the domain
// from setting the cookie.
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

// visit returns the connection and browser of a request, and who sent it.
func (s *Server) visit(r *http.Request) (v visit, who club.Who, err error) {
	v.secure, v.agent, v.host = r.TLS != nil, r.UserAgent(), r.Host
	if at, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
		v.address = at.Addr().Unmap().WithZone("")
	}
	if s.o.Proxy.IsValid() && v.address == s.o.Proxy {
		v.secure = v.secure || r.Header.Get("X-Forwarded-Proto") == "https"
		// Only the last address was added by the proxy; the visitor may have forged the other addresses.
		all := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
		if at, err := netip.ParseAddr(strings.TrimSpace(all[len(all)-1])); err == nil {
			v.address = at.Unmap().WithZone("")
		}
	}
	v.prefix = gate.Prefix(v.address)
	guest := ""
	if c, err := r.Cookie(v.cookie(browserCookie)); err == nil && c.Value != "" {
		// The hash is stored and shown in place of the cookie, so that a person who reads it cannot pretend to be this browser.
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

// allowed refuses a request unless the caller has at least the role that the operation requires. If the operation names no
// role, allowed refuses everybody.
func (s *Server) allowed(ctx huma.Context, next func(huma.Context)) {
	name, _ := ctx.Operation().Extensions[leastRole].(string)
	least, ok := club.ParseRole(name)
	if p := refusal(club.From(ctx.Context()), least); p != nil || !ok {
		s.refuse(ctx, cmp.Or(p, notAllowed.new()))
		return
	}
	next(ctx)
}

// refusal returns nil if the caller has the role least or a greater role; otherwise it returns the problem with which the
// server answers.
func refusal(who club.Who, least club.Role) *Problem {
	switch {
	case who.Role >= least:
		return nil
	case who.Member == 0:
		return noPassword.new()
	}
	return notAllowed.new()
}

// only restricts a page to callers whose role is least or a greater role.
func (s *Server) only(least club.Role, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if p := refusal(club.From(r.Context()), least); p != nil {
			p.writeTo(w, r)
			return
		}
		next(w, r)
	}
}
