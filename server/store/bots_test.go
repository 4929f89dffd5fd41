// SPDX-License-Identifier: Apache-2.0

package store

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
)

var roomy = BotRoom{Bots: 10, Versions: 100, Bytes: 1 << 20}

// addBot keeps a text as a version, or fails.
func addBot(t *testing.T, s *Store, b Bot, text string, room BotRoom) int {
	t.Helper()
	v, err := s.AddBotVersion(b, []byte(text), room)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// texts returns how many texts the store holds.
func texts(t *testing.T, s *Store) (n int) {
	t.Helper()
	if err := s.writer.QueryRow("SELECT count(*) FROM bot_texts").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestBots: versions count up, equal ones are kept once, names do not differ by case alone, and what is deleted is gone.
func TestBots(t *testing.T) {
	s := fresh(t)
	b := Bot{Name: "Fork", Kind: "starlark"}
	for i, step := range []struct {
		text string
		want int
	}{{"a", 1}, {"a", 1}, {"b", 2}, {"a", 3}} {
		if got := addBot(t, s, b, step.text, roomy); got != step.want {
			t.Errorf("step %d: version %d, want %d", i, got, step.want)
		}
	}
	if n := texts(t, s); n != 2 {
		t.Errorf("%d texts are kept, want 2", n)
	}
	for _, other := range []Bot{{Name: "fork", Kind: "wasm"}, {Name: "FORK", Kind: "starlark", Author: "eve"}} {
		if _, err := s.AddBotVersion(other, []byte("c"), roomy); !errors.Is(err, ErrBotTaken) {
			t.Errorf("%+v: %v, want %v", other, err, ErrBotTaken)
		}
	}
	if err := s.PublishBot("fork", 2); err != nil {
		t.Fatal(err)
	}
	got, err := s.Bot("fork")
	if err != nil || got.Name != "Fork" || got.Published != 2 || got.Latest != 3 {
		t.Errorf("Bot = %+v, %v", got, err)
	}
	text, err := s.BotText("fork", 2)
	if err != nil || !bytes.Equal(text, []byte("b")) {
		t.Errorf("BotText = %q, %v", text, err)
	}
	versions, err := s.BotVersions("fork")
	if err != nil || len(versions) != 3 || versions[0].Version != 3 || !versions[1].Kept || versions[2].Kept {
		t.Errorf("BotVersions = %+v, %v", versions, err)
	}
	if err := s.DeleteBot("fork"); err != nil {
		t.Fatal(err)
	}
	if n := texts(t, s); n != 0 {
		t.Errorf("a deleted bot leaves %d texts", n)
	}
	_, text404 := s.BotText("fork", 2)
	for _, err := range []error{s.DeleteBot("fork"), s.PublishBot("fork", 1), text404} {
		if !errors.Is(err, ErrNoBot) {
			t.Errorf("a deleted bot: %v, want %v", err, ErrNoBot)
		}
	}
}

// TestLeaveLeagues: a bot that is deleted, or whose author is removed, leaves its leagues. Nobody who takes its name plays there.
func TestLeaveLeagues(t *testing.T) {
	s := fresh(t)
	bob, err := s.AddClubMember(Member{Name: "Bob", Key: "bob", Role: "member"})
	if err != nil {
		t.Fatal(err)
	}
	for name, author := range map[string]string{"Fork": "1", "forks": "1", "row": fmt.Sprint(bob)} {
		addBot(t, s, Bot{Name: name, Author: author, Kind: "starlark"}, "a", roomy)
	}
	if err := s.SetAwayBot(AwayBot{Name: "far", Author: "1"}, []byte("t"), 9); err != nil {
		t.Fatal(err)
	}
	league, err := s.AddLeague("lunch", "tictactoe", nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, spec := range []string{"bot:fork,version=1", "bot:forks", "bot:row", "bot:far", "random"} {
		if _, err := s.AddMember(LeagueMember{League: league, Name: fmt.Sprint("m", i), Spec: spec}); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{s.DeleteBot("fork"), s.DeleteAwayBot("far"), s.RemoveClubMember(bob, "removed member")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.Members(league)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, m := range all {
		if m.Last == 0 {
			left = append(left, m.Spec)
		}
	}
	if fmt.Sprint(left) != "[bot:forks random]" {
		t.Errorf("members left: %v", left)
	}
}

// TestThousandVersions: only so many are kept, those that were published among them, and nothing is half stored.
func TestThousandVersions(t *testing.T) {
	s := fresh(t)
	b := Bot{Name: "many", Kind: "starlark"}
	room := BotRoom{Bots: 1, Versions: 20, Bytes: 1 << 20}
	addBot(t, s, b, "first", room)
	if err := s.PublishBot("many", 1); err != nil {
		t.Fatal(err)
	}
	for i := 2; i <= 1000; i++ {
		if v := addBot(t, s, b, fmt.Sprint(i), room); v != i {
			t.Fatalf("version %d, want %d", v, i)
		}
	}
	versions, err := s.BotVersions("many")
	if err != nil || len(versions) != 20 || versions[0].Version != 1000 || versions[19].Version != 1 || versions[18].Version != 982 {
		t.Errorf("%d versions are kept: %+v, %v", len(versions), versions, err)
	}
	if n := texts(t, s); n != 20 {
		t.Errorf("%d texts are kept, want 20", n)
	}
	if _, err := s.AddBotVersion(Bot{Name: "second", Kind: "starlark"}, []byte("x"), room); !errors.Is(err, errBotFull) {
		t.Errorf("a bot too many: %v", err)
	}
	for v := 982; v <= 1000; v++ {
		if err := s.PublishBot("many", v); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.AddBotVersion(b, []byte("too many"), room); !errors.Is(err, errBotFull) {
		t.Errorf("a version where all others were published: %v, want %v", err, errBotFull)
	}
	if n := texts(t, s); n != 20 {
		t.Errorf("a refused version left %d texts, want 20", n)
	}
}
