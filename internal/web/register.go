// SPDX-License-Identifier: Apache-2.0

package web

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/sse"
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

// register lists the operations of the interface.
func (s *Server) register() {
	huma.Register(s.api, op("listing", "GET", "/catalog", "catalog", "Everything that has a name"), s.listing)
	huma.Register(s.api, op("opponents", "GET", "/opponents", "catalog", "Players of a game, by strength"), s.opponents)
	huma.Register(s.api, op("position", "GET", "/position", "positions", "A position as it is drawn"), s.position)

	huma.Register(s.api, op("new-game", "POST", "/games", "games", "Begin a game"), s.newGame)
	huma.Register(s.api, op("games", "GET", "/games", "games", "List games"), s.games)
	huma.Register(s.api, op("game", "GET", "/games/{id}", "games", "A game as it stands"), s.game)
	huma.Register(s.api, op("delete-game", "DELETE", "/games/{id}", "games", "Forget a game"), s.forget)
	huma.Register(s.api, op("move", "POST", "/games/{id}/moves", "games", "Play a person's move"), s.move)
	huma.Register(s.api, op("takeback", "POST", "/games/{id}/takeback", "games", "Take back to a person's last turn"), s.takeback)
	huma.Register(s.api, op("resign", "POST", "/games/{id}/resign", "games", "Resign"), s.resign)
	sse.Register(s.api, op("events", "GET", "/games/{id}/events", "games", "The game after each change; lets players move"),
		map[string]any{"game": Game{}, "gone": Gone{}, "pulse": Pulse{}}, s.events)
	sse.Register(s.api, op("analysis", "GET", "/analysis", "positions", "What a player thinks of a position, while it thinks"),
		map[string]any{"queued": Queued{}, "lines": Lines{}, "done": Done{}, "pulse": Pulse{}}, s.analysis)
}
