// SPDX-License-Identifier: Apache-2.0

package analysis

import "github.com/krow-lab/krow/game"

// Judgement is what a player thinks of one position of a game, for the first side.
type Judgement struct {
	Ply    int     `json:"ply" doc:"moves since the start of the line"`
	Chance float64 `json:"chance" doc:"of the first side to win, from 0 to 1"`
	Best   string  `json:"best,omitempty" doc:"the move to play, absent at the end of the game"`
	Cell   int     `json:"cell" doc:"of that move, or -1"`
	Solved bool    `json:"solved"`
	Loss   float64 `json:"loss" doc:"what the move played next loses of its side's chance, from 0 to 1; 0 for the best"`
}

// Review judges every position of the game that led to p, the last one first, since that is known best, and tells
// each as it comes. ask searches a position that is not over. The first error of ask or tell ends the review.
func Review(p game.Board, ask func(game.Board) (Info, error), tell func(Judgement) error) error {
	p = p.Clone().(game.Board)
	moves := p.AppendHistory(nil)
	after := 0.0 // the chance in the position after this one
	for ply := len(moves); ply >= 0; ply-- {
		j, err := judge(p, ply, ask)
		if err != nil {
			return err
		}
		if ply < len(moves) && j.Best != p.Game().Format(moves[ply]) {
			j.Loss = max(0, j.Chance-after)
			if p.Turn() == game.Second {
				j.Loss = max(0, after-j.Chance)
			}
		}
		after = j.Chance
		if err := tell(j); err != nil {
			return err
		}
		if ply > 0 {
			p.Undo()
		}
	}
	return nil
}

// judge judges one position.
func judge(p game.Board, ply int, ask func(game.Board) (Info, error)) (Judgement, error) {
	j := Judgement{Ply: ply, Cell: -1, Chance: 0.5, Solved: true}
	if winner, won := p.Outcome().Winner(); won {
		j.Chance = float64(1 - winner)
	}
	if p.Outcome() != game.Ongoing {
		return j, nil
	}
	i, err := ask(p)
	if err != nil {
		return j, err
	}
	j.Chance, j.Best, j.Cell, j.Solved = i.Chance, i.Best, i.Cells[0], i.Solved
	if p.Turn() == game.Second {
		j.Chance = 1 - j.Chance
	}
	return j, nil
}
