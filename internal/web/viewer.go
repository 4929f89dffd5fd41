// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bytes"
	"cmp"
	"embed"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// The viewer of the interface: /openapi.json as a page, without a script and without anything from elsewhere.

//go:embed viewer.html viewer.css
var viewer embed.FS

var viewerPage = template.Must(template.ParseFS(viewer, "viewer.html"))

type shownAPI struct {
	Version  string
	Tags     []shownTag
	Problems []shownProblem
	Schemas  []shownSchema
}

type shownProblem struct {
	Code, Means string
	Status      int
}

type shownTag struct {
	Name       string
	Operations []shownOperation
}

type shownOperation struct {
	ID, Method, Path, Summary string
	Parameters                []shownField
	Body, Answer              string // names of schemas
	Stream                    bool
}

type shownSchema struct {
	Name   string
	Fields []shownField
}

type shownField struct {
	Name, Type, Doc string
	Link            string // the schema that the type names, if any
	Required        bool
}

// describe puts the interface into the order in which it is shown.
func describe(o *huma.OpenAPI) shownAPI {
	v := shownAPI{Version: o.Info.Version}
	tags := map[string]int{}
	paths := make([]string, 0, len(o.Paths))
	for p := range o.Paths {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	for _, p := range paths {
		item := o.Paths[p]
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Delete} {
			if op == nil {
				continue
			}
			i, ok := tags[op.Tags[0]]
			if !ok {
				i = len(v.Tags)
				tags[op.Tags[0]] = i
				v.Tags = append(v.Tags, shownTag{Name: op.Tags[0]})
			}
			v.Tags[i].Operations = append(v.Tags[i].Operations, showOperation(op))
		}
	}
	slices.SortFunc(v.Tags, func(a, b shownTag) int { return cmp.Compare(a.Name, b.Name) })
	for _, k := range kinds {
		v.Problems = append(v.Problems, shownProblem{k.code, k.means, k.status})
	}
	schemas := o.Components.Schemas.Map()
	names := make([]string, 0, len(schemas))
	for n := range schemas {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		v.Schemas = append(v.Schemas, shownSchema{n, fields(schemas[n])})
	}
	return v
}

func showOperation(op *huma.Operation) shownOperation {
	v := shownOperation{ID: op.OperationID, Method: op.Method, Path: op.Path, Summary: op.Summary}
	for _, p := range op.Parameters {
		if p.In == "cookie" {
			continue
		}
		kind, link := typeOf(p.Schema)
		v.Parameters = append(v.Parameters, shownField{p.Name, kind, cmp.Or(p.Description, p.Schema.Description), link, p.Required})
	}
	if op.RequestBody != nil {
		for _, m := range op.RequestBody.Content {
			_, v.Body = typeOf(m.Schema)
		}
	}
	if r := op.Responses["200"]; r != nil {
		for kind, m := range r.Content {
			_, v.Answer = typeOf(m.Schema)
			v.Stream = kind == "text/event-stream"
		}
	}
	return v
}

func fields(s *huma.Schema) (all []shownField) {
	names := make([]string, 0, len(s.Properties))
	for n := range s.Properties {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		kind, link := typeOf(s.Properties[n])
		all = append(all, shownField{n, kind, s.Properties[n].Description, link, slices.Contains(s.Required, n)})
	}
	return all
}

// typeOf writes a schema as a type, and names the one it refers to.
func typeOf(s *huma.Schema) (kind, link string) {
	switch {
	case s == nil:
		return "", ""
	case s.Ref != "":
		name := s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
		return name, name
	case s.Type == huma.TypeArray:
		kind, link = typeOf(s.Items)
		return kind + "[]", link
	case len(s.Enum) > 0 && len(s.Enum) < 12: // longer lists are shown by themselves
		words := make([]string, len(s.Enum))
		for i, e := range s.Enum {
			words[i], _ = e.(string)
		}
		return strings.Join(words, " | "), ""
	}
	return s.Type, ""
}

// showAPI registers the viewer. The page is made once: the interface does not change.
func (s *Server) showAPI(mux *http.ServeMux) {
	var page bytes.Buffer
	if err := viewerPage.Execute(&page, describe(s.api.OpenAPI())); err != nil {
		panic(err) // the template is in the program
	}
	style, err := viewer.ReadFile("viewer.css")
	if err != nil {
		panic(err)
	}
	for path, f := range map[string]*file{"GET /api": pack("text/html; charset=utf-8", page.Bytes()), "GET /api.css": pack("text/css; charset=utf-8", style)} {
		mux.HandleFunc(path, f.send)
	}
}
