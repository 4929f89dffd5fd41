// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/krow-lab/krow/web"
)

// file is a file of the page, ready to be sent.
type file struct {
	kind, etag    string
	plain, packed []byte // packed by gzip; nil where that saves nothing
}

// load reads the built page.
func load() (map[string]*file, error) {
	all := map[string]*file{}
	err := fs.WalkDir(web.Dist, "dist", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(web.Dist, name)
		all[strings.TrimPrefix(name, "dist")] = pack(cmp.Or(mime.TypeByExtension(path.Ext(name)), "application/octet-stream"), data)
		return err
	})
	return all, err
}

// pack returns data ready to be sent.
func pack(kind string, data []byte) *file {
	f := &file{kind: kind, etag: fmt.Sprintf(`"%.8x"`, sha256.Sum256(data)), plain: data}
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level exists
	_, _ = z.Write(data)                                  // a buffer takes everything
	_ = z.Close()
	if b.Len() < len(data)*9/10 {
		f.packed = b.Bytes()
	}
	return f
}

// routes are the paths of the page: these, and what is below those that end with a slash.
var routes = []string{"/play", "/play/", "/analyze", "/edit", "/swap2", "/games", "/lab", "/matches", "/matches/", "/studies", "/studies/", "/learning", "/learning/"}

func routed(p string) bool {
	return p == "/" || slices.ContainsFunc(routes, func(r string) bool {
		return p == r || strings.HasSuffix(r, "/") && strings.HasPrefix(p, r)
	})
}

func (s *Server) pages(mux *http.ServeMux) {
	files, err := load()
	if err != nil {
		panic(err) // the files are in the program
	}
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /metrics", s.numbers.metrics)
	s.showAPI(mux)
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		f := files[r.URL.Path]
		if f == nil && routed(r.URL.Path) {
			f = files["/index.html"]
			greet(w, r)
		}
		if f == nil {
			noPage.plain().write(w)
			return
		}
		f.send(w, r)
	})
}

// greet gives the browser a name, by which its share of the cores is counted.
func greet(w http.ResponseWriter, r *http.Request) {
	if _, err := r.Cookie("krow"); err != nil {
		http.SetCookie(w, &http.Cookie{Name: "krow", Value: rand.Text(), Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, MaxAge: 365 * 24 * 3600})
	}
}

func (f *file) send(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "no-cache") // browsers ask again, and are answered with 304
	h.Set("ETag", f.etag)
	h.Set("Vary", "Accept-Encoding")
	data := f.plain
	switch {
	case r.Header.Get("If-None-Match") == f.etag:
		w.WriteHeader(http.StatusNotModified)
		return
	case f.packed != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip"):
		h.Set("Content-Encoding", "gzip")
		data = f.packed
	}
	_, _ = w.Write(data) // a client that has gone need not know
}
