# SPDX-License-Identifier: Apache-2.0

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import krow  # noqa: E402


class TestKrow(unittest.TestCase):
    def test_a_game_to_its_end(self):
        game = krow.Game("tictactoe", "a1 b1")
        self.assertEqual(len(game.legal), 7)
        while not game.over:
            game.play(game.best())
        self.assertEqual(game.outcome, "first wins")
        self.assertFalse(game.undo().over)

    def test_an_illegal_move_changes_nothing(self):
        game = krow.Game("tictactoe", ["a1"])
        with self.assertRaisesRegex(krow.Error, "the cell is taken"):
            game.play("a1")
        self.assertEqual(game.moves, ["a1"])

    def test_analyze(self):
        answer = krow.analyze("connect4", "44444", player="alphabeta:depth=3")
        self.assertEqual((answer["depth"], len(answer["pv"])), (3, 3))

    def test_solve(self):
        self.assertEqual(krow.solve("tictactoe")["value"], "draw")
        self.assertEqual(krow.Game("tictactoe", "a1 b1").solve(weak=True)["value"], "win")

    def test_match(self):
        result = krow.match("tictactoe", "random", "rules", games=10, random_plies=2)
        self.assertEqual(result["games"], 10)
        *played, summary = krow.games("tictactoe", "random", "rules", games=4)
        self.assertEqual((len(played), summary["final"]), (4, True))

    def test_refused(self):
        with self.assertRaisesRegex(krow.Error, 'unknown game "gomoko"; hint: did you mean "gomoku"'):
            krow.Game("gomoko")


if __name__ == "__main__":
    unittest.main()
