// SPDX-License-Identifier: Apache-2.0

package bots

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/bot"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/server/store"
	"github.com/krow-lab/krow/server/store/storetest"
)

func fresh(t *testing.T) *store.Store {
	t.Helper()
	return storetest.Open(t)
}

func board(t *testing.T, spec string) game.Board {
	t.Helper()
	g, err := krow.Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	return g.Start().(game.Board)
}

// place returns the source of a bot that plays the i-th legal move.
func place(i int) []byte {
	return fmt.Appendf(nil, "def choose(position, clock):\n    return position.moves()[%d]\n", i)
}

// TestVersionsOfBot: a reference names the published version, or one by its number, and keeps naming it.
func TestVersionsOfBot(t *testing.T) {
	db := fresh(t)
	mine := Of(db, Everybody, nil)
	for i := range 3 {
		if v, err := mine.Save("fork", place(i)); err != nil || v != i+1 {
			t.Fatalf("Save = %d, %v, want %d", v, err, i+1)
		}
	}
	b := board(t, "tictactoe")
	for i, step := range []struct {
		publish int
		text    string
		want    string // the settled reference
		move    string
	}{
		{0, "bot:fork", "bot:fork,version=3", "c1"},
		{2, "bot:fork", "bot:fork,version=2", "b1"},
		{2, "bot:fork,seed=7", "bot:fork,seed=7,version=2", "b1"},
		{2, "bot:fork,version=1", "bot:fork,version=1", "a1"},
	} {
		if step.publish > 0 {
			if _, err := mine.Publish("fork", step.publish); err != nil {
				t.Fatal(err)
			}
		}
		ref, is, err := ParseRef(step.text)
		if err != nil || !is {
			t.Fatalf("ParseRef(%s) = %t, %v", step.text, is, err)
		}
		ref, players, err := Players(db, nil, b.Game(), ref)
		if err != nil || ref.String() != step.want {
			t.Fatalf("step %d: %s, %v, want %s", i, ref, err, step.want)
		}
		p, err := players(1)
		if err != nil {
			t.Fatal(err)
		}
		m, err := p.Move(t.Context(), b, search.Limits{})
		player.Close(p)
		if err != nil || b.Game().Format(m) != step.move {
			t.Errorf("%s plays %s, %v, want %s", step.want, b.Game().Format(m), err, step.move)
		}
	}
}

// TestRefsOfBots tells bots of the store from files, and refuses what names none.
func TestRefsOfBots(t *testing.T) {
	for _, text := range []string{"best", "bot:fork.star", "bot:./fork", "bot", "bot:", `bot:c\fork`, "run:1"} {
		if _, is, err := ParseRef(text); is || err != nil {
			t.Errorf("ParseRef(%s) = %t, %v, want no bot of the store", text, is, err)
		}
	}
	for _, text := range []string{"bot:<b>x", "bot:a b", "bot:" + strings.Repeat("x", 41), "bot:fork,version=0", "bot:fork,version=x"} {
		_, is, err := ParseRef(text)
		if _, misuse := errors.AsType[*spec.Error](err); !is || !misuse || strings.Contains(err.Error(), "\n") {
			t.Errorf("ParseRef(%.20s) = %t, %v, want one line", text, is, err)
		}
	}
	db := fresh(t)
	if _, err := Of(db, Everybody, nil).Save("fork", place(0)); err != nil {
		t.Fatal(err)
	}
	ref, _, err := ParseRef("bot:fork,wings=2")
	if err != nil {
		t.Fatal(err)
	}
	_, players, err := Players(db, nil, board(t, "tictactoe").Game(), ref)
	if err == nil {
		_, err = players(1)
	}
	if _, misuse := errors.AsType[*spec.Error](err); !misuse {
		t.Errorf("an argument that the bot does not declare: %v", err)
	}
}

// TestRefusedBotIsNotStored: what is refused is not half stored, and what others wrote is not shown.
func TestRefusedBotIsNotStored(t *testing.T) {
	db := fresh(t)
	mine := Of(db, Everybody, nil)
	module := append([]byte("\x00asm\x01\x00\x00\x00"), make([]byte, bot.MaxWASM)...)
	for _, tc := range []struct {
		name, bot string
		text      []byte
		module    bool
		want      string
	}{
		{"markup", "<img src=x>", place(0), false, "letters, digits"},
		{"no name", "", place(0), false, "letters, digits"},
		{"long source", "a", bytes.Repeat([]byte("#"), bot.MaxStarlark+1), false, "256 kB"},
		{"zero bytes", "a", []byte("x\x00y"), false, "neither text nor a WebAssembly module"},
		{"foreign module", "a", []byte("PK\x03\x04 no module"), true, "not a WebAssembly module"},
		{"module of another version", "a", []byte("\x00asm\x02\x00\x00\x00"), true, "not a WebAssembly module"},
		{"large module", "a", module, true, "16384 kB"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			save := mine.Save
			if tc.module {
				save = mine.SaveModule
			}
			_, err := save(tc.bot, tc.text)
			if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want a line with %q", err, tc.want)
			}
		})
	}
	if _, err := mine.Save("broken", []byte("def choose(position, clock):\n    return nothing\n")); err != nil {
		t.Fatal("a draft may be broken:", err)
	}
	if _, err := mine.Publish("broken", 0); !errors.Is(err, errBroken) || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a broken bot: %v, want %v in line 2", err, errBroken)
	}
	if _, err := mine.SaveModule("empty", []byte("\x00asm\x01\x00\x00\x00")); err != nil {
		t.Fatal(err)
	}
	if _, err := mine.Publish("empty", 0); !errors.Is(err, errBroken) || strings.Contains(err.Error(), "line") {
		t.Errorf("an empty module: %v, want %v without a line", err, errBroken)
	}
	if err := mine.Delete("empty"); err != nil {
		t.Fatal(err)
	}
	if list, err := mine.List(); err != nil || len(list) != 1 || list[0].Published != 0 {
		t.Errorf("List = %+v, %v, want the broken draft alone", list, err)
	}
	eve := Of(db, "eve", nil)
	_, _, found := eve.Find("broken")
	_, read := eve.Program("broken", 0)
	_, took := eve.Save("broken", place(0))
	for i, err := range []error{found, read, eve.Delete("broken")} {
		if !errors.Is(err, store.ErrNoBot) {
			t.Errorf("somebody else, %d: %v, want %v", i, err, store.ErrNoBot)
		}
	}
	if !errors.Is(took, store.ErrBotTaken) {
		t.Errorf("a name that is taken: %v", took)
	}
}
