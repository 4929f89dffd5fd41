// SPDX-License-Identifier: Apache-2.0

package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/bot"
	"github.com/krow-lab/krow/server/bots"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/gate"
	"github.com/krow-lab/krow/server/league"
	"github.com/krow-lab/krow/server/store"
)

func (s *Server) registerBots() {
	answerJSON(s, op(club.Watcher, "interface", "GET", "/workshop", "bots", "The functions that a bot can call, examples of bots, and lessons"), request.BotShelf)
	answerList(s, written(op(club.Member, "check-bot", "POST", "/workshop/check", "bots", "List the errors in a source, without running it")), inside(s.cages, request.CheckBot))
	answerList(s, written(op(club.Member, "test-bot", "POST", "/workshop/test", "bots", "Run the tests of a bot")), s.testBot)
	try := with(s.streaming, written(op(club.Member, "try-bot", "POST", "/workshop/try", "bots", "Play a trial game with a bot: its moves, then its end")))
	huma.Register(s.api, answersLines[Tried](s, try), s.tryBot)

	answerList(s, op(club.Member, "bots", "GET", "/bots", "bots", "List the caller's bots"), s.bots)
	answerJSON(s, op(club.Member, "bot", "GET", "/bots/{name}", "bots", "One of the caller's bots, with its versions"), s.bot)
	answerList(s, op(club.Member, "bot-results", "GET", "/bots/{name}/results", "bots", "The results of one of the caller's bots in the leagues: ranks, results by opponent, and the latest losses"), s.botResults)
	answerJSON(s, op(club.Member, "bot-source", "GET", "/bots/{name}/source", "bots", "The source of a version"), s.botSource)
	answerJSON(s, with(s.beginning, written(op(club.Member, "save-bot", "POST", "/bots/{name}", "bots", "Store a source as the newest version of a bot"))), made(s, s.saveBot))
	module := op(club.Member, "save-module", "POST", "/bots/{name}/module", "bots", "Store a WebAssembly module as the newest version of a bot")
	answerJSON(s, with(s.beginning, large(module, bot.MaxWASM)), made(s, s.saveModule))
	answerJSON(s, op(club.Member, "publish-bot", "POST", "/bots/{name}/publish", "bots", "Publish a version, so that everybody can play against it; 0 makes the bot private again"), s.publishBot)
	remove(s, op(club.Member, "delete-bot", "DELETE", "/bots/{name}", "bots", "Delete a bot and its versions"), s.forgetBot)
}

// written returns the operation o with a limit of the request body that is large enough for the source of a bot: JSON needs six
// bytes for some characters.
func written(o huma.Operation) huma.Operation { return large(o, 6*bot.MaxStarlark+maxBody) }

// mine returns the bots of the caller. The first member also owns the bots made while the server had no members.
func (s *Server) mine(ctx context.Context) *bots.Bots {
	return s.botsOf(club.From(ctx).Member)
}

func (s *Server) botsOf(member int64) *bots.Bots {
	author := bots.Everybody
	if member != club.First { // for a visitor, whose number is 0, the author is "0", who has no bots
		author = strconv.FormatInt(member, 10)
	}
	return bots.Of(s.db, author, s.hub)
}

const testTime = 20 * time.Second

func (s *Server) testBot(ctx context.Context, in *request.TestBotInput) (out []request.Tested, err error) {
	ctx, cancel := s.linked(ctx)
	defer cancel()
	p, err := bot.New(in.Body.Name, []byte(in.Body.Source.Source))
	if err != nil {
		return out, badBot.wrap(err, in.Body.Name)
	}
	out, err = inTurns(ctx, s, clientOf(ctx), func(sse.Message) error { return nil }, func(func() error) ([]request.Tested, error) {
		ctx, cancel := context.WithTimeout(ctx, s.within(testTime))
		defer cancel()
		return request.RunTests(ctx, p)
	})
	if err != nil {
		return out, badBot.wrap(err, "")
	}
	return out, errors.Join(s.fairTests(ctx, out), s.noteTests(ctx, in.Body.Name, out))
}

