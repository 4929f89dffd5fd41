// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/renju"
)

// brute knows by trying everything whether the attacker wins on a small board. It shares nothing with the checker.
type brute struct {
	columns, rows, k int
	rule             string
	known            map[[2]uint64]bool // with the attacker to move
}

// foul says whether the rules of renju forbid the attacker's stone on c.
func (b *brute) foul(attacker, defender uint64, c int) bool {
	if b.rule != Renju {
		return false
	}
	cells := make([]game.Stone, b.columns*b.rows)
	for i := range cells {
		cells[i] = game.Stone(attacker>>i&1 + 2*(defender>>i&1))
	}
	return renju.Forbidden(cells, b.columns, b.rows, c) != renju.None
}

// attackerRow says whether the attacker's stone on c completes a row that wins, and defenderRow the same of the defender's stone.
func (b *brute) attackerRow(attacker, defender uint64, c int) bool {
	return b.row(attacker, defender, c, b.rule == Exact || b.rule == Renju)
}

func (b *brute) defenderRow(defender, attacker uint64, c int) bool {
	return b.row(defender, attacker, c, b.rule == Exact)
}

// row says whether the stone on c completes a row of mine that wins.
func (b *brute) row(mine, other uint64, c int, exact bool) bool {
	x, y := c%b.columns, c/b.columns
	for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
		n, blocked := 1, 0
		for _, way := range []int{1, -1} {
			i, j := x+way*d[0], y+way*d[1]
			for i >= 0 && i < b.columns && j >= 0 && j < b.rows && mine>>(i+j*b.columns)&1 == 1 {
				n++
				i, j = i+way*d[0], j+way*d[1]
			}
			if i >= 0 && i < b.columns && j >= 0 && j < b.rows && other>>(i+j*b.columns)&1 == 1 {
				blocked++
			}
		}
		if n == b.k || n > b.k && !exact {
			if b.rule != Caro || blocked < 2 {
				return true
			}
		}
	}
	return false
}

func (b *brute) empty(attacker, defender uint64) uint64 {
	return (uint64(1)<<(b.columns*b.rows) - 1) &^ (attacker | defender)
}

// wins says whether the attacker wins, to move.
func (b *brute) wins(attacker, defender uint64) bool {
	at := [2]uint64{attacker, defender}
	if v, known := b.known[at]; known {
		return v
	}
	won := false
	for rest := b.empty(attacker, defender); rest != 0 && !won; rest &= rest - 1 {
		c := bits.TrailingZeros64(rest)
		won = b.attackerRow(attacker, defender, c) || !b.foul(attacker, defender, c) && b.loses(attacker|1<<c, defender)
	}
	b.known[at] = won
	return won
}

// loses says whether the defender, who is to move, loses.
func (b *brute) loses(attacker, defender uint64) bool {
	rest := b.empty(attacker, defender)
	if rest == 0 {
		return false
	}
	for ; rest != 0; rest &= rest - 1 {
		c := bits.TrailingZeros64(rest)
		if b.defenderRow(defender, attacker, c) || !b.wins(attacker, defender|1<<c) {
			return false
		}
	}
	return true
}

// complete says whether the defender has a line already, and any whether one of the sides has one.
func (b *brute) complete(defender, attacker uint64) bool {
	for c := range b.columns * b.rows {
		if defender>>c&1 == 1 && b.defenderRow(defender, attacker, c) {
			return true
		}
	}
	return false
}

func (b *brute) any(attacker, defender uint64) bool {
	for c := range b.columns * b.rows {
		if attacker>>c&1 == 1 && b.attackerRow(attacker, defender, c) {
			return true
		}
	}
	return b.complete(defender, attacker)
}

// grower makes random trees of true wins.
type grower struct {
	*zones
	*brute
	rng  *rand.Rand
	file []uint64
	work int
	wild bool // it shares trees that may not fit, ends trees on a full board, and plays forbidden moves
	// fouls is the number of moves of its trees that the checker must refuse in renju.
	fouls int
}

func (g *grower) write(t ...uint64) { g.file = append(g.file, t...) }

