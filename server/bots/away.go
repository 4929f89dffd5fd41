// SPDX-License-Identifier: Apache-2.0

package bots

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/game/clock"
	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/bot"
	"github.com/krow-lab/krow/player/ugi"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/server/store"
)

// Away is a remote bot: a program that runs on its author's machine.
type Away struct {
	Name      string    `json:"name"`
	Connected bool      `json:"connected"`
	Created   time.Time `json:"created"`
}

// maxAway is the maximum number of remote bots of one author.
const maxAway = 50

// Token returns a new token, with which a program on another machine connects as the bot with this name. It creates the bot if
// there is none. Earlier tokens of the bot become invalid. The store keeps only a hash of the token.
func (b *Bots) Token(name string) (token string, err error) {
	if err := bot.CheckName(name); err != nil {
		return "", badBot(err.Error())
	}
	token = "krow-bot-" + strings.ToLower(rand.Text())
	if err := b.db.SetAwayBot(store.AwayBot{Name: name, Author: b.author}, hashOf(token), maxAway); err != nil {
		return "", err
	}
	b.hub.part(name)
	return token, nil
}

// hashOf returns the hash of a token for the store. A plain hash is enough, because a token is long and random.
func hashOf(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// Away returns the author's remote bots, sorted by name.
func (b *Bots) Away() ([]Away, error) {
	all, err := b.db.AwayBots()
	list := []Away{}
	for _, x := range all {
		if x.Author == b.author {
			list = append(list, Away{x.Name, b.hub.connected(x.Name), x.Created.UTC()})
		}
	}
	return list, err
}

// Part disconnects the programs of all the author's remote bots.
func (b *Bots) Part() error {
	all, err := b.Away()
	for _, x := range all {
		b.hub.part(x.Name)
	}
	return err
}

// DeleteAway deletes a remote bot and its token.
func (b *Bots) DeleteAway(name string) error {
	x, err := b.db.AwayBot(name)
	if err == nil && x.Author != b.author {
		err = fmt.Errorf("bot %s: %w", name, store.ErrNoBot)
	}
	if err != nil {
		return err
	}
	if err := b.db.DeleteAwayBot(x.Name); err != nil {
		return err
	}
	b.hub.part(x.Name) // the bot's program learns that its token is no longer valid
	return nil
}

// Question is a request for a move, sent to the program of a remote bot. Its times are in milliseconds.
type Question struct {
	ID       int64  `json:"id"`
	Match    int64  `json:"match" doc:"number of the game in progress"`
	Game     string `json:"game" doc:"spec of the game"`
	Seed     uint64 `json:"seed"`
	Position string `json:"position" doc:"the position as a line of UGI, see docs/reference/ugi.md"`
	Time     int64  `json:"time" doc:"milliseconds until the answer must be sent"`
	Left     int64  `json:"left,omitempty" doc:"milliseconds left on the bot's clock, if there are clocks"`
}

// Hub passes questions to the programs of remote bots, which poll the server for them. A server has one Hub. Remote bots cannot
// play in a process without a Hub.
type Hub struct {
	db   *store.Store
	back func() // called when a bot connects

	mu    sync.Mutex
	count int64 // last number that was given to a question or to a player of a game
	lines map[string]*line
}

// line is the state of the connection of a bot. Its key in Hub.lines is the name of the bot in lower case.
type line struct {
	name string
	// waiting receives a value when a question comes, and is closed to end the request that waits for a question. It is nil if
	// no request waits.
	waiting chan struct{}
	until   time.Time  // time limit of the question that the program is answering
	pending []*pending // unanswered questions, the oldest first
}

type pending struct {
	question Question
	until    time.Time
	answer   chan string
}

const (
	maxPending = 64
	// patience is the time limit of a question in a game without a clock.
	patience = time.Minute
	// The bot must answer some time before the limit ends, because the transfer of the answer takes time. This reserve is a tenth
	// of the limit; the constant way is its maximum.
	way = 500 * time.Millisecond
	// returnTime is the time in which a program must send its next request after an answer without a question.
	returnTime = 5 * time.Second
	// pollTime is the maximum time that a program's request waits for a question.
	pollTime = 25 * time.Second
)

// NewHub returns the hub of a store. The hub calls back() whenever a bot connects, because games may be waiting for that bot.
func NewHub(db *store.Store, back func()) *Hub {
	return &Hub{db: db, back: back, lines: map[string]*line{}}
}

// end ends the request that waits for a question, if there is one.
func (l *line) end() {
	if l.waiting != nil {
		close(l.waiting)
	}
	l.waiting, l.until = nil, time.Time{}
}

// connected reports whether the program is waiting for a question or has one to answer.
func (l *line) connected() bool { return l.waiting != nil || time.Now().Before(l.until) }

// of returns the line of a bot. If the bot has none, of creates it. The caller holds the lock.
func (h *Hub) of(name string) *line {
	key := strings.ToLower(name)
	l := h.lines[key]
	if l == nil {
		l = &line{name: name}
		h.lines[key] = l
	}
	return l
}

func (h *Hub) connected(name string) bool {
	if h == nil {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.of(name).connected()
}

// Connected returns the names of the connected bots, sorted.
func (h *Hub) Connected() (names []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, l := range h.lines {
		if l.connected() {
			names = append(names, l.name)
		}
	}
	slices.Sort(names)
	return names
}

// part ends the waiting request of a bot.
func (h *Hub) part(name string) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.of(name).end()
}

// botOf returns the bot to which a token belongs. It returns an error if there is no such bot, or if the bot's author is
// banned.
func (h *Hub) botOf(token string) (store.AwayBot, error) {
	b, err := h.db.AwayBotOf(hashOf(token))
	if errors.Is(err, store.ErrNoBot) {
		err = errToken
	}
	return b, err
}

// Asked is the server's answer to a program that polls for a question.
type Asked struct {
	Name     string    `json:"name" doc:"name of the bot"`
	Question *Question `json:"question,omitempty" doc:"the next question; it is missing if there was none in time"`
	Replaced bool      `json:"replaced,omitempty" doc:"another program has connected with the same token and replaces this one"`
}

// AskedMove is a program's answer to the previous question.
type AskedMove struct {
	ID   int64  `json:"id,omitempty" doc:"ID of the question; 0: no question was answered"`
	Move string `json:"move,omitempty" maxLength:"100" doc:"the move; if it is empty, the bot has no move and forfeits"`
	// First lets a program say at once that it is connected.
	First bool `json:"first,omitempty" doc:"whether the program has just connected; it is then answered at once, even without a question"`
}

// Next accepts the bot's answer a to an earlier question, and returns the oldest unanswered question for the bot with this
// token. It waits up to [pollTime] for a question. An answer that arrives too late is ignored.
func (h *Hub) Next(ctx context.Context, token string, a AskedMove) (Asked, error) {
	b, err := h.botOf(token)
	if err != nil {
		return Asked{}, err
	}
	got := Asked{Name: b.Name}
	h.mu.Lock()
	l := h.of(b.Name)
	if i := slices.IndexFunc(l.pending, func(p *pending) bool { return p.question.ID == a.ID }); i >= 0 {
		l.pending[i].answer <- a.Move // does not block: the channel has room for one answer
		l.pending = slices.Delete(l.pending, i, i+1)
	}
	came := !l.connected()
	l.end()
	waiting := make(chan struct{}, 1)
	l.waiting = waiting
	h.mu.Unlock()
	if came {
		h.back()
	}
	wait := pollTime
	if a.First {
		wait = 0
	}
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if l.waiting == waiting {
			l.waiting = nil
		}
	}()
	over := time.NewTimer(wait)
	defer over.Stop()
	for {
		if got.Question = h.oldest(l, waiting); got.Question != nil {
			return got, nil
		}
		select {
		case _, open := <-waiting:
			if !open {
				_, err := h.botOf(token) // err is not nil if the bot was deleted
				got.Replaced = true
				return got, err
			}
		case <-over.C:
			h.mu.Lock()
			defer h.mu.Unlock()
			if l.waiting == waiting {
				l.waiting, l.until = nil, time.Now().Add(returnTime)
			}
			return got, nil
		case <-ctx.Done():
			return got, ctx.Err()
		}
	}
}

