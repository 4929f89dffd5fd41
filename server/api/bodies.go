// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// visitorsBody is how long a body of a visitor may be.
const visitorsBody = 1 << 20

// largeOfOne is how many requests with large bodies of one client are served or wait.
const largeOfOne = 4

// slowest is how many bytes of a body a sender sends in a second, after bodyTime.
const slowest = 64 << 10

// bodies are places for requests with large bodies, of members (true) and of visitors. A request has its place until it is answered,
// because its body is kept as long.
type bodies struct {
	room map[bool]chan struct{}
	mu   sync.Mutex
	of   map[string]int // by client: requests that have a place or wait for one
}

func newBodies() *bodies {
	return &bodies{room: map[bool]chan struct{}{true: make(chan struct{}, 8), false: make(chan struct{}, 8)}, of: map[string]int{}}
}

// enter waits for a place, and returns a function that leaves it.
func (b *bodies) enter(ctx context.Context, client string) (leave func(), p *Problem) {
	if b.count(client, 1) > largeOfOne {
		b.count(client, -1)
		return nil, tooMany.with("you send too many large requests at once", "")
	}
	room := b.room[isMember(client)]
	if enter(ctx, room) != nil {
		b.count(client, -1)
		return nil, busy.with("too many large requests come at once", "")
	}
	return func() { <-room; b.count(client, -1) }, nil
}

func (b *bodies) count(client string, n int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.of[client] += n; b.of[client] == 0 {
		delete(b.of, client)
		return 0
	}
	return b.of[client]
}

// sized refuses a body that is too long, as soon as that is known, and has a request with a large one wait for a place before it is
// read. The library then gives the body its time: see large.
func (s *Server) sized(ctx huma.Context, next func(huma.Context)) {
	r, w := humago.Unwrap(ctx)
	most, client := ctx.Operation().MaxBodyBytes, whose(ctx)
	if !isMember(client) {
		most = min(most, visitorsBody)
	}
	if r.ContentLength > most {
		s.refuse(ctx, tooLarge.new())
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, most)
	if most > maxBody && (r.ContentLength < 0 || r.ContentLength > maxBody) {
		wait, cancel := context.WithTimeout(ctx.Context(), s.within(bodyTime))
		defer cancel()
		leave, p := s.bodies.enter(wait, client)
		if p != nil {
			s.refuse(ctx, p)
			return
		}
		defer leave()
	}
	next(ctx)
}

// large returns an operation with bodies of up to most bytes, which slow lines need time for.
func large(o huma.Operation, most int64) huma.Operation {
	o.MaxBodyBytes, o.BodyReadTimeout = most, bodyTime+time.Duration(most/slowest)*time.Second
	return o
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
