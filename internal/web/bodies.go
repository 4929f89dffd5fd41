// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// visitorsBody is how long a body of a visitor may be.
const visitorsBody = 1 << 20

// bodies are places for large bodies that are being read, for members (true) and for visitors. A place is free again when the body has
// been read.
type bodies map[bool]chan struct{}

func newBodies() bodies {
	return bodies{true: make(chan struct{}, 4), false: make(chan struct{}, 2)}
}

// sized refuses a body that is too long, as soon as that is known, and has a large one wait for a place before it is read.
func (s *Server) sized(ctx huma.Context, next func(huma.Context)) {
	r, w := humago.Unwrap(ctx)
	most, member := ctx.Operation().MaxBodyBytes, isMember(whose(ctx))
	if !member {
		most = min(most, visitorsBody)
	}
	if r.ContentLength > most {
		s.refuse(ctx, tooLarge.plain())
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, most)
	if most > maxBody && (r.ContentLength < 0 || r.ContentLength > maxBody) {
		room := s.bodies[member]
		wait, cancel := context.WithTimeout(ctx.Context(), s.within(bodyTime))
		defer cancel()
		if enter(wait, room) != nil {
			s.refuse(ctx, busy.because("too many large requests come at once", ""))
			return
		}
		body := &placedBody{ReadCloser: r.Body, leave: sync.OnceFunc(func() { <-room })}
		defer body.leave()
		r.Body = body
		_ = ctx.SetReadDeadline(time.Now().Add(s.within(bodyTime))) // the wait does not count; without a connection there is none
	}
	next(ctx)
}

// jsonFormats are how bodies are read and written.
var jsonFormats = map[string]huma.Format{"application/json": bounded, "json": bounded}

var bounded = huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: func(data []byte, v any) error {
	if values(data) > maxValues {
		return fmt.Errorf("it has more than %d values", maxValues)
	}
	return json.Unmarshal(data, v)
}}

// maxValues is how many values a body has at most. The library makes each of them, which takes up to a hundred times the memory of the
// text, before it looks at any.
const maxValues = 1000

// values returns about how many values a JSON text has, in no memory: its commas, lists and objects outside of strings.
func values(data []byte) (n int) {
	inside, escaped := false, false
	for _, c := range data {
		switch {
		case escaped:
			escaped = false
		case inside:
			inside, escaped = c != '"', c == '\\'
		case c == '"':
			inside = true
		case c == ',', c == '[', c == '{':
			n++
		}
	}
	return n
}

// placedBody leaves its place when it is closed.
type placedBody struct {
	io.ReadCloser
	leave func()
}

func (b *placedBody) Close() error {
	b.leave()
	return b.ReadCloser.Close()
}
