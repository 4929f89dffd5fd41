// SPDX-License-Identifier: Apache-2.0

package api

import (
	"errors"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/server/bots"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/explorer"
	"github.com/krow-lab/krow/server/league"
	"github.com/krow-lab/krow/server/live"
	"github.com/krow-lab/krow/server/lobby"
	"github.com/krow-lab/krow/server/match"
	"github.com/krow-lab/krow/server/store"
	"github.com/krow-lab/krow/server/tournament"
)

// telling is what a problem tells of its error.
type telling int

const (
	ofKind telling = iota // what the kind means
	ofName                // the words of the error in the table: the whole line would tell the file of the store, or what is wrong with a forgery
	ofLine                // the whole line of the error
)

// known are the kinds of problems that errors of the application are, whoever returns them.
var known = []struct {
	tells telling
	kind  kind
	errs  []error
}{
	{ofKind, noGame, []error{store.ErrNoGame}},
	{ofKind, noRun, []error{store.ErrNoRun}},
	{ofKind, noPuzzle, []error{store.ErrNoPuzzle}},
	{ofKind, noBot, []error{store.ErrNoBot}},
	{ofKind, noLeague, []error{store.ErrNoLeague, store.ErrNoMember, league.ErrNoGame}},
	{ofKind, changed, []error{store.ErrConflict}},
	{ofKind, lateAnswer, []error{bots.ErrAnswered}},
	{ofKind, personInMatch, []error{match.ErrPerson}},
	{ofKind, taken, []error{store.ErrTaken}},
	{ofKind, diskFull, []error{store.ErrFull}},

	{ofLine, noCollection, []error{store.ErrNoCollection}},
	{ofLine, changed, []error{live.ErrChanged}},
	{ofLine, notYourTurn, []error{live.ErrTurn}},
	{ofLine, noTakeback, []error{live.ErrNoTakeback, live.ErrClocked}},
	{ofLine, noResigning, []error{live.ErrNoResigning}},
	{ofLine, inTime, []error{live.ErrInTime}},
	{ofLine, busy, []error{live.ErrBusy}},
	{ofLine, gameOver, []error{game.ErrOver}},
	{ofLine, badStart, []error{explorer.ErrStart}},
	{ofLine, badLeague, []error{league.ErrName, league.ErrTerms, league.ErrTwice, league.ErrFull, league.ErrMembers}},
	{ofLine, badName, []error{club.ErrName}},
	{ofLine, weakPassword, []error{club.ErrPassword}},
	{ofLine, bannedMember, []error{club.ErrBanned}},

	{ofName, otherSeat, []error{live.ErrSeat}},
	{ofName, noOffer, []error{live.ErrOffer, live.ErrNoAbort, live.ErrPhrase, live.ErrOpening, live.ErrNoOpening}},
	{ofName, goingOn, []error{live.ErrKept}},
	{ofName, badTerms, []error{live.ErrRated, lobby.ErrOwn}},
	{ofName, notAllowed, []error{lobby.ErrNobody, lobby.ErrInvited, tournament.ErrNotYou, club.ErrRight, store.ErrOwnersLink}},
	{ofName, tooMany, []error{lobby.ErrMany, store.ErrManyPasskeys, store.ErrRenames}},
	{ofName, noChallenge, []error{store.ErrNoChallenge}},
	{ofName, noTournament, []error{store.ErrNoTournament}},
	{ofName, badTournament, []error{tournament.ErrBegun, tournament.ErrFew, tournament.ErrFull}},
	{ofName, wrongPassword, []error{club.ErrLogin}},
	{ofName, lastOwner, []error{club.ErrLastOwner}},
	{ofName, busy, []error{club.ErrBusy, lobby.ErrGuests}},
	{ofName, taken, []error{store.ErrNameTaken}},
	{ofName, noMember, []error{store.ErrNoPerson, store.ErrNoSession, store.ErrNoPasskey}},
	{ofName, noLink, []error{store.ErrNoLink}},
	{ofName, badPasskey, []error{club.ErrPasskey}},
	{ofName, noPasskeys, []error{club.ErrNoPasskeys}},
	{ofName, lastWay, []error{club.ErrLastWay}},
	{ofName, staleLogin, []error{club.ErrStale}},
}

// knownProblem returns the problem that an error is, or nil for one that is not known.
func knownProblem(err error) *Problem {
	if p, ok := errors.AsType[*Problem](err); ok {
		return p
	}
	for _, k := range known {
		for _, e := range k.errs {
			if errors.Is(err, e) {
				return k.kind.because([...]string{k.kind.Means, e.Error(), err.Error()}[k.tells], "")
			}
		}
	}
	if e, ok := errors.AsType[*live.PlayerError](err); ok {
		return knownProblem(noMove.of(e, e.Player))
	}
	if e, ok := errors.AsType[*game.IllegalMoveError](err); ok {
		return badMove.because(err.Error(), e.Move)
	}
	return nil
}

// problemOf returns the problem that err is. One that is not known is a failure of the server, told in its own words.
func problemOf(err error) *Problem {
	if p := knownProblem(err); p != nil {
		return p
	}
	return failedInside.because(err.Error(), "")
}

// fault returns the problem that an error is for the page. One that is not known is our failure.
func (s *Server) fault(err error) error {
	if p := knownProblem(err); p != nil {
		if p.Code == diskFull.Code {
			s.log.Error("nothing can be kept", "error", err)
		}
		return p
	}
	s.log.Error("request failed", "error", err)
	return failedInside.plain()
}
