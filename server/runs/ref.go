// SPDX-License-Identifier: Apache-2.0

package runs

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/server/store"
)

// Ref is a reference to a player learned by a run, such as run:7,step=15,member=2. In a tournament it may name several players.
type Ref struct {
	Run  int64
	Step int // number of the step; 0 means the last step
	// Member is the number of a member of the colony, 1 for the best. 0 means the result of the run; the result of a colony is
	// its best member.
	Member int
	// If Last is greater than 0, the Ref stands for the members from Member to Last, and its text contains for example
	// members=2-5.
	Last int
}

const refName = "run"

// String returns the reference as a spec.
func (r Ref) String() string {
	text := fmt.Sprintf("%s:%d", refName, r.Run)
	if r.Step > 0 {
		text += fmt.Sprintf(",step=%d", r.Step)
	}
	if r.Last > 0 {
		return text + fmt.Sprintf(",members=%d-%d", r.Member, r.Last)
	}
	if r.Member > 0 {
		text += fmt.Sprintf(",member=%d", r.Member)
	}
	return text
}

// ParseRef reads a reference. It also reports whether text is meant as a reference, even if the reference is invalid.
func ParseRef(text string) (r Ref, is bool, err error) {
	if name, _, _ := strings.Cut(strings.TrimSpace(text), ":"); name != refName {
		return r, false, nil
	}
	s, err := spec.Parse(text)
	if err != nil {
		return r, true, err
	}
	const most = 1_000_000_000
	if err := s.Read([]spec.Option{
		spec.Whole("number", 0, 1, most).At(1), spec.Whole("step", 0, 1, most), spec.Whole("member", 0, 1, most), spec.Word("members", "N-N", ""),
	}); err != nil {
		return r, true, err
	}
	r = Ref{Run: int64(s.Int("number")), Step: s.Int("step"), Member: s.Int("member")}
	if r.Run == 0 {
		s.Fail("%q needs the number of a run, as in run:7,step=15", text)
	}
	if span := s.String("members"); span != "" {
		from, to, _ := strings.Cut(span, "-")
		first, err1 := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		if err1 != nil || err2 != nil || first < 1 || last < 1 || r.Member > 0 {
			s.Fail("%q: members must be a range such as 1-5, without member", text)
		}
		r.Member, r.Last = first, last
	}
	return r, true, s.Err()
}

// Players returns a reference for each player that r names. If the run has a colony and r gives no number of a member, r names
// all members of the colony.
func (run *Run) Players(r Ref) ([]Ref, error) {
	if r.Member > 0 && r.Last == 0 {
		return []Ref{r}, nil
	}
	l, err := run.At(r.Step)
	if err != nil {
		return nil, err
	}
	c, err := l.Colony()
	switch {
	case err != nil && r.Last == 0:
		return []Ref{r}, nil
	case err != nil:
		return nil, err
	case r.Last == 0:
		r.Member, r.Last = 1, len(c.Members)
	case r.Member > r.Last:
		return nil, &spec.Error{Msg: fmt.Sprintf("run %d: there are no members from %d to %d", r.Run, r.Member, r.Last)}
	}
	var all []Ref
	// If the range is too long, the loop adds one member that the colony does not have. Settle, which checks each reference, then
	// returns an error.
	for member := r.Member; member <= min(r.Last, len(c.Members)+1); member++ {
		all = append(all, Ref{Run: r.Run, Step: r.Step, Member: member})
	}
	return all, nil
}

const maxOpponents = 4

// Opponents returns the players for g that the first runs of a list have learned.
func Opponents(all []*Run, g game.Game) (players []krow.Opponent) {
	for _, r := range all {
		if r.Step > 0 && r.Game == g.String() && len(players) < maxOpponents {
			ref := Ref{Run: r.ID, Step: r.Step}
			players = append(players, krow.Opponent{Name: "learned", Player: ref.String(), Doc: fmt.Sprintf("%s, step %d of %d", r.Learner, r.Step, r.Steps)})
		}
	}
	return players
}

// Find returns the learned state that a reference names.
func Find(db *store.Store, ref Ref) (*Learned, error) {
	r, err := Open(db, ref.Run)
	if err != nil {
		return nil, err
	}
	return r.At(ref.Step)
}

// Settle checks that ref names a player of g. If ref names no step, Settle adds the last step and marks the state after it as
// kept, so that the reference still names the same player when the run continues.
func Settle(db *store.Store, g game.Game, ref Ref) (Ref, error) {
	if ref.Last > 0 {
		return ref, &spec.Error{Msg: ref.String() + " names several players"}
	}
	r, err := Open(db, ref.Run)
	if err != nil {
		return ref, err
	}
	ref.Step = cmp.Or(ref.Step, r.Step)
	l, err := r.At(ref.Step)
	if err != nil {
		return ref, err
	}
	players, err := l.Players(g, ref.Member)
	if err == nil {
		_, err = players(1)
	}
	if err == nil && ref.Step == r.Step && !r.Done {
		err = r.keep(r.Step, r.State)
	}
	return ref, err
}
