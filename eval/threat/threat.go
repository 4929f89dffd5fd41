// SPDX-License-Identifier: Apache-2.0

// Package threat contains the only definition of threats in the project. A threat consists of stones from which a side can make k
// in a row.
//
// # Basics
//
// A threat of size s is a maximal run of s stones of one side on a line. Each of the four directions is counted separately. Let
// l and r be the numbers of free cells next to the run on its two sides, up to the next stone or the edge. The room of the
// threat is L = s + min(l, k-s) + min(r, k-s):
//
//	L > k   open        . X X X X .    (k = 5)
//	L = k   half-open   O X X X X .
//	L < k   closed      O X X X X O    counted as "closed", though it threatens nothing
//
// A run of k or more stones is one threat of size k and of class [Complete]. Two runs of one side form a gapped threat of size k-1
// if each is shorter than k-1, exactly one free cell is between them, and they have exactly k-1 stones together. A gapped
// threat is half-open, and its two runs are not also counted as threats of their own:
//
//	O X X . X X O   O X . X X X .   . X X X . X .     (k = 5) each a half-open four
//
// [Reading] selects other interpretations of the published texts.
//
// [Find] lists the threats on a board, and a [Lister] lists the threats on a sequence of boards. A [Counter] counts them, and
// updates the counts as moves are played and taken back.
//
// # Caveats
//
// Cases that the definition does not mention follow its literal words (k = 5 in the examples):
//
//   - Each gap makes a threat, so a run between two gaps belongs to two threats: X X . X X . X X contains two gapped fours
//     and no other threat.
//   - A run of k-1 stones is never part of a gapped threat: X X X X . X is a four and a one.
//   - Two threes with a gap have more than k-1 stones together, so X X X . X X X is two threes, though a stone in the gap
//     completes a row. With [Reading].Least the two threes form one gapped four, even if a row longer than k does not win.
//   - If a row longer than k does not win, a run longer than k is no threat.
//   - Only free cells are room: O X X . X . O is a closed two and a closed one, though five in a row would fit between the
//     two stones O.
//   - On lines shorter than k every run is closed. For k = 1 every stone is a threat in each direction. For k = 1 and k = 2 there
//     are no gapped threats.
//   - A cell without a stone counts as free even if no stone can be put there yet (Connect Four), if the move is forbidden
//     (Renju), or if the row would be blocked (caro).
//
// # Speed
//
// Counter.Reset costs O(cells). A move of a Counter costs O(k) per direction, or more if runs are close together.
//
// CITE: Abdoulaye, Houndji, Ezin and Aglin, Generic Heuristic for the mnk-games, section 2.1 (classes); Abdoulaye, Détermination
// des paramètres d'une heuristique générique pour les jeux de type « n-alignés » par apprentissage automatique, 2017, section
// 1.1.3 and algorithm 1 (classification). The texts do not say how runs are counted: those rules are this project's
// interpretation.
package threat

import "github.com/krow-lab/krow/game"

// Reading selects an interpretation of the definition. The zero value follows the texts most closely.
type Reading struct {
	// By default a threat with a gap is counted only if it has exactly k-1 stones. If Least is true, k-1 is the least number: a
	// gapped threat of more stones also counts. Algorithm 1 of the thesis accepts only k-1 stones: "si a = n - 1 ET MENACEATROU()
	// = Vrai alors retourner 0" (if a = n - 1 and there is a gap, return 0).
	Least bool
	// All also accepts gapped threats of every size below k. The thesis says about the types of fours, including gapped fours: "Il en
	// est de même pour les trois, les deux et les uns" (the same holds for threes, twos and ones). The room of a gapped threat of
	// size s consists of its gap and of the free cells next to the threat. On each side at most k-s-1 of these free cells count.
	// Two examples for k = 5:
	//
	//	. X X . X .      open
	//	O X X . X . .    half-open
	All bool
	// Uncapped counts all free cells on both sides as room. The routine NBALIGNPOS of the thesis does the same: it counts "le
	// nombre maximum de pierres qu'on peut aligner dans le sens de la menace" (the maximum number of stones that can be placed
	// in line with the threat). With Uncapped, a four that is blocked on one side and has two free cells on the other side is
	// open. But the thesis describes half-open threats (type 2) so: "l'emplacement au bout d'une extrémité est libre tandis que
	// le second est occupé" (one end is free and the other is occupied). By this sentence two free cells on one side do not make
	// a four open. Therefore by default at most k-s free cells count on each side of a threat of size s, because this is the
	// number of stones that it lacks.
	Uncapped bool
}

// Class describes how much room a threat has to become k in a row.
type Class uint8

// The values of Class. A row of k is always Complete: the other classes do not apply to it.
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

// The directions from a cell of a line to the next cell.
const (
	Row     Dir = iota // to the right
	Column             // up
	Rising             // up and to the right
	Falling            // up and to the left
)

// String returns "row", "column", "rising" or "falling".
func (d Dir) String() string { return [...]string{"row", "column", "rising", "falling"}[d&3] }

// Kind combines a size and a class into one number, which is the index of counts and weights of threats:
//
//	kind    0       1          2     3       4          5     ...  3(k-1)
//	size    1       1          1     2       2          2          k
//	class   closed  half-open  open  closed  half-open  open       complete
type Kind int

// Kinds returns the number of kinds of threats for k in a row.
func Kinds(k int) int { return 3*(k-1) + 1 }

// KindOf returns the kind of the threats with this size and class. Only threats of size k are Complete.
func KindOf(size int, c Class) Kind {
	if c == Complete {
		c = 0
	}
	return Kind(3*(size-1) + int(c))
}

// Size returns the size of the threats of the kind: their number of stones, at most k.
func (i Kind) Size() int { return int(i)/3 + 1 }

// Class returns the class of threats of the kind for k in a row.
func (i Kind) Class(k int) Class {
	if i.Size() == k {
		return Complete
	}
	return Class(i % 3)
}

// Threat is a threat on a board.
type Threat struct {
	Side  game.Side
	Size  int // number of stones, at most k
	Class Class
	Dir   Dir
	Cells []int // the cells of the stones, in the order of the direction
	Gap   int   // the free cell of a gapped threat, or -1
}

// Find returns all threats of both sides, including closed ones. They are sorted by side, size (largest first), class (most open
// first), first cell and direction.
func Find(b game.Lined) []Threat { return Reading{}.Find(b) }

// Find is like the function Find, but uses the interpretation r.
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
