// SPDX-License-Identifier: Apache-2.0

// Package qlearning learns the parameters of the generic threat heuristic by self-play. It implements the Q-learning of
// Abdoulaye and others (cited below), and also Sarsa and TD(lambda).
//
// # Basics
//
//	l, err := qlearning.New(g, qlearning.Options{})  // the zero value is the published experiment
//	err = learn.Run(ctx, l, save)                    // a step is an episode, one game
//	err = l.Save("learned.json")                     // alphabeta:depth=4,eval=generic(weights=learned.json)
//
// The Q values are the parameters: one vector for a side's own threats and one for the enemy's threats. Both sides share these
// vectors, whose initial values come from generic.Fixed. Alpha-beta chooses each move with the current parameters. After the
// move there are two updates, one for each side. Let P be the parameter of the most important threat that a side has on the board
// after the move:
//
//	            side            P is in   becomes
//	own         the mover       Own       P + alpha (gamma Q' - P)
//	enemy       its opponent    Enemy     the same
//
// If a side has no threat, its update is omitted. The parameter of a row of k is never updated, so the published reward, which is
// given only for a row of k, has no direct effect. Q' is the value of the side's best next position:
//
//   - Q: the side is assumed to move next, even if it is the other side's turn. After each legal move, one of the side's threats
//     is the most important. Q' is the greatest parameter of these threats (as the algorithm is printed), or the parameter of the
//     most important of them (as the text describes it: see Options.Max). It is 0 if no move leaves a threat.
//   - Sarsa: Q' is the parameter of the side's most important threat after its next move in the game.
//   - TD: as Sarsa, but after the next move of either side.
//
// If lambda is above 0, an update also changes the parameters that were updated earlier in this game, each in proportion to its
// trace. Each vector has its own traces for each side. An update of a vector for a side multiplies the vector's traces for
// this side by gamma times lambda, and then sets the trace of P to 1.
//
// [Options.Update] makes the two updates of one move, for a player that learns during play. Such a player makes no update
// after a move of its opponent, because the player did not choose this move. The player's next update takes into account
// what the opponent's move changed on the board.
//
// # Importance and order
//
// The kinds of threats, except closed threats, have a fixed order of importance, which is the same for both vectors: see
// [Importance]. The cited texts adjust parameters that "deviennent inférieurs aux coefficients de menaces moins
// intéressantes" (become less than the coefficients of less interesting threats), but do not say how. In krow [Adjust]
// chooses an order of the parameters. Each updated parameter is clamped to the range between two others: the nearest
// parameters before and after it in this order that were not updated. By default the kinds of threats are ordered by their
// parameters in generic.Fixed, and then parameters that were not updated never change. The parameters in generic.Fixed are
// not sorted by importance, so with [ByImportance] the first update also raises each parameter that is less than the
// parameter before it.
//
// # Traces
//
// With Options.Lambda every method has traces. A random move ends the traces of the method Q, as in Watkins's Q(lambda): Q'
// assumes that the best move is played next, and a random move is usually a different move.
//
// # Caveats
//
// By default (see [End]) the method Q also computes Q' after the last move of a game: it takes the maximum over the moves that
// would be possible if the game continued. It tries a stone on every free cell, without captures and even where the rules
// forbid a stone. For Sarsa and TD, Q' is 0 after the last move of a game, because there is no next move.
//
// Self-play is deterministic: without random opening plies and without Epsilon, an episode differs from the previous one only
// because the parameters have changed. The random plies of an opening cause no updates.
//
// CITE: Abdoulaye, Houndji, Ezin and Aglin, Generic Heuristic for the mnk-games, algorithm 1; Abdoulaye,
// Détermination des paramètres d'une heuristique générique pour les jeux de type « n-alignés » par apprentissage
// automatique, 2017, algorithm 8 and figure 3.1. CITE: Sutton and Barto, Reinforcement Learning, 2012, for
// Sarsa, TD(lambda) and replacing traces.
package qlearning

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/krow-lab/krow/eval/generic"
	"github.com/krow-lab/krow/eval/threat"
	"github.com/krow-lab/krow/eval/weights"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn"
	"github.com/krow-lab/krow/search/minimax"
)

// Method is a learning method: it defines Q', which determines the value towards which an update moves a parameter.
type Method uint8

// The methods.
const (
	Q Method = iota
	Sarsa
	TD
)

// String returns the learner's name: "qlearning", "sarsa" or "td".
func (m Method) String() string { return [...]string{"qlearning", "sarsa", "td", "?"}[m&3] }

// Max is an interpretation of the maximum in the formula of the method Q.
type Max uint8

// The interpretations.
const (
	// After each possible move one threat of the side is the most important. Figure takes the greatest parameter of these
	// threats.
	Figure Max = iota
	// Prose takes the most important of these threats, and uses its parameter.
	Prose
)

// String returns "figure" or "prose".
func (m Max) String() string { return [...]string{"figure", "prose"}[m&1] }

// Importance is the order in which threats are compared to find the most important one on a board.
type Importance uint8

