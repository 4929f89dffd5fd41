// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// breaker says whether the opponent completes a line on a board of few cells, by trying everything.
type breaker struct {
	lines []uint32
	known map[[2]uint32]bool // with the opponent to move
}

func (b *breaker) complete(opponent uint32) bool {
	for _, l := range b.lines {
		if opponent&l == l {
			return true
		}
	}
	return false
}

// holds says whether the prover keeps the opponent, who is to move, from completing a line. free are the cells left.
func (b *breaker) holds(opponent, free uint32) bool {
	if b.complete(opponent) {
		return false
	}
	key := [2]uint32{opponent, free}
	if known, ok := b.known[key]; ok {
		return known
	}
	ok := true
	for rest := free; rest != 0 && ok; rest &= rest - 1 {
		c := rest & -rest
		ok = b.replies(opponent|c, free&^c)
	}
	b.known[key] = ok
	return ok
}

func (b *breaker) replies(opponent, free uint32) bool {
	if b.complete(opponent) {
		return false
	}
	for rest := free; rest != 0; rest &= rest - 1 {
		if b.holds(opponent, free&^(rest&-rest)) {
			return true
		}
	}
	return free == 0
}

// player makes up what a file says: mostly sensible answers, images of kept trees, which may not fit, and plans, which may not hold.
type player struct {
	*rand.Rand
	*breaker
	told          []int // what more says next
	shares, plans int
}

// plan makes up a plan, mostly one that holds.
func (r *player) plan(h *holder) int {
	var chosen []int
	if p := (&holdWriter{holder: h}).planned(); p != nil && r.IntN(20) > 0 {
		chosen = p.chosen
		slices.Reverse(chosen)
		// The last pairs are often not needed: then the potential is.
		chosen = chosen[:len(chosen)-r.IntN(min(3, len(chosen)+1))]
	}
	if r.IntN(20) == 0 {
		chosen = append(chosen, r.IntN(4))
	}
	r.told = append([]int{len(chosen)}, chosen...)
	r.plans++
	return h.columns*h.rows + len(h.images)
}

func (r *player) next(h *holder, c int, first bool) (int, error) {
	if n := len(h.kept); first && n > 0 {
		for range 30 {
			symmetry := r.IntN(len(h.images))
			ago := r.IntN(n)
			if _, fits := h.fits(&h.kept[n-1-ago], symmetry); fits || r.IntN(200) == 0 {
				r.told = []int{ago}
				r.shares++
				return h.columns*h.rows + symmetry, nil
			}
		}
	}
	if p := (&holdWriter{holder: h}).planned(); first && (p != nil && r.IntN(4) == 0 || r.IntN(200) == 0) {
		return r.plan(h), nil
	}
	live := h.live().minus(one(c))
	if live.empty() {
		return 0, errRefuted
	}
	if r.IntN(100) == 0 {
		return r.IntN(h.columns * h.rows), nil // it may be taken
	}
	order := h.order(live)
	if r.IntN(4) == 0 {
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	free, opponent := h.usable().minus(one(c)), h.stones[1-h.prover].or(one(c))
	for _, a := range order {
		if r.holds(uint32(opponent.lo), uint32(free.minus(one(a)).lo)) {
			return a, nil
		}
	}
	return order[0], nil
}

// strew lays lines anywhere, since the rule does not ask how they lie, and pairs alone rarely break those.
func (b *board) strew(rng *rand.Rand) {
	b.lines, b.images = nil, b.images[:1]
	for range 8 + rng.IntN(16) {
		l := set{}
		for l.count() < b.k {
			l = l.or(one(rng.IntN(b.columns * b.rows)))
		}
		if !slices.Contains(b.lines, l) {
			b.lines = append(b.lines, l)
		}
	}
}

// TestHoldsAreTrue: wherever the checker says that the prover holds on a zone, he does where the opponent has all other cells.
func TestHoldsAreTrue(t *testing.T) {
	if testing.Short() {
		t.Skip("the inner loop leaves out long tests")
	}
	tries := 500
	if os.Getenv("KROW_LONG") != "" {
		tries = 100_000
	}
	var held, shared, small, planned int
	for i := range tries {
		rng := rand.New(rand.NewPCG(uint64(i), 33))
		columns, rows := 3+rng.IntN(2), 3+rng.IntN(2)
		b := newBoard(columns, rows, 3+rng.IntN(max(columns, rows)-2), false)
		if i%4 > 0 {
			b.strew(rng)
		}
		for range rng.IntN(columns * rows / 2) {
			if c := rng.IntN(columns * rows); b.free.has(c) {
				b.put(rng.IntN(2), c)
			}
		}
		br := &breaker{known: map[[2]uint32]bool{}}
		for _, l := range b.lines {
			br.lines = append(br.lines, uint32(l.lo))
		}
		p := &player{Rand: rng, breaker: br}
		h := newHolder(b, part{prover: 1})
		h.enter = func() error { return nil }
		h.next = func(c int, _ set, first bool) (int, error) { return p.next(h, c, first) }
		h.plans = true
		h.more = func() (n int, err error) {
			if len(p.told) == 0 {
				return 0, ErrShort
			}
			n, p.told = p.told[0], p.told[1:]
			return n, nil
		}
		zone, err := h.tree(set{rng.Uint64(), 0})
		if err != nil {
			if !errors.Is(err, errRefuted) && !errors.Is(err, errShare) && !errors.Is(err, errTaken) && !errors.Is(err, ErrShort) {
				t.Fatalf("board %d: %v", i, err)
			}
			continue
		}
		if zone.count() > 14 {
			continue // too much to try
		}
		free := uint32(zone.lo)
		if free&uint32(b.stones[0].or(b.stones[1]).lo) != 0 {
			t.Fatalf("board %d: the zone %b holds a stone", i, free)
		}
		others := uint32(b.all.minus(b.stones[1]).minus(zone).lo)
		if !br.holds(others, free) {
			t.Fatalf("board %d, %d,%d,%d, stones %v: prover does not hold on %b", i, columns, rows, b.k, b.stones, free)
		}
		held++
		shared += p.shares
		if p.plans > 0 {
			planned++
		}
		if zone != h.usable() {
			small++
		}
	}
	t.Logf("%d of %d positions held, %d of them on a part of the free cells, with %d shared trees, %d by plans", held, tries, small, shared, planned)
	if held < tries/10 || small < held/4 || shared < tries/1000 || planned < held/20 {
		t.Errorf("too few tell: %d held, %d zones, %d shared trees, %d plans", held, small, shared, planned)
	}
}

// TestPlanAtOneHalf: lines that count one half are too many. Of three cells in a row the opponent takes the middle one, and has
// two in a row.
func TestPlanAtOneHalf(t *testing.T) {
	for k, want := range map[int]error{2: errRefuted, 3: nil} {
		h := newHolder(newBoard(3, 1, k, false), part{prover: 1})
		h.plans, h.enter = true, func() error { return nil }
		h.next = func(int, set, bool) (int, error) { return h.columns*h.rows + len(h.images), nil }
		h.more = func() (int, error) { return 0, nil }
		if _, err := h.tree(set{}); err != want {
			t.Errorf("%d in a row: %v, want %v", k, err, want)
		}
	}
}