// fairTests returns an error if the bot's move in a tested position would help the caller in a rated game: see fair.
func (s *Server) fairTests(ctx context.Context, all []request.Tested) error {
	for _, t := range all {
		if b, err := request.PositionOf(t.Game, "", t.Moves); err == nil { // a test with invalid moves asks the bot for no move
			if err := s.fair(ctx, b); err != nil {
				return err
			}
		}
	}
	return nil
}

// trial returns the trial game of a bot, ready to be played. The request describes both the bot and the game.
func (s *Server) trial(ctx context.Context, in *request.TryBotInput) (t request.Trial, err error) {
	t, err = in.Trial(s.mine(ctx).Program, func(g game.Game, text string) (func(uint64) (player.Player, error), error) {
		text, err := s.settled(ctx, g, text)
		if err != nil {
			return nil, err
		}
		p, err := s.player(g, text, in.Body.Seed)
		player.Close(p)
		return func(seed uint64) (player.Player, error) { return s.player(g, text, seed) }, err
	})
	if err == nil {
		err = s.fair(ctx, t.Position)
	}
	return t, err
}

// trialTime is the time for the whole trial game, including the time in the queue.
const trialTime = 3 * time.Minute

// Tried is one line of the answer to a request for a trial game of a bot. Exactly one field is set.
type Tried struct {
	Queued *Queued            `json:"queued,omitempty"`
	Move   *request.TrialMove `json:"move,omitempty"`
	End    *request.TrialEnd  `json:"end,omitempty"`
	Error  string             `json:"error,omitempty"`
}

// tryBot plays a trial game of a bot and sends each move. The game waits in the queue of analyses for each of its turns, and
// ends when the client ends the request.
func (s *Server) tryBot(ctx context.Context, in *request.TryBotInput) (*huma.StreamResponse, error) {
	t, err := s.trial(ctx, in)
	if err != nil {
		return nil, s.fault(err)
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		hc.SetHeader("Content-Type", linesType)
		tell := lines[Tried](hc)
		ctx, cancel := s.linked(hc.Context())
		defer cancel()
		ctx, cancel = context.WithTimeout(ctx, s.within(trialTime))
		defer cancel()
		send := func(m sse.Message) error {
			if q, is := m.Data.(Queued); is {
				return tell(Tried{Queued: &q})
			}
			return nil
		}
		end, err := inTurns(ctx, s, clientOf(hc.Context()), send, func(next func() error) (request.TrialEnd, error) {
			return t.Play(ctx, func(m request.TrialMove) error {
				if err := tell(Tried{Move: &m}); err != nil {
					return err
				}
				return next()
			})
		})
		switch {
		case err == nil:
			_ = tell(Tried{End: &end}) // an error means that the client has left, so nobody waits for the line
		case errors.Is(err, context.DeadlineExceeded):
			_ = tell(Tried{Error: fmt.Sprintf("the game took longer than %s", s.within(trialTime))})
		default:
			_ = tell(Tried{Error: oneLine(err.Error())})
		}
	}}, nil
}

// inTurns waits for a turn in the queue, and then calls work. After each of its steps, work calls next. If the turn is over,
// next joins the queue again, and returns when the next turn comes.
func inTurns[T any](ctx context.Context, s *Server, client gate.Client, send sse.Sender, work func(next func() error) (T, error)) (none T, err error) {
	t, err := s.queue.Join(client)
	if err != nil {
		return none, err
	}
	defer func() { s.queue.Leave(t) }()
	wait := func() error {
		if !s.waitForTurn(ctx, t, send) {
			return cmp.Or(ctx.Err(), gate.ErrGone)
		}
		return nil
	}
	if err := wait(); err != nil {
		return none, err
	}
	return work(func() error {
		if !s.queue.Over(t) {
			return nil
		}
		t = s.queue.Again(t)
		return wait()
	})
}

