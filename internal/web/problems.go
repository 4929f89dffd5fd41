// SPDX-License-Identifier: Apache-2.0

package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/notation"
)

// kind is a kind of problem, which the page has its own words for.
type kind struct {
	code   string // never changes
	status int
	means  string
}

// The kinds of problems.
var (
	badBody       = kind{"bad-body", http.StatusBadRequest, "the body is missing, or not JSON"}
	noPassword    = kind{"no-password", http.StatusUnauthorized, "a password is needed"}
	otherSite     = kind{"other-site", http.StatusForbidden, "the request comes from another site"}
	noPage        = kind{"no-page", http.StatusNotFound, "there is no such page"}
	noGame        = kind{"no-game", http.StatusNotFound, "there is no such game"}
	noRun         = kind{"no-run", http.StatusNotFound, "there is no such match or run"}
	noStudy       = kind{"no-study", http.StatusNotFound, "there is no such study"}
	notComputed   = kind{"not-computed", http.StatusNotFound, "the study has not been computed yet"}
	badMethod     = kind{"bad-method", http.StatusMethodNotAllowed, "the path does not have that method"}
	changed       = kind{"changed", http.StatusConflict, "the game has changed meanwhile"}
	notYourTurn   = kind{"not-your-turn", http.StatusConflict, "it is not a person's turn"}
	noTakeback    = kind{"no-takeback", http.StatusConflict, "there is no move to take back, or the game has clocks"}
	noResigning   = kind{"no-resigning", http.StatusConflict, "the game is over, or no person plays it"}
	inTime        = kind{"in-time", http.StatusConflict, "nobody is out of time"}
	goingOn       = kind{"going-on", http.StatusConflict, "it must be stopped first"}
	tooLarge      = kind{"too-large", http.StatusRequestEntityTooLarge, "the request is too large"}
	otherHost     = kind{"other-host", http.StatusMisdirectedRequest, "the server is not called by that name"}
	badRequest    = kind{"bad-request", http.StatusUnprocessableEntity, "a value is missing, too long or out of its range; errors says which"}
	badGame       = kind{"bad-game", http.StatusUnprocessableEntity, "the spec is not of a game that is served"}
	badPlayer     = kind{"bad-player", http.StatusUnprocessableEntity, "the spec is not of a player that can be asked for"}
	badHeuristic  = kind{"bad-heuristic", http.StatusUnprocessableEntity, "the spec is not of a heuristic that can be asked for"}
	badLearner    = kind{"bad-learner", http.StatusUnprocessableEntity, "the spec is not of a learner that can be asked for"}
	noAnalyst     = kind{"no-analyst", http.StatusUnprocessableEntity, "the player says nothing about positions"}
	noSolver      = kind{"no-solver", http.StatusUnprocessableEntity, "no solver knows the game"}
	twice         = kind{"twice", http.StatusUnprocessableEntity, "a player is in the match twice"}
	personInMatch = kind{"person-in-match", http.StatusUnprocessableEntity, "a person cannot play a match"}
	badMatch      = kind{"bad-match", http.StatusUnprocessableEntity, "no such match can be played"}
	badStart      = kind{"bad-start", http.StatusUnprocessableEntity, "the position to begin with is damaged, or of another game"}
	badStones     = kind{"bad-stones", http.StatusUnprocessableEntity, "the game has no position of these stones"}
	badMove       = kind{"bad-move", http.StatusUnprocessableEntity, "the move is not legal there"}
	gameOver      = kind{"game-over", http.StatusUnprocessableEntity, "the game is over"}
	badText       = kind{"bad-text", http.StatusUnprocessableEntity, "the text cannot be read as a game"}
	noFile        = kind{"no-file", http.StatusUnprocessableEntity, "the format cannot hold the game"}
	badSwap2      = kind{"bad-swap2", http.StatusUnprocessableEntity, "swap2 does not go on from this board"}
	largeTree     = kind{"large-tree", http.StatusUnprocessableEntity, "the board is too large for a tree"}
	tooMany       = kind{"too-many", http.StatusTooManyRequests, "the client has too many streams or analyses open, or begins too many games"}
	failedInside  = kind{"failed", http.StatusInternalServerError, "the server could not do it; its log says why"}
	busy          = kind{"busy", http.StatusServiceUnavailable, "too many others are waiting"}
	noMove        = kind{"no-move", http.StatusInternalServerError, "the player failed"}
	notFulfilled  = kind{"refused", http.StatusBadRequest, "the request cannot be served for another reason, which the status says"}
)

