// SPDX-License-Identifier: Apache-2.0

package study

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"

	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// Suite is a set of openings that leave the game open: those found in which the judge sees no forced end, or a list
// without a judge. The zero Suite has none.
type Suite struct {
	Game  string
	Count int    // how many are wanted
	Plies int    // random moves
	Judge string // an analyst who must not see the game decided; finished games are to be exact to it
	Seed  uint64
	// Openings are what [Lab.Openings] found, each its moves in the game's notation.
	Openings []string
}

// String names the suite in keys.
func (s Suite) String() string {
	switch {
	case s.Judge == "" && s.Openings != nil:
		return fmt.Sprintf("list %x", hash(strings.Join(s.Openings, "\n")))
	case s.Judge == "":
		return "none"
	}
	return fmt.Sprintf("%d,plies=%d,judge=%s,seed=%d", s.Count, s.Plies, s.Judge, s.Seed)
}

// Openings returns different openings of random moves in which the judge sees neither side win by force. They
// are kept. Fewer than asked for come back where the game has no more.
func (l *Lab) Openings(ctx context.Context, s Suite) ([]string, error) {
	return Piece(l, fmt.Sprintf("openings/1/%s/%s", s.Game, s), func() ([]string, error) { return s.find(ctx) })
}

// tries is how many openings are drawn for each that is wanted.
const tries = 200

func (s Suite) find(ctx context.Context) ([]string, error) {
	g, err := catalog.Game(s.Game)
	if err != nil {
		return nil, err
	}
	p, err := catalog.Player(g, s.Judge, s.Seed)
	if err != nil {
		return nil, err
	}
	judge, ok := p.(player.Analyst)
	if !ok {
		return nil, fmt.Errorf("%s cannot judge openings", s.Judge)
	}
	random := rand.New(rand.NewPCG(s.Seed, hash(s.Game)))
	var found []string
	known := map[uint64]bool{}
	for range tries * s.Count {
		if len(found) == s.Count {
			break
		}
		p := draw(g, s.Plies, random)
		if p == nil || known[p.Key()] {
			continue
		}
		known[p.Key()] = true
		text := notation.FormatMoves(g, p.AppendHistory(nil))
		open, err := undecided(ctx, judge, p)
		if err != nil {
			return nil, fmt.Errorf("%s: opening %q: %w", s.Game, text, err)
		}
		if open {
			found = append(found, text)
		}
	}
	return found, nil
}

// draw plays random moves, and returns nil where they end the game.
func draw(g game.Game, plies int, random *rand.Rand) game.Position {
	p := g.Start()
	for range plies {
		if p.Outcome() != game.Ongoing {
			return nil
		}
		p.Play(game.Random(p, random.IntN))
	}
	if p.Outcome() != game.Ongoing {
		return nil
	}
	return p
}

// undecided says whether the judge sees no forced end.
func undecided(ctx context.Context, judge player.Analyst, p game.Position) (bool, error) {
	info, err := judge.Analyze(ctx, p, search.Limits{}, nil)
	return err == nil && !info.Solved, err
}

func hash(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}
