// SPDX-License-Identifier: Apache-2.0

package krow_test

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

// unmeasured is a game of a name that has no ladder.
type unmeasured struct{ game.Game }

func (unmeasured) String() string { return "misere" }

func TestLevelOfGameWithoutLadderIsAnError(t *testing.T) {
	g, err := krow.Game("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"level", "level:1", "level:0"} {
		var wrong *spec.Error
		if _, err := krow.Player(unmeasured{g}, text, 1); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "misere has no levels") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

var argument = regexp.MustCompile(`[a-z]+=`)

// TestPlayersWithOddArguments gives every argument of every player values at and beyond the edge. A player is refused, or it moves.
func TestPlayersWithOddArguments(t *testing.T) {
	for _, i := range krow.List("players") {
		if slices.Contains([]string{"human", "program", "bot", "proof"}, i.Name) {
			continue // they wait for a person, or need a file
		}
		specs := []string{i.Name, i.Name + ":0", i.Name + ":-1", i.Name + ":"}
		for _, key := range append(argument.FindAllString(i.Usage, -1), "unknown=") {
			for _, value := range []string{"0", "-1", "NaN", "99999999999999999999"} {
				specs = append(specs, i.Name+":"+key+value)
			}
		}
		for _, text := range []string{"connect4:5x4", "gomoku:6", "mnk:1,1,1"} {
			for _, spec := range specs {
				moveOnce(t, text, spec)
			}
		}
	}
}

func moveOnce(t *testing.T, text, name string) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s on %s panics: %v", name, text, r)
		}
	}()
	g, err := krow.Game(text)
	if err != nil {
		t.Fatal(err)
	}
	pl, err := krow.PlayerBy(spec.Untrusted, g, name, 1)
	if err != nil {
		if strings.Contains(err.Error(), "\n") && strings.Count(err.Error(), "hint") == 0 {
			t.Errorf("%s on %s: %v", name, text, err)
		}
		return
	}
	defer player.Close(pl)
	p := g.Start()
	m, err := pl.Move(t.Context(), p, search.Limits{Nodes: 10, Time: time.Second})
	if err == nil && !game.Legal(p, m) {
		t.Errorf("%s on %s moves to %d", name, text, m)
	}
}
