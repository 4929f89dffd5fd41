// SPDX-License-Identifier: Apache-2.0

// Package local answers the requests of the web page when the page runs without a server: the operations of package request,
// and games between a person and a computer player.
//
// # Basics
//
//	answer := local.Answer("GET", "/position?game=gomoku&moves=h8", nil)
//	local.Stream("/analysis?game=gomoku&seconds=1", nil, func(event, data string) { ... })
//
// # Caveats
//
// The caller stores all data. A request that changes a game contains the complete game in its body, and Keep contains the
// data of the puzzle training.
package local

import (
	"context"
	"encoding/json"
	"net/url"
	"reflect"
	"strings"
	"sync"

	"github.com/krow-lab/krow/app/analysis"
	"github.com/krow-lab/krow/app/puzzles"
	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/app/training"
	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/internal/rescue"
)

// Reply is the answer to a request. Its body is JSON unless Type says otherwise.
type Reply struct {
	Status int
	Type   string
	Body   []byte
}

// errPath is the error for a path without an operation.
var errPath = fault.New("no-page", "this needs a server")

type answer func(r *sent) (any, error)

// sent is a request of the page.
type sent struct {
	id    string // the part of the path that matches the * in the pattern of the operation
	query url.Values
	body  []byte
}

// decode sets the fields of v, the input of an operation, from the request. As on a server, the tags of the fields determine
// the names of the parameters.
func (r *sent) decode(v reflect.Value) error {
	for i := range v.NumField() {
		f, tag := v.Type().Field(i), v.Type().Field(i).Tag
		text := r.query.Get(tag.Get("query"))
		switch {
		case f.Anonymous:
			if err := r.decode(v.Field(i)); err != nil {
				return err
			}
			continue
		case f.Name == "RawBody":
			v.Field(i).SetBytes(r.body)
			continue
		case f.Name == "Body":
			if err := json.Unmarshal(r.body, v.Field(i).Addr().Interface()); err != nil {
				return fault.As("bad-body", err)
			}
			continue
		case tag.Get("path") != "":
			text = r.id
		case tag.Get("query") == "":
			continue
		case text == "":
			text = tag.Get("default")
		}
		if text == "" {
			continue
		}
		if f.Type.Kind() == reflect.Slice {
			text = "[" + text + "]"
		}
		if f.Type.Kind() == reflect.String {
			v.Field(i).SetString(text)
		} else if err := json.Unmarshal([]byte(text), v.Field(i).Addr().Interface()); err != nil {
			return fault.About("bad-request", "query."+tag.Get("query"), err)
		}
	}
	return nil
}

// to returns a function that answers a request: it decodes the input and calls f.
func to[I, O any](f func(context.Context, *I) (O, error)) answer {
	return func(r *sent) (any, error) {
		in := new(I)
		if err := r.decode(reflect.ValueOf(in).Elem()); err != nil {
			return nil, err
		}
		ctx, cancel := patient(longest)
		defer cancel()
		return f(ctx, in)
	}
}

// Keep contains the data of the person's puzzle training. The caller must store it after each request whose method is not
// GET.
var Keep training.Memory

var person = sync.OnceValues(func() (request.Puzzles, error) {
	all, err := puzzles.Load("")
	return request.Puzzles{Training: training.New(&Keep, all)}, err
})

// trained converts an operation on puzzles to an answer function.
func trained[I, O any](f func(request.Puzzles, context.Context, *I) (O, error)) answer {
	return to(func(ctx context.Context, in *I) (out O, err error) {
		p, err := person()
		if err != nil {
			return out, err
		}
		return f(p, ctx, in)
	})
}

