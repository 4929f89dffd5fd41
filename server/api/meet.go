// SPDX-License-Identifier: Apache-2.0

package api

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/live"
	"github.com/krow-lab/krow/server/lobby"
	"github.com/krow-lab/krow/server/tournament"
)

// seatOf returns the seat of the caller. Without Options.Club every browser is a guest, so that friends can play from
// other browsers. A guest without a name is called "guest".
func (s *Server) seatOf(ctx context.Context, name string) live.Seat {
	who := club.From(ctx)
	if s.o.Club && who.Member != 0 {
		return live.Seat{Member: who.Member}
	}
	if who.Guest == "" {
		if s.o.Club {
			return live.Seat{}
		}
		who.Guest = "program" // a program sends no cookies, so all programs share one seat
	}
	return live.Seat{Guest: who.Guest, Name: cmp.Or(name, "guest")}
}

// memberName returns the name of a member; it is empty if the member was removed, and "?" if it cannot be read.
func (s *Server) memberName(id int64) string {
	name, err := s.db.MemberName(id)
	if err != nil {
		s.log.Error("a member's name", "member", id, "error", err)
		return "?" // not "", which would mean that the member was removed
	}
	return name
}

// Guest is the name of a guest in a request. It is ignored for members, who play under their own names.
type Guest struct {
	Name string `json:"name,omitempty" maxLength:"40" doc:"name of a guest: letters, digits, single spaces, - and _"`
}

func (s *Server) seat(ctx context.Context, g Guest) (live.Seat, error) {
	if g.Name != "" {
		if err := club.CheckName(g.Name); err != nil {
			return live.Seat{}, err
		}
	}
	seat := s.seatOf(ctx, g.Name)
	if !seat.Taken() {
		return seat, noName()
	}
	return seat, nil
}

// noName is the problem of a visitor whose browser keeps no cookies, and who therefore cannot own anything.
func noName() error {
	return notAllowed.with("the browser has no name: open a page of the server first", "")
}

// Between contains the fields that only a game between people has.
type Between struct {
	lobby.People
	Two     bool           `json:"two" doc:"both sides are people"`
	Offers  [2]live.Offers `json:"offers" doc:"pending offers of both sides"`
	Said    []live.Said    `json:"said" nullable:"false"`
	Next    string         `json:"next,omitempty" doc:"ID of the rematch"`
	Rule    string         `json:"rule,omitempty" doc:"opening rule"`
	Answers []string       `json:"answers" nullable:"false" doc:"answers given under the opening rule so far"`
	Opening bool           `json:"opening" doc:"the opening is not complete; until it is, the first side is the player who began it"`
	Delay   int            `json:"delay,omitempty" doc:"seconds after which spectators see a move"`
	Away    [2]int64       `json:"away" doc:"milliseconds for which each side has been away; 0: the side is present, or need not be"`
	Claim   int64          `json:"claim,omitempty" doc:"milliseconds of absence after which the opponent may claim the win"`
	Ratings []SeatRating   `json:"ratings,omitempty" doc:"ratings of both sides in a rated game"`
}

// SeatRating is the rating of one side of a rated game.
type SeatRating struct {
	Rating    float64 `json:"rating" doc:"current rating, after the end of the game with the gain"`
	Deviation float64 `json:"deviation"`
	Gain      float64 `json:"gain,omitempty" doc:"change by this game"`
}

func (s *Server) between(by live.Seat, g *live.Game) (*Between, error) {
	if !g.Held() {
		return nil, nil
	}
	b := &Between{
		People: s.meet.PeopleOf(by, &g.Game), Two: g.Seats[0].Taken() && g.Seats[1].Taken(), Offers: g.Offers(), Said: append([]live.Said{}, g.Said()...), Next: g.Next(), Opening: g.Opening(),
		Delay: int(g.Delay().Seconds()), Answers: []string{},
	}
	var answers []string
	b.Rule, answers = g.Rule()
	b.Answers = append(b.Answers, answers...)
	for side, away := range s.live.Away(g, time.Now()) {
		b.Away[side] = away.Milliseconds()
	}
	if g.Claimable() {
		b.Claim = live.Absence.Milliseconds()
	}
	if g.Rated && (b.You >= 0 || b.Delay == 0) { // the ratings would tell spectators the result before they see the last move
		for side, seat := range g.Seats {
			r, err := s.db.Rating(seat.Member, g.Pool)
			if err != nil {
				return nil, err
			}
			b.Ratings = append(b.Ratings, SeatRating{r.Rating, r.Deviation, g.Gain[side]})
		}
	}
	return b, nil
}

