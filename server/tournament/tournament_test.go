// SPDX-License-Identifier: Apache-2.0

package tournament

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/arena/pairing"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/server/live"
	"github.com/krow-lab/krow/server/lobby"
	"github.com/krow-lab/krow/server/store"
	"github.com/krow-lab/krow/server/store/storetest"
)

func position(spec, _, moves string) (game.Board, error) {
	g, err := krow.Game(spec)
	if err != nil {
		return nil, err
	}
	p := g.Start()
	return p.(game.Board), notation.Play(p, moves)
}

// hall is tournaments in a store of their own, which can be left and opened again as after a kill.
type hall struct {
	*Tournaments
	t     *testing.T
	file  string
	games *live.Games
	leave func()
}

func newHall(t *testing.T) *hall {
	h := &hall{t: t, file: storetest.File(t)}
	h.open()
	t.Cleanup(func() { h.leave() })
	return h
}

func (h *hall) open() {
	db, err := store.Open(h.file)
	if err != nil {
		h.t.Fatal(err)
	}
	h.games = live.New(h.t.Context(), live.Options{
		Store: db, Player: krow.Player, Position: position, Moved: func(time.Duration) {}, Failed: func(id string, err error) { h.t.Error(id, err) },
		Changed: func(g live.Game) { h.Changed(g) },
	})
	m := lobby.New(lobby.Options{Store: db, Games: h.games, Name: func(n int64) string { return fmt.Sprintf("m%d", n) }})
	life, end := context.WithCancel(h.t.Context())
	h.Tournaments = New(Options{Life: life, Store: db, Games: h.games, Meet: m, Failed: func(id int64, err error) { h.t.Error(id, err) }})
	if err := errors.Join(h.games.Resume(), h.Resume()); err != nil {
		h.t.Fatal(err)
	}
	h.leave = func() {
		end()
		h.Close()
		h.games.Close()
		if err := db.Close(); err != nil {
			h.t.Error(err)
		}
	}
}

func member(n int) live.Seat { return live.Seat{Member: int64(n)} }

// begin begins a tournament of members 1 to n.
func (h *hall) begin(t Spec, n int) int64 {
	h.t.Helper()
	t.Name, t.Terms.Game = "friday", "tictactoe"
	if t.Terms.Clock == (request.Clock{}) {
		t.Terms.Clock = request.Clock{Seconds: 600}
	}
	id, err := h.Make(member(1), t)
	if err != nil {
		h.t.Fatal(err)
	}
	for i := range n {
		if err := h.Join(member(i+1), id); err != nil {
			h.t.Fatal(err)
		}
	}
	if err := h.Begin(member(2), id); !errors.Is(err, ErrNotYou) {
		h.t.Errorf("begun by another: %v", err)
	}
	if err := h.Begin(member(1), id); err != nil {
		h.t.Fatal(err)
	}
	return id
}

// resign lets the worse seed of each game that goes on resign, and returns how many did.
func (h *hall) resign(id int64, most int) (n int) {
	h.t.Helper()
	v, err := h.View(member(1), id)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, m := range v.Rounds[len(v.Rounds)-1] {
		if m.Result != "" || m.Game == "" || n == most {
			continue
		}
		g, err := h.games.Game(m.Game)
		if err != nil {
			h.t.Fatal(err)
		}
		worse := live.Actor{Seat: g.Seats[0]}
		if other := g.Seats[1]; other.Member > worse.Member {
			worse.Seat = other
		}
		if _, err := h.games.Act(worse, g.ID, 0, live.DoResign); err != nil {
			h.t.Fatal(err)
		}
		n++
	}
	return n
}

// TestTournamentSurvivesRestarts: tournaments are played through package live to the end, by a server that is started again after every few
// games, as after a kill, and each game is begun once.
func TestTournamentSurvivesRestarts(t *testing.T) {
	h := newHall(t)
	for kind, want := range map[string]struct{ games, players int }{pairing.Swiss: {12, 8}, pairing.RoundRobin: {10, 5}, pairing.Knockout: {5, 6}} {
		id := h.begin(Spec{Kind: kind, Rounds: map[string]int{pairing.Swiss: 3}[kind], Terms: request.GameTerms{Rated: kind == pairing.Swiss}}, want.players)
		if err := h.Join(member(99), id); !errors.Is(err, ErrBegun) {
			t.Errorf("%s: joined after the beginning: %v", kind, err)
		}
		if v, err := h.View(member(2), id); err != nil || kind == pairing.Swiss && !slices.ContainsFunc(v.Rounds[0], func(p Pairing) bool { return p.Game != "" && p.Game == v.Game }) {
			t.Errorf("%s: a player is called to the game %q, %v", kind, v.Game, err)
		}
		played := 0
		for range 50 {
			n := h.resign(id, 3)
			if played += n; n == 0 {
				break
			}
			h.leave()
			h.open()
		}
		v, err := h.View(member(3), id)
		if err != nil || v.State != "over" || played != want.games || v.Rows[0].Name != "m1" || !v.In || v.Mine {
			t.Errorf("%s: %s after %d games, want %d: %+v, %v", kind, v.State, played, want.games, v.Rows, err)
		}
	}
	if list, err := h.List(); err != nil || len(list) != 3 || list[0].State != "over" {
		t.Errorf("list %+v, %v", list, err)
	}
}

