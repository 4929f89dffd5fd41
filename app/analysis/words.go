// SPDX-License-Identifier: Apache-2.0

package analysis

import (
	"fmt"
	"math"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// Short writes the score in a few characters: +41, >=-3.5, win 11, loss 8.
func (a Answer) Short() string {
	return map[string]string{"lower": ">=", "upper": "<="}[a.Bound] + Score(a.Score)
}

// Words writes the score in words: +41, at least -3.5, win in 11, draw, solved.
func (a Answer) Words() string {
	text := Score(a.Score)
	switch {
	case a.WinIn != nil:
		text = fmt.Sprintf("win in %d", *a.WinIn)
	case a.LossIn != nil:
		text = fmt.Sprintf("loss in %d", *a.LossIn)
	case a.Solved:
		text = a.Value
	}
	if a.Solved {
		text += ", solved"
	}
	return map[string]string{"lower": "at least ", "upper": "at most "}[a.Bound] + text
}

// Score writes a score for people: +41, -3.5, win 11, loss 8, or win where the distance is not known.
func Score(s eval.Score) string {
	if plies, sign := s.Distance(); sign != 0 {
		word := map[int]string{1: "win", -1: "loss"}[sign]
		if plies == eval.Unknown {
			return word
		}
		return fmt.Sprintf("%s %d", word, plies)
	}
	x := s.Units()
	if size := math.Abs(x); size >= 1000 && size < 1e6 {
		return fmt.Sprintf("%+.0f", x)
	}
	return fmt.Sprintf("%+.4g", x)
}

// scaleOf returns the scale of a player's scores: see player.Searching.
func scaleOf(pl player.Player) float64 {
	if s, ok := pl.(interface{ Scale() float64 }); ok {
		return s.Scale()
	}
	return player.UsualScale
}

// chance draws a score as a chance to win. With an advantage of one scale three of four games look won.
func chance(scale float64, i search.Info) float64 {
	if _, sign := i.Score.Distance(); sign != 0 {
		return float64(1+sign) / 2
	}
	switch u := i.Score.Units(); {
	case i.Solved:
		return 0.5
	case scale == player.Share:
		return min(max((1+u)/2, 0), 1)
	default:
		return math.Round(1e4/(1+math.Exp(-u*math.Log(3)/scale))) / 1e4
	}
}
