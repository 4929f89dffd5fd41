// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"bufio"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"sync"
)

// Strategy is a verified certificate in memory, of ZoneVersion or FallVersion. A player can follow it: the Strategy returns the
// next move of the winner, if all earlier moves of the winner were moves of the Strategy. Several goroutines may use it at once;
// only one call runs at a time.
//
// A Strategy stores the bytes of the file's body. The file does not say what the zone of a tree is, or where the tree ends.
// Therefore, to find the answer to a move, the Strategy reads all trees before that answer, as the checker does. For large
// trees the Strategy stores the zone and the end:
//
//	h8 ─ answers ─┬─ pass        large: zone and end are known
//	              ├─ a1          small: walked over
//	              ├─ b1          shared: has the zone of a kept tree
//	              └─ c1 ─ ...    the answer to be found: the walk continues here
type Strategy struct {
	mu     sync.Mutex
	result Result
	z      *zones
	start  [2]cells // the stones of the position of the claim
	t      *trail

	// turned maps each cell of z to a cell of the board of the game. The two cells may differ if the file refers to an earlier
	// tree instead of repeating it: the walk then continues in that tree, of which the game is a symmetric image.
	turned []int
	unseen int

	falling *falling // the steps of a certificate of FallVersion, or nil
}

// largeTree is the minimum number of positions of a tree whose zone and end are stored. To find a move, a Strategy walks over
// the trees before the move in the file that have fewer positions than largeTree. It walks over two million positions a second.
// Before each move there may be some hundreds of these trees.
const largeTree = 1024

// trail records a walk over the body of a file. After the certificate is verified, the trail covers the whole body.
type trail struct {
	from   *bufio.Reader // source of the rest of the body
	body   []byte        // the bytes read so far
	at     int           // the index of the next byte
	large  map[int]span  // the spans of large trees, by the index of their first byte
	shared []place       // the beginning of each kept tree
	least  uint64        // minimum number of positions of a large tree
}

// span contains the data with which a walk skips a large tree.
type span struct {
	zone  cells
	plies int // as zones.plies after the tree
	// end is the index of the byte after the tree, and kept is the length of zones.kept there: the number of earlier trees to
	// which the rest of the file may refer.
	end, kept int
}

// place is a position in the body at which a walk can continue.
type place struct {
	// at is the index of the byte, and kept is the length of zones.kept there: the number of earlier trees to which the rest of
	// the file may refer.
	at, kept int
}

// ReadByte returns the next byte of the walk.
func (t *trail) ReadByte() (byte, error) {
	if t.at == len(t.body) {
		b, err := t.from.ReadByte()
		if err != nil {
			return 0, err
		}
		t.body = append(t.body, b)
	}
	t.at++
	return t.body[t.at-1], nil
}

// attackerMoves checks the next tree, as zones.tree does, and returns its zone. If t has recorded this tree as a large tree,
// the walk skips the tree, and the recorded zone is returned. Otherwise attackerMoves records the tree after the check if it is
// large.
func (t *trail) attackerMoves(z *zones, unseen int, mayAll bool) (zone cells, all bool, err error) {
	begin, trees := place{t.at, len(z.kept)}, z.trees
	if t.at < len(t.body) {
		if s, known := t.large[t.at]; known {
			t.at, z.kept, z.plies = s.end, z.kept[:s.kept], s.plies
			return s.zone, false, nil
		}
	}
	zone, all, err = z.tree(unseen, mayAll)
	if err == nil && len(t.shared) < len(z.kept) {
		t.shared = append(t.shared, begin)
	}
	if err == nil && z.trees-trees >= t.least {
		t.large[begin.at] = span{zone, z.plies, t.at, len(z.kept)}
	}
	return zone, all, err
}

// ErrFollow is returned by ReadStrategy if the certificate is neither of ZoneVersion nor a win or loss of FallVersion.
var ErrFollow = errors.New("only certificates with zones (version 3), and wins and losses of version 8, can be played")

// ReadStrategy verifies a certificate as Verify does, and returns the strategy of the side that wins.
func ReadStrategy(ctx context.Context, r io.ReadSeeker, limits Limits) (*Strategy, error) {
	return readStrategy(ctx, r, limits, largeTree)
}

