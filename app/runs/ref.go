// SPDX-License-Identifier: Apache-2.0

package runs

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/internal/store"
	"github.com/krow-lab/krow/player"
)

// Ref names a player of what a run has learned: run:7,step=15,member=2.
type Ref struct {
	Run    int64
	Step   int // 0: the last
	Member int // of the colony, from 1, the best; 0: what the run learned as a whole, which for a colony is its best
}

const refName = "run"

// String returns the spec.
func (r Ref) String() string {
	text := fmt.Sprintf("%s:%d", refName, r.Run)
	if r.Step > 0 {
		text += fmt.Sprintf(",step=%d", r.Step)
	}
	if r.Member > 0 {
		text += fmt.Sprintf(",member=%d", r.Member)
	}
	return text
}

// ParseRef reads a spec, and says whether it names a player of what a run has learned.
func ParseRef(text string) (r Ref, is bool, err error) {
	r, s, err := parseRef(text)
	if s == nil || err != nil {
		return r, err != nil, err
	}
	return r, true, s.Err()
}

// parseRef returns no spec for one of another name.
func parseRef(text string) (r Ref, s *spec.Spec, err error) {
	if name, _, _ := strings.Cut(strings.TrimSpace(text), ":"); name != refName {
		return r, nil, nil
	}
	if s, err = spec.Parse(text); err != nil {
		return r, nil, err
	}
	const most = 1_000_000_000
	r = Ref{int64(s.Int("number", 0, 0, 1, most)), s.Int("step", -1, 0, 1, most), s.Int("member", -1, 0, 1, most)}
	if r.Run == 0 {
		s.Fail("%q needs the number of a run, as in run:7,step=15", text)
	}
	return r, s, nil
}

// Members reads a spec that may name several members of a colony: run:7 all, run:7,members=1-5 some, run:7,member=2
// one. It returns nothing for a spec of another name. Of a run without a colony run:7 is its only player.
func Members(db *store.Store, text string) ([]Ref, error) {
	ref, s, err := parseRef(text)
	if s == nil || err != nil {
		return nil, err
	}
	span := s.String("members", -1, "")
	if span != "" && ref.Member > 0 {
		s.Fail("%q gives member and members", text)
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	l, err := Find(db, ref)
	if err != nil {
		return nil, err
	}
	c, err := l.Colony()
	if ref.Member > 0 || err != nil && span == "" {
		return []Ref{ref}, nil
	}
	if err != nil {
		return nil, err
	}
	first, last := 1, len(c.Members)
	if from, to, ok := strings.Cut(span, "-"); span != "" {
		var err1, err2 error
		first, err1 = strconv.Atoi(from)
		last, err2 = strconv.Atoi(to)
		if !ok || err1 != nil || err2 != nil || first < 1 {
			return nil, &spec.Error{Msg: fmt.Sprintf("run %d: members must be a range such as 1-5, not %q", ref.Run, span)}
		}
	}
	switch {
	case first > last:
		return nil, &spec.Error{Msg: fmt.Sprintf("run %d: there are no members from %d to %d", ref.Run, first, last)}
	case last > len(c.Members):
		return nil, &spec.Error{Msg: fmt.Sprintf("run %d: the colony has the members 1 to %d, and no %d", ref.Run, len(c.Members), last)}
	}
	var all []Ref
	for ref.Member = first; ref.Member <= last; ref.Member++ {
		all = append(all, ref)
	}
	return all, nil
}

// Find returns what the run of a reference had learned after the step of the reference.
func Find(db *store.Store, ref Ref) (*Learned, error) {
	r, err := Open(db, ref.Run)
	if err != nil {
		return nil, err
	}
	return r.At(ref.Step)
}

// Settle checks a reference to a player of g, and says its step: the last one, unless it had one. So it names the same
// player while the run goes on. The state of the step need not be kept.
func Settle(db *store.Store, g game.Game, ref Ref) (Ref, error) {
	r, err := Open(db, ref.Run)
	if err != nil {
		return ref, err
	}
	if ref.Step > r.Step {
		return ref, r.beyond(ref.Step)
	}
	ref.Step = cmp.Or(ref.Step, r.Step)
	l, err := r.At(0)
	if err != nil {
		return ref, err
	}
	players, err := l.Players(g, ref.Member)
	if err == nil {
		_, err = players(1)
	}
	return ref, err
}

// Prepare repeats runs whose states are not kept, so that all references can be found. told says how far a run is.
func Prepare(ctx context.Context, db *store.Store, refs []Ref, told func(run int64, step, last int)) error {
	steps := map[int64][]int{}
	for _, ref := range refs {
		if ref.Step > 0 {
			steps[ref.Run] = append(steps[ref.Run], ref.Step)
		}
	}
	for id, steps := range steps {
		r, err := Open(db, id)
		if err != nil {
			return err
		}
		if err := r.Make(ctx, steps, func(step, last int) { told(id, step, last) }); err != nil {
			return err
		}
	}
	return nil
}

// Players settles a reference, prepares it, and returns a function that makes its players. See [Learned.Players].
func Players(ctx context.Context, db *store.Store, g game.Game, ref Ref, told func(run int64, step, last int)) (Ref, func(seed uint64) (player.Player, error), error) {
	ref, err := Settle(db, g, ref)
	if err != nil {
		return ref, nil, err
	}
	if err := Prepare(ctx, db, []Ref{ref}, told); err != nil {
		return ref, nil, err
	}
	l, err := Find(db, ref)
	if err != nil {
		return ref, nil, err
	}
	players, err := l.Players(g, ref.Member)
	return ref, players, err
}
