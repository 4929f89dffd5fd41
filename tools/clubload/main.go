// SPDX-License-Identifier: Apache-2.0

// Command clubload measures how a server carries games between people: it starts one, lets many play over loopback, and tells
// how long a move takes to reach the other player.
//
//	go build -o /tmp/krow ./cmd/krow
//	go run ./tools/clubload -krow /tmp/krow -games 200 -spectators 100 -analyses 20 -time 10m
//	go run ./tools/clubload -krow /tmp/krow -games 50 -spectators 0 -time 5m -kills 50
//
// Every player has an address of loopback, and a browser's name, of its own. A move that was answered and is not in the game
// afterwards is lost; the command fails if there is one.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

var (
	binary     = flag.String("krow", "krow", "the program that serves")
	games      = flag.Int("games", 200, "games at once, of two players each")
	spectators = flag.Int("spectators", 100, "who watch one game each")
	analyses   = flag.Int("analyses", 0, "who ask for analyses of ten seconds, one after the other")
	lasts      = flag.Duration("time", 2*time.Minute, "how long they play")
	pause      = flag.Duration("pause", time.Second, "between two moves of a player")
	kills      = flag.Int("kills", 0, "how often the server is killed meanwhile")
)

func main() {
	flag.Parse()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "clubload:", err)
		os.Exit(1)
	}
}

// server is a krow serve, which can be killed and started again at the same address.
type server struct {
	dir, addr string
	cmd       *exec.Cmd
}

