// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"os"
	"time"
)

// quiet is how long a line about progress waits for the next where no one is watching.
const quiet = 10 * time.Second

// statusLine says how long work stands: over itself on a terminal, else on a line every ten seconds.
type statusLine struct {
	w        io.Writer
	terminal bool
	last     time.Time
}

func newStatusLine(w io.Writer) *statusLine {
	f, ok := w.(*os.File)
	return &statusLine{w: w, terminal: ok && isTerminal(f), last: time.Now()}
}

// due says whether it is time for another line, and if so takes it for written.
func (s *statusLine) due() bool {
	wait := quiet
	if s.terminal {
		wait = quiet / 100
	}
	if time.Since(s.last) < wait {
		return false
	}
	s.last = time.Now()
	return true
}

// show writes text, over the last one on a terminal.
func (s *statusLine) show(text string) {
	if s.terminal {
		fmt.Fprintf(s.w, "\r\x1b[K%s", text)
		return
	}
	fmt.Fprintln(s.w, text)
}

// keep writes a line that stays.
func (s *statusLine) keep(text string) {
	s.clear()
	fmt.Fprintln(s.w, text)
}

// clear takes the line off the terminal.
func (s *statusLine) clear() {
	if s.terminal {
		fmt.Fprint(s.w, "\r\x1b[K")
	}
}
