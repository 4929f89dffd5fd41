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

// Away is a bot that is a program on its author's machine.
type Away struct {
	Name      string    `json:"name"`
	Connected bool      `json:"connected"`
	Created   time.Time `json:"created"`
}

// maxAway is how many such bots an author may have.
const maxAway = 50

// Token makes a token by which a program on another machine becomes the bot of a name, and the bot if there is none. Earlier
// tokens of the bot no longer hold. The store keeps a hash of it.
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

// Away returns the author's bots that are programs on other machines, by name.
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

// Part ends the connections of all the author's bots.
func (b *Bots) Part() error {
	all, err := b.Away()
	for _, x := range all {
		b.hub.part(x.Name)
	}
	return err
}

// DeleteAway forgets a bot that is a program on another machine, and its token.
func (b *Bots) DeleteAway(name string) error {
	x, err := b.db.AwayBot(name)
	if err == nil && x.Author != b.author {
		err = fmt.Errorf("bot %s: %w", name, store.ErrNoBot)
	}
	if err != nil {
		return err
	}
	b.hub.part(x.Name)
	return b.db.DeleteAwayBot(x.Name)
}

// Question is a question to a program elsewhere. Its fields of time are milliseconds.
type Question struct {
	ID       int64  `json:"id"`
	Match    int64  `json:"match" doc:"which game it is of"`
	Game     string `json:"game" doc:"spec"`
	Seed     uint64 `json:"seed"`
	Position string `json:"position,omitempty" doc:"the line of UGI, as docs/reference/ugi.md has it"`
	Time     int64  `json:"time,omitempty" doc:"by when the answer must be sent"`
	Left     int64  `json:"left,omitempty" doc:"on the clock of the bot, if there are clocks"`
	Over     bool   `json:"over,omitempty" doc:"the game is over, and nothing is asked"`
}

// Hub asks the programs that are connected to a server, which owns it. To a nil Hub nothing is connected.
type Hub struct {
	db   *store.Store
	back func() // called when a bot has come

	mu    sync.Mutex
	count int64 // of questions and games
	lines map[string]*line
}

// line is the state of a bot's connection, by its name in lower case.
type line struct {
	name    string
	out     chan Question // nil while it is away
	pending map[int64]*pending
}

type pending struct {
	question Question
	until    time.Time
	answer   chan string
}

const (
	maxPending = 64
	// patience is how long a bot without a clock is waited for.
	patience = time.Minute
	// way is how much earlier than its time a bot must answer, for the way of the answer; a tenth of the time where that is less.
	way = 500 * time.Millisecond
)

// NewHub returns the hub of a store. back is called when a bot has come that may have been waited for.
func NewHub(db *store.Store, back func()) *Hub {
	return &Hub{db: db, back: back, lines: map[string]*line{}}
}

// Close ends all connections.
func (h *Hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, l := range h.lines {
		l.close()
	}
}

func (l *line) close() {
	if l.out != nil {
		close(l.out)
		l.out = nil
	}
}

// of returns the line of a bot. The caller holds the lock.
func (h *Hub) of(name string) *line {
	key := strings.ToLower(name)
	l := h.lines[key]
	if l == nil {
		l = &line{name: name, pending: map[int64]*pending{}}
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
	return h.of(name).out != nil
}

// Connected returns the names of the bots that are there, in order.
func (h *Hub) Connected() (names []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, l := range h.lines {
		if l.out != nil {
			names = append(names, l.name)
		}
	}
	slices.Sort(names)
	return names
}

// part ends the connection of a bot.
func (h *Hub) part(name string) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.of(name).close()
}

// Holds returns an error unless a token is of a bot whose author may connect it.
func (h *Hub) Holds(token string) error {
	_, err := h.botOf(token)
	return err
}

// botOf returns the bot of a token.
func (h *Hub) botOf(token string) (store.AwayBot, error) {
	b, err := h.db.AwayBotOf(hashOf(token))
	if errors.Is(err, store.ErrNoBot) {
		err = ErrToken
	}
	return b, err
}

