// SPDX-License-Identifier: Apache-2.0

package api

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"github.com/krow-lab/krow/page"
	"github.com/krow-lab/krow/server/club"
)

// routes are the paths at which the server sends index.html, whose script shows the view for the path. A path that ends
// with a slash stands for every path below it.
var routes = []string{"/play", "/play/", "/analyze", "/edit", "/opening", "/explorer", "/games", "/lab", "/lessons", "/lessons/", "/puzzles", "/puzzles/", "/matches", "/matches/", "/league", "/league/", "/lobby", "/lobby/", "/tournaments", "/tournaments/", "/studies", "/reports", "/reports/", "/values", "/learning", "/learning/", "/machines", "/workshop", "/workshop/", "/members", "/people/", "/login", "/join"}

func routed(p string) bool {
	return p == "/" || slices.ContainsFunc(routes, func(r string) bool {
		return p == r || strings.HasSuffix(r, "/") && strings.HasPrefix(p, r)
	})
}

func (s *Server) pages(mux *http.ServeMux) {
	files := page.Files()
	mux.HandleFunc("GET /healthz", s.health)
	mux.HandleFunc("GET /metrics", s.only(club.Owner, s.showMetrics))
	s.showAPI(mux)
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		f := files[r.URL.Path]
		if f == nil && routed(r.URL.Path) {
			f = files["/index.html"]
			s.greet(w, r)
		}
		switch {
		case f != nil:
			send(f, w, r)
		case wantsPage(r) && path.Ext(r.URL.Path) == "" && !strings.HasPrefix(r.URL.Path, "/api/"):
			w.Header().Set("Content-Type", files["/index.html"].Kind)
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write(files["/index.html"].Plain) // the page shows that the path does not exist; an error means that the client has left
		default:
			noPage.new().writeTo(w, r)
		}
	})
}

// send answers a request with a file.
func send(f *page.File, w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.Kind)
	h.Set("Cache-Control", "no-cache") // browsers must ask again each time, and receive 304 if nothing has changed
	h.Set("ETag", f.ETag)
	h.Set("Vary", "Accept-Encoding")
	if r.Header.Get("If-None-Match") == f.ETag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	data := f.Plain
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		if packed := f.Packed(); packed != nil {
			h.Set("Content-Encoding", "gzip")
			data = packed
		}
	}
	_, _ = w.Write(data) // an error means that the client has left, so nobody waits for the file
}

// The viewer shows /openapi.json as a page, without a script and without anything from other hosts.

//go:embed viewer.html viewer.css
var viewer embed.FS

var viewerPage = template.Must(template.New("viewer.html").Funcs(template.FuncMap{"typeOf": typeOf, "has": slices.Contains[[]string]}).ParseFS(viewer, "viewer.html"))

// shownType contains the text that the viewer, the page at /api, shows for a schema. Link is the name of the schema to which
// this text links, or "".
type shownType struct{ Text, Link string }

func typeOf(s *huma.Schema) shownType {
	switch {
	case s == nil:
		return shownType{}
	case s.Ref != "":
		name := s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
		return shownType{name, name}
	case s.Type == huma.TypeArray:
		t := typeOf(s.Items)
		return shownType{t.Text + "[]", t.Link}
	case len(s.Enum) > 0 && len(s.Enum) < 12: // a longer list is not shown here, because the viewer shows it in a table
		words := make([]string, len(s.Enum))
		for i, e := range s.Enum {
			words[i], _ = e.(string)
		}
		return shownType{Text: strings.Join(words, " | ")}
	}
	return shownType{Text: s.Type}
}

// showAPI registers the viewer, the page at /api that describes the API. The page is generated at the first request.
func (s *Server) showAPI(mux *http.ServeMux) {
	describe := sync.OnceValue(s.apiPage)
	mux.HandleFunc("GET /api", func(w http.ResponseWriter, r *http.Request) { send(describe(), w, r) })
	style, err := viewer.ReadFile("viewer.css")
	if err != nil {
		panic(err) // cannot happen, because the file is embedded in the program
	}
	sheet := page.Pack("text/css; charset=utf-8", style)
	mux.HandleFunc("GET /api.css", func(w http.ResponseWriter, r *http.Request) { send(sheet, w, r) })
}

func (s *Server) apiPage() *page.File {
	o := s.api.OpenAPI()
	byTag := map[string][]*huma.Operation{}
	for _, path := range slices.Sorted(maps.Keys(o.Paths)) {
		item := o.Paths[path]
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Delete} {
			if op != nil {
				byTag[op.Tags[0]] = append(byTag[op.Tags[0]], op)
			}
		}
	}
	var text bytes.Buffer
	err := viewerPage.Execute(&text, map[string]any{"Version": o.Info.Version, "Tags": byTag, "Problems": kinds, "Schemas": o.Components.Schemas.Map()})
	if err != nil {
		panic(err) // cannot happen, because the template is embedded in the program
	}
	return page.Pack("text/html; charset=utf-8", text.Bytes())
}

// health answers with success, or with an error while the database cannot be written.
func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	if err := s.db.Health(); err != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprintln(w, "the database cannot be written:", oneLine(err.Error()))
		return
	}
	fmt.Fprintln(w, "ok")
}
