// SPDX-License-Identifier: Apache-2.0

package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/live"
)

// kind describes a class of errors, such as requests without a login. A problem is an error of one kind. The page has its own
// text for each kind, and finds the text by Code.
type kind struct {
	Code   string // name of the problem for programs; it is the same in all versions
	Status int
	Means  string
}

var kinds []kind

func newKind(status int, code, means string) kind {
	k := kind{code, status, means}
	kinds = append(kinds, k)
	return k
}

// The kinds of problems. Some kinds have no variable: they describe errors of package fault, which already contain their code.
var (
	badBody       = newKind(400, "bad-body", "the body is missing, or not JSON")
	noPassword    = newKind(401, "no-password", "the request requires a login")
	_             = newKind(401, "wrong-password", "the name or the password is wrong")
	_             = newKind(401, "code-needed", "the password is right, and the member's second factor requires a current code that was not used yet")
	_             = newKind(401, "bad-passkey", "the passkey was not accepted: it was removed or copied, or the answer took too long")
	_             = newKind(422, "no-passkeys", "browsers support no passkeys at the address under which the server was called")
	_             = newKind(401, "log-in-again", "the request requires a confirmation within the last ten minutes: the password, by POST /api/club/prove, or a login with a passkey")
	_             = newKind(409, "last-way", "the member could not log in without it")
	_             = newKind(403, "banned", "the member is banned; detail says why")
	otherSite     = newKind(403, "other-site", "the request comes from another site")
	_             = newKind(403, "other-seat", "somebody else plays this side")
	fairPlay      = newKind(403, "fair-play", "the position is close to a rated game in progress of a person at the caller's address")
	notAllowed    = newKind(403, "not-allowed", "it belongs to another person, or requires a role that the caller does not have")
	noPage        = newKind(404, "no-page", "there is no such page")
	_             = newKind(404, "no-game", "there is no such game")
	noRun         = newKind(404, "no-run", "there is no such match or run")
	_             = newKind(404, "no-collection", "there is no such collection of games")
	noExperiment  = newKind(404, "no-experiment", "there is no such experiment")
	_             = newKind(404, "no-study", "there is no such study")
	_             = newKind(404, "no-puzzle", "there is no such puzzle")
	noBot         = newKind(404, "no-bot", "there is no such bot, or no such version")
	_             = newKind(401, "bad-token", "no bot has this token")
	noMember      = newKind(404, "no-member", "there is no such member or session")
	noLink        = newKind(404, "no-link", "the link was used, has expired, or never existed")
	_             = newKind(404, "no-challenge", "there is no such challenge, or somebody has taken it")
	_             = newKind(404, "no-tournament", "there is no such tournament")
	_             = newKind(404, "no-league", "there is no such league, or no such member in it")
	notComputed   = newKind(404, "not-computed", "the experiment has not been computed yet")
	badMethod     = newKind(405, "bad-method", "the path does not have that method")
	_             = newKind(409, "changed", "the game has changed meanwhile")
	_             = newKind(409, "not-your-turn", "it is not a person's turn")
	_             = newKind(409, "no-takeback", "there is no move to take back, or the game has clocks")
	_             = newKind(409, "no-resigning", "the game is over, or no person plays it")
	_             = newKind(409, "no-offer", "there is no such offer, or it is too late")
	_             = newKind(409, "in-time", "nobody is out of time")
	goingOn       = newKind(409, "going-on", "it must be stopped first")
	tooLarge      = newKind(413, "too-large", "the request is too large")
	otherHost     = newKind(421, "other-host", "the host name in the request is not a name of the server")
	badRequest    = newKind(422, "bad-request", "a value is missing, too long or out of range; the field errors names it")
	_             = newKind(422, "bad-game", "the spec does not name a game that the server offers")
	badPlayer     = newKind(422, "bad-player", "the spec does not name a player that can be requested")
	_             = newKind(422, "bad-heuristic", "the spec does not name a heuristic that can be requested")
	badLearner    = newKind(422, "bad-learner", "the spec does not name a learner that can be requested")
	_             = newKind(422, "no-analyst", "the player cannot analyse positions")
	_             = newKind(422, "no-solver", "there is no solver for the game")
	twice         = newKind(422, "twice", "a player is in the match twice")
	personInMatch = newKind(422, "person-in-match", "a person cannot play a match")
	badMatch      = newKind(422, "bad-match", "a match with these settings cannot be played")
	_             = newKind(422, "bad-league", "the league cannot do that")
	badName       = newKind(422, "bad-name", "the name is not allowed")
	_             = newKind(422, "weak-password", "the password is too short, or too easy to guess")
	_             = newKind(409, "last-owner", "the club would be without an owner who can log in")
	_             = newKind(422, "taken", "the name is taken")
	_             = newKind(422, "bad-terms", "no game can be played under these terms")
	_             = newKind(422, "bad-tournament", "the tournament cannot do that now")
	_             = newKind(422, "bad-start", "the position to begin with is damaged, or of another game")
	_             = newKind(422, "bad-stones", "the game has no position with these stones")
	badMove       = newKind(422, "bad-move", "the move is not legal there")
	_             = newKind(422, "game-over", "the game is over")
	badText       = newKind(422, "bad-text", "the text cannot be read as a game")
	_             = newKind(422, "no-file", "the format is unknown, or cannot contain the game")
	_             = newKind(422, "bad-opening", "the opening rule does not allow this answer")
	badBot        = newKind(422, "bad-bot", "the bot cannot be stored, published or played")
	_             = newKind(422, "large-tree", "the board is too large for a tree")
	_             = newKind(422, "large-library", "the library has more moves than the page shows")
	tooMany       = newKind(429, "too-many", "the client has too many streams or analyses open, or begins too many games")
	failedInside  = newKind(500, "failed", "the server failed; its log contains the reason")
	busy          = newKind(503, "busy", "too many others are waiting")
	diskFull      = newKind(507, "disk-full", "the disk of the server is full: nothing new can be kept")
	noMove        = newKind(500, "no-move", "the player failed")
	notFulfilled  = newKind(400, "refused", "the request was refused for another reason, which the status names")
)

