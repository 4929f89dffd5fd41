// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/krow-lab/krow/arena"
)

// quiet is how long a progress line waits for the next where no one is watching.
const quiet = 10 * time.Second

// progress writes how a match stands: over itself on a terminal, else a line every ten seconds.
type progress struct {
	w        io.Writer
	tally    arena.Tally
	games    int
	begin    int // games played in an earlier run
	start    time.Time
	last     time.Time
	terminal bool
}

func newProgress(w io.Writer, m *arena.Match) *progress {
	f, ok := w.(*os.File)
	p := &progress{w: w, games: m.Games, begin: len(m.Played), start: time.Now(), last: time.Now(), terminal: ok && isTerminal(f)}
	for _, r := range m.Played {
		p.tally.Add(r)
	}
	return p
}

func (p *progress) add(r arena.Result) {
	p.tally.Add(r)
	if r.Forfeit {
		p.line(fmt.Sprintf("game %d: %s", r.Index+1, r.Reason))
	}
	wait := quiet
	if p.terminal {
		wait = quiet / 100
	}
	if time.Since(p.last) < wait {
		return
	}
	p.last = time.Now()
	s := p.tally.Summary()
	left := time.Duration(float64(time.Since(p.start)) / float64(s.Games-p.begin) * float64(p.games-s.Games))
	text := fmt.Sprintf("%d/%d games   +%d =%d -%d   Elo %+.0f ± %.0f   %s left",
		s.Games, p.games, s.AWins, s.Draws, s.BWins, s.Elo, s.EloError, left.Round(time.Second))
	if p.terminal {
		fmt.Fprintf(p.w, "\r\x1b[K%s", text)
		return
	}
	p.line(text)
}

// line writes a line of its own.
func (p *progress) line(text string) {
	if p.terminal {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	fmt.Fprintln(p.w, text)
}

// end clears the line of the terminal.
func (p *progress) end() {
	if p.terminal {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