// linesType is the media type of an answer with one JSON value on each line.
const linesType = "application/x-ndjson"

// lines returns a function that sends a value as a line of JSON.
func lines[T any](hc huma.Context) func(T) error {
	w := visitOf(hc.Context()).answer
	return func(v T) error {
		data, err := json.Marshal(v)
		if err != nil {
			return err
		}
		err = w.Send(append(data, '\n'))
		// The deadline is removed, because the next line may come much later. This call never returns an error.
		_ = w.SetWriteDeadline(time.Time{})
		return err
	}
}

func (s *Server) bots(ctx context.Context, _ *struct{}) ([]store.Bot, error) {
	return s.mine(ctx).List()
}

// BotRef names a bot in a request.
type BotRef struct {
	Name string `path:"name" maxLength:"200" example:"fork"`
}

type botBody struct {
	Bot      store.Bot          `json:"bot"`
	Versions []store.BotVersion `json:"versions" nullable:"false" doc:"the newest first"`
}

func (s *Server) bot(ctx context.Context, in *BotRef) (out botBody, err error) {
	out.Bot, out.Versions, err = s.mine(ctx).Find(in.Name)
	return out, err
}

func (s *Server) botResults(ctx context.Context, in *BotRef) ([]league.BotResults, error) {
	b, _, err := s.mine(ctx).Find(in.Name)
	if err != nil {
		return nil, err
	}
	return s.leagues.ResultsOf(b.Name)
}

type botSourceInput struct {
	BotRef
	Version int `query:"version" minimum:"0" doc:"number of the version; 0: the newest"`
}

func (s *Server) botSource(ctx context.Context, in *botSourceInput) (out request.Source, err error) {
	p, err := s.mine(ctx).Program(in.Name, in.Version)
	if err == nil && p.Kind != bot.Starlark {
		err = noBot.with("a module has no source here", in.Name)
	}
	return request.Source{Source: string(p.Text)}, err
}

type saveBotInput struct {
	BotRef
	Body request.Source
}

type savedBody struct {
	Version int `json:"version"`
}

func (s *Server) saveBot(ctx context.Context, in *saveBotInput) (out savedBody, err error) {
	if err := s.room(ctx); err != nil {
		return out, err
	}
	out.Version, err = s.mine(ctx).Save(in.Name, []byte(in.Body.Source))
	return out, err
}

type saveModuleInput struct {
	BotRef
	RawBody []byte
}

func (s *Server) saveModule(ctx context.Context, in *saveModuleInput) (out savedBody, err error) {
	if err := s.room(ctx); err != nil {
		return out, err
	}
	out.Version, err = s.mine(ctx).SaveModule(in.Name, in.RawBody)
	return out, err
}

type publishBotInput struct {
	BotRef
	Body struct {
		Version int `json:"version" minimum:"0" doc:"version to publish; 0: no version, the bot becomes private again"`
	}
}

func (s *Server) publishBot(ctx context.Context, in *publishBotInput) (b store.Bot, err error) {
	if in.Body.Version == 0 {
		b, err = s.mine(ctx).Withdraw(in.Name)
	} else {
		// The request waits for a turn, because Publish may compile a WebAssembly module.
		b, err = inTurns(ctx, s, clientOf(ctx), func(sse.Message) error { return nil }, func(func() error) (store.Bot, error) {
			return s.mine(ctx).Publish(in.Name, in.Body.Version)
		})
		if err == nil {
			err = league.FollowBot(s.db, b, s.player, func(name string, err error) {
				s.log.Warn("a new version of a bot is not in a league", "bot", b.Name, "league", name, "error", err)
			})
		}
	}
	return b, err
}

func (s *Server) forgetBot(ctx context.Context, in *BotRef) error {
	return s.mine(ctx).Delete(in.Name)
}