// oldest returns the oldest unanswered question of a line, with the time that remains for the answer. It returns nil if there
// is no question, or if the request with the channel waiting no longer waits for one.
func (h *Hub) oldest(l *line, waiting chan struct{}) *Question {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(l.pending) == 0 || l.waiting != waiting {
		return nil
	}
	q := l.pending[0].question
	l.until = l.pending[0].until
	q.Time = max(time.Until(l.until).Milliseconds(), 1)
	return &q
}

// The errors of remote bots.
var (
	// errToken is returned for a token that belongs to no bot.
	errToken = fault.New("bad-token", "no bot has this token")
	// errAway is returned for a bot whose program has not answered in time.
	errAway = errors.New("its program has not answered")
)

// askProgram asks the program of a bot and returns its answer. The parameter wait is the maximum time for the answer, even if
// the bot is not connected.
func (h *Hub) askProgram(ctx context.Context, name string, q Question, wait time.Duration) (string, error) {
	p := &pending{question: q, until: time.Now().Add(wait - min(wait/10, way)), answer: make(chan string, 1)}
	h.mu.Lock()
	l := h.of(name)
	if len(l.pending) >= maxPending {
		h.mu.Unlock()
		return "", fmt.Errorf("bot %s is asked too much at once", name)
	}
	h.count++
	p.question.ID = h.count
	l.pending = append(l.pending, p)
	select {
	case l.waiting <- struct{}{}:
	default: // no request waits, or it was already notified
	}
	h.mu.Unlock()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case answer := <-p.answer:
		return answer, nil
	case <-timer.C:
	case <-ctx.Done():
	}
	h.mu.Lock()
	l.pending = slices.DeleteFunc(l.pending, func(o *pending) bool { return o == p })
	h.mu.Unlock()
	select {
	case answer := <-p.answer: // the answer came just before the time ended
		return answer, nil
	default:
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return "", ctx.Err()
	}
	return "", fmt.Errorf("bot %s: %w (%w)", name, errAway, player.ErrTimeout)
}

