# SPDX-License-Identifier: Apache-2.0
"""Play, analyse, match and solve k-in-a-row games with the program krow.

Every function runs krow once and reads the JSON lines that it prints. The program must be on the PATH, or the
environment variable KROW names it. Dictionaries have the names of `krow COMMAND --json`.

    import krow

    game = krow.Game("gomoku")
    game.play("h8")
    game.play(game.best(time=0.5))
    print(game.moves, game.outcome)

    print(krow.analyze("connect4", ["4", "4"], time=1)["pv"])
    print(krow.solve("tictactoe")["value"])
    print(krow.match("tictactoe", "random", "rules", games=20)["elo"])
"""

import json
import os
import subprocess
import tempfile

__all__ = ["Error", "Game", "analyze", "games", "match", "review", "solve"]


class Error(Exception):
    """krow refused a command or failed. The text is what krow printed."""


def _lines(*args, **flags):
    """Runs a command of krow and yields the objects that it prints."""
    command = [os.environ.get("KROW", "krow"), *args, "--json"]
    for name, value in flags.items():
        if value is True:
            command.append("--" + name.replace("_", "-"))
        elif value is not None and value is not False:
            command.append(f"--{name.replace('_', '-')}={value}")
    # Messages go to a file: a pipe that nobody reads would fill up and stop the program.
    with tempfile.TemporaryFile("w+") as messages:
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=messages, text=True) as program:
            try:
                yield from map(json.loads, program.stdout)
            except BaseException:  # such as the end of a generator that nobody reads on
                program.terminate()
                raise
        messages.seek(0)
        trouble = messages.read()
    if program.returncode:
        said = [line.removeprefix("krow: ") for line in trouble.splitlines() if line.startswith("krow: ")]
        raise Error("; ".join(said) or trouble)


def _last(*args, **flags):
    *_, last = _lines(*args, **flags)
    last.pop("final", None)
    return last


def _text(moves):
    return moves if isinstance(moves, str) else " ".join(moves)


def analyze(game, moves=(), player="best", time=None, nodes=None, depth=None, **flags):
    """Returns the answer of a player to a position: best, score, pv and more. time is in seconds."""
    return _last("analyze", game, moves=_text(moves), player=player, time=time, nodes=nodes, depth=depth, **flags)


def solve(game, moves=(), time=None, **flags):
    """Returns the proved value of a position for the side to move: win, draw or loss."""
    return _last("solve", game, moves=_text(moves), time=time, **flags)


def games(game, *players, games=100, **flags):
    """Plays a match and yields each game when it is over, and in the end the summary, whose "final" is True."""
    return _lines("match", game, *players, games=games, **flags)


def match(game, a, b, games=100, **flags):
    """Plays a match of two players, and returns the summary: a_wins, draws, b_wins, elo, elo_error and more."""
    return _last("match", game, a, b, games=games, **flags)


def review(file, **flags):
    """Returns the moves of a game in a file with their losses, and the accuracy of both sides."""
    *moves, summary = _lines("review", file, **flags)
    return {"moves": moves, "accuracy": summary["accuracy"]}


class Game:
    """A game in progress: the moves so far, and the legal moves."""

    def __init__(self, game, moves=()):
        self.game = game
        self.moves = _text(moves).split()
        self._look()

    def _look(self):
        state = _last("moves", self.game, moves=_text(self.moves))
        self.legal, self.outcome = state["legal"], state["outcome"]

    @property
    def over(self):
        """Reports whether the game has ended."""
        return self.outcome != "ongoing"

    def play(self, move):
        """Plays a move, or raises an Error and changes nothing."""
        self.moves.append(move)
        try:
            self._look()
        except Error:
            self.moves.pop()
            raise
        return self

    def undo(self):
        """Takes the last move back."""
        self.moves.pop()
        self._look()
        return self

    def analyze(self, **flags):
        """Returns the answer of a player: see analyze."""
        return analyze(self.game, self.moves, **flags)

    def best(self, **flags):
        """Returns the move of a player, which is krow's best by default."""
        return self.analyze(**flags)["best"]

    def solve(self, **flags):
        """Returns the proved value of the position: see solve."""
        return solve(self.game, self.moves, **flags)
