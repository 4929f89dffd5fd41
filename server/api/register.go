// SPDX-License-Identifier: Apache-2.0

package api

import (
	"context"
	"net/http"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/sse"

	"github.com/krow-lab/krow/app/analysis"
	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/app/solve"
	"github.com/krow-lab/krow/server/classroom"
	"github.com/krow-lab/krow/server/club"
	"github.com/krow-lab/krow/server/gate"
	"github.com/krow-lab/krow/server/match"
	"github.com/krow-lab/krow/server/runs"
)

// maxBody is the maximum length of a request body for most operations, in bytes. Operations made by large allow longer ones.
const maxBody = 1 << 18

// op returns an operation for callers whose role is least or a greater role. Rights on a single game or run are checked by
// club.May.
func op(least club.Role, id, method, path, tag, text string) huma.Operation {
	return huma.Operation{
		OperationID: id, Method: method, Path: "/api" + path, Summary: text, Tags: []string{tag}, MaxBodyBytes: maxBody, BodyReadTimeout: bodyTime,
		Extensions: map[string]any{leastRole: least.String()},
	}
}

// with returns the operation o with a check that runs before it.
func with(check func(huma.Context, func(huma.Context)), o huma.Operation) huma.Operation {
	o.Middlewares = append(o.Middlewares, check)
	return o
}

// answerJSON adds an operation that is answered with a value as JSON.
func answerJSON[I, O any](s *Server, o huma.Operation, f func(context.Context, *I) (O, error)) {
	huma.Register(s.api, o, answered(s, func(ctx context.Context, in *I) (*struct{ Body O }, error) {
		v, err := f(ctx, in)
		return &struct{ Body O }{v}, err
	}))
}

// answered wraps the function of an operation: its errors become the problems that the API answers with.
func answered[I, O any](s *Server, f func(context.Context, *I) (*O, error)) func(context.Context, *I) (*O, error) {
	return func(ctx context.Context, in *I) (*O, error) {
		v, err := f(ctx, in)
		if err != nil {
			return nil, s.fault(err)
		}
		return v, nil
	}
}

// answerList adds an operation that is answered with a list, empty rather than null.
func answerList[I, T any](s *Server, o huma.Operation, f func(context.Context, *I) ([]T, error)) {
	answerJSON(s, o, func(ctx context.Context, in *I) ([]T, error) {
		list, err := f(ctx, in)
		return append([]T{}, list...), err
	})
}

// remove adds an operation whose answer has a status and no body.
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

// stream adds an operation that sends a stream of events. Each event has one of the types in e, or is a Pulse.
func stream[I any](s *Server, least club.Role, id, path, tag, text string, e events, f func(context.Context, *I, sse.Sender)) {
	e["pulse"] = Pulse{}
	sse.Register(s.api, with(s.streaming, op(least, id, "GET", path, tag, text)), e, f)
}