// seen returns a game in the state that the caller may see: spectators may see moves only after a delay.
func (s *Server) seen(ctx context.Context, g live.Game, err error) (Game, error) {
	v, _, err := s.seenNow(s.seatOf(ctx, ""), g, err)
	return v, err
}

// seenNow returns the game g in the state that the person in the seat by may see. It also returns the time until this person
// sees the next move or the end of the game, or 0 if nothing is hidden from this person.
func (s *Server) seenNow(by live.Seat, g live.Game, err error) (Game, time.Duration, error) {
	if err != nil {
		return Game{}, 0, err
	}
	g, next, err := s.live.As(by, g, time.Now())
	v, err := view(g, err)
	if err == nil {
		v.Between, err = s.between(by, &g)
	}
	return v, next, err
}

type actInput struct {
	GameRef
	Body struct {
		Do  string `json:"do" enum:"resign,draw,takeback,decline,abort,rematch,flag,claim"`
		Ply int    `json:"ply" minimum:"0" maximum:"100000" doc:"number of moves of the game that the sender knows"`
	}
}

// inGame calls do with the caller, if the caller may change the game, and returns the changed game.
func (s *Server) inGame(ctx context.Context, id string, do func(by live.Actor) (live.Game, error)) (Game, error) {
	if _, err := s.gameFor(ctx, club.Change, id); err != nil {
		return Game{}, err
	}
	g, err := do(live.Actor{Seat: s.seatOf(ctx, "")})
	return s.seen(ctx, g, err)
}

func (s *Server) actInGame(ctx context.Context, in *actInput) (Game, error) {
	return s.inGame(ctx, in.ID, func(by live.Actor) (live.Game, error) {
		if in.Body.Do == string(live.DoRematch) {
			if err := s.roomForGames(ctx, 1); err != nil {
				return live.Game{}, err
			}
		}
		return s.live.Act(by, in.ID, in.Body.Ply, live.Action(in.Body.Do))
	})
}

type sayInput struct {
	GameRef
	Body struct {
		Phrase string `json:"phrase" maxLength:"20"`
		Ply    int    `json:"ply" minimum:"0" maximum:"100000" doc:"number of moves of the game that the sender knows"`
	}
}

func (s *Server) sayPhrase(ctx context.Context, in *sayInput) (Game, error) {
	return s.inGame(ctx, in.ID, func(by live.Actor) (live.Game, error) { return s.live.Say(by, in.ID, in.Body.Ply, in.Body.Phrase) })
}

type openInput struct {
	GameRef
	Body struct {
		Answered int    `json:"answered" minimum:"0" maximum:"100" doc:"number of answered questions that the sender knows"`
		Answer   string `json:"answer" maxLength:"100" example:"swap"`
	}
}

func (s *Server) answerOpening(ctx context.Context, in *openInput) (Game, error) {
	return s.inGame(ctx, in.ID, func(by live.Actor) (live.Game, error) {
		return s.live.Answer(by, in.ID, in.Body.Answered, in.Body.Answer)
	})
}

// Lobby is the lobby as the caller sees it.
type Lobby struct {
	lobby.Room
	You     string   `json:"you,omitempty" doc:"name of the caller; empty for a guest"`
	Member  int64    `json:"member,omitempty"`
	Phrases []string `json:"phrases" nullable:"false" doc:"phrases that players can send each other"`
}

func (s *Server) lobby(ctx context.Context, _ *struct{}) (l Lobby, err error) {
	by := s.seatOf(ctx, "")
	l.Phrases = live.Phrases
	if by.Member != 0 {
		l.You, l.Member = s.memberName(by.Member), by.Member
	}
	l.Room, err = s.meet.Room(by)
	return l, err
}

type challengeInput struct {
	Body struct {
		Guest
		Terms   request.GameTerms `json:"terms"`
		Listed  bool              `json:"listed,omitempty" doc:"whether the lobby lists the challenge"`
		Invited int64             `json:"invited,omitempty" minimum:"0" doc:"number of the only member who may accept the challenge; 0: everybody may"`
	}
}

func (s *Server) challenge(ctx context.Context, in *challengeInput) (lobby.Challenge, error) {
	by, err := s.seat(ctx, in.Body.Guest)
	if err != nil {
		return lobby.Challenge{}, err
	}
	if err := s.shares.Offers.Take(clientOf(ctx), time.Now()); err != nil {
		return lobby.Challenge{}, err
	}
	if err := s.roomForGames(ctx, 1); err != nil {
		return lobby.Challenge{}, err
	}
	return s.meet.Challenge(by, in.Body.Terms, in.Body.Listed, in.Body.Invited)
}

