// SPDX-License-Identifier: Apache-2.0

package local

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/bot"
	"github.com/krow-lab/krow/player/proven"
	"github.com/krow-lab/krow/proof"
)

// programs contains the bots that the user of the page has written. The key is the player spec of the bot, such as bot:fork.
var programs = map[string]bot.Program{}

// keepBot stores a bot in programs, so that it can play. If the bot has no source, keepBot removes it.
func keepBot(_ context.Context, in *struct {
	Name string `query:"name"`
	Body request.Source
},
) (*struct{}, error) {
	if in.Body.Source == "" {
		delete(programs, "bot:"+in.Name)
		return nil, nil
	}
	p, err := bot.New(in.Name, []byte(in.Body.Source))
	if err == nil {
		programs["bot:"+in.Name] = p
	}
	return nil, fault.As("bad-bot", err)
}

var proofs []*proof.Strategy

// keepProof reads a certificate, a file that proves a win, and offers a player that plays by the certificate. It returns the
// game of the certificate, and the side that wins.
func keepProof(_ context.Context, in *struct{ RawBody []byte }) (map[string]string, error) {
	// The check has no time limit, because in a browser the check of a small certificate with plans can take 12 seconds.
	s, err := proof.ReadStrategy(context.Background(), bytes.NewReader(in.RawBody), proof.Limits{})
	if err != nil {
		return nil, fault.As("bad-text", err)
	}
	c := s.Result().Claim
	name := fmt.Sprintf("mnk:%d,%d,%d", c.Columns, c.Rows, c.K)
	if c.Gravity {
		name = fmt.Sprintf("connect4:%dx%d,k=%d", c.Columns, c.Rows, c.K)
		if g, err := krow.Game(name); err == nil {
			name = g.String()
		}
	}
	for _, family := range []string{"gomoku", "standard", "caro", "renju"} {
		spec := fmt.Sprintf("%s:%dx%d", family, c.Columns, c.Rows)
		if g, err := krow.Game(spec); err == nil && proven.Fits(g, c) == nil {
			name = g.String()
		}
	}
	proofs = append(proofs, s)
	krow.OfferProofs(proofs...)
	return map[string]string{"game": name, "side": s.Winner()}, nil
}

// opponents returns the opponents that come with krow, followed by the user's own bots.
func opponents(ctx context.Context, in *request.GameInput) (request.OpponentsOutput, error) {
	out, err := request.Opponents(ctx, in)
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		out.Opponents = append(out.Opponents, krow.Opponent{Name: "bot", Player: name, Doc: bot.Starlark.String()})
	}
	return out, err
}

// playerOf returns the player that a spec describes. The spec may name one of the user's bots.
func playerOf(g game.Game, text string, seed uint64) (player.Player, error) {
	if p, own := programs[text]; own {
		return bot.Open(g, p, bot.Options{Seed: seed})
	}
	return request.PlayerOf(g, text, seed)
}

func testBot(ctx context.Context, in *request.TestBotInput) ([]request.Tested, error) {
	p, err := bot.New(in.Body.Name, []byte(in.Body.Source.Source))
	if err != nil {
		return nil, fault.As("bad-bot", err)
	}
	return request.RunTests(ctx, p)
}

func tryBot(in *request.TryBotInput, send func(string, any) error) error {
	t, err := in.Trial(nil, func(g game.Game, text string) (func(uint64) (player.Player, error), error) {
		p, err := playerOf(g, text, in.Body.Seed)
		player.Close(p)
		return func(seed uint64) (player.Player, error) { return playerOf(g, text, seed) }, err
	})
	if err != nil {
		return err
	}
	end, err := t.Play(yielding{context.Background()}, func(m request.TrialMove) error { return send("move", m) })
	if err == nil {
		err = send("end", end)
	}
	return err
}
