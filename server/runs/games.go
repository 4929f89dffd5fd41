// SPDX-License-Identifier: Apache-2.0

package runs

import (
	"context"
	"errors"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/learn/selfplay"
)

// Games describes self-play games of five in a row or of ultimate tic-tac-toe, from which a network can learn. Each file
// contains games of one kind. The kinds take turns in the order of Kinds, so a kind that is listed twice gets twice as many
// files.
type Games struct {
	selfplay.Options
	Kinds []string // specs of games
	Net   string   // the network that plays: default, none or a file
}

// Played contains the number of files that exist, and the numbers of games and positions in these files.
type Played struct {
	Games     int `json:"games"`
	Positions int `json:"positions"`
	Files     int `json:"files"`
}

// Play plays the games whose files do not exist yet. Unless report is nil, Play calls it after each file, including existing
// files.
func (o Games) Play(ctx context.Context, report func(Played)) (p Played, err error) {
	if o.Dir == "" || len(o.Kinds) == 0 {
		return p, errors.New("games for learning need a folder and a game")
	}
	var kinds []game.Game
	for _, text := range o.Kinds {
		g, err := krow.Game(text)
		if err != nil {
			return p, err
		}
		kinds = append(kinds, g)
	}
	e, err := krow.SelfPlay(kinds[0], o.Net)
	if err != nil {
		return p, err
	}
	err = selfplay.Generate(ctx, e, kinds, o.Options, func(f *selfplay.File) error {
		p.Games, p.Positions, p.Files = p.Games+f.Games, p.Positions+f.Positions, p.Files+1
		if report != nil {
			report(p)
		}
		return nil
	})
	return p, err
}
