// SPDX-License-Identifier: Apache-2.0

package request

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/krow-lab/krow/app/diagram"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/humanize"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/bot"
	"github.com/krow-lab/krow/search"
)

// Trial is a game in which the author of a bot tries the bot. The author sees the time and the steps of each move, and the
// texts and drawings of the bot.
type Trial struct {
	Position game.Board // position at the start of the trial; Play plays the moves of the trial in this position
	Side     game.Side  // side of the bot
	Bot      bot.Program
	Opponent func(seed uint64) (player.Player, error)
	Seed     uint64
	Time     time.Duration // time limit for each move of the opponent; 0 means the limit in the opponent's spec
	Plies    int           // number of moves after which the trial stops; 0 means that it stops at the end of the game
}

// TrialMove is a move of a trial.
type TrialMove struct {
	Ply    int           `json:"ply" doc:"number of moves before this one"`
	Move   string        `json:"move"`
	Bot    bool          `json:"bot" doc:"whether the tested bot made the move"`
	Micros int64         `json:"micros" doc:"time that the move took, in microseconds"`
	Steps  uint64        `json:"steps,omitempty" doc:"steps that the bot took"`
	Lines  []bot.Line    `json:"lines,omitempty" doc:"texts and drawings of the bot"`
	Board  diagram.Board `json:"board" doc:"the board after the move"`
}

// String returns the output of the bot, a line for each text and each drawing, and then a line for the move.
func (m TrialMove) String() string {
	text := fmt.Sprintf("%s%3d  ", LinesText(m.Lines, m.Board.Columns), m.Ply+1)
	if m.Bot {
		return text + fmt.Sprintf("%-4s %d steps, %.1f ms", m.Move, m.Steps, float64(m.Micros)/1000)
	}
	return text + m.Move
}

// LinesText returns the output of a bot as text: a line for each text, and a line for the marks that it drew together on a board
// with a number of columns.
func LinesText(lines []bot.Line, columns int) (text string) {
	for _, l := range lines {
		if l.Text != "" {
			text += fmt.Sprintf("     | %s\n", humanize.OneLine(l.Text, 2000))
		}
		var marks []string
		for _, k := range l.Marks {
			marks = append(marks, strings.TrimSpace(game.FormatCell(k.Cell, columns)+" "+humanize.OneLine(k.Text, 20)+" "+k.Colour))
		}
		if len(marks) > 0 {
			text += fmt.Sprintf("     | drawn: %s\n", strings.Join(marks, ", "))
		}
	}
	return text
}

// TrialEnd is the result of a trial.
type TrialEnd struct {
	Outcome string `json:"outcome" enum:"ongoing,first wins,second wins,draw"`
	Reason  string `json:"reason,omitempty" doc:"why a side forfeited"`
	Bot     bool   `json:"bot,omitempty" doc:"whether the tested bot forfeited"`

	Lines []bot.Line `json:"lines,omitempty" doc:"output of the bot before it forfeited"`
}

// maxLines is the maximum number of texts and drawings of a bot that are stored for a move.
const maxLines = 200

// Play plays the game, and calls tell after each move. If a player fails, the game ends and TrialEnd contains the reason. Play
// returns an error if tell fails, if ctx is done, or if the opponent cannot be made.
func (t *Trial) Play(ctx context.Context, tell func(TrialMove) error) (end TrialEnd, err error) {
	var lines []bot.Line
	own, err := bot.Open(t.Position.Game(), t.Bot, bot.Options{Seed: t.Seed, Log: func(l bot.Line) {
		if len(lines) < maxLines {
			lines = append(lines, l)
		}
	}})
	if err != nil {
		return TrialEnd{Outcome: game.Ongoing.String(), Reason: reason(player.Human{}, err), Bot: true}, nil
	}
	defer player.Close(own)
	other, err := t.Opponent(t.Seed)
	if err != nil {
		return end, err
	}
	defer player.Close(other)
	for plies := 0; t.Position.Outcome() == game.Ongoing && (t.Plies == 0 || plies < t.Plies); plies++ {
		mine := t.Position.Turn() == t.Side
		p, lim := other, search.Limits{Time: t.Time}
		if mine {
			p, lim = own, search.Limits{}
		}
		lines = nil
		start := time.Now()
		m, err := p.Move(ctx, t.Position, lim)
		took := time.Since(start)
		if ctx.Err() != nil {
			return end, ctx.Err()
		}
		ply := t.Position.Ply()
		if err == nil {
			err = game.Play(t.Position, m)
		}
		if err != nil {
			loser := t.Position.Turn()
			return TrialEnd{game.WinFor(loser.Other()).String(), reason(p, err), mine, lines}, nil
		}
		var steps uint64
		for _, l := range lines {
			steps = max(steps, l.Steps)
		}
		move := TrialMove{
			Ply: ply, Move: t.Position.Game().Format(m), Bot: mine, Micros: took.Microseconds(), Steps: steps, Lines: lines, Board: diagram.New(t.Position),
		}
		if err := tell(move); err != nil {
			return end, err
		}
	}
	return TrialEnd{Outcome: t.Position.Outcome().String()}, nil
}

// reason returns why a player forfeits. For a bot, it returns the text of the fault without the bot's name, because only the
// author of the bot reads the text.
func reason(p player.Player, err error) string {
	if f, ok := errors.AsType[*bot.Failure](err); ok {
		return f.Fault.String()
	}
	return fmt.Sprintf("%s: %v", p.Name(), err)
}
