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

const maxBody = 1 << 18

func op(id, method, path, tag, text string) huma.Operation {
	return huma.Operation{OperationID: id, Method: method, Path: "/api" + path, Summary: text, Tags: []string{tag}, MaxBodyBytes: maxBody}
}

// with adds a check that stands before an operation.
func with(check func(huma.Context, func(huma.Context)), o huma.Operation) huma.Operation {
	o.Middlewares = append(o.Middlewares, check)
	return o
}

// answer adds an operation that is answered with a value as JSON.
func answer[I, O any](s *Server, o huma.Operation, f func(context.Context, *I) (O, error)) {
	huma.Register(s.api, o, func(ctx context.Context, in *I) (*struct{ Body O }, error) {
		v, err := f(ctx, in)
		if err != nil {
			return nil, s.fault(err)
		}
		return &struct{ Body O }{v}, nil
	})
}

// remove adds an operation that has no answer but its status.
func remove[I any](s *Server, o huma.Operation, f func(context.Context, *I) error) {
	o.DefaultStatus = http.StatusNoContent
	huma.Register(s.api, o, func(ctx context.Context, in *I) (*struct{}, error) {
		if err := f(ctx, in); err != nil {
			return nil, s.fault(err)
		}
		return nil, nil
	})
}

// events are the types of the events of a stream, by name.
type events map[string]any

// stream adds a stream of events, each of which may be a Pulse.
func stream[I any](s *Server, id, path, tag, text string, e events, f func(context.Context, *I, sse.Sender)) {
	e["pulse"] = Pulse{}
	sse.Register(s.api, with(s.streaming, op(id, "GET", path, tag, text)), e, f)
}

