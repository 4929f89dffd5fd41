// SPDX-License-Identifier: Apache-2.0

package machines

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/learn/selfplay"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/research"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/server/bots"
	"github.com/krow-lab/krow/server/cluster"
	"github.com/krow-lab/krow/server/league"
	"github.com/krow-lab/krow/server/match"
	"github.com/krow-lab/krow/server/players"
	"github.com/krow-lab/krow/server/runs"
	"github.com/krow-lab/krow/server/store/storetest"
)

func rules(t *testing.T, spec string) game.Game {
	t.Helper()
	g, err := krow.Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// jobs are what commands hand out. Each returns its results as bytes; queue is nil for this process alone.
var jobs = map[string]func(t *testing.T, queue work.Queue) []byte{
	"match": func(t *testing.T, queue work.Queue) []byte {
		return playMatch(t, queue, "connect4", 12, "mcts:sims=30", "rules")
	},
	"match of a bot in a file": func(t *testing.T, queue work.Queue) []byte {
		return playMatch(t, queue, "tictactoe", 2, "bot:../../player/bot/examples/win-block.star", "random")
	},
	"round robin": func(t *testing.T, queue work.Queue) []byte {
		m := match.Match{Terms: arena.Match{Game: rules(t, "tictactoe"), Games: 2, Seed: 1, Queue: queue}}
		for _, p := range []string{"random", "greedy", "mcts:sims=20"} {
			if err := m.Enter(p, krow.Player); err != nil {
				t.Fatal(err)
			}
		}
		var all []any
		m.OnGame = func(e match.Event) error {
			all = append(all, e.Game)
			return nil
		}
		if _, err := m.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		return data
	},
	"study": func(t *testing.T, queue work.Queue) []byte {
		db := &pieces{of: map[string][]byte{}}
		s := &research.Session{Store: db, Queue: queue, Spec: Spec}
		m := research.Match{Game: "tictactoe", A: research.Contender{Name: "a", Spec: "mcts:sims=20"}, B: research.Named("random"), Games: 10, Seed: 3, Plies: 1}
		if _, err := s.Match(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(db.of)
		if err != nil {
			t.Fatal(err)
		}
		return data
	},
	"league": func(t *testing.T, queue work.Queue) []byte {
		db := storetest.Open(t)
		source, err := os.ReadFile("../../player/bot/examples/win-block.star")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := bots.Of(db, "me", nil).Save("block", source); err != nil {
			t.Fatal(err)
		}
		open := func(g game.Game, text string, seed uint64) (player.Player, error) {
			if players.Kept(text) == "" {
				return krow.Player(g, text, seed)
			}
			maker, err := players.Maker(db, nil, g, spec.Untrusted, text)
			if err != nil {
				return nil, err
			}
			return maker(seed)
		}
		l, err := league.Create(db, "lunch", "tictactoe", league.Terms{Plies: 1, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range []string{"random", "greedy", "bot:block,version=1"} {
			if err := l.Add(league.Member{Spec: spec}, open); err != nil {
				t.Fatal(err)
			}
		}
		o := league.Options{Open: open, Queue: queue, Most: 4, Away: func(g game.Game, text string, lim search.Limits) (string, error) {
			return Kept(db, g, spec.Untrusted, text, lim)
		}}
		if err := l.Run(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		data, err := l.Export("games")
		if err != nil {
			t.Fatal(err)
		}
		return data
	},
	"games": func(t *testing.T, queue work.Queue) []byte {
		o := runs.Games{Kinds: []string{"gomoku"}, Net: "none", Options: selfplay.Options{
			Dir: t.TempDir(), Games: 4, Nodes: 20, NetName: "none", Seed: 2, Jobs: 1, Queue: queue,
		}}
		if _, err := o.Play(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		return read(t, filepath.Join(o.Dir, "gomoku-seed-2-00000.games.gz"))
	},
}

func playMatch(t *testing.T, queue work.Queue, game string, games int, players ...string) []byte {
	m := match.Match{Terms: arena.Match{Game: rules(t, game), Games: games, Seed: 1, RandomPlies: 2, Queue: queue}}
	for _, p := range players {
		if err := m.Enter(p, krow.Player); err != nil {
			t.Fatal(err)
		}
	}
	if err := Enter(&m, Spec); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "games")
	closeFile, err := m.KeepFile(file, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := closeFile(); err != nil {
		t.Fatal(err)
	}
	return read(t, file)
}

type pieces struct {
	mu sync.Mutex
	of map[string][]byte
}

func (p *pieces) Piece(key string) ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.of[key], nil
}

func (p *pieces) PutPiece(key string, value []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of[key] = bytes.Clone(value)
	return nil
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestSameResults: whatever is handed out has the same results alone and with 1, 4 and 16 workers, byte for byte.
func TestSameResults(t *testing.T) {
	there := cluster.NewFiles() // all processes have one directory of inputs, and this test is all of them
	t.Cleanup(func() { there.Close() })
	want := map[string][]byte{}
	for name, job := range jobs {
		want[name] = job(t, nil)
	}
	s, err := cluster.Serve(cluster.ServerOptions{Addr: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	nc, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	o, err := cluster.NewOrganiser(t.Context(), nc, cluster.OrganiserOptions{Build: "b", Kinds: kinds(), Files: files(), Checks: 0.2})
	if err != nil {
		t.Fatal(err)
	}
	for i, more := range []int{1, 3, 12} {
		for w := range more {
			join(t, s, fmt.Sprintf("w-%d-%d", i, w), there)
		}
		for name, job := range jobs {
			if got := job(t, o.Queue(cluster.Run{Name: strings.ReplaceAll(name, " ", "-")})); !bytes.Equal(got, want[name]) {
				t.Errorf("%s, %d workers: got\n%.500q\nwant\n%.500q", name, []int{1, 4, 16}[i], got, want[name])
			}
		}
	}
}

// join has a worker do units until the test ends.
func join(t *testing.T, s *cluster.Server, name string, there *cluster.Files) {
	t.Helper()
	nc, err := s.Connect() // by the network it would have five seconds, and a test may stand still for longer
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	w := cluster.Worker{Name: name, Build: "b", Kinds: kinds(), Files: there}
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx, nc) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("worker %s: %v", name, err)
		}
		nc.Close()
	})
}
