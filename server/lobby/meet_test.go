// SPDX-License-Identifier: Apache-2.0

package lobby

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/app/request"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation"
	"github.com/krow-lab/krow/server/live"
	"github.com/krow-lab/krow/server/store"
	"github.com/krow-lab/krow/server/store/storetest"
)

var (
	ann = live.Seat{Member: 7}
	bob = live.Seat{Member: 9}
	eve = live.Seat{Guest: "e5", Name: "Eve"}
)

func position(spec, _, moves string) (game.Board, error) {
	g, err := krow.Game(spec)
	if err != nil {
		return nil, err
	}
	p := g.Start()
	return p.(game.Board), notation.Play(p, moves)
}

func newMeet(t *testing.T) (*Lobby, *live.Games) {
	t.Helper()
	db, err := store.Open(storetest.File(t))
	if err != nil {
		t.Fatal(err)
	}
	games := live.New(t.Context(), live.Options{
		Store: db, Player: krow.Player, Position: position, Moved: func(time.Duration) {}, Failed: func(id string, err error) { t.Error(id, err) },
	})
	t.Cleanup(func() {
		games.Close()
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return New(Options{Store: db, Games: games, Name: func(n int64) string { return fmt.Sprintf("m%d", n) }}), games
}

// TestChallengeIsTakenOnce: a challenge is taken once, by another, and by whom it is for.
func TestChallengeIsTakenOnce(t *testing.T) {
	m, games := newMeet(t)
	open, err := m.Challenge(ann, request.GameTerms{Game: "tictactoe", Colour: "second", Clock: request.Clock{Seconds: 300}, Rated: true}, true, 0)
	if err != nil || open.By != "m7" || !open.Mine || open.Speed != request.Blitz {
		t.Fatalf("%+v, %v", open, err)
	}
	private, err := m.Challenge(eve, request.GameTerms{Game: "tictactoe"}, false, 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		by   live.Seat
		id   string
		want error
	}{
		{"one's own", ann, open.ID, errOwn},
		{"nobody", live.Seat{}, open.ID, ErrNobody},
		{"a rated one by a guest", eve, open.ID, live.ErrRated},
		{"another's", bob, private.ID, errInvited},
		{"none", bob, "nothing", store.ErrNoChallenge},
	} {
		if _, err := m.Accept(tc.by, tc.id); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, err, tc.want)
		}
	}
	if h, err := m.Room(bob); err != nil || len(h.Challenges) != 1 || h.Challenges[0].ID != open.ID || len(h.Mine) != 0 {
		t.Errorf("the hall of another: %+v, %v", h, err)
	}
	if h, err := m.Room(ann); err != nil || len(h.Challenges) != 2 || !h.Challenges[0].ForMe && !h.Challenges[1].ForMe {
		t.Errorf("the hall of who is invited: %+v, %v", h, err)
	}
	if err := m.Withdraw(bob, private.ID); !errors.Is(err, errInvited) {
		t.Errorf("withdrawn by another: %v", err)
	}
	if err := m.Withdraw(ann, private.ID); err != nil {
		t.Errorf("declined: %v", err)
	}

	var wg sync.WaitGroup
	var got sync.Map
	for i := range 5 {
		wg.Go(func() {
			if g, err := m.Accept(live.Seat{Member: int64(20 + i)}, open.ID); err == nil {
				got.Store(g.ID, g)
			} else if !errors.Is(err, store.ErrNoChallenge) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	n := 0
	got.Range(func(_, v any) bool {
		n++
		g := v.(live.Game)
		if g.Seats[1] != ann || !g.Rated {
			t.Errorf("the seats are %+v", g.Seats)
		}
		return true
	})
	if n != 1 {
		t.Fatalf("five at once took %d challenges", n)
	}
	h, err := m.Room(ann)
	if err != nil || len(h.Mine) != 1 || h.Mine[0].Turn || h.Mine[0].You != 1 || len(h.Challenges) != 0 {
		t.Fatalf("the hall afterwards: %+v, %v", h, err)
	}
	if h, err := m.Room(eve); err != nil || len(h.Watch) != 1 {
		t.Errorf("the hall of a spectator: %+v, %v", h, err)
	}

	if _, err := games.Act(live.Actor{Seat: ann}, h.Mine[0].ID, 0, live.DoResign); err != nil {
		t.Fatal(err)
	}
	other := h.Mine[0].Members[0]
	p, err := m.Profile(ann, other, 0)
	if err != nil || p.Lost != 1 || p.Won+p.Drawn != 0 || len(p.Ratings) != 1 || p.Ratings[0].Pool != "tictactoe blitz" || len(p.Games) != 1 {
		t.Errorf("profile %+v, %v", p, err)
	}
	if r, err := m.Ranks("tictactoe", request.Blitz); err != nil || len(r) != 2 || r[0].Member != other || r[0].Rating <= r[1].Rating {
		t.Errorf("ranks %+v, %v", r, err)
	}
}

// TestSpectatorsCountNoMoves: moves of a game in progress may be hidden from spectators for a while, so the lobby counts them for the
// players alone.
func TestSpectatorsCountNoMoves(t *testing.T) {
	m, games := newMeet(t)
	c, err := m.Challenge(ann, request.GameTerms{Game: "tictactoe", Colour: "first", Delay: 60}, true, 0)
	if err != nil {
		t.Fatal(err)
	}
	g, err := m.Accept(bob, c.ID)
	if err != nil {
		t.Fatal(err)
	}
	now, err := games.Move(live.Actor{Seat: ann}, g.ID, 0, g.Board.AppendMoves(nil)[0])
	if err != nil {
		t.Fatal(err)
	}
	own, err := m.Room(ann)
	if err != nil || len(own.Mine) != 1 || own.Mine[0].Plies != 1 {
		t.Errorf("the player sees %+v, %v", own.Mine, err)
	}
	if all := m.List(eve, eve, []store.Game{now.Game, {Pool: "tictactoe blitz", Plies: 5, Ended: time.Now()}}); all[0].Plies != 0 || all[1].Plies != 5 {
		t.Errorf("a spectator sees %+v", all)
	}
	if p := m.List(eve, ann, []store.Game{now.Game}); p[0].Plies != 0 || p[0].You != 0 {
		t.Errorf("ann's games, as a spectator sees them: %+v", p)
	}
}

// TestBadTermsAreRefused: what cannot be played is refused before anything is kept.
func TestBadTermsAreRefused(t *testing.T) {
	m, _ := newMeet(t)
	var err error
	for want, terms := range map[string]request.GameTerms{
		"unknown game":                     {Game: "gomoko"},
		"for each move or":                 {Game: "gomoku", Clock: request.Clock{Seconds: 60, Turn: 60}},
		"10 seconds":                       {Game: "gomoku", Clock: request.Clock{Seconds: 5}},
		"and clocks":                       {Game: "gomoku", Rated: true},
		"square board with a central cell": {Game: "gomoku:10", Rule: "taraguchi10"},
		"the colour must be":               {Game: "gomoku", Colour: "blue"},
	} {
		_, err := m.Challenge(ann, terms, true, 0)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", terms, err, want)
		}
	}
	if _, err := m.Challenge(eve, request.GameTerms{Game: "gomoku", Rated: true, Clock: request.Clock{Seconds: 60}}, true, 0); !errors.Is(err, live.ErrRated) {
		t.Errorf("a guest's rated challenge: %v", err)
	}
	for i := range maxStanding + 1 {
		_, err := m.Challenge(eve, request.GameTerms{Game: "tictactoe"}, false, 0)
		if (i == maxStanding) != errors.Is(err, ErrMany) {
			t.Errorf("challenge %d: %v", i+1, err)
		}
	}
	if h, err := m.Room(bob); err != nil || len(h.Challenges) != 0 {
		t.Errorf("what is not listed is seen: %+v, %v", h, err)
	}

	// Whoever chooses new names does not fill the hall, and members still find room.
	n := maxStanding
	for ; n < 2*maxOfGuests; n++ {
		if _, err = m.Challenge(live.Seat{Guest: fmt.Sprint("g", n)}, request.GameTerms{Game: "tictactoe"}, true, 0); err != nil {
			break
		}
	}
	if n != maxOfGuests || !errors.Is(err, ErrGuests) {
		t.Errorf("guests have %d challenges, %v", n, err)
	}
	if _, err := m.Challenge(ann, request.GameTerms{Game: "tictactoe"}, true, 0); err != nil {
		t.Errorf("a member's challenge: %v", err)
	}
}
