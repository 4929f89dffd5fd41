// SPDX-License-Identifier: Apache-2.0

package web

import "net/http"

// BodyLimits returns the longest body of each operation that has one, by its ID.
func (s *Server) BodyLimits() map[string]int64 {
	all := map[string]int64{}
	for _, path := range s.api.OpenAPI().Paths {
		if o := path.Post; o != nil && o.RequestBody != nil {
			all[o.OperationID] = o.MaxBodyBytes
		}
	}
	return all
}

// Guard returns what stands before every request, in front of other handlers than the server's.
func (s *Server) Guard(mux *http.ServeMux) http.Handler { return s.guard(mux) }

// VisitorsLargeBodies is how many large bodies of visitors are read at once.
const VisitorsLargeBodies = 2

// ConnectionsOfOne is how many connections one address may have open.
const ConnectionsOfOne = connectionsOfOne
