// SPDX-License-Identifier: Apache-2.0

// Package threat is the project's one definition of threats: rows on the way to k in a row.
//
// # Basics
//
// A threat of size s is a maximal run of s stones of one side on a line, counted once in each of the four directions.
// With l free cells next to it on one side and r on the other, up to the next stone or the edge, it can grow to
// L = s + min(l, k-s) + min(r, k-s) cells:
//
//	L > k   open        . X X X X .    (k = 5)
//	L = k   half-open   O X X X X .
//	L < k   closed      O X X X X O    no threat, but counted
//
// A run of k or more is one threat of size k, and [Complete]. Two runs of one side, each shorter than k-1, with exactly
// one free cell between them and exactly k-1 stones together are a gapped threat of size k-1 for that cell. It is
// half-open, and its runs are not counted again:
//
//	O X X . X X O   O X . X X X .   . X X X . X .     (k = 5) each a half-open four
//
// [Reading] has the other readings of the texts.
//
// [Find] lists the threats on a board, and a [Lister] lists the threats on boards that follow each other. A [Counter]
// counts them, and keeps count while moves are played and taken back.
//
// # Caveats
//
// If the definition is silent, it is read literally:
//
//   - Each such gap is a threat of its own, so a run between two gaps serves both: X X . X X . X X is two gapped fours and no
//     other threat.
//   - A run of k-1 takes part in no gap: X X X X . X is a four and a one.
//   - Two threes with a gap have more than k-1 stones: X X X . X X X is two threes, though a stone in the gap makes a five.
//     [Reading].Least makes it a gapped four, even where a row longer than k does not win.
//   - If a row longer than k does not win, a longer run is no threat.
//   - Only free cells make room: O X X . X . O is a closed two and a closed one, though five could stand there.
//   - On lines shorter than k every run is closed. For k = 1 every run counts, once in each direction. For k = 1 and
//     k = 2 there is no gapped threat.
//   - A free cell is free even if no stone can be put there yet (Connect Four), if it is forbidden (Renju), or if the row
//     would be blocked (caro).
//
// # Speed
//
// Counter.Reset costs O(cells), a move of a Counter O(k) per direction, more only where runs stand close together.
//
// CITE: Abdoulaye, Houndji, Ezin and Aglin, Generic Heuristic for the mnk-games, section 2.1 (classes); Abdoulaye,
// Détermination des paramètres d'une heuristique générique pour les jeux de type « n-alignés » par apprentissage
// automatique, 2017, section 1.1.3 and algorithm 1 (classification). How runs are counted is this project's reading.
package threat

import "github.com/krow-lab/krow/game"

// Reading says how the definition is read. The zero value is the texts' own.
type Reading struct {
	// Least lets a gapped threat have k-1 stones or more. Algorithm 1 of the thesis asks for a size of k-1: "si a = n - 1 ET
	// MENACEATROU() = Vrai alors retourner 0".
	Least bool
	// All lets a gapped threat have any size below k. The thesis says of the types of fours, gapped ones among them: "Il en est de
	// même pour les trois, les deux et les uns". A smaller gapped threat has room for its gap, and for the free cells next to it
	// of which at most k-s-1 on a side count: open . X X . X .   half-open O X X . X . .   (k = 5).
	All bool
	// Uncapped adds all free cells on both sides to the size, as the routine NBALIGNPOS of the thesis counts "le nombre maximum
	// de pierres qu'on peut aligner dans le sens de la menace". A four that is blocked on one side, with two free cells on the
	// other, is then open; the text's type 2, "l'emplacement au bout d'une extrémité est libre tandis que le second est
	// occupé", says half-open. So at most k-s cells of a side count by default.
	Uncapped bool
}

// Class says how much room a threat has to become k in a row.
type Class uint8

// The classes. A row of k is always Complete: the other classes do not apply to it.
const (
	Closed Class = iota
	HalfOpen
	Open
	Complete
)

// String returns "closed", "half-open", "open" or "complete".
func (c Class) String() string {
	return [...]string{"closed", "half-open", "open", "complete"}[c&3]
}

// Dir is the direction of a line.
type Dir uint8

// The directions, from a cell to the next one.
const (
	Row     Dir = iota // to the right
	Column             // up
	Rising             // up and to the right
	Falling            // up and to the left
)

// String returns "row", "column", "rising" or "falling".
func (d Dir) String() string { return [...]string{"row", "column", "rising", "falling"}[d&3] }

// Kind combines a size and a class into a dense index, by which threats are counted and weighed:
//
//	kind    0       1          2     3       4          5     ...  3(k-1)
//	size    1       1          1     2       2          2          k
//	class   closed  half-open  open  closed  half-open  open       complete
type Kind int

// Kinds returns the number of kinds of threats for k in a row.
func Kinds(k int) int { return 3*(k-1) + 1 }

// KindOf returns the kind of threats of a size and class. Only size k is Complete.
func KindOf(size int, c Class) Kind {
	if c == Complete {
		c = 0
	}
	return Kind(3*(size-1) + int(c))
}

// Size returns the number of stones of threats of the kind, k where they have more.
func (i Kind) Size() int { return int(i)/3 + 1 }

// Class returns the class of threats of the kind for k in a row.
func (i Kind) Class(k int) Class {
	if i.Size() == k {
		return Complete
	}
	return Class(i % 3)
}

// Threat is a row of one side's stones on a board.
type Threat struct {
	Side  game.Side
	Size  int // k where the row is longer
	Class Class
	Dir   Dir
	Cells []int // of the stones, in the direction's order
	Gap   int   // the cell that makes the two halves one row, or -1
}

// Find returns all threats of both sides, closed ones too, in the order of side, greater size, more open class, first
// cell and direction.
func Find(b game.Lined) []Threat { return Reading{}.Find(b) }

// Find is the package's Find under the reading.
func (r Reading) Find(b game.Lined) (all []Threat) {
	l := Lister{reading: r}
	for side := game.First; side <= game.Second; side++ {
		for t := range l.Of(b, side) {
			all = append(all, *t)
		}
	}
	return all
}

func (g *grid) threat(f piece, l line) Threat {
	t := Threat{
		Side: f.side, Size: Kind(f.kind).Size(), Class: Kind(f.kind).Class(g.k), Dir: l.dir,
		Cells: make([]int, 0, f.span), Gap: -1,
	}
	for i := range int(f.span) {
		at := int(f.at) + i*l.step
		if g.cells[at] == game.Empty {
			t.Gap = g.cell(at)
			continue
		}
		t.Cells = append(t.Cells, g.cell(at))
	}
	return t
}