func (s *Server) register() {
	answerJSON(s, op(club.Watcher, "listing", "GET", "/catalog", "catalog", "The games, players, heuristics and learners, with their arguments"), s.listing)
	answerJSON(s, op(club.Watcher, "heuristics", "GET", "/heuristics", "catalog", "The heuristics that can evaluate positions of a game"), request.Heuristics)
	answerJSON(s, op(club.Watcher, "learners", "GET", "/learners", "catalog", "The learners that can learn a game, with their arguments"), request.Learners)
	answerJSON(s, op(club.Watcher, "opponents", "GET", "/opponents", "catalog", "The computer players for a game, the weakest first"), s.opponents)

	answerJSON(s, op(club.Watcher, "position", "GET", "/position", "positions", "A position, with everything that is needed to draw it"), request.Position)
	answerJSON(s, op(club.Watcher, "overlay", "GET", "/overlay", "positions", "Threats, winning cells, forks and values of a position, computed without a search"), inside(s.looks, fairly(s, request.Overlay)))
	answerJSON(s, op(club.Watcher, "line", "GET", "/line", "positions", "The cells of a sequence of moves, and the threats that each move makes"), inside(s.looks, request.Line))
	answerJSON(s, op(club.Watcher, "opening", "GET", "/opening", "positions", "The current state of an opening by Taraguchi-10 or Soosyrv-8"), request.Opening)
	answerJSON(s, op(club.Guest, "opening-answer", "GET", "/opening/answer", "positions", "The answer of a computer player to a question of the opening rule Taraguchi-10 or Soosyrv-8, such as whether to swap"), s.openingAnswer)
	answerJSON(s, op(club.Guest, "setup", "POST", "/setup", "positions", "Set up a position of stones"), request.Setup)
	huma.Register(s.api, op(club.Guest, "export", "GET", "/export", "positions", "Moves as a file: SGF, PSQ or text"), answered(s, request.Export))
	answerJSON(s, op(club.Guest, "import", "POST", "/import", "positions", "Read a position, a game or a tree of moves from a text in any format that krow reads"), s.load)
	written := large(op(club.Guest, "library", "POST", "/library", "positions", "Convert a tree of moves to a RenLib library"), request.MaxLibrary)
	huma.Register(s.api, written, answered(s, inside(s.trees, request.Library)))
	s.takesTree(written.Path)
	page := large(op(club.Guest, "page", "POST", "/page", "positions", "Convert a tree of moves to an HTML file that needs no server"), request.MaxLibrary)
	huma.Register(s.api, page, answered(s, inside(s.trees, request.HTML)))
	s.takesTree(page.Path)
	answerJSON(s, large(op(club.Guest, "read-library", "POST", "/library/read", "positions", "Read a RenLib library"), request.MaxLibrary), inside(s.trees, request.ReadLibrary))
	stream(s, club.Guest, "analysis", "/analysis", "positions", "Analyse a position with a player: intermediate results, then the final one",
		events{"queued": Queued{}, "lines": analysis.Lines{}, "done": request.Done{}}, s.analysis)
	stream(s, club.Guest, "review", "/review", "positions", "Analyse each position of a game with a player, the last position first",
		events{"queued": Queued{}, "judgement": analysis.Judgement{}, "levels": LevelsPlayed{}, "done": request.Done{}}, s.review)
	stream(s, club.Guest, "solve", "/solve", "positions", "Solve a position: its proved value, and the value of each move",
		events{"queued": Queued{}, "solution": solve.SolvedLine{}, "move": solve.SolvedMove{}, "certificate": solve.Certificate{}, "done": request.Done{}}, s.solve)
	answerJSON(s, op(club.Guest, "lab", "GET", "/lab", "lab", "A search, with a record of each of its nodes"), inside(s.trees, fairly(s, s.lab)))

	answerJSON(s, op(club.Watcher, "explore", "GET", "/explorer", "explorer", "The moves that were played from a position, with results"), s.explore)
	answerList(s, op(club.Watcher, "collections", "GET", "/explorer/collections", "explorer", "List collections of games"), s.collections)
	remove(s, op(club.Organiser, "delete-collection", "DELETE", "/explorer/collections/{id}", "explorer", "Delete a collection and its games"), s.forgetCollection)
	sent := op(club.Organiser, "collect", "POST", "/explorer/import", "explorer", "Add the games of a file to a collection, with reports of the progress")
	huma.Register(s.api, answersLines[Collecting](s, with(s.importing, large(sent, maxImport))), s.collect)

	answerJSON(s, with(s.beginning, op(club.Guest, "new-game", "POST", "/games", "games", "Begin a game")), made(s, s.newGame))
	answerJSON(s, with(s.beginning, large(op(club.Member, "take-in", "POST", "/saved", "games", "Store the games and the puzzle progress that a browser saved while it used the page without a server"), maxSaved)), made(s, s.takeIn))
	answerJSON(s, op(club.Watcher, "games", "GET", "/games", "games", "List games"), s.games)
	answerJSON(s, op(club.Watcher, "game", "GET", "/games/{id}", "games", "The current state of a game"), s.game)
	remove(s, op(club.Guest, "delete-game", "DELETE", "/games/{id}", "games", "Delete a game"), s.forget)
	answerJSON(s, op(club.Guest, "move", "POST", "/games/{id}/moves", "games", "Play a person's move"), s.move)
	remove(s, op(club.Guest, "show-game", "POST", "/games/{id}/visibility", "games", "Set who may look at a game of the caller"), s.showGame)
	stream(s, club.Watcher, "events", "/games/{id}/events", "games", "Send the game after each change; also starts computer players that are to move",
		events{"game": Game{}, "gone": Gone{}}, s.events)

	answerJSON(s, op(club.Member, "new-match", "POST", "/matches", "matches", "Begin a match, or continue it"), s.newMatch)
	answerList(s, op(club.Watcher, "matches", "GET", "/matches", "matches", "List matches"), s.matches)
	aboutRuns(s, matchKind, "match", "/matches/{id}", "matches", "match", s.matchOf)
	stream(s, club.Watcher, "match-events", "/matches/{id}/events", "matches", "Send the match after each game",
		events{"match": MatchView{}, "live": match.Live{}, "gone": Gone{}}, s.matchEvents)

	answerJSON(s, op(club.Member, "start-run", "POST", "/runs", "learning", "Begin a learning run, or continue it"), s.startRun)
	answerList(s, op(club.Watcher, "runs", "GET", "/runs", "learning", "List learning runs"), s.runs)
	aboutRuns(s, runs.Kind, "run", "/runs/{id}", "learning", "learning run", s.runView)
	remove(s, op(club.Member, "show-run", "POST", "/runs/{id}/visibility", "learning", "Set who may look at a run or a match of the caller"), s.showRun)
	huma.Register(s.api, with(s.looking, op(club.Watcher, "weights", "GET", "/runs/{id}/weights", "learning", "The learned weights of a run, as a file that players can load")), s.weights)
	stream(s, club.Watcher, "run-events", "/runs/{id}/events", "learning", "Send the state of a learning run after each step",
		events{"run": RunView{}, "gone": Gone{}}, s.runEvents)

	s.registerMeet()
	s.registerPuzzles()
	s.registerLeagues()
	s.registerBots()
	s.registerAway()
	s.registerClub()
	s.registerMachines()

	answerList(s, op(club.Member, "studies", "GET", "/studies", "studies", "List one's own studies, without their chapters"), s.studies)
	answerJSON(s, op(club.Member, "new-study", "POST", "/studies", "studies", "Store a study: a list of chapters, each with a tree of moves"), s.newStudy)
	answerJSON(s, op(club.Watcher, "study", "GET", "/studies/{id}", "studies", "Read a study"), s.study)
	answerJSON(s, op(club.Member, "save-study", "PUT", "/studies/{id}", "studies", "Replace the name and the chapters of a study"), s.saveStudy)
	remove(s, op(club.Member, "show-board", "PUT", "/studies/{id}/board", "studies", "Show a board to everybody who has the study open, or stop showing it"), s.showBoard)
	remove(s, op(club.Guest, "play-on-board", "POST", "/studies/{id}/moves", "studies", "Play a move on the board of a live study"), s.playOnBoard)
	stream(s, club.Watcher, "study-events", "/studies/{id}/events", "studies", "Send the board of a study now and after each change",
		events{"board": classroom.StudyBoard{}, "gone": Gone{}}, s.studyEvents)
	remove(s, op(club.Member, "delete-study", "DELETE", "/studies/{id}", "studies", "Delete a study"), s.deleteStudy)

	answerJSON(s, op(club.Watcher, "experiments", "GET", "/experiments", "experiments", "List experiments"), s.experiments)
	answerJSON(s, op(club.Watcher, "report", "GET", "/experiments/{name}", "experiments", "The report of an experiment"), s.report)
	answerJSON(s, op(club.Organiser, "start-experiment", "POST", "/experiments/{name}/start", "experiments", "Begin to run an experiment, or continue it"), s.startExperiment)
	answerJSON(s, op(club.Organiser, "stop-experiment", "POST", "/experiments/{name}/stop", "experiments", "Stop an experiment; it can be continued by starting it again"), s.stopExperiment)
	answerJSON(s, op(club.Watcher, "values", "GET", "/values", "experiments", "List the proved values of games"), request.Values)
	stream(s, club.Watcher, "experiment-events", "/experiments/{name}/events", "experiments", "Send the progress of an experiment",
		events{"work": gate.Work{}}, s.experimentEvents)
}

// describeLists corrects the description of three kinds of lists that are never null: optional lists, lists of fixed length, and
// lists in a list.
func describeLists(o *huma.OpenAPI) {
	for _, path := range o.Paths {
		for _, op := range []*huma.Operation{path.Get, path.Post} {
			if op != nil && op.Responses["200"] != nil && op.Responses["200"].Content["application/json"] != nil {
				op.Responses["200"].Content["application/json"].Schema.Nullable = false
			}
		}
	}
	for _, schema := range o.Components.Schemas.Map() {
		for name, p := range schema.Properties {
			fixed := p.MinItems != nil && p.MaxItems != nil && *p.MinItems == *p.MaxItems
			if p.Type == huma.TypeArray && (fixed || !slices.Contains(schema.Required, name)) {
				p.Nullable = false
			}
			if p.Items != nil {
				p.Items.Nullable = false
			}
		}
	}
}

// answersLines describes the answer of an operation as JSON values of type T, one a line.
func answersLines[T any](s *Server, o huma.Operation) huma.Operation {
	schema := s.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[T](), true, "")
	o.Responses = map[string]*huma.Response{"200": {Description: "JSON values, one a line", Content: map[string]*huma.MediaType{linesType: {Schema: schema}}}}
	return o
}