func (s *server) start() error {
	s.cmd = exec.Command(*binary, "serve", "--quiet", "--addr", s.addr, "--db", filepath.Join(s.dir, "krow.db"))
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	s.cmd.Stderr = log
	if err := s.cmd.Start(); err != nil {
		return err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return fmt.Errorf("the server says %q: %w", line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	_, rest, _ := strings.Cut(line, "http://")
	s.addr = strings.TrimRight(strings.Fields(rest)[0], "/")
	return nil
}

// memory returns the resident memory of the server in MB.
func (s *server) memory() float64 {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	for line := range strings.Lines(string(data)) {
		var kb float64
		if n, _ := fmt.Sscanf(line, "VmRSS: %f kB", &kb); n == 1 {
			return kb / 1024
		}
	}
	return 0
}

// seen is what a client reads of a game.
type seen struct {
	ID      string   `json:"id"`
	Plies   int      `json:"plies"`
	Moves   []string `json:"moves"`
	Outcome string   `json:"outcome"`
	Clock   *struct {
		Left [2]int64 `json:"left"`
	} `json:"clock"`
}

// client is somebody with an address of loopback.
type client struct {
	s      *server
	http   *http.Client
	cookie string
}

var clients atomic.Int64

func newClient(s *server) *client {
	n := clients.Add(1)
	from := &net.TCPAddr{IP: net.IPv4(127, byte(1+n>>16), byte(n>>8), byte(n))}
	dial := &net.Dialer{LocalAddr: from, Timeout: 10 * time.Second}
	return &client{s, &http.Client{Transport: &http.Transport{DialContext: dial.DialContext, MaxIdleConnsPerHost: 2}}, fmt.Sprintf("player%d", n)}
}

func (c *client) request(ctx context.Context, method, path string, body any) (*http.Response, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://"+c.s.addr+"/api"+path, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.AddCookie(&http.Cookie{Name: "krow", Value: c.cookie})
	return c.http.Do(r)
}

// errRefused is an answer that is no success.
var errRefused = errors.New("refused")

func (c *client) call(ctx context.Context, method, path string, body, answer any) error {
	a, err := c.request(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer a.Body.Close()
	data, err := io.ReadAll(a.Body)
	if err != nil {
		return err
	}
	if a.StatusCode/100 != 2 {
		return fmt.Errorf("%w: %s %s: %d %.200s", errRefused, method, path, a.StatusCode, data)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(data, answer)
}

// follow hears of every change of a game until ctx is done; after a break it connects again.
func (c *client) follow(ctx context.Context, id string, heard func(g seen, at time.Time)) {
	for ctx.Err() == nil {
		a, err := c.request(ctx, "GET", "/games/"+id+"/events", nil)
		if err != nil || a.StatusCode != 200 {
			if err == nil {
				_ = a.Body.Close()
			}
			time.Sleep(100 * time.Millisecond)
			continue
		}
		lines, name := bufio.NewReaderSize(a.Body, 1<<16), ""
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				break
			}
			if n, ok := strings.CutPrefix(line, "event: "); ok {
				name = strings.TrimSpace(n)
			} else if data, ok := strings.CutPrefix(line, "data: "); ok && name == "game" {
				at := time.Now()
				var g seen
				if json.Unmarshal([]byte(data), &g) == nil {
					heard(g, at)
				}
			}
		}
		_ = a.Body.Close()
	}
}

// analyse asks for an analysis and waits for its end, in the queue and while it thinks. It says whether there was one.
func (c *client) analyse(ctx context.Context, n int) bool {
	a, err := c.request(ctx, "GET", fmt.Sprintf("/analysis?game=gomoku&moves=h8+h9+i%d&seconds=10", 1+n%15), nil)
	if err != nil {
		return false
	}
	defer a.Body.Close()
	data, err := io.ReadAll(a.Body)
	if a.StatusCode != 200 || !bytes.Contains(data, []byte("event: done")) {
		select {
		case <-ctx.Done():
		case <-time.After(time.Second): // it was refused, or the server went
		}
		return false
	}
	return err == nil
}

// tally is what was measured.
type tally struct {
	mu     sync.Mutex
	reach  []time.Duration // from before a move is sent until the other player hears of it
	answer []time.Duration
	clock  []time.Duration // how much more or less than the player measures a clock has lost
	played int             // games
	lost   int
}

func (t *tally) add(to *[]time.Duration, d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	*to = append(*to, d)
}

// match is two players who play game after game.
type match struct {
	players [2]*client
	t       *tally
	watched chan<- string // ids of new games
}

// play plays one game to its end or until ctx is done.
func (m *match) play(ctx context.Context, rng *rand.Rand) error {
	var c struct{ ID string }
	terms := map[string]any{"game": "gomoku:15", "colour": "first", "clock": map[string]int{"seconds": 3600}}
	if err := m.players[0].call(ctx, "POST", "/challenges", map[string]any{"name": "a", "terms": terms}, &c); err != nil {
		return err
	}
	var g seen
	if err := m.players[1].call(ctx, "POST", "/challenges/"+c.ID+"/accept", map[string]any{"name": "b"}, &g); err != nil {
		return err
	}
	select {
	case m.watched <- g.ID:
	default:
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	var mu sync.Mutex
	sent, heardAt := map[int]time.Time{}, map[int]time.Time{} // by plies
	var acknowledged []string
	var news [2]chan seen
	for side, p := range m.players {
		news[side] = make(chan seen, 1)
		go p.follow(ctx, g.ID, func(g seen, at time.Time) {
			mu.Lock()
			if t0, ok := sent[g.Plies]; ok && g.Plies%2 == side && heardAt[g.Plies].IsZero() { // the other side has moved
				m.t.add(&m.t.reach, at.Sub(t0))
			}
			if g.Plies%2 == side && heardAt[g.Plies].IsZero() {
				heardAt[g.Plies] = at
			}
			mu.Unlock()
			select {
			case <-news[side]:
			default:
			}
			news[side] <- g
		})
	}
	var wg sync.WaitGroup
	fail := make(chan error, 2)
	for side, p := range m.players {
		rng := rand.New(rand.NewPCG(rng.Uint64(), 1))
		wg.Go(func() {
			done := -1 // the ply that was answered last
			for {
				var g seen
				select {
				case <-ctx.Done():
					return
				case g = <-news[side]:
				}
				if g.Outcome != "ongoing" {
					end()
					return
				}
				if g.Plies%2 != side || g.Plies <= done {
					continue
				}
				select {
				case <-ctx.Done():
					return
				case <-time.After(*pause/2 + time.Duration(rng.Int64N(int64(*pause/10)+1))):
				}
				move := free(g.Moves, rng)
				start := time.Now()
				mu.Lock()
				sent[g.Plies+1] = start
				before := heardAt[g.Plies]
				mu.Unlock()
				var after seen
				err := p.call(ctx, "POST", "/games/"+g.ID+"/moves", map[string]any{"move": move, "ply": g.Plies}, &after)
				switch {
				case ctx.Err() != nil:
					return
				case errors.Is(err, errRefused) && *kills == 0:
					fail <- err
					end()
					return
				case err != nil: // the server was killed: the stream tells how the game stands
					mu.Lock()
					delete(sent, g.Plies+1)
					mu.Unlock()
					continue
				}
				done = g.Plies
				m.t.add(&m.t.answer, time.Since(start))
				if g.Clock != nil && after.Clock != nil && g.Plies > 0 && *kills == 0 {
					spent := time.Duration(g.Clock.Left[side]-after.Clock.Left[side]) * time.Millisecond
					m.t.add(&m.t.clock, spent-start.Sub(before))
				}
				mu.Lock()
				acknowledged = append(acknowledged, after.Moves[min(len(acknowledged), len(after.Moves)):]...) // the other player may be first here
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	m.t.check(m.players[0], g.ID, acknowledged)
	select {
	case err := <-fail:
		return err
	default:
		return nil
	}
}

// check asks whether the moves that were answered are in the game.
func (t *tally) check(c *client, id string, moves []string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var g seen
	for c.call(ctx, "GET", "/games/"+id, nil, &g) != nil && ctx.Err() == nil {
		time.Sleep(100 * time.Millisecond)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.played++
	for i, move := range moves {
		if i >= len(g.Moves) || g.Moves[i] != move {
			t.lost++
		}
	}
}

// free draws a cell without a stone of a board of 15 x 15.
func free(moves []string, rng *rand.Rand) string {
	for {
		if m := fmt.Sprintf("%c%d", 'a'+rng.IntN(15), 1+rng.IntN(15)); !slices.Contains(moves, m) {
			return m
		}
	}
}

func quantile(all []time.Duration, q float64) time.Duration {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[min(int(q*float64(len(all))), len(all)-1)].Round(10 * time.Microsecond)
}

func run() error {
	dir, err := os.MkdirTemp("", "clubload")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s := &server{dir: dir, addr: "127.0.0.1:0"}
	if err := s.start(); err != nil {
		return err
	}
	defer func() { _ = s.cmd.Process.Kill(); _ = s.cmd.Wait() }()
	ctx, cancel := context.WithTimeout(context.Background(), *lasts)
	defer cancel()
	t, watched := &tally{}, make(chan string, 1000)
	var wg sync.WaitGroup
	failed := make(chan error, *games)
	for i := range *games {
		m := &match{[2]*client{newClient(s), newClient(s)}, t, watched}
		rng := rand.New(rand.NewPCG(uint64(i), 7))
		wg.Go(func() {
			select { // they do not come all at once
			case <-time.After(time.Duration(i) * 5 * time.Second / time.Duration(*games)):
			case <-ctx.Done():
				return
			}
			for ctx.Err() == nil {
				if err := m.play(ctx, rng); err != nil && ctx.Err() == nil {
					if *kills == 0 {
						failed <- err
						return
					}
					time.Sleep(100 * time.Millisecond)
				}
			}
		})
	}
	for range *spectators {
		c := newClient(s)
		go func() {
			for ctx.Err() == nil {
				select {
				case id := <-watched:
					watch, end := context.WithCancel(ctx)
					c.follow(watch, id, func(g seen, _ time.Time) {
						if g.Outcome != "ongoing" {
							end()
						}
					})
					end()
				case <-ctx.Done():
				}
			}
		}()
	}
	var analysed atomic.Int64
	for i := range *analyses {
		c := newClient(s)
		go func() {
			for ctx.Err() == nil {
				if c.analyse(ctx, i) {
					analysed.Add(1)
				}
			}
		}()
	}
	for range *kills {
		select {
		case <-ctx.Done():
		case <-time.After(*lasts / time.Duration(*kills+1)):
			_ = s.cmd.Process.Signal(syscall.SIGKILL)
			_ = s.cmd.Wait()
			if err := s.start(); err != nil {
				return err
			}
		}
	}
	var memory []float64
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-time.After(30 * time.Second):
			memory = append(memory, s.memory())
		}
	}
	wg.Wait()
	load, _ := os.ReadFile("/proc/loadavg")
	fmt.Printf("%d games at once, %d spectators, %d who ask for analyses and had %d, %v, %d kills; load of the machine %s", *games, *spectators, *analyses, analysed.Load(), *lasts, *kills, load)
	fmt.Printf("moves answered %d, games %d, moves lost %d\n", len(t.answer), t.played, t.lost)
	fmt.Printf("a move reaches the other player   50 %% %v   99 %% %v   most %v\n", quantile(t.reach, 0.5), quantile(t.reach, 0.99), quantile(t.reach, 1))
	fmt.Printf("a move is answered                50 %% %v   99 %% %v\n", quantile(t.answer, 0.5), quantile(t.answer, 0.99))
	fmt.Printf("clock against the player's own    50 %% %v   99 %% %v\n", quantile(t.clock, 0.5), quantile(t.clock, 0.99))
	fmt.Printf("memory of the server, MB %.0f\n", memory)
	select {
	case err := <-failed:
		return err
	default:
	}
	if t.lost > 0 {
		return fmt.Errorf("%d moves are lost", t.lost)
	}
	return nil
}