// grow writes a tree and returns its zone, or false if it found none.
func (g *grower) grow(unseen int) (cells, bool) {
	if g.rng.IntN(3) > 0 {
		if zone, ok := g.reuse(unseen); ok {
			return zone, true
		}
	}
	a, d := g.stones[0][0], g.stones[1][0]
	moves := g.rng.Perm(g.columns() * g.zones.rows)
	tries := 0
	for _, c := range moves {
		if !g.zones.empty.has(c) || g.work > 400 || tries > 2 {
			continue
		}
		won := g.attackerRow(a, d, c)
		if last := g.wild && g.zones.empty.count() == 1; !won && !last && !g.loses(a|1<<c, d) {
			continue
		}
		g.work++
		tries++
		before, kept := len(g.file), len(g.kept)
		keep := uint64(g.rng.IntN(2))
		g.write(uint64(c) + keep*uint64(g.columns()*g.zones.rows))
		g.put(0, c)
		zone, ok := g.won(c)
		if foul := !ok && g.zones.rule == Renju && g.zones.foul(c); !ok && (!foul || g.wild) {
			zone, ok = g.answers(unseen)
			if foul && ok {
				g.fouls++
			}
		}
		g.takeCell(0, c)
		zone.add(c)
		if ok {
			if keep == 1 {
				g.kept = append(g.kept, proved{g.stones, zone, unseen, 0})
			}
			return zone, true
		}
		g.file, g.kept = g.file[:before], g.kept[:kept]
	}
	return cells{}, false
}

func (g *grower) columns() int { return g.zones.columns }

// reuse writes the image of a tree that fits.
func (g *grower) reuse(unseen int) (zone cells, ok bool) {
	for back := range g.kept {
		for s, image := range g.images {
			if t := g.kept[len(g.kept)-1-back]; g.wild && g.rng.IntN(4) == 0 && t.stones[0].count() == g.stones[0].count() {
				g.write(uint64(2*g.columns()*g.zones.rows+1+s), uint64(back))
				_ = t.zone.each(func(c int) error {
					zone.add(image[c])
					return nil
				})
				return zone.minus(g.stones[0]).minus(g.stones[1]), true
			}
			g.next = func() (uint64, error) { return uint64(back), nil }
			if zone, err := g.share(image, unseen); err == nil {
				g.write(uint64(2*g.columns()*g.zones.rows+1+s), uint64(back))
				return zone, true
			}
		}
	}
	return zone, false
}

// answers writes the trees of all answers.
func (g *grower) answers(unseen int) (zone cells, ok bool) {
	answers := g.zones.empty
	before, kept := len(g.file), len(g.kept)
	passed := false
	if g.rng.IntN(5) > 0 && unseen < 4 {
		if zone, passed = g.grow(unseen + 1); passed {
			answers = zone
		}
	}
	if !passed {
		g.file, g.kept = g.file[:before], g.kept[:kept]
		g.write(uint64(2 * g.columns() * g.zones.rows))
	}
	failed := answers.each(func(c int) error {
		g.put(1, c)
		defer g.takeCell(1, c)
		more, ok := g.grow(unseen)
		zone.join(more)
		if !ok {
			return errNone
		}
		return nil
	})
	if failed != nil || answers == (cells{}) && !g.wild {
		return zone, false
	}
	var join []uint64
	for _, c := range g.rng.Perm(g.columns() * g.zones.rows) {
		if g.safe(&zone, unseen) {
			break
		}
		// A cell of a line that fails: it is in no zone yet.
		if g.zones.empty.has(c) && !zone.has(c) {
			with := zone
			with.add(c)
			if g.rng.IntN(8) == 0 || g.gain(&zone, &with, unseen) {
				zone = with
				join = append(join, uint64(c))
			}
		}
	}
	g.write(uint64(len(join)))
	g.write(join...)
	return zone, g.safe(&zone, unseen)
}

// gain says whether a larger zone makes a line safe, or safer.
func (g *grower) gain(zone, with *cells, unseen int) bool {
	for _, l := range g.lines {
		lacks := g.zones.k - l.stones[1]
		outside := func(z *cells) int {
			return min(unseen, l.cells.minus(g.stones[1]).minus(*z).count())
		}
		if l.stones[0] == 0 && lacks-outside(zone) < 2 && l.cells.minus(*zone) != l.cells.minus(*with) {
			return true
		}
	}
	return false
}

