// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/krow-lab/krow"
)

// route is a continuous series of players of increasing strength, from the first level of a game to the last. The field way
// contains only some players of the route. The limits of every other player are interpolated between the two nearest players
// in way. The method fit chooses each level on the route so that it is stronger than the level below by a given difference.
//
//	first ───── player ───── ... ───── last player
//	  1     2     |   3     4       5       6
type route struct {
	game  string
	most  int      // maximum number of levels
	aim   float64  // wanted Elo difference between two neighbouring levels
	way   []limits // limits of the players on the route; the first player is level 1
	of    string   // the strong player to which the limits are applied; empty means the game's strongest player
	plies int      // number of random plies before each pair of games
	even  bool     // whether games begin with even openings instead of random plies
}

// limits are the settings of a limited player.
type limits struct {
	nodes, overlook, noise float64
}

// thinking returns the field way of a route: three points, between which the levels are chosen. The first player chooses
// every move without a search: for each cell, it counts the stones in the rows through the cell, with a random error. The
// second searches for every move, with few nodes, and the third with many nodes.
func thinking(noise, many float64) []limits {
	const few = 100
	return []limits{{few, 1, noise}, {few, 0, noise}, {many, 0, noise}}
}

var routes = []route{
	{game: "gomoku", most: 9, aim: 205, way: thinking(1.4, 20_000), even: true},
	{game: "renju", most: 9, aim: 205, way: thinking(1.4, 20_000), even: true},
	{game: "connect4", most: 7, aim: 175, way: thinking(3, 10_000), of: "mcts", plies: 2},
	{game: "ultimate", most: 9, aim: 200, way: thinking(3.5, 20_000), plies: 4},
	{game: "standard", most: 8, aim: 205, way: thinking(1.4, 10_000), even: true},
	{game: "caro", most: 8, aim: 205, way: thinking(1.4, 10_000), even: true},
	{game: "pente", most: 8, aim: 205, way: thinking(1.3, 20_000), plies: 2},
	{game: "connect6", most: 8, aim: 205, way: thinking(1.7, 20_000), plies: 2},
	{game: "atarigo", most: 8, aim: 205, way: thinking(3.5, 20_000), plies: 4},
	{game: "mnk:7,7,4", most: 4, aim: 205, way: thinking(1.7, 10_000), plies: 2},
	{game: "tictactoe", most: 3, aim: 205, way: thinking(4, 200)},
}

// champion is the player of the last level of each game. The matches of the last level are played not by the champion but by
// the last player on the route. This player searches fewer nodes, so the champion should be at least as strong as the
// measured player.
const champion = "best:time=1s"

// at returns the player at the place t of the route, where 0 is the first player and 1 the second. Between two players, nodes
// change geometrically and all other limits linearly.
func (r route) at(t float64) string {
	i := min(int(t), len(r.way)-2)
	a, b, x := r.way[i], r.way[i+1], t-float64(i)
	l := limits{
		nodes:    a.nodes * math.Pow(b.nodes/a.nodes, x),
		overlook: a.overlook + (b.overlook-a.overlook)*x,
		noise:    a.noise + (b.noise-a.noise)*x,
	}
	digits := math.Pow(10, math.Floor(math.Log10(l.nodes))-1)
	args := []string{fmt.Sprintf("nodes=%.0f", math.Round(l.nodes/digits)*digits)}
	if r.of != "" {
		args = append(args, "of="+r.of)
	}
	if l.overlook > 0.005 {
		args = append(args, fmt.Sprintf("overlook=%.2f", l.overlook), fmt.Sprintf("noise=%.2g", l.noise))
	}
	return "limited:" + strings.Join(args, ",")
}

// fit chooses the levels of a game on its route, beginning with the lowest.
func (l *ladders) fit(ctx context.Context, r route) error {
	steps := []krow.Step{{Game: r.game, Level: 1, Player: r.at(0)}}
	for t, guess, end := 0.0, 0.25, float64(len(r.way)-1); len(steps) < r.most && t < end; {
		next, elo, err := l.stronger(ctx, r, t, guess)
		if err != nil {
			return err
		}
		if next >= end && elo < 0.8*r.aim { // the rest of the route is too short for another level
			break
		}
		t, guess = next, next-t
		steps = append(steps, krow.Step{Game: r.game, Level: len(steps) + 1, Player: r.at(t)})
		fmt.Printf("%s level %d  %s  about %+.0f\n", r.game, len(steps), r.at(t), elo)
	}
	last := &steps[len(steps)-1]
	last.Player, last.As = champion, last.Player
	first := slices.IndexFunc(l.steps, func(s krow.Step) bool { return s.Game == r.game })
	l.steps = slices.DeleteFunc(l.steps, func(s krow.Step) bool { return s.Game == r.game })
	if first < 0 {
		first = len(l.steps)
	}
	l.steps = slices.Insert(l.steps, first, steps...)
	return l.write()
}

// stronger finds the place on the route whose player is stronger than the player at t by the difference aim. It assumes that the
// strength grows linearly with t. It estimates the slope from all previous guesses, where guesses nearer to the aim have more
// weight.
func (l *ladders) stronger(ctx context.Context, r route, t, guess float64) (next, elo float64, err error) {
	sum, weight, end := 0.0, 0.0, float64(len(r.way)-1)
	for try := range 4 {
		next = min(t+guess, end)
		s, err := l.playMatch(ctx, r, r.at(next), r.at(t), l.tries, l.seed+100)
		if err != nil {
			return 0, 0, err
		}
		// A match with only wins or only losses has an infinite Elo difference, which is counted as 400.
		e := min(max(s.Elo, -400), 400)
		w := 1 / (1 + math.Abs(e-r.aim)/50)
		sum, weight = sum+w*max(e, 40)/(next-t), weight+w
		guess, elo = r.aim/(sum/weight), e
		if try > 0 && math.Abs(e-r.aim) < 30 {
			break
		}
	}
	next = min(t+guess, end)
	return next, sum / weight * (next - t), nil
}