// ChallengeRef names a challenge in a request.
type ChallengeRef struct {
	ID string `path:"id" maxLength:"40"`
}

func (s *Server) findChallenge(ctx context.Context, in *ChallengeRef) (lobby.Challenge, error) {
	return s.meet.Find(s.seatOf(ctx, ""), in.ID)
}

func (s *Server) withdraw(ctx context.Context, in *ChallengeRef) error {
	return s.meet.Withdraw(s.seatOf(ctx, ""), in.ID)
}

type acceptInput struct {
	ChallengeRef
	Body struct{ Guest }
}

func (s *Server) accept(ctx context.Context, in *acceptInput) (Game, error) {
	by, err := s.seat(ctx, in.Body.Guest)
	if err != nil {
		return Game{}, err
	}
	if err := s.roomForGames(ctx, 1); err != nil {
		return Game{}, err
	}
	g, err := s.meet.Accept(by, in.ID)
	if err == nil {
		s.numbers.games.Inc()
	}
	return s.seen(ctx, g, err)
}

type profileInput struct {
	Member int64 `path:"member" minimum:"1"`
	Skip   int   `query:"skip" minimum:"0" maximum:"1000000" doc:"number of games to skip"`
}

func (s *Server) profile(ctx context.Context, in *profileInput) (lobby.Profile, error) {
	return s.meet.Profile(s.seatOf(ctx, ""), in.Member, in.Skip)
}

// News contains the challenges and games that wait for the caller, and the caller's tournament.
type News struct {
	lobby.News
	Tournament *tournament.Entry `json:"tournament,omitempty" doc:"of the caller, in progress or about to begin"`
}

func (s *Server) news(ctx context.Context, _ *struct{}) (n News, err error) {
	by := s.seatOf(ctx, "")
	if n.News, err = s.meet.News(by); err == nil {
		n.Tournament, err = s.tournaments.Next(by)
	}
	return n, err
}

// newsEvents sends the news now, after each change of a game or a challenge, and once per pulse.
func (s *Server) newsEvents(ctx context.Context, _ *struct{}, send sse.Sender) {
	ctx, cancel := s.linked(ctx)
	defer cancel()
	rung, end := s.meet.Listen(s.seatOf(ctx, ""))
	defer end()
	tick := time.NewTicker(pulse)
	defer tick.Stop()
	for {
		n, err := s.news(ctx, nil)
		if err != nil || send.Data(n) != nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-rung:
		case <-tick.C:
		}
	}
}

type ranksInput struct {
	Game  string `query:"game" required:"true" maxLength:"100"`
	Speed string `query:"speed" required:"true" enum:"bullet,blitz,rapid,classical,correspondence"`
}

func (s *Server) ranks(_ context.Context, in *ranksInput) ([]lobby.Rank, error) {
	return s.meet.Ranks(in.Game, in.Speed)
}

// fair returns an error if an analysis of the position b would help in a rated game in progress that is played by the caller,
// or by a member at the same network address. The error names the game only if the caller plays in it.
func (s *Server) fair(ctx context.Context, b game.Board) error {
	id, own, err := s.meet.Barred(s.seatOf(ctx, ""), visitOf(ctx).prefix, b)
	switch {
	case err != nil || id == "":
		return err
	case own:
		return fairPlay.with(fmt.Sprintf("your rated game /play/%s is near this position: no help until it is over", id), "/play/"+id)
	}
	return fairPlay.new()
}

type newTournamentInput struct {
	Body struct {
		By    Guest           `json:"by,omitzero"`
		Terms tournament.Spec `json:"terms"`
	}
}

func (s *Server) newTournament(ctx context.Context, in *newTournamentInput) (tournament.Tournament, error) {
	by, err := s.seat(ctx, in.Body.By)
	if err != nil {
		return tournament.Tournament{}, err
	}
	if err := s.shares.Offers.Take(clientOf(ctx), time.Now()); err != nil {
		return tournament.Tournament{}, err
	}
	if err := s.room(ctx); err != nil {
		return tournament.Tournament{}, err
	}
	id, err := s.tournaments.Make(by, in.Body.Terms)
	if err != nil {
		return tournament.Tournament{}, err
	}
	return s.tournaments.View(by, id)
}

func (s *Server) listTournaments(context.Context, *struct{}) ([]tournament.Entry, error) {
	return s.tournaments.List()
}

