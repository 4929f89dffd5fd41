// SPDX-License-Identifier: Apache-2.0

package opening

import (
	"fmt"
	"strings"
	"sync"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/symmetry"
	"github.com/krow-lab/krow/notation"
)

// Pattern is one of the 26 openings of renju: three stones, the second beside the first in the middle, and the third in
// the square of 5 x 5 around it. In a direct opening the second stone is above the first, in an indirect one it is
// diagonal.
type Pattern struct {
	Code string // 1D to 13D, 1I to 13I
	Name string
}

// String returns both, as Kagetsu (4D).
func (p Pattern) String() string { return fmt.Sprintf("%s (%s)", p.Name, p.Code) }

// patterns are the third stones on 15 x 15, in the order of their codes.
//
// CITE: Renju International Federation, the 26 openings; Sakata and Ikawa, Five-in-a-Row, 1981, for the names.
var patterns = [2]struct {
	kind, start, third, names string
}{
	{
		"D", "h8 h9", "h10 i10 j10 i9 j9 i8 j8 h7 i7 j7 h6 i6 j6",
		"Kansei Keigetsu Sosei Kagetsu Zangetsu Ugetsu Kinsei Shogetsu Kyugetsu Shingetsu Zuisei Sangetsu Yusei",
	},
	{
		"I", "h8 i9", "j10 j9 j8 j7 j6 i8 i7 i6 h7 h6 g7 g6 f6",
		"Chosei Kyogetsu Kosei Suigetsu Ryusei Ungetsu Hogetsu Rangetsu Gingetsu Myojo Shagetsu Meigetsu Suisei",
	},
}

// Patterns returns the 26 openings with their three moves on 15 x 15, as text.
func Patterns() (all []Pattern, moves []string) {
	for _, k := range patterns {
		third := strings.Fields(k.third)
		for i, name := range strings.Fields(k.names) {
			all = append(all, Pattern{fmt.Sprintf("%d%s", i+1, k.kind), name})
			moves = append(moves, k.start+" "+third[i])
		}
	}
	return all, moves
}

var (
	known     = map[string]map[uint64]Pattern{} // by game and key
	knownLock sync.Mutex
)

// HasNames says whether the openings of a game have names: five in a row on 15 x 15, without captures.
func HasNames(g game.Game) bool {
	switch g.String() {
	case "renju", "gomoku", "standard", "caro":
		return true
	}
	return false
}

// Named returns the opening of a game that HasNames by its first three stones. It is one however the board is turned.
func Named(b game.Board) (Pattern, bool) {
	g, history := b.Game(), b.AppendHistory(nil)
	if !HasNames(g) || len(history) < 3 || len(history) != b.Ply() {
		return Pattern{}, false
	}
	l := symmetry.NewLine(g)
	for _, m := range history[:3] {
		if l.Play(m) != nil {
			return Pattern{}, false
		}
	}
	p, ok := keys(g)[l.Key()]
	return p, ok
}

// keys returns the openings of a game by the keys of their positions.
func keys(g game.Game) map[uint64]Pattern {
	knownLock.Lock()
	defer knownLock.Unlock()
	if all := known[g.String()]; all != nil {
		return all
	}
	all := map[uint64]Pattern{}
	names, lines := Patterns()
	for i, line := range lines {
		moves, err := notation.ParseMoves(g, line)
		if err != nil {
			panic(err) // they are cells of every board of 15 x 15
		}
		l := symmetry.NewLine(g)
		for _, m := range moves {
			if err := l.Play(m); err != nil {
				panic(err)
			}
		}
		all[l.Key()] = names[i]
	}
	known[g.String()] = all
	return all
}
