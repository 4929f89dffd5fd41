// SPDX-License-Identifier: Apache-2.0

package krow_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
)

const refused = "cannot be asked for here"

// makeUntrusted makes what an untrusted spec names.
func makeUntrusted(g game.Game, kind, text string) (err error) {
	switch kind {
	case "players":
		_, err = krow.PlayerBy(spec.Untrusted, g, text, 1)
	case "heuristics":
		_, err = krow.EvaluatorBy(spec.Untrusted, g, text)
	case "learners":
		_, err = krow.LearnerBy(spec.Untrusted, g, text, 1)
	}
	return err
}

func TestUntrustedSpecs(t *testing.T) {
	tests := []struct{ game, kind, spec, wrong string }{
		{"gomoku:9", "players", "best:time=2s", ""},
		{"gomoku:9", "players", "alphabeta:depth=3,eval=brute,order=lines(empty=literal)", ""},
		{"gomoku:9", "players", "mcts:sims=999999,seed=18446744073709551615", ""},
		{"gomoku:9", "players", "random:1000000", ""},
		{"ultimate", "players", "greedy:eval=indicators(block=on)", ""},
		{"ultimate", "players", "greedy:eval=indicators(change=(centre=2.5))", ""},
		{"ultimate", "players", "greedy:eval=indicators(change=/etc/passwd)", `indicators: change must be (INDICATOR=X,...), not "/etc/passwd"`},
		{"gomoku:9", "heuristics", "shevchenko:variant=note", ""},
		{"gomoku:9", "learners", "spsa:games=300,target=generic(depth=1)", ""},
		{"gomoku:9", "players", "proof:/etc/passwd", refused},
		{"gomoku:9", "players", "program:/bin/sh", refused},
		{"gomoku:9", "players", "program(path=/bin/sh)", refused},
		{"gomoku:9", "players", "gomoku: hash = 64M", refused},
		{"gomoku:9", "players", "best(threads=2)", refused},
		{"gomoku:9", "players", "alphabeta:hash=8", refused},
		{"gomoku:9", "players", "alphabeta:eval=generic(weights=/etc/passwd)", refused},
		{"gomoku:9", "players", "alphabeta:order=indicators(weights=x)", refused},
		{"ultimate", "players", "minimax:eval=indicators:weights=/etc/passwd", refused},
		{"ultimate", "players", "ultimate:net=/etc/passwd", refused},
		{"gomoku:9", "heuristics", "generic:weights=/etc/passwd", refused},
		{"gomoku:9", "learners", "cmaes:jobs=2", refused},
		{"ultimate", "learners", "network:data=/tmp", refused},
		{"gomoku:9", "players", "mcts:sims=1000000", "mcts: sims can be at most 999999 here, not 1000000"},
		{"gomoku:9", "learners", "spsa:target=mics(nodes=1000000)", "mics: nodes can be at most 999999 here, not 1000000"},
		{"gomoku:9", "players", "alphbeta", `unknown player "alphbeta"`},
	}
	for _, tc := range tests {
		t.Run(tc.game+"/"+tc.spec, func(t *testing.T) {
			g, err := krow.Game(tc.game)
			if err != nil {
				t.Fatal(err)
			}
			err = makeUntrusted(g, tc.kind, tc.spec)
			if tc.wrong == "" && err != nil || tc.wrong != "" && (err == nil || !strings.Contains(err.Error(), tc.wrong)) {
				t.Errorf("error %v, want %q", err, tc.wrong)
			}
		})
	}
}

// TestUntrustedSpecsReadNoFiles asks for every argument that the usage shows as a file, a program, memory or threads: none is given to
// a stranger, whatever the catalog comes to have.
func TestUntrustedSpecsReadNoFiles(t *testing.T) {
	dear := regexp.MustCompile(`([a-z]+)=(?:FILE|PATH|DIR|SIZE)|(threads|jobs)=N|(program):PATH`)
	seen := 0
	for _, kind := range []string{"players", "heuristics", "learners"} {
		for _, item := range krow.List(kind) {
			for _, m := range dear.FindAllStringSubmatch(item.Usage, -1) {
				seen++
				text := item.Name + ":" + m[1] + m[2] + "=1"
				if m[3] != "" {
					text = item.Name + ":1"
				}
				fits := false
				for _, name := range []string{"gomoku:9", "connect4", "ultimate"} {
					g, err := krow.Game(name)
					if err != nil {
						t.Fatal(err)
					}
					err = makeUntrusted(g, kind, text)
					if err == nil {
						t.Errorf("%s: %s is made of an untrusted spec", name, text)
					}
					fits = fits || err == nil || strings.Contains(err.Error(), refused)
				}
				if !fits {
					t.Errorf("%s is refused for another reason on every game", text)
				}
			}
		}
	}
	if seen < 15 {
		t.Errorf("only %d arguments were found", seen)
	}
}

// TestSizes makes every game that is offered.
func TestSizes(t *testing.T) {
	for _, item := range krow.List("games") {
		for _, text := range krow.Sizes(item.Name) {
			if g, err := krow.Game(text); err != nil || !strings.HasPrefix(g.String(), item.Name) {
				t.Errorf("%s offers %q: %v, %v", item.Name, text, g, err)
			}
		}
	}
}

// TestOpponents asks for the players of some games: the levels from the weakest to the strongest, and then the others.
func TestOpponents(t *testing.T) {
	for name, want := range map[string]string{
		"gomoku":    "random glance rules shevchenko chua brute threats lines mics deepened best patient",
		"connect4":  "random glance rules shevchenko chua brute threats lines mics deepened best patient proof",
		"ultimate":  "random glance rules indicators best patient",
		"tictactoe": "random glance rules shevchenko chua brute threats lines mics deepened best patient",
	} {
		g, err := krow.Game(name)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		level, usual := 0, 0
		for _, o := range krow.Opponents(g) {
			if o.Analyst == (o.Name == "random") {
				t.Errorf("%s: %s is an analyst: %t", name, o.Player, o.Analyst)
			}
			if o.Name != "level" {
				names = append(names, o.Name)
				continue
			}
			if level++; len(names) > 0 || o.Level != level || o.Player != fmt.Sprintf("level:%d", level) || (o.Elo > 0) != (level > 1) {
				t.Errorf("%s: level %d is %+v, after %v", name, level, o, names)
			}
			if o.Usual {
				usual = o.Level
			}
		}
		if got := strings.Join(names, " "); got != want || usual != (level+1)/2 {
			t.Errorf("%s has the opponents %s beside its levels, of which %d is usual; want %s, and %d", name, got, usual, want, (level+1)/2)
		}
	}
}

// TestPublishedSystems: the authors' players need nothing that anybody has learned before.
func TestPublishedSystems(t *testing.T) {
	for text, want := range map[string]string{
		"mnk:5,5,4 system:A": "", "connect4 system:E": "", "ultimate system:B": "", "gomoku:9 system:C": "",
		"ultimate system:A": "ultimate is not a k-in-a-row game, so it has no threats to weigh",
		"gomoku:9 system:F": `system: name must be A|B|C|D|E, not "F"`,
		"gomoku:9 system":   "system: the system is missing: A, B, C, D or E, as in system:A",
	} {
		name, player, _ := strings.Cut(text, " ")
		g, err := krow.Game(name)
		if err != nil {
			t.Fatal(err)
		}
		_, err = krow.PlayerBy(spec.Untrusted, g, player, 1)
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasSuffix(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
