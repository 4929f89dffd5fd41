// SPDX-License-Identifier: Apache-2.0

package local

import (
	"context"
	"strings"

	"github.com/krow-lab/krow/app/explorer"
	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/notation/record"
)

// collected contains the person's collections of games. The caller stores the files of the collections, and the games that
// were played on the page.
var collected explorer.Memory

func explore(_ context.Context, in *request.ExploreInput) (request.Explored, error) {
	return request.Explore(explorer.New(&collected), in)
}

func collections(context.Context, *struct{}) ([]explorer.Collection, error) {
	return collected.Collections(), nil
}

// collect adds the games of a file to a collection. An empty file removes all games of the collection.
func collect(_ context.Context, in *struct {
	Name    string `query:"name"`
	To      string `query:"to"`
	Game    string `query:"game"`
	RawBody []byte
},
) (r explorer.Report, err error) {
	to := strings.TrimSpace(in.To)
	if len(in.RawBody) == 0 {
		id, err := collected.Collect(to)
		collected.Empty(id)
		return r, err
	}
	file := explorer.File{Name: in.Name, Read: func() ([]byte, error) { return in.RawBody, nil }}
	r, err = explorer.New(&collected).Import(context.Background(), to, []explorer.File{file}, explorer.Options{Game: in.Game, Open: request.GameOf})
	return r, fault.As("bad-text", err)
}

// keepPlayed replaces the collection of the games that were played on the page by the games of the request.
func keepPlayed(_ context.Context, in *struct{ Body []request.Game }) (*struct{}, error) {
	id, err := collected.Collect(explorer.PlayedHere)
	if err != nil {
		return nil, err
	}
	collected.Empty(id)
	for _, g := range in.Body {
		outcome, _ := record.ParseOutcome(g.Outcome) // for a game without a result, ParseOutcome returns Ongoing and an error
		c := explorer.Collected{Game: g.Game, First: g.First, Second: g.Second, Year: g.Created.Year(), Moves: strings.Join(g.Moves, " "), Outcome: uint8(outcome)}
		if g.Start == "" && explorer.Index(&c) == nil {
			_, err = collected.AddCollected(id, []explorer.Collected{c})
		}
	}
	return nil, err
}