var kinds = []kind{
	badBody, noPassword, otherSite, noPage, noGame, noRun, noStudy, notComputed, badMethod, changed, notYourTurn, noTakeback, noResigning,
	inTime, goingOn, tooLarge, otherHost, badRequest, badGame, badPlayer, badHeuristic, badLearner, noAnalyst, noSolver, twice, personInMatch, badMatch,
	badStart, badStones, badMove, gameOver, badText, noFile, badSwap2, largeTree, tooMany, failedInside, busy, noMove, notFulfilled,
}

// Problem is a problem document, and the error it tells of.
//
// CITE: Nottingham, Wilde and Dalal, Problem Details for HTTP APIs, RFC 9457, 2023.
type Problem struct {
	Code   string `json:"code" doc:"kind of the problem: a program can go by it"`
	Title  string `json:"title" doc:"the words of HTTP for the status"`
	Status int    `json:"status"`
	Detail string `json:"detail" doc:"what is wrong here, in a line of English"`
	What   string `json:"what,omitempty" doc:"the spec, move or field that is wrong, or the line of the text"`

	Errors []Wrong `json:"errors,omitempty" doc:"all fields that are wrong"`
}

// Wrong is a field of a request that cannot be meant.
type Wrong struct {
	Message  string `json:"message"`
	Location string `json:"location,omitempty" example:"body.game"`
}

func (p *Problem) Error() string { return p.Detail }

// GetStatus returns the status of HTTP.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType returns that of problem documents.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// TransformSchema lists the codes in the description of the interface.
func (p *Problem) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	code, means := s.Properties["code"], map[string]string{}
	for _, k := range kinds {
		code.Enum = append(code.Enum, k.code)
		means[k.code] = http.StatusText(k.status) + ": " + k.means
	}
	code.Extensions = map[string]any{"x-enum-descriptions": means}
	return s
}

// because returns a problem of the kind, in its own words.
func (k kind) because(detail, what string) *Problem {
	return &Problem{Code: k.code, Title: http.StatusText(k.status), Status: k.status, Detail: oneLine(detail), What: oneLine(what)}
}

// plain returns a problem of which there is nothing more to say.
func (k kind) plain() *Problem { return k.because(k.means, "") }

// of makes err, which is about what, a problem of the kind, unless it is one already.
func (k kind) of(err error, what string) error {
	if err == nil {
		return nil
	}
	if p, ok := errors.AsType[*Problem](err); ok {
		return p
	}
	if errors.Is(err, game.ErrOver) {
		return gameOver.plain()
	}
	if e, ok := errors.AsType[*notation.MoveError](err); ok {
		return badMove.because(err.Error(), e.Word)
	}
	if e, ok := errors.AsType[*game.IllegalMoveError](err); ok {
		return badMove.because(err.Error(), e.Move)
	}
	detail := err.Error()
	if e, ok := errors.AsType[*spec.Error](err); ok && e.Hint != "" {
		detail += "; " + e.Hint
	}
	return k.because(detail, what)
}

// problemOf returns the problem that err is. One that is none is a failure of ours, which is told in its own words.
func problemOf(err error) *Problem {
	if p, ok := errors.AsType[*Problem](err); ok {
		return p
	}
	return failedInside.because(err.Error(), "")
}

// write sends a problem from where huma does not.
func (p *Problem) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", p.ContentType(""))
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p) // whoever has gone need not know
}

// The problems that huma finds, and those that a check of ours hands to it, have our form.
func init() { huma.NewError = newProblem }

// usual is the kind of a status of which huma says no more.
var usual = map[int]kind{
	400: badBody, 404: noPage, 405: badMethod, 413: tooLarge, 422: badRequest, 429: tooMany, 500: failedInside, 503: busy,
}

func newProblem(status int, detail string, errs ...error) huma.StatusError {
	k, known := usual[status]
	if !known {
		k = notFulfilled
	}
	p := k.because(detail, "")
	p.Title, p.Status = http.StatusText(status), status
	for _, err := range errs {
		if ours, ok := err.(*Problem); ok {
			return ours
		}
		w := Wrong{Message: oneLine(err.Error())}
		if d, ok := err.(huma.ErrorDetailer); ok {
			w = Wrong{oneLine(d.ErrorDetail().Message), oneLine(d.ErrorDetail().Location)}
		}
		p.Errors = append(p.Errors, w)
	}
	if len(p.Errors) > 0 {
		p.What = p.Errors[0].Location
		words := make([]string, len(p.Errors))
		for i, w := range p.Errors {
			words[i] = strings.TrimPrefix(w.Location+": "+w.Message, ": ")
		}
		p.Detail = oneLine(strings.Join(words, "; "))
	}
	return p
}

// longest is how much of a text is shown: it may quote what was sent.
const longest = 400

func oneLine(s string) string { return spec.OneLine(s, longest) }
