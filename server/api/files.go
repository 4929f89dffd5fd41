// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/server/club"
)

// load reads a game or position from a text in any known format. If the text is a link to a game of this server, the
// result is that game, limited to the moves that the caller may see.
func (s *Server) load(ctx context.Context, in *request.ImportInput) (v request.Imported, err error) {
	u, err := url.Parse(strings.TrimSpace(in.Body.Text))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return request.Import(ctx, in)
	}
	id, ok := strings.CutPrefix(u.Path, "/play/")
	if !ok {
		return request.Import(ctx, in)
	}
	g, err := s.gameFor(ctx, club.Look, id)
	if err == nil {
		g, _, err = s.live.As(s.seatOf(ctx, ""), g, time.Now())
	}
	if err != nil {
		return v, badText.wrap(s.fault(err), "")
	}
	return request.ImportedOf(g.Board)
}