var worlds = []brute{
	{columns: 3, rows: 3, k: 3},
	{columns: 8, rows: 1, k: 3},
	{columns: 7, rows: 1, k: 2},
	{columns: 4, rows: 3, k: 3},
	{columns: 4, rows: 4, k: 3},
	{columns: 5, rows: 3, k: 3},
	{columns: 4, rows: 4, k: 4},
	{columns: 10, rows: 1, k: 3},
	{columns: 5, rows: 3, k: 4},
	{columns: 6, rows: 6, k: 5},
	{columns: 7, rows: 6, k: 5},
}

// rules returns the rules under which a board is tried.
func (b *brute) rules() []string {
	if b.k == 5 {
		return []string{Renju}
	}
	return []string{Free, Exact, Caro}
}

// threes places stones of the attacker so that another one makes two threes. It returns the other cells in random order, the
// empty ones of the threes first.
func (b *brute) threes(rng *rand.Rand, attacker *uint64) (order []int) {
	for {
		c, ways := rng.IntN(b.columns*b.rows), rng.Perm(4)
		stones, empty := uint64(0), []int{c}
		for _, way := range ways[:2] {
			d := [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}}[way]
			from, lacks := 1+rng.IntN(4), 1+rng.IntN(4)
			for i := range 6 {
				x, y := c%b.columns+(i-from)*d[0], c/b.columns+(i-from)*d[1]
				switch at := x + y*b.columns; {
				case x < 0 || x >= b.columns || y < 0 || y >= b.rows:
					empty = nil
				case i == from || empty == nil:
				case i == 0 || i == 5 || i == lacks:
					empty = append(empty, at)
				default:
					stones |= 1 << at
				}
			}
		}
		if len(empty) == 0 {
			continue
		}
		*attacker, order = stones, empty
		for _, at := range rng.Perm(b.columns * b.rows) {
			if stones>>at&1 == 0 && !slices.Contains(empty, at) {
				order = append(order, at)
			}
		}
		return order
	}
}

// start draws a position that the attacker wins, and returns its claim.
func start(rng *rand.Rand, b *brute) (c Claim, attacker, defender uint64) {
	n := b.columns * b.rows
	for {
		attacker, defender = 0, 0
		free := min(n, 4+rng.IntN(6))
		order := rng.Perm(n)
		if b.rule == Renju {
			clear(b.known)
			order, free = b.threes(rng, &attacker), 8
		}
		for i, at := range order[free:] {
			if i%2 == 0 {
				defender |= 1 << at
			} else {
				attacker |= 1 << at
			}
		}
		if !b.any(attacker, defender) && b.wins(attacker, defender) {
			break
		}
	}
	var text strings.Builder
	for at := range n {
		text.WriteByte(".XO"[attacker>>at&1+2*(defender>>at&1)])
	}
	c = Claim{Krow: "certificate", Version: ZoneVersion, Columns: b.columns, Rows: b.rows, K: b.k, Rule: b.rule, Cells: text.String(), Turn: "first", Value: "win"}
	return c, attacker, defender
}

// accepts walks a tree for so many unseen stones.
func accepts(t *testing.T, c Claim, file []uint64, unseen int) (zone cells, ok bool) {
	t.Helper()
	z, err := newZones(&c)
	if err != nil {
		return zone, false // a row that does not win
	}
	at := 0
	z.next = func() (uint64, error) {
		if at++; at > len(file) {
			return 0, ErrShort
		}
		return file[at-1], nil
	}
	z.enter = func() error { return nil }
	zone, _, err = z.attackerMoves(unseen, false)
	return zone, err == nil && at == len(file)
}

