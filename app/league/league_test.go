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

	"github.com/krow-lab/krow/app/match"
	"github.com/krow-lab/krow/app/pairing"
	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/store"
	"github.com/krow-lab/krow/internal/store/storetest"
	"github.com/krow-lab/krow/internal/wholefile"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/stats"
	"github.com/krow-lab/krow/work"
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
	if err := l.Add(m, catalog.Player); err != nil {
		t.Fatal(err)
	}
}

func run(t testing.TB, l *League, o Options) {
	t.Helper()
	o.Open = catalog.Player
	if err := l.Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
}

func table(t testing.TB, l *League, season int) Standings {
	t.Helper()
	v, err := l.Table(season)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// played returns the games as they are planned: sorted by their places, without what depends on when they were played.
func played(t testing.TB, l *League) []store.LeagueGame {
	t.Helper()
	all, err := l.db.LeagueGames(l.ID, store.LeagueFilter{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		all[i].ID, all[i].Played = 0, time.Time{}
	}
	slices.SortFunc(all, func(a, b store.LeagueGame) int {
		return cmp.Or(cmp.Compare(a.Cup, b.Cup), cmp.Compare(a.Round, b.Round), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B), cmp.Compare(a.Leg, b.Leg))
	})
	return all
}

// TestElsewhere: games that a queue plays are those that this process plays, also where a unit cannot be done.
func TestElsewhere(t *testing.T) {
	elsewhere := work.Pool{Jobs: 2, Kinds: arena.Kinds(catalog.Game, catalog.PublicPlayer, nil)}
	away := func(_ game.Game, spec string, lim search.Limits) (string, error) {
		if spec == "greedy" || lim != (search.Limits{}) {
			return "", errors.New("it stays")
		}
		return spec, nil
	}
	var want []store.LeagueGame
	for name, queue := range map[string]work.Queue{"here": nil, "there": elsewhere, "dead": dead{elsewhere}} {
		l := newLeague(t, newStore(t))
		run(t, l, Options{Most: 8, Queue: queue, Away: away})
		if _, err := l.NewCup(CupSpec{Kind: pairing.Knockout, Games: 2}); err != nil {
			t.Fatal(err)
		}
		if err := l.PlayCup(t.Context(), 1, Options{Open: catalog.Player, Queue: queue, Away: away}); err != nil {
			t.Fatal(err)
		}
		all := played(t, l)
		for i := range all {
			all[i].League = 0
		}
		if want == nil {
			want = all
		}
		if !reflect.DeepEqual(all, want) || len(all) < 30 {
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
func TestCut(t *testing.T) {
	whole, cut := newLeague(t, newStore(t)), newLeague(t, newStore(t))
	const games = 40 // four rounds
	run(t, whole, Options{Games: games})
	for n, jobs := 0, 1; n < games; jobs = 1 + jobs%3 {
		ctx, stop := context.WithCancel(t.Context())
		var moves atomic.Int64
		err := cut.Run(ctx, Options{
			Games: games - n, Jobs: jobs, OnGame: func(PlayedGame) error { n++; return nil },
			Open: func(g game.Game, spec string, seed uint64) (player.Player, error) {
				p, err := catalog.Player(g, spec, seed)
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
	if w, c := table(t, whole, 0), table(t, cut, 0); !reflect.DeepEqual(w, c) {
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
	rows := table(t, l, 0).Rows
	last := rows[len(rows)-1]
	if i := slices.IndexFunc(rows, func(r Row) bool { return r.Name == "random" }); i < 0 || !rows[i].Left || rows[i].Rank != 0 || last.Rank == 0 && !last.Left {
		t.Errorf("random is not among those who left: %+v", rows)
	}
}

// A season begins with the next round, and leaves the last table as it was.
func TestSeasons(t *testing.T) {
	l := newLeague(t, newStore(t))
	run(t, l, Options{Games: 14}) // in the middle of round 2
	if err := l.NewSeason(); err != nil {
		t.Fatal(err)
	}
	if err := l.NewSeason(); !errors.Is(err, store.ErrSeason) {
		t.Errorf("a season that has not begun was followed by another: %v", err)
	}
	run(t, l, Options{Games: 12})
	first, second := table(t, l, 1), table(t, l, 0)
	if first.Games != 20 || second.Games != 6 || second.Season != 2 || second.Round != 3 {
		t.Errorf("%d and %d games, season %d, round %d, want 20, 6, 2, 3", first.Games, second.Games, second.Season, second.Round)
	}
	if _, err := l.Table(3); !errors.Is(err, ErrSeason) {
		t.Errorf("the third season: %v", err)
	}
}

// Most ends a run when every member has played enough, and no game is played after it.
func TestMost(t *testing.T) {
	l := newLeague(t, newStore(t))
	run(t, l, Options{Most: 6})
	for _, r := range table(t, l, 0).Rows {
		if r.Games < 6 {
			t.Errorf("%s has %d games", r.Name, r.Games)
		}
	}
	run(t, l, Options{Most: 6, OnGame: func(g PlayedGame) error { return fmt.Errorf("game %d was played", g.ID) }})
}

// Nobody else plays a league that is played, and no game is stored twice.
func TestLock(t *testing.T) {
	db := newStore(t)
	l := newLeague(t, db)
	other, err := Open(db, "lunch")
	if err != nil {
		t.Fatal(err)
	}
	run(t, l, Options{Games: 4, OnGame: func(PlayedGame) error {
		if err := other.Run(t.Context(), Options{Open: catalog.Player}); !errors.Is(err, wholefile.ErrBusy) {
			t.Errorf("another one may play: %v", err)
		}
		return nil
	}})
	for _, g := range played(t, l) {
		if err := db.AddLeagueGame(g); !errors.Is(err, store.ErrConflict) {
			t.Errorf("a game is stored twice: %v", err)
		}
	}
	if n := table(t, l, 0).Games; n != 4 {
		t.Errorf("%d games, want 4", n)
	}
}

// Players that err, panic, move illegally, hang, or cannot be made lose their games, with a reason, and nobody else does.
func TestForfeits(t *testing.T) {
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
			return catalog.Player(g, "rules", seed)
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
			p, err := catalog.Player(g, "rules", seed)
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
func TestSpare(t *testing.T) {
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
		{"author", Member{Name: "a", Author: "a b", Spec: "mcts"}, ErrName},
		{"spec twice", Member{Name: "a", Spec: "rules"}, ErrTwice},
		{"name twice", Member{Name: "rules", Spec: "mcts:sims=2"}, store.ErrTaken},
		{"person", Member{Spec: "human"}, match.ErrPerson},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if err := l.Add(tc.m, catalog.Player); !errors.Is(err, tc.want) {
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
		if got := NameOf(spec); got != want || checkName(got) != nil {
			t.Errorf("NameOf(%q) = %q, want %q", spec, got, want)
		}
	}
}

// A named boss stands on top of its division, and who is rated above it is in the next one. Without names they stand at
// equal distances.
func TestDivisions(t *testing.T) {
	rows := func(n int, bosses ...int) (all []Row) {
		for i := range n {
			all = append(all, Row{Rating: stats.Rating{Name: fmt.Sprint(i + 1), Games: 1}, Boss: slices.Contains(bosses, i+1)})
		}
		return all
	}
	tests := []struct {
		name string
		rows []Row
		want string // divisions by their first letters, bosses as capitals
	}{
		{"few", rows(7), "......."},
		{"two", rows(8), "mmmmWwww"},
		{"three", rows(12), "mmmmSsssWwww"},
		{"named", rows(8, 3, 6), "mmSssWww"},
		{"the first is no boss", rows(5, 1, 3), "mmWww"},
		{"at most five", rows(8, 2, 3, 4, 5, 6, 7), "mGSBSWww"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			divide(tc.rows)
			got := ""
			for i, r := range tc.rows {
				letter := "."
				if r.Division != "" {
					letter = r.Division[:1]
				}
				if r.Boss {
					letter = strings.ToUpper(letter)
				}
				got += letter
				if r.Rank != i+1 {
					t.Errorf("rank %d of %s", r.Rank, r.Name)
				}
			}
			if got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

// playCup plays a cup of so many members, of which one is strong.
func playCup(t *testing.T, members int, c CupSpec) Cup {
	t.Helper()
	l, err := Create(newStore(t), "cups", "tictactoe", Terms{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	honest := func(g game.Game, _ string, seed uint64) (player.Player, error) {
		return catalog.Player(g, "rules", seed)
	}
	for i := range members {
		name := fmt.Sprintf("m%02d", i+1)
		if err := l.Add(Member{Name: name, Spec: name}, honest); err != nil {
			t.Fatal(err)
		}
	}
	n, err := l.NewCup(c)
	if err != nil {
		t.Fatal(err)
	}
	err = l.PlayCup(t.Context(), n, Options{Jobs: 2, Open: func(g game.Game, spec string, seed uint64) (player.Player, error) {
		if spec == "m01" {
			return catalog.Player(g, "minimax", seed)
		}
		return catalog.Player(g, "random", seed)
	}})
	if err != nil {
		t.Fatal(err)
	}
	v, err := l.Cup(n)
	if err != nil || !v.Over {
		t.Fatalf("over %v: %v", v.Over, err)
	}
	return v
}

func TestCups(t *testing.T) {
	tests := []struct {
		members int
		c       CupSpec
		rounds  int
	}{
		{5, CupSpec{Kind: pairing.RoundRobin, Games: 2}, 5},
		{4, CupSpec{Kind: pairing.RoundRobin, Games: 4}, 3},
		{8, CupSpec{Kind: pairing.Knockout, Games: 4}, 3},
		{6, CupSpec{Kind: pairing.Knockout, Games: 2}, 3},
		{2, CupSpec{Kind: pairing.Knockout, Games: 2}, 1},
		{7, CupSpec{Kind: pairing.Swiss, Games: 2}, 4},
		{4, CupSpec{Kind: pairing.Swiss, Games: 2, Rounds: 50}, 3},
		{9, CupSpec{Kind: pairing.Knockout, Games: 2, Best: 3}, 2},
	}
	for _, tc := range tests {
		t.Run(fmt.Sprintf("%s/members=%d", tc.c.Kind, tc.members), func(t *testing.T) {
			v := playCup(t, tc.members, tc.c)
			in := tc.members
			if tc.c.Best > 0 {
				in = tc.c.Best
			}
			if len(v.Rounds) != tc.rounds || len(v.Rows) != in || v.Winner != v.Rows[0].Name {
				t.Errorf("%d rounds of %d, won by %s, want %d of %d, won by %s", len(v.Rounds), len(v.Rows), v.Winner, tc.rounds, in, v.Rows[0].Name)
			}
			met, free, out := map[[2]string]int{}, map[string]int{}, map[string]bool{}
			for _, round := range v.Rounds {
				seen := map[string]bool{}
				for _, k := range round {
					if seen[k.A] || seen[k.B] || out[k.A] || out[k.B] {
						t.Errorf("%s and %s play twice in a round, or after they were out", k.A, k.B)
					}
					seen[k.A] = true
					if k.B == "" {
						free[k.A]++
						continue
					}
					seen[k.B] = true
					met[[2]string{min(k.A, k.B), max(k.A, k.B)}]++
					if tc.c.Kind == pairing.Knockout {
						out[k.A], out[k.B] = k.Winner != k.A, k.Winner != k.B
					}
				}
			}
			for k, n := range met {
				if n > 1 {
					t.Errorf("%v met %d times", k, n)
				}
			}
			if want := in * (in - 1) / 2; tc.c.Kind == pairing.RoundRobin && len(met) != want {
				t.Errorf("%d pairs met, want %d", len(met), want)
			}
			for name, n := range free {
				if n > 1 {
					t.Errorf("%s was free %d times", name, n)
				}
			}
		})
	}
}

// A cup that was cut off goes on with the game that is missing.
func TestCupCut(t *testing.T) {
	spec := CupSpec{Kind: pairing.Swiss, Games: 4, Rounds: 3}
	play := func(cut int) []store.LeagueGame {
		l := newLeague(t, newStore(t))
		n, err := l.NewCup(spec)
		for err == nil {
			before := len(played(t, l))
			err = l.PlayCup(t.Context(), n, Options{Open: catalog.Player, Games: cut})
			if len(played(t, l)) == before {
				break
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		return played(t, l)
	}
	if whole, cut := play(0), play(3); len(whole) != 24 || !reflect.DeepEqual(whole, cut) {
		t.Errorf("%d games in one go, %d three by three, want the same 24", len(whole), len(cut))
	}
}

func TestExport(t *testing.T) {
	l := newLeague(t, newStore(t))
	run(t, l, Options{Games: 20})
	for format, want := range map[string]string{
		"json": `"league": "lunch"`, "csv": "\n1,", "games-csv": "\n1,0,1,", "games": `"a":"`, "sgf": "RE[",
	} {
		data, err := l.Export(format, 0)
		if err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s: %.80s has no %q: %v", format, data, want, err)
		}
	}
	if _, err := l.Export("pdf", 0); !errors.Is(err, ErrFormat) {
		t.Errorf("pdf: %v", err)
	}
	if got := cell("=1+1"); got != "'=1+1" {
		t.Errorf("a formula is %q", got)
	}
}

// TestDrawn: what a bot drew before its moves is kept with the game, and nothing of what others did.
func TestDrawn(t *testing.T) {
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
