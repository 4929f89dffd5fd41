// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/internal/wholefile"
	"github.com/krow-lab/krow/learn"
)

type learning struct {
	game string
	seed uint64
	out  string
}

func newLearn() *cobra.Command {
	var o learning
	cmd := &cobra.Command{
		Use:   "learn LEARNER",
		Short: "Learn the parameters of a heuristic",
		Long: `Learn the parameters of a heuristic and write them to a file that players load, as in
greedy:eval=indicators(weights=FILE).
After each step the state is kept in FILE.part: a run that was interrupted, or killed, goes on when the same
command is started again, and ends as if nothing had happened.`,
		Example: `  krow learn qlearning --game mnk:7,7,4 --out learned.json
  krow learn genetic --game ultimate --out bred.json`,
		Args: exactly("LEARNER"),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	cmd.Flags().StringVar(&o.game, "game", "", "game to learn on")
	cmd.Flags().Uint64Var(&o.seed, "seed", 1, "seed of everything that is drawn")
	cmd.Flags().StringVar(&o.out, "out", "", "file to write the weights to")
	return cmd
}

func (o *learning) run(cmd *cobra.Command, text string) error {
	if o.game == "" || o.out == "" {
		return misusef("for example --game mnk:7,7,4 --out learned.json", "%s needs --game and --out", cmd.CommandPath())
	}
	g, err := catalog.Game(o.game)
	if err != nil {
		return err
	}
	l, err := catalog.Learner(g, text, o.seed)
	if err != nil {
		return err
	}
	part := o.out + ".part"
	if err := resumeLearning(cmd.ErrOrStderr(), l, part); err != nil {
		return err
	}
	start, json := time.Now(), asJSON(cmd)
	begun, _ := l.Steps()
	err = learn.Run(cmd.Context(), l, func(state []byte, p learn.Point) error {
		if err := wholefile.Write(part, state); err != nil {
			return err
		}
		return o.show(cmd.OutOrStdout(), l, p, begun, start, json)
	})
	if errors.Is(err, context.Canceled) {
		done, total := l.Steps()
		return fmt.Errorf("interrupted after step %d of %d; the same command goes on", done, total)
	}
	if err != nil {
		return err
	}
	if err := l.Save(o.out); err != nil {
		return err
	}
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if json {
		return printJSON(cmd.OutOrStdout(), map[string]any{"final": true, "learner": text, "game": g.String(), "seed": o.seed, "out": o.out})
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "wrote %s\n", o.out)
	return err
}

// resumeLearning continues from the state that an earlier run left, if one did.
func resumeLearning(w io.Writer, l learn.Learner, part string) error {
	state, err := os.ReadFile(part)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := l.Restore(state); err != nil {
		return &misuse{fmt.Errorf("%s: %w", part, err), "finish that run, or remove the file"}
	}
	done, total := l.Steps()
	fmt.Fprintf(w, "going on after step %d of %d\n", done, total)
	return nil
}

type stepJSON struct {
	Step   int                `json:"step"`
	Steps  int                `json:"steps"`
	Games  uint64             `json:"games"`
	Values map[string]float64 `json:"values"`
}

// shownValues is how many values of a point fit on a line for people.
const shownValues = 3

// show prints a point of the learning curve, and for people how much time is left.
func (o *learning) show(w io.Writer, l learn.Learner, p learn.Point, begun int, start time.Time, asJSON bool) error {
	done, total := l.Steps()
	if asJSON {
		return printJSON(w, stepJSON{p.Step, total, p.Games, p.Values})
	}
	names, values := slices.Sorted(maps.Keys(p.Values)), []string(nil)
	for _, name := range names[:min(len(names), shownValues)] {
		values = append(values, fmt.Sprintf("%s %.4g", name, p.Values[name]))
	}
	if more := len(names) - shownValues; more > 0 {
		values = append(values, fmt.Sprintf("and %d more, see --json", more))
	}
	const width = 20
	filled := width * done / max(total, 1)
	left := time.Duration(float64(time.Since(start)) / float64(done-begun) * float64(total-done))
	_, err := fmt.Fprintf(w, "[%s%s] %d/%d   %s games   %s left   %s\n", strings.Repeat("#", filled), strings.Repeat(".", width-filled),
		done, total, count(p.Games), left.Round(time.Second), strings.Join(values, "   "))
	return err
}