// TournamentRef names a tournament in a request.
type TournamentRef struct {
	ID int64 `path:"id" minimum:"1"`
}

func (s *Server) tournament(ctx context.Context, in *TournamentRef) (tournament.Tournament, error) {
	return s.tournaments.View(s.seatOf(ctx, ""), in.ID)
}

type partInput struct {
	TournamentRef
	Body struct {
		Guest
		Do string `json:"do" enum:"join,leave,begin"`
	}
}

func (s *Server) joinTournament(ctx context.Context, in *partInput) (tournament.Tournament, error) {
	by, err := s.seat(ctx, in.Body.Guest)
	if err != nil {
		return tournament.Tournament{}, err
	}
	switch in.Body.Do {
	case "join":
		if err = s.roomForGames(ctx, 1); err == nil {
			err = s.tournaments.Join(by, in.ID)
		}
	case "leave":
		err = s.tournaments.Leave(by, in.ID)
	default:
		err = s.tournaments.Begin(by, in.ID)
	}
	if err != nil {
		return tournament.Tournament{}, err
	}
	return s.tournaments.View(by, in.ID)
}

func (s *Server) forgetTournament(ctx context.Context, in *TournamentRef) error {
	v, err := s.tournaments.View(s.seatOf(ctx, ""), in.ID)
	switch {
	case err != nil:
		return err
	case !v.Mine && (s.seatOf(ctx, "").Member == 0 || club.From(ctx).Role < club.Organiser):
		return tournament.ErrNotYou
	case v.State != "open":
		return tournament.ErrBegun
	}
	return s.db.DeleteTournament(in.ID)
}

func (s *Server) registerMeet() {
	answerJSON(s, op(club.Guest, "act", "POST", "/games/{id}/act", "games", "Resign, offer or accept a draw, request or allow a takeback, abort, offer a rematch, or claim that the opponent is out of time or has left"), s.actInGame)
	answerJSON(s, op(club.Guest, "say", "POST", "/games/{id}/say", "games", "Say one of the phrases"), s.sayPhrase)
	answerJSON(s, op(club.Guest, "answer-opening", "POST", "/games/{id}/opening", "games", "Answer a question of the opening"), s.answerOpening)

	answerJSON(s, op(club.Watcher, "lobby", "GET", "/lobby", "people", "Open challenges, the caller's games in progress, and games to watch"), s.lobby)
	answerJSON(s, with(s.beginning, op(club.Guest, "challenge", "POST", "/challenges", "people", "Offer a game")), made(s, s.challenge))
	answerJSON(s, op(club.Watcher, "find-challenge", "GET", "/challenges/{id}", "people", "A challenge, and the game that was started from it"), s.findChallenge)
	remove(s, op(club.Guest, "withdraw", "DELETE", "/challenges/{id}", "people", "Withdraw a challenge, or decline it"), s.withdraw)
	answerJSON(s, with(s.beginning, op(club.Guest, "accept", "POST", "/challenges/{id}/accept", "people", "Accept a challenge")), made(s, s.accept))
	answerJSON(s, op(club.Watcher, "news", "GET", "/news", "people", "Challenges to the caller, and games in which the caller is to move"), s.news)
	stream(s, club.Watcher, "news-events", "/news/events", "people", "Send the news for the caller (such as games that begin) now and after each change; programs wait here until a game of theirs begins", events{"news": News{}}, s.newsEvents)
	answerJSON(s, op(club.Member, "profile", "GET", "/people/{member}", "people", "The games of a member, and the results of the caller against the member"), s.profile)
	answerList(s, op(club.Watcher, "ranks", "GET", "/ratings", "people", "The ratings of the players in a game with one speed of clock, such as blitz"), s.ranks)

	answerList(s, op(club.Watcher, "tournaments", "GET", "/tournaments", "tournaments", "List tournaments"), s.listTournaments)
	answerJSON(s, with(s.beginning, op(club.Guest, "new-tournament", "POST", "/tournaments", "tournaments", "Create a tournament")), made(s, s.newTournament))
	answerJSON(s, op(club.Watcher, "tournament", "GET", "/tournaments/{id}", "tournaments", "A tournament: standings and rounds"), s.tournament)
	answerJSON(s, op(club.Guest, "join-tournament", "POST", "/tournaments/{id}", "tournaments", "Join, leave or begin a tournament"), s.joinTournament)
	remove(s, op(club.Guest, "delete-tournament", "DELETE", "/tournaments/{id}", "tournaments", "Delete a tournament that has not begun"), s.forgetTournament)
}
