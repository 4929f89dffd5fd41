// SPDX-License-Identifier: Apache-2.0

package generations

import (
	"time"

	"github.com/krow-lab/krow/internal/cpu"
)

// timer adds up the processor time of a generation in a file, since a process may be killed.
type timer struct {
	file  string
	n     int
	ran   time.Duration // before this process
	since time.Duration // processor time when it began
	kept  time.Time
}

const keepAfter = 10 * time.Second

type unfinished struct {
	Generation int     `json:"generation"`
	Seconds    float64 `json:"seconds"`
}

func (t *timer) startTimer(file string, n int) error {
	*t = timer{file: file, n: n, since: cpu.Time(), kept: time.Now()}
	var u unfinished
	found, err := readJSON(file, &u)
	if found && u.Generation == n {
		t.ran = time.Duration(u.Seconds * float64(time.Second))
	}
	return err
}

func (t *timer) spent() time.Duration { return t.ran + cpu.Time() - t.since }

// keep writes the file, unless it has been written a short time ago.
func (t *timer) keep(after time.Duration) error {
	if time.Since(t.kept) < after {
		return nil
	}
	t.kept = time.Now()
	return writeJSON(t.file, unfinished{t.n, t.spent().Seconds()})
}
