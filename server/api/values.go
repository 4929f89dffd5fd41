// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"

	"github.com/krow-lab/krow/docs/measurements"
)

// ValueItem is a proved value in a list.
type ValueItem struct {
	measurements.Value
	Published string `json:"published,omitempty" doc:"who said the value first, as far as we know"`
}

type valuesOutputBody struct {
	Values []ValueItem `json:"values" nullable:"false"`
}

// values lists the values that come with krow.
func (s *Server) values(context.Context, *struct{}) (out valuesOutputBody, err error) {
	out.Values = []ValueItem{}
	for _, v := range measurements.Values() {
		out.Values = append(out.Values, ValueItem{v, v.Published()})
	}
	return out, nil
}
