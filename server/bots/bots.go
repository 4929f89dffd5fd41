// SPDX-License-Identifier: Apache-2.0

// Package bots stores the bots that members write, with all versions of each bot, and records which version is published.
//
// # Basics
//
//	mine := bots.Of(db, bots.Everybody, nil)
//	version, err := mine.Save("fork", source)
//	b, err := mine.Publish("fork", version)
//	ref, is, err := bots.ParseRef("bot:fork") // wherever a spec of a player is read
//	ref, players, err := bots.Players(db, nil, g, ref)
//
// # Caveats
//
// Only the author of a bot sees its text and versions; everybody may play against the published version. Saving the text of the
// newest version again makes no new version. At most 500 versions of a bot are kept. If there are more, the oldest versions
// that were never published are deleted.
package bots

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/fault"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/bot"
	"github.com/krow-lab/krow/server/store"
)

// Everybody is the author of all bots on a server without members.
const Everybody = ""

// room contains the limits for the bots of one author, and for the versions of each bot.
var room = store.BotRoom{Bots: 1000, Versions: 500, Bytes: 64 << 20}

// Bots gives an author access to the bots in a store.
type Bots struct {
	db     *store.Store
	author string
	hub    *Hub
}

// Of returns the bots as an author sees them. hub is the server's Hub, or nil without a server.
func Of(db *store.Store, author string, hub *Hub) *Bots { return &Bots{db, author, hub} }

// maxListed is the maximum number of bots in the list of opponents.
const maxListed = 8

// Opponents returns the most recently changed published bots and the connected bots as opponents for any game.
func Opponents(db *store.Store, hub *Hub) (all []krow.Opponent) {
	list, err := db.Bots()
	if err != nil {
		return nil
	}
	list = slices.DeleteFunc(list, func(x store.Bot) bool { return x.Published == 0 })
	for _, b := range list[:min(len(list), maxListed)] {
		all = append(all, krow.Opponent{Name: "bot", Player: "bot:" + b.Name, Doc: fmt.Sprintf("%s, version %d", b.Kind, b.Published)})
	}
	for _, name := range hub.Connected() {
		if len(all) < 2*maxListed {
			all = append(all, krow.Opponent{Name: "bot", Player: "bot:" + name, Doc: "a program on its author's machine"})
		}
	}
	return all
}

// List returns the author's bots, the most recently changed first.
func (b *Bots) List() ([]store.Bot, error) {
	all, err := b.db.Bots()
	return slices.DeleteFunc(all, func(x store.Bot) bool { return x.Author != b.author }), err
}

// find returns the author's bot with this name.
func (b *Bots) find(name string) (store.Bot, error) {
	x, err := b.db.Bot(name)
	if err == nil && x.Author != b.author {
		err = fmt.Errorf("bot %s: %w", name, store.ErrNoBot)
	}
	return x, err
}

// Find returns the author's bot with this name, and its versions, the newest first.
func (b *Bots) Find(name string) (store.Bot, []store.BotVersion, error) {
	x, err := b.find(name)
	if err != nil {
		return x, nil, err
	}
	all, err := b.db.BotVersions(x.Name)
	return x, all, err
}

// Program returns the program of a version of the author's bot; version 0 is the newest.
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

// Save stores a Starlark source or a WebAssembly module as the newest version of the bot with this name. It also stores a source
// with errors, because an author may save an unfinished draft.
func (b *Bots) Save(name string, text []byte) (version int, err error) {
	p, err := bot.New(name, text)
	if err != nil {
		return 0, badBot(err.Error())
	}
	return b.db.AddBotVersion(store.Bot{Name: name, Author: b.author, Kind: p.Kind.String()}, text, room)
}

// badBot returns an error for a bot that cannot be stored; the page and the command line both show its text.
func badBot(text string) error { return fault.As("bad-bot", &spec.Error{Msg: text}) }

// SaveModule does the same as Save, but requires a WebAssembly module.
func (b *Bots) SaveModule(name string, module []byte) (version int, err error) {
	if !bytes.HasPrefix(module, []byte("\x00asm\x01\x00\x00\x00")) {
		return 0, badBot("not a WebAssembly module")
	}
	return b.Save(name, module)
}

// errBroken is returned by Publish for a bot that cannot play.
var errBroken = fault.New("bad-bot", "a broken bot is not published")

// CheckProgram returns an error if a program must not be published because it has errors.
func CheckProgram(p bot.Program) error {
	if err := bot.CheckName(p.Name); err != nil {
		return badBot(err.Error())
	}
	faults := bot.Check(p)
	if len(faults) == 0 {
		return nil
	}
	return fault.Errorf("%w: %s", errBroken, faults[0])
}

