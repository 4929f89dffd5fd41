// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bytes"
	"embed"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// The viewer shows /openapi.json as a page, without a script and without anything from other hosts.

//go:embed viewer.html viewer.css
var viewer embed.FS

var viewerPage = template.Must(template.New("viewer.html").Funcs(template.FuncMap{"typeOf": typeOf, "has": slices.Contains[[]string]}).ParseFS(viewer, "viewer.html"))

// shownType is a schema as it is written, and the name of the one it refers to.
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
	case len(s.Enum) > 0 && len(s.Enum) < 12: // longer lists have a table of their own
		words := make([]string, len(s.Enum))
		for i, e := range s.Enum {
			words[i], _ = e.(string)
		}
		return shownType{Text: strings.Join(words, " | ")}
	}
	return shownType{Text: s.Type}
}

// showAPI registers the viewer. The page is made once: the interface does not change.
func (s *Server) showAPI(mux *http.ServeMux) {
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
	var page bytes.Buffer
	err := viewerPage.Execute(&page, map[string]any{"Version": o.Info.Version, "Tags": byTag, "Problems": kinds, "Schemas": o.Components.Schemas.Map()})
	if err != nil {
		panic(err) // the template is in the program
	}
	style, err := viewer.ReadFile("viewer.css")
	if err != nil {
		panic(err)
	}
	mux.HandleFunc("GET /api", pack("text/html; charset=utf-8", page.Bytes()).send)
	mux.HandleFunc("GET /api.css", pack("text/css; charset=utf-8", style).send)
}
