// SPDX-License-Identifier: Apache-2.0

package web

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"
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
	cross.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { otherSite.plain().write(w) }))
	inner := cross.Handler(routing(next))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		seen := &watched{ResponseWriter: w, status: http.StatusOK}
		for k, v := range headers {
			w.Header().Set(k, v)
		}
		switch {
		case !s.named(r.Host):
			otherHost.plain().write(seen)
		case !s.admits(r):
			w.Header().Set("WWW-Authenticate", `Basic realm="krow", charset="UTF-8"`)
			noPassword.plain().write(seen)
		default:
			inner.ServeHTTP(seen, r)
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
			badMethod.plain().write(w)
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

// watched remembers the status of an answer.
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
