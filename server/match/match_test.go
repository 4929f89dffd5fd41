// SPDX-License-Identifier: Apache-2.0

package match_test

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/opening"
	"github.com/krow-lab/krow/server/match"
	"github.com/krow-lab/krow/server/store"
)

// newMatch returns a match of these players.
func newMatch(t *testing.T, rules string, games int, players ...string) *match.Match {
	t.Helper()
	g, err := krow.Game(rules)
	if err != nil {
		t.Fatal(err)
	}
	m := &match.Match{Terms: arena.Match{Game: g, Games: games, Seed: 1, RandomPlies: 2}}
	for _, p := range players {
		if err := m.Enter(p, krow.Player); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// In a round robin everyone meets everyone, and the standings add up.
func TestRoundRobin(t *testing.T) {
	m := newMatch(t, "connect4", 20, "random", "rules", "greedy")
	m.RoundRobin = true
	var met []string
	points := map[string]float64{}
	m.OnGame = func(e match.Event) error {
		if e.Meeting.Games == 1 {
			met = append(met, e.Meeting.A+"-"+e.Meeting.B)
		}
		if e.Pairing != len(met) || e.Game.Names[e.Game.A] != e.Meeting.A || e.Game.Index != e.Meeting.Games-1 {
			t.Errorf("a game is told as %+v", e)
		}
		for side, name := range e.Game.Names {
			switch e.Game.Outcome {
			case game.WinFor(game.Side(side)):
				points[name]++
			case game.Draw:
				points[name] += 0.5
			}
		}
		return nil
	}
	meetings, err := m.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"random-rules", "random-greedy", "rules-greedy"}; !slices.Equal(met, want) {
		t.Errorf("the pairings were %q, want %q", met, want)
	}
	got, err := arena.Rank(meetings)
	if err != nil {
		t.Fatal(err)
	}
	mean := 0.0
	for i, s := range got {
		if s.Won+s.Drawn+s.Lost != 40 || s.Games != 40 || s.Points != points[s.Name] || s.Error <= 0 {
			t.Errorf("%+v, who made %g points", s, points[s.Name])
		}
		if i > 0 && s.Elo > got[i-1].Elo {
			t.Errorf("%+v stands behind %+v", s, got[i-1])
		}
		mean += s.Elo / 3
	}
	if math.Abs(mean) > 1e-6 {
		t.Errorf("the mean Elo is %g, want 0", mean)
	}
	if got[2].Name != "random" {
		t.Errorf("random is not the last: %+v", got)
	}
	m.Terms.Jobs, m.OnGame = 4, nil
	if again, err := m.Run(t.Context()); err != nil || !reflect.DeepEqual(again, meetings) {
		t.Errorf("played four at once: %+v, %v, want %+v", again, err, meetings)
	}
}

// The pairings of a round robin share their openings, and not the random numbers of their players.
func TestPairings(t *testing.T) {
	m := newMatch(t, "connect4", 2)
	for _, name := range []string{"a", "b", "c"} {
		m.Players = append(m.Players, arena.Factory{Name: name, New: func(seed uint64) (player.Player, error) { return player.NewRandom(seed), nil }})
	}
	var games [][]game.Move
	m.OnGame = func(e match.Event) error {
		games = append(games, e.Game.Moves)
		return nil
	}
	if _, err := m.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		if !slices.Equal(games[i][:2], games[i+2][:2]) || slices.Equal(games[i], games[i+2]) {
			t.Errorf("a game is %v, and that of the next pairing %v, want the same opening of 2 plies and other moves", games[i], games[i+2])
		}
	}
}