// ReadVerified returns the strategy of a certificate that was verified before. It reads plans without following them, and so takes
// little time.
func ReadVerified(r io.ReadSeeker) (*Strategy, error) {
	return readStrategy(context.Background(), r, Limits{verified: true}, largeTree)
}

func readStrategy(ctx context.Context, r io.ReadSeeker, limits Limits, least uint64) (s *Strategy, err error) {
	s = &Strategy{t: &trail{large: map[int]span{}, least: least}}
	limits.follow = s
	if s.result, err = Verify(ctx, r, limits); err != nil {
		return nil, err
	}
	if s.falling != nil {
		return s, nil
	}
	s.z.enter, s.t.from = func() error { return nil }, nil
	s.t.body, s.t.shared, s.z.kept = slices.Clip(s.t.body), slices.Clip(s.t.shared), slices.Clip(s.z.kept)
	return s, nil
}

// attach makes the checker z read body through the trail of s, which records it. If s is nil, it does nothing.
func (s *Strategy) attach(z *zones, body *bufio.Reader) {
	if s == nil {
		return
	}
	s.z, s.start, s.t.from = z, z.stones, body
	z.attackerMoves = func(unseen int, mayAll bool) (cells, bool, error) { return s.t.attackerMoves(z, unseen, mayAll) }
	z.next = func() (uint64, error) { return varint(s.t) }
}

// Result returns the verified claim.
func (s *Strategy) Result() Result { return s.result }

// Winner returns the side that wins: first or second.
func (s *Strategy) Winner() string { return s.result.Parts[0].Prover }

// errLeft is the error for moves that are not moves of the strategy.
var errLeft = errors.New("the line does not follow the strategy")

// Move returns the cell of the winner's next move. moves are the cells played since the position of the claim, by both sides in
// turn. ok is false if the winner is not to move, if a move of the winner is not the strategy's move, or if a move is illegal.
func (s *Strategy) Move(moves []int) (cell int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.falling != nil {
		r, err := s.falling.move(moves)
		return r.Cell, err == nil
	}
	cell, err := s.follow(moves)
	return cell, err == nil
}

// PlannedMove is the winner's next move by a certificate of FallVersion, with the reason for it.
type PlannedMove struct {
	Cell int `json:"cell" doc:"cell of the move"`
	// Why is the number of the rule of the plan that gives the move, where the first rule has the number 1, or a word: row (the move
	// completes a line), block (the opponent threatens on this cell), move (the move is a step of the certificate without a plan),
	// first (the plan begins with this move), none (no rule of the plan applies).
	Why  string `json:"why" doc:"number of the rule of the plan, from 1, or: row (completes a line), block (the opponent threatens there), move (a step without a plan), first (begins the plan), none (no rule applies)"`
	Plan *Plan  `json:"plan,omitempty" doc:"the plan, from the move with which it begins"`
}

// Planned returns the move that Move returns, with the reason for it. ok is also false if the certificate is not of FallVersion.
func (s *Strategy) Planned(moves []int) (r PlannedMove, ok bool) {
	if s.falling == nil {
		return r, false
	}
	r, err := s.falling.move(moves)
	return r, err == nil
}

// errLongest is returned by Longest if the certificate is not of ZoneVersion.
var errLongest = errors.New("the longest line is known only of certificates with zones (version 3)")

// Longest verifies a certificate of ZoneVersion, and returns the moves of a game that lasts as long as any game in which the
// winner plays by the certificate.
func Longest(ctx context.Context, r io.ReadSeeker, limits Limits) (Result, []int, error) {
	s, err := ReadStrategy(ctx, r, limits)
	switch {
	case err == ErrFollow || err == nil && s.z == nil:
		return Result{}, nil, errLongest
	case err != nil:
		return Result{}, nil, err
	}
	line, err := s.longest()
	return s.result, line, err
}

// longest returns the line of Longest.
func (s *Strategy) longest() (line []int, err error) {
	taken := s.beginWalk()
	for turn := s.result.Claim.Value; ; turn = "win" {
		if turn == "win" {
			c, err := s.move()
			if err != nil {
				return nil, err
			}
			line = append(line, s.turned[c])
			taken.add(s.turned[c])
			if _, won := s.z.won(c); won {
				return line, nil
			}
		}
		answer, err := s.longestAnswer(&taken)
		if err != nil {
			return nil, err
		}
		line = append(line, answer)
		if _, err := s.followAnswer([]int{answer}, &taken); err != nil {
			return nil, err
		}
	}
}

