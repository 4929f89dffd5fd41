// SPDX-License-Identifier: Apache-2.0

package league

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/atomicfile"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/server/match"
	"github.com/krow-lab/krow/server/store"
	"github.com/krow-lab/krow/server/store/storetest"
)

func newStore(t testing.TB) *store.Store {
	t.Helper()
	return storetest.Open(t)
}

// newLeague returns a league of tic-tac-toe with five members that differ.
func newLeague(t testing.TB, db *store.Store) *League {
	t.Helper()
	l, err := Create(db, "lunch", "tictactoe", Terms{Plies: 2, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range []string{"random", "rules", "greedy", "limited:of=greedy,overlook=0.5", "minimax:depth=2"} {
		add(t, l, Member{Spec: spec})
	}
	return l
}

func add(t testing.TB, l *League, m Member) {
	t.Helper()
	if err := l.Add(m, krow.Player); err != nil {
		t.Fatal(err)
	}
}

func run(t testing.TB, l *League, o Options) {
	t.Helper()
	o.Open = krow.Player
	if err := l.Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
}

func table(t testing.TB, l *League) Standings {
	t.Helper()
	v, err := l.Table()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// played returns the games as they are planned: sorted by their places, without what depends on when they were played.
func played(t testing.TB, l *League) []store.Game {
	t.Helper()
	all, err := l.db.Games(store.GameFilter{League: l.ID})
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		g := &all[i]
		g.Number, g.ID, g.Created, g.Updated = 0, "", time.Time{}, time.Time{}
	}
	slices.SortFunc(all, func(a, b store.Game) int {
		return cmp.Or(cmp.Compare(a.Round, b.Round), cmp.Compare(a.First, b.First), cmp.Compare(a.Second, b.Second))
	})
	return all
}

// TestQueuePlaysSameGames: games that a queue plays are those that this process plays, also where a unit cannot be done.
func TestQueuePlaysSameGames(t *testing.T) {
	elsewhere := work.Pool{Jobs: 2, Kinds: arena.Kinds(krow.Game, krow.Player, nil)}
	away := func(_ game.Game, spec string, lim search.Limits) (string, error) {
		if spec == "greedy" || lim != (search.Limits{}) {
			return "", errors.New("it stays")
		}
		return spec, nil
	}
	var want []store.Game
	for name, queue := range map[string]work.Queue{"here": nil, "there": elsewhere, "dead": dead{elsewhere}} {
		l := newLeague(t, newStore(t))
		run(t, l, Options{Most: 8, Queue: queue, Away: away})
		all := played(t, l)
		for i := range all {
			all[i].League = 0
		}
		if want == nil {
			want = all
		}
		if !reflect.DeepEqual(all, want) || len(all) < 20 {
			t.Errorf("%s: %d games, want %d equal ones", name, len(all), len(want))
		}
	}
}

// dead is a queue whose third unit cannot be done.
type dead struct{ work.Queue }

func (q dead) Run(ctx context.Context, units iter.Seq2[work.Unit, error], result func(int, []byte) error) error {
	return q.Queue.Run(ctx, units, func(i int, data []byte) error {
		if i == 2 {
			return &work.DeadError{Index: i, Reason: "a move took longer than 30s"}
		}
		return result(i, data)
	})
}

// A league that is cut off again and again, in the middle of games, at other numbers of jobs, plays the games of one that
// was never cut off.
func TestKilledLeaguePlaysSameGames(t *testing.T) {
	whole, cut := newLeague(t, newStore(t)), newLeague(t, newStore(t))
	const games = 40 // four rounds
	run(t, whole, Options{Games: games})
	for n, jobs := 0, 1; n < games; jobs = 1 + jobs%3 {
		ctx, stop := context.WithCancel(t.Context())
		var moves atomic.Int64
		err := cut.Run(ctx, Options{
			Games: games - n, Jobs: jobs, OnGame: func(match.PlayedGame) error { n++; return nil },
			Open: func(g game.Game, spec string, seed uint64) (player.Player, error) {
				p, err := krow.Player(g, spec, seed)
				return hooked{p, func(context.Context) error {
					if moves.Add(1) == 50 {
						stop()
					}
					return nil
				}}, err
			},
		})
		stop()
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if w, c := played(t, whole), played(t, cut); len(w) != games || !reflect.DeepEqual(w, c) {
		t.Errorf("%d games in one go, %d games cut off, or other ones", len(w), len(c))
	}
	if w, c := table(t, whole), table(t, cut); !reflect.DeepEqual(w, c) {
		t.Errorf("the table of the league that was cut off is\n%+v\nwant\n%+v", c, w)
	}
}

// hooked is a player that calls a hook before each move.
type hooked struct {
	player.Player
	hook func(context.Context) error
}

func (h hooked) Move(ctx context.Context, p game.Position, lim search.Limits) (game.Move, error) {
	if err := h.hook(ctx); err != nil {
		return game.NoMove, err
	}
	return h.Player.Move(ctx, p, lim)
}

// Members join and leave between rounds, and what was begun goes on as it was.
func TestMembers(t *testing.T) {
	l := newLeague(t, newStore(t))
	run(t, l, Options{Games: 3}) // in the middle of round 1
	add(t, l, Member{Name: "late", Spec: "mcts:sims=5"})
	if err := l.Drop("random"); err != nil {
		t.Fatal(err)
	}
	run(t, l, Options{Games: 17})
	in := map[int]map[string]bool{1: {}, 2: {}}
	all, err := l.Games(Filter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range all {
		in[g.Round][g.First], in[g.Round][g.Second] = true, true
	}
	if !in[1]["random"] || in[1]["late"] || in[2]["random"] || !in[2]["late"] || len(all) != 20 {
		t.Errorf("%d games, by rounds %v: want random in the first and late in the second", len(all), in)
	}
	rows := table(t, l).Rows
	last := rows[len(rows)-1]
	if i := slices.IndexFunc(rows, func(r Row) bool { return r.Name == "random" }); i < 0 || !rows[i].Left || rows[i].Rank != 0 || last.Rank == 0 && !last.Left {
		t.Errorf("random is not among those who left: %+v", rows)
	}
}

// Most ends a run when every member has played enough, and no game is played after it.
func TestMostEndsRun(t *testing.T) {
	l := newLeague(t, newStore(t))
	run(t, l, Options{Most: 6})
	for _, r := range table(t, l).Rows {
		if r.Games < 6 {
			t.Errorf("%s has %d games", r.Name, r.Games)
		}
	}
	run(t, l, Options{Most: 6, OnGame: func(g match.PlayedGame) error { return fmt.Errorf("game %d was played", g.ID) }})
}

// Nobody else plays a league that is played, and no game is stored twice.
func TestOneProcessPlaysLeague(t *testing.T) {
	db := newStore(t)
	l := newLeague(t, db)
	other, err := byID(db, l.ID)
	if err != nil {
		t.Fatal(err)
	}
	run(t, l, Options{Games: 4, OnGame: func(match.PlayedGame) error {
		if err := other.Run(t.Context(), Options{Open: krow.Player}); !errors.Is(err, atomicfile.ErrBusy) {
			t.Errorf("another one may play: %v", err)
		}
		return nil
	}})
	for _, g := range played(t, l) {
		if _, err := db.AddLeagueGame(g); !errors.Is(err, store.ErrConflict) {
			t.Errorf("a game is stored twice: %v", err)
		}
	}
	if n := table(t, l).Games; n != 4 {
		t.Errorf("%d games, want 4", n)
	}
}

// Players that err, panic, move illegally, hang, or cannot be made lose their games, with a reason, and nobody else does.
func TestFaultyPlayersForfeit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer time.Sleep(2 * time.Hour) // by then the one that hangs is back
		db := storetest.Open(t)
		l, err := Create(db, "hostile", "tictactoe", Terms{Plies: 1, Seed: 1, Guard: 5})
		if err != nil {
			t.Fatal(err)
		}
		reasons := map[string]string{
			"errs": "error: no idea", "panics": "error: panic: oh", "illegal": "illegal move", "hangs": "time", "obeys": "time", "absent": "error: gone",
		}
		honest := func(g game.Game, _ string, seed uint64) (player.Player, error) {
			return krow.Player(g, "rules", seed)
		}
		for name := range reasons {
			if err := l.Add(Member{Name: name, Spec: name}, honest); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.Add(Member{Name: "honest", Spec: "rules"}, honest); err != nil {
			t.Fatal(err)
		}
		o := Options{Games: 60, Jobs: 3, Open: func(g game.Game, spec string, seed uint64) (player.Player, error) {
			if spec == "absent" {
				return nil, errors.New("gone")
			}
			p, err := krow.Player(g, "rules", seed)
			return hooked{p, func(ctx context.Context) error {
				switch spec {
				case "errs":
					return errors.New("no idea")
				case "panics":
					panic("oh")
				case "illegal":
					return &game.IllegalMoveError{Move: "z9"}
				case "hangs":
					time.Sleep(time.Hour)
				case "obeys":
					<-ctx.Done()
					return ctx.Err()
				}
				return nil
			}}, err
		}}
		if err := l.Run(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		all, err := l.Games(Filter{})
		if err != nil || len(all) != 60 {
			t.Fatalf("%d games: %v", len(all), err)
		}
		for _, g := range all {
			loser := g.First
			if g.Winner == g.First {
				loser = g.Second
			}
			if !g.Forfeit || loser == "honest" || !strings.HasPrefix(g.Reason, reasons[loser]) {
				t.Errorf("%s - %s: %s won, %q", g.First, g.Second, g.Winner, g.Reason)
			}
		}
	})
}

// Spare is asked before each move, and Run waits for it.
func TestSpareIsAskedBeforeMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := storetest.Open(t)
		l := newLeague(t, db)
		start := time.Now()
		run(t, l, Options{Games: 1, Spare: func(ctx context.Context) {
			select {
			case <-ctx.Done():
			case <-time.After(time.Minute):
			}
		}})
		all, err := l.Games(Filter{})
		if err != nil || len(all) != 1 {
			t.Fatalf("%d games: %v", len(all), err)
		}
		moves := len(strings.Fields(all[0].Moves)) - all[0].Opening
		if took := time.Since(start); took < time.Duration(moves)*time.Minute {
			t.Errorf("%d moves took %v", moves, took)
		}
	})
}

