// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"net/http"
)

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

// VisitorsLargeBodies is how many requests with large bodies of visitors are served at once.
const VisitorsLargeBodies = largeBodies

// Crowd has players of games think on all cores.
func (s *Server) Crowd(ctx context.Context) error {
	for range s.cores {
		if _, err := s.live.Room(ctx); err != nil {
			return err
		}
	}
	return nil
}