func (s *Server) register() {
	answer(s, op("listing", "GET", "/catalog", "catalog", "Everything that has a name"), s.listing)
	answer(s, op("heuristics", "GET", "/heuristics", "catalog", "Heuristics that value positions of a game"), s.heuristics)
	answer(s, op("learners", "GET", "/learners", "catalog", "Learners that can learn a game, with their arguments"), s.learners)
	answer(s, op("opponents", "GET", "/opponents", "catalog", "Players of a game, by strength"), s.opponents)

	answer(s, op("position", "GET", "/position", "positions", "A position as it is drawn"), s.position)
	answer(s, op("overlay", "GET", "/overlay", "positions", "What can be seen without searching: threats, wins, forks, values"), s.overlay)
	answer(s, op("line", "GET", "/line", "positions", "Where the moves of a line are played, and what each makes"), s.line)
	answer(s, op("opening", "GET", "/opening", "positions", "An opening by Taraguchi-10 or Soosyrv-8 as it stands"), s.opening)
	answer(s, op("opening-answer", "GET", "/opening/answer", "positions", "What a player answers in such an opening"), s.openingAnswer)
	answer(s, op("setup", "POST", "/setup", "positions", "Set up a position of stones"), s.setup)
	huma.Register(s.api, op("export", "GET", "/export", "positions", "Moves as a file: SGF, PSQ or text"), s.export)
	answer(s, op("import", "POST", "/import", "positions", "Read a text in any of the formats"), s.load)
	written := op("library", "POST", "/library", "positions", "A tree of moves as a library of RenLib")
	written.MaxBodyBytes = maxLibrary
	huma.Register(s.api, written, s.library)
	page := op("page", "POST", "/page", "positions", "A tree of moves as an HTML file that needs no server")
	page.MaxBodyBytes = maxLibrary
	huma.Register(s.api, page, s.htmlPage)
	readable := op("read-library", "POST", "/library/read", "positions", "Read a library of RenLib")
	readable.MaxBodyBytes = maxLibrary
	answer(s, readable, s.readLibrary)
	stream(s, "analysis", "/analysis", "positions", "What a player thinks of a position, while it thinks",
		events{"queued": Queued{}, "lines": analysis.Lines{}, "done": Done{}}, s.analysis)
	stream(s, "review", "/review", "positions", "What a player thinks of each position of a game, the last one first",
		events{"queued": Queued{}, "judgement": analysis.Judgement{}, "done": Done{}}, s.review)
	stream(s, "solve", "/solve", "positions", "What a position is worth, and each of its moves, proved",
		events{"queued": Queued{}, "solution": Solution{}, "move": SolvedMove{}, "certificate": Certificate{}, "done": Done{}}, s.solve)
	answer(s, op("lab", "GET", "/lab", "lab", "A search with every node written down"), s.lab)

	answer(s, op("explore", "GET", "/explorer", "explorer", "What was played from a position"), s.explore)
	answer(s, op("collections", "GET", "/explorer/collections", "explorer", "List collections of games"), s.collections)
	remove(s, op("delete-collection", "DELETE", "/explorer/collections/{id}", "explorer", "Forget a collection and its games"), s.forgetCollection)
	sent := op("collect", "POST", "/explorer/import", "explorer", "Add the games of a file to a collection; answers with its progress, an object a line")
	sent.MaxBodyBytes = maxImport
	huma.Register(s.api, sent, s.collect)

	answer(s, with(s.beginning, op("new-game", "POST", "/games", "games", "Begin a game")), s.newGame)
	answer(s, op("games", "GET", "/games", "games", "List games"), s.games)
	answer(s, op("game", "GET", "/games/{id}", "games", "A game as it stands"), s.game)
	remove(s, op("delete-game", "DELETE", "/games/{id}", "games", "Forget a game"), s.forget)
	answer(s, op("move", "POST", "/games/{id}/moves", "games", "Play a person's move"), s.move)
	answer(s, op("takeback", "POST", "/games/{id}/takeback", "games", "Take back to a person's last turn"), s.takeback)
	answer(s, op("resign", "POST", "/games/{id}/resign", "games", "Resign"), s.resign)
	answer(s, op("flag", "POST", "/games/{id}/flag", "games", "Claim that the side to move is out of time"), s.flag)
	stream(s, "events", "/games/{id}/events", "games", "The game after each change; lets players move",
		events{"game": Game{}, "gone": Gone{}}, s.events)

	answer(s, op("new-match", "POST", "/matches", "matches", "Begin a match, or go on with it"), s.newMatch)
	answer(s, op("matches", "GET", "/matches", "matches", "List matches"), s.matches)
	answer(s, op("match", "GET", "/matches/{id}", "matches", "A match as it stands"), s.match)
	answer(s, op("stop-match", "POST", "/matches/{id}/stop", "matches", "Stop a match; beginning it again goes on"), s.stopMatch)
	remove(s, op("delete-match", "DELETE", "/matches/{id}", "matches", "Forget a match and its games"), s.forgetRun(matchKind))
	stream(s, "match-events", "/matches/{id}/events", "matches", "The match after each game",
		events{"match": MatchView{}, "live": Live{}, "gone": Gone{}}, s.matchEvents)

	answer(s, op("start-run", "POST", "/runs", "learning", "Begin a run of learning, or go on with it"), s.startRun)
	answer(s, op("runs", "GET", "/runs", "learning", "List runs of learning"), s.runs)
	answer(s, op("run", "GET", "/runs/{id}", "learning", "A run with its curve"), s.run)
	answer(s, op("stop-run", "POST", "/runs/{id}/stop", "learning", "Stop a run; beginning it again goes on"), s.stopRun)
	remove(s, op("delete-run", "DELETE", "/runs/{id}", "learning", "Forget a run and its curve"), s.forgetRun(runs.Kind))
	huma.Register(s.api, op("weights", "GET", "/runs/{id}/weights", "learning", "What a run has learned, as a file that players load"), s.weights)
	stream(s, "run-events", "/runs/{id}/events", "learning", "The run after each step",
		events{"run": RunView{}, "gone": Gone{}}, s.runEvents)

	s.registerPuzzles()
	s.registerLeagues()
	s.registerBots()

	answer(s, op("studies", "GET", "/studies", "studies", "List studies"), s.studies)
	answer(s, op("report", "GET", "/studies/{name}", "studies", "What a study has found"), s.report)
	answer(s, op("start-study", "POST", "/studies/{name}/start", "studies", "Run a study, or go on with it"), s.startStudy)
	answer(s, op("stop-study", "POST", "/studies/{name}/stop", "studies", "Stop a study; beginning it again goes on"), s.stopStudy)
	stream(s, "study-events", "/studies/{name}/events", "studies", "How far a study is",
		events{"work": Work{}}, s.studyEvents)
}
