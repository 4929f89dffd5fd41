// SPDX-License-Identifier: Apache-2.0

package arena

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"github.com/krow-lab/krow/arena/work"
	"github.com/krow-lab/krow/internal/rescue"
	"github.com/krow-lab/krow/notation/record"
)

// Event is a series of matches: a round robin, a round of a league, or one match.
type Event struct {
	// Next returns the matches of the next round, or none when the event is over. It is called again after all matches of the
	// round have ended, so the next round can depend on their results.
	Next func() ([]*Match, error)
	// Jobs is the number of games that this process plays at once, of one match or of several; 0 means 1. It does not limit
	// matches with a Queue.
	Jobs int
}

// Keeper stores the finished games of a match, so that an interrupted match can continue: see Match.Played.
type Keeper interface {
	// Write stores the next game.
	Write(g record.Game) error
	// Cut deletes all games of the match except the first n. It is called if the queue has reported that the results of the
	// later games are wrong (see work.WithdrawnError).
	Cut(n int) error
}

// Play plays the games that are missing in Played of each match, up to jobs games at once.
func Play(ctx context.Context, jobs int, matches ...*Match) error {
	e := Event{Jobs: jobs, Next: func() (now []*Match, err error) {
		now, matches = matches, nil
		return now, nil
	}}
	return e.Run(ctx)
}

// Run plays the event. The first error of a match ends the event. Afterwards Played of each match holds its finished games.
func (e *Event) Run(ctx context.Context) error {
	for {
		matches, err := e.Next()
		if err != nil || len(matches) == 0 {
			return err
		}
		if err := e.playRound(ctx, matches); err != nil {
			return err
		}
	}
}

// playRound plays the matches of a round: matches with a Queue on that queue, and the other matches in this process.
func (e *Event) playRound(ctx context.Context, matches []*Match) error {
	var here, away []*Match
	for _, m := range matches {
		if err := m.Check(); err != nil {
			return err
		}
		if m.Queue != nil {
			away = append(away, m)
		} else {
			here = append(here, m)
		}
	}
	if len(away) == 0 {
		return e.playHere(ctx, here)
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var parts sync.WaitGroup
	for _, play := range []func() error{func() error { return e.playHere(ctx, here) }, func() error { return e.playAway(ctx, away) }} {
		parts.Go(func() {
			if err := rescue.Call(play); err != nil {
				stop(err)
			}
		})
	}
	parts.Wait()
	return context.Cause(ctx)
}

func (e *Event) playHere(ctx context.Context, matches []*Match) error {
	if len(matches) == 0 {
		return nil
	}
	var terms []Match // copies, because results are added to the matches while games are played
	for _, m := range matches {
		terms = append(terms, *m)
	}
	do := func(ctx context.Context, u work.Unit) ([]byte, error) {
		var args gameArgs
		if err := json.Unmarshal(u.Args, &args); err != nil {
			return nil, err
		}
		return terms[args.Match].doUnit(ctx, u)
	}
	return playGames(ctx, work.Pool{Jobs: e.Jobs, Kinds: work.Kinds{gameKind: do}}, matches)
}

// playAway plays matches on their Queue. If the queue withdraws games, they are played again. If the queue cannot play a game,
// the matches continue in this process.
func (e *Event) playAway(ctx context.Context, matches []*Match) error {
	for {
		err := playGames(ctx, matches[0].Queue, matches)
		if errors.As(err, new(*work.DeadError)) {
			for _, m := range matches {
				m.Queue = nil
			}
			return e.playHere(ctx, matches)
		}
		wrong := new(work.WithdrawnError)
		if !errors.As(err, &wrong) {
			return err
		}
		first := wrong.First // index of the first wrong game among all games of this call of playGames
		for _, m := range matches {
			kept := m.before + min(first, len(m.Played)-m.before)
			first = max(first-(m.Games-m.before), 0)
			if err := m.cut(kept); err != nil {
				return err
			}
		}
	}
}

// playGames plays the missing games of matches on queue, and counts their results in order.
func playGames(ctx context.Context, queue work.Queue, matches []*Match) error {
	var missing []iter.Seq2[work.Unit, error]
	for i, m := range matches {
		b := newBook(*m)
		if err := m.recount(b); err != nil {
			return err
		}
		missing = append(missing, m.gameUnits(i, b))
	}
	units := func(yield func(work.Unit, error) bool) {
		for _, games := range missing {
			for u, err := range games {
				if !yield(u, err) {
					return
				}
			}
		}
	}
	left := matches // matches that are not over; the next result belongs to the first of them
	err := queue.Run(ctx, units, func(_ int, played []byte) error {
		for left[0].over() {
			left = left[1:]
		}
		return left[0].addGame(played)
	})
	if errors.Is(err, errDecided) {
		return nil
	}
	return err
}

// over reports whether the match needs no more games.
func (m *Match) over() bool { return len(m.Played) >= m.Games || m.tally.decided() }

// cut removes all games except the first n from Played and from the Keeper.
func (m *Match) cut(n int) error {
	if n == len(m.Played) {
		return nil
	}
	m.Played = m.Played[:n]
	if m.Keep == nil {
		return nil
	}
	return m.Keep.Cut(n)
}

// recount counts the games that Played contains before play begins. It returns an error if they do not fit the match and the
// openings of b.
func (m *Match) recount(b *book) error {
	m.Played = slices.Clip(m.Played) // append must not write into the caller's array
	m.tally, m.before = &Tally{SPRT: m.SPRT}, len(m.Played)
	for i, g := range m.Played {
		opening, err := b.opening(i)
		if err != nil {
			return err
		}
		fits := g.A == seatOfA(i) && g.Opening == len(opening) && slices.Equal(g.Moves[:g.Opening], opening)
		if g.Index != i || !fits && m.Opening == "" {
			return fmt.Errorf("game %d of the games already played does not belong to this match", i)
		}
		if m.tally.Add(g); m.tally.decided() {
			return nil
		}
	}
	return nil
}
