// SPDX-License-Identifier: Apache-2.0

package krow_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/internal/spec"
)

func TestTargetSpecs(t *testing.T) {
	tests := []struct{ game, learner, state, wrong, hint string }{
		{game: "gomoku:9", learner: "spsa", state: `"target":"generic"`},
		{game: "gomoku:9", learner: "spsa", state: `"games":2000,`},
		{game: "gomoku:9", learner: "spsa:games=300,target=generic(depth=3)", state: `"depth":3,"games":300,`},
		{game: "connect4", learner: "spsa", state: `"plies":6,`},
		{game: "gomoku", learner: "spsa", state: `"plies":12,`},
		{game: "tictactoe", learner: "cmaes", state: `"plies":2,`},
		{game: "ultimate", learner: "genetic:target=indicators(block=on),games=400", state: `"plies":11,`},
		{game: "gomoku:9", learner: "spsa:measure=0", state: `"measure":-1,`},
		{game: "ultimate", learner: "spsa", state: `"target":"indicators"`},
		{game: "ultimate", learner: "cmaes:target=indicators(block=on)", state: `"block":true,`},
		{game: "gomoku:9", learner: "cmaes:target=mics(nodes=500),population=6", state: `"nodes":500,"pairs":1,"plies":11,"population":6,`},
		{game: "gomoku:9", learner: "genetic:games=500,players=10,each=4", state: `"games":4,"gap":"exact","generations":12,`},
		{game: "gomoku:9", learner: "genetic:target=mics", state: `"target":"mics"`},
		{game: "ultimate", learner: "genetic", state: `"half_draws":false,`},
		{game: "ultimate", learner: "genetic:target=indicators,games=50", state: `"games":50,"generations":30,`},
		{game: "gomoku:9", learner: "spsa:target=multipliers,against=start", state: `"start":true,`},
		{game: "gomoku:9", learner: "spsa:target=multipliers,against=rules", wrong: `spsa: against must be neighbour|start, not "rules"`},
		{game: "gomoku:9", learner: "spsa:target=genric", wrong: `unknown target "genric"`, hint: `did you mean "generic"?`},
		{game: "gomoku:9", learner: "spsa:target=indicators", wrong: "indicators: the indicators are for ultimate tic-tac-toe, not gomoku:9"},
		{game: "gomoku:9", learner: "genetic:target=indicators", wrong: "genetic: the published genetic learner is for ultimate tic-tac-toe, not gomoku:9"},
		{game: "ultimate", learner: "spsa:target=mics", wrong: "mics: mics needs a game of k in a row, not ultimate"},
		{game: "atarigo:5", learner: "cmaes", wrong: "cmaes: atarigo:5 has no heuristic with parameters to learn"},
		{game: "gomoku:9", learner: "cmaes:games=10", wrong: "cmaes: games must be from 48 to 100000000, not 10"},
		{game: "gomoku:9", learner: "genetic:games=10", wrong: "genetic: games must be at least the 200 of a generation, not 10"},
		{game: "gomoku:9", learner: "genetic:generations=10", wrong: `genetic has no argument "generations"`},
		{game: "gomoku:9", learner: "spsa:target=generic(deep=3)", wrong: `generic has no argument "deep"`},
	}
	for _, tc := range tests {
		t.Run(tc.game+"/"+tc.learner, func(t *testing.T) {
			g, err := krow.Game(tc.game)
			if err != nil {
				t.Fatal(err)
			}
			l, err := krow.Learner(g, tc.learner, 1)
			if tc.wrong != "" {
				var e *spec.Error
				if !errors.As(err, &e) || e.Msg != tc.wrong || tc.hint != "" && e.Hint != tc.hint {
					t.Errorf("error %#v, want %q and the hint %q", err, tc.wrong, tc.hint)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if state, err := l.State(); err != nil || !strings.Contains(string(state), tc.state) {
				t.Errorf("state %s, %v, want %s in it", state, err, tc.state)
			}
		})
	}
}
