// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"context"
	"testing"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/atarigo"
	"github.com/krow-lab/krow/game/gametest"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/search/rules"
	"github.com/krow-lab/krow/search/searchtest"
)

func TestConformance(t *testing.T) {
	newSearcher := func(game.Game) search.Searcher { return rules.New() }
	searchtest.Run(t, newSearcher)
	searchtest.RunOn(t, newSearcher,
		ultimate.New(ultimate.Rules{}), gametest.Must[*atarigo.Game](t)(atarigo.New(7)), gametest.Must[*mnk.Game](t)(renju.New(9)),
		gametest.Must[*mnk.Game](t)(mnk.New(mnk.Rules{Name: "turns of 99", Columns: 9, Rows: 9, K: 9, Turn: 99})))
}

// choose returns the move that the rules play.
func choose(t testing.TB, p game.Position) search.Info {
	t.Helper()
	info, err := rules.New().Search(context.Background(), p, search.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// TestNeverLosesTicTacToe plays every game of tic-tac-toe against the rules, from either side.
func TestNeverLosesTicTacToe(t *testing.T) {
	g := gametest.Must[*mnk.Game](t)(mnk.TicTacToe(3, 3))
	for _, me := range []game.Side{game.First, game.Second} {
		t.Run(me.String(), func(t *testing.T) {
			ends := map[game.Outcome]int{}
			var all func(p game.Position)
			all = func(p game.Position) {
				if o := p.Outcome(); o != game.Ongoing {
					if ends[o]++; o == game.WinFor(me.Other()) {
						t.Errorf("lost %s", notation.FormatMoves(g, p.AppendHistory(nil)))
					}
					return
				}
				moves := p.AppendMoves(nil)
				if p.Turn() == me {
					moves = choose(t, p).PV[:1]
				}
				for _, m := range moves {
					p.Play(m)
					all(p)
					p.Undo()
				}
			}
			all(g.Start())
			t.Logf("games by outcome: %v", ends)
		})
	}
}