// TestArenaPlayed: an arena pairs again whoever is free, and who comes later.
func TestArenaPlayed(t *testing.T) {
	h := newHall(t)
	id := h.begin(Spec{Kind: pairing.Arena, Minutes: 120}, 4)
	if n := h.resign(id, 1); n != 1 {
		t.Fatal("no game was begun")
	}
	if err := errors.Join(h.Join(member(5), id), h.Leave(member(4), id)); err != nil {
		t.Fatal(err)
	}
	v, err := h.View(member(5), id)
	if err != nil || v.State != "going" || !v.In || len(v.Rounds) != 1 || v.Left <= 0 || v.Left > 7200 {
		t.Errorf("%+v, %v", v, err)
	}
	if len(v.Players) != 5 || !v.Gone[3] || v.Rows[0].Points != 2 {
		t.Errorf("%+v", v)
	}
}

// TestBadTournamentIsRefused: what cannot be played is refused in one line.
func TestBadTournamentIsRefused(t *testing.T) {
	h := newHall(t)
	clock := request.Clock{Seconds: 60}
	for name, terms := range map[string]Spec{
		"name":    {Name: "a  b", Kind: pairing.Swiss, Terms: request.GameTerms{Game: "gomoku", Clock: clock}},
		"kind":    {Name: "a", Kind: "cup", Terms: request.GameTerms{Game: "gomoku", Clock: clock}},
		"clock":   {Name: "a", Kind: pairing.Swiss, Terms: request.GameTerms{Game: "gomoku"}},
		"opening": {Name: "a", Kind: pairing.Swiss, Terms: request.GameTerms{Game: "gomoku", Clock: clock, Rule: "swap2"}},
		"minutes": {Name: "a", Kind: pairing.Arena, Terms: request.GameTerms{Game: "gomoku", Clock: clock}},
		"past":    {Name: "a", Kind: pairing.Swiss, Start: time.Now().Add(-time.Hour), Terms: request.GameTerms{Game: "gomoku", Clock: clock}},
		"future":  {Name: "a", Kind: pairing.Swiss, Start: time.Now().Add(1000 * time.Hour), Terms: request.GameTerms{Game: "gomoku", Clock: clock}},
		"rounds":  {Name: "a", Kind: pairing.Knockout, Rounds: 3, Terms: request.GameTerms{Game: "gomoku", Clock: clock}},
	} {
		if _, err := h.Make(member(1), terms); !errors.Is(err, errTerms) {
			t.Errorf("%s: %v", name, err)
		}
	}
	id, err := h.Make(member(1), Spec{Name: "a", Kind: pairing.Swiss, Terms: request.GameTerms{Game: "gomoku", Clock: clock, Rated: true}})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Join(live.Seat{Guest: "g", Name: "Eve"}, id); !errors.Is(err, live.ErrRated) {
		t.Errorf("a guest in a rated tournament: %v", err)
	}
	if err := h.Begin(member(1), id); !errors.Is(err, errFew) {
		t.Errorf("begun without players: %v", err)
	}
	if err := h.o.Store.DeleteTournament(id); err != nil {
		t.Error(err)
	}
	if _, err := h.View(member(1), id); !errors.Is(err, store.ErrNoTournament) {
		t.Errorf("deleted: %v", err)
	}
	open := Spec{Name: "a", Kind: pairing.Swiss, Terms: request.GameTerms{Game: "gomoku", Clock: clock}}
	for n := range maxOfGuests + 1 {
		if _, err := h.Make(live.Seat{Guest: fmt.Sprint("g", n)}, open); (n == maxOfGuests) != errors.Is(err, lobby.ErrGuests) {
			t.Errorf("tournament %d of guests: %v", n+1, err)
		}
	}
	for n := range maxMine + 1 {
		if _, err := h.Make(member(1), open); (n == maxMine) != errors.Is(err, lobby.ErrMany) {
			t.Errorf("tournament %d of a member: %v", n+1, err)
		}
	}
}

// TestTournamentBeginsByItself: a tournament with a start time shows how long that is away and begins then, also after a restart
// of the server. With fewer than two players it begins when the second one joins. A player without an opponent is told so.
func TestTournamentBeginsByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t)
		spec := Spec{Name: "friday night", Kind: pairing.RoundRobin, Start: time.Now().Add(time.Hour), Terms: request.GameTerms{Game: "tictactoe", Clock: request.Clock{Seconds: 600}}}
		var ids [3]int64
		for i, players := range []int{3, 3, 1} {
			var err error
			if ids[i], err = h.Make(member(1), spec); err != nil {
				t.Fatal(err)
			}
			for n := range players {
				if err := h.Join(member(n+1), ids[i]); err != nil {
					t.Fatal(err)
				}
			}
			if i == 0 {
				time.Sleep(time.Second)
			}
		}
		state := func(id int64, by int) Tournament {
			t.Helper()
			v, err := h.View(member(by), id)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		list, err := h.List()
		if v := state(ids[0], 1); err != nil || v.State != "open" || v.Left != 3599 || list[0].Left != 3599 {
			t.Errorf("%+v, %+v, %v", v, list, err)
		}
		h.leave()
		h.open()
		time.Sleep(time.Hour - time.Second)
		synctest.Wait()
		for _, id := range ids[:2] {
			v := state(id, 1)
			byes := 0
			for n := range 3 {
				if s := state(id, n+1); s.Bye == (s.Game == "") && s.Bye {
					byes++
				}
			}
			if v.State != "going" || len(v.Rounds[0]) != 2 || byes != 1 {
				t.Errorf("at the start time: %d byes, %+v", byes, v)
			}
		}
		if v := state(ids[2], 1); v.State != "open" || v.Left != 0 {
			t.Errorf("with one player: %+v", v)
		}
		if err := h.Join(member(2), ids[2]); err != nil || state(ids[2], 2).Game == "" {
			t.Errorf("with the second player: %v", err)
		}
	})
}
