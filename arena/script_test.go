// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/mnk"
	"github.com/krow-lab/krow/game/renju"
	"github.com/krow-lab/krow/game/ultimate"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/search"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func must[G game.Game](g G, err error) G {
	if err != nil {
		panic(err)
	}
	return g
}

var (
	tictactoe = must(mnk.TicTacToe(3, 3))
	connect6  = must(mnk.Connect6(9))
	gomoku9   = must(mnk.Gomoku(9))
	connect4  = must(mnk.Connect4(7, 6, 4))
)

// script is a player whose every move is a function's.
type script func(ctx context.Context, p game.Position, lim search.Limits) (game.Move, error)

func (script) Name() string { return "script" }

func (s script) Move(ctx context.Context, p game.Position, lim search.Limits) (game.Move, error) {
	return s(ctx, p, lim)
}

func first(_ context.Context, p game.Position, _ search.Limits) (game.Move, error) {
	return p.AppendMoves(nil)[0], nil
}

func illegal(_ context.Context, p game.Position, _ search.Limits) (game.Move, error) {
	if h := p.AppendHistory(nil); len(h) > 0 {
		return h[0], nil
	}
	return 1000, nil
}

func erring(context.Context, game.Position, search.Limits) (game.Move, error) {
	return game.NoMove, errors.New("no\nidea")
}

func panicking(_ context.Context, p game.Position, _ search.Limits) (game.Move, error) {
	var none []game.Move
	return none[p.Ply()], nil
}

func leaving(context.Context, game.Position, search.Limits) (game.Move, error) {
	runtime.Goexit()
	return 0, nil
}

// vandal plays to the end on the position that it was given.
func vandal(_ context.Context, p game.Position, _ search.Limits) (game.Move, error) {
	m := p.AppendMoves(nil)[0]
	for p.Outcome() == game.Ongoing {
		p.Play(p.AppendMoves(nil)[0])
	}
	return m, nil
}

// sleeping moves after d, whatever ctx says.
func sleeping(d time.Duration) script {
	return func(ctx context.Context, p game.Position, lim search.Limits) (game.Move, error) {
		time.Sleep(d)
		return first(ctx, p, lim)
	}
}

// hanging waits for ctx, then returns its error.
func hanging(ctx context.Context, _ game.Position, _ search.Limits) (game.Move, error) {
	<-ctx.Done()
	return game.NoMove, ctx.Err()
}

// obedient thinks until ctx is done, then moves.
func obedient(ctx context.Context, p game.Position, lim search.Limits) (game.Move, error) {
	<-ctx.Done()
	return first(ctx, p, lim)
}

// play plays p with these players under the terms of m.
func play(ctx context.Context, p game.Position, players [2]player.Player, m Match) record.Game {
	return m.playMoves(ctx, p, [2]*seat{{player: players[0], clock: m.clock()}, {player: players[1], clock: m.clock()}}, record.Game{})
}

func scripted(name string, s script) Factory {
	return Factory{name, func(uint64) (player.Player, error) { return s, nil }}
}

var random = Factory{"random", func(seed uint64) (player.Player, error) { return player.NewRandom(seed), nil }}

// closer counts how often it is closed.
type closer struct {
	script
	closed *atomic.Int64
}

func (c closer) Close() error {
	c.closed.Add(1)
	return errors.New("nobody listens")
}

func games() []game.Game {
	return []game.Game{
		tictactoe, connect4, connect6,
		gomoku9, must(mnk.Pente(9)), must(mnk.MNK(7, 1, 3)), must(mnk.MNK(2, 2, 5)),
		must(renju.New(9)), ultimate.New(ultimate.Rules{}),
	}
}
