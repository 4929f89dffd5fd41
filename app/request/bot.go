// SPDX-License-Identifier: Apache-2.0

package request

import (
	"context"
	"errors"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/bot"
)

// Word is a name that the source of a bot can use, such as a function.
type Word bot.Item

// Workshop contains what the workshop, the part of the page for writing bots, shows in addition to the bots themselves.
type Workshop struct {
	Interface []Word        `json:"interface" nullable:"false" doc:"functions that a bot can use"`
	Examples  []bot.Example `json:"examples" nullable:"false"`
	Lessons   []bot.Lesson  `json:"lessons" nullable:"false"`
}

// BotShelf returns the content of the workshop.
func BotShelf(context.Context, *struct{}) (Workshop, error) {
	w := Workshop{[]Word{}, append([]bot.Example{}, bot.Examples()...), append([]bot.Lesson{}, bot.Lessons()...)}
	for _, i := range bot.Interface() {
		w.Interface = append(w.Interface, Word(i))
	}
	return w, nil
}

// Source is the source of a bot in a request.
type Source struct {
	Source string `json:"source" doc:"source of the bot, in Starlark"`
}

// CheckBotInput is the input of CheckBot.
type CheckBotInput struct{ Body Source }

// CheckBot returns the faults of a source that can be found without running it.
func CheckBot(_ context.Context, in *CheckBotInput) ([]bot.Fault, error) {
	return bot.Check(bot.Program{Name: "bot", Text: []byte(in.Body.Source)}), nil
}

// TestBotInput is the input of an operation that runs the tests of a source.
type TestBotInput struct {
	Body struct {
		Source
		Name string `json:"name" maxLength:"40"`
	}
}

// TryBotInput describes a trial game of a bot.
type TryBotInput struct {
	Body struct {
		Name    string `json:"name" maxLength:"40" doc:"name of the bot"`
		Source  string `json:"source,omitempty" doc:"the current text in the editor; if it is missing, a stored version plays"`
		Version int    `json:"version,omitempty" minimum:"0" doc:"number of the version; 0: the newest"`
		Place
		Side     string `json:"side" enum:"first,second" doc:"side of the bot"`
		Opponent string `json:"opponent" maxLength:"200" doc:"spec of the other player"`
		Seed     uint64 `json:"seed,omitempty"`
	}
}

// Trial returns the trial game, ready to be played. The function kept returns the program of a stored version of a bot. The
// function open checks the spec of a player and returns a function that makes the player.
func (in *TryBotInput) Trial(
	kept func(name string, version int) (bot.Program, error), open func(g game.Game, spec string) (func(seed uint64) (player.Player, error), error),
) (t Trial, err error) {
	b := &in.Body
	if err := b.Ongoing(); err != nil {
		return t, err
	}
	t.Position = b.Board()
	if b.Source != "" {
		t.Bot, err = bot.New(b.Name, []byte(b.Source))
	} else {
		t.Bot, err = kept(b.Name, b.Version)
	}
	if err != nil {
		return t, wrong("bad-bot", b.Name, err)
	}
	if b.Opponent == Human {
		return t, fault.About("bad-player", Human, errors.New("a person does not play here"))
	}
	if t.Opponent, err = open(t.Position.Game(), b.Opponent); err != nil {
		return t, wrong("bad-player", b.Opponent, err)
	}
	t.Seed, t.Time = b.Seed, trialMove
	if b.Side == "second" {
		t.Side = game.Second
	}
	return t, nil
}

// trialMove is the time limit for a move of the opponent.
const trialMove = 300 * time.Millisecond