// Problem is an error in the form of a problem document, which is the JSON that the server answers with.
//
// CITE: Nottingham, Wilde and Dalal, Problem Details for HTTP APIs, RFC 9457, 2023.
type Problem struct {
	Code   string `json:"code" doc:"kind of the problem, for programs; it stays the same in all versions"`
	Title  string `json:"title" doc:"the text of HTTP for the status"`
	Status int    `json:"status"`
	Detail string `json:"detail" doc:"description of the error in one line of English"`
	What   string `json:"what,omitempty" doc:"the spec, move or field that is wrong, or the line of the text"`

	Errors []Wrong `json:"errors,omitempty" doc:"the first 20 fields that are wrong"`
}

// Wrong describes an invalid field of a request.
type Wrong struct {
	Message  string `json:"message"`
	Location string `json:"location,omitempty" example:"body.game"`
}

func (p *Problem) Error() string { return p.Detail }

// GetStatus returns the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType returns the media type of problem documents.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// TransformSchema lists the codes of all kinds of problems in the OpenAPI description.
func (p *Problem) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	code, means := s.Properties["code"], map[string]string{}
	for _, k := range kinds {
		code.Enum = append(code.Enum, k.Code)
		means[k.Code] = http.StatusText(k.Status) + ": " + k.Means
	}
	code.Extensions = map[string]any{"x-enum-descriptions": means}
	return s
}

// with returns a problem of the kind, with detail as its text. The parameter what is the wrong spec, move or field, or the
// wrong line of a text.
func (k kind) with(detail, what string) *Problem {
	return &Problem{Code: k.Code, Title: http.StatusText(k.Status), Status: k.Status, Detail: oneLine(detail), What: oneLine(what)}
}

// new returns a problem of the kind. Its text is Means, the description of the kind.
func (k kind) new() *Problem { return k.with(k.Means, "") }

// wrap returns err as a problem of the kind. The parameter what has the same meaning as in the method with. If err already has
// a kind, it keeps that kind.
func (k kind) wrap(err error, what string) error {
	if err == nil {
		return nil
	}
	if p := knownProblem(err); p != nil {
		return p
	}
	detail := err.Error()
	if e, ok := errors.AsType[*spec.Error](err); ok && e.Hint != "" {
		detail += "; " + e.Hint
	}
	return k.with(detail, what)
}

