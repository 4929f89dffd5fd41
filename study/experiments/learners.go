// SPDX-License-Identifier: Apache-2.0

package experiments

import (
	"context"
	"fmt"

	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/stats"
	"github.com/krow-lab/krow/study"
	"github.com/krow-lab/krow/study/report"
)

// contest is a game on which learners meet.
type contest struct {
	game     string
	plies    int      // random, at the start of each pair
	player   string   // of the weights, with %s for the heuristic's arguments
	learners []string // as many as fit the game
}

// lined are the learners of the threat parameters, each with the same budget of games; the first is the
// published one, which plays five.
func lined(games int) []string {
	return []string{
		"qlearning",
		fmt.Sprintf("qlearning:episodes=%d,depth=2,terminal=exact,plies=6", games),
		fmt.Sprintf("sarsa:episodes=%d,depth=2,terminal=exact,plies=6", games),
		fmt.Sprintf("td:episodes=%d,depth=2,terminal=exact,plies=6", games),
		fmt.Sprintf("genetic:games=%d", games),
		fmt.Sprintf("spsa:games=%d", games),
		fmt.Sprintf("cmaes:games=%d", games),
		fmt.Sprintf("regression:games=%d", games),
	}
}

func contests(lab *study.Lab) []contest {
	games := lab.Pick(60, 2000)
	const alphabeta = "alphabeta:depth=2,terminal=exact,eval=generic%s"
	return []contest{
		{"gomoku:9", 8, alphabeta, lined(games)},
		{"mnk:7,7,4", 4, alphabeta, lined(games)},
		{"connect4", 4, alphabeta, lined(games)},
		{"ultimate", 4, "greedy:eval=indicators%s", []string{
			fmt.Sprintf("genetic:players=10,games=20,generations=%d", games/200),
			fmt.Sprintf("spsa:games=%d", games), fmt.Sprintf("cmaes:games=%d", games), fmt.Sprintf("regression:games=%d", games),
		}},
	}
}

// learners gives every learner the same budget of games, and rates the players that come out.
func learners(ctx context.Context, lab *study.Lab) (*report.Document, error) {
	d := &report.Document{Title: "What the learners are worth"}
	games := lab.Pick(60, 2000)
	d.Blocks = append(d.Blocks, report.Text(fmt.Sprintf("Every learner has %d games to learn from, seed 1, on each game by itself; the first, the published "+
		"Q-learning, has its five. Then the players meet, all with the same search, to depth 2 (ultimate: the best move by its indicators), from "+
		"openings of random moves, each from both sides. *fixed* are the parameters that all begin from. The settings were chosen on other seeds and "+
		"not on these games.", games)), again("learners"))
	for i, c := range contests(lab) {
		blocks, err := c.run(ctx, lab, i)
		if err != nil {
			return nil, err
		}
		d.Blocks = append(d.Blocks, blocks...)
	}
	return d, nil
}

func (c contest) run(ctx context.Context, lab *study.Lab, number int) ([]report.Block, error) {
	contenders := []study.Contender{{Name: "fixed", Spec: fmt.Sprintf(c.player, "")}}
	curves := map[string][]learn.Point{}
	for _, spec := range c.learners {
		l, err := lab.Learn(ctx, c.game, spec, seed)
		if err != nil {
			return nil, err
		}
		curves[spec] = l.Curve
		contenders = append(contenders, study.Contender{Name: spec, Spec: fmt.Sprintf(c.player, "(weights="+l.File+")")})
	}
	m := study.Match{Game: c.game, Games: lab.Pick(4, 100), Seed: seed, Plies: c.plies}
	matches := pairs(contenders, m)
	m.Games = lab.Pick(8, 400)
	for i := range matches {
		if matches[i].A.Name == "fixed" { // the question of the study gets more games
			matches[i].Games = m.Games
		}
	}
	played, err := playAll(ctx, lab, matches)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("elo-%d", number+1)
	blocks := []report.Block{report.Heading{Level: 2, Text: c.game}}
	elo, err := ladder(name, "Elo with 95 % intervals on "+c.game+", fixed parameters at 0.", "fixed", matches, played)
	if err != nil {
		return nil, err
	}
	blocks = append(blocks, report.Text(verdict(matches, played)))
	blocks = append(blocks, elo...)
	blocks = append(blocks, matchTable(fmt.Sprintf("matches-%d", number+1), "", matches, played))
	return blocks, nil
}

// verdict says in a sentence which learners help, going by their matches against the fixed parameters.
func verdict(matches []study.Match, played []study.Played) string {
	helped, harmed := "", ""
	add := func(list *string, who string, elo float64) {
		if *list != "" {
			*list += ", "
		}
		*list += fmt.Sprintf("`%s` (%+.0f)", who, elo)
	}
	for i, m := range matches {
		if m.A.Name != "fixed" {
			continue
		}
		e := stats.Counts{Pairs: played[i].Pentanomial}.Estimate()
		switch {
		case e.Hi < 0:
			add(&helped, m.B.Name, -e.Elo)
		case e.Lo > 0:
			add(&harmed, m.B.Name, -e.Elo)
		}
	}
	if helped == "" {
		helped = "none"
	}
	if harmed == "" {
		harmed = "none"
	}
	return "Stronger than the fixed parameters in the match against them, the whole 95 % interval above 0: " + helped + ". Weaker: " + harmed + "."
}
