// SPDX-License-Identifier: Apache-2.0

package generations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/atomicfile"
	"github.com/krow-lab/krow/internal/cpu"
)

// Run is a training run of several generations with its folder. No other process can use the folder until Close.
type Run struct {
	Settings
	Jobs int // number of games played at once; less than 1 means 1
	// Queue, unless nil, plays games on other machines. Away returns the name by which those machines find the file of a network.
	Queue work.Queue
	Away  func(file string) (string, error)

	game   game.Game
	engine engine
	dir    string
	done   []Generation
	record *atomicfile.File
	told   func(Progress)
}

// Progress describes the state of the part of a generation that is in progress.
type Progress struct {
	Generation int
	Doing      Doing
	Done, Of   int
	Match      arena.Summary // current results of the match
}

// Doing names a part of a generation.
type Doing string

// The parts of a generation. Progress.Done counts games, passes, openings or games of the match.
const (
	doingGames    Doing = "games"
	doingPasses   Doing = "passes"
	doingOpenings Doing = "openings"
	doingMatch    Doing = "games of the match"
)

// Begin begins a run in a folder, or continues the existing run. It returns an error if the folder contains games of another
// run, or a run with other settings.
func Begin(o Options) (*Run, error) {
	e, kinds, err := engineOf(o.Kinds)
	if err != nil {
		return nil, err
	}
	if err := o.checkNumbers(); err != nil {
		return nil, err
	}
	start, err := readNetwork(kinds[0], o.From)
	if err != nil {
		return nil, err
	}
	r := &Run{game: kinds[0], engine: e, dir: o.Dir, Settings: e.settings(o, kinds, start)}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return nil, err
	}
	r.record, err = atomicfile.Open(r.path(recordName))
	if errors.Is(err, atomicfile.ErrBusy) {
		return nil, fmt.Errorf("%s: another process is making generations in this folder", o.Dir)
	}
	if err != nil {
		return nil, err
	}
	if err := r.open(start); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// open reads the record, or writes a new record if there is none. start is the content of the file of the first network.
func (r *Run) open(start []byte) error {
	settings, done, err := readRecord(r.path(recordName))
	if errors.Is(err, fs.ErrNotExist) {
		if games, err := r.games(); err != nil || len(games) > 0 {
			return cmp.Or(err, fmt.Errorf("%s contains games of another run, %v: choose another folder", r.dir, games))
		}
		if start != nil {
			if err := atomicfile.Write(r.net(0), start); err != nil {
				return err
			}
		}
		return r.write()
	}
	if err != nil {
		return err
	}
	if fmt.Sprint(settings) != fmt.Sprint(r.Settings) {
		return fmt.Errorf("%s contains another run, with %+v instead of %+v: choose another folder", r.dir, settings, r.Settings)
	}
	r.done = done
	for n := range done {
		_ = os.Remove(r.state(n + 1)) // the file exists only if the run was killed before it removed the file
	}
	return nil
}

// Close lets other processes use the folder.
func (r *Run) Close() error { return r.record.Close() }

// Generations returns the finished generations.
func (r *Run) Generations() []Generation { return r.done }

// Make makes generations until the run has n of them. If told is not nil, Make calls told with the progress.
func (r *Run) Make(ctx context.Context, n int, told func(Progress)) error {
	r.told = told
	for len(r.done) < n {
		if err := r.generation(ctx, len(r.done)+1); err != nil {
			return fmt.Errorf("generation %d: %w", len(r.done)+1, err)
		}
	}
	return nil
}

func (r *Run) generation(ctx context.Context, n int) error {
	began := cpu.Time()
	g := Generation{Generation: n, Seed: r.seed(n)}
	for _, part := range []func(context.Context, *Generation) error{r.playGames, r.learn, r.match} {
		if err := part(ctx, &g); err != nil {
			return err
		}
	}
	g.Hours = math.Round((cpu.Time()-began).Hours()*1e4) / 1e4
	r.done = append(r.done, g)
	if err := r.write(); err != nil {
		r.done = r.done[:n-1]
		return err
	}
	return os.Remove(r.state(n))
}

// report reports the progress of a generation.
func (r *Run) report(p Progress) {
	if r.told != nil {
		r.told(p)
	}
}

// best finds the network that was the best after the given number of generations. It returns the number of the generation that
// made the network, and the checksum of the network. Generation 0 is the network with which the run began; its checksum is
// "none" if there was no network.
func (r *Run) best(after int) (n int, sum string) {
	for _, g := range r.done[:after] {
		if g.Accepted {
			n, sum = g.Generation, g.Network
		}
	}
	if n == 0 {
		return 0, r.From
	}
	return n, sum
}

// file returns the name of the file of the best network after a number of generations, or "none".
func (r *Run) file(after int) (string, error) {
	n, want := r.best(after)
	if want == none {
		return none, nil
	}
	data, err := os.ReadFile(r.net(n))
	if err == nil && checksum(data) != want {
		err = fmt.Errorf("%s is not the network of the record, whose checksum is %s", r.net(n), want)
	}
	return r.net(n), err
}

// errNone is returned by Best if the run began without a network and has accepted none.
var errNone = errors.New("no network was better than the engine without a network, so no file was written")

// Best returns the content of the current best network's file.
func (r *Run) Best() ([]byte, error) {
	from, err := r.file(len(r.done))
	if err == nil && from == none {
		err = errNone
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(from)
}

const (
	recordName   = "generations.jsonl"
	openingsName = "openings.txt"
)

func (r *Run) path(name string) string { return filepath.Join(r.dir, name) }

func (r *Run) of(generation int, suffix string) string {
	return r.path(fmt.Sprintf("generation-%03d%s", generation, suffix))
}

func (r *Run) net(generation int) string   { return r.of(generation, ".net") }
func (r *Run) state(generation int) string { return r.of(generation, ".state") }

// checksum returns the first digits of the SHA-256 of a file. A CRC-32 would be useless, because it is the same for all files
// that end with their own CRC-32.
func checksum(file []byte) string { return work.Hash(file)[:8] }

// write writes the record.
func (r *Run) write() error {
	return r.record.Write(func(w io.Writer) error { return writeRecord(w, r.Settings, r.done) })
}
