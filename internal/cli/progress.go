// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/krow-lab/krow/arena"
)

// progress writes how a match stands.
type progress struct {
	*statusLine
	tally arena.Tally
	games int
	begin int // games played in an earlier run
	start time.Time
}

func newProgress(w io.Writer, m *arena.Match) *progress {
	p := &progress{statusLine: newStatusLine(w), games: m.Games, begin: len(m.Played), start: time.Now()}
	for _, r := range m.Played {
		p.tally.Add(r)
	}
	return p
}

func (p *progress) add(r arena.Result) {
	p.tally.Add(r)
	if r.Forfeit {
		p.keep(fmt.Sprintf("game %d: %s", r.Index+1, r.Reason))
	}
	if !p.due() {
		return
	}
	s := p.tally.Summary()
	left := time.Duration(float64(time.Since(p.start)) / float64(s.Games-p.begin) * float64(p.games-s.Games))
	p.show(fmt.Sprintf("%d/%d games   +%d =%d -%d   Elo %+.0f ± %.0f   %s left",
		s.Games, p.games, s.AWins, s.Draws, s.BWins, s.Elo, s.EloError, left.Round(time.Second)))
}
