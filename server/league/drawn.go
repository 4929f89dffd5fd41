// SPDX-License-Identifier: Apache-2.0

package league

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/notation/record"
	"github.com/krow-lab/krow/player/bot"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/server/match"
)

// maxDrawn is the maximum size, in bytes of JSON, of the marks that bots draw on the board during a game. If the marks of a game
// are larger in total, the last of them are not kept.
const maxDrawn = 8 << 10

// drawings contains the marks that bots drew on the board in the two games of a fixture. The key of a drawing is the bot's name
// and the moves before the drawing. Several goroutines may use drawings, because both games may be in progress at once.
type drawings struct {
	mu sync.Mutex
	of map[string][]bot.Mark
}

// drawingBot is a bot that keeps its drawings: Move adds the drawings of each move to the field named of, which contains the
// drawings of the fixture.
type drawingBot struct {
	*bot.Bot
	of     *drawings
	member string
	marks  []bot.Mark // drawings since the bot's last move
}

// Move returns the bot's move, and keeps the drawings that the bot made for it.
func (b *drawingBot) Move(ctx context.Context, p game.Position, lim search.Limits) (game.Move, error) {
	m, err := b.Bot.Move(ctx, p, lim)
	if ctx.Err() == nil {
		b.of.add(b.member, p, b.marks)
		b.marks = nil
	}
	return m, err
}

func drawingKey(member string, before []game.Move) string { return fmt.Sprint(member, before) }

func (d *drawings) add(member string, p game.Position, marks []bot.Mark) {
	if len(marks) == 0 {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.of == nil {
		d.of = map[string][]bot.Mark{}
	}
	d.of[drawingKey(member, p.AppendHistory(nil))] = marks
}

// ofGame returns the drawings made in game g as JSON, or nil if there are none.
func (d *drawings) ofGame(g record.Game) json.RawMessage {
	d.mu.Lock()
	defer d.mu.Unlock()
	p := g.Rules.Start()
	var all []match.Drawn
	size := 0
	// The last position is included, because a bot that forfeited the game there may have drawn on it.
	for ply := 0; ply <= len(g.Moves) && len(d.of) > 0; ply++ {
		if marks := d.of[drawingKey(g.Names[p.Turn()], g.Moves[:ply])]; marks != nil {
			drawn := match.Drawn{Ply: ply, Marks: marks}
			text, err := json.Marshal(drawn)
			if size += len(text) + 1; err != nil || size > maxDrawn {
				break
			}
			all = append(all, drawn)
		}
		if ply < len(g.Moves) {
			p.Play(g.Moves[ply])
		}
	}
	if len(all) == 0 {
		return nil
	}
	text, _ := json.Marshal(all) // no error: each element was marshalled above
	return text
}
