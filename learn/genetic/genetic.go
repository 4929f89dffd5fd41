// SPDX-License-Identifier: Apache-2.0

// Package genetic learns parameters by a genetic algorithm. All players of a colony play, the better half survives, and mutated
// copies of the survivors replace the other half. [New] learns the weights of the indicators of ultimate tic-tac-toe in games
// against the random player, as in the published experiment. [NewTarget] learns the parameters of any target in games against
// the initial parameters of the target.
//
// # Basics
//
//	l, err := genetic.New(ultimate.New(ultimate.Rules{}), genetic.Options{Seed: 1})
//	err = learn.Run(ctx, l, save)     // a step is a generation
//	err = l.Save("bred.json")         // greedy:eval=indicators(weights=bred.json)
//	all := l.Colony()                 // best first
//
// The zero [Options] are the settings of the published experiment. In the paper a generation ends with breeding. Here a
// generation begins with breeding and then plays its games, so after each step the colony is sorted by the scores of these
// games:
//
//	step 1        draw 30 players              play   sort
//	step 2, ...   keep the best 15, copy and   play   sort
//	              mutate each of them once
//
// Every player plays again in each generation. If two players have equal scores, the older one ranks higher. If the number of
// players is odd, the player in the middle of the ranking also survives, but is not copied. For every player the weight of the
// indicator "the move wins the game" is infinite, and is not bred.
//
// # Caveats
//
// The score of the best player is partly luck, so its next score is usually lower.
//
// When a target is bred, the genes are its coordinates (see package learn/target), and a draw counts half a win. The opponent
// always plays the same move in the same position. To make the games different, each pair of games begins with random moves,
// which are the same for all players of a generation.
//
// The random numbers of a game are computed from the seed and from the numbers of the generation, player and game, so they do
// not depend on Jobs.
//
// CITE: Eustache and Genuyt, Création d'une intelligence artificielle pour le Tic Tac Toe 9x9, 2018, section 2.3.
package genetic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/krow-lab/krow/eval/indicators"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/learn/target"
)

// Options are the settings. If a field is 0, the published value is used. The comment of the field gives this value.
type Options struct {
	Players     int     // 30
	Games       int     // number of games that each player plays in each generation: 100
	Generations int     // 30
	RandomRange float64 // the first weights are drawn from an interval of this width around 0: 10
	MutRange    float64 // a mutation is drawn from an interval of this width around 0: 6
	HalfDraws   bool    // a draw counts half a win, as in the authors' program
	// If Literal is true, the first move is assigned as in the report's program listing: the random player always moves first, or
	// never if Games is odd. Otherwise the two players move first in turn.
	Literal bool
	// Start contains the weights of every player of the first generation, as the report's prose describes ("selon des pondérations
	// déterminées de façon subjective dans un premier temps", with weights chosen subjectively at first). If it is zero, the
	// weights are random, as in the report's listing.
	Start indicators.Weights
	// If Losers is true, the weights of each player in the worse half are mutated, as the report's prose describes. Otherwise
	// mutated copies of the better half replace the worse half, as in the report's listing.
	Losers bool
	// Indicators contains the options of the heuristic: how its indicators are defined, and whether the indicators Block and
	// Either, which only the authors' program has, are used and their weights bred. Its Weights must be zero.
	Indicators indicators.Options
	Seed       uint64
	Jobs       int // number of players that play at once: the number of processors
}

// name is the learner's name in files.
const name = "genetic"

const (
	maxPlayers = 10_000
	maxGames   = 1_000_000
)

// Member is a player of the colony.
type Member struct {
	Fitness float64   `json:"fitness" doc:"share of the possible points that the player won in the last generation"`
	Born    int       `json:"born" doc:"generation in which the player first appeared, from 1"`
	Values  []float64 `json:"weights" nullable:"false"` // values of the bred parameters, in the order of Traits
}

// Learner is a learn.Learner that breeds a colony.
type Learner struct {
	o      Options
	f      field
	done   int
	rng    learn.Source // random source for the first weights and the mutations
	colony []member     // the players, best first; empty before the first step
}