func TestCheck(t *testing.T) {
	tests := []struct {
		name   string
		change func(*match.Match)
		want   string
	}{
		{"nothing wrong", func(*match.Match) {}, "^$"},
		{"one player", func(m *match.Match) { m.Players = m.Players[:1] }, "needs at least two players"},
		{"an odd match", func(m *match.Match) { m.Terms.Games = 3 }, "even number of games, not 3"},
		{"no games", func(m *match.Match) { m.Terms.Games = 0 }, "even number of games, not 0"},
		{"twice", func(m *match.Match) { m.Players[2] = m.Players[1] }, "rules plays twice"},
		{"a test of three", func(m *match.Match) { m.Terms.SPRT = &stats.SPRT{Elo1: 5} }, "exactly two players"},
		{"a test of two", func(m *match.Match) { m.Players, m.Terms.SPRT = m.Players[:2], &stats.SPRT{Elo1: 5} }, "^$"},
		{"a pair and an odd match", func(m *match.Match) { m.Players, m.Terms.Games = m.Players[:2], 1 }, "^$"},
		{"two who are one", func(m *match.Match) { m.Players[1], m.Players = m.Players[0], m.Players[:2] }, "^$"},
		{"two who are one in a round robin", func(m *match.Match) {
			m.Players[1], m.Players, m.RoundRobin = m.Players[0], m.Players[:2], true
		}, "random plays twice"},
		{"terms", func(m *match.Match) { m.Terms.RandomPlies = -1 }, "match: invalid number of random plies: -1"},
		{"stopped", func(m *match.Match) { m.OnGame = func(match.Event) error { return errors.New("enough") } }, "random against rules: enough"},
		{"unmakeable", func(m *match.Match) {
			m.Players[0].New = func(uint64) (player.Player, error) { return nil, errors.New("no such file") }
		}, "random against rules: .*no such file"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			m := newMatch(t, "tictactoe", 2, "random", "rules", "greedy")
			tc.change(m)
			text := ""
			if _, err := m.Run(t.Context()); err != nil {
				text = err.Error()
			}
			if !regexp.MustCompile(tc.want).MatchString(text) {
				t.Errorf("error %q, want %q", text, tc.want)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newMatch(t, "tictactoe", 2, "random", "rules", "greedy").Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// closed counts the players that were closed.
type closed struct {
	player.Player
	n *int
}

func (c closed) Close() error { *c.n++; return nil }

// TestLoad: a match takes over the games of its finished file, and no others.
func TestLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.jsonl")
	m := newMatch(t, "connect4", 4, "random", "rules")
	if found, err := m.Load(path); found || err != nil {
		t.Fatalf("where there is no file: %v, %v", found, err)
	}
	end, err := m.KeepFile(path, false)
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.Run(t.Context())
	if err != nil || end() != nil {
		t.Fatal(err)
	}
	again := newMatch(t, "connect4", 4, "random", "rules")
	found, err := again.Load(path)
	again.OnGame = func(match.Event) error { return errors.New("a game was played") }
	if got, failed := again.Run(t.Context()); !found || err != nil || failed != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v, and then %+v, %v, want %+v", found, err, got, failed, want)
	}
	if _, err := newMatch(t, "connect4", 4, "random", "greedy").Load(path); err == nil || !strings.Contains(err.Error(), "is not of this match") {
		t.Errorf("another match took it over: %v", err)
	}
}

// A finished round robin grows to the file that a longer one writes, also if the growth is interrupted after any game.
func TestRoundRobinGrows(t *testing.T) {
	path, stop := filepath.Join(t.TempDir(), "games.jsonl"), errors.New("stop")
	play := func(games, most int) (played int, err error) {
		m := newMatch(t, "connect4", games, "random", "rules", "greedy")
		end, err := m.KeepFile(path, false)
		if err != nil {
			t.Fatal(err)
		}
		m.OnGame = func(match.Event) error {
			if played++; played == most {
				return stop
			}
			return nil
		}
		_, err = m.Run(t.Context())
		return played, errors.Join(err, end())
	}
	if n, err := play(2, 0); n != 6 || err != nil {
		t.Fatalf("%d games, %v", n, err)
	}
	for more := 6; more > 0; more-- {
		if n, err := play(4, 1); n != 1 || !errors.Is(err, stop) {
			t.Fatalf("%d more games: played %d, %v", more, n, err)
		}
	}
	if n, err := play(4, 0); n != 0 || err != nil {
		t.Fatalf("played %d, %v", n, err)
	}
	grown, _ := os.ReadFile(path)
	os.Remove(path)
	if n, err := play(4, 0); n != 12 || err != nil {
		t.Fatalf("%d games, %v", n, err)
	}
	if want, _ := os.ReadFile(path); !bytes.Equal(grown, want) {
		t.Errorf("the grown file differs:\n%s\nwant\n%s", grown, want)
	}
}

func TestEnter(t *testing.T) {
	m := newMatch(t, "gomoku:9", 2)
	made := 0
	open := func(g game.Game, spec string, seed uint64) (player.Player, error) {
		p, err := krow.Player(g, spec, seed)
		return closed{p, &made}, err
	}
	if err := m.Enter("random", open); err != nil || made != 1 || len(m.Players) != 1 {
		t.Errorf("random: %v, %d closed, %d players", err, made, len(m.Players))
	}
	if err := m.Enter("human", krow.Player); !errors.Is(err, match.ErrPerson) {
		t.Errorf("a person: %v", err)
	}
	m.Terms.Opening = opening.Swap2
	if err := m.Enter("random", krow.Player); !errors.Is(err, opening.ErrUnable) || err.Error() != "random does not know swap2" {
		t.Errorf("random in swap2: %v", err)
	}
	if err := m.Enter("rndom", krow.Player); err == nil || len(m.Players) != 1 {
		t.Errorf("a wrong spec: %v, %d players", err, len(m.Players))
	}
}

// A match that is kept, and interrupted after any game, ends as one that was not.
func TestInterruptedMatchEndsSame(t *testing.T) {
	stop := errors.New("stop")
	kinds := map[string]func(t *testing.T, m *match.Match, place string) (end func() error){
		"file": func(t *testing.T, m *match.Match, place string) func() error {
			end, err := m.KeepFile(filepath.Join(place, "games.jsonl"), false)
			if err != nil {
				t.Fatal(err)
			}
			return end
		},
		"run": func(t *testing.T, m *match.Match, place string) func() error {
			db, err := store.Open(filepath.Join(place, "krow.db"))
			if err != nil {
				t.Fatal(err)
			}
			r, err := db.Run("web match", "a match", []byte("{}"), m.Games())
			if err == nil {
				_, err = m.KeepRun(db, r)
			}
			if err != nil {
				t.Fatal(err)
			}
			return db.Close
		},
	}
	for kind, keep := range kinds {
		t.Run(kind, func(t *testing.T) {
			players := []string{"random", "rules", "greedy"}
			want, err := newMatch(t, "connect4", 4, players...).Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			place := t.TempDir()
			for n := 0; ; n++ {
				m := newMatch(t, "connect4", 4, players...)
				end := keep(t, m, place)
				if m.Played() != n {
					t.Errorf("%d games are kept, want %d", m.Played(), n)
				}
				m.OnGame = func(e match.Event) error { return stop }
				if n == m.Games() {
					if got := m.Meetings(); cmp.Diff(want, got) != "" {
						t.Errorf("the meetings kept are %+v, want %+v", got, want)
					}
				}
				got, err := m.Run(t.Context())
				if e := end(); e != nil {
					t.Error(e)
				}
				if n == m.Games() {
					if err != nil || cmp.Diff(want, got) != "" {
						t.Errorf("gone on after %d games: %+v, %v, want %+v", n, got, err, want)
					}
					break
				}
				if !errors.Is(err, stop) {
					t.Fatalf("after %d games: %v", n, err)
				}
			}
			if kind == "file" {
				data, err := os.ReadFile(filepath.Join(place, "games.jsonl"))
				if err != nil {
					t.Fatal(err)
				}
				if _, games, err := record.Read(data, "", krow.Game); err != nil || len(games) != 12 {
					t.Errorf("the file has %d games, %v", len(games), err)
				}
			}
		})
	}
}

// Watch sees who plays whom, in the order of the seats.
func TestWatchSeesSeats(t *testing.T) {
	m := newMatch(t, "tictactoe", 2, "random", "rules")
	var seen []string
	m.Watch = func(first, second string, p game.Position) {
		if p.Ply() == 2 {
			seen = append(seen, first+" "+second)
		}
	}
	if _, err := m.Run(t.Context()); err != nil || !slices.Equal(seen, []string{"random rules", "rules random"}) {
		t.Errorf("seen %q, %v", seen, err)
	}
}

func TestStandingsUnconnected(t *testing.T) {
	if all, err := arena.Rank([]arena.Meeting{{A: "a", B: "b"}}); err == nil {
		t.Errorf("without a game: %+v", all)
	}
}

// withdrawing is a queue that takes back some wrong results.
type withdrawing struct {
	work.Pool
	lies int // results of the first Run, of which the last two are wrong
}

func (q *withdrawing) Run(ctx context.Context, units iter.Seq2[work.Unit, error], result func(int, []byte) error) error {
	lies := q.lies
	q.lies = 0
	caught := errors.New("caught")
	err := q.Pool.Run(ctx, units, func(i int, r []byte) error {
		switch {
		case i < lies-2:
		case i < lies:
			r = bytes.Replace(r, []byte(`"outcome":1`), []byte(`"outcome":2`), 1)
		case lies > 0:
			return caught
		}
		return result(i, r)
	})
	if errors.Is(err, caught) {
		err = &work.WithdrawnError{First: lies - 2, Who: "w"}
	}
	return err
}

// TestWithdrawnGamesArePlayedAgain: games that a queue takes back are played again, and the file is that of a match without them.
func TestWithdrawnGamesArePlayedAgain(t *testing.T) {
	dir := t.TempDir()
	var files [2][]byte
	for i, lies := range []int{0, 5} {
		m := newMatch(t, "connect4", 12, "random", "rules")
		m.Terms.Queue = &withdrawing{work.Pool{Kinds: arena.Kinds(krow.Game, krow.Player, nil)}, lies}
		name := filepath.Join(dir, "games")
		closeFile, err := m.KeepFile(name, false)
		if err != nil {
			t.Fatal(err)
		}
		all, err := m.Run(t.Context())
		if err != nil || all[0].Games != 12 {
			t.Fatalf("%+v, %v", all, err)
		}
		if err := closeFile(); err != nil {
			t.Fatal(err)
		}
		if files[i], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Errorf("with games taken back\n%s\nwithout\n%s", files[1], files[0])
	}
}
