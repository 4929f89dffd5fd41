// SPDX-License-Identifier: Apache-2.0

package krow

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/gomocup"
	"github.com/krow-lab/krow/player/subprocess"
	"github.com/krow-lab/krow/player/ugi"
)

// newProgram returns a player that runs a program in another process: a brain of the Gomocup protocol, or, if the command
// begins with "ugi:", an engine of the Universal Game Interface.
func newProgram(g game.Game, s *spec.Spec, _ uint64) (player.Player, error) {
	text, isUGI := strings.CutPrefix(s.String("path"), "ugi:")
	o := subprocess.Options{
		Turn: s.Duration("time"), Match: s.Duration("match"), Margin: s.Duration("margin"), Memory: int64(s.Int("memory")), Nodes: s.Uint64("nodes"),
	}
	if o.Margin == 0 {
		o.Margin = time.Nanosecond
	}
	words, err := splitCommand(text)
	if err != nil {
		return nil, err
	}
	if o.Path, err = exec.LookPath(words[0]); err != nil {
		return nil, err
	}
	o.Args = words[1:]
	if name := s.String("log"); name != "" {
		if o.Log, err = os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666); err != nil {
			return nil, err
		}
	}
	switch {
	case isUGI && o.Match != 0:
		return nil, errors.New("a UGI engine does not support match=: give the match a clock")
	case isUGI:
		return ugi.NewProgram(g, o), nil
	case o.Nodes != 0:
		return nil, errors.New("the Gomocup protocol does not support nodes=, which is for program:ugi:PATH")
	}
	p, err := gomocup.NewProgram(g, o)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// splitCommand cuts a program and its arguments at the spaces outside quotes, single or double. A backslash makes a space
// or a quote an ordinary character; before any other character it is a backslash, because Windows uses it in paths.
func splitCommand(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	quote, begun := rune(0), false
	runes := []rune(text)
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		switch {
		case r == '\\' && i+1 < len(runes) && strings.ContainsRune(` "'`, runes[i+1]):
			i++
			word.WriteRune(runes[i])
			begun = true
		case r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, begun = r, true
		case quote == 0 && r == ' ':
			if begun {
				words = append(words, word.String())
				word.Reset()
			}
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote is not closed")
	}
	if begun {
		words = append(words, word.String())
	}
	if len(words) == 0 || words[0] == "" {
		return nil, errors.New("the program is missing: write program:PATH")
	}
	return words, nil
}

// CheckBrain returns an error if the player of a spec cannot answer an engine protocol in any game, because the player is unknown
// or is a person. It cannot check a particular game, because the client names the game only later.
func CheckBrain(text string) error {
	s, err := spec.Parse(text)
	if err != nil {
		return err
	}
	var known []string
	for _, i := range List("players") {
		known = append(known, i.Name)
	}
	switch {
	case !slices.Contains(known, s.Name):
		return spec.Unknown("player", s.Name, known)
	case s.Name == "human":
		return &spec.Error{Msg: "a person cannot answer a protocol", Hint: "use krow play"}
	}
	return nil
}

// Brain returns a brain of the Gomocup protocol that plays like the player whose spec is text.
func Brain(text, version string, seed uint64) gomocup.Brain {
	return gomocup.Brain{
		About: fmt.Sprintf(`name="krow", version=%q, author="the krow authors", country="", www="https://github.com/krow-lab/krow", email=""`, version),
		New: func(g game.Game, s gomocup.Settings) (player.Player, error) {
			if s.Memory > 0 {
				// The limit makes Go collect garbage more often instead of using more memory than the manager of the tournament
				// allows.
				debug.SetMemoryLimit(s.Memory - s.Memory/8)
			}
			return set(g, text, seed, s)
		},
		Seed: seed,
	}
}

// Engine returns an engine of the Universal Game Interface that plays the game name like the player whose spec is text. The
// options Game and Player, which the referee may set, replace the game and the player.
func Engine(name, text, version string, seed uint64) ugi.Engine {
	return ugi.Engine{
		Name: "krow " + version, Author: "the krow authors",
		Settings: ugi.Settings{Game: name, Player: text},
		Open:     Game,
		Player: func(g game.Game, s ugi.Settings) (player.Player, error) {
			return set(g, s.Player, seed, gomocup.Settings{Threads: s.Threads, Hash: int64(s.Hash) << 20})
		},
	}
}

// set returns the player of a spec. The settings s determine the number of the player's threads and the size of its hash
// table. The table takes at most half of s.Memory. A setting is ignored if the spec sets this value itself, or if the player
// has no such argument.
func set(g game.Game, text string, seed uint64, s gomocup.Settings) (player.Player, error) {
	hash := s.Hash
	if s.Memory > 0 && (hash == 0 || hash > s.Memory/2) {
		hash = s.Memory / 2
	}
	r := request{kind: "player", text: text, game: g, prepare: func(own *spec.Spec) {
		if s.Threads > 0 {
			own.Default("threads", strconv.Itoa(min(s.Threads, maxThreads)))
		}
		if hash >= 1<<20 {
			own.Default("hash", fmt.Sprintf("%dM", hash>>20))
		}
	}}
	p, err := build(r, players, func(f newPlayer, own *spec.Spec) (player.Player, error) { return f(g, own, seed) })
	if err != nil { // the settings may, for example, ask for too many threads; use the spec without them
		return Player(g, text, seed)
	}
	return p, nil
}