// holds checks that the attacker wins with every set of unseen stones outside of a zone, and returns how many there are.
func holds(t *testing.T, b *brute, attacker, defender uint64, zone cells, unseen int) (sets int, err error) {
	t.Helper()
	outside := b.empty(attacker, defender) &^ zone[0]
	for x := outside; ; x = (x - 1) & outside {
		if bits.OnesCount64(x) <= unseen && !b.complete(defender|x, attacker) {
			sets++
			if !b.wins(attacker, defender|x) {
				return sets, fmt.Errorf("no win with unseen stones %b", x)
			}
		}
		if x == 0 {
			return sets, nil
		}
	}
}

// TestZonesAreTrue: a tree that is accepted is a win, whatever stones outside its zone it has not seen: of trees that
// were made of true wins, and of such that were damaged.
func TestZonesAreTrue(t *testing.T) {
	rounds := 60
	switch {
	case os.Getenv("KROW_LONG") != "":
		rounds = 3000
	case testing.Short():
		rounds = 15
	}
	trees, damaged, accepted, sets, shared, fouls := 0, 0, 0, 0, 0, 0
	for i := range worlds {
		for _, rule := range worlds[i].rules() {
			b := worlds[i]
			b.rule, b.known = rule, map[[2]uint64]bool{}
			rng := rand.New(rand.NewPCG(uint64(i), uint64(len(rule))))
			for range rounds {
				c, attacker, defender := start(rng, &b)
				unseen := rng.IntN(4)
				z, err := newZones(&c)
				if err != nil {
					continue
				}
				g := &grower{zones: z, brute: &b, rng: rng, wild: rng.IntN(2) == 0}
				zone, ok := g.grow(unseen)
				if !ok {
					continue
				}
				trees++
				fouls += g.fouls
				check := func(file []uint64) bool {
					zone, ok := accepts(t, c, file, unseen)
					if !ok {
						return false
					}
					n, err := holds(t, &b, attacker, defender, zone, unseen)
					if err != nil {
						t.Fatalf("%+v: %v, %d unseen, zone %b: %v", c, file, unseen, zone[0], err)
					}
					sets += n
					return true
				}
				if again, ok := accepts(t, c, g.file, unseen); !g.wild && (!ok || again != zone) {
					t.Fatalf("%+v: %v is refused", c, g.file)
				}
				check(g.file)
				n := uint64(c.Columns * c.Rows)
				for _, v := range g.file {
					if v > 2*n {
						shared++
					}
				}
				for range 30 {
					damaged++
					if check(damage(rng, g.file, n)) {
						accepted++
					}
				}
			}
		}
	}
	t.Logf("%d trees, %d shared; %d damaged, of which %d were accepted; %d sets of unseen stones; %d moves with two threes", trees, shared, damaged, accepted, sets, fouls)
	if trees < rounds*10 || fouls < rounds/10 || accepted < trees || shared < trees/5 {
		t.Errorf("too little was tested: %d trees, %d shared, %d damaged ones accepted", trees, shared, accepted)
	}
}

// damage changes some numbers of a tree.
func damage(rng *rand.Rand, file []uint64, cells uint64) []uint64 {
	file = append([]uint64(nil), file...)
	for range 1 + rng.IntN(2) {
		if len(file) == 0 {
			return file
		}
		i := rng.IntN(len(file))
		switch rng.IntN(5) {
		case 0:
			file[i] = rng.Uint64N(2*cells + 10)
		case 1:
			file[i] = rng.Uint64N(cells)
		case 2:
			file = append(file[:i], file[i+1:]...)
		case 3: // one cell less is joined
			if file[i] > 0 && file[i] < cells && i+1 < len(file) {
				file[i]--
				file = append(file[:i+1], file[i+2:]...)
			}
		default:
			file = append(file[:i], append([]uint64{rng.Uint64N(2*cells + 10)}, file[i:]...)...)
		}
	}
	return file
}

