// SPDX-License-Identifier: Apache-2.0

package solve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/search/dfpn"
	"github.com/krow-lab/krow/work"
)

// Jobs proves what one position is worth by many small searches, which a queue of many machines does: win, draw or loss. The
// upper part of the proof is a tree here; each unit of work searches one leaf for so many nodes.
//
//	j, err := s.Jobs(p, 1_000_000)
//	err = j.Keep("work.jobs")              // or nothing, and the work is lost with the process
//	v, err := j.Run(ctx, queue, nil)
//
// Results count in the order in which their units were chosen. So the tree follows from the position and the nodes of a unit,
// however many machines there are and whatever happens to them.
type Jobs struct {
	s     *Solver
	nodes uint64 // of a unit
	p     game.Position

	mu    sync.Mutex // units are asked for while results come
	tree  *tree
	given []job     // in order
	done  []jobDone // of the first of them
	spent uint64
	log   *jobsFile // nil where nothing is kept
}

// job is a leaf that somebody searches.
type job struct {
	leaf *node
	by   game.Side
	unit work.Unit
}

// jobDone is what a search has found.
type jobDone struct {
	Verdict dfpn.Verdict `json:"verdict"`
	Nodes   uint64       `json:"nodes"`
}

// jobKind is the kind of a unit of work that is a leaf to search, and jobArgs are its arguments.
const jobKind = "leaf of a proof"

type jobArgs struct {
	Game  string `json:"game"`
	Moves string `json:"moves"`
	Wins  string `json:"wins"` // the side of which it is asked whether it wins
	Nodes uint64 `json:"nodes"`
	Hash  int    `json:"hash"` // bytes of the table
}

// The least and the most units that are under way. Between them there is one for every jobsShare positions of the tree.
const (
	leastJobs, mostJobs = 8, 1 << 14
	jobsShare           = 8
)

// Jobs returns the work of proving p by searches of so many nodes.
func (s *Solver) Jobs(p game.Position, nodes uint64) *Jobs {
	j := &Jobs{s: s, nodes: nodes, p: p.Clone()}
	j.begin()
	return j
}

// begin forgets all results.
func (j *Jobs) begin() {
	j.tree, j.given, j.done, j.spent = newTree(j.p), nil, nil, 0
	j.choose()
}

// over says whether the value is known.
func (j *Jobs) over() bool { return j.tree.root.settled() }

// choose takes as many leaves as may be under way.
func (j *Jobs) choose() {
	if !j.over() && j.tree.root.known[j.tree.by] != dfpn.Unknown {
		j.tree.ask(j.tree.by.Other())
	}
	for most := min(max(leastJobs, len(j.tree.nodes)/jobsShare), mostJobs); j.tree.busy < most && !j.over(); {
		leaf := j.tree.next()
		if leaf == nil {
			return
		}
		moves := notation.FormatMoves(j.p.Game(), leaf.moves)
		u, err := work.New(jobKind, jobArgs{j.p.Game().String(), moves, j.tree.by.String(), j.nodes, j.s.o.Hash}, 0)
		if err != nil {
			panic(err) // its arguments are plain
		}
		j.given = append(j.given, job{leaf, j.tree.by, u})
	}
}

// take counts the result of the next unit.
func (j *Jobs) take(d jobDone) {
	next := j.given[len(j.done)]
	j.done = append(j.done, d)
	j.spent += d.Nodes
	j.tree.learn(next.leaf, next.by, d.Verdict)
	j.choose()
}

// units yields those that have no result.
func (j *Jobs) units(from int) func(yield func(work.Unit, error) bool) {
	return func(yield func(work.Unit, error) bool) {
		for i := from; ; {
			j.mu.Lock()
			u, err := work.Unit{}, error(work.ErrLater)
			if i < len(j.given) {
				u, err = j.given[i].unit, nil
				i++
			}
			j.mu.Unlock()
			if !yield(u, err) {
				return
			}
		}
	}
}

// errProved ends the work when the value is known.
var errProved = errors.New("proved")

// Run has the units done that have no result, and returns the value of the position. It calls tell, unless nil, after each
// result. When ctx ends the work the error and the solution say what is proved so far.
func (j *Jobs) Run(ctx context.Context, queue work.Queue, tell func(Solution)) (Solution, error) {
	if o := j.p.Outcome(); o != game.Ongoing {
		return j.solution(), errOver(o)
	}
	for !j.over() {
		from := len(j.done)
		err := queue.Run(ctx, j.units(from), func(_ int, data []byte) error { return j.result(data, tell) })
		wrong := new(work.WithdrawnError)
		switch {
		case errors.As(err, &wrong):
			err = j.withdraw(from + wrong.First)
		case err == errProved:
			err = nil
		case err != nil && ctx.Err() != nil:
			err = soFar(ctx, j.solution())
		}
		if err != nil {
			return j.solution(), err
		}
	}
	return j.solution(), nil
}

func (j *Jobs) result(data []byte, tell func(Solution)) error {
	var d jobDone
	if err := json.Unmarshal(data, &d); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.log != nil {
		if err := j.log.add(j.given[len(j.done)].unit.Key(), d); err != nil {
			return err
		}
	}
	if j.take(d); tell != nil {
		tell(j.solution())
	}
	if j.over() {
		return errProved
	}
	return nil
}

// withdraw takes back all results but the first n.
func (j *Jobs) withdraw(n int) error {
	kept := j.done[:n]
	j.begin()
	for _, d := range kept {
		j.take(d)
	}
	if j.log != nil {
		return j.log.cut(n)
	}
	return nil
}

// Units returns how many units have a result.
func (j *Jobs) Units() int { return len(j.done) }

// Line returns moves that keep the value of the position, as far as the tree has them.
func (j *Jobs) Line() []game.Move { return j.tree.line() }

func (j *Jobs) solution() Solution {
	root := j.tree.root
	v := Solution{Lower: -1, Upper: 1, Nodes: j.spent}
	switch root.known[root.turn] {
	case dfpn.Proven:
		v.Lower = 1
	case dfpn.Refuted:
		v.Upper = 0
	}
	switch root.known[root.turn.Other()] {
	case dfpn.Proven:
		v.Upper = -1
	case dfpn.Refuted:
		v.Lower = max(v.Lower, 0)
	}
	v.Progress = fmt.Sprintf("%d searches, %d under way, %d positions, proof %d, disproof %d",
		len(j.done), j.tree.busy, len(j.tree.nodes), root.yes, root.no)
	return v.complete(true)
}

// settle does a unit.
func settle(ctx context.Context, u work.Unit) ([]byte, error) {
	var args jobArgs
	if err := json.Unmarshal(u.Args, &args); err != nil {
		return nil, err
	}
	s, p, err := asked(args.Game, args.Moves, Options{Weak: true, Hash: args.Hash})
	if err != nil {
		return nil, err
	}
	if o := p.Outcome(); o != game.Ongoing {
		return nil, errOver(o)
	}
	by := game.First
	if args.Wins == game.Second.String() {
		by = game.Second
	}
	v, nodes := s.e.wins(ctx, p, by, args.Nodes)
	if v == dfpn.Unknown && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return json.Marshal(jobDone{v, nodes})
}
