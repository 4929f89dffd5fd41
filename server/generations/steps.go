// SPDX-License-Identifier: Apache-2.0

package generations

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/gamefile"
	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/atomicfile"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/selfplay"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player/opening"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/server/match"
	"github.com/krow-lab/krow/server/runs"
)

// playGames plays the games of a generation. It also reads and counts the games of previous generations.
func (r *Run) playGames(ctx context.Context, g *Generation) error {
	files := 0
	_, g.Played = r.best(g.Generation - 1)
	for n := 1; n <= g.Generation; n++ {
		net, err := r.file(n - 1)
		if err != nil {
			return err
		}
		o := runs.Games{Kinds: r.Kinds, Net: net, Options: selfplay.Options{
			Dir: r.dir, Games: r.Games, Nodes: r.Nodes, Seed: r.seed(n), Jobs: max(r.Jobs, 1), Queue: r.Queue,
		}}
		if o.NetName, err = r.away(net); err != nil {
			return err
		}
		p, err := o.Play(ctx, func(p runs.Played) {
			if n == g.Generation {
				r.report(Progress{Generation: n, Doing: doingGames, Done: p.Games, Of: r.Games})
			}
		})
		if err != nil {
			return err
		}
		g.Games, files = g.Games+p.Games, files+p.Files
	}
	names, err := r.games()
	if err == nil && len(names) != files {
		err = fmt.Errorf("%s has %d files of games, but this run played %d", r.dir, len(names), files)
	}
	return err
}

// away returns the name of a network's file on the machines of Queue.
func (r *Run) away(net string) (string, error) {
	if r.Away == nil || net == none {
		return net, nil
	}
	return r.Away(net)
}

// trained is the content of the .state file: the state of a learner after a step, and the point of the learning curve for that
// step.
type trained struct {
	Point learn.CurvePoint `json:"point"`
	State json.RawMessage  `json:"state"`
}

// learn trains a network on all games of the folder.
func (r *Run) learn(ctx context.Context, g *Generation) error {
	args := []string{"data=" + r.dir}
	if r.Jobs > 0 {
		args = append(args, fmt.Sprintf("jobs=%d", r.Jobs))
	}
	if r.From != none && !r.engine.anew {
		args = append(args, "from="+r.net(0))
	}
	l, err := runs.Learning{Learner: r.Learner, Game: r.Kinds[0], Seed: g.Seed}.New(args...)
	if err != nil {
		return err
	}
	var last trained
	state := r.state(g.Generation)
	switch data, err := os.ReadFile(state); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	default:
		if err = json.Unmarshal(data, &last); err == nil {
			err = l.Restore(last.State)
		}
		if err != nil {
			return fmt.Errorf("%s: %w; without the file training begins again", state, err)
		}
	}
	err = learn.Run(ctx, l, func(data []byte, p learn.CurvePoint) error {
		last = trained{p, data}
		file, err := json.Marshal(last)
		if err == nil {
			err = atomicfile.Write(state, file)
		}
		if err != nil {
			return err
		}
		_, passes := l.Steps()
		r.report(Progress{Generation: g.Generation, Doing: doingPasses, Done: p.Step, Of: passes})
		return nil
	})
	if err != nil {
		return err
	}
	if err := l.Save(r.net(g.Generation)); err != nil {
		return err
	}
	data, err := os.ReadFile(r.net(g.Generation))
	values := last.Point.Values
	g.Network, g.Loss, g.Positions = checksum(data), values["loss"], int(values["positions"])
	if held, ok := values[r.engine.held]; ok {
		g.HeldOut = &held
	}
	return err
}

// sprt contains the bounds of the sequential test that each match performs.
var sprt = stats.SPRT{Elo0: 0, Elo1: 15}