// TestZonesRefuse has a tree for each clause of the rule that is wrong by this clause alone.
func TestZonesRefuse(t *testing.T) {
	tests := []struct {
		name, cells, value string
		columns, k         int
		rule               string
		file               []uint64
		want               error
	}{
		{"wins", "XX.OO....", "win", 9, 3, Free, []uint64{2}, nil},
		{"taken", "XX.OO....", "win", 9, 3, Free, []uint64{0}, errTaken},
		{"beyond the board", "XX.OO....", "win", 9, 3, Free, []uint64{29}, errTaken},
		{"more than exactly k", "XX.X.OO..", "win", 9, 3, Exact, []uint64{2}, ErrShort},
		{"an answer that wins", ".XX..OO..", "win", 9, 3, Free, []uint64{8, 0, 3, 0}, errTurn},
		{"a full board", "O.X", "win", 3, 3, Free, []uint64{1, 6, 0}, errNone},
		{"no tree to share", "XX.OO....", "win", 9, 3, Free, []uint64{19, 0}, errShare},
		{"an overline", "XXX.XX...OO..", "win", 13, 5, Renju, []uint64{3, 12, 3}, errFoul},
		{"two fours in a line", "X.XX..X...OO..", "win", 14, 5, Renju, []uint64{4}, errFoul},
		{"a loss by two", ".XX...O..", "loss", 9, 3, Free, []uint64{3, 0, 0}, nil},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			c := Claim{Columns: tc.columns, Rows: len(tc.cells) / tc.columns, K: tc.k, Cells: tc.cells, Turn: "first", Value: tc.value, Rule: tc.rule}
			if tc.value == "loss" {
				c.Turn = "second"
			}
			z, err := newZones(&c)
			if err != nil {
				t.Fatal(err)
			}
			z.enter = func() error { return nil }
			z.next = func() (uint64, error) {
				if len(tc.file) == 0 {
					return 0, ErrShort
				}
				n := tc.file[0]
				tc.file = tc.file[1:]
				return n, nil
			}
			if tc.value == "win" {
				_, _, err = z.attackerMoves(0, false)
			} else {
				_, err = z.defenderMoves(0)
			}
			if !errors.Is(err, tc.want) || len(tc.file) > 0 && err == nil {
				t.Errorf("got %v with %v left, want %v", err, tc.file, tc.want)
			}
		})
	}
}

// TestZonesShare: a tree serves where the same stones of the winner stand, and all others of the enemy, more of them outside
// its zone alone, and only as many as it did not see.
func TestZonesShare(t *testing.T) {
	at := func(stones ...int) (s cells) {
		for _, c := range stones {
			s.add(c)
		}
		return s
	}
	tests := []struct {
		name, cells string // here; X is the winner
		unseen      int
		fits        bool
	}{
		{"the same", "XX..O....", 2, true},
		{"fewer unseen", "XX..O....", 0, true},
		{"more unseen", "XX..O....", 3, false},
		{"a stone more", "XX..O.O..", 1, true},
		{"two stones more", "XX..O.O.O", 0, true},
		{"a stone more than unseen", "XX..O.O..", 2, false},
		{"a stone in the zone", "XX.OO....", 0, false},
		{"a stone less", "XX.......", 0, false},
		{"a stone elsewhere", "XX....O..", 0, false},
		{"a stone of the winner more", "XX..OX...", 0, false},
		{"one less", "X...O....", 0, false},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			z, err := newZones(&Claim{Columns: 9, Rows: 1, K: 5, Cells: tc.cells, Turn: "first", Value: "win", Rule: Free})
			if err != nil {
				t.Fatal(err)
			}
			z.kept = []proved{{[2]cells{at(0, 1), at(4)}, at(2, 3), 2, 1}, {}}
			z.next = func() (uint64, error) { return 1, nil }
			if zone, err := z.share(z.images[0], tc.unseen); (err == nil) != tc.fits || err == nil && zone != at(2, 3) {
				t.Errorf("zone %b, %v", zone[0], err)
			}
			z.kept = []proved{{[2]cells{at(8, 7), at(4)}, at(6, 5), 2, 1}, {}} // the image from right to left
			if zone, err := z.share(z.images[1], tc.unseen); (err == nil) != tc.fits || err == nil && zone != at(2, 3) {
				t.Errorf("mirrored: zone %b, %v", zone[0], err)
			}
		})
	}
}