// Publish publishes a version, so that everybody can play against it; version 0 is the newest.
func (b *Bots) Publish(name string, version int) (store.Bot, error) {
	x, err := b.find(name)
	if err != nil {
		return x, err
	}
	if version == 0 {
		version = x.Latest
	}
	p, err := program(b.db, x, version)
	if err == nil {
		err = CheckProgram(p)
	}
	if err != nil {
		return x, err
	}
	return b.publish(x, version)
}

// Withdraw makes a published bot private again. Games in progress continue with the version with which they began.
func (b *Bots) Withdraw(name string) (store.Bot, error) {
	x, err := b.find(name)
	if err != nil {
		return x, err
	}
	return b.publish(x, 0)
}

func (b *Bots) publish(x store.Bot, version int) (store.Bot, error) {
	if err := b.db.PublishBot(x.Name, version); err != nil {
		return x, err
	}
	return b.find(x.Name)
}

// Delete deletes a bot and its versions.
func (b *Bots) Delete(name string) error {
	x, err := b.find(name)
	if err != nil {
		return err
	}
	return b.db.DeleteBot(x.Name)
}

// Ref is a reference to a bot in the store, such as bot:fork,version=3. It may have the further arguments that the spec
// bot:FILE of a bot in a file may have.
type Ref struct {
	Name    string
	Version int // 0 means the published version or, if none is published, the newest
	By      spec.Trust

	text string
}

const refName = "bot"

// ParseRef reads a reference, and reports whether text is a reference. If the name contains a dot or a slash, it is the name of
// a file, and text is not a reference.
func ParseRef(text string) (r Ref, is bool, err error) {
	text = strings.TrimSpace(text)
	name, rest, _ := strings.Cut(text, ":")
	if file, _, _ := strings.Cut(rest, ","); name != refName || file == "" || strings.ContainsAny(file, `./\=`) {
		return r, false, nil
	}
	r, _, err = Ref{text: text}.parse()
	return r, true, err
}

// parse reads the text of r. It returns r with the name and the version in this text, and the spec with all arguments.
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

// String returns the reference as a spec.
func (r Ref) String() string { return r.text }

// Settle adds the current version to a reference without a version, so that the reference still names the same player after the
// bot has changed.
func Settle(db *store.Store, ref Ref) (Ref, error) {
	x, err := db.Bot(ref.Name)
	if _, none := db.AwayBot(ref.Name); errors.Is(err, store.ErrNoBot) && none == nil {
		return ref, nil // a remote bot has no version that could be added
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

// Own returns the reference to the version that text names of one of the author's bots. Only the author of a bot may let krow
// learn its parameters, because the run shows the parameters.
func (b *Bots) Own(text string) (string, error) {
	ref, is, err := ParseRef(text)
	if err == nil && !is {
		err = store.ErrNoBot
	}
	if err == nil {
		ref, err = Settle(b.db, ref)
	}
	if err == nil {
		_, err = b.Program(ref.Name, ref.Version)
	}
	return fmt.Sprintf("bot:%s,version=%d", ref.Name, ref.Version), err
}

// At returns the reference to another version of the bot, with the same arguments. The reference r must name its version.
func (r Ref) At(version int) Ref {
	r.text = strings.Replace(r.text, fmt.Sprintf("version=%d", r.Version), fmt.Sprintf("version=%d", version), 1)
	r.Version = version
	return r
}

// Owns reports whether a spec names a bot of the author, stored or remote.
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

// May returns an error unless the author may play against the bot that a reference names. An author may play against all
// versions of the author's own bots, published versions of bots that are published now, and remote bots. For any other bot the
// error is store.ErrNoBot, as if the bot did not exist.
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

// find settles a reference, and returns the program of the bot that it names.
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

// Program returns the program of a reference. It also returns the arguments of the reference except name and version, each with
// a comma before it. A reference to a remote bot is an error.
func (r Ref) Program(db *store.Store) (p bot.Program, args string, err error) {
	if _, err := db.AwayBot(r.Name); err == nil {
		return p, "", fmt.Errorf("bot %s runs on its author's machine", r.Name)
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

// Enable makes this process able to play bots. A main function calls it first, because a bot runs in a new process of the same
// binary.
func Enable() {
	bot.Serve(krow.Game)
	krow.UsePrograms(bot.ReadPlayer)
}

// Players settles a reference, and returns a function that makes its players. The function does not use the store. Remote bots
// play only in the process that has their Hub.
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