func TestAdd(t *testing.T) {
	l := newLeague(t, newStore(t))
	tests := []struct {
		name string
		m    Member
		want error
	}{
		{"markup", Member{Name: "<b>", Spec: "mcts"}, ErrName},
		{"long", Member{Name: strings.Repeat("a", 41), Spec: "mcts"}, ErrName},
		{"author", Member{Name: "a", Author: "a  b", Spec: "mcts"}, ErrName},
		{"spec twice", Member{Name: "a", Spec: "rules"}, errTwice},
		{"name twice", Member{Name: "rules", Spec: "mcts:sims=2"}, store.ErrTaken},
		{"person", Member{Spec: "human"}, match.ErrPerson},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if err := l.Add(tc.m, krow.Player); !errors.Is(err, tc.want) {
				t.Errorf("got %v, want %v", err, tc.want)
			}
		})
	}
	if all, err := l.Members(); err != nil || len(all) != 5 {
		t.Errorf("%d members, want 5: %v", len(all), err)
	}
}

func TestNameOf(t *testing.T) {
	for spec, want := range map[string]string{"mcts:sims=5": "mcts-sims-5", "limited:of=(a,b),x=1": "limited-of-a-b-x-1", "a": "a", strings.Repeat("ab:", 30): strings.Repeat("ab-", 13) + "a"} {
		if got := nameOf(spec); got != want || checkName(got) != nil {
			t.Errorf("nameOf(%q) = %q, want %q", spec, got, want)
		}
	}
}