// match plays the new network against the current best network, and sets the results in g, including whether the new network is
// accepted.
func (r *Run) match(ctx context.Context, g *Generation) error {
	m, err := r.pair(ctx, g)
	if err != nil {
		return err
	}
	file := r.of(g.Generation, ".match.jsonl")
	found, err := m.Load(file)
	if err != nil {
		return err
	}
	if !found {
		closeFile, err := m.KeepFile(file, false)
		if err != nil {
			return err
		}
		defer closeFile()
	}
	all, err := m.Run(ctx)
	if err != nil {
		return err
	}
	s := all[0].Summary
	if s.Forfeits > 0 {
		return fmt.Errorf("%s: a game was forfeited; without the file the match is played again", file)
	}
	g.Won, g.Drawn, g.Lost, g.Elo, g.EloError, g.LLR = s.AWins, s.Draws, s.BWins, s.Elo, s.EloError, *s.LLR
	g.Accepted = accepted(s)
	return nil
}

// pair returns the match of a generation, in which the new network plays against the best network.
func (r *Run) pair(ctx context.Context, g *Generation) (*match.Match, error) {
	m := &match.Match{Terms: arena.Match{
		Game: r.game, Games: r.Match, Seed: g.Seed, RandomPlies: r.engine.random, Limits: search.Limits{Nodes: r.MatchNodes},
		Jobs: max(r.Jobs, 1), SPRT: &sprt, Queue: r.Queue,
	}}
	best, err := r.file(g.Generation - 1)
	if err != nil {
		return nil, err
	}
	for _, of := range []struct{ name, sum, net string }{{"new", g.Network, r.net(g.Generation)}, {"best", g.Played, best}} {
		if err := m.Enter(r.engine.player+of.net, krow.Player); err != nil {
			return nil, err
		}
		m.Players[len(m.Players)-1].Name = of.name + " " + of.sum // the name contains no path, because the folder may be renamed
		away, err := r.away(of.net)
		if err != nil {
			return nil, err
		}
		m.Away = append(m.Away, r.engine.player+away)
	}
	m.OnGame = func(e match.Event) error {
		r.report(Progress{g.Generation, doingMatch, e.Meeting.Games, r.Match, e.Meeting.Summary})
		return nil
	}
	m.Terms.Openings, err = r.openings(ctx, g.Generation)
	return m, err
}

// accepted reports whether the new network becomes the best after its match.
func accepted(s arena.Summary) bool { return s.SPRT == stats.AcceptedH1 || s.SPRT == "" && *s.LLR > 0 }

// even is the largest absolute score of a balanced opening, in the unit of the engine's scores.
const even = 0.3

// openings returns the openings of a match, one for each pair of games. All matches of the run use the same openings. The
// network with which the run began scores these openings as balanced.
func (r *Run) openings(ctx context.Context, generation int) (all [][]game.Move, err error) {
	if r.engine.openings == 0 {
		return nil, nil
	}
	name := r.path(openingsName)
	pairs := r.Match / 2
	_, err = os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		err = r.findOpenings(ctx, generation, name, pairs)
	}
	if err == nil {
		all, err = gamefile.ReadOpenings(r.game, name)
	}
	if err == nil && len(all) != pairs {
		err = fmt.Errorf("%s has %d openings, not %d; without the file they are found again", name, len(all), pairs)
	}
	return all, err
}

func (r *Run) findOpenings(ctx context.Context, generation int, name string, pairs int) error {
	judge, err := r.file(0)
	if err != nil {
		return err
	}
	o := match.Openings{
		Game: r.game, Player: r.engine.player + judge, Count: pairs, Plies: r.engine.openings, Seed: r.Seed, Nodes: r.MatchNodes, Within: even,
	}
	told := o
	// The file names the network by its checksum, which is in r.From, and not by its path, because the folder may be renamed.
	told.Player = r.engine.player + r.From
	var text strings.Builder
	fmt.Fprintf(&text, "# %s\n", told)
	n := 0
	err = o.Find(ctx, func(found opening.Opening) error {
		n++
		fmt.Fprintln(&text, notation.FormatMoves(r.game, found.Moves))
		r.report(Progress{Generation: generation, Doing: doingOpenings, Done: n, Of: pairs})
		return nil
	})
	if err != nil {
		return err
	}
	return atomicfile.Write(name, []byte(text.String()))
}
