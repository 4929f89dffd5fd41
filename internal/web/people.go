// SPDX-License-Identifier: Apache-2.0

package web

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/krow-lab/krow/app/club"
)

// leastRole is where the description of an operation says who may call it.
const leastRole = "x-least-role"

// browserCookie holds a name that the server gave the browser. Guests are known by it: nobody else knows theirs.
const browserCookie = "krow"

// greet gives the browser a name.
func (s *Server) greet(w http.ResponseWriter, r *http.Request) {
	if _, err := r.Cookie(browserCookie); err != nil {
		http.SetCookie(w, &http.Cookie{Name: browserCookie, Value: rand.Text(), Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode, MaxAge: 365 * 24 * 3600})
	}
}

// who returns who sends a request.
func (s *Server) who(r *http.Request) club.Who {
	who := club.Alone
	if c, err := r.Cookie(browserCookie); err == nil && c.Value != "" {
		// What is stored and shown does not let anybody pretend to be this browser.
		sum := sha256.Sum256([]byte("guest " + c.Value))
		who.Guest = hex.EncodeToString(sum[:12])
	}
	return who
}

// allowed lets those call an operation who have its least role. An operation without one is nobody's.
func (s *Server) allowed(ctx huma.Context, next func(huma.Context)) {
	name, _ := ctx.Operation().Extensions[leastRole].(string)
	least, ok := club.ParseRole(name)
	if !ok || club.From(ctx.Context()).Role < least {
		p := notAllowed.plain()
		_ = huma.WriteErr(s.api, ctx, p.Status, p.Detail, p) // a client that has gone need not know
		return
	}
	next(ctx)
}