// longestAnswer returns the losing side's move after which the game can last longest. The walk stays where it is.
func (s *Strategy) longestAnswer(taken *cells) (answer int, err error) {
	here := place{s.t.at, len(s.z.kept)}
	defer s.goTo(here)
	answers, all, err := s.z.attackerMoves(s.unseen+1, true)
	if err != nil {
		return 0, err
	}
	if all {
		answers = s.z.empty
	}
	answer, plies := -1, -1
	for c, turned := range s.turned { // the answers after which the walk continues with the tree for a pass
		if !answers.has(c) && !taken.has(turned) {
			answer, plies = turned, s.z.plies
			break
		}
	}
	err = answers.each(func(c int) error {
		s.z.put(1, c)
		_, _, err := s.z.attackerMoves(s.unseen, false)
		s.z.takeCell(1, c)
		if s.z.plies > plies && !taken.has(s.turned[c]) {
			answer, plies = s.turned[c], s.z.plies
		}
		return err
	})
	return answer, err
}

// beginWalk puts the walk at the beginning of the body, and returns the stones of both sides.
func (s *Strategy) beginWalk() (taken cells) {
	s.unseen, s.turned = 0, s.z.images[0]
	s.set(s.start)
	s.goTo(place{})
	taken = s.start[0]
	taken.join(s.start[1])
	return taken
}

func (s *Strategy) follow(moves []int) (cell int, err error) {
	taken := s.beginWalk()
	if s.result.Claim.Value == "loss" {
		if moves, err = s.followAnswer(moves, &taken); err != nil {
			return 0, err
		}
	}
	for {
		c, err := s.move()
		if err != nil || len(moves) == 0 {
			return s.turned[c], err
		}
		if moves[0] != s.turned[c] {
			return 0, errLeft
		}
		taken.add(moves[0])
		if _, won := s.z.won(c); won {
			return 0, errLeft
		}
		if moves, err = s.followAnswer(moves[1:], &taken); err != nil {
			return 0, err
		}
	}
}

// goTo sets the place at which the walk continues.
func (s *Strategy) goTo(p place) { s.t.at, s.z.kept = p.at, s.z.kept[:p.kept] }

// set removes the stones on the board and places the given stones.
func (s *Strategy) set(stones [2]cells) {
	for side, old := range s.z.stones {
		_ = old.each(func(c int) error {
			s.z.takeCell(side, c)
			return nil
		})
	}
	for side, now := range stones {
		_ = now.each(func(c int) error {
			s.z.put(side, c)
			return nil
		})
	}
}

// move plays the first move of the next tree of the walk, and returns the cell of the move on the board of z. If the next tree
// is shared, the walk continues in the kept tree, and the board of z becomes the board of the kept tree.
func (s *Strategy) move() (int, error) {
	n := uint64(len(s.turned))
	c, err := s.z.next()
	if err == nil && c > 2*n {
		var back uint64
		if back, err = s.z.next(); err == nil {
			s.share(s.z.images[c-2*n-1], len(s.z.kept)-1-int(back))
			c, err = s.z.next()
		}
	}
	if err != nil {
		return 0, err
	}
	s.z.put(0, int(c%n))
	return int(c % n), nil
}

// share continues the walk in the kept tree z.kept[tree], to which the file refers in place of a symmetric tree. It puts the
// stones of the kept tree on the board of z, and changes turned so that it maps the cells of this board to the board of the
// game.
func (s *Strategy) share(image []int, tree int) {
	turned := make([]int, len(image))
	for c := range turned {
		turned[c] = s.turned[image[c]]
	}
	s.turned, s.unseen = turned, s.z.kept[tree].unseen
	s.set(s.z.kept[tree].stones)
	s.goTo(s.t.shared[tree])
}

