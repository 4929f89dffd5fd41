// SPDX-License-Identifier: Apache-2.0

// Package bots keeps the bots that people write: the versions of each, and the one that is published.
//
// # Basics
//
//	mine := bots.Of(db, bots.Everybody, nil)
//	version, err := mine.Save("fork", source)
//	b, err := mine.Publish("fork", version)
//	ref, is, err := bots.ParseRef("bot:fork") // in any face
//	ref, players, err := bots.Players(db, nil, g, ref)
//
// # Caveats
//
// Text and versions of a bot are for its author alone; everybody may play against the published version. A text that is
// the newest version already is no new version. At most 500 versions of a bot are kept: the oldest that never was published
// goes first.
package bots

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/bot"
	"github.com/krow-lab/krow/server/store"
)

// Everybody is the author where there are no members: one person uses the page.
const Everybody = ""

// room bounds what is kept of bots.
var room = store.BotRoom{Bots: 1000, Versions: 500, Bytes: 64 << 20}

// Bots are the bots of a store as an author sees them.
type Bots struct {
	db     *store.Store
	author string
	hub    *Hub
}

// Of returns the bots of an author. hub is the server's hub; it is nil without a server.
func Of(db *store.Store, author string, hub *Hub) *Bots { return &Bots{db, author, hub} }

// Bot is a bot in a list.
type Bot struct {
	Name      string    `json:"name"`
	Kind      string    `json:"kind" enum:"starlark,wasm"`
	Published int       `json:"published" doc:"version that plays for everybody; 0: none"`
	Latest    int       `json:"latest" doc:"newest version"`
	Updated   time.Time `json:"updated"`
}

// Version is a version of a bot.
type Version struct {
	Version   int       `json:"version"`
	Size      int       `json:"size" doc:"bytes"`
	Published bool      `json:"published" doc:"it was published once, and stays"`
	At        time.Time `json:"at"`
}

func listed(b store.Bot) Bot {
	return Bot{b.Name, b.Kind, b.Published, b.Latest, b.Updated.UTC()}
}

// Published returns the published bots of all authors, the most recently changed first.
func Published(db *store.Store) (list []Bot, err error) {
	all, err := db.Bots()
	for _, x := range all {
		if x.Published > 0 {
			list = append(list, listed(x))
		}
	}
	return list, err
}

// List returns the author's bots, the most recently changed first.
func (b *Bots) List() (list []Bot, err error) {
	all, err := b.db.Bots()
	list = []Bot{}
	for _, x := range all {
		if x.Author == b.author {
			list = append(list, listed(x))
		}
	}
	return list, err
}

// Find returns a bot of the author.
func (b *Bots) find(name string) (store.Bot, error) {
	x, err := b.db.Bot(name)
	if err == nil && x.Author != b.author {
		err = fmt.Errorf("bot %s: %w", name, store.ErrNoBot)
	}
	return x, err
}

// Find returns a bot of the author, with its versions, the newest first.
func (b *Bots) Find(name string) (Bot, []Version, error) {
	x, err := b.find(name)
	if err != nil {
		return Bot{}, nil, err
	}
	all, err := b.db.BotVersions(x.Name)
	versions := []Version{}
	for _, v := range all {
		versions = append(versions, Version{v.Version, v.Size, v.Kept, v.At.UTC()})
	}
	return listed(x), versions, err
}

// Program returns a version of a bot of the author; 0 is the newest.
func (b *Bots) Program(name string, version int) (bot.Program, error) {
	x, err := b.find(name)
	if err != nil {
		return bot.Program{}, err
	}
	return program(b.db, x, version)
}

func program(db *store.Store, x store.Bot, version int) (bot.Program, error) {
	if version == 0 {
		version = x.Latest
	}
	text, err := db.BotText(x.Name, version)
	if err != nil {
		return bot.Program{}, err
	}
	return bot.New(x.Name, text)
}

