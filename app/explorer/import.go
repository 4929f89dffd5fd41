// SPDX-License-Identifier: Apache-2.0

package explorer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/gamefile"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/symmetry"
	"github.com/krow-lab/krow/internal/rescue"
	"github.com/krow-lab/krow/notation"
)

// File is a file of games to import.
type File struct {
	Name string
	Read func() ([]byte, error)
}

// Options are the settings of an import.
type Options struct {
	Game     string                               // spec of the game for files that do not name their game, such as lists of moves
	Open     func(spec string) (game.Game, error) // nil: krow.Game
	Progress func(Report)                         // called after each batch; may be nil
}

// Report is the state of an import.
type Report struct {
	Files      int      `json:"files"`      // files read so far
	Read       int      `json:"read"`       // games read, including bad games
	Of         int      `json:"of"`         // estimated number of all games in the files
	Added      int      `json:"added"`      // new games, which are now stored
	Duplicates int      `json:"duplicates"` // games that were already in a collection
	Bad        int      `json:"bad"`        // games that cannot be read, or that contain illegal moves
	Reasons    []Reason `json:"reasons" nullable:"false"`
}

// Reason describes one kind of error, and contains the number of games that were counted as bad because of it.
type Reason struct {
	Games int    `json:"games"`
	First string `json:"first"` // the first of these games: name of its file, and the error
}

// reasonsKept is the maximum number of reasons in a report.
const reasonsKept = 10

var particular = regexp.MustCompile(`"[^"]*"|[a-zA-Z]*\d+`)

// bad counts a bad game. Errors that differ only in numbers, cells and quoted words count as the same reason. The key of kinds
// is the text that such errors have in common, and the value is an index in Reasons.
func (r *Report) bad(kinds map[string]int, file string, err error) {
	r.Bad++
	kind := particular.ReplaceAllString(err.Error(), "")
	i, ok := kinds[kind]
	if !ok && len(r.Reasons) == reasonsKept {
		return
	}
	if !ok {
		i = len(r.Reasons)
		kinds[kind] = i
		r.Reasons = append(r.Reasons, Reason{First: fmt.Sprintf("%s: %v", file, err)})
	}
	r.Reasons[i].Games++
}

// batch is the number of games that are stored in one transaction.
const batch = 1000

// importBatch is a batch on its way from the reader to the store.
type importBatch struct {
	games []Collected
	files int // files read before the batch was sent
	read  int
	of    int
	bad   []badGame
	done  chan struct{} // closed when the keys of the games are computed
}

type badGame struct {
	file string
	err  error
}

// Import adds the games of files to a collection, in the order of the files, and creates the collection if necessary. Bad games
// are counted and ignored; a file that cannot be read is an error. Games that a report counts as added stay, even after an error.
// An interrupted import can be repeated: it ignores the games that are already there.
func (e *Explorer) Import(ctx context.Context, collection string, files []File, o Options) (r Report, err error) {
	if strings.TrimSpace(collection) == "" {
		return r, errors.New("a collection needs a name")
	}
	if o.Open == nil {
		o.Open = krow.Game
	}
	if o.Game != "" {
		if _, err := o.Open(o.Game); err != nil {
			return r, err
		}
	}
	id, err := e.store.Collect(strings.TrimSpace(collection))
	if err != nil {
		return r, err
	}
	r.Reasons = []Reason{}
	ctx, cancel := context.WithCancel(ctx)
	batches, work := make(chan *importBatch, 4), make(chan *importBatch, 4)
	failed := make(chan error, 1)
	var busy sync.WaitGroup
	defer func() {
		cancel()
		for range batches { // wait until readFiles notices the cancellation and closes batches
		}
		busy.Wait()
	}()
	for range min(runtime.GOMAXPROCS(0), 4) {
		busy.Go(func() {
			lines := map[string]*symmetry.Line{}
			for p := range work {
				good := p.games[:0]
				for _, c := range p.games {
					if err := rescue.Call(func() error { return indexOn(lines, &c) }); err != nil {
						p.bad = append(p.bad, badGame{collection, err})
						continue
					}
					good = append(good, c)
				}
				p.games = good
				close(p.done)
			}
		})
	}
	go func() {
		defer close(batches)
		defer close(work)
		failed <- rescue.Call(func() error {
			return o.readFiles(ctx, files, func(p *importBatch) {
				p.done = make(chan struct{})
				work <- p
				batches <- p
			})
		})
	}()
	kinds := map[string]int{}
	for p := range batches {
		<-p.done
		added, err := e.store.AddCollected(id, p.games)
		if err != nil {
			return r, err
		}
		r.Files, r.Of = p.files, p.of
		r.Read += p.read
		r.Added += added
		r.Duplicates += len(p.games) - added
		for _, b := range p.bad {
			r.bad(kinds, b.file, b.err)
		}
		if o.Progress != nil {
			o.Progress(r)
		}
	}
	return r, <-failed
}