// Connect returns the name of the bot with a token, and its questions: first the unanswered ones. The channel is
// closed when another program connects with the token, or the hub closes. leave ends the connection.
func (h *Hub) Connect(token string) (name string, questions <-chan Question, leave func(), err error) {
	b, err := h.botOf(token)
	if err != nil {
		return "", nil, nil, err
	}
	h.mu.Lock()
	l := h.of(b.Name)
	l.close()
	out := make(chan Question, 2*maxPending)
	l.out = out
	for _, p := range l.pending {
		out <- p.now()
	}
	h.mu.Unlock()
	h.back()
	return b.Name, out, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if l.out == out {
			l.close()
		}
	}, nil
}

// now returns the question with the time that is left for it.
func (p *pending) now() Question {
	q := p.question
	q.Time = max(time.Until(p.until).Milliseconds(), 1)
	return q
}

// Answer takes the move that the bot of a token answers a question with. An empty move says that it has none.
func (h *Hub) Answer(token string, id int64, move string) error {
	b, err := h.botOf(token)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	l := h.of(b.Name)
	p := l.pending[id]
	if p == nil {
		return ErrAnswered
	}
	delete(l.pending, id)
	p.answer <- move // has room
	return nil
}

// These errors are about questions to bots that are away.
var (
	// ErrToken is returned for a token that no bot has.
	ErrToken = fault.New("bad-token", "no bot has this token")
	// ErrAnswered is returned for an answer that comes too late, or twice.
	ErrAnswered = fault.New("late-answer", "nobody waits for this answer")
	// ErrAway is the error of a bot that has not answered in time, and of one that cannot be asked from here.
	ErrAway = errors.New("its program has not answered")
)

// askProgram asks a bot and returns its answer. It waits for the bot, also if it is not there.
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
	l.pending[p.question.ID] = p
	l.say(p.now())
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
	delete(l.pending, p.question.ID)
	h.mu.Unlock()
	select {
	case answer := <-p.answer: // at the last moment
		return answer, nil
	default:
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return "", ctx.Err()
	}
	return "", fmt.Errorf("bot %s: %w (%w)", name, ErrAway, player.ErrTimeout)
}

// say sends to a program that is there. One that does not read is gone. The caller holds the lock.
func (l *line) say(q Question) {
	if l.out == nil {
		return
	}
	select {
	case l.out <- q:
	default:
		l.close()
	}
}

// awayPlayer is a bot that is away, in a game.
type awayPlayer struct {
	h     *Hub
	name  string
	g     game.Game
	match int64
	seed  uint64
	clock clock.Clock
}

// players returns a function that makes the players of a remote bot.
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

// SetClock tells the bot its clock with the next question.
func (a *awayPlayer) SetClock(c clock.Clock) { a.clock = c }

// Remembers says that the program may keep what it thought.
func (a *awayPlayer) Remembers() bool { return true }

// Patience is how long the program is waited for without a clock. It does not think on this machine.
func (a *awayPlayer) Patience() time.Duration { return patience }

// Move asks the program.
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

// Close tells the program that the game is over, if it is there.
func (a *awayPlayer) Close() error {
	a.h.mu.Lock()
	defer a.h.mu.Unlock()
	a.h.of(a.name).say(Question{Match: a.match, Game: a.g.String(), Over: true})
	return nil
}

// Answerer answers questions with players of this machine, one for each game that it is asked about.
type Answerer struct {
	Open func(g game.Game, seed uint64) (player.Player, error)
	Game func(spec string) (game.Game, error)

	games map[int64]player.Player
	order []int64
}

// maxAnswered is the limit of games at once. Above it the player of the oldest game is closed, and made again when it
// is needed.
const maxAnswered = 16

// Answer returns the move with which to answer a question, or "" where there is nothing to answer.
func (a *Answerer) Answer(ctx context.Context, q Question) (string, error) {
	if q.Over {
		a.drop(q.Match)
		return "", nil
	}
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

// thinking is how long to think about a question: a thirtieth of the clock, or where there is none half of the time to answer, at
// most five seconds.
func thinking(q Question) time.Duration {
	t := time.Duration(q.Time) * time.Millisecond / 2
	if q.Left > 0 {
		t = min(t, time.Duration(q.Left)*time.Millisecond/30)
	}
	return min(t, 5*time.Second)
}

func (a *Answerer) drop(match int64) {
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
func (a *Answerer) Close() {
	for len(a.order) > 0 {
		a.drop(a.order[0])
	}
}