// A field plays the games between the players of a colony and their opponents. It also describes the parameters that are bred.
type field interface {
	// playGames plays the games of every member of the colony and sets the scores. After an error the scores are meaningless.
	playGames(ctx context.Context, generation int, colony []member) error
	origin() weights.Origin

	// Names returns the names of the parameters, one for each gene.
	Names() []string
	// First returns the genes that all players of the first generation have, or nil if the genes are drawn at random.
	First() []float64
	// Clamp moves each gene that is outside its range to the nearest end of the range.
	Clamp(genes []float64)
	// Values returns the values of the parameters that the genes represent.
	Values(genes []float64) []float64
	// Curve returns the values for a point of the learning curve. These are the values in the parameter called more. If the genes
	// are the parameters of a target.Target, the parameters of the best player are added.
	Curve(best []float64, more map[string]float64) map[string]float64
	Save(file string, genes []float64, o weights.Origin) error
}

// member is a Member as it is stored in the state.
type member struct {
	Genes    []float64 `json:"genes"`
	Score    float64   `json:"score"`    // points won in the last generation
	Survived int       `json:"survived"` // number of earlier generations that it has survived
}

// New returns a learner for ultimate tic-tac-toe. It returns an error for other games.
func New(g game.Game, o Options) (*Learner, error) {
	u, ok := g.(*ultimate.Game)
	if !ok {
		return nil, fmt.Errorf("the published genetic learner is for ultimate tic-tac-toe, not %s", g)
	}
	o = o.withDefaults()
	if err := o.checkSettings(); err != nil {
		return nil, err
	}
	t, err := target.Indicators(u, o.Indicators)
	if err != nil {
		return nil, err
	}
	for i := range t.Params { // each gene is a weight, limited so that a file of weights can contain it
		t.Params[i] = target.Param{Name: t.Params[i].Name, Unit: 1, Low: -indicators.MaxWeight, High: indicators.MaxWeight}
	}
	return newLearner(o, &published{t, u, o}), nil
}

func newLearner(o Options, f field) *Learner {
	return &Learner{o: o, f: f, rng: *learn.NewSource(o.Seed)}
}

func (o Options) withDefaults() Options {
	o.Players, o.Games, o.Generations = cmp.Or(o.Players, 30), cmp.Or(o.Games, 100), cmp.Or(o.Generations, 30)
	o.RandomRange, o.MutRange = cmp.Or(o.RandomRange, 10), cmp.Or(o.MutRange, 6)
	o.Jobs = cmp.Or(o.Jobs, runtime.GOMAXPROCS(0))
	return o
}

func (o Options) checkSettings() error {
	if o.Indicators.Weights != (indicators.Weights{}) {
		return errors.New("the learner breeds the weights of the indicators, so they cannot be given")
	}
	return cmp.Or(
		learn.Within("players", o.Players, 2, maxPlayers), learn.Within("games", o.Games, 1, maxGames),
		learn.Within("generations", o.Generations, 1, maxGames), learn.Within("jobs", o.Jobs, 0, learn.MaxJobs),
		learn.Positive("the random range", o.RandomRange, indicators.MaxWeight),
		learn.Positive("the mutation range", o.MutRange, indicators.MaxWeight),
	)
}

// Steps returns the number of completed generations, and of all generations.
func (l *Learner) Steps() (done, total int) { return l.done, l.o.Generations }

// Step breeds the next generation and plays its games. The returned point of the learning curve contains three shares of points:
// of the best player, of the worst player, and of all players on average. For a target it also contains the best player's
// parameters.
func (l *Learner) Step(ctx context.Context) (learn.CurvePoint, error) {
	rng := l.rng // a copy, which is stored only after the step is complete
	colony := l.breed(rand.New(&rng))
	if err := l.f.playGames(ctx, l.done, colony); err != nil {
		return learn.CurvePoint{}, err
	}
	slices.SortStableFunc(colony, func(a, b member) int { return cmp.Compare(b.Score, a.Score) })
	l.rng, l.colony, l.done = rng, colony, l.done+1
	games, sum := float64(l.o.Games), 0.0
	for _, m := range colony {
		sum += m.Score
	}
	return learn.CurvePoint{
		Step:  l.done,
		Games: uint64(l.done) * uint64(l.o.Players) * uint64(l.o.Games),
		Values: l.f.Curve(colony[0].Genes, map[string]float64{
			"best":  colony[0].Score / games,
			"worst": colony[len(colony)-1].Score / games,
			"mean":  sum / games / float64(len(colony)),
		}),
	}, nil
}

