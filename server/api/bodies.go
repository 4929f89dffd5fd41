// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/krow-lab/krow/app/request"
)

// visitorsBody is the maximum length of a request body that a visitor sends.
const visitorsBody = 1 << 20

// slowest is the minimum speed, in bytes a second, at which a large request body must arrive. The time limit for reading the
// body is bodyTime plus the maximum length of the body divided by slowest.
const slowest = 64 << 10

// sized refuses a request as soon as its body is known to be too long. A request with a large body waits for a slot before the
// body is read. The time limit for reading the body, which the function large sets, begins after this wait.
func (s *Server) sized(ctx huma.Context, next func(huma.Context)) {
	r, w := humago.Unwrap(ctx)
	most, client := ctx.Operation().MaxBodyBytes, clientOf(ctx.Context())
	if !client.Trusted {
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
		leave, err := s.bodies[client.Trusted].Enter(wait, client)
		if err != nil {
			if wait.Err() != nil {
				err = busy.with("too many large requests come at once", "")
			}
			s.refuse(ctx, err)
			return
		}
		defer leave()
	}
	next(ctx)
}

// large returns the operation o with the parameter most as the limit of its request body in bytes, and with a time limit for
// reading the body that suits slow connections.
func large(o huma.Operation, most int64) huma.Operation {
	o.MaxBodyBytes, o.BodyReadTimeout = most, bodyTime+time.Duration(most/slowest)*time.Second
	return o
}

// jsonFormats are the formats in which bodies are read and written, by media type.
var jsonFormats = map[string]huma.Format{"application/json": bounded, "json": bounded}

var bounded = huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: func(data []byte, v any) error {
	if request.Count(data, ",[{") > maxValues {
		return fmt.Errorf("more than %d JSON values", maxValues)
	}
	return json.Unmarshal(data, v)
}}

// maxValues is the maximum number of JSON values in a request body. The HTTP library creates all values before it checks any of
// them, and they may take a hundred times the memory of the text.
const maxValues = 1000