// Save keeps a source, or a module of WebAssembly, as the newest version of the bot of a name. A broken source is kept too: it
// is the author's draft.
func (b *Bots) Save(name string, text []byte) (version int, err error) {
	p, err := bot.New(name, text)
	if err != nil {
		return 0, badBot(err.Error())
	}
	return b.db.AddBotVersion(store.Bot{Name: name, Author: b.author, Kind: p.Kind.String()}, text, room)
}

// badBot returns the error of a bot that cannot be kept, for the author and for the command line.
func badBot(text string) error { return fault.As("bad-bot", &spec.Error{Msg: text}) }

// at returns the message of a fault, with its place if that is known.
func at(f bot.Fault) string {
	if f.Line > 0 {
		return fmt.Sprintf("line %d: %s", f.Line, f.Text)
	}
	return f.Text
}

// SaveModule is Save for a text that must be a WebAssembly module.
func (b *Bots) SaveModule(name string, module []byte) (version int, err error) {
	if !bytes.HasPrefix(module, []byte("\x00asm\x01\x00\x00\x00")) {
		return 0, badBot("this is no module of WebAssembly")
	}
	return b.Save(name, module)
}

// errBroken is returned for a bot that cannot play.
var errBroken = fault.New("bad-bot", "a broken bot is not published")

// CheckProgram returns an error if a program cannot be published.
func CheckProgram(p bot.Program) error {
	if err := bot.CheckName(p.Name); err != nil {
		return badBot(err.Error())
	}
	faults := bot.Check(p)
	if len(faults) == 0 {
		return nil
	}
	return fault.Errorf("%w: %s", errBroken, at(faults[0]))
}

// Publish lets everybody play against a version; 0 is the newest.
func (b *Bots) Publish(name string, version int) (Bot, error) {
	x, err := b.find(name)
	if err != nil {
		return Bot{}, err
	}
	if version == 0 {
		version = x.Latest
	}
	p, err := program(b.db, x, version)
	if err != nil {
		return Bot{}, err
	}
	if err := CheckProgram(p); err != nil {
		return Bot{}, err
	}
	return b.publish(x, version)
}

// Withdraw makes a published bot private again. Games in progress keep the version they have.
func (b *Bots) Withdraw(name string) (Bot, error) {
	x, err := b.find(name)
	if err != nil {
		return Bot{}, err
	}
	return b.publish(x, 0)
}

func (b *Bots) publish(x store.Bot, version int) (Bot, error) {
	if err := b.db.PublishBot(x.Name, version); err != nil {
		return Bot{}, err
	}
	x, err := b.find(x.Name)
	return listed(x), err
}

// Delete forgets a bot and its versions.
func (b *Bots) Delete(name string) error {
	x, err := b.find(name)
	if err != nil {
		return err
	}
	return b.db.DeleteBot(x.Name)
}

// Ref names a bot of the store: bot:fork,version=3. It may have other arguments, as bot:FILE has.
type Ref struct {
	Name    string
	Version int // 0: the published one, or where there is none the newest
	By      spec.Trust

	text string
}

const refName = "bot"

// ParseRef reads a spec, and reports whether it names a bot of the store. A spec with a dot or a slash is the name of
// a file.
func ParseRef(text string) (r Ref, is bool, err error) {
	text = strings.TrimSpace(text)
	name, rest, _ := strings.Cut(text, ":")
	if file, _, _ := strings.Cut(rest, ","); name != refName || file == "" || strings.ContainsAny(file, `./\=`) {
		return r, false, nil
	}
	r, _, err = Ref{text: text}.parse()
	return r, true, err
}

// parse returns the reference of its text, and the other arguments.
func (r Ref) parse() (Ref, *spec.Spec, error) {
	s, err := spec.Parse(r.text)
	if err != nil {
		return r, nil, err
	}
	s.By(r.By)
	err = s.Read(append([]spec.Option{spec.Word("name", "NAME", "").At(1), spec.Whole("version", 0, 1, 1_000_000_000)}, krow.BotOptions()...))
	if err != nil {
		return r, nil, err
	}
	r.Name, r.Version = s.String("name"), s.Int("version")
	if err := bot.CheckName(r.Name); err != nil {
		return r, nil, badBot(err.Error())
	}
	return r, s, nil
}

