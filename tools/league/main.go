// SPDX-License-Identifier: Apache-2.0

//go:build unix

// League kills a league 20 times and checks that no game is lost or counted twice, and that its order is that of a round
// robin played apart. It writes docs/measurements/league.md:
//
//	go build -o /tmp/krow ./cmd/krow
//	go run ./tools/league /tmp/krow /tmp/league
//
// The folder is made, and must not exist. It takes some minutes on two cores.
package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/krow-lab/krow/app/league"
	"github.com/krow-lab/krow/app/match"
	"github.com/krow-lab/krow/arena"
	"github.com/krow-lab/krow/catalog"
	"github.com/krow-lab/krow/internal/rng"
	"github.com/krow-lab/krow/internal/store"
	"github.com/krow-lab/krow/player"
)

const (
	rules   = "mnk:5,5,4"
	members = 50
	games   = 20000
	kills   = 20
	apart   = 10   // games of each pairing of the round robin
	again   = 2000 // games that are played once more, without a kill
	seed    = 1
	page    = "docs/measurements/league.md"
)

// source is a bot that looks with the chance of its skill, and else plays any move.
const source = `skill = %.2f

def row(position, cell, side):
    best = 0
    x, y = cell %% position.width, cell // position.width
    for dx, dy in [(1, 0), (0, 1), (1, 1), (1, -1)]:
        n = 0
        for s in (1, -1):
            i, j = x + s * dx, y + s * dy
            while i >= 0 and i < position.width and j >= 0 and j < position.height and position.cells[i + j * position.width] == side:
                n += 1
                i, j = i + s * dx, j + s * dy
        best = max(best, n)
    return best

def choose(position, clock):
    moves = position.moves()
    if random() >= skill:
        return moves[random(len(moves))]
    best, most = moves[0], -1.0
    for m in moves:
        mine, theirs = row(position, m, position.me), row(position, m, position.opponent)
        worth = 1000 if mine >= 3 else 10 * mine + 9 * theirs + random()
        if worth > most:
            best, most = m, worth
    return best
`

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: go run ./tools/league KROW FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "league:", err)
		os.Exit(1)
	}
}

// check is a league that is killed.
type check struct {
	krow, dir string
	told      map[int64]bool // games that krow said were over
	left      []int          // games in the store after each kill
}

func run(krow, dir string) error {
	krow, err := filepath.Abs(krow)
	if err != nil {
		return err
	}
	target, err := filepath.Abs(page)
	if err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	if err := os.Chdir(dir); err != nil {
		return err
	}
	c := &check{krow: krow, dir: dir, told: map[int64]bool{}}
	for _, name := range []string{"killed", "whole"} {
		if err := c.make(name); err != nil {
			return err
		}
	}
	start := time.Now()
	if err := c.killed(); err != nil {
		return err
	}
	took := time.Since(start)
	fmt.Println("killed", kills, "times:", c.left, "in", took.Round(time.Second))
	if _, err := c.command("run", "whole", "--games", strconv.Itoa(again), "--each", "0", "--jobs", "2"); err != nil {
		return err
	}
	table, same, err := c.compare()
	if err != nil {
		return err
	}
	fmt.Printf("%d of %d games are the same in a league that was not killed\n", same, again)
	standings, err := c.roundRobin()
	if err != nil {
		return err
	}
	a, b := map[string]float64{}, map[string]float64{}
	for _, r := range table.Rows {
		a[r.Name] = r.Elo
	}
	for _, s := range standings {
		b[s.Name] = s.Elo
	}
	tau, lo, hi := agreement(a, b)
	fmt.Printf("tau %.3f, 95 %% interval %.3f to %.3f\n", tau, lo, hi)
	return write(target, c, table, same, took, [3]float64{tau, lo, hi}, b)
}

func botName(i int) string { return fmt.Sprintf("b%02d", i) }

// make makes a league of bots.
func (c *check) make(name string) error {
	if _, err := c.command("new", name, rules); err != nil {
		return err
	}
	for i := range members {
		file := botName(i) + ".star"
		if err := os.WriteFile(file, fmt.Appendf(nil, source, float64(i)/members), 0o644); err != nil {
			return err
		}
		if _, err := c.command("add", name, "bot:"+file, "--name", botName(i)); err != nil {
			return err
		}
	}
	return nil
}

