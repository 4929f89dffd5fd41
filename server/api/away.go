// SPDX-License-Identifier: Apache-2.0

package api

import (
	"cmp"
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/server/bots"
	"github.com/krow-lab/krow/server/club"
)

// Programs on other machines that are bots here: see krow bot connect. They prove who they are by a token of their own, so that
// what they call is open to everybody.
func (s *Server) registerAway() {
	answer(s, op(club.Member, "away-bots", "GET", "/away", "bots", "List one's own bots that are programs on other machines"), s.awayBots)
	answer(s, with(s.proving, with(s.beginning, op(club.Member, "bot-token", "POST", "/away/{name}/token", "bots",
		"Make a token by which a program on another machine is the bot of this name; earlier ones no longer hold"))), made(s, s.botToken))
	remove(s, op(club.Member, "delete-away-bot", "DELETE", "/away/{name}", "bots", "Forget such a bot, and its token"), s.forgetAwayBot)
	stream(s, club.Nobody, "bot-questions", "/away/questions", "bots", "What the bot of a token is asked, while it is connected",
		events{"welcome": Welcome{}, "question": bots.Question{}, "done": Done{}}, s.questions)
	answer(s, op(club.Nobody, "bot-answer", "POST", "/away/answers", "bots", "The move with which the bot of a token answers"), s.answered)
}

type awayBody struct {
	Bots []bots.Away `json:"bots" nullable:"false"`
}

func (s *Server) awayBots(ctx context.Context, _ *struct{}) (out awayBody, err error) {
	out.Bots, err = s.mine(ctx).Away()
	return out, err
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

// ByToken is a request of a program that is a bot. The token has a header of its own: Authorization may be needed for the server.
type ByToken struct {
	Token string `header:"Krow-Bot" maxLength:"100" doc:"token of the bot"`
}

// Welcome tells a program which bot it is.
type Welcome struct {
	Name string `json:"name"`
}

// questions sends what the bot is asked until it leaves or another program comes in its place.
func (s *Server) questions(ctx context.Context, in *ByToken, send sse.Sender) {
	ctx, cancel := s.linked(ctx)
	defer cancel()
	name, questions, leave, err := s.hub.Connect(in.Token)
	if err != nil {
		end(send, err)
		return
	}
	defer leave()
	if send.Data(Welcome{name}) != nil {
		return
	}
	tick := time.NewTicker(pulse)
	defer tick.Stop()
	for {
		var sent error
		select {
		case <-ctx.Done():
			return
		case q, open := <-questions:
			if !open {
				end(send, cmp.Or(s.hub.Holds(in.Token), errTurn)) // otherwise another one has come
				return
			}
			sent = send.Data(q)
		case <-tick.C:
			if err := s.hub.Holds(in.Token); err != nil { // another process may have banned the author
				end(send, err)
				return
			}
			sent = send.Data(Pulse{})
		}
		if sent != nil {
			return
		}
	}
}

type botAnswerInput struct {
	ByToken
	Body struct {
		ID   int64  `json:"id" doc:"of the question"`
		Move string `json:"move" maxLength:"100" doc:"empty: it has none, and forfeits"`
	}
}

func (s *Server) answered(_ context.Context, in *botAnswerInput) (none struct{}, err error) {
	err = s.hub.Answer(in.Token, in.Body.ID, in.Body.Move)
	return none, err
}
