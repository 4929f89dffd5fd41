// SPDX-License-Identifier: Apache-2.0

package machines

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/krow-lab/krow"
	"github.com/krow-lab/krow/game"
	"github.com/krow-lab/krow/internal/spec"
	"github.com/krow-lab/krow/player"
	"github.com/krow-lab/krow/player/bot"
	"github.com/krow-lab/krow/search"
	"github.com/krow-lab/krow/server/bots"
	"github.com/krow-lab/krow/server/cluster"
	"github.com/krow-lab/krow/server/store"
)

// files contains all files that are named in units of work, both in the units that this process hands out and in the units that
// it does itself.
var files = sync.OnceValue(func() *cluster.Files {
	f := cluster.NewFiles()
	spec.Inputs(f.Dir())
	return f
})

// Close deletes the temporary files of units. Package machines cannot be used afterwards.
func Close() error { return files().Close() }

// isFile reports whether the value of an argument of a spec is the name of a file. Such arguments are declared with
// [spec.File].
func isFile(name, key string) bool {
	switch key {
	case "", "path":
		return name == "bot" || name == "proof"
	case "weights", "multipliers", "net":
		return true
	}
	return false
}

// fileWords are values of file arguments that are not names of files.
var fileWords = []string{"default", "none", "bred", "hand", "signed", "authors"}

// Spec returns a spec of a player that other machines can use: names of files are replaced by names that contain their hash. It
// returns an error if the player cannot be made on other machines. If lim has no time limit, Spec also returns an error for a
// player whose spec sets a time limit.
func Spec(g game.Game, text string, lim search.Limits) (string, error) {
	away, err := spec.Rewrite(text, func(name, key, value string) (string, error) {
		if isFile(name, key) {
			return File(value)
		}
		return value, nil
	})
	if err != nil {
		return "", err
	}
	return away, public(g, away, lim)
}

// public returns an error if the player of a spec cannot be made on other machines with the limits lim.
func public(g game.Game, text string, lim search.Limits) error {
	p, err := krow.PlayerBy(spec.Untrusted, g, text, 0)
	if err != nil {
		return err
	}
	defer player.Close(p)
	if lim.Time == 0 && player.Timed(p, lim) {
		return fmt.Errorf("%s uses the clock: with nodes=, sims= or depth= it would play the same on all machines", text)
	}
	return nil
}

// Kept does the same as Spec, but also accepts a bot in the store. The bot's program is then sent along as a file. If by is
// Untrusted, the spec cannot name files.
func Kept(db *store.Store, g game.Game, by spec.Trust, text string, lim search.Limits) (string, error) {
	ref, is, err := bots.ParseRef(text)
	if !is && by == spec.Untrusted {
		return text, public(g, text, lim)
	}
	if !is {
		return Spec(g, text, lim)
	}
	var p bot.Program
	var args, name string
	if err == nil {
		p, args, err = ref.Program(db)
	}
	if err == nil {
		name, err = files().Add(p.Name+"."+p.Kind.String(), p.Text)
	}
	if err != nil {
		return "", err
	}
	text = "bot:@" + name + args
	return text, public(g, text, lim)
}

// File returns the name that a file has on other machines. A word that is not the name of a file, such as none, is returned
// unchanged.
func File(name string) (string, error) {
	if slices.Contains(fileWords, name) {
		return name, nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	hashed, err := files().Add(filepath.Base(name), data)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return "@" + hashed, nil
}
