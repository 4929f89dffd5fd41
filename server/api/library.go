// SPDX-License-Identifier: Apache-2.0

package api

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/krow-lab/krow/app/request"
)

// takesTree makes the OpenAPI description show the body of an operation as a Branch, which is a tree of moves. Package huma
// does not check the body, because its check would create a value for every item and an error for every mistake.
func (s *Server) takesTree(path string) {
	o := s.api.OpenAPI()
	o.Paths[path].Post.RequestBody.Content = map[string]*huma.MediaType{
		"application/json": {Schema: o.Components.Schemas.Schema(reflect.TypeFor[request.Branch](), true, "Branch")},
	}
}
