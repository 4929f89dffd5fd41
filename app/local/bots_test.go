// SPDX-License-Identifier: Apache-2.0

package local

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/player/bot"
)

func TestMain(m *testing.M) {
	bot.Serve(krow.Game)
	m.Run()
}

// TestBotsMeet keeps a bot, tries another one against it, and forgets it.
func TestBotsMeet(t *testing.T) {
	const source = "tests = [('tictactoe', 'a1 b2', 'b1|c1')]\ndef choose(position, clock):\n    return position.moves()[0]\n"
	send := func(path string, body map[string]any) string {
		t.Helper()
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		return string(Answer("POST", path, text).Body)
	}
	meet := func() (events string) {
		body, err := json.Marshal(map[string]any{"name": "own", "source": source, "game": "tictactoe", "side": "first", "opponent": "bot:fork"})
		if err != nil {
			t.Fatal(err)
		}
		Stream("/workshop/try", body, func(event, data string) { events += event + " " + data + "\n" })
		return events
	}
	if got := meet(); !strings.Contains(got, `"code":"bad-player"`) {
		t.Errorf("against a bot that is not there: %s", got)
	}
	send("/local/bot?name=fork", map[string]any{"source": source})
	if got := send("/local/bot?name=fork", map[string]any{"source": strings.Repeat("#", bot.MaxStarlark+1)}); !strings.Contains(got, `"code":"bad-bot"`) {
		t.Errorf("a bot that is too large: %s", got)
	}
	if got := string(Answer("GET", "/opponents?game=tictactoe", nil).Body); !strings.Contains(got, `"bot:fork"`) {
		t.Errorf("the bot is no opponent: %s", got)
	}
	if got := meet(); strings.Count(got, "move ") != 7 || !strings.Contains(got, `end {"outcome":"first wins"}`) {
		t.Errorf("the game of the bots: %s", got)
	}
	if got := send("/workshop/test", map[string]any{"name": "own", "source": source}); !strings.Contains(got, `"passed":true`) {
		t.Errorf("the test of the bot: %s", got)
	}
	if got := send("/workshop/check", map[string]any{"source": source}); got != "[]" {
		t.Errorf("the faults of a bot without one: %s", got)
	}
	send("/local/bot?name=fork", map[string]any{"source": ""})
	if got := string(Answer("GET", "/opponents?game=tictactoe", nil).Body); strings.Contains(got, `"bot:fork"`) {
		t.Errorf("the bot is still an opponent: %s", got)
	}
}

// TestMoveOfProofHasReason: the page without a server knows why the certificate of Connect Four plays a move.
func TestMoveOfProofHasReason(t *testing.T) {
	got := string(Answer("GET", "/overlay?game=connect4&moves=4+1+4+4+4+3+7+6+6+1+7+1+1+4+4", nil).Body)
	want := `"planned":{"cell":38,"why":"2","plan":{"rules":[{"cell":35,"after":-1},{"cell":-1,"after":-1},{"cell":4,"after":-1}],"rightmost":true}}`
	if !strings.Contains(got, want) {
		t.Errorf("%s\nwant %s", got, want)
	}
}
