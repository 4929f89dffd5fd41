// SPDX-License-Identifier: Apache-2.0

package experiments

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/krow-lab/krow/arena/stats"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/research"
	"github.com/krow-lab/krow/research/report"
)

// contest is a game on which learners meet.
type contest struct {
	title, game string
	plies       int    // random plies at the start of each pair
	games       int    // number of games from which each learner learns
	player      string // spec of the player, with %s in place of the heuristic
	fixed       string // heuristic with the weights from which all learners begin
	learned     string // heuristic that reads its weights from a file
	learners    []string
}

// lined returns the specs of the learners that learn the threat parameters. The first learner is the published one, which
// always plays five games. The others search to the given depth and may play the given number of games, which begin with plies
// random moves.
func lined(games, depth, plies int, spsa string) []string {
	self := fmt.Sprintf("episodes=%d,depth=%d,terminal=exact,plies=%d", games, depth, plies)
	target := fmt.Sprintf("games=%d,target=generic(depth=%d),plies=%d", games, depth, plies)
	return []string{
		"qlearning", "qlearning:" + self, "sarsa:" + self, "td:" + self,
		"genetic:" + target, "spsa:" + target + ",measure=0," + spsa, "cmaes:" + target + ",sigma=3",
		fmt.Sprintf("regression:games=%d,depth=%d", games, depth),
	}
}

func contests(s *research.Session) []contest {
	many, some, fast := s.Pick(400, 10_000), s.Pick(400, 1000), s.Pick(400, 4000)
	search := func(depth int) string {
		return fmt.Sprintf("alphabeta:depth=%d,terminal=exact,eval=", depth) + "%s"
	}
	return []contest{
		{"gomoku 9x9, the best move by the heuristic alone", "gomoku:9", 8, many, search(1), "brute", "generic", lined(many, 1, 8, "against=start,rate=0.3,c=2,pairs=4")},
		{"gomoku 9x9, two plies", "gomoku:9", 12, some, search(2), "brute", "generic", lined(some, 2, 14, "rate=0.4,c=3")},
		{"tic-tac-toe 7x7, k = 4, two plies", "mnk:7,7,4", 4, some, search(2), "brute", "generic", lined(some, 2, 6, "rate=0.4,c=3")},
		{"Connect Four 7x6, two plies", "connect4", 4, some, search(2), "brute", "generic", lined(some, 2, 6, "rate=0.4,c=3")},
		{"ultimate, the best move by its indicators", "ultimate", 4, fast, "greedy:eval=%s", "indicators(weights=hand)", "indicators", []string{
			fmt.Sprintf("genetic:players=20,games=10,generations=%d", fast/200),
			fmt.Sprintf("spsa:games=%d,measure=0", fast), fmt.Sprintf("cmaes:games=%d", fast), fmt.Sprintf("regression:games=%d,depth=1", fast),
		}},
	}
}

// learners lets every learner learn from the same number of games, and rates the players with the learned weights.
func learners(ctx context.Context, s *research.Session) (*report.Document, error) {
	d := &report.Document{Title: "What the learners are worth"}
	d.Blocks = append(d.Blocks, report.Text("On each game every learner may use the same number of games (whole "+
		"generations may use a few less), seed 1; only the first, the published Q-learning, has its five, and SPSA does not "+
		"measure its own progress. Then the players meet, all with the same search, from "+
		"openings of random moves, each from both sides. *fixed* are the parameters from which all learners begin. The "+
		"settings of the learners "+
		"were chosen on other openings than those played here. Each sentence below compares eight learners or fewer at 95 %: of all of them, one may be wrong by chance."), again(s, "learners"))
	for i, c := range contests(s) {
		blocks, err := c.runContest(ctx, s, i)
		if err != nil {
			return nil, err
		}
		d.Blocks = append(d.Blocks, blocks...)
	}
	return d, nil
}

func (c contest) runContest(ctx context.Context, s *research.Session, number int) ([]report.Block, error) {
	contenders := []research.Contender{{Name: "fixed", Spec: fmt.Sprintf(c.player, c.fixed)}}
	curves := map[string][]learn.CurvePoint{}
	for _, spec := range c.learners {
		l, err := s.Learn(ctx, c.game, spec, seed)
		if err != nil {
			return nil, err
		}
		curves[spec] = l.Curve
		contenders = append(contenders, research.Contender{Name: spec, Spec: fmt.Sprintf(c.player, c.learned+"(weights="+l.File+")")})
	}
	m := research.Match{Game: c.game, Games: s.Pick(4, 60), Seed: unseen, Plies: c.plies, Reading: threatReading}
	matches := pairs(contenders, m)
	for i := range matches {
		if a := matches[i].A.Name; a == "fixed" || a == "qlearning" { // these pairings have more games, because the function verdict uses them
			matches[i].Games = s.Pick(8, 400)
		}
	}
	played, err := playAll(ctx, s, matches)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("elo-%d", number+1)
	blocks := []report.Block{report.Heading{Level: 2, Text: c.title}, report.Text(fmt.Sprintf("`%s`, %d games to learn from.", c.game, c.games))}
	elo, err := ladder(name, "Elo with 95 % intervals: "+c.title+"; fixed parameters at 0.", "fixed", matches, played)
	if err != nil {
		return nil, err
	}
	said := report.List{verdict("fixed", matches, played)}
	if slices.Contains(c.learners, "qlearning") {
		said = append(said, verdict("qlearning", matches, played))
	}
	blocks = append(blocks, said)
	blocks = append(blocks, elo...)
	for _, value := range []string{"score", "best", "loss"} {
		curve := learningCurves("Learning curves: "+value+".", "step", curves, []string{value})
		if len(curve.Series) > 0 {
			blocks = append(blocks, curve)
		}
	}
	return append(blocks, matchTable(fmt.Sprintf("matches-%d", number+1), "", matches, played)), nil
}

// unseen is the seed of the matches. The settings of the learners were chosen with openings of other seeds.
const unseen = 7

// verdict returns a sentence that names the learners that are stronger or weaker than the player named who, according to
// their matches with that player.
func verdict(who string, matches []research.Match, played []research.Played) string {
	var better, worse []string
	for i, m := range matches {
		if m.A.Name != who {
			continue
		}
		e := stats.Counts{Pairs: played[i].Pentanomial}.Estimate()
		text := fmt.Sprintf("`%s` %+.0f (%+.0f to %+.0f)", m.B.Name, -e.Elo, -e.Hi, -e.Lo)
		switch {
		case e.Hi < 0:
			better = append(better, text)
		case e.Lo > 0:
			worse = append(worse, text)
		}
	}
	list := func(names []string) string {
		if len(names) == 0 {
			return "none"
		}
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("Stronger than `%s` in Elo, the whole 95 %% interval above 0: %s. Weaker: %s.", who, list(better), list(worse))
}