func (c *check) command(args ...string) ([]byte, error) {
	cmd := exec.Command(c.krow, append(append([]string{"league"}, args...), "--db", "db")...)
	cmd.Stderr = os.Stderr
	return cmd.Output()
}

// killed plays a league, and kills the process at moments that are drawn: after so many games, and a time after that.
func (c *check) killed() error {
	moments := rand.New(rand.NewPCG(seed, 2))
	for kill := 1; ; kill++ {
		n, err := c.count()
		if err != nil {
			return err
		}
		if n == games {
			break
		}
		stop := 0
		if kill <= kills {
			stop = max(1, kill*games/(kills+1)-n)
		}
		if err := c.play(games-n, stop, time.Duration(moments.IntN(20_000))*time.Microsecond); err != nil {
			return err
		}
		if stop > 0 {
			if n, err = c.count(); err != nil {
				return err
			}
			c.left = append(c.left, n)
		}
	}
	if len(c.left) != kills {
		return fmt.Errorf("killed %d times, want %d", len(c.left), kills)
	}
	return nil
}

// play plays at most so many games, and kills krow a moment after the game number stop, unless that is 0.
func (c *check) play(most, stop int, moment time.Duration) error {
	cmd := exec.Command(c.krow, "league", "run", "killed", "--games", strconv.Itoa(most), "--each", "0", "--jobs", "2", "--json", "--db", "db")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	var done atomic.Bool
	lines := bufio.NewScanner(out)
	for n := 1; lines.Scan(); n++ {
		var g league.PlayedGame
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			break // cut off by the kill
		}
		c.told[key(g)] = true
		if n == stop {
			time.AfterFunc(moment, func() {
				done.Store(true)
				_ = cmd.Process.Signal(syscall.SIGKILL)
			})
		}
	}
	_, _ = io.Copy(io.Discard, out)
	if err := cmd.Wait(); err != nil && !done.Load() {
		return err
	}
	return nil
}

// key names a game by its place in the plan.
func key(g league.PlayedGame) int64 {
	number := func(name string) int64 { n, _ := strconv.ParseInt(name[1:], 10, 64); return n }
	return (int64(g.Round)*100+number(g.First))*100 + number(g.Second)
}

// count returns how many games are in the store, and an error if one is there twice or one that was told is not.
func (c *check) count() (int, error) {
	all, err := c.games("killed")
	if err != nil {
		return 0, err
	}
	kept := map[int64]bool{}
	for _, g := range all {
		if kept[key(g)] {
			return 0, fmt.Errorf("game %+v is there twice", g)
		}
		kept[key(g)] = true
	}
	for k := range c.told {
		if !kept[k] {
			return 0, fmt.Errorf("game %d was told and is lost", k)
		}
	}
	return len(all), nil
}

func (c *check) games(name string) ([]league.PlayedGame, error) {
	var all []league.PlayedGame
	return all, c.look(name, func(l *league.League) (err error) {
		all, err = l.Games(league.Filter{})
		return err
	})
}

func (c *check) look(name string, do func(*league.League) error) error {
	db, err := store.Open("db")
	if err != nil {
		return err
	}
	defer db.Close()
	l, err := league.Open(db, name)
	if err != nil {
		return err
	}
	return do(l)
}

// compare returns the table of the league that was killed, and how many of its games are those of the one that was not.
func (c *check) compare() (t league.Standings, same int, err error) {
	err = c.look("killed", func(l *league.League) (err error) {
		t, err = l.Table(0)
		return err
	})
	if err != nil {
		return t, 0, err
	}
	a, err := c.games("killed")
	if err != nil {
		return t, 0, err
	}
	b, err := c.games("whole")
	if err != nil {
		return t, 0, err
	}
	moves := map[int64]string{}
	for _, g := range a {
		moves[key(g)] = g.Moves + g.Outcome
	}
	for _, g := range b {
		if moves[key(g)] == g.Moves+g.Outcome {
			same++
		}
	}
	played := 0
	for _, r := range t.Rows {
		played += r.Games
	}
	if played != 2*len(a) || len(a) != games {
		return t, same, fmt.Errorf("the table counts %d games, the store has %d, want %d", played/2, len(a), games)
	}
	return t, same, nil
}

