// SPDX-License-Identifier: Apache-2.0

package solve

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/krow-lab/krow/internal/wholefile"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/search/dfpn"
)

// jobsFile is a file of results, from which the tree is made again. Each line has one, in order:
//
//	{"krow":"jobs","version":1,"game":"mnk:6,6,4","moves":"","nodes":1000000,"hash":67108864}
//	KEY VERDICT NODES SUM
//
// KEY names the unit. SUM is the beginning of the SHA-256 of the sum before it and of the line. A line that was cut off is
// not there yet.
type jobsFile struct {
	f    *os.File
	sum  string
	ends []int64 // of the lines, the first line included
	sums []string
}

type jobsHeader struct {
	Krow    string `json:"krow"` // "jobs"
	Version int    `json:"version"`
	Game    string `json:"game"`
	Moves   string `json:"moves"`
	Nodes   uint64 `json:"nodes"`
	Hash    int    `json:"hash"`
}

const jobsVersion = 1

// Keep goes on with the results that a file has, and adds the new ones to it.
func (j *Jobs) Keep(name string) error {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	j.log = &jobsFile{f: f}
	if err = wholefile.Lock(f); err == nil {
		err = j.read(bufio.NewReader(f))
	}
	if err == nil {
		err = f.Truncate(j.log.end())
	}
	if err == nil {
		_, err = f.Seek(j.log.end(), io.SeekStart)
	}
	if err == nil && len(j.log.ends) == 0 {
		head, _ := json.Marshal(j.header()) // its fields are plain
		err = j.log.line(string(head))
	}
	if err != nil {
		f.Close()
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Close lets other processes have the file.
func (j *Jobs) Close() error {
	if j.log == nil {
		return nil
	}
	return j.log.f.Close()
}

func (j *Jobs) header() jobsHeader {
	moves := notation.FormatMoves(j.p.Game(), j.p.AppendHistory(nil))
	return jobsHeader{"jobs", jobsVersion, j.p.Game().String(), moves, j.nodes, j.s.o.Hash}
}

// read takes the results of a file.
func (j *Jobs) read(in *bufio.Reader) error {
	for n := 0; ; n++ {
		text, err := in.ReadString('\n')
		if err != nil { // the end, or a line that was cut off
			if n == 0 && !strings.HasPrefix(text, `{"krow":"jobs"`[:min(len(text), 14)]) {
				return errNoJobs
			}
			return nil
		}
		text = strings.TrimSuffix(text, "\n")
		if n == 0 {
			err = j.checkHeader(text)
		} else {
			err = j.again(text)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", n+1, err)
		}
		j.log.took(text)
	}
}

var errNoJobs = errors.New("this is no unfinished work of krow solve on a cluster")

func (j *Jobs) checkHeader(text string) error {
	var h jobsHeader
	switch err := json.Unmarshal([]byte(text), &h); {
	case err != nil || h.Krow != "jobs":
		return errNoJobs
	case h.Version != jobsVersion:
		return fmt.Errorf("version %d of unfinished work is not %d, the one known here", h.Version, jobsVersion)
	case h != j.header():
		return fmt.Errorf("this is unfinished work on another position, or with other units: %s, moves %q, %d nodes, a table of %d bytes", h.Game, h.Moves, h.Nodes, h.Hash)
	}
	return nil
}

// again takes a result from its line.
func (j *Jobs) again(text string) error {
	var key, sum string
	var d jobDone
	if _, err := fmt.Sscanf(text, "%s %d %d %s", &key, &d.Verdict, &d.Nodes, &sum); err != nil || text != j.log.text(key, d) || d.Verdict < dfpn.Unknown || d.Verdict > dfpn.Refuted {
		return errDamaged
	}
	if j.over() || key != j.given[len(j.done)].unit.Key() {
		return errors.New("another build of krow has written it, which chose other searches")
	}
	j.take(d)
	return nil
}

// text returns the line of a result that comes next.
func (l *jobsFile) text(key string, d jobDone) string {
	text := fmt.Sprintf("%s %d %d ", key, d.Verdict, d.Nodes)
	return text + l.next(text)
}

func (l *jobsFile) next(text string) string {
	sum := sha256.Sum256([]byte(l.sum + text))
	return hex.EncodeToString(sum[:4])
}

func (l *jobsFile) add(key string, d jobDone) error { return l.line(l.text(key, d)) }

func (l *jobsFile) line(text string) error {
	_, err := l.f.WriteString(text + "\n")
	l.took(text)
	return err
}

// took notes a line that is in the file.
func (l *jobsFile) took(text string) {
	l.ends = append(l.ends, l.end()+int64(len(text))+1)
	l.sum = l.next(text)
	l.sums = append(l.sums, l.sum)
}

func (l *jobsFile) end() int64 {
	if len(l.ends) == 0 {
		return 0
	}
	return l.ends[len(l.ends)-1]
}

// cut takes back all results but the first n.
func (l *jobsFile) cut(n int) error {
	l.ends, l.sums = l.ends[:n+1], l.sums[:n+1]
	l.sum = l.sums[n]
	err := l.f.Truncate(l.end())
	if err == nil {
		_, err = l.f.Seek(l.end(), io.SeekStart)
	}
	return err
}