// awayPlayer is a remote bot as a player of one game.
type awayPlayer struct {
	h     *Hub
	name  string
	g     game.Game
	match int64
	seed  uint64
	clock clock.Clock
}

// players returns a function that creates players whose moves come from the remote bot with this name.
func (h *Hub) players(g game.Game, name string) (func(seed uint64) (player.Player, error), error) {
	if h == nil {
		return nil, &spec.Error{Msg: "bot " + name + " is a program on its author's machine", Hint: "it plays on the server to which it is connected"}
	}
	return func(seed uint64) (player.Player, error) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.count++
		return &awayPlayer{h: h, name: name, g: g, match: h.count, seed: seed}, nil
	}, nil
}

func (a *awayPlayer) Name() string { return a.name }

// SetClock sets the clock that is sent to the bot with the next question.
func (a *awayPlayer) SetClock(c clock.Clock) { a.clock = c }

// Remembers returns true, because the program may keep data between moves.
func (a *awayPlayer) Remembers() bool { return true }

// Patience returns the time limit of a move if there is no clock. It is long, because the program does not use this machine's
// cores.
func (a *awayPlayer) Patience() time.Duration { return patience }

// Move asks the program for a move.
func (a *awayPlayer) Move(ctx context.Context, p game.Position, lim search.Limits) (game.Move, error) {
	wait := lim.Time
	if until, ok := ctx.Deadline(); ok && (wait == 0 || time.Until(until) < wait) {
		wait = time.Until(until)
	}
	if wait == 0 {
		wait = patience
	}
	q := Question{
		Match: a.match, Game: a.g.String(), Seed: a.seed, Position: ugi.FormatPosition(p), Left: a.clock.Left().Milliseconds(),
	}
	answer, err := a.h.askProgram(ctx, a.name, q, wait)
	if err != nil {
		return game.NoMove, err
	}
	m, err := a.g.Parse(answer)
	if err == nil && !game.Legal(p, m) {
		err = errors.New("no legal move")
	}
	if err != nil {
		return game.NoMove, fmt.Errorf("bot %s answers %.40q: %w", a.name, answer, err)
	}
	return m, nil
}

// answerer answers questions with players on this machine, one player for each game.
type answerer struct {
	Open func(g game.Game, seed uint64) (player.Player, error)
	Game func(spec string) (game.Game, error)

	games map[int64]player.Player
	order []int64
}

// maxAnswered is the maximum number of players. If there are more games, the player of the oldest game is closed; it is made
// again when that game has another question.
const maxAnswered = 8

// Answer returns a move for a question.
func (a *answerer) Answer(ctx context.Context, q Question) (string, error) {
	g, err := a.Game(q.Game)
	if err != nil {
		return "", err
	}
	p, err := ugi.ParsePosition(g, strings.TrimPrefix(q.Position, "position "))
	if err != nil {
		return "", err
	}
	pl := a.games[q.Match]
	if pl == nil {
		if pl, err = a.Open(g, q.Seed); err != nil {
			return "", err
		}
		if a.games == nil {
			a.games = map[int64]player.Player{}
		}
		a.games[q.Match] = pl
		a.order = append(a.order, q.Match)
		if len(a.order) > maxAnswered {
			a.drop(a.order[0])
		}
		if s, ok := pl.(player.Starter); ok {
			if err := s.Start(); err != nil {
				a.drop(q.Match)
				return "", err
			}
		}
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(q.Time)*time.Millisecond)
	defer cancel()
	m, err := pl.Move(ctx, p, search.Limits{Time: thinking(q)})
	if err != nil {
		a.drop(q.Match)
		return "", err
	}
	return g.Format(m), nil
}

// thinking returns how long a player may think about a question: half of the time limit of the answer, but at most five seconds
// and, if there is a clock, at most a thirtieth of the time left on it.
func thinking(q Question) time.Duration {
	t := time.Duration(q.Time) * time.Millisecond / 2
	if q.Left > 0 {
		t = min(t, time.Duration(q.Left)*time.Millisecond/30)
	}
	return min(t, 5*time.Second)
}

func (a *answerer) drop(match int64) {
	if pl := a.games[match]; pl != nil {
		player.Close(pl)
		delete(a.games, match)
	}
	for i, m := range a.order {
		if m == match {
			a.order = append(a.order[:i], a.order[i+1:]...)
			break
		}
	}
}

// Close closes all players.
func (a *answerer) Close() {
	for len(a.order) > 0 {
		a.drop(a.order[0])
	}
}