func TestExport(t *testing.T) {
	l := newLeague(t, newStore(t))
	run(t, l, Options{Games: 20})
	for format, want := range map[string]string{
		"json": `"league": "lunch"`, "csv": "\n1,", "games-csv": "\n1,1,", "games": `"a":"`, "sgf": "RE[",
	} {
		data, err := l.Export(format)
		if err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s: %.80s has no %q: %v", format, data, want, err)
		}
	}
	if _, err := l.Export("pdf"); !errors.Is(err, errFormat) {
		t.Errorf("pdf: %v", err)
	}
	if got := cell("=1+1"); got != "'=1+1" {
		t.Errorf("a formula is %q", got)
	}
}

// TestDrawsOfBotAreKept: what a bot drew before its moves is kept with the game, and nothing of what others did.
func TestDrawsOfBotAreKept(t *testing.T) {
	l, err := Create(newStore(t), "lunch", "tictactoe", Terms{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	draws := filepath.Join(t.TempDir(), "draws.star")
	if err := os.WriteFile(draws, []byte("def choose(position, clock):\n    draw(position.moves()[0], str(position.ply), \"red\")\n    return position.moves()[0]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	add(t, l, Member{Name: "draws", Spec: "bot:" + draws})
	add(t, l, Member{Spec: "rules"})
	run(t, l, Options{Games: 2})
	games, err := l.Games(Filter{})
	if err != nil || len(games) != 2 {
		t.Fatalf("%d games, %v", len(games), err)
	}
	for _, g := range games {
		first := 0
		if g.Second == "draws" {
			first = 1
		}
		if len(g.Drawn) == 0 {
			t.Errorf("%s: nothing is drawn", g.Moves)
		}
		for i, d := range g.Drawn {
			if want := fmt.Sprint(d.Ply); d.Ply != first+2*i || len(d.Marks) != 1 || d.Marks[0].Text != want {
				t.Errorf("%s: drawing %d is %+v, want one mark %s at ply %d", g.Moves, i, d, want, first+2*i)
			}
		}
	}
}