// knownProblem converts an error that the caller of the API can understand to a problem. For other errors it returns nil.
func knownProblem(err error) *Problem {
	if p, ok := errors.AsType[*Problem](err); ok {
		return p
	}
	if e, ok := errors.AsType[*live.PlayerError](err); ok {
		return cmp.Or(knownProblem(e.Err), noMove.with(err.Error(), e.Player))
	}
	if errors.Is(err, club.ErrBanned) {
		_, reason, _ := strings.Cut(err.Error(), ": ")
		return kindOf("banned").with(reason, "")
	}
	if e := request.Fault(err); e != nil {
		return kindOf(e.Code).with(e.Text, e.What)
	}
	return nil
}

// kindOf returns the kind of a code. A test checks that the code of every fault has a kind.
func kindOf(code string) kind {
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.Code == code })
	if i < 0 {
		return failedInside
	}
	return kinds[i]
}

// problemOf converts err to a problem. An unknown error is a failure of the server, reported with its own text.
func problemOf(err error) *Problem {
	if p := knownProblem(err); p != nil {
		return p
	}
	return failedInside.with(err.Error(), "")
}

// fault converts err to the problem to answer with. An unknown error is logged, and becomes a failure of the server
// without details.
func (s *Server) fault(err error) error {
	if p := knownProblem(err); p != nil {
		if p.Code == diskFull.Code {
			s.log.Error("nothing can be kept", "error", err)
		}
		return p
	}
	if errors.Is(err, context.Canceled) {
		s.log.Debug("request ended early", "error", err) // the client has gone
		return failedInside.new()
	}
	s.log.Error("request failed", "error", err)
	return failedInside.new()
}

// wantsPage reports whether a person reads the answer in a browser.
func wantsPage(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") }

// apology is the page for a problem in a browser. The page loads no other files, because the server may refuse the requests for
// these files as well.
var apology = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>krow: {{.Title}}</title>
<h1>{{.Title}}</h1>
<p>The server says: {{.Detail}}.</p>
<p><a href="/">Go to the first page of krow</a></p>
</html>
`))

// writeTo sends the problem as the answer to a request that no operation of the API serves. A browser receives the problem as a
// web page, a program as the JSON document.
func (p *Problem) writeTo(w http.ResponseWriter, r *http.Request) {
	w.Header().Add("Vary", "Accept")
	if wantsPage(r) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(p.Status)
		_ = apology.Execute(w, p) // an error means that the client has left, so nobody waits for the page
		return
	}
	w.Header().Set("Content-Type", p.ContentType(""))
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p)
}

// Package huma reports invalid requests in the same form as our own problems.
func init() { huma.NewError = newProblem }

// usual contains a kind of problem for each status. It is for errors of package huma, which have a status but no kind.
var usual = map[int]kind{
	400: badBody, 404: noPage, 405: badMethod, 413: tooLarge, 422: badRequest, 429: tooMany, 500: failedInside, 503: busy,
}

func newProblem(status int, detail string, errs ...error) huma.StatusError {
	k, known := usual[status]
	if !known {
		k = notFulfilled
	}
	p := k.with(detail, "")
	p.Title, p.Status = http.StatusText(status), status
	for _, err := range errs {
		if ours, ok := err.(*Problem); ok {
			return ours
		}
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return tooLarge.new()
		}
	}
	var words []string
	for _, err := range errs[:min(len(errs), mostWrong)] {
		var w Wrong
		if d, ok := err.(huma.ErrorDetailer); ok { // err.Error() is not used: it also contains the wrong value, which may be the whole body
			w = Wrong{oneLine(d.ErrorDetail().Message), oneLine(d.ErrorDetail().Location)}
		} else {
			w.Message = oneLine(err.Error())
		}
		p.Errors, words = append(p.Errors, w), append(words, strings.TrimPrefix(w.Location+": "+w.Message, ": "))
	}
	if len(words) > 0 {
		p.What, p.Detail = p.Errors[0].Location, oneLine(strings.Join(words, "; "))
	}
	return p
}

// mostWrong is the maximum number of wrong fields that are listed.
const mostWrong = 20

// longest is the maximum length of a problem's text. The limit is needed because the text may quote the request.
const longest = 400

func oneLine(s string) string { return humanize.OneLine(s, longest) }