// TestFoul: the checker allows no forbidden move, forbids only false double threes besides, and no stone of the other side makes
// an allowed move one that is not allowed.
func TestFoul(t *testing.T) {
	const size = 11
	rng, allowed, forbidden, false3, later := rand.New(rand.NewPCG(5, 5)), 0, 0, 0, 0
	rounds := 800
	if testing.Short() {
		rounds = 200
	}
	for range rounds {
		c := Claim{Columns: size, Rows: size, K: 5, Turn: "first", Value: "win", Rule: Renju}
		stones := []byte(strings.Repeat(".", size*size))
		for _, at := range rng.Perm(size * size)[:size*size/4+rng.IntN(20)] {
			stones[at] = "XXO"[rng.IntN(3)]
		}
		c.Cells = string(stones)
		z, err := newZones(&c)
		if err != nil {
			continue
		}
		foul := func(at int) bool {
			z.put(0, at)
			defer z.takeCell(0, at)
			_, won := z.won(at)
			return !won && z.foul(at)
		}
		cells := make([]game.Stone, len(stones))
		for i, s := range stones {
			cells[i] = game.Stone(strings.IndexByte(".XO", s))
		}
		_ = z.empty.each(func(at int) error {
			shape := renju.Forbidden(cells, size, size, at)
			switch f := foul(at); {
			case !f && shape != renju.None:
				t.Fatalf("%s: the checker allows %d, a %s", c.Cells, at, shape)
			case f && shape == renju.None:
				if false3++; straights(cells, size, at) < 2 {
					t.Fatalf("%s: the checker does not allow %d, which makes less than two threes", c.Cells, at)
				}
			case f:
				forbidden++
			default:
				allowed++
			}
			other := rng.IntN(size * size)
			if before := foul(at); other != at && z.empty.has(other) {
				z.put(1, other)
				if after := foul(at); after && !before {
					t.Fatalf("%s: a stone of the other side on %d makes %d forbidden", c.Cells, other, at)
				} else if before && !after {
					later++
				}
				z.takeCell(1, other)
			}
			return nil
		})
	}
	t.Logf("%d moves allowed, %d forbidden, %d with false threes, %d allowed after another stone", allowed, forbidden, false3, later)
	if forbidden < rounds || false3 < rounds/10 || later < rounds/50 {
		t.Error("too little was tested")
	}
}

// straights returns the number of directions in which a stone of the attacker on at, and one more, make a straight four.
func straights(cells []game.Stone, size, at int) (n int) {
	for _, d := range [4]int{1, size, size + 1, size - 1} {
		// row returns the length of the row through at with some more stones, and the cells before and after it.
		row := func(more ...int) (length, before, after int) {
			black := func(c int) bool { return c == at || slices.Contains(more, c) || cells[c] == game.Stone(1) }
			next := func(c, d int) int { // or -1 beyond the edge
				to := c + d
				if x := to%size - c%size; to < 0 || to >= size*size || x < -1 || x > 1 {
					return -1
				}
				return to
			}
			length, before, after = 1, next(at, -d), next(at, d)
			for ; before >= 0 && black(before); before = next(before, -d) {
				length++
			}
			for ; after >= 0 && black(after); after = next(after, d) {
				length++
			}
			return length, before, after
		}
		straight := false
		for q := range cells {
			if cells[q] != game.Empty || q == at {
				continue
			}
			length, before, after := row(q)
			if short, _, _ := row(); length != 4 || short == 4 || min(before, after) < 0 || cells[before] != game.Empty || cells[after] != game.Empty {
				continue
			}
			left, _, _ := row(q, before)
			right, _, _ := row(q, after)
			straight = straight || left == 5 && right == 5
		}
		if straight {
			n++
		}
	}
	return n
}

// TestRenjuClaims: in renju a certificate is for the first side, and for five in a row.
func TestRenjuClaims(t *testing.T) {
	for _, c := range []Claim{{Turn: "second", Value: "win", K: 5}, {Turn: "first", Value: "loss", K: 5}, {Turn: "first", Value: "win", K: 4}} {
		c.Columns, c.Rows, c.Cells, c.Rule = 9, 1, ".........", Renju
		if _, err := newZones(&c); err == nil || !strings.Contains(err.Error(), "only wins of the first side") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