// answers maps the method and path of a request to its answer function. A star stands for any name.
var answers = map[string]answer{
	"GET /catalog":              to(request.Catalog),
	"GET /opponents":            to(opponents),
	"GET /heuristics":           to(request.Heuristics),
	"GET /learners":             to(request.Learners),
	"GET /position":             to(request.Position),
	"GET /overlay":              to(request.Overlay),
	"GET /line":                 to(request.Line),
	"GET /opening":              to(request.Opening),
	"GET /opening/answer":       to(request.OpeningAnswer),
	"POST /setup":               to(request.Setup),
	"GET /export":               to(request.Export),
	"POST /import":              to(request.Import),
	"POST /library":             to(request.Library),
	"POST /page":                to(request.HTML),
	"POST /library/read":        to(request.ReadLibrary),
	"GET /values":               to(request.Values),
	"GET /lab":                  to(lab),
	"GET /puzzles/today":        trained(request.Puzzles.Today),
	"GET /puzzles/next":         trained(request.Puzzles.Next),
	"GET /puzzles/progress":     trained(request.Puzzles.Progress),
	"GET /puzzles/own":          trained(request.Puzzles.Own),
	"POST /puzzles/own":         trained(request.Puzzles.Keep),
	"DELETE /puzzles/own/*":     trained(forget),
	"GET /puzzles/*":            trained(request.Puzzles.Puzzle),
	"GET /puzzles/*/hint":       trained(request.Puzzles.Hint),
	"GET /puzzles/*/answer":     trained(request.Puzzles.Answer),
	"POST /puzzles/*/tries":     trained(request.Puzzles.Tried),
	"GET /workshop":             to(request.BotShelf),
	"POST /workshop/check":      to(request.CheckBot),
	"POST /workshop/test":       to(testBot),
	"GET /explorer":             to(explore),
	"GET /explorer/collections": to(collections),
	"POST /local/collect":       to(collect),
	"POST /local/played":        to(keepPlayed),
	"POST /local/bot":           to(keepBot),
	"POST /local/proof":         to(keepProof),
	"POST /local/game":          to(change),
	"POST /local/reply":         to(reply),
}

func lab(ctx context.Context, in *request.LabInput) (analysis.Tree, error) {
	return request.Lab(ctx, in, request.LabTime)
}

func forget(p request.Puzzles, ctx context.Context, in *request.PuzzleRef) (*struct{}, error) {
	return nil, p.Forget(ctx, in)
}

// find returns the answer function for a method and a path, and the part of the path that matches the star.
func find(method, path string) (f answer, name string) {
	if f := answers[method+" "+path]; f != nil {
		return f, ""
	}
	parts := strings.Split(path, "/")
	for i := range parts {
		name, parts[i] = parts[i], "*"
		if f := answers[method+" "+strings.Join(parts, "/")]; f != nil {
			return f, name
		}
		parts[i] = name
	}
	return nil, ""
}

// Answer returns the answer to a request. address is its path, optionally with a query.
func Answer(method, address string, body []byte) Reply {
	v, err := ask(method, address, body)
	if file, ok := v.(*request.File); ok && err == nil {
		return Reply{200, file.Type, file.Body}
	}
	var text []byte
	if err == nil {
		text, err = json.Marshal(v)
	}
	if list := reflect.ValueOf(v); list.Kind() == reflect.Slice && list.IsNil() {
		text = []byte("[]") // as on a server, an empty list is [], not null
	}
	if err != nil {
		p := problem(err)
		text, _ = json.Marshal(p) // Marshal cannot fail, because p contains only texts and numbers
		return Reply{p.Status, "application/problem+json", text}
	}
	return Reply{200, "application/json", text}
}

func ask(method, address string, body []byte) (v any, err error) {
	defer rescue.Into(&err)
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	f, name := find(method, u.Path)
	if f == nil {
		return nil, errPath
	}
	return f(&sent{name, u.Query(), body})
}

// document is the body of the answer for an error, as a server would send it.
type document struct {
	Code   string `json:"code"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
	What   string `json:"what,omitempty"`
}

func problem(err error) document {
	e := request.Fault(err)
	if e == nil {
		return document{"failed", 500, err.Error(), ""}
	}
	p := document{e.Code, 422, e.Text, e.What}
	switch {
	case e.Code == "changed", e.Code == "not-your-turn", e.Code == "no-takeback", e.Code == "no-resigning", e.Code == "in-time":
		p.Status = 409 // if the page receives this status, it requests the game again
	case strings.HasPrefix(e.Code, "no-"):
		p.Status = 404
	}
	return p
}