// The values of Importance. In figure 3.1 of the thesis the most important threat is the threat with the greatest index in an
// array: a loop keeps the greatest index j whose entry is not 0, "if(infoTab[0][j]!=0 && j >= menJ) menJ = j".
const (
	// Index is the order of the terms in the formula of the generic heuristic: half-open threats of one stone, open threats of
	// one stone, half-open threats of two stones, and so on to half-open and open threats of k-1 stones, and k in a row.
	Index Importance = iota
	// Text is the order Index, but open threats of k-2 stones and half-open threats of k-1 stones change places: "quoique la
	// menace de taille n-1 de type mi-ouvert soit très proche de la victoire, elle est moins importante qu'une de taille n-2 de
	// type ouvert" (although a half-open threat of n-1 is very close to winning, it is less important than an open threat of
	// n-2).
	Text
	// Value orders the kinds of threats by the parameters of generic.Fixed. These orders differ between a side's own threats and
	// the enemy's threats. Figure 3.1 does not use it; krow used it until November 2026.
	Value
)

// String returns "index", "text" or "value".
func (i Importance) String() string { return [...]string{"index", "text", "value", "?"}[i&3] }

// Adjust is the order to which the parameters are adjusted after an update.
type Adjust uint8

// The orders. The thesis: "Les mises à jour provoquent parfois des décalages au niveau des paramètres. Les coefficients de
// certaines menaces deviennent inférieurs aux coefficients de menaces moins intéressantes. [...] Nous avons effectué des
// ajustements pour gérer ces cas de figure" (updates sometimes change the order of the parameters: the coefficients of some
// threats become less than the coefficients of less interesting threats; adjustments were made for these cases).
const (
	// ByValue orders the kinds of threats by the parameters of generic.Fixed. These orders differ between a side's own threats
	// and the enemy's threats. According to the sentences quoted above, updates sometimes bring the parameters out of order. So
	// the fixed parameters must be in order before the first update. The thesis also says that "les paramètres de l'heuristique
	// sont attribués selon l'importance des menaces" (the parameters are assigned by the importance of the threats).
	ByValue Adjust = iota
	// ByImportance is the order that the option [Importance] sets. It takes the words "moins intéressantes" (less interesting) of
	// the thesis to mean less important.
	ByImportance
	// Unadjusted means that parameters are not adjusted: algorithm 8 and figure 3.1 of the thesis do not adjust them.
	Unadjusted
)

// String returns "value", "importance" or "off".
func (a Adjust) String() string { return [...]string{"value", "importance", "off", "?"}[a&3] }

// End chooses the value that is used for Q' after the last move of a game, when there is no next move.
type End uint8

// The values of End. The first is the default, because figure 3.1 of the thesis does not test whether the game is finished.
const (
	Simulate End = iota // the method Q tries all free cells, as after any other move; Q' is 0 on a full board
	Zero                // Q' is 0: "Q(etat-terminal, .) = 0" in algorithm 7
	Keep                // no update is made
)

// String returns "simulate", "zero" or "keep".
func (e End) String() string { return [...]string{"simulate", "zero", "keep", "?"}[e&3] }

// Options are the settings. If a field is 0, the published value is used. The comment of the field gives this value.
type Options struct {
	Method   Method
	Episodes int     // 5
	Gamma    float64 // 0.1
	Alpha    float64 // the learning rate: 1
	Depth    int     // depth of the alpha-beta search: 4
	Max      Max     // how the method Q computes the maximum
	Lambda   float64 // factor by which traces decrease

	Importance Importance
	Adjust     Adjust
	End        End            // for Sarsa and TD, Simulate means Zero
	Reading    threat.Reading // how threats are counted, in learning and by the learned heuristic
	// If Exact is true, the search values finished games by their result instead of by the heuristic.
	Exact bool
	// Seed is the seed of the random moves. The first RandomPlies moves of each game are random; later moves are random with the
	// probability Epsilon, otherwise the search chooses them.
	Seed        uint64
	RandomPlies int
	Epsilon     float64
	// Choose, unless nil, is called instead of the learner's search to choose a move. It must return the same move as the
	// learner's search, for example from a cache.
	Choose func(ctx context.Context, p game.Position, w generic.Weights) (game.Move, error)
}

const (
	maxEpisodes = 1_000_000
	maxPlies    = 128 * 128
)

// Learner is a learn.Learner.
type Learner struct {
	g     game.Game
	o     Options
	rank  [2]ranking // the order of importance of own and of enemy threats
	order [2]ranking // the order to which Adjust adjusts the parameters of own and of enemy threats
	done  int
	rng   learn.Source
	w     generic.Weights
}

// The two vectors of parameters.
const (
	own = iota
	enemy
)

