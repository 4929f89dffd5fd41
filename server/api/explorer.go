// SPDX-License-Identifier: Apache-2.0

package api

import (
	"bytes"
	"context"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/server/explorer"
	"github.com/krow-lab/krow/server/store"
)

// maxImport is the maximum length of an uploaded file of games, in bytes.
const maxImport = 128 << 20

// Explored is the statistics of a position on a server.
type Explored struct {
	request.Explored
	More bool `json:"more,omitempty" doc:"the server is still adding games that were played on it: request again"`
}

// explore leaves out the scores of the book where they would help the caller in a rated game in progress: see fair.
func (s *Server) explore(ctx context.Context, in *request.ExploreInput) (out Explored, err error) {
	if err := in.Find(); err != nil {
		return out, err
	}
	if out.More, err = s.explorer.Sync(); err != nil {
		return out, err
	}
	out.Explored, err = request.Explore(s.explorer.Explorer, in)
	if err == nil && len(out.Book) > 0 && s.fair(ctx, in.Board()) != nil {
		out.Book = nil
	}
	return out, err
}

func (s *Server) collections(context.Context, *struct{}) ([]store.Collection, error) {
	return s.db.Collections()
}

type collectionInput struct {
	ID int64 `path:"id" minimum:"1"`
}

func (s *Server) forgetCollection(_ context.Context, in *collectionInput) error {
	return s.db.DeleteCollection(in.ID)
}

type collectInput struct {
	Name    string `query:"name" required:"true" maxLength:"200" doc:"name of the file; its extension determines the format"`
	To      string `query:"to" required:"true" minLength:"1" maxLength:"100" doc:"name of the collection"`
	Game    string `query:"game" maxLength:"100" doc:"spec of the game, needed for lists of moves"`
	RawBody []byte
}

// Collecting is one line of the answer to an import. It contains the progress of the import, and in the last line the
// error if the import failed.
type Collecting struct {
	explorer.Report
	Done  bool   `json:"done,omitempty"`
	Error string `json:"error,omitempty"`
}

// importing refuses the request for an import, before its body is read, if another import is in progress.
func (s *Server) importing(ctx huma.Context, next func(huma.Context)) {
	leave, ok := s.collecting.Try(clientOf(ctx.Context()))
	if !ok {
		s.refuse(ctx, busy.with("another import is in progress", ""))
		return
	}
	defer leave()
	next(ctx)
}

// collect imports a file. The answer has a JSON object on each line with the progress of the import. If a line counts games as
// added, these games stay in the collection even if the import fails later. An import stops when its request ends.
func (s *Server) collect(ctx context.Context, in *collectInput) (*huma.StreamResponse, error) {
	if in.Game != "" {
		if _, err := request.GameOf(in.Game); err != nil {
			return nil, err
		}
	}
	if len(bytes.TrimSpace(in.RawBody)) == 0 {
		return nil, badText.with("the file is empty", "")
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		ctx, cancel := s.linked(hc.Context())
		defer cancel()
		hc.SetHeader("Content-Type", linesType)
		send := lines[Collecting](hc)
		tell := func(c Collecting) { _ = send(c) } // an error means that the client has left, so nobody waits for the line
		file := explorer.File{Name: in.Name, Read: func() ([]byte, error) { return in.RawBody, nil }}
		r, err := s.explorer.Import(ctx, strings.TrimSpace(in.To), []explorer.File{file}, explorer.Options{
			Game: in.Game, Open: request.GameOf, Progress: func(r explorer.Report) { tell(Collecting{Report: r}) },
		})
		last := Collecting{Report: r, Done: true}
		if err != nil {
			last.Error = oneLine(err.Error())
		}
		tell(last)
	}}, nil
}