// roundRobin plays everyone against everyone. Each pairing has a seed of its own, so that no two share openings or luck.
func (c *check) roundRobin() ([]match.Standing, error) {
	g, err := catalog.Game(rules)
	if err != nil {
		return nil, err
	}
	bot := func(i int) arena.Factory {
		return arena.Factory{Name: botName(i), New: func(seed uint64) (player.Player, error) { return catalog.Player(g, "bot:"+botName(i)+".star", seed) }}
	}
	var all []match.Meeting
	for i := range members {
		for j := range i {
			m := arena.Match{Game: g, A: bot(j), B: bot(i), Games: apart, Seed: rng.Mix(seed+1, uint64(i), uint64(j)), RandomPlies: 2, Jobs: 2}
			s, err := m.Run(context.Background())
			if err != nil {
				return nil, err
			}
			all = append(all, match.Meeting{A: m.A.Name, B: m.B.Name, Summary: s})
		}
	}
	return match.Standings(all)
}

// agreement returns Kendall's tau of two orders, with a 95 % interval by the percentiles of 10,000 draws of as many
// members, with replacement. Pairs of the same member are left out.
//
// CITE: Kendall, A New Measure of Rank Correlation, 1938; Efron, Bootstrap Methods, 1979.
func agreement(a, b map[string]float64) (tau, lo, hi float64) {
	var names []string
	for name := range a {
		names = append(names, name)
	}
	slices.Sort(names)
	tauOf := func(names []string) float64 {
		sum, n := 0, 0
		for i, x := range names {
			for _, y := range names[:i] {
				if x != y {
					sum += cmp.Compare(a[x], a[y]) * cmp.Compare(b[x], b[y])
					n++
				}
			}
		}
		return float64(sum) / float64(n)
	}
	draw := rand.New(rand.NewPCG(seed, 3))
	var drawn []float64
	some := make([]string, len(names))
	for range 10000 {
		for i := range some {
			some[i] = names[draw.IntN(len(names))]
		}
		drawn = append(drawn, tauOf(some))
	}
	slices.Sort(drawn)
	return tauOf(names), drawn[len(drawn)*25/1000], drawn[len(drawn)*975/1000]
}

func write(file string, c *check, t league.Standings, same int, took time.Duration, tau [3]float64, apartElo map[string]float64) error {
	var b strings.Builder
	fmt.Fprintf(&b, `# Leagues

A league of %d bots at %s, killed (SIGKILL) %d times while it played %s games. Each bot looks with a chance of its own and else plays any
move: b00 never looks, b49 nearly always. The games are chosen where they tell most. Measured on %s, on a
machine that was busy with other work, by

`+"```sh\ngo build -o /tmp/krow ./cmd/krow\ngo run ./tools/league /tmp/krow /tmp/league\n```"+`

| | |
|---|---|
| games told by krow before a kill and lost | 0 |
| games in the store twice | 0 |
| games in the store, and counted in the table | %s |
| of the first %s games, those that are the same, move by move, in a league that was not killed | %s |
| Kendall's tau with a round robin of %s other games | %.3f (95 %% interval %.3f to %.3f) |
| time, with the kills | %s |

The kills came a moment after games number %s. A game that was being played then was played again.
The interval is that of a bootstrap over the members, 10,000 draws.

| rank | bot | Elo in the league (95 %%) | Elo in the round robin | games | division |
|---|---|---|---|---|---|
`, members, rules, kills, thousands(games), time.Now().Format(time.DateOnly), thousands(games), thousands(again), thousands(same), thousands(members*(members-1)/2*apart),
		tau[0], tau[1], tau[2], took.Round(time.Second), strings.Trim(fmt.Sprint(c.left), "[]"))
	for _, r := range t.Rows {
		boss := ""
		if r.Boss {
			boss = ", boss"
		}
		fmt.Fprintf(&b, "| %d | %s | %+.0f ± %.0f | %+.0f | %d | %s%s |\n", r.Rank, r.Name, r.Elo, (r.Hi-r.Lo)/2, apartElo[r.Name], r.Games, r.Division, boss)
	}
	return os.WriteFile(file, []byte(b.String()), 0o644)
}

func thousands(n int) string {
	s := strconv.Itoa(n)
	if len(s) > 4 {
		s = s[:len(s)-3] + "," + s[len(s)-3:]
	}
	return s
}
