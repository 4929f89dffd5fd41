// SPDX-License-Identifier: Apache-2.0

package api

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/gate"
)

// policy is the Content-Security-Policy by which the page loads only files of its own server.
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

// guard handles every request first: it sets headers, identifies the caller, refuses requests from pages of other sites,
// catches panics and writes the log.
func (s *Server) guard(next *http.ServeMux) http.Handler {
	inner := routing(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		seen := gate.NewAnswer(w)
		for k, v := range headers {
			w.Header().Set(k, v)
		}
		if strings.HasPrefix(r.URL.Path, "/api/") {
			w.Header().Set("Cache-Control", "no-store")
		}
		v, who, err := s.visit(r)
		v.answer = seen
		if v.secure {
			w.Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		switch {
		case !s.named(r.Host):
			otherHost.new().writeTo(seen, r)
		case foreign(r):
			otherSite.new().writeTo(seen, r)
		case err != nil:
			s.log.Error("who asks", "error", err)
			failedInside.new().writeTo(seen, r)
		case s.crowd(seen, r, v.client):
			s.numbers.countAnswer(seen.Status)
			return // crowd has refused one of too many requests: this is not logged, because it may happen very often
		default:
			s.caught(inner, seen, r.WithContext(club.With(context.WithValue(r.Context(), visitKey{}, v), who)))
		}
		s.numbers.countRequest(seen, start)
		s.log.Info("request", "method", r.Method, "path", r.URL.Path, "status", seen.Status, "ms", time.Since(start).Milliseconds(), "from", v.address, "who", who.Name)
	})
}

// caught serves a request, and logs and counts a panic of its handler. After a panic the answer is an internal error; if an
// answer has begun already, the connection is cut.
func (s *Server) caught(h http.Handler, w *gate.Answer, r *http.Request) {
	defer func() {
		why := recover()
		if why == nil {
			return
		}
		if why == http.ErrAbortHandler {
			panic(why)
		}
		s.panicked(r.Method+" "+r.URL.Path, why)
		if w.Begun {
			s.numbers.countAnswer(http.StatusInternalServerError)
			panic(http.ErrAbortHandler)
		}
		failedInside.new().writeTo(w, r)
	}()
	h.ServeHTTP(w, r)
}

// panicked logs and counts a panic at a place of the code; why is the value that recover returned.
func (s *Server) panicked(where string, why any) {
	s.numbers.panics.Inc()
	s.log.Error("panic", "where", where, "panic", why, "stack", string(debug.Stack()))
}

// tarpit is the delay before a client with too many requests is refused. A client that waits for its answer sends fewer requests.
const tarpit = time.Second

// crowd reports whether a client has sent too many requests. If so, it refuses the request after a delay, and ends the connection.
func (s *Server) crowd(w http.ResponseWriter, r *http.Request, client gate.Client) bool {
	if !s.o.Club {
		return false
	}
	share := s.shares.Files
	if strings.HasPrefix(r.URL.Path, "/api/") {
		share = s.shares.Requests
	}
	err := share.Take(client, time.Now())
	if err == nil {
		return false
	}
	wait := time.NewTimer(tarpit)
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-r.Context().Done():
	case <-s.life.Done():
	}
	w.Header().Set("Connection", "close")
	w.Header().Set("Retry-After", "5")
	problemOf(err).writeTo(w, r)
	return true
}

// foreign reports whether a page of another site sent a request that it may not send. Links of other sites may open pages, but
// other sites may not call the interface under /api/, not even by GET, because a GET may start work.
//
// CITE: Barth, Jackson and Mitchell, Robust Defenses for Cross-Site Request Forgery, 2008; W3C, Fetch Metadata Request
// Headers.
func foreign(r *http.Request) bool {
	asked := http.Request{Method: r.Method, URL: r.URL, Host: r.Host, Header: r.Header}
	if strings.HasPrefix(r.URL.Path, "/api/") {
		asked.Method = http.MethodPost
	}
	// An old browser that loads an image for a page of another site sends the header Referer, but no Origin. So the Referer is
	// checked in place of the Origin.
	if from := r.Header.Get("Referer"); from != "" && r.Header.Get("Origin") == "" {
		asked.Header = r.Header.Clone()
		asked.Header.Set("Origin", from)
	}
	return new(http.CrossOriginProtection).Check(&asked) != nil
}

// routing serves requests by mux, and answers a method that the path does not support with a problem document. Every path
// supports GET.
func routing(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h, pattern := mux.Handler(r); pattern == "" {
			h.ServeHTTP(muted{w}, r) // this call only sets the header Allow: muted drops the status and the body
			badMethod.new().writeTo(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// muted is a ResponseWriter that passes on headers, but discards the status and the body.
type muted struct{ http.ResponseWriter }

func (muted) WriteHeader(int)             {}
func (muted) Write(p []byte) (int, error) { return len(p), nil }

// named reports whether host, to which a request is addressed, is an IP address or one of the server's names.
func (s *Server) named(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	is := func(name string) bool { return strings.EqualFold(name, host) }
	_, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil || is("localhost") || slices.ContainsFunc(s.o.Hosts, is)
}

// libraryLog writes the messages of package net/http to the log. Failed TLS handshakes are logged only at debug level, because
// port scanners cause thousands.
type libraryLog struct{ *slog.Logger }

func (l libraryLog) Write(line []byte) (int, error) {
	text := string(bytes.TrimSpace(line))
	if bytes.HasPrefix(line, []byte("http: TLS handshake error")) {
		l.Debug(text)
	} else {
		l.Warn(text)
	}
	return len(line), nil
}