func (l *Learner) breed(r *rand.Rand) []member {
	colony := make([]member, l.o.Players)
	if l.done == 0 {
		for i := range colony {
			if colony[i].Genes = l.f.First(); colony[i].Genes == nil {
				colony[i].Genes = l.mutated(r, make([]float64, len(l.f.Names())), l.o.RandomRange)
			}
		}
		return colony
	}
	half := len(colony) / 2
	kept := len(colony) - half
	for i, m := range l.colony[:kept] {
		colony[i] = member{Genes: m.Genes, Survived: m.Survived + 1}
	}
	parents := l.colony[:half]
	if l.o.Losers {
		parents = l.colony[kept:]
	}
	for i, m := range parents {
		colony[kept+i].Genes = l.mutated(r, m.Genes, l.o.MutRange)
	}
	return colony
}

func (l *Learner) mutated(r *rand.Rand, genes []float64, width float64) []float64 {
	genes = slices.Clone(genes)
	for j := range genes {
		genes[j] += width * (r.Float64() - 0.5)
	}
	l.f.Clamp(genes)
	return genes
}

// Colony returns the players of the last generation, best first. It is empty before the first step.
func (l *Learner) Colony() []Member {
	all := make([]Member, len(l.colony))
	for i, m := range l.colony {
		all[i] = Member{m.Score / float64(l.o.Games), l.done - m.Survived, l.f.Values(m.Genes)}
	}
	return all
}

// Traits returns the names of the parameters that are bred.
func (l *Learner) Traits() []string { return l.f.Names() }

var errEmpty = errors.New("no generation has been bred yet")

// Save writes the parameters of the best player to a file of weights.
func (l *Learner) Save(name string) error {
	if len(l.colony) == 0 {
		return errEmpty
	}
	return l.f.Save(name, l.colony[0].Genes, l.f.origin())
}

// SaveMember writes the parameters of a member to a file of weights. The number of the best member is 1.
func (l *Learner) SaveMember(member int, name string) error {
	switch {
	case len(l.colony) == 0:
		return errEmpty
	case member < 1 || member > len(l.colony):
		return fmt.Errorf("the members of the colony are 1 to %d; there is no member %d", len(l.colony), member)
	}
	o := l.f.origin()
	o.Settings = maps.Clone(o.Settings)
	o.Settings["member"] = member
	return l.f.Save(name, l.colony[member-1].Genes, o)
}

// state is the saved state of a Learner, without its game and options.
type state struct {
	Done   int           `json:"done"`
	Random *learn.Source `json:"random"`
	Colony []member      `json:"colony"` // best first
}

// State returns the colony and the random source.
func (l *Learner) State() ([]byte, error) {
	return learn.Encode(l.f.origin(), state{l.done, &l.rng, l.colony})
}

// Restore continues from a state of a learner of the same game and options. Jobs may differ.
func (l *Learner) Restore(data []byte) error {
	var s state
	if err := learn.Decode(data, l.f.origin(), &s); err != nil {
		return err
	}
	if err := l.checkState(s); err != nil {
		return fmt.Errorf("the state is damaged: %w", err)
	}
	l.done, l.rng, l.colony = s.Done, *s.Random, s.Colony
	return nil
}

func (l *Learner) checkState(s state) error {
	players := l.o.Players
	if s.Done == 0 {
		players = 0
	}
	if s.Random == nil || s.Done < 0 || s.Done > l.o.Generations || len(s.Colony) != players {
		return errors.New("the parts of the state do not fit together")
	}
	for i, m := range s.Colony {
		if len(m.Genes) != len(l.f.Names()) || m.Score < 0 || m.Score > float64(l.o.Games) ||
			i > 0 && m.Score > s.Colony[i-1].Score || m.Survived < 0 || m.Survived >= s.Done {
			return errors.New("there is no such player")
		}
		within := slices.Clone(m.Genes)
		if l.f.Clamp(within); !slices.Equal(within, m.Genes) {
			return errors.New("a weight is out of range")
		}
	}
	return nil
}
