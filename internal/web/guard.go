// SPDX-License-Identifier: Apache-2.0

package web

import (
	"crypto/sha256"
	"crypto/subtle"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/krow-lab/krow/app/club"
)

// policy lets the page load nothing but itself.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
	"font-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

var headers = map[string]string{
	"Content-Security-Policy":      policy,
	"X-Content-Type-Options":       "nosniff",
	"Referrer-Policy":              "no-referrer",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy":           "camera=(), geolocation=(), microphone=()",
}

// guard stands before every request: it sets headers, asks for the password, refuses other sites and writes the log.
func (s *Server) guard(next *http.ServeMux) http.Handler {
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { otherSite.plain().tell(w, r) }))
	inner := cross.Handler(routing(next))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		seen := &watched{ResponseWriter: w, status: http.StatusOK}
		for k, v := range headers {
			w.Header().Set(k, v)
		}
		switch {
		case !s.named(r.Host):
			otherHost.plain().tell(seen, r)
		case !s.admits(r):
			w.Header().Set("WWW-Authenticate", `Basic realm="krow", charset="UTF-8"`)
			noPassword.plain().tell(seen, r)
		default:
			inner.ServeHTTP(seen, r.WithContext(club.With(r.Context(), s.who(r))))
		}
		s.numbers.answered(seen.status)
		s.log.Info("request", "method", r.Method, "path", r.URL.Path, "status", seen.status, "ms", time.Since(start).Milliseconds(), "from", r.RemoteAddr)
	})
}

// routing serves by mux, with a problem document for a method that a path does not have. Every path has GET.
func routing(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h, pattern := mux.Handler(r); pattern == "" {
			h.ServeHTTP(muted{w}, r) // sets the header Allow
			badMethod.plain().tell(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// muted takes headers and nothing else.
type muted struct{ http.ResponseWriter }

func (muted) WriteHeader(int)             {}
func (muted) Write(p []byte) (int, error) { return len(p), nil }

// named says whether the server is called by an address or by one of its names.
func (s *Server) named(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	is := func(name string) bool { return strings.EqualFold(name, host) }
	_, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil || is("localhost") || slices.ContainsFunc(s.o.Hosts, is)
}

// admits says whether a request has the password. The time it takes does not depend on what was sent.
func (s *Server) admits(r *http.Request) bool {
	if s.o.Password == "" {
		return true
	}
	_, sent, _ := r.BasicAuth()
	a, b := sha256.Sum256([]byte(sent)), sha256.Sum256([]byte(s.o.Password))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

type watched struct {
	http.ResponseWriter
	status int
}

func (w *watched) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets streams flush and set deadlines.
func (w *watched) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// shares bound what each client has of the server besides its cores: open streams and new games.
type shares struct {
	mu      sync.Mutex
	all     int                  // open streams
	streams map[string]int       // by client
	free    map[string]time.Time // by client: when its games so far no longer count, each of them after gameRest
}

const (
	maxStreams  = 2000 // of all clients
	clientsPart = 48   // of one: the tabs of three browsers and their analyses
	gameBurst   = 60   // games begun at once
	gameRest    = time.Second
)

func newShares() *shares {
	return &shares{streams: map[string]int{}, free: map[string]time.Time{}}
}

// open takes a stream for a client, or says why it gets none.
func (h *shares) open(client string) *Problem {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.streams[client] >= clientsPart:
		return tooMany.because("you have too many streams open", "")
	case h.all >= maxStreams:
		return busy.because("too many streams are open", "")
	}
	h.streams[client]++
	h.all++
	return nil
}

func (h *shares) shut(client string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all--
	if h.streams[client]--; h.streams[client] == 0 {
		delete(h.streams, client)
	}
}

// begin counts a game of a client, or says why it may not begin one.
func (h *shares) begin(client string, now time.Time) *Problem {
	h.mu.Lock()
	defer h.mu.Unlock()
	maps.DeleteFunc(h.free, func(_ string, at time.Time) bool { return at.Before(now) })
	at, counted := h.free[client]
	if !counted {
		at = now
	}
	if at.Sub(now) > (gameBurst-1)*gameRest {
		return tooMany.because("you begin too many games: wait some seconds", "")
	}
	h.free[client] = at.Add(gameRest)
	return nil
}

func whose(ctx huma.Context) string {
	tab := ""
	if c, err := huma.ReadCookie(ctx, "krow"); err == nil {
		tab = c.Value[:min(len(c.Value), 40)]
	}
	return clientOf(ctx.RemoteAddr(), tab)
}

// streaming counts a stream while it is open, or refuses it.
func (s *Server) streaming(ctx huma.Context, next func(huma.Context)) {
	client := whose(ctx)
	if p := s.shares.open(client); p != nil {
		s.refuse(ctx, p)
		return
	}
	defer s.shares.shut(client)
	s.numbers.streams.Add(1)
	defer s.numbers.streams.Add(-1)
	next(ctx)
}

func (s *Server) beginning(ctx huma.Context, next func(huma.Context)) {
	if p := s.shares.begin(whose(ctx), time.Now()); p != nil {
		s.refuse(ctx, p)
		return
	}
	next(ctx)
}

func (s *Server) refuse(ctx huma.Context, p *Problem) {
	ctx.SetHeader("Retry-After", "5")
	_ = huma.WriteErr(s.api, ctx, p.Status, p.Detail, p) // a client that has gone need not know
}