// readFiles sends the games of files in batches.
func (o Options) readFiles(ctx context.Context, files []File, send func(*importBatch)) error {
	p := &importBatch{}
	defer func() { send(p) }() // sends the last batch, also after an error
	estimate := 0              // number of games counted in the files before the current one
	for i, f := range files {
		data, err := f.Read()
		if err != nil {
			return err
		}
		here, found := gamefile.Count(data, f.Name), 0
		for g, err := range gamefile.All(data, f.Name, gamefile.Options{Game: o.Game, Open: o.Open}) {
			if err := ctx.Err(); err != nil {
				return err
			}
			found++
			p.read++
			var c Collected
			if err == nil {
				c, err = collected(g)
			}
			if err != nil {
				p.bad = append(p.bad, badGame{f.Name, err})
			} else {
				p.games = append(p.games, c)
			}
			if p.read >= batch {
				p.files, p.of = i, estimate+max(here, found)+(len(files)-i-1)
				send(p)
				p = &importBatch{}
			}
		}
		estimate += found
	}
	p.files, p.of = len(files), estimate
	return nil
}

// collected converts a game to the form in which a Store keeps it, without the fields that Index sets.
func collected(g gamefile.Game) (c Collected, err error) {
	moves := g.Position.AppendHistory(nil)
	switch {
	case len(moves) != g.Position.Ply():
		return c, errors.New("the game does not begin with an empty board")
	case len(moves) == 0:
		return c, errors.New("the game has no moves")
	}
	rules := g.Position.Game()
	return Collected{
		Game: rules.String(), First: g.Names[0], Second: g.Names[1], Event: g.Event, Year: g.Year,
		Moves: notation.FormatMoves(rules, moves), Outcome: uint8(g.Outcome),
	}, nil
}

// Index sets the digest, the keys and the normalized names of a game.
func Index(c *Collected) error { return indexOn(map[string]*symmetry.Line{}, c) }

// indexOn does the same as Index. The map lines caches a symmetry.Line for each game spec. Between calls, each symmetry.Line
// is at the start position.
func indexOn(lines map[string]*symmetry.Line, c *Collected) error {
	l := lines[c.Game]
	if l == nil {
		g, err := krow.Game(c.Game)
		if err != nil {
			return err
		}
		l = symmetry.NewLine(g)
		lines[c.Game] = l
	}
	rules := l.Position().Game()
	moves, err := notation.ParseMoves(rules, c.Moves)
	if err != nil {
		return err
	}
	if c.Keys, err = lineKeys(l, moves); err != nil {
		return err
	}
	c.Names = [2]string{plain(c.First), plain(c.Second)}
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s\n%d\n%s", c.Game, c.Names[0], c.Names[1], c.Outcome, notation.FormatMoves(rules, symmetry.Normal(l.Views(), moves)))
	c.Digest = binary.BigEndian.Uint64(h.Sum(nil))
	return nil
}

// plain returns a name in the form in which names are compared: "Lind, Anna" and "anna  lind" are equal.
func plain(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == ' ' || r == ',' || r == '.' || r == '\t' })
	slices.SortFunc(words, cmp.Compare[string])
	return strings.Join(words, " ")
}
