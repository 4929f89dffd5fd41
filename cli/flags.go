// SPDX-License-Identifier: Apache-2.0

package cli

// What several commands share of their flags: a position, limits of a search, names of files and sizes.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/search"
)

type positionFlags struct{ moves, stones, turn, captures string }

func (f *positionFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.moves, "moves", "", `moves from the start, such as "h8 h9" or 4455`)
	flags.StringVar(&f.stones, "stones", "", `stones of the first side, a slash, of the second: "h8 i9/h9"`)
	flags.StringVar(&f.turn, "turn", "", "side to move with --stones: first or second (default from the counts)")
	flags.StringVar(&f.captures, "captures", "", "pairs captured by each side with --stones, such as 1,0 (pente)")
	completeFlag(cmd, "turn", fixed("first", "second"))
	for _, name := range []string{"moves", "stones", "captures"} {
		completeFlag(cmd, name, nothing)
	}
}

// position returns the position that the flags describe: the stones, if any, then the moves.
func (f *positionFlags) position(g game.Game) (game.Position, error) {
	p := g.Start()
	switch {
	case f.stones != "":
		var err error
		p, err = notation.ParseStones(g, f.stones, notation.StonesOptions{Turn: f.turn, Captures: f.captures})
		if err != nil {
			return nil, misusef(stonesHint(err), "%w", err)
		}
	case f.turn != "" || f.captures != "":
		return nil, misusef("", "--turn and --captures need --stones")
	}
	if err := notation.Play(p, f.moves); err != nil {
		return nil, misusef("", "%w", err)
	}
	return p, nil
}

func stonesHint(err error) string {
	switch {
	case errors.Is(err, notation.ErrTurn):
		return "give --turn first or second"
	case errors.Is(err, notation.ErrStones):
		return "give its moves with --moves"
	}
	return ""
}

func (f *positionFlags) load(text string) (game.Game, game.Position, error) {
	g, err := krow.Game(text)
	if err != nil {
		return nil, nil, err
	}
	p, err := f.position(g)
	return g, p, err
}

type limitFlags struct {
	time  time.Duration
	nodes uint64
	depth int
}

func (f *limitFlags) add(cmd *cobra.Command, what string) {
	cmd.Flags().DurationVar(&f.time, "time", 0, "time "+what+", such as 500ms or 2s")
	cmd.Flags().Uint64Var(&f.nodes, "nodes", 0, "nodes "+what)
	cmd.Flags().IntVar(&f.depth, "depth", 0, "depth "+what+", in plies")
	cmd.Flags().Lookup("time").DefValue = "" // no limit, and not "0s"
}

// limits returns the limits; those that are zero, as without the flag, bound nothing.
func (f *limitFlags) limits() (search.Limits, error) {
	switch {
	case f.time < 0:
		return search.Limits{}, misusef("", "--time cannot be negative: %v", f.time)
	case f.depth < 0:
		return search.Limits{}, misusef("", "--depth cannot be negative: %d", f.depth)
	}
	return search.Limits{Time: f.time, Nodes: f.nodes, Depth: f.depth}, nil
}

type path string

// Set keeps the name; an empty one would be as if the flag were not given.
func (p *path) Set(name string) error {
	if name == "" {
		return errors.New("empty")
	}
	*p = path(name)
	return nil
}

// String returns the name.
func (p *path) String() string { return string(*p) }

// Type is what flags are listed with.
func (p *path) Type() string { return "path" }

type size int

// Set reads a size such as 64M; a number alone is bytes.
func (s *size) Set(text string) error {
	n, ok := spec.Bytes(text, 1)
	if !ok {
		return errors.New("no size")
	}
	*s = size(n)
	return nil
}

// String writes the size with the largest unit that fits.
func (s *size) String() string {
	n, unit := int(*s), ""
	for _, u := range []string{"K", "M", "G"} {
		if n%1024 == 0 && n > 0 {
			n, unit = n/1024, u
		}
	}
	return strconv.Itoa(n) + unit
}

// Type is what flags are listed with.
func (s *size) Type() string { return "size" }

// input is a file that is read until it ends or Ctrl-C is pressed, even while nothing comes through a pipe.
type input struct {
	*os.File
	ctx context.Context
}

// readFile lets use read a file, whose name is added to its errors. Opening a pipe waits for a writer.
func readFile(ctx context.Context, name string, use func(*input) error) error {
	in, opened := &input{ctx: ctx}, make(chan error, 1)
	go func() {
		var err error
		in.File, err = os.Open(name)
		opened <- err
	}()
	select {
	case <-ctx.Done():
		return errInterrupted
	case err := <-opened:
		if err != nil {
			return err
		}
	}
	defer in.Close()
	context.AfterFunc(ctx, func() { _ = in.SetReadDeadline(time.Unix(1, 0)) }) // only pipes have deadlines
	err := use(in)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return errInterrupted
	}
	return fmt.Errorf("%s: %w", name, err)
}

// Read reads from the file.
func (in *input) Read(p []byte) (int, error) {
	n, err := in.File.Read(p)
	if in.ctx.Err() != nil {
		return 0, errInterrupted
	}
	return n, err
}
