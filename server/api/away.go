// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"

	"github.com/krow-lab/krow/server/bots"
	"github.com/krow-lab/krow/server/club"
)

// registerAway adds the operations for bots that run as programs on other machines: see the command krow bot connect. The
// programs identify themselves by a token, so the operations that they call need no role.
func (s *Server) registerAway() {
	answerList(s, op(club.Member, "away-bots", "GET", "/away", "bots", "List the caller's remote bots, which are programs on other machines"), s.awayBots)
	answerJSON(s, with(s.proving, with(s.beginning, op(club.Member, "bot-token", "POST", "/away/{name}/token", "bots",
		"Make a token with which a program on another machine connects as the bot of this name; earlier tokens become invalid"))), made(s, s.botToken))
	remove(s, op(club.Member, "delete-away-bot", "DELETE", "/away/{name}", "bots", "Delete a remote bot and its token"), s.forgetAwayBot)
	answerJSON(s, op(club.Nobody, "bot-question", "POST", "/away/next", "bots",
		"Answer the previous request for a move to the bot with this token, and wait up to 25 seconds for the next request"), s.nextQuestion)
}

func (s *Server) awayBots(ctx context.Context, _ *struct{}) ([]bots.Away, error) {
	return s.mine(ctx).Away()
}

type botNameInput struct {
	Name string `path:"name" maxLength:"40"`
}

func (s *Server) forgetAwayBot(ctx context.Context, in *botNameInput) error {
	return s.mine(ctx).DeleteAway(in.Name)
}

type tokenBody struct {
	Token string `json:"token" doc:"shown once; the server keeps its hash"`
}

func (s *Server) botToken(ctx context.Context, in *botNameInput) (out tokenBody, err error) {
	out.Token, err = s.mine(ctx).Token(in.Name)
	return out, err
}

type nextInput struct {
	Token string `header:"Krow-Bot" maxLength:"100" doc:"token of the bot, in a header of its own, because a proxy in front of the server may need Authorization"`
	Body  bots.AskedMove
}

func (s *Server) nextQuestion(ctx context.Context, in *nextInput) (bots.Asked, error) {
	ctx, cancel := s.linked(ctx)
	defer cancel()
	return s.hub.Next(ctx, in.Token, in.Body)
}