// String returns the spec.
func (r Ref) String() string { return r.text }

// Settle adds the version to a reference that has none, so that it names the same player after a change of the bot.
func Settle(db *store.Store, ref Ref) (Ref, error) {
	x, err := db.Bot(ref.Name)
	if _, none := db.AwayBot(ref.Name); errors.Is(err, store.ErrNoBot) && none == nil {
		return ref, nil // the program of a remote bot has no versions
	}
	if err != nil {
		return ref, err
	}
	if ref.Version == 0 {
		ref.Version = cmp.Or(x.Published, x.Latest)
		ref.text = spec.With(ref.text, fmt.Sprintf("version=%d", ref.Version))
	}
	return ref, nil
}

// Owns reports whether a spec names a bot of the author, in the store or away.
func (b *Bots) Owns(text string) (bool, error) {
	ref, is, err := ParseRef(text)
	if !is || err != nil {
		return false, err
	}
	x, err := b.db.Bot(ref.Name)
	if err == nil {
		return x.Author == b.author, nil
	}
	away, err := b.db.AwayBot(ref.Name)
	return err == nil && away.Author == b.author, err
}

// May reports whether the author may play against the bot that a reference names: against every version of their own bot,
// against published versions of a published one, and against bots that are away. Others do not exist: the error is
// store.ErrNoBot.
func (b *Bots) May(ref Ref) error {
	x, err := b.db.Bot(ref.Name)
	if errors.Is(err, store.ErrNoBot) {
		_, err := b.db.AwayBot(ref.Name)
		return err
	}
	if err != nil || x.Author == b.author || ref.Version == 0 && x.Published > 0 {
		return err
	}
	all, err := b.db.BotVersions(x.Name)
	if err == nil && (x.Published == 0 || !slices.ContainsFunc(all, func(v store.BotVersion) bool { return v.Kept && v.Version == ref.Version })) {
		err = fmt.Errorf("bot %s, version %d: %w", ref.Name, ref.Version, store.ErrNoBot)
	}
	return err
}

// find returns the program that a reference names.
func find(db *store.Store, ref Ref) (Ref, bot.Program, error) {
	ref, err := Settle(db, ref)
	if err != nil {
		return ref, bot.Program{}, err
	}
	x, err := db.Bot(ref.Name)
	if err != nil {
		return ref, bot.Program{}, err
	}
	p, err := program(db, x, ref.Version)
	return ref, p, err
}

// Program returns the program of a reference that is not remote, and the arguments of its spec except name and
// version, each after a comma.
func (r Ref) Program(db *store.Store) (p bot.Program, args string, err error) {
	if _, err := db.AwayBot(r.Name); err == nil {
		return p, "", fmt.Errorf("bot %s plays where it is", r.Name)
	}
	if r, p, err = find(db, r); err != nil {
		return p, "", err
	}
	_, rest, _ := strings.Cut(r.text, ",")
	for arg := range strings.SplitSeq(rest, ",") {
		if key, _, _ := strings.Cut(arg, "="); arg != "" && strings.TrimSpace(key) != "version" {
			args += "," + arg
		}
	}
	return p, args, nil
}

// Enable lets this process play bots. A main function calls it first: the process of a bot is this binary, started again.
func Enable() {
	bot.Serve(krow.Game)
	krow.UsePrograms(bot.ReadPlayer)
}

// Players settles a reference and returns a function that makes its players, which does not need the store. Bots that are
// away play where their hub is.
func Players(db *store.Store, hub *Hub, g game.Game, ref Ref) (Ref, func(seed uint64) (player.Player, error), error) {
	if away, err := db.AwayBot(ref.Name); err == nil {
		open, err := hub.players(g, away.Name)
		return ref, open, err
	}
	ref, p, err := find(db, ref)
	if err != nil {
		return ref, nil, err
	}
	return ref, func(seed uint64) (player.Player, error) {
		_, s, err := ref.parse()
		if err != nil {
			return nil, err
		}
		return krow.Bot(g, p.Player(), s, seed)
	}, nil
}
