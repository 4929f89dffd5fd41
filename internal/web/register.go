// SPDX-License-Identifier: Apache-2.0

package web

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/app/analysis"
	"github.com/krow-lab/krow/app/runs"
)

// maxBody bounds what a request may send.
const maxBody = 1 << 18

// op describes an operation of the interface.
func op(id, method, path, tag, text string) huma.Operation {
	o := huma.Operation{OperationID: id, Method: method, Path: "/api" + path, Summary: text, Tags: []string{tag}, MaxBodyBytes: maxBody}
	if method == http.MethodDelete {
		o.DefaultStatus = http.StatusNoContent
	}
	return o
}

// with adds a check that stands before an operation.
func with(check func(huma.Context, func(huma.Context)), o huma.Operation) huma.Operation {
	o.Middlewares = append(o.Middlewares, check)
	return o
}

// events are the types of the events of a stream, by name.
type events map[string]any

// stream adds a stream of events, each of which may be a Pulse.
func stream[I any](s *Server, id, path, tag, text string, e events, f func(context.Context, *I, sse.Sender)) {
	e["pulse"] = Pulse{}
	sse.Register(s.api, with(s.streaming, op(id, "GET", path, tag, text)), e, f)
}

// register lists the operations of the interface.
func (s *Server) register() {
	a := s.api
	huma.Register(a, op("listing", "GET", "/catalog", "catalog", "Everything that has a name"), s.listing)
	huma.Register(a, op("opponents", "GET", "/opponents", "catalog", "Players of a game, by strength"), s.opponents)

	huma.Register(a, op("position", "GET", "/position", "positions", "A position as it is drawn"), s.position)
	huma.Register(a, op("overlay", "GET", "/overlay", "positions", "What can be seen without searching: threats, wins, forks, values"), s.overlay)
	huma.Register(a, op("line", "GET", "/line", "positions", "Where the moves of a line are played, and what each makes"), s.line)
	huma.Register(a, op("swap2", "GET", "/swap2", "positions", "What a player says in an opening by swap2"), s.swap2)
	huma.Register(a, op("setup", "POST", "/setup", "positions", "Set up a position of stones"), s.setup)
	huma.Register(a, op("export", "GET", "/export", "positions", "Moves as a file: SGF, PSQ or text"), s.export)
	huma.Register(a, op("import", "POST", "/import", "positions", "Read a text in any of the formats"), s.load)
	stream(s, "analysis", "/analysis", "positions", "What a player thinks of a position, while it thinks",
		events{"queued": Queued{}, "lines": analysis.Lines{}, "done": Done{}}, s.analysis)
	stream(s, "review", "/review", "positions", "What a player thinks of each position of a game, the last one first",
		events{"queued": Queued{}, "judgement": analysis.Judgement{}, "done": Done{}}, s.review)
	stream(s, "solve", "/solve", "positions", "What a position is worth, and each of its moves, proved",
		events{"queued": Queued{}, "solution": Solution{}, "move": SolvedMove{}, "certificate": Certificate{}, "done": Done{}}, s.solve)
	huma.Register(a, op("lab", "GET", "/lab", "lab", "A search with every node written down"), s.lab)

	huma.Register(a, with(s.beginning, op("new-game", "POST", "/games", "games", "Begin a game")), s.newGame)
	huma.Register(a, op("games", "GET", "/games", "games", "List games"), s.games)
	huma.Register(a, op("game", "GET", "/games/{id}", "games", "A game as it stands"), s.game)
	huma.Register(a, op("delete-game", "DELETE", "/games/{id}", "games", "Forget a game"), s.forget)
	huma.Register(a, op("move", "POST", "/games/{id}/moves", "games", "Play a person's move"), s.move)
	huma.Register(a, op("takeback", "POST", "/games/{id}/takeback", "games", "Take back to a person's last turn"), s.takeback)
	huma.Register(a, op("resign", "POST", "/games/{id}/resign", "games", "Resign"), s.resign)
	huma.Register(a, op("flag", "POST", "/games/{id}/flag", "games", "Claim that the side to move is out of time"), s.flag)
	stream(s, "events", "/games/{id}/events", "games", "The game after each change; lets players move",
		events{"game": Game{}, "gone": Gone{}}, s.events)

	huma.Register(a, op("new-match", "POST", "/matches", "matches", "Begin a match, or go on with it"), s.newMatch)
	huma.Register(a, op("matches", "GET", "/matches", "matches", "List matches"), s.matches)
	huma.Register(a, op("match", "GET", "/matches/{id}", "matches", "A match as it stands"), s.match)
	huma.Register(a, op("stop-match", "POST", "/matches/{id}/stop", "matches", "Stop a match; beginning it again goes on"), s.stopMatch)
	huma.Register(a, op("delete-match", "DELETE", "/matches/{id}", "matches", "Forget a match and its games"), s.forgetRun(matchKind))
	stream(s, "match-events", "/matches/{id}/events", "matches", "The match after each game",
		events{"match": MatchView{}, "live": Live{}, "gone": Gone{}}, s.matchEvents)

	huma.Register(a, op("start-run", "POST", "/runs", "learning", "Begin a run of learning, or go on with it"), s.startRun)
	huma.Register(a, op("runs", "GET", "/runs", "learning", "List runs of learning"), s.runs)
	huma.Register(a, op("run", "GET", "/runs/{id}", "learning", "A run with its curve"), s.run)
	huma.Register(a, op("stop-run", "POST", "/runs/{id}/stop", "learning", "Stop a run; beginning it again goes on"), s.stopRun)
	huma.Register(a, op("delete-run", "DELETE", "/runs/{id}", "learning", "Forget a run and its curve"), s.forgetRun(runs.Kind))
	huma.Register(a, op("weights", "GET", "/runs/{id}/weights", "learning", "What a run has learned, as a file that players load"), s.weights)
	stream(s, "run-events", "/runs/{id}/events", "learning", "The run after each step",
		events{"run": RunView{}, "gone": Gone{}}, s.runEvents)

	huma.Register(a, op("studies", "GET", "/studies", "studies", "List studies"), s.studies)
	huma.Register(a, op("report", "GET", "/studies/{name}", "studies", "What a study has found"), s.report)
	huma.Register(a, op("start-study", "POST", "/studies/{name}/start", "studies", "Run a study, or go on with it"), s.startStudy)
	huma.Register(a, op("stop-study", "POST", "/studies/{name}/stop", "studies", "Stop a study; beginning it again goes on"), s.stopStudy)
	stream(s, "study-events", "/studies/{name}/events", "studies", "How far a study is",
		events{"work": Work{}}, s.studyEvents)
}