// New returns a learner for a game of k in a row. It returns an error for other games.
func New(g game.Game, o Options) (*Learner, error) {
	k, err := generic.K(g)
	if err != nil {
		return nil, err
	}
	_, a := g.(game.Setter)
	_, b := g.Start().(game.Settable)
	if !a || !b {
		return nil, fmt.Errorf("positions of %s cannot be set up, so moves cannot be simulated", g)
	}
	o.Episodes, o.Depth = cmp.Or(o.Episodes, 5), cmp.Or(o.Depth, minimax.DefaultDepth)
	o.Gamma, o.Alpha = cmp.Or(o.Gamma, 0.1), cmp.Or(o.Alpha, 1)
	if err := o.checkSettings(); err != nil {
		return nil, err
	}
	if o.Method != Q && o.End == Simulate {
		o.End = Zero
	}
	w := generic.Fixed(k)
	w.Reading = o.Reading
	l := &Learner{g: g, o: o, w: w, rng: *learn.NewSource(o.Seed), order: [2]ranking{byValue(k, w.Own), byValue(k, w.Enemy)}}
	l.rank = l.order
	if o.Importance != Value {
		r := byIndex(k, o.Importance == Text)
		l.rank = [2]ranking{r, r}
	}
	if o.Adjust == ByImportance {
		l.order = l.rank
	}
	return l, nil
}

func (o Options) checkSettings() error {
	switch {
	case o.Max != Figure && o.Method != Q:
		return fmt.Errorf("%s does not use a maximum", o.Method)
	}
	return cmp.Or(
		learn.Within("the method", o.Method, Q, TD), learn.Within("the maximum", o.Max, Figure, Prose),
		learn.Within("importance", o.Importance, Index, Value), learn.Within("the adjustments", o.Adjust, ByValue, Unadjusted),
		learn.Within("the end", o.End, Simulate, Keep),
		learn.Within("episodes", o.Episodes, 1, maxEpisodes), learn.Within("the depth", o.Depth, 1, minimax.MaxDepth),
		learn.Within("gamma", o.Gamma, 0, 1), learn.Within("alpha", o.Alpha, 0, 1),
		learn.Within("lambda", o.Lambda, 0, 1), learn.Within("epsilon", o.Epsilon, 0, 1),
		learn.Within("random plies", o.RandomPlies, 0, maxPlies),
	)
}

// Steps returns the number of completed episodes, and of all episodes.
func (l *Learner) Steps() (done, total int) { return l.done, l.o.Episodes }

// Weights returns the current parameters.
func (l *Learner) Weights() generic.Weights { return clone(l.w) }

func clone(w generic.Weights) generic.Weights {
	w.Own, w.Enemy = slices.Clone(w.Own), slices.Clone(w.Enemy)
	return w
}

// Save writes the parameters to a file that the generic heuristic can load.
func (l *Learner) Save(name string) error { return l.w.Save(name, l.origin()) }

func (l *Learner) origin() weights.Origin {
	o := l.o
	settings := map[string]any{
		"episodes": o.Episodes, "gamma": o.Gamma, "alpha": o.Alpha, "depth": o.Depth, "exact": o.Exact,
		"keep_end": o.End == Keep, "random_plies": o.RandomPlies, "epsilon": o.Epsilon,
	}
	if o.Method == Q {
		settings["max"] = o.Max.String()
	}
	if o.Method == TD || o.Lambda != 0 {
		settings["lambda"] = o.Lambda
	}
	// In older versions each of the following settings had one fixed value, so files and states of these versions do not contain
	// the settings. To remain equal to them, a setting is written only if it differs from the fixed value.
	if o.Importance != Value {
		settings["importance"] = o.Importance.String()
	}
	if o.Adjust != ByValue {
		settings["adjust"] = o.Adjust.String()
	}
	if o.End == Simulate {
		settings["end"] = o.End.String()
	}
	if !o.Reading.Least {
		settings["gap"] = "exact"
	}
	if o.Reading.Uncapped {
		settings["cap"] = "off"
	}
	return weights.Origin{Game: l.g.String(), Learner: o.Method.String(), Seed: o.Seed, Settings: settings}
}

// state is the saved state of a Learner, without its game and options.
type state struct {
	Done   int            `json:"done"`
	Random *learn.Source  `json:"random"`
	Own    generic.Vector `json:"own"` // by threat.Kind
	Enemy  generic.Vector `json:"enemy"`
}

// State returns the parameters and the random source.
func (l *Learner) State() ([]byte, error) {
	return learn.Encode(l.origin(), state{l.done, &l.rng, l.w.Own, l.w.Enemy})
}

// Restore continues from a state of a learner of the same game and options.
func (l *Learner) Restore(data []byte) error {
	var s state
	if err := learn.Decode(data, l.origin(), &s); err != nil {
		return err
	}
	if s.Random == nil || s.Done < 0 || s.Done > l.o.Episodes {
		return learn.ErrDamaged
	}
	w := generic.Weights{K: l.w.K, Own: s.Own, Enemy: s.Enemy, Reading: l.o.Reading}
	if l.checkWeights(w) != nil {
		return learn.ErrDamaged
	}
	l.done, l.rng, l.w = s.Done, *s.Random, w
	return nil
}