// followAnswer continues the walk at the tree that answers moves[0], which is a move of the losing side, and returns the
// remaining moves. taken contains the stones of both sides on the board.
func (s *Strategy) followAnswer(moves []int, taken *cells) ([]int, error) {
	if len(moves) == 0 || moves[0] < 0 || moves[0] >= len(s.turned) || taken.has(moves[0]) {
		return nil, errLeft
	}
	taken.add(moves[0])
	c := slices.Index(s.turned, moves[0])
	pass := place{s.t.at, len(s.z.kept)}
	answers, all, err := s.z.attackerMoves(s.unseen+1, true)
	if err != nil {
		return nil, err
	}
	if all {
		answers = s.z.empty
	}
	if !answers.has(c) {
		s.unseen++
		s.goTo(pass)
		return moves[1:], nil
	}
	for before := range c {
		if answers.has(before) {
			s.z.put(1, before)
			_, _, err := s.z.attackerMoves(s.unseen, false)
			s.z.takeCell(1, before)
			if err != nil {
				return nil, err
			}
		}
	}
	s.z.put(1, c)
	return moves[1:], nil
}

// falling is the strategy of a certificate of FallVersion.
type falling struct {
	start *board
	steps map[[4]uint64]fallingStep // by position, as the walk met it
}

type fallingStep struct {
	cell int
	plan *Plan // nil if there is no plan
}

// move returns the prover's next move after moves. It follows the walk of the checker. If the file has the mirror image of a
// position, the board is mirrored, and so are the moves from then on.
func (f *falling) move(moves []int) (r PlannedMove, err error) {
	b, flipped := *f.start, false
	turned := func(c int) int {
		if flipped {
			return b.images[1][c]
		}
		return c
	}
	for turn := 0; ; turn = 1 - turn {
		if turn == b.prover {
			switch own, forced := b.gaps[turn].and(b.free), b.gaps[1-turn].and(b.free); {
			case b.free.empty():
				return r, errLeft
			case !own.empty():
				r.Cell, r.Why = own.pop(), "row"
			case !forced.empty():
				r.Cell, r.Why = forced.pop(), "block"
			case r.Plan != nil:
				var rule int
				if r.Cell, rule = r.Plan.move(&b); rule < len(r.Plan.Rules) {
					r.Why = strconv.Itoa(rule + 1)
				} else {
					r.Why = "none"
				}
			default:
				step, known := f.steps[b.stones4()]
				if !known {
					b, flipped = b.mirrored(), !flipped
					if step, known = f.steps[b.stones4()]; !known {
						return r, errLeft
					}
				}
				if r = (PlannedMove{step.cell, "move", step.plan}); step.plan != nil {
					r.Why = "first"
				}
			}
			if !b.free.has(r.Cell) {
				return r, errLeft // the checker found the move itself
			}
			if len(moves) == 0 {
				if flipped && r.Plan != nil {
					r.Plan = r.Plan.mirrored(b.images[1])
				}
				r.Cell = turned(r.Cell)
				return r, nil
			}
			if moves[0] != turned(r.Cell) || b.gaps[turn].has(r.Cell) {
				return r, errLeft
			}
		}
		if len(moves) == 0 || moves[0] < 0 || moves[0] >= len(b.images[0]) || !b.free.has(turned(moves[0])) {
			return r, errLeft
		}
		b.put(turn, turned(moves[0]))
		moves = moves[1:]
	}
}

// mirrored returns the plan for the mirror image of the board; image is, by cell, the cell in the mirror image.
func (p *Plan) mirrored(image []int) *Plan {
	m := &Plan{slices.Clone(p.Rules), !p.Rightmost}
	for i := range m.Rules {
		for _, c := range []*int{&m.Rules[i].Cell, &m.Rules[i].After} {
			if *c >= 0 {
				*c = image[*c]
			}
		}
	}
	return m
}

// stones4 returns the stones of both sides.
func (b *board) stones4() [4]uint64 {
	return [4]uint64{b.stones[0].lo, b.stones[0].hi, b.stones[1].lo, b.stones[1].hi}
}

// mirrored returns the mirror image of the board, left and right exchanged.
func (b *board) mirrored() board {
	m := *newBoard(b.columns, b.rows, b.k, b.falls)
	m.part = b.part
	for cells := b.stones[0].or(b.stones[1]); !cells.empty(); {
		c, side := cells.pop(), 0 // from the bottom: put makes the cell above a stone playable
		if b.stones[1].has(c) {
			side = 1
		}
		m.put(side, b.images[1][c])
	}
	return m
}
