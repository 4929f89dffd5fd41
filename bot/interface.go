// SPDX-License-Identifier: Apache-2.0

package bot

// Item is a line of the interface that a program in Starlark sees.
type Item struct {
	Name      string `json:"name"`      // as a program writes it, such as position.moves
	Signature string `json:"signature"` // the same with its arguments and what it returns
	Doc       string `json:"doc"`       // one sentence or two
}

// Interface returns all that a program in Starlark can use besides the language itself: for completion, and for
// docs/reference/bots.md.
func Interface() []Item { return items }

var items = []Item{
	{"choose", "choose(position, clock) -> move", "You define it: the move to play. Define one of choose, evaluate and score."},
	{"evaluate", "evaluate(position) -> number", "You define it: what the position is worth for position.me. Krow searches with it by alpha-beta."},
	{"score", "score(position, move) -> number", "You define it: what the move is worth. Alone it chooses the best move; beside evaluate it puts the moves in order for the search."},
	{"tests", "tests = [(game, moves, wanted), ...]", "You may define it: positions, and the moves one of which should be played, such as (\"gomoku\", \"h8 h9\", \"i9|g9\")."},

	{"position.game", "position.game -> string", "The game, such as \"gomoku:15\"."},
	{"position.width", "position.width -> int", "The number of columns."},
	{"position.height", "position.height -> int", "The number of rows."},
	{"position.k", "position.k -> int", "How many in a row win, 0 where rows do not decide."},
	{"position.cells", "position.cells -> sequence of int", "What stands on each cell: 0 nothing, 1 or 2 a stone of that side. Cell column + row * width, row 0 at the bottom. It follows play and undo."},
	{"position.me", "position.me -> int", "The side that you play for, 1 or 2."},
	{"position.opponent", "position.opponent -> int", "The other side."},
	{"position.turn", "position.turn -> int", "The side to move, 1 or 2."},
	{"position.ply", "position.ply -> int", "How many moves have been made."},
	{"position.key", "position.key -> int", "A number for the position: equal positions have equal keys."},
	{"position.last", "position.last -> move or None", "The last move."},
	{"position.result", "position.result -> int or None", "None while the game goes on, 0 for a draw, else the side that has won."},
	{"position.moves", "position.moves() -> list of moves", "The legal moves that no rule forbids."},
	{"position.play", "position.play(move)", "Makes a move. What you do not take back, krow takes back for you."},
	{"position.undo", "position.undo()", "Takes back the last move that you made."},
	{"position.name", "position.name(move) -> string", "The name of a move, such as \"h8\"."},
	{"position.move", "position.move(name) -> move", "The move of that name. A move is a number; functions take its name, too."},

	{"clock.steps", "clock.steps -> int", "How many steps you have left for this move."},
	{"clock.time", "clock.time -> float or None", "How many seconds you have for this move, if there is a limit."},

	{"memory", "memory -> dict", "Yours to keep things in from move to move. It is empty when a game begins."},
	{"param", "param(name, default, low, high) -> float", "Declares a parameter, outside functions, and returns its value: the default, or what a learner tries."},
	{"search", "search(depth=0, nodes=0)", "Bounds krow's search with evaluate, outside functions. 0 bounds nothing."},
	{"random", "random() -> float, random(n) -> int", "A random number from 0 up to 1, or a whole one from 0 to n-1. The same seed draws the same numbers."},
	{"draw", "draw(cell, text=\"\", colour=\"\")", "Shows a short text or a number on a cell, or colours it: red, orange, yellow, green, blue, purple, grey."},
	{"print", "print(...)", "Writes a line to your log."},
	{"math", "math.sqrt(x), math.exp(x), math.log(x), ...", "Starlark's module of mathematics."},
}
