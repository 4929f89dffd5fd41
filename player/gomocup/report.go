// SPDX-License-Identifier: Apache-2.0

package gomocup

import (
	"fmt"
	"math"
	"strings"

	"github.com/krow-lab/krow/eval"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/player/subprocess"
	"github.com/krow-lab/krow/search"
)

// reportInfo prints the depth, the score, the number of nodes, the time and the expected line of an answer. It is called
// before the move of the answer is printed.
func (s *session) reportInfo(i search.Info, err error) {
	if err != nil {
		s.out.Say("MESSAGE %s", subprocess.Shown(err.Error()))
	}
	s.out.Say("MESSAGE depth %d eval %s nodes %d time %d ms pv %s",
		i.Depth, evalText(i.Score), i.Nodes, i.Time.Milliseconds(), lineText(s.b, i.PV))
}

// evalText returns a score as text: a number in the unit of the heuristic, +M5 for a win in five plies, or -M5 for a loss in
// five plies.
func evalText(s eval.Score) string {
	switch plies, sign := s.Distance(); sign {
	case 1:
		return fmt.Sprintf("+M%d", plies)
	case -1:
		return fmt.Sprintf("-M%d", plies)
	}
	return fmt.Sprint(int64(math.Round(s.Units())))
}

// lineText returns the moves as points, up to the first illegal move.
func lineText(b game.Board, moves []game.Move) string {
	b = clone(b)
	var all []string
	for _, m := range moves {
		if !game.Legal(b, m) || b.Outcome() != game.Ongoing {
			break
		}
		all = append(all, pointOf(b, m).String())
		b.Play(m)
	}
	return strings.Join(all, " ")
}
