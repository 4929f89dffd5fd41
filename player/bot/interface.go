// SPDX-License-Identifier: Apache-2.0

package bot

// Item describes one name that a program in Starlark can use.
type Item struct {
	Name      string `json:"name"`      // the name as a program writes it, such as position.moves
	Signature string `json:"signature"` // the name with its arguments and its result
	Doc       string `json:"doc"`       // one or two sentences that describe the name
}

// Interface returns all names that a program in Starlark can use in addition to the language itself. Editors complete them, and
// docs/reference/bots.md lists them.
func Interface() []Item { return items }

var items = []Item{
	{"choose", "choose(position, clock) -> move", "You define it: the move to play. Define one of choose, evaluate and score."},
	{"evaluate", "evaluate(position) -> number", "You define it: the value of the position for position.me. Krow searches with these values."},
	{"score", "score(position, move) -> number", "You define it: the value of the move. Without evaluate, krow plays the move with the greatest value; with evaluate, the values put the moves in order for the search."},
	{"tests", "tests = [(game, moves, wanted), ...]", "You may define it: positions, each with the moves that are right there, such as (\"gomoku\", \"h8 h9\", \"i9|g9\")."},

	{"position.game", "position.game -> string", "The game, such as \"gomoku:15\"."},
	{"position.width", "position.width -> int", "The number of columns."},
	{"position.height", "position.height -> int", "The number of rows."},
	{"position.k", "position.k -> int", "How many in a row win, or 0 if rows do not decide the game."},
	{"position.cells", "position.cells -> sequence of int", "The stone on each cell: 0 none, 1 or 2 a stone of that side. The number of a cell is column + row * width, with row 0 at the bottom. play and undo change this sequence."},
	{"position.me", "position.me -> int", "The side that you play for, 1 or 2."},
	{"position.opponent", "position.opponent -> int", "The other side."},
	{"position.turn", "position.turn -> int", "The side to move, 1 or 2."},
	{"position.ply", "position.ply -> int", "How many moves have been made."},
	{"position.key", "position.key -> int", "A number for the position: equal positions have equal keys."},
	{"position.last", "position.last -> move or None", "The last move."},
	{"position.history", "position.history -> list of moves", "The moves made since the start, or since the position was set up."},
	{"position.state", "position.state -> list of int", "The numbers that the rules need in addition to the stones, such as captured stones. docs/reference/formats/position.md lists them for each game."},
	{"position.result", "position.result -> int or None", "None during the game, 0 for a draw, otherwise the side that has won."},
	{"position.moves", "position.moves() -> list of moves", "The moves that the side to move may make, without those that a rule forbids."},
	{"position.play", "position.play(move)", "Makes a move. When your function ends, krow takes back the moves that you have not taken back."},
	{"position.undo", "position.undo()", "Takes back the last move that you made."},
	{"position.near", "position.near(distance=1) -> list of moves", "The legal moves within this distance, in columns and rows, of a stone; on an empty board the centre."},
	{"position.wins", "position.wins(side) -> list of moves", "The moves with which this side would complete a winning row if it were to move. You must block those of the opponent."},
	{"position.forbidden", "position.forbidden() -> list of moves", "The moves that a rule forbids to the side to move, as in renju."},
	{"position.at", "position.at(column, row) -> int or None", "The stone there: 0 none, 1 or 2 the side, and None outside the board. Columns and rows count from 0, row 0 at the bottom."},
	{"position.cell", "position.cell(move) -> int", "The cell on which the move would place its stone."},
	{"position.lines", "position.lines() -> list of tuples, position.lines(cell)", "All rows of k cells of the board, or all rows through a cell. Each row is a tuple of cells."},
	{"position.windows", "position.windows(side) -> list of int", "Element n is the number of rows of k cells with n stones of the side and none of the other. In ultimate tic-tac-toe it counts rows of small boards."},
	{"position.nested", "position.nested(side) -> list of int", "The windows of all open small boards of ultimate tic-tac-toe, added up; an empty list in other games."},
	{"position.threats", "position.threats(side) -> list of threats", "The side's runs of stones that can still become a row, or are one. A threat has size (the number of its stones), kind (\"open\", \"half-open\" or \"complete\"), cells, and gap (the free cell between its stones, or None)."},
	{"position.boards", "position.boards -> list of boards", "The nine small boards of ultimate tic-tac-toe; empty in other games."},
	{"position.forced", "position.forced -> int or None", "The small board of ultimate tic-tac-toe that must be played in."},
	{"board.owner", "board.owner -> int", "Who has won the small board: 1, 2, or 0 for nobody."},
	{"board.closed", "board.closed -> bool", "Whether the small board takes no more stones."},
	{"board.cells", "board.cells -> list of int", "The nine cells of the small board, row by row from the top left."},
	{"board.windows", "board.windows(side) -> list of int", "Like position.windows, for the cells of the small board."},
	{"board.wins", "board.wins(side) -> list of moves", "The moves that would win the small board."},
	{"position.name", "position.name(move) -> string", "The name of a move, such as \"h8\"."},
	{"position.move", "position.move(name) -> move", "The move of that name. A move is a number; functions also accept its name."},

	{"clock.steps", "clock.steps -> int", "How many steps you have left for this move."},
	{"clock.time", "clock.time -> float or None", "How many seconds you have for this move, if there is a limit."},

	{"memory", "memory -> dict", "A dict in which you may keep data from move to move. It is empty when a game begins, and on the web page also after a takeback or after minutes without a move."},
	{"param", "param(name, default, low, high) -> float", "Declares a parameter, outside functions, and returns its value: the default, or the value that a learner tries."},
	{"search", "search(depth=0, nodes=0, near=2, by=\"alphabeta\")", "Sets limits for krow's search with evaluate; call it outside functions. A depth or nodes of 0 means no limit. near is the greatest distance from a stone at which the search tries moves on boards of more than 42 cells. by=\"mcts\" selects Monte Carlo tree search."},
	{"sum", "sum(numbers) -> number", "Adds numbers."},
	{"random", "random() -> float, random(n) -> int", "A random number from 0 up to 1, or an integer from 0 to n-1. The same seed gives the same numbers."},
	{"draw", "draw(cell, text=\"\", colour=\"\")", "Shows a short text or a number on a cell, or colours it: red, orange, yellow, green, blue, purple, grey."},
	{"print", "print(...)", "Writes a line to your log."},
	{"math", "math.sqrt(x), math.exp(x), math.log(x), ...", "Starlark's module of mathematics."},
}
